"""``diff`` on real commits: two revisions, without a checkout, and a base that is not here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from git_sched.render.markdown.summary import render
from repos import add, clone, environment, example, head, repository, sched, snapshot, task, work
from sandbox import git

if TYPE_CHECKING:
    from repos import Ran

GOLDEN: Final = Path(__file__).parents[1] / "golden-diff"
GRAPH: Final = ".metagit/tasks/graphs/checkout.yml"
POLICY: Final = ".metagit/schedule/policy.yml"


@pytest.fixture
def merged(tmp_path: Path) -> Path:
    """Give the example with a pull request merged that completes checkout/api-contract, as GitHub merges it."""
    folder = repository(tmp_path / "merged", example())
    git(folder, "checkout", "-q", "-b", "proposed")
    text = (folder / GRAPH).read_text(encoding="utf-8")
    done = text.replace("  - node_id: api-contract\n", "  - node_id: api-contract\n    status: completed\n")
    add(folder, {GRAPH: done}, at="2026-11-02T10:00:00Z")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "Merge", "proposed")
    return folder


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("diff.txt", "diff HEAD^1 HEAD"),
        ("comment.md", "diff HEAD^1 HEAD --format comment"),
        ("outputs.txt", "diff HEAD^1 HEAD --format outputs"),
        ("summary.md", "next --rev HEAD^1 --format summary"),
        ("summary-after.md", "next --format markdown"),
        ("matrix.json", "next --limit 3 --format matrix"),
        ("outputs-merged.txt", "next --rev HEAD^1 --format outputs"),
        ("view.mmd", "next --rev HEAD^1 --format mermaid"),
        ("hook.txt", "hook run post-merge 0"),
    ],
)
def test_says_what_the_golden_file_holds(merged: Path, name: str, words: str, *, update_golden: bool) -> None:
    ran = sched(merged, *words.split())
    golden = GOLDEN / name
    if update_golden:
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(ran.out)
    assert ran.out.decode() == golden.read_text(encoding="utf-8")


def test_a_summary_says_what_a_push_did(merged: Path) -> None:
    found: Any = sched(merged, "next", "--rev", "HEAD^1", "--json").record
    changes = sched(merged, "diff", "HEAD^1", "HEAD", "--json").record["changes"]
    assert (
        "\nThis push finished 1 task and freed 2. \u00b7 4 ready, 1 held, 1 running, 8 blocked"
        " \u00b7 5 h on the longest path, 14 h 15 min of work left\n"
    ) in render(found, changes)


def test_reads_commits_alone(merged: Path) -> None:
    """The work tree plays no part, and nothing on disk changes."""
    usual = sched(merged, "diff", "HEAD^1", "HEAD", "--json").out
    (merged / GRAPH).write_text("graph_id: [\n", encoding="utf-8")
    before = snapshot(merged)
    assert sched(merged, "diff", "HEAD^1", "HEAD", "--json").out == usual
    assert snapshot(merged) == before
    git(merged, "checkout", "-q", "--", GRAPH)


def test_names_the_proposed_commit(merged: Path) -> None:
    basis = sched(merged, "diff", "HEAD^1", "HEAD", "--json").record["basis"]
    assert basis["base"] == git(merged, "rev-parse", "main^1").strip()
    assert basis["revision"] == head(merged)
    assert basis["head"] == git(merged, "rev-parse", "proposed").strip()


def test_finds_where_a_branch_left(merged: Path) -> None:
    """With the head of a branch checked out, the base is the commit where it left."""
    found = sched(merged, "diff", "main^1", "proposed", "--merge-base", "--json").record
    assert found["basis"]["base"] == git(merged, "rev-parse", "main^1").strip()
    assert found["basis"]["head"] == git(merged, "rev-parse", "proposed").strip()
    assert [task["name"] for task in found["changes"]["finished"]["tasks"]] == ["checkout/api-contract"]


@pytest.mark.parametrize(
    ("words", "base", "head"),
    [
        ((), "HEAD", None), (("main^1",), "main^1", None), (("main^1", "main"), "main^1", "main"),
        (("main^1..main",), "main^1", "main"), (("main^1..",), "main^1", "HEAD"), (("..main^1",), "HEAD", "main^1"),
        (("main^1...proposed",), "main^1", "proposed"), (("proposed", "--merge-base"), "main", None),
    ],
)  # fmt: skip
def test_names_revisions_as_git_does(merged: Path, words: tuple[str, ...], base: str, head: str | None) -> None:
    """``proposed`` is merged, so the commit at which it left main is its own."""
    basis = sched(merged, "diff", *words, "--json").record["basis"]
    wanted = "proposed" if words[1:] == ("--merge-base",) else base
    assert basis["base"] == git(merged, "rev-parse", wanted).strip()
    assert basis["revision"] == (git(merged, "rev-parse", head).strip() if head else "")


def test_the_work_tree_is_compared_with_head(merged: Path) -> None:
    """Without names the side after the change is what is in the folder now."""
    assert sched(merged, "diff").text.startswith("this does not change what comes next\n")
    text = (merged / GRAPH).read_text(encoding="utf-8")
    (merged / GRAPH).write_text(text.replace("- node_id: cart-page\n", "- node_id: cart-page\n    status: completed\n"))
    ran = sched(merged, "diff")
    assert (ran.code, ran.out.decode().partition("\n")[0]) == (0, "this finishes 1 task")
    assert sched(merged, "diff", "--json").record["after"]["revision"] == ""


def test_what_breaks_is_said_first(merged: Path) -> None:
    (merged / GRAPH).write_text("graph_id: [\n", encoding="utf-8")
    first, place, *_ = sched(merged, "diff").out.decode().splitlines()
    assert first == "this breaks checkout.yml: 6 tasks cannot be read"
    assert place.startswith(f"  {GRAPH}:2: ")
    comment = sched(merged, "diff", "--format", "comment").out.decode()
    assert comment.startswith("### Merging this breaks `checkout.yml`: 6 tasks cannot be read\n\n> [!CAUTION]\n")
    assert "Removed" not in comment


def test_one_broken_task_file_of_many_is_named(tmp_path: Path) -> None:
    """Backlog.md keeps each task in a file of its own."""
    task_file = "---\nid: task-{0}\ntitle: Do {0}\nstatus: To Do\n---\n"
    files: dict[str, str | bytes] = {"backlog/config.yml": "project_name: x\n"}
    files |= {f"backlog/tasks/task-{n} - Do.md": task_file.format(n) for n in (1, 2, 3)}
    folder = repository(tmp_path, files)
    (folder / "backlog/tasks/task-2 - Do.md").write_text("---\nid: [\n---\n", encoding="utf-8")
    (folder / "backlog/tasks/task-3 - Do.md").unlink()
    git(folder, "add", "-A")
    changes = sched(folder, "diff", "--json").record["changes"]
    assert [(row["path"], row["tasks"]) for row in changes["broken"]] == [("backlog/tasks/task-2 - Do.md", 1)]
    assert changes["deleted"] == ["backlog/tasks/task-3 - Do.md"]
    assert [task["title"] for task in changes["removed"]["tasks"]] == ["Do 3"]


def test_a_deleted_plan_is_named(merged: Path) -> None:
    git(merged, "rm", "-q", GRAPH)
    comment = sched(merged, "diff", "--format", "comment").out.decode()
    assert "deletes `checkout.yml` and removes 6 tasks" in comment.partition("\n")[0]
    assert f"**Deleted:** `{GRAPH}`" in comment


def test_files_that_a_policy_no_longer_reads_are_not_deleted(merged: Path) -> None:
    (merged / POLICY).write_text(f"version: 1\nexclude: [{GRAPH}]\n", encoding="utf-8")
    changes = sched(merged, "diff", "--json").record["changes"]
    assert (changes["deleted"], len(changes["removed"]["tasks"])) == ([], 6)


@pytest.mark.parametrize("words", [("nowhere",), ("HEAD", "nowhere"), ("nowhere..HEAD",), ("HEAD...nowhere",)])
def test_a_name_that_does_not_exist_is_an_error(merged: Path, words: tuple[str, ...]) -> None:
    ran = sched(merged, "diff", *words)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.text == (
        "error: there is no revision nowhere here\nhint: git log --oneline lists commits, git branch --all branches\n"
    )


def test_a_base_that_a_shallow_clone_lacks_is_an_error(merged: Path, tmp_path: Path) -> None:
    ran = sched(clone(merged, tmp_path / "shallow", "--depth=1"), "diff", "HEAD^1", "HEAD")
    assert ran.code == 2
    assert ran.text.endswith("hint: this clone is shallow: git fetch --unshallow gets the rest\n")


def test_what_cannot_be_compared_is_an_error(merged: Path, tmp_path: Path) -> None:
    """Three names, no work tree, no repository, no common ancestor."""
    assert sched(merged, "diff", "a", "b", "c").code == sched(merged, "diff", "a..b", "c").code == 2
    bare = clone(merged, tmp_path / "bare.git", "--bare")
    ran = sched(bare, "diff", env=environment(GIT_DIR=str(bare)))
    assert (ran.code, "hint: name two commits: git sched diff A B" in ran.text) == (2, True)
    plain = tmp_path / "plain"
    plain.mkdir()
    assert "this is not a git repository" in sched(plain, "diff").text
    git(merged, "checkout", "-q", "--orphan", "other")
    git(merged, "commit", "-q", "--allow-empty", "-m", "other")
    assert "have no common ancestor" in sched(merged, "diff", "main...other").text


def test_both_policies_answer_where_the_policy_changes(tmp_path: Path) -> None:
    files = work(task("a", priority=3, estimated_minutes=90), task("b", estimated_minutes=5))
    folder = repository(tmp_path, {**files, POLICY: "version: 1\n"})
    add(folder, {POLICY: "version: 1\nweights: {urgency: 0, criticality: 0, runtime: 9}\n"})
    found = sched(folder, "diff", "HEAD^", "HEAD", "--json").record
    assert [found[side]["decisions"][0]["node_id"] for side in ("before", "after", "after_by_base_policy")] == [
        "a", "b", "a",
    ]  # fmt: skip
    comment = sched(folder, "diff", "HEAD^", "HEAD", "--format", "comment").out.decode()
    assert "> This pull request changes the policy:" in comment
    assert "> - `weights.runtime`: `0.0`, then `9.0`" in comment


def test_time_and_signals_are_the_same_on_both_sides(tmp_path: Path) -> None:
    """A week between the commits makes no task older on one side."""
    weighed = {POLICY: "version: 1\nweights: {age: 5}\n"}
    files = work(task("a", created_at="2026-11-01"), task("b", created_at="2026-10-31"))
    folder = repository(tmp_path, {**files, **weighed}, at="2026-11-02T00:00:00Z")
    add(folder, {"README": "x"}, at="2026-11-09T00:00:00Z")
    found = sched(folder, "diff", "HEAD^", "HEAD", "--json").record
    assert found["before"]["order"] == found["after"]["order"]
    assert not found["changed"]


def test_publish_hides_titles_and_repositories(tmp_path: Path) -> None:
    policy = "version: 1\nrepository: o/own\npublish: {titles: false, repositories: own}\nmerge_queue_threshold: 1\n"
    nodes = [
        task("a", title="Secret plan", repository="o/secret", priority=2),
        task("b", title="Secret plan", repository="o/own"),
        task("c", status="blocked", blocker_reason="Secret plan"),
    ]
    folder = repository(tmp_path, {**work(*nodes), POLICY: policy})
    add(folder, work(*nodes[1:]))
    queue = tmp_path / "queue.json"
    queue.write_text(json.dumps({"o/secret": 4}), encoding="utf-8")
    for words in (
        ("next", "--rev", "HEAD^", "--format", "summary"),
        ("next", "--rev", "HEAD^", "--format", "outputs"),
        ("next", "--rev", "HEAD^", "--format", "github"),
        ("diff", "HEAD^", "HEAD", "--format", "comment"),
    ):
        said = shown(sched(folder, *words, "--merge-queue", "queue.json"))
        assert "o/secret" not in said.partition("matrix<<")[0], words
        assert "Secret plan" not in said, words
    assert "`o/own`" in shown(sched(folder, "next", "--rev", "HEAD^", "--format", "summary"))


def shown(ran: Ran) -> str:
    """Give what was printed by a command that went well."""
    assert ran.code == 0, ran.text
    return ran.out.decode()


def test_no_checkout_is_needed(merged: Path, tmp_path: Path) -> None:
    """A bare clone answers as well, though nothing there says whose worktrees are warm."""
    bare = clone(merged, tmp_path / "bare.git", "--bare")
    done = sched(bare, "diff", "HEAD^1", "HEAD", "-q", env=environment(GIT_DIR=str(bare)))
    assert done.out == b"checkout/cart-page\ncheckout/pay-client\nhotfixes/login-loop\n", done.text
