"""A session of the real metagit, step by step: after none does either tool refuse what the other wrote.

metagit makes the workspace, tasks, leases, worktrees and merges; git-sched is asked, sets the policy and logs. After
each step both are asked for all tasks, and must give the same order, scores and reasons.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from interop.real_metagit import in_metagit, run_metagit
from interop.test_metagit_random import STATUS, by_hints, compare
from repos import LOG
from sandbox import Said, ask, git, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

OUTLINE = [
    {"node_id": "page", "title": "Page", "repository": "."},
    {"node_id": "endpoint", "title": "Endpoint", "repository": "web/api"},
    {"node_id": "index", "title": "Index", "project": "web", "repository": "search"},
    {"node_id": "note", "title": "Note"},
    {"node_id": "ship", "title": "Ship", "repository": ".", "depends_on": ["page", "endpoint"]},
]
TROUBLE = {
    "history-line",
    "signal-unreadable",
    "policy-invalid",
    "policy-conflict",
    "bad-id",
    "wrong-type",
    "unknown-key",
}
LOOK = """
from click.testing import CliRunner
from metagit.cli.main import cli
from metagit.core.scheduler.events import ScheduleEventStore
from metagit.core.scheduler.service import SchedulerService
from metagit.core.taskgraph.events import TaskGraphEventStore
found = {}
for words in given:
    said = CliRunner().invoke(cli, words)
    assert said.exit_code == 0, (words, said.output)
    found[" ".join(words[:2])] = json.loads(said.stdout)
for store in (ScheduleEventStore("."), TaskGraphEventStore(".")):
    assert isinstance(store.list_events(), list), store.list_events()
found["next"] = [row.model_dump(mode="json") for row in SchedulerService(".").preview_next(limit=99)]
print(json.dumps(found))
"""
LISTS = [["task", "list"], ["worktree", "list"], ["merge", "status"], ["schedule", "policy", "show"]]


class Session:
    """A workspace, and both tools."""

    def __init__(self, python: str, folder: Path) -> None:
        """Keep where metagit is, and the workspace's folder."""
        self.python, self.folder = python, folder
        self.dispatched: set[str] = set()

    def metagit(self, *words: str, where: Path | None = None) -> str:
        """Run metagit, then ask both tools."""
        said = run_metagit(self.python, *words, cwd=where or self.folder)
        self.check()
        return said

    def sched(self, *words: str, where: Path | None = None) -> Said:
        """Run git-sched, then ask both tools."""
        said = ask(where or self.folder, *words)
        assert said.code == 0, said.text
        rows = (self.folder / LOG).read_text(encoding="utf-8").splitlines() if (self.folder / LOG).exists() else []
        self.dispatched = {row["node_id"] for row in map(json.loads, rows) if row.get("dispatched")}
        self.check()
        return said

    def check(self) -> None:
        """Ask both tools for everything; neither may refuse, and both must say the same."""
        said = in_metagit(self.python, LOOK, [STATUS, *([*words, "--json"] for words in LISTS)], cwd=self.folder)
        status, theirs = said["schedule status"], said["next"]
        mine = self.ask("status")
        assert mine["ready_count"] == status["ready_count"]
        assert not {problem["code"] for problem in mine["problems"]} & TROUBLE, mine["problems"]
        names = [row["node_id"] for row in status["recent_decisions"]]
        assert [row["node_id"] for row in mine["recent_decisions"]] == names[:10]
        assert all(row["at"] for row in status["recent_decisions"])
        # Who asks gives a name, so that what was given out to them is theirs still.
        found = self.ask("next", "--limit", "99", "--agent", "ann")
        for row in (*found["decisions"], *found["skipped"], *theirs):
            row["dispatch_hints"]["agent_id"] = None
        # A taken task is held back, once the files have changed even from who took it; metagit offers it again.
        held = {row["node_id"] for row in found["held"] if row["gate"] == "redispatch"}
        assert held <= self.dispatched, found["held"]
        theirs = [row for row in theirs if row["node_id"] not in held]
        wrong, reordered = compare(found, theirs)
        assert (wrong, by_hints(found, theirs), reordered) == ([], [], False)

    def observed(self, where: Path) -> list[object]:
        """Give what git-sched reads, whoever asks."""
        found = self.ask("status", where=where)
        return [found[key] for key in ("basis", "signals", "counts", "sources")]

    def ask(self, *words: str, where: Path | None = None) -> Any:  # noqa: ANN401 - a record
        """Ask git-sched for a record."""
        said = ask(where or self.folder, *words, "--json")
        assert said.code == 0, said.text
        return json.loads(said.out)


@pytest.fixture
def session(metagit: str, tmp_path: Path) -> Session:
    """Let metagit make a workspace with tasks, and git-sched begin beside it."""
    folder = tmp_path / "shop"
    write(folder, {".gitignore": "build/\n", "README.md": "Shop\n"})
    git(folder, "init", "-q", "-b", "main")
    run_metagit(metagit, "init", "--no-prompt", cwd=folder)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Begin")
    write(folder.parent, {"outline.json": json.dumps(OUTLINE)})
    run_metagit(metagit, "task", "create", "--title", "Work", "--goal", "Build it", "--graph-id", "work", cwd=folder)
    outline = str(tmp_path / "outline.json")
    run_metagit(metagit, "task", "expand", "--graph-id", "work", "--from-outline", outline, cwd=folder)
    said = ask(folder, "init")
    assert "writes  .metagit/schedule/policy.json\n" in said.out
    assert "because of .gitignore:4: .metagit/" in said.err
    return Session(metagit, folder)


def test_tasks_policies_and_logs(session: Session) -> None:
    session.check()
    session.metagit("schedule", "policy", "set", "--fairness", "1", "--priority", "-0.5")
    session.sched("policy", "set", "--weight", "cost=0.75")
    session.metagit("schedule", "next", "--limit", "2")
    session.metagit("schedule", "next")
    session.sched("policy", "set", "--weight", "fairness=2", "--graph-id", "work")
    session.metagit("schedule", "policy", "set", "--graph-id", "work", "--fairness", "-1")
    session.sched("next", "--record", "--limit", "3")  # a negative weight: rows of the same basis do not matter
    session.sched("next", "--dispatch", "--agent", "ann")
    session.metagit("task", "start", "--node-id", "page")
    session.metagit("task", "complete", "--node-id", "page")
    session.metagit("task", "block", "--node-id", "note", "--reason", "not now")
    session.metagit("task", "bind-acl", "--node-id", "endpoint", "--agent-id", "ann")
    session.metagit("task", "complete", "--node-id", "endpoint")
    assert {row["node_id"] for row in session.ask("next", "--limit", "9", "--agent", "ann")["decisions"]} == {
        "index", "ship"
    }  # fmt: skip
    assert not (session.folder / ".metagit/schedule/policy.yml").exists()


def test_worktrees_and_merges(session: Session) -> None:
    folder = session.folder
    session.metagit("lease", "acquire", "--repository", ".", "--agent-id", "ann", "--task-id", "page", "--allocate")
    branch = next(name for name in git(folder, "branch", "--format=%(refname:short)").split() if name != "main")
    session.metagit(
        "worktree", "create", "--repository", "self", "--agent-id", "ann", "--task-id", "page", "--branch", branch
    )  # fmt: skip
    tree = folder / ".worktrees/ann/self/self"
    assert [row["node_id"] for row in session.ask("next", "--agent", "ann", where=tree)["decisions"]] == ["page"]
    assert session.observed(tree) == session.observed(folder)
    run_metagit(session.python, "schedule", "status", cwd=tree)  # it makes empty folders of its own here
    assert session.observed(tree) == session.observed(folder)
    session.sched("next", "--dispatch", "--agent", "ann", where=tree)
    assert len((folder / ".metagit/schedule/decisions.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    assert not (tree / ".metagit/schedule").exists()

    write(tree, {"page.html": "<p>"})
    git(tree, "add", "page.html")
    git(tree, "commit", "-q", "-m", "Page")
    merge = session.metagit("merge", "enqueue", "--repository", ".", "--branch", branch, "--into", "main").split()[0]
    session.sched("policy", "set", "--threshold", "1", "--penalty", "1.5")
    session.sched("policy", "set", "--skip")
    depths = session.ask("status")["signals"]["merge_queue"]["depths"]
    assert list(depths.values()) == [1]
    git(folder, "switch", "-q", "-c", "elsewhere")
    session.metagit("merge", "integrate", "--merge-id", merge)
    session.metagit("task", "complete", "--node-id", "page")
    session.metagit("worktree", "destroy", "--agent-id", "ann", "--repository", ".", "--force")
    assert session.ask("status")["signals"]["worktrees"]["worktrees"] == []


def test_a_worktree_of_another_repository_of_the_workspace(session: Session) -> None:
    api = session.folder / ".metagit/web/api"
    write(api, {"README.md": "API\n"})
    git(api, "init", "-q", "-b", "main")
    git(api, "add", "-A")
    git(api, "commit", "-q", "-m", "Begin")
    lease = ("--repository", "web/api", "--agent-id", "bob", "--task-id", "endpoint")
    session.metagit("lease", "acquire", *lease, "--allocate")
    branch = next(name for name in git(api, "branch", "--format=%(refname:short)").split() if name != "main")
    session.metagit("worktree", "create", *lease, "--branch", branch)
    tree = session.folder / ".worktrees/bob/web/api"
    below, folder = tree / "src", session.folder
    below.mkdir()
    assert [row["node_id"] for row in session.ask("next", where=below)["decisions"]] == ["endpoint"]
    session.sched("next", "--record", where=below)
    assert session.observed(tree) == session.observed(folder)


def test_the_two_lines_that_git_sched_names(session: Session) -> None:
    said = ask(session.folder, "next", "--rev", "HEAD")
    assert "because of .gitignore:4: .metagit/" in said.out
    ignored = (session.folder / ".gitignore").read_text(encoding="utf-8")
    write(session.folder, {".gitignore": ignored.replace(".metagit/\n", ".metagit/*\n!.metagit/tasks/\n")})
    git(session.folder, "add", "-A")
    git(session.folder, "add", "-f", ".metagit/schedule/policy.json")
    git(session.folder, "commit", "-q", "-m", "Tasks")
    session.check()
    at_commit = session.ask("next", "--rev", "HEAD", "--limit", "9", "--now", "2026-12-24")
    assert at_commit["decisions"] == session.ask("next", "--limit", "9", "--now", "2026-12-24")["decisions"]
    session.sched("next", "--record", "-q")
    assert ask(session.folder, "verify").code == 0
    assert git(session.folder, "status", "--short") == ""
