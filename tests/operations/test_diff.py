"""``diff`` on real commits: two revisions, without a checkout, and a base that is not here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

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
        ("diff.txt", "diff HEAD^1"),
        ("comment.md", "diff HEAD^1 --format comment"),
        ("outputs.txt", "diff HEAD^1 --format outputs"),
        ("summary.md", "next --rev HEAD^1 --format summary"),
        ("summary-after.md", "next --format markdown"),
        ("matrix.json", "next --limit 3 --format matrix"),
        ("outputs-merged.txt", "next --rev HEAD^1 --format outputs"),
        ("view.mmd", "next --rev HEAD^1 --format mermaid"),
    ],
)
def test_says_what_the_golden_file_holds(merged: Path, name: str, words: str, *, update_golden: bool) -> None:
    ran = sched(merged, *words.split())
    assert ran.code == 1, "the example has an error in it"
    golden = GOLDEN / name
    if update_golden:
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(ran.out)
    assert ran.out.decode() == golden.read_text(encoding="utf-8")


def test_reads_commits_alone(merged: Path) -> None:
    """The work tree plays no part, and nothing on disk changes."""
    usual = sched(merged, "diff", "HEAD^1", "--json").out
    (merged / GRAPH).write_text("graph_id: [\n", encoding="utf-8")
    before = snapshot(merged)
    assert sched(merged, "diff", "HEAD^1", "--json").out == usual
    assert snapshot(merged) == before
    git(merged, "checkout", "-q", "--", GRAPH)


def test_names_the_proposed_commit(merged: Path) -> None:
    basis = sched(merged, "diff", "HEAD^1", "--json").record["basis"]
    assert basis["base"] == git(merged, "rev-parse", "main^1").strip()
    assert basis["revision"] == head(merged)
    assert basis["head"] == git(merged, "rev-parse", "proposed").strip()


def test_finds_where_a_branch_left(merged: Path) -> None:
    """With the head of a branch checked out, the base is the commit where it left."""
    found = sched(merged, "diff", "main^1", "proposed", "--merge-base", "--json").record
    assert found["basis"]["base"] == git(merged, "rev-parse", "main^1").strip()
    assert found["basis"]["head"] == git(merged, "rev-parse", "proposed").strip()
    assert found["changes"]["finished"]["names"] == ["checkout/api-contract"]


@pytest.mark.parametrize(("base", "depth"), [("HEAD^1", 2), ("HEAD^", 2), ("main~9", 0), ("no-such-branch", 0)])
def test_a_missing_base_is_one_line(merged: Path, tmp_path: Path, base: str, depth: int) -> None:
    """In a shallow clone the rest still works: the answer after the change is there."""
    shallow = clone(merged, tmp_path / "shallow", "--depth=1")
    said = sched(shallow, "diff", base)
    assert said.out.decode().splitlines()[0] == (
        f"no comparison: {base} is not here: set fetch-depth: {depth} in actions/checkout"
    )
    assert "checkout/cart-page" in said.text
    found = sched(shallow, "diff", base, "--json").record
    assert (found["base"], found["before"], found["changes"]) == ("missing", None, None)
    assert found["after"]["decisions"][0]["node_id"] == "cart-page"
    comment = sched(shallow, "diff", base, "--format", "comment").out.decode()
    assert "No comparison" in comment


def test_a_missing_head_ends_the_command(merged: Path) -> None:
    ran = sched(merged, "diff", "HEAD^1", "nowhere")
    assert ran.code == 4
    assert "there is no revision nowhere here" in ran.text


def test_both_policies_answer_where_the_policy_changes(tmp_path: Path) -> None:
    files = work(task("a", priority=3, estimated_minutes=90), task("b", estimated_minutes=5))
    folder = repository(tmp_path, {**files, POLICY: "version: 1\n"})
    add(folder, {POLICY: "version: 1\nweights: {urgency: 0, criticality: 0, runtime: 9}\n"})
    found = sched(folder, "diff", "HEAD^", "--json").record
    assert [found[side]["decisions"][0]["node_id"] for side in ("before", "after", "after_by_base_policy")] == [
        "a", "b", "a",
    ]  # fmt: skip
    comment = sched(folder, "diff", "HEAD^", "--format", "comment").out.decode()
    assert "> This pull request changes the policy:" in comment
    assert "> - `weights.runtime`: `0.0`, then `9.0`" in comment


def test_time_and_signals_are_the_same_on_both_sides(tmp_path: Path) -> None:
    """A week between the commits makes no task older on one side."""
    weighed = {POLICY: "version: 1\nweights: {age: 5}\n"}
    files = work(task("a", created_at="2026-11-01"), task("b", created_at="2026-10-31"))
    folder = repository(tmp_path, {**files, **weighed}, at="2026-11-02T00:00:00Z")
    add(folder, {"README": "x"}, at="2026-11-09T00:00:00Z")
    found = sched(folder, "diff", "HEAD^", "--json").record
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
        ("diff", "HEAD^", "--format", "comment"),
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
    done = sched(bare, "diff", "HEAD^1", "-q", env=environment(GIT_DIR=str(bare)))
    assert done.out == b"checkout/cart-page\ncheckout/pay-client\nhotfixes/login-loop\n", done.text
