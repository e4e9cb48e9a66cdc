"""An agent that takes part in one ring over HTTP, with nothing but what Python ships.

python3 agent.py URL MATTER NAME TOKEN MANNER

MANNER is `honest`, `waits` (honest, and in its second turn waits for a line), `hangs` (takes its second turn and never
comes back), or `forges` (takes part as it should, and tries everything it should not). Prints one line of JSON at the end: how the ring ended for it, and what it was refused.
"""

import http.client
import json
import sys
import time

url, matter, name, token, manner = sys.argv[1:6]
connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
house, door, keys = [], [], 0
OVER = ("COMMITTED", "ABORTED", "DEFERRED")


def ask(method, path, body=None, **headers):
    headers = {"authorization": f"Bearer {token}"} | {k.replace("_", "-"): v for k, v in headers.items()}
    if body is not None:
        headers["content-type"] = "application/json"
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    told = json.loads(text) if text else None
    if answer.status >= 500:
        sys.exit(f"{method} {path}: {answer.status} {told}")
    if answer.status in (401, 403):
        door.append(told["error"]["code"])
    elif answer.status >= 400 and not answer.headers.get("idempotency-replayed"):
        house.append(told["error"]["code"])
    return answer.status, told, answer.headers


def do(what, body, **headers):
    """Does something in the ring, once, however often it is sent."""
    global keys
    keys += 1
    headers.setdefault("idempotency_key", f"{matter}-{keys}")
    return ask("POST", f"/v1/matters/{matter}/{what}", body, **headers)


def should(what, body):
    status, told, _ = do(what, body)
    if status != 200:
        sys.exit(f"{name} could not {what}: {told}")
    return told


def ring():
    return ask("GET", f"/v1/matters/{matter}")[1]["ring"]


def forge(turn):
    """Everything an agent must not get away with, from inside a turn of its own."""
    mine = {"ask": turn["ask"], "kind": "opinion"}
    # Out of phase, and about things that are not there.
    for status, what, body in [
        (409, "votes", {"proposal": ring()["proposals"][0]["id"], "grade": "reject"}),
        (409, "join", {}),
        (404, "amendments", {"ask": turn["ask"], "proposal": "1", "text": "Nothing."}),
        (409, "contributions", {**mine, "text": "long " * 500}),
    ]:
        refused = do(what, body)
        assert refused[0] == status, (what, refused)
    # Under a name that is not its own, and with a token nobody made.
    said = {**mine, "text": "I am Ann"}
    assert do("contributions", said, synod_for="ann")[0] == 403
    assert do("contributions", said, authorization="Bearer synod_" + "0" * 64)[0] == 401
    assert ask("POST", f"/v1/matters/{matter}/start", {})[0] == 403
    # Doubled: under the same key it happens once, and is told the same.
    said = {**mine, "text": f"Round {turn['round']}, said twice"}
    first = do("contributions", said, idempotency_key=f"twice-{turn['ask']}")
    again = do("contributions", said, idempotency_key=f"twice-{turn['ask']}")
    for answer in first, again:
        # The tree has grown since: the act is proven anew.
        del answer[1]["acknowledgement"]["size"], answer[1]["acknowledgement"]["proof"]
    assert first[:2] == again[:2] and first[0] == 200 and again[2]["idempotency-replayed"] == "true"
    # Doubled under another key, and late: the turn is over.
    assert do("contributions", said)[0] == 409
    assert do("skip", {"ask": turn["ask"]})[0] == 409
    # In another's turn.
    holder = ring()["holder"]
    if holder:
        assert do("contributions", {**said, "ask": holder["ask"]})[0] == 409
        assert ask("POST", f"/v1/turns/{holder['ask']}/ack", {})[0] == 409
    print("forged", flush=True)


def speak(turn):
    if ask("POST", f"/v1/turns/{turn['ask']}/ack", {})[0] != 200:
        sys.exit(f"{name} could not take its turn")
    proposal = ring()["proposals"][0]
    if manner == "hangs" and turn["round"] == 2:
        print("speaking", flush=True)
        time.sleep(600)
    if manner == "waits" and turn["round"] == 2:
        input()
    if manner == "forges":
        return forge(turn)
    if name == "bob" and turn["round"] == 2:
        changed = {"proposal": proposal["id"], "text": "Keep answers for an hour, and measure it.", "why": "to know"}
        return should("amendments", {"ask": turn["ask"], **changed})
    for change in proposal["amendments"]:
        if name == "ann" and change["accepted"] is None:
            should("rulings", {"amendment": change["id"], "accept": True})
    said = {"ask": turn["ask"], "kind": "opinion", "text": f"{name} in round {turn['round']}: reads outnumber writes."}
    should("contributions", {**said, "keep": True})
    should("reactions", {"ask": turn["ask"], "to": proposal["id"], "reaction": "partially_agree"})


def take(turn):
    match turn["task"]:
        case "join":
            should("join", {})
        case "propose" if name == "ann":
            should("proposals", {"ask": turn["ask"], "title": "Keep answers", "text": "Keep answers for an hour."})
        case "propose":
            should("skip", {"ask": turn["ask"], "why": "nothing to propose"})
        case "speak":
            speak(turn)
        case "weigh":
            for change in ring()["proposals"][0]["amendments"]:
                should("rulings", {"amendment": change["id"], "accept": True})
        case "vote":
            proposal = ring()["proposals"][0]["id"]
            should("votes", {"proposal": proposal, "grade": "approve", "rationale": "it is cheap"})
            if manner == "forges":
                # Whether as a second vote or after the end: once is enough.
                assert do("votes", {"proposal": proposal, "grade": "reject"})[0] == 409


while (phase := ring()["phase"]) not in OVER:
    status, told, _ = ask("GET", f"/v1/turns?wait=1&matter={matter}")
    if status == 200:
        take(told["turns"][0])
print(json.dumps({"phase": phase, "house": house, "door": door}))
