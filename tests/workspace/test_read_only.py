"""No command changes git's data, and none leaves a trace that nobody asked for (``action.md`` 1.1)."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, NamedTuple

import pytest

import repos
from git_sched.cli.main import COMMANDS
from git_sched.render import RENDERERS
from sandbox import git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.heavy

READING = [
    "next",
    "next --json",
    "next --limit 3 -q",
    "next --agent agent-1 --agent agent-2 -v",
    "next --graph-id checkout --exit-code",
    "next --rev HEAD",
    "next --rev HEAD --json --now wall",
    "status",
    "status --json",
    "status --rev HEAD",
    "plan",
    "plan --json",
    "plan --limit 3 --rev HEAD -q",
    "plan --agent agent-1 --graph-id checkout -v",
    "plan --assume-done api-contract --now wall",
    "explain api-contract",
    "explain search-box --json",
    "explain receipt-pdf --rev HEAD",
    "check",
    "check --strict --json",
    "check --format github",
    "check .metagit/tasks/graphs/search.yml",
    "check --rev HEAD",
    "policy show",
    "policy show --json",
    "policy show --rev HEAD",
    "diff HEAD",
    "diff HEAD HEAD --json",
    "schema graph",
    *(f"next --format {name} --now commit" for name in RENDERERS["decision"]),
    *(f"plan --format {name}" for name in RENDERERS["forecast"]),
    *(f"status --format {name}" for name in RENDERERS["status"]),
]
"""Commands that answer, here with errors in the task files or without."""

SILENT = [
    "verify",
    "hook run post-merge 0",
    "hook run post-checkout HEAD HEAD 1",
    "hook run nosuch",
    "check -q --rev HEAD",
]
"""Commands that may have nothing to say."""

TALKING = ["", "-h", "--help", "--version", *(f"{name} -h" for name in COMMANDS), "policy show -h", "policy set -h"]
"""Commands that speak of the program alone."""

FAILING = {
    "nosuch": 2,
    "next --nosuch": 2,
    "next --limit 0": 2,
    "next --graph-id nosuch": 2,
    "plan --limit 0": 2,
    "plan --graph-id nosuch": 2,
    "plan --agent a/b": 2,
    "plan --assume-done nosuch": 2,
    "plan --rev nosuch": 2,
    "next --now tomorrow": 2,
    "next --rev nosuch": 2,
    "next --rev HEAD:README": 2,
    "explain nosuch": 2,
    "explain": 2,
    "policy show --rev nosuch": 2,
    "next --workspace nosuch": 2,
    "policy set": 2,
    "policy set --weight urgency": 2,
    "policy set --weight urgency=x": 2,
    "policy set --weight nosuch=1": 2,
    "policy set --weight urgency=-1": 2,
    "policy set --weight urgency=3 --rev HEAD": 2,
    "policy set --weight urgency=3 --graph-id nosuch": 2,
    "next --record --decisions .git/decisions.jsonl": 4,
    "next --dispatch --decisions visible.jsonl": 4,
    "next -o nosuch/out.json": 4,
    "next --graph ../outside.json --worktrees nosuch.json --decisions nosuch.jsonl": 1,
}
"""Commands that are refused, with their exit codes."""


class Place(NamedTuple):
    """A repository with everything around it that a careless program might write to."""

    root: Path
    repository: Path
    env: dict[str, str]

    def ask(self, words: str, *, bound: bool = False, folder: Path | None = None) -> repos.Ran:
        """Run a command, in a process of its own if the modes of files are to bind it."""
        where = folder or self.repository
        if bound:
            return repos.start(where, *words.split(), prefix=repos.bound(), env=self.env)
        return repos.sched(where, *words.split(), env=self.env)

    def snapshot(self) -> repos.Snapshot:
        """Take down all of it."""
        return repos.snapshot(self.root)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Make the example a repository whose index every refresh would rewrite."""
    return make(tmp_path)


def make(root: Path) -> Place:
    """Make the example a repository, with a home and a folder for temporary files of its own."""
    for name in ("home", "temporary"):
        (root / name).mkdir()
    home = str(root / "home")
    env = repos.environment(
        HOME=home, TMPDIR=str(root / "temporary"), XDG_STATE_HOME=None, XDG_CACHE_HOME=None,
        PYTHONDONTWRITEBYTECODE=None, PYTHONPYCACHEPREFIX=None,
    )  # fmt: skip
    repository = repos.repository(root / "repository", repos.example())
    repos.stale(repository)
    return Place(root, repository, env)


def test_the_fixture_would_show_a_careless_status(place: Place) -> None:
    before = place.snapshot()
    git(place.repository, "status")
    assert any(path.endswith("/.git/index") for path in repos.written(before, place.snapshot(), place.root))


@pytest.mark.parametrize("words", READING)
def test_reading_changes_nothing(place: Place, words: str) -> None:
    before = place.snapshot()
    ran = place.ask(words)
    assert ran.out
    assert ran.code in {0, 1}
    assert place.snapshot() == before


@pytest.mark.parametrize("words", SILENT)
def test_silence_changes_nothing(place: Place, words: str) -> None:
    before = place.snapshot()
    assert place.ask(words).code in {0, 1}
    assert place.snapshot() == before


@pytest.mark.parametrize("words", TALKING)
def test_help_changes_nothing(place: Place, words: str) -> None:
    before = place.snapshot()
    ran = place.ask(words)
    assert ran.code == (0 if words else 2)
    assert place.snapshot() == before


@pytest.mark.parametrize("words", FAILING)
def test_a_refused_command_changes_nothing(place: Place, words: str) -> None:
    before = place.snapshot()
    ran = place.ask(words)
    assert ran.code == FAILING[words]
    assert ran.err
    assert place.snapshot() == before


# The same with .git read-only, in a process that its mode really binds


@pytest.fixture
def locked(place: Place) -> Iterator[Place]:
    """Take the right to write to the git directory away."""
    repos.set_writable(place.repository / ".git", writable=False)
    yield place
    repos.set_writable(place.repository, writable=True)


def test_the_mode_binds(locked: Place) -> None:
    target = locked.repository / ".git" / "new"
    ran = repos.run(locked.root, *repos.bound(), "touch", target)
    assert ran.code != 0
    assert not target.exists()


@pytest.mark.parametrize("words", READING)
def test_the_answer_is_the_same(locked: Place, words: str) -> None:
    before = locked.snapshot()
    bound = locked.ask(words, bound=True)
    free = locked.ask(words)
    if "-v" in words.split():  # the times differ
        bound, free = bound._replace(err=b""), free._replace(err=b"")
    if "wall" not in words:
        assert bound == free
    assert bound.code in {0, 1}
    assert locked.snapshot() == before


def test_a_file_that_cannot_be_written_is_said(locked: Place) -> None:
    repos.set_writable(locked.repository, writable=False)
    before = locked.snapshot()
    for words in ("policy set --weight urgency=3", "next --record", "next -o out.json"):
        ran = locked.ask(words, bound=True)
        assert ran.code == 4, words
        assert b"cannot be written" in ran.err
    assert locked.snapshot() == before


# The other places a command can be run in


def test_a_linked_worktree(place: Place) -> None:
    tree = repos.linked(place.repository, place.root / "linked", branch="agent-1/topic")
    repos.stale(tree)
    before = place.snapshot()
    for words in ("next", "next --rev HEAD", "status --json", "check", "explain api-contract", "policy show"):
        assert place.ask(words, folder=tree).code in {0, 1}
    assert place.snapshot() == before


def test_a_submodule(place: Place) -> None:
    outer = repos.repository(place.root / "outer", repos.work(repos.task("outside")))
    inner = repos.submodule(outer, place.repository, "inner")
    repos.stale(inner)
    before = place.snapshot()
    for words in ("next", "next --rev HEAD", "status --json", "check"):
        assert place.ask(words, folder=inner).code in {0, 1}
    assert place.snapshot() == before


def test_a_bare_repository(place: Place) -> None:
    bare = repos.clone(place.repository, place.root / "bare.git", "--bare")
    named = place._replace(env={**place.env, "GIT_DIR": str(bare)})
    before = place.snapshot()
    for words in ("next", "next --rev HEAD", "status --rev main --json", "check", "explain api-contract"):
        ran = named.ask(words, folder=bare)
        assert ran.code in {0, 1}
        assert ran.out
    assert place.snapshot() == before


def test_outside_git(tmp_path: Path) -> None:
    for name, content in repos.example().items():
        path = tmp_path / "plain" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = repos.snapshot(tmp_path)
    for words in ("next", "status --json", "check", "explain api-contract", "policy show"):
        assert repos.sched(tmp_path / "plain", *words.split()).code in {0, 1}
    assert repos.sched(tmp_path / "plain", "next", "--rev", "HEAD").code == 2
    assert repos.snapshot(tmp_path) == before


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    before = repos.snapshot(tmp_path)
    for words in ("next", "status", "check"):
        assert repos.sched(tmp_path, words).code == 0
    assert repos.snapshot(tmp_path) == before


# The commands that write: the exact list of files that may differ


def differing(place: Place, words: str, *, code: int = 0, folder: Path | None = None) -> set[str]:
    """Run a command and give what it made or changed."""
    before = place.snapshot()
    ran = place.ask(words, folder=folder)
    assert ran.code == code, ran.text
    return repos.written(before, place.snapshot(), place.root)


def test_policy_set(place: Place) -> None:
    found = differing(place, "policy set --weight urgency=3 --threshold 5")
    assert found == {f"repository/{repos.POLICY}"}


def test_policy_set_makes_the_first_policy(place: Place) -> None:
    (place.repository / repos.POLICY).unlink()
    (place.repository / repos.POLICY).parent.rmdir()
    assert differing(place, "policy set --weight urgency=3", code=2) == set()  # it would lose what is committed
    git(place.repository, "commit", "-qam", "No policy")
    found = differing(place, "policy set --weight urgency=3")
    assert found == {"repository/.metagit/schedule", f"repository/{repos.POLICY}"}


@pytest.mark.parametrize("option", ["--record", "--dispatch"])
def test_the_history(place: Place, option: str) -> None:
    logs = {f"repository/{repos.LOG}", f"repository/{repos.EVENTS}"}
    assert differing(place, f"next {option}") == logs | {"repository/.metagit/events"}
    assert differing(place, f"next {option}") == set()
    assert differing(place, f"next --limit 2 {option}") == logs


def test_pruning(place: Place) -> None:
    old = '{"at": "2001-01-01T00:00:00Z"}\n'
    put(place.repository / repos.LOG, old)
    assert differing(place, "log") == set()
    assert differing(place, "log --prune 9999999", code=2) == set()
    assert differing(place, "log --prune 30") == {f"repository/{repos.LOG}"}
    assert differing(place, "log --prune 30") == set()


def put(path: Path, text: str) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_history_elsewhere(place: Place) -> None:
    (place.root / "logs").mkdir()
    found = differing(place, "next --record --decisions ../logs/here.jsonl")
    assert found == {"logs/here.jsonl", "logs/scheduler.jsonl"}


def test_the_history_of_a_linked_worktree(place: Place) -> None:
    tree = repos.linked(place.repository, place.root / "linked", branch="topic")
    found = differing(place, "next --record", folder=tree)
    logs = {f"repository/{repos.LOG}", f"repository/{repos.EVENTS}"}
    assert found == logs | {"repository/.metagit/events"}


def test_the_history_of_a_bare_repository(place: Place) -> None:
    bare = repos.clone(place.repository, place.root / "bare.git", "--bare")
    env = {**place.env, "GIT_DIR": str(bare), "XDG_STATE_HOME": str(place.root / "home" / "state")}
    found = differing(place._replace(env=env), "next --record", folder=bare)
    assert all(path.startswith("home/state") for path in found)
    assert {path.rpartition("/")[2] for path in found if path.endswith("l")} == {"decisions.jsonl", "scheduler.jsonl"}


def test_an_output_file(place: Place) -> None:
    assert differing(place, "next --json -o out.json") == {"repository/out.json"}
    assert differing(place, "status --json -o ../out.json") == {"out.json"}
    assert differing(place, "check --json -o out.json", code=1) == {"repository/out.json"}


@pytest.mark.parametrize("target", [".git/hooks/post-merge", ".git/config", ".GIT/hooks/post-merge", "hooks/new"])
def test_an_output_file_is_never_in_a_git_directory(place: Place, target: str) -> None:
    (place.repository / "hooks").symlink_to(".git/hooks")
    (place.repository / ".GIT" / "hooks").mkdir(parents=True, exist_ok=True)
    before = place.snapshot()
    ran = place.ask(f"next -o {target}")
    assert ran.code == 4
    assert b"git directory" in ran.err
    assert place.snapshot() == before


def test_an_output_file_is_never_in_a_git_directory_of_another_name(place: Place) -> None:
    repos.clone(place.repository, place.root / "bare", "--bare")
    before = place.snapshot()
    ran = place.ask("next -o ../bare/HEAD")
    assert ran.code == 4
    assert b"git directory" in ran.err
    assert place.snapshot() == before


def test_an_output_file_keeps_its_mode_and_is_no_link(place: Place) -> None:
    out = place.repository / "out.json"
    out.write_text("old", encoding="utf-8")
    out.chmod(0o640)
    assert differing(place, "next --json -o out.json") == {"repository/out.json"}
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    (place.repository / "link").symlink_to("out.json")
    assert differing(place, "next --json -o link", code=4) == set()
