"""Take part in Synod rings over Redis.

Needs Python 3.9 and `cryptography` (pip install cryptography); the few commands of Redis it uses are spoken here.

    agent = Agent("redis://127.0.0.1:6379", "ann", token)
    agent.send("CONSENSUS_START")
    for message in agent.messages():
        ...

Messages from and to the agent are sealed: encrypted and authenticated under a secret that only the house and the holder of
the token know. The format is described in docs/agents.md.
"""

import hashlib
import hmac
import json
import os
import socket
import sys
import time
import urllib.parse
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

PAD = 512  # without padding, the length of a vote would tell how it was cast
AGE_MOST_MS = 5 * 60 * 1000


class Wrong(Exception):
    """A message that was not sealed for us, was changed on the way, came before, or is too old."""


class Seal:
    """The secret that a token stands for."""

    def __init__(self, name, token):
        self.name = name.lower()
        self.token = hashlib.sha256(token.encode()).hexdigest()[:12]  # what `synod token list` calls it
        secret = hmac.new(token.encode(), b"synod/redis/1", hashlib.sha256).digest()
        key = lambda way: HKDFExpand(SHA256(), 32, b"synod/redis/2/" + way).derive(secret)
        self.keys = {way: ChaCha20Poly1305(key(way.encode())) for way in ("to-house", "to-agent")}

    def seal(self, text, way="to-house"):
        data = text.encode()
        data += b" " * (-len(data) % PAD)
        nonce = os.urandom(12)
        sealed = self.keys[way].encrypt(nonce, data, f"synod/redis/2/{way}/{self.name}".encode())
        return json.dumps({"version": 2, "token": self.token, "nonce": nonce.hex(), "sealed": sealed.hex()})

    def open(self, envelope, way="to-agent"):
        try:
            nonce, sealed = bytes.fromhex(envelope["nonce"]), bytes.fromhex(envelope["sealed"])
            return self.keys[way].decrypt(nonce, sealed, f"synod/redis/2/{way}/{self.name}".encode()).decode()
        except (InvalidTag, KeyError, ValueError) as wrong:
            raise Wrong("the message was not sealed for this agent, or was changed on the way") from wrong


class Agent:
    """One participant on Redis."""

    def __init__(self, url, name, token, timeout=None):
        self.seal, self.number = Seal(name, token), 0
        self.speak, self.hear = Connection(url, timeout), Connection(url, timeout)
        self.hear.command("SUBSCRIBE", f"pop:consensus:agent:{self.seal.name}")

    def send(self, kind, data=None, matter=None):
        """Sends a message to the house. Returns its key, which the reply names."""
        key = uuid.uuid4().hex
        body = {"version": 1, "type": kind, "from": self.seal.name, "key": key, "at": int(time.time() * 1000)}
        body["data"] = data or {}
        if matter:
            body["matter"] = matter
        self.speak.command("PUBLISH", f"pop:consensus:inbox:{self.seal.name}", self.seal.seal(json.dumps(body)))
        return key

    def messages(self):
        """What the house sends to this agent, for as long as the connection lasts.

        Left out are forged messages, and turns that were yielded before: the house sends open turns again whenever the
        agent might have missed them.
        """
        turns = set()
        while True:
            pushed = self.hear.read()
            if pushed[0] != b"message":
                continue
            try:
                message = self.read(pushed[2])
            except Wrong as wrong:
                print(f"synod: {wrong}", file=sys.stderr)
                continue
            turn = message.get("turn")
            if turn and (turn["ask"], turn["until"]) in turns:
                continue
            if turn:
                turns.add((turn["ask"], turn["until"]))
            yield message

    def read(self, text):
        """The message in an envelope. A message is read once, and none after a later one."""
        try:
            envelope = json.loads(text)
        except ValueError as wrong:
            raise Wrong("this is not a message") from wrong
        if envelope.get("type") == "REFUSED":  # not sealed: the house could not read what somebody sent as us
            # Anybody on this Redis can send that, so no terminal may be steered by it.
            said = "".join(c if c.isprintable() else "?" for c in str(envelope.get("message", "")))
            raise Wrong(f"refused, by the house or by somebody who says to be it: {said[:300]}")
        if envelope.get("token") != self.seal.token:
            raise Wrong("sealed under another token of this participant")
        inner = json.loads(self.seal.open(envelope))
        if inner["number"] <= self.number or abs(time.time() * 1000 - inner["sent"]) > AGE_MOST_MS:
            raise Wrong("the message came before, or was held back")
        self.number = inner["number"]
        return inner["message"]


class Connection:
    """As much of the Redis protocol as an agent needs."""

    def __init__(self, url, timeout):
        address = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port or 6379), timeout=timeout)
        self.file = self.socket.makefile("rb")
        if address.password:
            user = [address.username] if address.username else []
            self.command("AUTH", *user, urllib.parse.unquote(address.password))

    def command(self, *words):
        words = [word.encode() for word in words]
        parts = b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)
        self.socket.sendall(b"*%d\r\n%s" % (len(words), parts))
        return self.read()

    def read(self):
        line = self.file.readline()
        if not line:
            raise ConnectionError("Redis closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise ConnectionError(rest.decode())
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.read() for _ in range(int(rest))]
        return rest
