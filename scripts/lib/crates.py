"""The crates that `synod` is made of, as cargo tells them. Dev-dependencies are left out: they are in no release."""
import json
import os
import re
import subprocess
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def built_at():
    """The time of the commit, or SOURCE_DATE_EPOCH, as RFC 3339."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        try:
            epoch = run("git", "log", "-1", "--format=%ct").strip()
        except (subprocess.CalledProcessError, FileNotFoundError):
            epoch = "0"
    return datetime.fromtimestamp(int(epoch), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Tree:
    def __init__(self, target=None):
        self.target = target or re.search(r"^host: (.*)$", run("rustc", "-vV"), re.M).group(1)
        command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", self.target]
        found = json.loads(run(*command))
        self.packages = {package["id"]: package for package in found["packages"]}
        self.root = next(key for key, package in self.packages.items() if package["name"] == "synod")
        nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
        self.edges, waiting = {}, [self.root]
        while waiting:
            key = waiting.pop()
            if key in self.edges:
                continue
            kept = [dep["pkg"] for dep in nodes[key]["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]
            self.edges[key] = kept
            waiting.extend(kept)
        self.reached = sorted(self.edges, key=lambda key: (self.packages[key]["name"], self.packages[key]["version"]))
        lock = (ROOT / "Cargo.lock").read_text()
        self.checksums = {}
        for block in lock.split("[[package]]")[1:]:
            fields = dict(re.findall(r'^(\w+) = "([^"]*)"$', block, re.M))
            self.checksums[fields["name"], fields["version"]] = fields.get("checksum")

    def checksum(self, key):
        package = self.packages[key]
        return self.checksums.get((package["name"], package["version"]))
