# Measured beside `synod bench evidence`: how long rapidfuzz takes to find the same quotes in the same text.
import json
import sys
import time

from rapidfuzz import __version__, fuzz

folder = sys.argv[1]
rows = json.load(open(folder + "/quotes.json", encoding="utf-8"))
texts = {}
for row in rows:
    if row["text"] not in texts:
        texts[row["text"]] = open(folder + "/" + row["text"], encoding="utf-8").read()
    text = texts[row["text"]]
    for key, cutoff in (("whole", None), ("cutoff", 80)):
        times = []
        for quote in row["quotes"]:
            begun = time.process_time_ns()
            fuzz.partial_ratio(quote, text, score_cutoff=cutoff)
            times.append(time.process_time_ns() - begun)
        times.sort()
        row[key] = times[len(times) // 2] / 1e6
    del row["quotes"]
json.dump({"version": __version__, "rows": rows}, sys.stdout)
