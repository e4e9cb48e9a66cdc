"""Asks a council about a pull request and keeps its decision as one comment on it. Python 3 and nothing else.

Everything comes in environment variables; action.yml names them. The checkout is data: the house lies outside of it, so
that nothing in a pull request can name programs to run or places to send keys to.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

MARK = "<!-- synod decision -->"
# A comment on GitHub holds 65,536 characters.
COMMENT_MOST = 60_000
# What a council is given to read, below Synod's own limit of 200,000 for all context.
DIFF_MOST = 180_000
PER_PAGE = 100
# Of a file that is cut, at least so much is shown, or nothing; the line that says so fits into the last part of it.
PART_LEAST = 600
NOTICE_ROOM = 100
# Text has fewer odd characters than one in so many.
ODD_SHARE = 20
# Files that are named as not shown, and how much of a name.
MISSING_MOST = 50
NAME_MOST = 200


def fail(message, code=1):
    print(f"::error::{message}", file=sys.stderr)
    raise SystemExit(code)


def need(name):
    value = os.environ.get(name, "").strip()
    if not value:
        fail(f"{name} is not set: this action runs on pull_request events", 64)
    return value


def lines(name):
    return [line.strip() for line in os.environ.get(name, "").splitlines() if line.strip()]


def changes(base, head):
    """What the pull request changes, one text for each file with its name."""
    for commit in (base, head):
        known = subprocess.run(["git", "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True)
        if known.returncode != 0:
            subprocess.run(["git", "fetch", "--quiet", "--depth=1000", "origin", commit], check=True)
    # Attributes that come with the pull request must not decide what is shown of it.
    plain = ["--text", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short"]
    shown = subprocess.run(
        ["git", "diff", *plain, f"{base}...{head}"], capture_output=True, env={**os.environ, "GIT_ATTR_SOURCE": base}
    )
    if shown.returncode != 0:
        fail(f"git diff failed: {shown.stderr.decode(errors='replace').strip()} (check out with fetch-depth: 0)")
    # Lines of a file have a sign before them, so only a new file begins like this.
    parts = re.split(rb"^(?=diff --git )", shown.stdout, flags=re.MULTILINE)
    return [(name_of(part), part.decode(errors="replace")) for part in parts if part.strip()]


def name_of(part):
    """The file, as Git writes it: names with line breaks come quoted."""
    head = part.split(b"\n", 1)[0].decode(errors="replace").removeprefix("diff --git ")
    old, new = (name.strip('"')[2:] for name in (head[: len(head) // 2], head[len(head) // 2 + 1 :]))
    # Of a renamed file both names are given.
    name = new if old == new else head
    return name[:NAME_MOST].replace("`", "'")


def readable(text):
    """Whether somebody can read it: a picture shown as text is noise."""
    odd = sum(sign == "\ufffd" or (sign < " " and sign not in "\t\n\r\f") for sign in text)
    return odd * ODD_SHARE <= len(text)


def fitted(files):
    """What a council can read of it, and what is not shown. Short files come whole and long ones share what is left, so that no file
    keeps another from being read."""
    shown, missing, left = {}, {}, DIFF_MOST
    order = sorted(range(len(files)), key=lambda nth: len(files[nth][1]))
    for done, nth in enumerate(order):
        name, text = files[nth]
        share = left // (len(files) - done)
        if not readable(text):
            shown[nth], missing[nth] = "", f"`{name}`: not text"
        elif len(text) <= share:
            shown[nth] = text
        elif share < PART_LEAST:
            shown[nth], missing[nth] = "", f"`{name}`: no room for any of it"
        else:
            cut = len(text) - share + NOTICE_ROOM
            shown[nth] = text[:-cut] + f"\n[cut: {cut} more characters of this file are not shown]\n"
            missing[nth] = f"`{name}`: {cut} characters of its diff"
        left -= len(shown[nth])
    text = "".join(shown[nth] for nth in range(len(files)))
    return text, [missing[nth] for nth in sorted(missing)]


def named(missing):
    """The first of them, and how many more there are."""
    more = [f"and {len(missing) - MISSING_MOST} more files"] if len(missing) > MISSING_MOST else []
    return missing[:MISSING_MOST] + more


def notice(missing):
    """What was not shown, for those who decide and for those who read the decision."""
    lines = [f"- {line}" for line in named(missing)]
    return "\n".join(["**The council has not seen all of this pull request.** Not shown:", "", *lines, ""])


def decide(folder, text):
    """Runs the council. Gives its exit code, its answer and what it said as Markdown; no answer where there is no result."""
    synod = [os.environ.get("SYNOD") or "synod", "--house", str(folder / "house")]
    context = folder / "pull-request.diff"
    context.write_text(text or "(the diff is empty)\n", errors="replace")
    command = [*synod, "debate", need("QUESTION"), "--json", "--context", str(context)]
    command += ["--charter", os.environ.get("CHARTER") or "blind-vote"]
    if os.environ.get("BUDGET_USD"):
        command += ["--budget-usd", os.environ["BUDGET_USD"]]
    command += [f"--seat={seat}" for seat in lines("SEATS")]
    command += [f"--must={must}" for must in lines("MUST")]
    run = subprocess.run(command, stdout=subprocess.PIPE)
    if run.returncode not in (0, 1, 2):
        return run.returncode, None, ""
    exported = subprocess.run([*synod, "export", "last", "--format", "md"], stdout=subprocess.PIPE, check=True)
    return run.returncode, json.loads(run.stdout)["answer"], exported.stdout.decode()


def call(method, path, body=None):
    api = os.environ.get("GITHUB_API_URL") or "https://api.github.com"
    request = urllib.request.Request(
        f"{api}/repos/{need('GITHUB_REPOSITORY')}/{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {need('GITHUB_TOKEN')}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def shortened(markdown):
    """What fits into a comment. A fold that is cut open would swallow the page below it, so it is closed."""
    if len(markdown) <= COMMENT_MOST:
        return markdown
    kept = markdown[: markdown.rfind("\n", 0, COMMENT_MOST) + 1]
    # A code fence that is still open would show the closing tags as code.
    if sum(line.startswith("```") for line in kept.splitlines()) % 2:
        kept += "```\n"
    kept += "\n</details>\n" * max(0, kept.count("<details") - kept.count("</details>"))
    return kept + "\n…cut here: the log of this run has the whole text.\n"


def comment(pull, markdown):
    """Writes the comment, or rewrites the one that an earlier run left."""
    markdown = shortened(markdown)
    body = {"body": f"{MARK}\n{markdown}"}
    page, found = 1, None
    while found is None:
        known = call("GET", f"issues/{pull}/comments?per_page={PER_PAGE}&page={page}")
        # Anybody can write the mark into a comment; only a bot's is ours to rewrite.
        ours = (it for it in known if it["body"].startswith(MARK) and it["user"]["type"] == "Bot")
        found = next(ours, None)
        if len(known) < PER_PAGE:
            break
        page += 1
    if found is None:
        call("POST", f"issues/{pull}/comments", body)
    else:
        call("PATCH", f"issues/comments/{found['id']}", body)


def log(markdown):
    """Prints the whole text. Words of a model at the start of a line must not become a command to the runner."""
    print("::group::The whole decision")
    mark = f"synod-{os.urandom(16).hex()}"
    print(f"::stop-commands::{mark}\n{markdown}\n::{mark}::\n::endgroup::", flush=True)


def outputs(**values):
    if os.environ.get("GITHUB_OUTPUT"):
        with open(os.environ["GITHUB_OUTPUT"], "a") as output:
            output.writelines(f"{name}={value}\n" for name, value in values.items())


def main():
    pull, base, head = need("PULL"), need("BASE"), need("HEAD")
    fail_on = os.environ.get("FAIL_ON") or "never"
    if fail_on not in ("never", "rejected", "undecided"):
        fail(f"fail-on is {fail_on!r}: write never, rejected or undecided", 64)
    if not lines("SEATS"):
        fail("seats is empty: name at least one seat, such as ann=openai:gpt-4.1-mini", 64)
    # It outlives this step: a later one can keep the record and its signed receipt.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="synod-", dir=os.environ.get("RUNNER_TEMP") or None))
    text, missing = fitted(changes(base, head))
    if missing:
        text = f"{notice(missing)}\n{text}"
    code, answer, markdown = decide(folder, text)
    seen = {"shown": "part" if missing else "all", "not-shown": json.dumps(named(missing))}
    if answer is None:
        outputs(decision="none", action="query_detail", house=folder / "house", **seen)
        message = f"there is no decision: synod debate ended with {code}, see the log above. Do the seats have their API keys?"
        if fail_on != "never":
            fail(message, code)
        print(f"::warning::{message}", file=sys.stderr)
        return
    if missing:
        markdown = f"{notice(missing)}\n{markdown}"
    log(markdown)
    comment(pull, markdown)
    decision = answer["decision"]
    outputs(decision=decision["status"], action=decision["advice"]["action"], house=folder / "house", **seen)
    if (code == 1 and fail_on != "never") or (code == 2 and fail_on == "undecided"):
        fail(f"the council decided: {answer['decision']['status']}")
    if missing:
        message = f"the council has not seen all of this pull request: {len(missing)} files are cut or left out, see the comment"
        if fail_on != "never":
            fail(message)
        print(f"::warning::{message}", file=sys.stderr)


if __name__ == "__main__":
    main()
