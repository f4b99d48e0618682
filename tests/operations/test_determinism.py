"""The same commit, policy and signals give the same bytes, whoever asks, from where and how (promise 2)."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from typing import TYPE_CHECKING

import pytest

import repos
from repos import GRAPHS, POLICY, task
from sandbox import ask, git, write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

pytestmark = pytest.mark.heavy

COMMANDS = [
    "next --json",
    "next --limit 9 --agent agent-1 --agent agent-2",
    "plan --json",
    "plan --limit 3",
    "plan --format html",
    "status --json",
    "status",
    "check",
    "explain a/n3 --json",
    "explain b/n0",
]

NOW = ("--now", repos.BASE)
"""The tasks have dates, so the time is a part of the answer; unsaid it would be the clock."""

ENVIRONMENTS: dict[str, dict[str, str | None]] = {
    "east": {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"},
    "west": {"TZ": "America/St_Johns", "PYTHONHASHSEED": "4711", "LC_ALL": "C.UTF-8"},
    "C": {"TZ": "XYZ-99", "LC_ALL": "C", "LANG": "C", "PYTHONOPTIMIZE": "2"},
    "POSIX": {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "ASCII": {"PYTHONIOENCODING": "ascii", "COLUMNS": "20", "LINES": "5", "TERM": "dumb", "NO_COLOR": "1"},
    "Latin-1": {"PYTHONIOENCODING": "latin-1:strict", "COLUMNS": "300", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"},
    "CI": {"CI": "true", "GITHUB_ACTIONS": "true", "HOME": None, "USER": None, "LOGNAME": None},
}


ENCODINGS = {"POSIX": "ascii", "ASCII": "ascii", "Latin-1": "latin-1"}
"""Where streams are not UTF-8; elsewhere they are."""

ESCAPES = re.compile(rb"\x1b\[[0-9]+m")
"""What paints a word on a terminal."""

DUE = ("2026-11-20", "2026-11-09T12:00:00+09:00", "2026-11-09T12:00:00")
"""A day, a time with a zone, and one without, which is UTC wherever it is read."""


def nodes(graph_id: str) -> list[dict[str, object]]:
    """Give the nodes of a graph with chains, ties, dates, other people's work and mistakes."""
    found: list[dict[str, object]] = []
    for n in range(12):
        after = [f"n{n - 4}"] if n >= 4 else []
        found.append(
            task(f"n{n}", *after, priority=n % 3, estimated_minutes=10 + n % 5, repository=f"shop/r{n % 4}",
                 created_at=f"2026-10-{10 + n}{'' if n % 3 else 'T08:30'}", due=DUE[n % 3],
                 paths=[f"src/{n}/**"], labels=["x", "y"])
        )  # fmt: skip
    found[5]["status"] = "running"
    found[6]["agent_id"] = "agent-2"
    found[7]["lable"] = "typing error"
    found[8]["depends_on"] = ["nosuch"]
    found[9]["depends_on"] = [f"{'b' if graph_id == 'a' else 'a'}/n1"]
    return found


def files(titles: Sequence[str] = ()) -> dict[str, str | bytes]:
    """Give a workspace with two graphs, a policy and signals; the first nodes may have titles of their own."""
    found: dict[str, str | bytes] = {}
    for graph_id in ("a", "b"):
        listed = nodes(graph_id)
        for node, title in zip(listed, titles, strict=False):
            node["title"] = title
        found[f"{GRAPHS}/{graph_id}.json"] = repos.graph(graph_id, *listed)
    weights = "{urgency: 1, criticality: 1, affinity: 1, payoff: 1, cost: 1, fairness: 1, age: 1, deadline: 1}"
    found[POLICY] = f"version: 1\nweights: {weights}\nagent_pool: [agent-1, agent-2]\nlimits: {{total: 8}}\n"
    rows = [{"repository": f"shop/r{n}", "agent_id": f"agent-{1 + n % 2}", "status": "active"} for n in range(3)]
    found[".metagit/worktrees/worktrees.json"] = json.dumps({"worktrees": rows})
    for n in range(4):
        merge = {"repository": f"shop/r{n % 2}", "status": "queued"}
        found[f".metagit/merges/m{n}.json"] = json.dumps(merge)
    found |= {f"src/{n}/code.py": "\n" for n in range(12)}
    return found


def wanted(folder: Path) -> dict[str, repos.Ran]:
    """Give what each command says, asked in this process."""
    said = {words: ask(folder, *words.split(), *NOW) for words in COMMANDS}
    assert all(found.out for found in said.values())
    return {words: repos.Ran(found.code, found.out.encode(), found.err.encode()) for words, found in said.items()}


def outputs(
    folder: Path, *before: str, prefix: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> dict[str, repos.Ran]:
    """Give what each command writes in a process of its own."""
    return {words: repos.start(folder, *before, *words.split(), *NOW, prefix=prefix, env=env) for words in COMMANDS}


def encode(text: bytes, words: str, name: str) -> bytes:
    """Give text as a stream in an environment takes it; JSON and pages are UTF-8 everywhere."""
    if name not in ENCODINGS or "--json" in words or "--format" in words:
        return text
    return text.decode().replace(" \u00b7 ", ", ").encode(ENCODINGS[name], errors="backslashreplace")


def without_colors(text: bytes, name: str) -> bytes:
    """Give text without its colors, where an environment asks for them."""
    return ESCAPES.sub(b"", text) if "FORCE_COLOR" in ENVIRONMENTS[name] else text


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_whatever_the_environment(tmp_path: Path, name: str) -> None:
    repository = repos.repository(tmp_path / "repository", files())
    found = outputs(repository, env=repos.environment(**ENVIRONMENTS[name]))
    for words, ran in wanted(repository).items():
        written = found[words]
        assert written.code == ran.code, words
        assert without_colors(written.out, name) == encode(ran.out, words, name), words
        assert without_colors(written.err, name) == ran.err, words


@pytest.mark.parametrize("name", ["C", *ENCODINGS])
def test_json_is_utf_8_and_text_is_escaped_where_it_cannot_be_shown(tmp_path: Path, name: str) -> None:
    repository = repos.repository(tmp_path / "repository", files(repos.TITLES))
    env = repos.environment(**ENVIRONMENTS[name])
    for words in ("next --json --limit 20", "next --limit 20", "explain a/n2 --json"):
        text = ask(repository, *words.split(), *NOW).out
        assert repos.TITLES[2] in text
        written = repos.start(repository, *words.split(), *NOW, env=env).out
        assert without_colors(written, name) == encode(text.encode(), words, name)


@pytest.mark.parametrize("mask", ["000", "777"])
def test_whatever_the_umask(tmp_path: Path, mask: str) -> None:
    repository = repos.repository(tmp_path / "repository", files())
    assert outputs(repository, prefix=("sh", "-c", f'umask {mask}; exec "$@"', "sh")) == wanted(repository)


def test_wherever_it_is_asked_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = repos.repository(tmp_path / "repository", files())
    expected = wanted(repository)
    (tmp_path / "link").symlink_to(repository)
    assert outputs(tmp_path, "-C", "repository") == expected
    assert outputs(repository / "src" / "3") == expected
    assert wanted(tmp_path / "link") == wanted(repository / "src" / "3") == expected
    for folder in ("/", repository, repository / "src"):
        monkeypatch.chdir(folder)
        assert wanted(repository) == expected


def test_wherever_it_lies(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", files())
    expected = wanted(repository)
    shutil.move(repository, tmp_path / "moved elsewhere")
    assert wanted(tmp_path / "moved elsewhere") == expected
    clone = repos.clone(tmp_path / "moved elsewhere", tmp_path / "clone")
    assert wanted(clone) == expected
    git(clone, "gc", "-q")
    assert wanted(clone) == expected, "packed or loose"


def test_whatever_was_recorded_by_its_caller(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", {**files(), ".gitignore": repos.IGNORED})
    words = ("next", "--limit", "3", "--json", *NOW)
    expected = ask(repository, *words)
    assert ask(repository, *words, "--record") == expected
    assert ask(repository, *words, "--dispatch").out == expected.out
    assert ask(repository, *words) == expected


def test_a_clean_work_tree_is_its_commit(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", files())
    for command in (*COMMANDS, "check --format github", "policy show --json"):
        words = (*command.split(), "--now", "commit")
        for revision in ("HEAD", repos.head(repository)):
            assert ask(repository, *words, "--rev", revision) == ask(repository, *words)


def test_a_checkout_with_other_line_ends_is_the_same(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", files())
    clone = repos.clone(repository, tmp_path / "clone", "--config", "core.autocrlf=true")
    assert b"\r\n" in (clone / POLICY).read_bytes()
    assert wanted(clone) == wanted(repository)


def in_order(folder: Path, listed: Mapping[str, str | bytes], *, backwards: bool) -> Path:
    """Write files one after the other, in either order, and commit them."""
    folder.mkdir()
    for name, content in sorted(listed.items(), reverse=backwards):
        write(folder, {name: content})
    return repos.repository(folder, {})


def test_whatever_the_order_in_which_files_were_made(tmp_path: Path) -> None:
    first = in_order(tmp_path / "first", files(), backwards=False)
    second = in_order(tmp_path / "second", files(), backwards=True)
    for n, path in enumerate(sorted(second.rglob("*"))):
        os.utime(path, (n, n))
    assert wanted(first) == wanted(second)


def answers(folder: Path) -> list[object]:
    """Give all that a decision says, but for what names the files and bytes that were read."""
    record = json.loads(ask(folder, "next", "--limit", "9", "--json", *NOW).out)
    for row in record["decisions"]:
        del row["decision_id"], row["path"], row["line"]
    return [
        record[key] for key in ("outcome", "decisions", "held", "ranking", "counts", "blocked", "waiting", "running")
    ]


def test_whatever_the_order_of_nodes_and_the_names_of_files(tmp_path: Path) -> None:
    first = repos.repository(tmp_path / "first", files())
    shuffled = files()
    for graph_id, name in (("a", "zzz"), ("b", "aaa")):
        del shuffled[f"{GRAPHS}/{graph_id}.json"]
        listed = nodes(graph_id)
        shuffled[f"{GRAPHS}/{name}.json"] = repos.graph(graph_id, *listed[::2], *listed[1::2][::-1])
    second = repos.repository(tmp_path / "second", shuffled)
    assert answers(first) == answers(second)


def test_whatever_the_order_of_signals(tmp_path: Path) -> None:
    plain = files()
    turned = files()
    rows = json.loads(turned[".metagit/worktrees/worktrees.json"])["worktrees"]
    turned[".metagit/worktrees/worktrees.json"] = json.dumps({"worktrees": rows[::-1]})
    for n in range(4):
        turned[f".metagit/merges/m{n}.json"] = plain[f".metagit/merges/m{3 - n}.json"]
    out = [
        ask(repos.repository(tmp_path / str(n), f), "next", "--json", *NOW).out for n, f in enumerate((plain, turned))
    ]
    first, second = map(json.loads, out)
    assert first["basis"].pop("revision") != second["basis"].pop("revision")
    for record in (first, second):
        del record["basis"]["key"]
        for row in record["decisions"]:
            del row["decision_id"]
    assert first == second


def test_neither_clock_nor_chance_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = repos.repository(tmp_path / "repository", files())
    expected = wanted(repository)

    def refuse(*_: object) -> None:
        raise AssertionError("this is the clock, or chance")

    for name in ("time", "time_ns", "localtime", "gmtime"):
        monkeypatch.setattr(time, name, refuse)
    for name in ("urandom", "getrandom"):
        monkeypatch.setattr(os, name, refuse)
    assert wanted(repository) == expected
    with pytest.raises(AssertionError, match="git-sched has a bug"):
        ask(repository, "next", "--now", "wall")
