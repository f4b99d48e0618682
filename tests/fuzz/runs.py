"""One run: a seed becomes a workspace and some calls, which are made in this process and judged."""

from __future__ import annotations

import json
import random
import re
import shutil
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import repos
from fuzz.calls import draw_call
from fuzz.corpus import LOGS, POLICIES, SIDE_FILES, Files, all_workspaces, own_workspaces
from fuzz.mutations import WORDS, mutate
from fuzz.surfaces import judge_action, judge_hook, judge_tool
from git_sched.mcp_server.tools import TOOLS
from git_sched.model.json_codec import dump
from git_sched.render.markdown.escape import BREAK
from git_sched.schemas.examples import examples
from sandbox import git, write
from schemas.test_schemas import complaints

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from fuzz.calls import Words

WRITING: Final = frozenset(
    {"--record", "--dispatch", "-o", "--output", "take", "release", "set", "init", "hook", "log"}
)
"""Words of calls that may write; every other call leaves each file as it was."""

SECONDS: Final = 6.0
"""CPU time that no call takes: more than ten times what the largest of these inputs needs."""

STAYS: Final = "stays-whole"
"""The id of a task in a file that is never damaged: no damage elsewhere hides it."""

KINDS: Final = {"policy": "policy-record"}
"""The schema of a kind of record, where the names differ."""


class Case(NamedTuple):
    """A workspace and the calls made in it; ``committed`` are its files at HEAD, before what the work tree has."""

    files: Files
    calls: tuple[Words, ...]
    tools: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    committed: bool = False


class Finding(NamedTuple):
    """What is wrong with an answer, and the call that gave it."""

    call: Sequence[str]
    complaint: str


# From a seed to a case


def draw_case(seed: str) -> Case:
    """Draw a case; one of a seed with a dash depends on whether ``shared`` is there, any other does not."""
    dice = random.Random(seed)  # noqa: S311 - repeatable on purpose
    workspaces = all_workspaces() if "-" in seed else own_workspaces()
    files = dict(dice.choice(workspaces))
    if dice.random() < 0.2:
        files |= dice.choice(workspaces)
    if dice.random() < 0.5:
        files |= dice.choice(POLICIES)
    for name in dice.sample(sorted(SIDE_FILES), dice.choice([0, 0, 1, 2])):
        files.setdefault(name, SIDE_FILES[name])
    if dice.random() < 0.4:
        files[repos.LOG] = dice.choice(LOGS)
    files["record.json"] = dump(dice.choice(examples("record")))
    for name in dice.sample(sorted(files), min(len(files), dice.choice([0, 1, 1, 1, 2, 3]))):
        files[name] = mutate(files[name], dice)
    files |= {f"{repos.GRAPHS}/{STAYS}.json": _whole(), ".gitignore": repos.IGNORED.encode()}
    paths = (*sorted(files), ".", *(name.rpartition("/")[0] for name in sorted(files) if "/" in name))
    ids = (STAYS, f"{STAYS}/{STAYS}", "ada", *_words(files, dice))
    calls = tuple(draw_call(dice, paths, ids) for _ in range(dice.randint(1, 3)))
    tools = tuple(_draw_tool(dice, ids) for _ in range(dice.choice([0, 0, 1])))
    return Case(files, calls, tools, dice.random() < 0.4)


def _words(files: Files, dice: random.Random) -> list[str]:
    """Give a few words of the files: some of them are ids."""
    found = re.findall(r"[\w./-]{1,40}", files[dice.choice(sorted(files))].decode(errors="surrogateescape"))
    return [word for word in dice.choices(found, k=9) if not word.startswith(("/", ".."))] if found else []


def _whole() -> bytes:
    return repos.graph(STAYS, repos.task(STAYS)).encode()


def _draw_tool(dice: random.Random, names: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
    keys = ("agents", "agent", "node", "limit", "dispatch", "record", "full", "graph_id", "action", "weights", "base")
    odd: tuple[Any, ...] = (["ada"], True, 3, -1, None, {}, {"urgency": 2}, "set", "get", [*names[:1]], *names, *WORDS)
    return dice.choice(sorted(TOOLS)), {key: dice.choice(odd) for key in dice.sample(keys, dice.randint(0, 4))}


# From a case to findings


def run_case(case: Case, folder: Path) -> Iterator[Finding]:
    """Make the calls of a case in a new repository below a folder, and yield what is wrong with the answers."""
    # Two folders down, so that what a call names as "../.." is below the folder as well.
    top = folder / "a" / "b"
    env = repos.environment(XDG_STATE_HOME=str(folder / "state"), HOME=str(folder))
    try:
        _build(case, top)
        for words in case.calls:
            yield from (Finding(words, complaint) for complaint in _judge_call(top, words, env))
        if not list(top.glob(".metagit/schedule/policy*")):  # nor has a call made one
            yield from (Finding(("status", "--json"), complaint) for complaint in _judge_whole(top, env))
        for name, arguments in case.tools:
            yield from (Finding((name, json.dumps(arguments)), one) for one in judge_tool(top, name, arguments))
        if case.committed:
            yield from (Finding(("hook", "run"), complaint) for complaint in judge_hook(top, env))
            yield from (Finding(("action", "decide"), complaint) for complaint in judge_action(top, env))
        yield from (Finding(case.calls[0], f"left behind: {path.name}") for path in top.rglob("*.tmp*"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _build(case: Case, top: Path) -> None:
    top.mkdir(parents=True)
    git(top, "init", "-q", "-b", "main")
    git(top, "commit", "-q", "--allow-empty", "-m", "Nothing")
    write(top, case.files)
    if case.committed:
        git(top, "add", "-f", ".")
        git(top, "commit", "-q", "--allow-empty", "-m", "Tasks")


def _judge_call(top: Path, words: Words, env: Mapping[str, str]) -> Iterator[str]:
    reads = WRITING.isdisjoint(words) and not any(word.startswith(("-o", "--out", "--rec", "--dis")) for word in words)
    before = _contents(top) if reads else {}
    began = time.process_time()
    try:
        ran = repos.sched(top, *words, env=env)
    except AssertionError as error:
        yield f"a bug: {str(error)[-1500:]}"
        return
    took = time.process_time() - began
    if ran.code not in range(5):
        yield f"exit code {ran.code}"
    if took > SECONDS:
        yield f"took {took:.1f} s of CPU"
    if reads and _contents(top) != before:
        yield "a reading command changed a file"
    yield from _judge_text(ran, words)
    if reads and "-v" not in words and "--verbose" not in words and "--now" in words:
        again = repos.sched(top, *words, env=env)
        if again != ran:
            yield "another answer to the same call"


def _judge_text(ran: repos.Ran, words: Words) -> Iterator[str]:
    try:
        shown = ran.out.decode() + ran.err.decode()
    except UnicodeDecodeError:
        yield "output that is not UTF-8"
        return
    if odd := sorted({c for c in shown if not c.isprintable() and c not in f"\n\t{BREAK}"}):  # Markdown has breaks
        yield f"invisible characters: {odd[:5]!a}"
    if "Warning:" in ran.err.decode():
        yield f"a warning of Python: {ran.err.decode()[:300]}"
    if ran.code in {2, 4} and not ran.err.strip() and ran.out == b"":
        yield "an error without a word"
    if ran.out[:1] == b"{" and ("--json" in words or "json" in words) and "schema" not in words:
        yield from _judge_record(ran.out)


def _judge_record(out: bytes) -> Iterator[str]:
    try:
        record = json.loads(out)
    except ValueError as error:
        yield f"JSON that does not parse: {error}"
        return
    if "kind" in record:  # what metagit's formats hold has none
        name = KINDS.get(record["kind"], record["kind"])
        yield from (f"not as the schema {name} says: {one}" for one in complaints(name, record)[:2])


def _judge_whole(top: Path, env: Mapping[str, str]) -> Iterator[str]:
    ran = repos.sched(top, "status", "--json", env=env)
    if ran.code == 0 and STAYS not in ran.out.decode(errors="replace"):
        yield "a damaged file hides the task of another one"


def _contents(top: Path) -> dict[Path, bytes]:
    """Give every file outside git's own folder, and git's references and index."""
    own = (path for path in top.rglob("*") if "objects" not in path.parts)
    return {path: path.read_bytes() for path in own if path.is_file() and not path.is_symlink()}


# Cases as files


def load_case(path: Path) -> Case:
    """Read a case from a file; bytes that are no text are written as lone surrogates (U+DC80 and up)."""
    found = json.loads(path.read_text(encoding="utf-8"))
    files = {name: text.encode(errors="surrogateescape") for name, text in found["files"].items()}
    return Case(files, tuple(map(tuple, found["calls"])), tuple(map(tuple, found.get("tools", ()))), found["committed"])


def dump_case(case: Case, why: str) -> str:
    """Write a case as the text of a file."""
    files = {name: data.decode(errors="surrogateescape") for name, data in case.files.items()}
    rows = {"why": why, "calls": case.calls, "tools": case.tools, "committed": case.committed, "files": files}
    return json.dumps(rows, indent=1) + "\n"
