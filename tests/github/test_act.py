"""The Action under act, for every event: outputs, summaries and annotations read back, requests seen by a server."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from github.acting import ACT, CHECKOUT, HOSTILES, TOP, project, run
from github.forum import Forum
from github.loopback import Server
from sandbox import commit, git, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.heavy, pytest.mark.skipif(ACT is None, reason="act is not installed")]

TASKS = """\
graph_id: g
nodes:
- {node_id: a, title: The first, priority: 2, status: STATUS}
- {node_id: b}
- {node_id: c, depends_on: [a]}
"""
GRAPH = ".metagit/tasks/graphs/g.yml"
REPOSITORY = {"full_name": "acme/shop", "name": "shop", "owner": {"login": "acme"}, "default_branch": "main"}


def tasks(status: str = "pending") -> dict[str, str]:
    return {GRAPH: TASKS.replace("STATUS", status)}


def workflow(*steps: str, jobs: str = "", outputs: str = "") -> str:
    """Write a workflow that checks out and takes these steps."""
    taken = "".join(f"      {line}\n" for step in steps for line in step.strip().splitlines())
    return (
        "on: [push, pull_request, merge_group, schedule, workflow_dispatch, workflow_run]\n"
        "permissions: {contents: read}\n"
        f"jobs:\n  decide:\n    runs-on: ubuntu-latest\n{outputs}    steps:\n      - uses: {CHECKOUT}\n{taken}{jobs}"
    )


def use(name: str = "sched", **inputs: str) -> str:
    lines = "".join(f"    {key.replace('_', '-')}: {json.dumps(value)}\n" for key, value in inputs.items())
    return f"- uses: ./\n  id: {name}\n" + (f"  with:\n{lines}" if inputs else "")


def merge(repository: Path, files: dict[str, str | bytes]) -> dict[str, Any]:
    """Commit files on a branch and check out its merge, as GitHub does for a pull request; give the event."""
    base = git(repository, "rev-parse", "HEAD").strip()
    git(repository, "checkout", "-q", "-B", "topic", base)
    commit(repository, files, message="Change")
    head = git(repository, "rev-parse", "HEAD").strip()
    git(repository, "checkout", "-q", "--detach", base)
    git(repository, "merge", "-q", "--no-ff", "-m", "Merge", head)
    return event(head, base)


def event(head: str, base: str, *, source: str = "acme/shop") -> dict[str, Any]:
    pull = {
        "number": 12,
        "head": {"sha": head, "ref": "topic", "repo": {"full_name": source, "fork": source != "acme/shop"}},
        "base": {"sha": base, "ref": "main"},
    }
    return {"action": "synchronize", "number": 12, "pull_request": pull, "repository": REPOSITORY}


def forum(payload: dict[str, Any]) -> Forum:
    return Forum(heads={12: payload["pull_request"]["head"]["sha"]}, branches={12: "fan:topic"})


def test_the_marks_of_a_hostile_checkout_can_be_seen(tmp_path: Path) -> None:
    write(tmp_path, HOSTILES)
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, "-m", "pip", "--version"], cwd=tmp_path, env=environment, check=False)
    assert (tmp_path / "hostile").exists()


def test_push(tmp_path: Path, wheels: Path) -> None:
    repository = project(tmp_path / "shop", tasks(), workflow=workflow(use(limit="2", report="comment")))
    before = git(repository, "rev-parse", "HEAD").strip()
    commit(repository, tasks("completed"))
    with Server(Forum(queue=3)) as server:
        ran = run(repository, "push", {"before": before, "repository": REPOSITORY}, server=server, wheels=wheels)
        assert [call.path for call in server.calls] == ["/graphql"]
    assert ran.code == 0, "\n".join(ran.log)
    assert ran.outputs["next"] == "g/b"
    assert [row["task"] for row in json.loads(ran.outputs["matrix"])["include"]] == ["g/b", "g/c"]
    assert ran.outputs["has-work"] == "true"
    assert ran.outputs["basis-kind"] == "merged"
    assert ran.outputs["comment-status"] == "skipped"
    assert ran.outputs["comparison-path"]
    assert ran.summary.startswith("### Next: `b`\n")
    assert "merge queue unknown" not in ran.summary
    assert ran.annotations == []
    assert b"SCHED_LIMIT=2" in ran.environments
    assert git(repository, "status", "--porcelain") == ""


def test_pull_request_is_commented_then_changed_then_left_alone(tmp_path: Path, wheels: Path) -> None:
    steps = (use("one", report="comment"), use("two", report="comment", comment_key="second", limit="2"))
    repository = project(tmp_path / "shop", tasks(), workflow=workflow(*steps))
    payload = merge(repository, dict(tasks("completed")))
    with Server(forum(payload)) as server:
        first = run(repository, "pull_request", payload, server=server, wheels=wheels)
        assert server.writes == ["POST", "POST"], "\n".join(first.log)
        assert first.outputs["comment-status"] == "created"
        assert first.outputs["comment-url"].startswith("https://")
        assert first.outputs["next"] == ""
        assert first.outputs["has-work"] == "false"
        assert first.outputs["basis-kind"] == "proposed"
        bodies = server.forum.bodies(12)
        assert [body.partition(" run=")[0] for body in bodies] == [
            "<!-- git-sched:v1 workspace=. key=default",
            "<!-- git-sched:v1 workspace=. key=second",
        ]
        assert "Merging this finishes 1 task" in bodies[0]
        assert "Merging this finishes 1 task" in first.summary

        again = run(repository, "pull_request", payload, server=server, wheels=wheels)
        assert again.outputs["comment-status"] == "unchanged"
        assert server.writes == ["POST", "POST"]

        git(repository, "checkout", "-q", "main")
        changed = merge(repository, dict(tasks("cancelled")))
        server.forum.heads[12] = changed["pull_request"]["head"]["sha"]
        third = run(repository, "pull_request", changed, server=server, wheels=wheels)
        assert third.outputs["comment-status"] == "updated"
        assert server.writes == ["POST", "POST", "PATCH", "PATCH"]
        assert len(server.forum.bodies(12)) == 2


def test_an_invalid_file_leaves_all_in_place_and_fails_the_gate_alone(tmp_path: Path, wheels: Path) -> None:
    steps = (
        use(report="comment", fail_on="invalid"),
        """
- uses: actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f
  if: always()
  with: {name: kept, path: "${{ steps.sched.outputs.record-path }}"}
""",
    )
    repository = project(tmp_path / "shop", tasks(), workflow=workflow(*steps))
    payload = merge(repository, {GRAPH: TASKS.replace("STATUS", "pending") + "- {node_id: d, depends_on: [aa]}\n"})
    with Server(forum(payload)) as server:
        ran = run(repository, "pull_request", payload, server=server, wheels=wheels)
        assert server.writes == ["POST"], "\n".join(ran.log)
    assert ran.code != 0
    assert ran.outputs["comment-status"] == "created"
    assert "unknown" in ran.summary or "no graph has" in ran.summary
    errors = [a for a in ran.annotations if a.kind == "error" and "which no graph has" in a.text]
    assert [a.place.get("file") for a in errors] == [GRAPH, None]
    assert (tmp_path / "act/store/artifacts/kept/record.json").exists()


def test_pull_request_of_a_fork_is_reported_without_a_request(tmp_path: Path, wheels: Path) -> None:
    repository = project(tmp_path / "shop", tasks(), workflow=workflow(use(report="comment", merge_queue="off")))
    payload = merge(repository, dict(tasks("completed")))
    payload["pull_request"]["head"]["repo"] = None  # the fork was deleted
    with Server(forum(payload)) as server:
        ran = run(repository, "pull_request", payload, server=server, wheels=wheels)
        assert server.calls == []
    assert ran.code == 0, "\n".join(ran.log)
    assert ran.outputs["comment-status"] == "forbidden"
    assert any("workflow_run" in text for text in ran.said("notice"))
    assert "Merging this finishes 1 task" in ran.summary


def test_merge_group(tmp_path: Path, wheels: Path) -> None:
    repository = project(tmp_path / "shop", tasks(), workflow=workflow(use(report="comment", dispatch="true")))
    base = git(repository, "rev-parse", "HEAD").strip()
    group = {"head_sha": base, "base_sha": base, "base_ref": "refs/heads/main", "head_ref": "refs/heads/gh/x"}
    with Server(Forum()) as server:
        ran = run(repository, "merge_group", {"merge_group": group}, server=server, wheels=wheels)
        assert server.writes == []
        assert server.calls[0].body["variables"]["branch"] == "main"
    assert ran.code == 0, "\n".join(ran.log)
    assert (ran.outputs["basis-kind"], ran.outputs["next"], ran.outputs["has-work"]) == ("proposed", "", "false")
    assert any("dispatch is refused" in text for text in ran.said("notice"))
    assert any("no merge queue" in text for text in ran.said("notice"))
    assert ran.summary.startswith("### Next: The first\n\n`a`")


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch"])
def test_a_matrix_becomes_jobs_by_the_clock(tmp_path: Path, wheels: Path, name: str) -> None:
    outputs = "    outputs:\n" + "".join(
        f"      {name}: ${{{{ steps.sched.outputs.{name} }}}}\n" for name in ("matrix", "has-work")
    )
    jobs = (
        "  work:\n    needs: decide\n    if: needs.decide.outputs.has-work == 'true'\n    runs-on: ubuntu-latest\n"
        "    strategy: {matrix: '${{ fromJSON(needs.decide.outputs.matrix) }}'}\n"
        "    steps:\n      - shell: bash\n        env: {TASK: '${{ matrix.task }}'}\n"
        '        run: echo "working on $TASK"\n'
    )
    steps = (
        use(limit="2", merge_queue="off", graphs="more.yml"),
        "- shell: bash\n  run: cat '${{ steps.sched.outputs.record-path }}'",
    )
    more = {
        "more.yml": "graph_id: more\nnodes:\n- {node_id: z, priority: 9, created_at: 2026-01-01}\n",
        ".metagit/schedule/policy.yml": "version: 1\nweights: {age: 1}\n",
    }
    text = workflow(*steps, jobs=jobs, outputs=outputs)
    repository = project(tmp_path / "shop", {**tasks(), **more}, workflow=text)
    with Server() as server:
        ran = run(repository, name, {"repository": REPOSITORY}, server=server, wheels=wheels)
    assert ran.code == 0, "\n".join(ran.log)
    assert sorted(line for line in ran.log if line.startswith("working on")) == ["working on g/a", "working on more/z"]
    assert any('"now_source": "wall"' in line for line in ran.log)


CALLER = """\
on: [push, pull_request]
permissions: {contents: read, pull-requests: write}
jobs:
  schedule:
    permissions: {contents: read, pull-requests: write}
    uses: ./.github/workflows/schedule.yml
    with: {merge-queue: "off"}
"""


def reusable() -> dict[str, str | bytes]:
    return {
        f".github/workflows/{name}.yml": (TOP / f".github/workflows/{name}.yml").read_bytes()
        for name in ("schedule", "schedule-fork")
    }


def test_the_reusable_workflow_keeps_its_history(tmp_path: Path, wheels: Path) -> None:
    repository = project(tmp_path / "shop", {**tasks(), **reusable()}, workflow=CALLER)
    store = tmp_path / "act/store"
    rows = []
    with Server() as server:
        for status in ("pending", "running"):
            commit(repository, dict(tasks(status)))
            payload = {"before": "0" * 40, "ref": "refs/heads/main", "repository": REPOSITORY}
            ran = run(repository, "push", payload, server=server, wheels=wheels)
            assert ran.code == 0, ran.log
            record = json.loads((store / "artifacts/git-sched-default/record.json").read_bytes())
            rows.append(record["signals"]["history"]["rows"])
    assert rows == [0, 1]
    log = (store / "cache.log").read_text(encoding="utf-8")
    assert "save key=git-sched-v1:default:main:1-1 path=~/.cache/git-sched" in log
    assert not (store / "artifacts/git-sched-comparison-default").exists()


def test_a_fork_is_commented_in_two_stages(tmp_path: Path, wheels: Path) -> None:
    repository = project(tmp_path / "shop", {**tasks(), **reusable()}, workflow=CALLER)
    payload = merge(repository, dict(tasks("completed")))
    payload["pull_request"]["head"]["repo"]["full_name"] = "fan/shop"
    head = payload["pull_request"]["head"]["sha"]
    with Server(forum(payload)) as server:
        first = run(repository, "pull_request", payload, server=server, wheels=wheels)
        assert first.code == 0, "\n".join(first.log)
        assert server.calls == []
        stored = tmp_path / "act/store/artifacts/git-sched-comparison-default/comparison.json"
        assert json.loads(stored.read_bytes())["basis"]["head"] == head

        source = {"full_name": "fan/shop", "owner": {"login": "fan"}}
        done = {
            "id": 7, "event": "pull_request", "head_sha": head, "head_branch": "topic", "head_repository": source,
            "pull_requests": [],
        }  # fmt: skip
        second = run(
            repository, "workflow_run", {"workflow_run": done, "repository": REPOSITORY}, server=server,
            wheels=wheels, workflow=".github/workflows/schedule-fork.yml",
        )  # fmt: skip
        assert second.code == 0, second.log
        assert server.writes == ["POST"]
        [body] = server.forum.bodies(12)
        assert "Merging this finishes 1 task" in body
        assert "fork" in body.splitlines()[-1]
