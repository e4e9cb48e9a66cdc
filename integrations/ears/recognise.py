#!/usr/bin/env python3
"""Hears German, English and some ninety other languages for the crate `synod-ears`, with Whisper on faster-whisper.

  recognise.py --model FOLDER-OR-NAME [--language de] [--hotwords WORDS] [--threads 2]

Reads 16 kHz mono samples (16 bits, low byte first) from standard input and prints one JSON line for each stretch of speech, as soon
as it has ended:

  {"type":"segment","id":"r1","final":true,"speaker":null,"start":1.2,"end":3.4,"text":"…","confidence":0.9}

That is the whole contract: any program that does the same can take its place. Words that are likely to be said, given
as --hotwords, are understood far better. `scripts/setup-audio` installs what this needs.
"""

import argparse
import json
import math
import sys

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.vad import VadOptions, get_speech_timestamps

RATE = 16000
PIECE = RATE  # bytes: half a second
PAUSE_MS = 500  # a pause that ends what is said
LONGEST = 20  # seconds; whoever speaks longer is cut there
KEPT = 1  # seconds kept where nobody speaks, so that a beginning is not cut off


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", required=True, help="a folder with a converted model, or a name such as base or small")
    parser.add_argument("--language", help="such as de or en; without it, it is guessed for every stretch")
    parser.add_argument("--hotwords", help="words that are likely")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def speech(samples):
    options = VadOptions(threshold=0.4, min_silence_duration_ms=PAUSE_MS, speech_pad_ms=150)
    return get_speech_timestamps(samples, options)


def main():
    args = arguments()
    model = WhisperModel(args.model, device="cpu", compute_type="int8", cpu_threads=args.threads)
    print("ready", file=sys.stderr, flush=True)
    held = np.zeros(0, np.float32)
    base = 0.0  # seconds before what is held
    count, odd, more = 0, b"", True
    while more:
        piece = sys.stdin.buffer.read(PIECE)
        more = len(piece) == PIECE
        piece, odd = odd + piece, b""
        if len(piece) % 2:
            piece, odd = piece[:-1], piece[-1:]
        held = np.concatenate([held, np.frombuffer(piece, "<i2").astype(np.float32) / 32768])
        spans = speech(held)
        if not spans:
            cut = max(0, len(held) - KEPT * RATE)
            base, held = base + cut / RATE, held[cut:]
            continue
        still = len(held) - spans[-1]["end"] < PAUSE_MS * RATE // 1000
        if more and still and len(held) < LONGEST * RATE:
            continue
        for span in spans:
            found, told = model.transcribe(
                held[span["start"] : span["end"]],
                language=args.language,
                beam_size=1,
                condition_on_previous_text=False,
                hotwords=args.hotwords,
            )
            found = list(found)
            text = " ".join(part.text.strip() for part in found).strip()
            if not text:
                continue
            count += 1
            sure = sum(math.exp(part.avg_logprob) for part in found) / len(found)
            line = {
                "type": "segment",
                "id": f"r{count}",
                "final": True,
                "speaker": None,
                "start": round(base + span["start"] / RATE, 2),
                "end": round(base + span["end"] / RATE, 2),
                "text": text,
                "confidence": round(min(1.0, sure), 3),
                "lang": told.language,
            }
            print(json.dumps(line, ensure_ascii=False), flush=True)
        base, held = base + len(held) / RATE, held[:0]


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
