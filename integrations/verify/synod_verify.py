#!/usr/bin/env python3
"""Checks what a Synod house hands out, with none of Synod's code: receipts, proofs, acknowledgements, checkpoints, a journal.

  synod_verify.py receipt RECEIPT --key HEX
  synod_verify.py proof PROOF [--receipt RECEIPT] [--policy FILE | --key HEX]
  synod_verify.py journal HOUSE [--policy FILE | --key HEX]

Prints one verdict first: broken, unsigned, signed by an unknown key, signed, witnessed N of M. Exit 0 if it holds and the key or the
policy is yours, 1 if it is broken, 3 if the key is unknown, 4 if the policy asks for more. Needs Python 3.9 and `cryptography`.
"""

import argparse
import base64
import hashlib
import json
import sqlite3
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Broken(Exception):
    """Something does not hold."""


def sha(data):
    return hashlib.sha256(data).digest()


def signed_by(key, message, signature):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


# The tree of RFC 6962. A leaf is the 32-byte hash of a record; act 1 has index 0.
def leaf(record):
    return sha(b"\0" + record)


def node(left, right):
    return sha(b"\1" + left + right)


def root(records):
    """The root over all records, by the largest complete subtrees."""
    stack = []
    for nth, record in enumerate(records):
        joined = leaf(record)
        while nth & 1:
            joined, nth = node(stack.pop(), joined), nth >> 1
        stack.append(joined)
    joined = stack.pop() if stack else sha(b"")
    while stack:
        joined = node(stack.pop(), joined)
    return joined


def included(record, index, size, path, wanted):
    if not 0 <= index < size:
        return False
    at, last, reached = index, size - 1, leaf(record)
    for beside in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            reached = node(beside, reached)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            reached = node(reached, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and reached == wanted


# Signed notes and checkpoints.
class Note:
    def __init__(self, text):
        body, _, lines = text.rpartition("\n\n")
        self.text, self.lines = body + "\n", []
        head = body.split("\n")
        if len(head) < 3 or not head[0] or not lines.endswith("\n"):
            raise Broken("not a checkpoint")
        self.origin, self.size, self.root = head[0], int(head[1]), base64.b64decode(head[2], validate=True)
        for line in lines[:-1].split("\n"):
            dash, name, signature = line.split(" ")
            if dash != "\u2014":
                raise Broken("not a signature line")
            raw = base64.b64decode(signature, validate=True)
            self.lines.append((name, raw[:4], raw[4:]))

    def times(self, key):
        """When a key signed: zero for a log, seconds for a witness. A line of that key which does not fit breaks the note."""
        found = []
        for name, key_id, signature in self.lines:
            if (name, key_id) != (key.name, key.id):
                continue
            when, message = 0, self.text
            if key.kind == 4:
                when, signature = int.from_bytes(signature[:8], "big"), signature[8:]
                message = f"cosignature/v1\ntime {when}\n{self.text}"
            if not signed_by(key.key, message.encode(), signature):
                raise Broken(f"the signature of {name} does not fit")
            found.append(when)
        return found


class Key:
    """A verifier key: name+id+base64(kind, key)."""

    def __init__(self, name, kind, key):
        self.name, self.kind, self.key = name, kind, key
        self.id = sha(name.encode() + b"\n" + bytes([kind]) + key)[:4]

    @classmethod
    def parse(cls, text):
        name, key_id, raw = text.split("+", 2)
        raw = base64.b64decode(raw, validate=True)
        key = cls(name, raw[0], raw[1:])
        if key.id.hex() != key_id:
            raise Broken(f"the id of the key {text} does not fit")
        return key


class Policy:
    """What the reader trusts (C2SP tlog-policy), or one key in hex under any name."""

    def __init__(self, text="quorum none\n", key=None):
        self.logs, self.witnesses, self.groups, self.quorum, self.hex = [], {}, {}, None, key
        for line in text.splitlines():
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "log":
                self.logs.append(Key.parse(words[1]))
            elif words[0] == "witness":
                self.witnesses[words[1]] = Key.parse(words[2])
            elif words[0] == "group":
                least = {"all": len(words) - 3, "any": 1}.get(words[2]) or int(words[2])
                self.groups[words[1]] = (least, words[3:])
            elif words[0] == "quorum":
                self.quorum = words[1]
            else:
                raise Broken(f"the policy has a line that is not understood: {line}")

    def knows(self, body, public):
        """Whether a receipt's key is known, and is one of the house that the receipt names."""
        of = {log.name for log in self.logs if log.key.hex() == public}
        named = {log.name for log in self.logs if log.key.hex() == body["house"]}
        return public == self.hex or bool(of) and (public == body["house"] or bool(of & named))

    def holds(self, name, signed):
        if name in self.groups:
            least, members = self.groups[name]
            return sum(self.holds(member, signed) for member in members) >= least
        return name == "none" or name in signed

    def verdict(self, note):
        logs = [log for log in self.logs if log.name == note.origin]
        if self.hex:
            logs.append(Key(note.origin, 1, bytes.fromhex(self.hex)))
        if not any([note.times(log) for log in logs]):
            return "signed by an unknown key", 3
        signed = {name for name, key in self.witnesses.items() if note.times(key)}
        word = f"witnessed {len(signed)} of {len(self.witnesses)}" if signed else "signed"
        return word, 0 if self.quorum in (None, "none") or self.holds(self.quorum, signed) else 4


def receipt(path):
    """Checks a receipt by itself. Gives its body and its key."""
    text = Path(path).read_text(encoding="utf-8").rstrip()
    whole = json.loads(text)
    # The file is canonical JSON, so the signed bytes stand in it as they are.
    body = text[len('{"body":') : text.rindex(',"key":"')]
    if set(whole) != {"body", "key", "signature"} or not text.startswith('{"body":') or json.loads(body) != whole["body"]:
        raise Broken("not a receipt as Synod writes it")
    if not signed_by(bytes.fromhex(whole["key"]), b"synod-receipt-v1\n" + body.encode(), bytes.fromhex(whole["signature"])):
        raise Broken("the receipt was changed after it was signed")
    return whole["body"], whole["key"]


def proof(path, of, policy):
    """Checks a tlog-proof or an acknowledgement, and whether a receipt is of the same act and house."""
    text, hashed, said = Path(path).read_text(encoding="utf-8"), None, None
    if text.startswith("{"):
        said = json.loads(text)
        said = said.get("acknowledgement", said)
        # Anything else in it would be believed with it.
        if set(said) != {"act", "hash", "proof", "size"}:
            raise Broken("not an acknowledgement as Synod writes it")
        text, hashed = said["proof"], said["hash"]
    head, _, note = text.partition("\n\n")
    lines = head.split("\n")
    if lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise Broken("not a tlog-proof")
    if lines[0].startswith("extra "):
        extra = base64.b64decode(lines.pop(0)[6:], validate=True).hex()
        hashed = hashed or extra
    index = int(lines.pop(0).removeprefix("index "))
    note = Note(note)
    if said and (said["act"], said["size"]) != (index + 1, note.size):
        raise Broken("the acknowledgement and its proof are of different acts")
    if of is not None:
        body, public = of
        place, key = body["journal"], Key(note.origin, 1, bytes.fromhex(public))
        named = any((log.name, log.key) == (key.name, key.key) for log in policy.logs)
        if not named and not note.times(key):
            raise Broken("nothing shows that the receipt and the proof are of one house")
        if place["seq"] != index + 1 or (hashed and place["hash"] != hashed):
            raise Broken("the proof is of another act than the receipt")
        hashed = place["hash"]
    path = [base64.b64decode(line, validate=True) for line in lines]
    if not included(bytes.fromhex(hashed), index, note.size, path, note.root):
        raise Broken("the act is not in that tree")
    return policy.verdict(note)


class Signatures:
    """Who signs with which key, and whether what they signed belongs to this history."""

    def __init__(self):
        self.house, self.keys = "", {}

    def check(self, act, records):
        """An act whose words are all there, and the hashes of the records before it."""
        seq, vouched, command = act["seq"], act.get("vouched", {}), act["command"]
        who = act["by"].removeprefix("seat:")
        if "signature" not in vouched:
            if act["by"].startswith("seat:") and who in self.keys and "done" in act["outcome"]:
                raise Broken(f"act {seq} lacks the signature of {who}")
            return
        seen = vouched.get("seen", {"act": 0})
        if not 0 < seen["act"] <= len(records) or records[seen["act"] - 1].hex() != seen["hash"] or newest(command) > seen["act"]:
            raise Broken(f"act {seq} was signed for another history")
        text = {"by": act["by"], "command": command, "house": self.house, "kind": "synod/act/2", "seen": seen}
        text.update({"key": act["key"]} if "key" in act else {})
        # Canonical JSON (RFC 8785), as far as these objects go: names are ASCII, numbers are whole.
        text = json.dumps(text, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        public = self.keys.get(who) or command.get("key", {}).get("key", "")
        if not signed_by(bytes.fromhex(public), text.encode(), bytes.fromhex(vouched["signature"])):
            raise Broken(f"act {seq} was not signed by {who}")

    def follow(self, act):
        """Takes in who signs from now on."""
        for event in act["outcome"].get("done", []):
            (organ, what), *_ = event.items()
            kind, fields = next(iter(what.items())) if isinstance(what, dict) else (what, {})
            if (organ, kind) == ("house", "founded"):
                self.house = fields["key"]
            elif (organ, kind) == ("roster", "keyed"):
                self.keys.pop(fields["who"], None)
                self.keys.update({fields["who"]: fields["key"]} if "key" in fields else {})


def newest(command):
    """The newest act that an id in a command names: `m57` and `57.2` are things of act 57."""
    part = command.get("ring", {}).get("participate", {})
    action = part.get("action", {})
    fields = next(iter(action.values())) if isinstance(action, dict) and action else {}
    named = [part.get("matter"), *(fields.get(name) for name in ("ask", "to", "proposal", "amendment"))]
    return max((int(name.lstrip("m").split(".")[0]) for name in named if name), default=0)


def journal(house, policy):
    """Checks the chain of a journal, what participants signed, and every checkpoint beside it."""
    db = sqlite3.connect(f"file:{Path(house) / 'journal.db'}?mode=ro", uri=True)
    records, before, declared, replaced, signatures = [], "0" * 64, {}, {}, Signatures()
    for seq, digest, body, redacted in db.execute("SELECT seq, hash, body, redacted FROM acts ORDER BY seq"):
        act, found = json.loads(body), sha(body.encode())
        if seq != len(records) + 1 or act["seq"] != seq or act["prev"] != before:
            raise Broken(f"act {seq} does not follow what stands before it")
        if redacted and found == digest:
            raise Broken(f"act {seq} is marked as redacted, and is not")
        if redacted:
            replaced[seq] = found.hex()
        elif found != digest:
            raise Broken(f"act {seq} was edited")
        else:
            signatures.check(act, records)
        signatures.follow(act)
        declared[seq] = body
        records.append(digest)
        before = digest.hex()
    for seq, found in replaced.items():
        if not any(found in later for at, later in declared.items() if at > seq):
            raise Broken(f"act {seq} was redacted, and no later act declares it")
    notes, kept = {}, Path(house) / "checkpoints"
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []:
        said = json.loads(line)
        if "note" in said:
            notes[Note(said["note"]).size] = said["note"]
        elif said.get("size") in notes:
            notes[said["size"]] += "".join(f"{cosignature}\n" for cosignature in said.get("cosignatures", []))
    last, signed = ("unsigned", 4), 0
    for size, text in sorted(notes.items()):
        note = Note(text)
        if size > len(records) or root(records[:size]) != note.root:
            raise Broken(f"the journal is not what the house signed at size {size}")
        last = policy.verdict(note)
        signed = size
    # Whoever can write the file can add acts after the last signature.
    return ("unsigned", 3 if last[1] == 3 else 4) if signed < len(records) else last


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["receipt", "proof", "journal"])
    parser.add_argument("path")
    parser.add_argument("--receipt")
    parser.add_argument("--policy")
    parser.add_argument("--key")
    given = parser.parse_args()
    try:
        policy = Policy(Path(given.policy).read_text(encoding="utf-8") if given.policy else "quorum none\n", given.key)
        if given.what == "receipt":
            known = policy.knows(*receipt(given.path))
            word, code = ("signed", 0) if known else ("signed by an unknown key", 3)
        elif given.what == "proof":
            word, code = proof(given.path, receipt(given.receipt) if given.receipt else None, policy)
        else:
            word, code = journal(given.path, policy)
        print(word)
    except (Broken, ValueError, KeyError, IndexError, TypeError, sqlite3.Error) as error:
        print(f"broken\n{error}")
        code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
