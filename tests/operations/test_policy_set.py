"""``policy set`` edits the file in place: what was not set keeps every byte."""

from __future__ import annotations

import difflib
import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import repos
from git_sched.formats.policy_edit import Change, EditError, edit
from git_sched.workspace import writing
from repos import POLICY, task
from sandbox import ask

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

POLICY_TEXT = """\
---
# How this team decides.

version: 1   # of the format
preset: "balanced"

weights:
    urgency:      2.0    # inherited
    criticality:  1.0

    # an agent's own worktree
    affinity: 1.50
agent_pool:  # whose worktrees count
- agent-1
- 'agent-2'   # the second
# behind the pool
limits: { total: 8,   per_repository: 2 }   # in one line
sources: [{path: .metagit/tasks/graphs}, {path: .beads/issues.jsonl,
   format: beads}]
graph_overrides:
dispatch:
    template_id: "x"
# the end
"""

METAGIT = """\
{
  "weights": {
    "priority": 1.0,
    "affinity": 0.5
  },
  "merge_queue_threshold": 3,
  "graph_overrides": {}
}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with two graphs and no policy."""
    files = {**repos.work(task("a")), **repos.work(task("b"), graph_id="hotfixes")}
    return repos.repository(tmp_path / "repository", files)


def put(repository: Path, text: str | bytes, name: str = POLICY) -> Path:
    """Write a policy."""
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def difference(old: str, new: str) -> list[str]:
    """Give the lines that went and those that came."""
    listed = difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), n=0)
    return [line.rstrip("\n") for line in listed if not line.startswith(("---", "+++", "@@"))]


CASES = {
    "--weight urgency=3": ["-    urgency:      2.0    # inherited", "+    urgency:      3    # inherited"],
    "--weight affinity=0.25": ["-    affinity: 1.50", "+    affinity: 0.25"],
    "--weight payoff=0.00001": ["+    payoff: 0.00001"],
    "--weight urgency=4 --graph-id hotfixes": [
        "-graph_overrides:",
        "+graph_overrides: {hotfixes: {urgency: 4}}",
    ],
    "--limit total=9": [
        "-limits: { total: 8,   per_repository: 2 }   # in one line",
        "+limits: { total: 9,   per_repository: 2 }   # in one line",
    ],
    "--limit per_agent=1": [
        "-limits: { total: 8,   per_repository: 2 }   # in one line",
        "+limits: { total: 8,   per_repository: 2, per_agent: 1 }   # in one line",
    ],
    "--threshold 5": ["+merge_queue_threshold: 5"],
    "--penalty 1.5 --skip": ["+merge_pressure_penalty: 1.5", "+skip_on_merge_pressure: true"],
    "--no-skip": ["+skip_on_merge_pressure: false"],
    "--preset rfc-0012": ['-preset: "balanced"', "+preset: rfc-0012"],
    "--set redispatch_after=4h": ["+redispatch_after: 4h"],
    "--set redispatch_after=off": ["+redispatch_after: off"],
    "--set publish.titles=false": ["+publish:", "+  titles: false"],
    "--set dispatch.vendor=claude_code": ["+    vendor: claude_code"],
    "--set agent_pool=[a,b]": [
        "-agent_pool:  # whose worktrees count",
        "-- agent-1",
        "-- 'agent-2'   # the second",
        "+agent_pool: [a, b]  # whose worktrees count",
    ],
    "--set preset=null": ['-preset: "balanced"'],
    "--set weights.criticality=null": ["-    criticality:  1.0"],
    "--set limits.total=null": [
        "-limits: { total: 8,   per_repository: 2 }   # in one line",
        "+limits: { per_repository: 2 }   # in one line",
    ],
    "--set dispatch.template_id=null": ["-dispatch:", '-    template_id: "x"'],
}


@pytest.mark.parametrize("words", CASES)
@pytest.mark.parametrize("layout", ["as written", "CRLF", "BOM", "no final newline"])
def test_only_what_is_set_changes(repository: Path, words: str, layout: str) -> None:
    text = POLICY_TEXT
    if layout == "CRLF":
        text = text.replace("\n", "\r\n")
    elif layout == "BOM":
        text = f"\ufeff{text}"
    elif layout == "no final newline":
        text = text.rstrip("\n")
    path = put(repository, text)
    said = ask(repository, "policy", "set", *words.split())
    assert said.code == 0, said.err
    assert said.err.startswith(f"writing {POLICY}\n")
    new = path.read_bytes().decode()
    assert sorted(line.removesuffix("\r") for line in difference(text, new)) == sorted(CASES[words])
    assert ("\r\n" in new, new.count("\n") - new.count("\r\n") == 0) == (
        (True, True) if layout == "CRLF" else (False, False)
    )
    assert new.endswith(text[-9:])


def test_the_answer_is_the_new_policy(repository: Path) -> None:
    put(repository, POLICY_TEXT)
    said = ask(repository, "policy", "set", "--weight", "urgency=3", "--weight", "cost=0.5", "--json")
    shown = json.loads(said.out)
    assert shown["policy"]["weights"]["urgency"] == 3
    assert shown["policy"]["weights"]["cost"] == 0.5
    assert json.loads(ask(repository, "policy", "show", "--json").out) == shown


def test_the_answer_goes_where_it_is_told(repository: Path) -> None:
    put(repository, POLICY_TEXT)
    out = repository / "shown.json"
    said = ask(repository, "policy", "set", "--weight", "urgency=3", "--json", "-o", str(out))
    assert said.out == ""
    assert json.loads(out.read_text(encoding="utf-8"))["policy"]["weights"]["urgency"] == 3


def test_setting_twice_changes_nothing_more(repository: Path) -> None:
    path = put(repository, POLICY_TEXT)
    words = ("policy", "set", "--weight", "urgency=3", "--graph-id", "hotfixes", "--threshold", "4")
    assert ask(repository, *words).code == 0
    once = path.read_bytes()
    assert ask(repository, *words).code == 0
    assert path.read_bytes() == once


def test_an_override_joins_the_others(repository: Path) -> None:
    text = (
        "version: 1\ngraph_overrides:\n  work: {urgency: 1}\n  # these come first\n  hotfixes:\n    cost: 1\n\n# end\n"
    )
    path = put(repository, text)
    ask(repository, "policy", "set", "--weight", "urgency=4", "--graph-id", "hotfixes")
    ask(repository, "policy", "set", "--weight", "age=1", "--graph-id", "work")
    assert path.read_text(encoding="utf-8") == text.replace("    cost: 1\n", "    cost: 1\n    urgency: 4\n").replace(
        "{urgency: 1}", "{urgency: 1, age: 1}"
    )


def test_the_first_policy(repository: Path) -> None:
    said = ask(repository, "policy", "set", "--weight", "urgency=3", "--weight", "cost=1", "--skip")
    assert said.code == 0
    assert said.err == f"writing {POLICY}\n"
    text = (repository / POLICY).read_text(encoding="utf-8")
    assert text == "version: 1\nweights:\n  urgency: 3\n  cost: 1\nskip_on_merge_pressure: true\n"
    assert stat.S_IMODE((repository / POLICY).stat().st_mode) == 0o666 & ~_umask(repository)


def _umask(folder: Path) -> int:
    path = folder / "made"
    path.touch()
    return 0o666 & ~stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(("name", "made"), [("plan/own.yml", "version: 1\nlookahead: 2\n"), ("own.json", None)])
def test_the_first_policy_elsewhere(repository: Path, name: str, made: str | None) -> None:
    folder = repository / "below"
    folder.mkdir()
    said = ask(folder, "policy", "set", "--set", "lookahead=2", "--policy", f"../{name}")
    assert said.code == 0, said.err
    assert said.err == f"writing {name}\n"
    text = (repository / name).read_text(encoding="utf-8")
    assert text == (made or '{\n  "version": 1,\n  "lookahead": 2\n}\n')


# metagit's policy


def test_metagits_policy_stays_metagits(repository: Path) -> None:
    path = put(repository, METAGIT, ".metagit/schedule/policy.json")
    said = ask(repository, "policy", "set", "--weight", "affinity=0.75", "--weight", "cost=1", "--threshold", "5")
    assert said.code == 0, said.err
    text = path.read_text(encoding="utf-8")
    assert difference(METAGIT, text) == [
        '-    "affinity": 0.5',
        '+    "affinity": 0.75,',
        '+    "cost": 1',
        '-  "merge_queue_threshold": 3,',
        '+  "merge_queue_threshold": 5,',
    ]
    assert "version" not in json.loads(text)
    said = ask(repository, "policy", "set", "--weight", "priority=2", "--graph-id", "hotfixes")
    assert said.code == 0
    assert json.loads(path.read_text(encoding="utf-8"))["graph_overrides"] == {"hotfixes": {"priority": 2}}


@pytest.mark.parametrize(
    "words",
    ["--weight urgency=3", "--limit total=3", "--set redispatch_after=4h", "--set lookahead=3", "--preset balanced"],
)
def test_metagits_policy_takes_no_key_that_metagit_does_not_know(repository: Path, words: str) -> None:
    path = put(repository, METAGIT, ".metagit/schedule/policy.json")
    before = repos.snapshot(repository)
    said = ask(repository, "policy", "set", *words.split())
    assert said.code == 2
    assert "metagit does not know it" in said.err
    assert said.out == ""
    assert repos.snapshot(repository) == before
    assert path.read_text(encoding="utf-8") == METAGIT


def test_a_json_policy_with_a_version_takes_them_all(repository: Path) -> None:
    path = put(repository, METAGIT.replace("{\n", '{\n  "version": 1,\n', 1), ".metagit/schedule/policy.json")
    assert ask(repository, "policy", "set", "--weight", "urgency=3", "--set", "redispatch_after=4h").code == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["weights"]["urgency"] == 3
    assert found["redispatch_after"] == "4h"
    assert next(iter(found)) == "version"


@pytest.mark.parametrize(
    "text", ['{"weights":{"cost":1},"merge_queue_threshold":3}', '{\n\t"weights": {\n\t\t"cost": 1\n\t}\n}']
)
def test_json_keeps_its_layout(repository: Path, text: str) -> None:
    path = put(repository, text, ".metagit/schedule/policy.json")
    assert ask(repository, "policy", "set", "--weight", "cost=2").code == 0
    assert path.read_text(encoding="utf-8") == text.replace(":1}", ":2}").replace(": 1\n", ": 2\n")


# Refused, and nothing written

REFUSED = {
    "--weight urgency=-1": 2,
    "--weight urgency=1e9": 2,
    "--weight urgency=nan": 2,
    "--weight urgency=inf": 2,
    "--weight urgency=many": 2,
    "--weight urgncy=3": 2,
    "--weight =3": 2,
    "--preset nosuch": 2,
    "--threshold 0": 2,
    "--penalty -1": 2,
    "--limit nosuch=3": 2,
    "--limit total=1.5": 2,
    "--set redispatch_after=soon": 2,
    "--set version=2": 2,
    "--set version=null": 2,
    "--set nosuch=1": 2,
    "--set publish.titles=no": 2,
    "--set agent_pool=&a": 2,
    "--set weights.urgency.more=1": 2,
    "--set sources.path=x": 2,
    "--set .=1": 2,
    "--weight urgency=3 --graph-id nosuch": 2,
    "--graph-id hotfixes": 2,
    "--weight urgency=3 --graph-id hotfixs": 2,
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_bad_value_is_refused_before_anything_is_written(repository: Path, words: str) -> None:
    put(repository, POLICY_TEXT)
    before = repos.snapshot(repository)
    said = ask(repository, "policy", "set", "--set", "lookahead=3", *words.split())
    assert said.code == REFUSED[words]
    assert said.err.startswith("error: ")
    assert "writing" not in said.err
    assert repos.snapshot(repository) == before


def test_the_nearest_graph_is_named(repository: Path) -> None:
    said = ask(repository, "policy", "set", "--weight", "urgency=3", "--graph-id", "hotfixs")
    assert said.err == "error: no graph is called hotfixs\nhint: did you mean hotfixes?\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version: 1\nweigths: {urgency: 1}\n", "is in error already"),
        ("weights: {urgency: 1}\n", "is in error already"),
        ("", "is in error already"),
        ("version: 1\nweights: {urgency: 1\n", "is in error already"),
        ("version: 1\nweights: &w {urgency: 1}\n", "is in error already"),
        ("<<<<<<< a\nversion: 1\n=======\n>>>>>>> b\n", "is in error already"),
    ],
)
def test_a_policy_in_error_is_left_alone(repository: Path, text: str, said: str) -> None:
    put(repository, text)
    before = repos.snapshot(repository)
    ran = ask(repository, "policy", "set", "--weight", "urgency=3")
    assert ran.code == 2
    assert said in ran.err
    assert repos.snapshot(repository) == before


def test_two_policies_are_refused(repository: Path) -> None:
    put(repository, POLICY_TEXT)
    put(repository, METAGIT, ".metagit/schedule/policy.json")
    before = repos.snapshot(repository)
    ran = ask(repository, "policy", "set", "--threshold", "4")
    assert ran.code == 2
    assert "there are 2 policies" in ran.err
    assert repos.snapshot(repository) == before


def test_a_linked_policy_is_refused(repository: Path) -> None:
    aside = repository.parent / "policy.yml"
    aside.write_text("version: 1\n", encoding="utf-8")
    (repository / POLICY).parent.mkdir()
    (repository / POLICY).symlink_to(aside)
    before = repos.snapshot(repository.parent)
    ran = ask(repository, "policy", "set", "--threshold", "4")
    assert ran.code == 4
    assert "symbolic link" in ran.err
    assert repos.snapshot(repository.parent) == before


def test_a_linked_folder_is_refused(repository: Path) -> None:
    aside = repository.parent / "aside"
    aside.mkdir()
    (repository / POLICY).parent.symlink_to(aside)
    before = repos.snapshot(repository.parent)
    ran = ask(repository, "policy", "set", "--threshold", "4")
    assert ran.code == 4
    assert repos.snapshot(repository.parent) == before


@pytest.mark.parametrize("named", ["../outside.yml", ".git/config", ".git/hooks/policy.yml"])
def test_a_policy_outside_the_workspace_is_refused(repository: Path, named: str) -> None:
    before = repos.snapshot(repository.parent)
    ran = ask(repository, "policy", "set", "--threshold", "4", "--policy", str(repository / named))
    assert ran.code == 2
    assert repos.snapshot(repository.parent) == before


def test_a_policy_that_is_a_folder_is_refused(repository: Path) -> None:
    (repository / POLICY).mkdir(parents=True)
    before = repos.snapshot(repository)
    assert ask(repository, "policy", "set", "--threshold", "4").code == 4
    assert repos.snapshot(repository) == before


# How it is written


@pytest.mark.parametrize("mode", [0o640, 0o664, 0o600, 0o755])
def test_the_mode_is_kept(repository: Path, mode: int) -> None:
    path = put(repository, POLICY_TEXT)
    path.chmod(mode)
    assert (
        repos.start(
            repository, "policy", "set", "--threshold", "4", prefix=("sh", "-c", 'umask 077; exec "$@"', "sh")
        ).code
        == 0
    )
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_it_is_written_in_one_step(repository: Path) -> None:
    path = put(repository, POLICY_TEXT)
    other = path.with_name("held.yml")
    other.hardlink_to(path)
    assert ask(repository, "policy", "set", "--threshold", "4").code == 0
    assert other.read_text(encoding="utf-8") == POLICY_TEXT, "the old file is replaced, never written into"
    assert {child.name for child in path.parent.iterdir()} == {"policy.yml", "held.yml"}


def test_what_a_killed_process_left_behind_is_removed(repository: Path) -> None:
    path = put(repository, POLICY_TEXT)
    with writing.open_to_replace(str(path.parent), path.name) as part:
        part.write(b"half")
        (path.parent / part.partial).rename(path.parent / "kept")  # as after a kill: nobody removes it
    (path.parent / "kept").rename(path.parent / part.partial)
    assert ask(repository, "policy", "set", "--threshold", "4").code == 0
    assert {child.name for child in path.parent.iterdir()} == {path.name}


@pytest.mark.parametrize("there", [True, False], ids=["an-existing-policy", "none-yet"])
def test_of_eight_edits_at_once_none_is_lost(repository: Path, *, there: bool) -> None:
    if there:
        put(repository, POLICY_TEXT)
    limits = ("total", "per_graph", "per_repository", "per_agent")
    keys = (*(f"limits.{name}" for name in limits), "fairness_window", "cold_start_minutes", "tokens_per_minute")
    keys = (*keys, "merge_queue_threshold")
    started = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", "git_sched", "policy", "set", "--set", f"{key}={number}", "-q"],
            cwd=repository, env=repos.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number, key in enumerate(keys, 11)
    ]  # fmt: skip
    ended = [(*process.communicate(timeout=120), process.returncode) for process in started]
    assert [code for *_, code in ended] == [0] * 8, ended
    found = json.loads(ask(repository, "policy", "show", "--json").out)["policy"]
    values = [found["limits"][key.removeprefix("limits.")] if "." in key else found[key] for key in keys]
    assert values == list(range(11, 19))
    assert {child.name for child in (repository / POLICY).parent.iterdir()} == {"policy.yml"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to other users")
def test_the_owner_is_kept(repository: Path) -> None:
    path = put(repository, POLICY_TEXT)
    os.chown(path, 65534, 65533)
    assert ask(repository, "policy", "set", "--threshold", "4").code == 0
    assert (path.stat().st_uid, path.stat().st_gid) == (65534, 65533)


@pytest.mark.parametrize("allowed", [(), (-1,)], ids=["nothing", "the-group"])
def test_who_cannot_give_the_file_away_writes_it_all_the_same(
    repository: Path, monkeypatch: pytest.MonkeyPatch, allowed: tuple[int, ...]
) -> None:
    put(repository, POLICY_TEXT)
    asked: list[tuple[int, int]] = []

    def fchown(_: int, uid: int, gid: int) -> None:
        asked.append((uid, gid))
        if uid not in allowed:
            raise PermissionError

    real = os.fstat
    monkeypatch.setattr(os, "fchown", fchown)
    monkeypatch.setattr(os, "fstat", lambda number: _owned_by(real(number), 4242))
    assert ask(repository, "policy", "set", "--threshold", "4").code == 0
    assert [uid for uid, _ in asked] == [(repository / POLICY).stat().st_uid, -1]


def _owned_by(found: os.stat_result, uid: int) -> os.stat_result:
    return os.stat_result([*found[:4], uid, *found[5:10]])


def test_a_name_as_long_as_names_may_be(repository: Path) -> None:
    name = "p" * 251 + ".yml"
    assert ask(repository, "policy", "set", "--threshold", "4", "--policy", name).code == 0
    assert (repository / name).exists()


def test_a_full_disk_leaves_the_old_policy(repository: Path) -> None:
    path = put(repository, POLICY_TEXT)
    before = repos.snapshot(path.parent)
    limited = ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh")
    ran = repos.start(repository, "policy", "set", "--threshold", "4", prefix=limited)
    assert ran.code == 4
    assert b"cannot be written" in ran.err
    after = repos.snapshot(path.parent)
    assert repos.written(before, after, path.parent) == set()


def test_a_bare_repository_has_nothing_to_write_to(repository: Path) -> None:
    bare = repos.clone(repository, repository.parent / "bare.git", "--bare")
    ran = repos.sched(bare, "policy", "set", "--threshold", "4", env=repos.environment(GIT_DIR=str(bare)))
    assert ran.code == 4
    assert b"no work tree" in ran.err


def test_outside_git(tmp_path: Path) -> None:
    ran = ask(tmp_path, "policy", "set", "--threshold", "4")
    assert ran.code == 0
    assert (tmp_path / POLICY).read_text(encoding="utf-8") == "version: 1\nmerge_queue_threshold: 4\n"


# Layouts that an edit in place cannot master are left alone


def test_an_unusual_layout_is_refused_rather_than_spoiled() -> None:
    text = b"? version\n: 1\n? weights\n: urgency: 1\n"
    try:
        new = edit(text, [Change(("weights", "cost"), 2)], name="policy.yml")
    except EditError:
        return
    assert b"cost: 2" in new


@pytest.mark.parametrize(
    ("text", "words", "new"),
    [
        ("{version: 1}\n", "weights.cost=2", "{version: 1, weights: {cost: 2}}\n"),
        ("{\n  version: 1,\n}\n", "lookahead=2", "{\n  version: 1,\n  lookahead: 2,\n}\n"),
        ("version: 1\nlimits: {}\n", "limits.total=2", "version: 1\nlimits: {total: 2}\n"),
        ("version: 1\nlimits: ~  # none\n", "limits.total=2", "version: 1\nlimits: {total: 2}  # none\n"),
        ("version: 1\n'limits':\n  \"total\":\t1\n", "limits.total=2", "version: 1\n'limits':\n  \"total\":\t2\n"),
        ("repository: >-\n  a/b\n\nversion: 1\n", "repository=c/d", "repository: c/d\n\nversion: 1\n"),
        ("repository: a\n  b\nversion: 1\n", "repository=c", "repository: c\nversion: 1\n"),
        ("version: 1\n\n\n# end", "lookahead=2", "version: 1\nlookahead: 2\n\n\n# end"),
        ("version: 1\nlimits: {total: 1}\n", "limits.total=", "version: 1\n"),
        ("version: 1\nlimits: {total: 1, per_agent: 2}\n", "limits.per_agent=", "version: 1\nlimits: {total: 1}\n"),
        ("limits:\n  total: 1 # x\n  # y\n  per_agent: 2\n", "limits.total=", "limits:\n  # y\n  per_agent: 2\n"),
        ("version: 1\n", "limits.total=", "version: 1\n"),
        ("version: 1\nlimits:\n", "limits.total=", "version: 1\nlimits:\n"),
    ],
)  # fmt: skip
def test_layouts(text: str, words: str, new: str) -> None:
    name, _, value = words.partition("=")
    change = Change(tuple(name.split(".")), (int(value) if value.isdigit() else value) or None)
    assert edit(text.encode(), [change], name="policy.yml").decode() == new


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "- a list\n", "version: 1\nlimits: [1]\n", "limits: {total: {more: 1"]
)
def test_a_text_without_the_mapping_is_refused(text: str) -> None:
    with pytest.raises(EditError):
        edit(text.encode(), [Change(("limits", "total"), 2)], name="policy.yml")


SETTINGS = {
    "limits: {total: 4, per_agent: 0}": "limits                  total 4, per_agent 0",
    "agent_pool: [agent-1, agent-2]": "agent_pool              agent-1, agent-2",
    "dispatch: {vendor: claude_code}": "dispatch                vendor claude_code",
    "publish: {titles: false}": "publish                 titles false, repositories all",
    "tokens_per_minute: 1234567.5": "tokens_per_minute       1234567.5",
    "redispatch_after: 90m": "redispatch_after        90m",
    "redispatch_after: off": "redispatch_after        off",
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_show_leaves_no_setting_out(setting: str, repository: Path) -> None:
    put(repository, f"version: 1\n{setting}\n")
    said = ask(repository, "policy", "show")
    assert SETTINGS[setting] in said.out.splitlines(), said.text


@pytest.mark.parametrize("text", ["? version\n: 1\n", "version: 1\nweights:\n  ? urgency\n  : 2\n"])
def test_a_layout_that_cannot_be_edited_in_place_is_left_alone(text: str) -> None:
    """What would come out is read again, and must say what was asked for."""
    with pytest.raises(EditError, match="its layout is beyond an edit in place"):
        edit(text.encode(), [Change(("weights", "cost"), 1.5)], name="policy.yml")


# Beside metagit


@pytest.mark.parametrize("mark", [".metagit.yml", "metagit.yml", ".metagit/tasks/index.json"])
def test_the_first_policy_in_metagits_workspace_is_one_for_both(repository: Path, mark: str) -> None:
    put(repository, "{}", mark)
    said = ask(repository, "policy", "set", "--weight", "fairness=1")
    assert (said.code, said.err) == (0, "writing .metagit/schedule/policy.json\n")
    assert json.loads((repository / ".metagit/schedule/policy.json").read_text(encoding="utf-8")) == {
        "weights": {"fairness": 1}
    }
    assert not (repository / POLICY).exists()


def test_two_policies_say_who_reads_which(repository: Path) -> None:
    put(repository, POLICY_TEXT)
    put(repository, METAGIT, ".metagit/schedule/policy.json")
    said = ask(repository, "check")
    assert ", which git-sched alone reads, and .metagit/schedule/policy.json, which metagit reads too" in said.out
    assert "write weights, graph_overrides, merge_queue_threshold" in " ".join(said.out.split())
    assert "delete .metagit/schedule/policy.yml" in " ".join(said.out.split())


def test_two_own_policies_are_no_matter_of_metagit(repository: Path) -> None:
    put(repository, POLICY_TEXT)
    put(repository, POLICY_TEXT, ".metagit/schedule/policy.yaml")
    said = ask(repository, "policy", "set", "--threshold", "4")
    assert said.code == 2
    assert said.err.endswith("hint: keep one of them, with the keys of both\n")
