"""The step that decides, without a runner around it: every kind of checkout, event and input."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import judges
from git_sched.github.kept_log import LINES, newest
from git_sched.github.runner import Runner
from sandbox import ask, commit, git, tree, write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

GRAPH = ".metagit/tasks/graphs/g.yml"
TASKS = (
    "graph_id: g\nnodes:\n- {node_id: a, status: STATUS, acl: {acl_commands: [rm]}}\n- {node_id: b, depends_on: [a]}\n"
)


class Step(NamedTuple):
    """What a step did."""

    code: int
    said: str
    outputs: Mapping[str, str]
    summary: str
    record: Any


class Job:
    """A job: runs steps in a checkout, with the runner's files beside it."""

    def __init__(self, top: Path, patch: pytest.MonkeyPatch) -> None:
        self.top, self._patch = top, patch
        self.checkout = top / "checkout"
        self.count = 0

    def decide(self, event: str = "workflow_dispatch", payload: object = None, **inputs: str) -> Step:
        """Run the step that decides; a payload of bytes is the event's file as it is."""
        self.count += 1
        folder = self.top / f"folder-{self.count}"
        folder.mkdir()
        raw = payload if isinstance(payload, bytes) else json.dumps({} if payload is None else payload)
        for name in [name for name in os.environ if name.startswith(("SCHED_", "GITHUB_"))]:
            self._patch.delenv(name)
        write(folder, {"event.json": raw, "output": "", "summary": ""})
        for name, value in {
            "SCHED_FOLDER": folder, "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": folder / "event.json",
            "GITHUB_OUTPUT": folder / "output", "GITHUB_STEP_SUMMARY": folder / "summary",
            "GITHUB_WORKSPACE": self.checkout, "GITHUB_REPOSITORY": "acme/shop",
            **{f"SCHED_{name.upper()}": value for name, value in inputs.items()},
        }.items():  # fmt: skip
            self._patch.setenv(name, str(value))
        done = ask(self.top, "action", "decide")
        record = folder / "record.json"
        return Step(
            done.code, done.text, judges.outputs((folder / "output").read_text(encoding="utf-8")),
            (folder / "summary").read_text(encoding="utf-8"),
            json.loads(record.read_bytes()) if record.exists() else None,
        )  # fmt: skip

    def gate(self, fail_on: str) -> Step:
        """Run the gate after the last decision."""
        self._patch.setenv("SCHED_FAIL_ON", fail_on)
        done = ask(self.top, "action", "gate")
        return Step(done.code, done.text, {}, "", None)


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    found = Job(tmp_path, monkeypatch)
    found.checkout.mkdir()
    return found


def tasks(status: str = "pending") -> dict[str, str]:
    return {GRAPH: TASKS.replace("STATUS", status)}


def test_no_checkout(job: Job) -> None:
    done = job.decide()
    assert done.code != 0
    assert done.said.count("::error") == 1
    assert "add actions/checkout before this step" in done.said


def test_the_first_run_finds_nothing(job: Job) -> None:
    commit(job.checkout, {"README": "x"})
    done = job.decide()
    assert (done.code, done.outputs["outcome"], done.outputs["has-work"]) == (0, "empty", "false")
    assert "git sched init" in done.summary
    assert len([line for line in done.summary.splitlines() if line]) <= 3
    assert done.outputs["comparison-path"] == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("now", "noon"), ("report", "comments"), ("fail_on", "always"), ("record", "yes"), ("limit", "0"),
        ("limit", "257"), ("limit", "1 "*9), ("agents", "a;b"), ("comment_key", "a--b"), ("comment_key", "A"),
        ("pr_number", "x"), ("report", "comment "), ("fail_on", "never\n"),
        ("working_directory", ".."), ("working_directory", "missing"), ("working_directory", "/"),
    ],
)  # fmt: skip
def test_a_wrong_input_is_one_error(job: Job, name: str, value: str) -> None:
    commit(job.checkout, tasks())
    done = job.decide(**{name: value})
    assert done.code == 2
    assert done.said.count("::error") == 1
    assert name.replace("_", "-") in done.said


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ("push", "merged"), ("schedule", "merged"), ("workflow_dispatch", "merged"), ("pull_request", "proposed"),
        ("pull_request_target", "proposed"), ("merge_group", "proposed"), ("issue_comment", "proposed"),
        ("workflow_run", "proposed"), ("", "proposed"),
    ],
)  # fmt: skip
def test_only_merged_work_fills_the_outputs(job: Job, event: str, kind: str) -> None:
    commit(job.checkout, tasks())
    done = job.decide(event)
    assert done.code == 0, done.said
    assert done.outputs["basis-kind"] == kind
    assert done.outputs["next"] == ("g/a" if kind == "merged" else "")
    assert done.outputs["has-work"] == ("true" if kind == "merged" else "false")
    assert json.loads(done.outputs["matrix"])["include"] or kind == "proposed"
    assert done.record["decisions"][0]["node_id"] == "a"
    assert job.decide(event, outputs_for_proposed="true").outputs["next"] == "g/a"


def test_a_merge_queues_branch_is_no_merge() -> None:
    runner = Runner.from_environ({"GITHUB_EVENT_NAME": "push", "GITHUB_REF_NAME": "gh-readonly-queue/main/pr-1-abc"})
    assert runner.basis_kind == "proposed"


@pytest.mark.parametrize(("branch", "kind"), [("main", "merged"), ("gh-readonly-queue/main/pr-1-abc", "proposed")])
def test_a_run_of_a_push_is_merged_but_for_the_queues(job: Job, branch: str, kind: str) -> None:
    commit(job.checkout, tasks())
    about = {"event": "push", "head_branch": branch}
    assert job.decide("workflow_run", {"workflow_run": about}).outputs["basis-kind"] == kind


@pytest.mark.parametrize("odd", [None, [], {}, "", "x", 0, -1, 1e300, 10**30, True, [1], {"a": 1}], ids=repr)
def test_an_event_with_odd_values_is_decided_all_the_same(job: Job, odd: object) -> None:
    """Nulls of deleted forks, and what else a sender may leave."""
    commit(job.checkout, tasks())
    pull = {"number": 3, "head": {"sha": odd, "repo": odd}, "base": {"sha": odd, "ref": odd}}
    for event, payload in (
        ("push", odd), ("push", {"before": odd, "forced": odd}), ("workflow_run", {"workflow_run": odd}),
        ("workflow_run", {"workflow_run": {"event": odd, "head_branch": odd}}),
        ("merge_group", {"merge_group": {"base_sha": odd, "base_ref": odd}}), ("pull_request", {"pull_request": odd}),
        ("pull_request", {"pull_request": {**pull, "number": odd}}), ("pull_request", {"pull_request": pull}),
    ):  # fmt: skip
        done = job.decide(event, payload)
        assert (done.code, done.outputs["outcome"]) == (0, "decided"), done.said


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[\0", b'{"a": ' * 3_000, b'{"number": ' + b"9" * 5_000 + b"}"], ids=lambda raw: raw[:6]
)
def test_an_event_that_cannot_be_read_is_one_error(job: Job, raw: bytes) -> None:
    commit(job.checkout, tasks())
    done = job.decide("push", raw)
    assert done.code != 0
    assert done.said.count("::error") == done.said.count("\n") == 1
    assert "GITHUB_EVENT_PATH" in done.said


def test_commands_never_leave_the_record(job: Job) -> None:
    commit(job.checkout, tasks())
    done = job.decide()
    assert done.record["decisions"][0]["acl_commands"] == ["rm"]
    assert "rm" not in "".join(done.outputs[name] for name in ("next", "next-json", "matrix"))


@pytest.mark.parametrize(
    ("event", "now", "source"),
    [
        ("push", "", "commit"), ("schedule", "", "wall"), ("issues", "", "wall"), ("workflow_dispatch", "auto", "wall"),
        ("schedule", "commit", "commit"), ("push", "wall", "wall"),
    ],
)  # fmt: skip
def test_the_time_that_is_used(job: Job, event: str, now: str, source: str) -> None:
    policy = ".metagit/schedule/policy.yml"
    dated = {name: text.replace("status:", "created_at: 2026-10-01, status:") for name, text in tasks().items()}
    commit(job.checkout, {**dated, policy: "version: 1\nweights: {age: 1}\n"})
    assert job.decide(event, now=now).record["basis"]["now_source"] == source


def test_a_push_that_was_forced_has_no_base(job: Job) -> None:
    commit(job.checkout, tasks())
    before = git(job.checkout, "rev-parse", "HEAD").strip()
    commit(job.checkout, tasks("completed"))
    assert "this push was forced" in job.decide("push", {"before": before, "forced": True}).said
    assert "created the branch" in job.decide("push", {"before": "0" * 40}).said
    assert job.decide("push", {"before": before}).outputs["comparison-path"]
    assert "fetch-depth: 0" in job.decide("push", {"before": "1" * 40}).said


def test_a_push_says_what_it_did(job: Job) -> None:
    before = git(commit(job.checkout, tasks()), "rev-parse", "HEAD").strip()
    commit(job.checkout, tasks("completed"))
    assert "\nThis push finished 1 task and freed 1. \u00b7 1 ready" in job.decide("push", {"before": before}).summary
    broken = git(job.checkout, "rev-parse", "HEAD").strip()
    commit(job.checkout, {GRAPH: "graph_id: ["})
    assert "> This push breaks `g.yml`: 2 tasks cannot be read." in job.decide("push", {"before": broken}).summary


def test_a_plan_that_is_deleted_is_compared(job: Job) -> None:
    """Also in a folder of its own, and nothing is said where there was no plan on either side."""
    before = git(commit(job.checkout, {f"deep/{GRAPH}": tasks()[GRAPH], "deep/x": "x"}), "rev-parse", "HEAD").strip()
    git(job.checkout, "rm", "-q", f"deep/{GRAPH}")
    after = git(commit(job.checkout, {}), "rev-parse", "HEAD").strip()
    done = job.decide("merge_group", {"merge_group": {"base_sha": before}}, working_directory="deep")
    assert done.summary.startswith("### Merging this deletes `g.yml` and removes 2 tasks in `deep`\n")
    commit(job.checkout, {"deep/x": "y"})
    again = job.decide("push", {"before": after}, working_directory="deep")
    assert (again.outputs["outcome"], again.outputs["comparison-path"]) == ("empty", "")


@pytest.mark.parametrize(("depth", "compared"), [("1", False), ("2", True), ("9", True)])
def test_the_base_of_a_pull_request_in_a_shallow_clone(job: Job, depth: str, *, compared: bool) -> None:
    origin = commit(job.top / "origin", {"README": "x"})
    base = git(commit(origin, tasks()), "rev-parse", "HEAD").strip()
    git(origin, "checkout", "-q", "-b", "topic")
    head = git(commit(origin, tasks("completed")), "rev-parse", "HEAD").strip()
    git(origin, "checkout", "-q", "main")
    git(origin, "merge", "-q", "--no-ff", "-m", "Merge", "topic")
    job.checkout.rmdir()
    git(job.top, "clone", "-q", f"--depth={depth}", f"file://{origin}", "checkout")
    pull = {"number": 1, "head": {"sha": head, "repo": None}, "base": {"sha": base, "ref": "main"}}
    done = job.decide("pull_request", {"pull_request": pull})
    assert done.code == 0, done.said
    comparison = json.loads((job.top / "folder-1/comparison.json").read_bytes())
    assert (comparison["base"] == "found") is compared
    assert ("fetch-depth: 2" in done.said) is not compared


def test_the_head_of_a_pull_request_is_compared_with_where_it_left(job: Job) -> None:
    base = git(commit(job.checkout, tasks()), "rev-parse", "HEAD").strip()
    git(job.checkout, "checkout", "-q", "-b", "topic")
    head = git(commit(job.checkout, tasks("completed")), "rev-parse", "HEAD").strip()
    git(job.checkout, "checkout", "-q", "main")
    later = git(commit(job.checkout, {"other": "x"}), "rev-parse", "HEAD").strip()
    git(job.checkout, "checkout", "-q", "--detach", head)
    pull = {"number": 1, "head": {"sha": head}, "base": {"sha": later, "ref": "main"}}
    job.decide("pull_request", {"pull_request": pull})
    basis = json.loads((job.top / "folder-1/comparison.json").read_bytes())["basis"]
    assert (basis["base"], basis["head"]) == (base, head)


def test_a_folder_of_the_checkout(job: Job) -> None:
    commit(job.checkout, {f"deep/{GRAPH}": TASKS.replace("STATUS", "odd")})
    done = job.decide(working_directory="deep")
    assert done.record["basis"]["workspace"] == "deep"
    assert f"file=deep/{GRAPH}" in done.said


def test_a_checkout_beside_the_workspace_and_a_link(job: Job) -> None:
    commit(job.checkout / "sub", tasks())
    assert job.decide(working_directory="sub").outputs["next"] == "g/a"
    (job.checkout / "link").symlink_to(job.top)
    assert job.decide(working_directory="link").code == 2


def test_the_gate(job: Job) -> None:
    commit(job.checkout, {GRAPH: TASKS.replace("STATUS", "pending").replace("[a]", "[aa]")})
    assert job.decide().code == 0
    assert job.gate("never").code == 0
    refused = job.gate("invalid")
    assert (refused.code, refused.said.count("::error")) == (1, 1)
    assert f"{GRAPH}:4" in refused.said
    assert job.gate("stuck").code == 0

    commit(
        job.checkout, {GRAPH: "graph_id: g\nnodes:\n- {node_id: a, depends_on: [b]}\n- {node_id: b, depends_on: [a]}\n"}
    )
    assert job.decide().outputs["outcome"] == "stuck"
    assert job.gate("stuck").code == job.gate("nothing-ready").code == 1

    commit(job.checkout, tasks("running"))
    assert job.decide().outputs["outcome"] == "nothing-ready"
    assert (job.gate("stuck").code, job.gate("nothing-ready").code) == (0, 1)

    commit(job.checkout, {".metagit/schedule/policy.yml": "version: 1\nnonsense: 1\n"})
    done = job.decide()
    assert (done.code, done.outputs["outcome"], done.outputs["has-work"]) == (0, "refused", "false")
    assert job.gate("stuck").code == job.gate("invalid").code == 1


def test_all_steps_together_say_no_more_errors_than_the_runner_shows(job: Job) -> None:
    nodes = "".join(f"- {{node_id: n{number}, depends_on: [nobody{number}]}}\n" for number in range(12))
    commit(job.checkout, {GRAPH: f"graph_id: g\nnodes:\n{nodes}"})
    said = job.decide().said + job.gate("invalid").said
    assert said.count("::error ") == 10
    assert "4 more: run git sched check" in said


def test_what_is_restored_is_judged_line_by_line(job: Job) -> None:
    commit(job.checkout, tasks())
    kept = job.top / "kept"
    inputs = {"history": str(kept), "record": "true"}
    first = job.decide(**inputs)
    assert "no earlier record was restored" in first.said
    [line] = (kept / "decisions.jsonl").read_bytes().splitlines()
    lost = line.replace(first.record["basis"]["revision"].encode(), b"1" * 40)
    write(kept, {"decisions.jsonl": b"\n".join([line, b"torn {", b"[]", b'{"decision_id":"x"}', lost, b""])})
    commit(job.checkout, tasks("completed"))
    second = job.decide(**inputs)
    assert second.record["signals"]["history"]["rows"] == 1
    assert "3 restored lines are not recorded decisions" in second.said
    assert "1 restored lines name commits that are not in this repository" in second.said
    found = (kept / "decisions.jsonl").read_bytes().splitlines()
    assert found[:2] == [line, lost], "a later run may have the commit that this one lacks"
    assert len(found) == 3


@pytest.mark.parametrize("link", ["kept", "kept/decisions.jsonl"])
@pytest.mark.parametrize("filled", [True, False])
def test_a_log_in_the_checkout_is_never_reached_through_a_link(job: Job, link: str, *, filled: bool) -> None:
    outside = job.top / "outside"
    place = outside if link == "kept" else outside / "decisions.jsonl"
    write(outside, {"decisions.jsonl": "mine\n"} if filled else {"other": ""})
    commit(job.checkout, tasks())
    (job.checkout / link).parent.mkdir(exist_ok=True)
    (job.checkout / link).symlink_to(place)
    before = tree(outside)
    done = job.decide("push", history="kept", record="true")
    assert done.code == 0
    assert "the log was not kept for later runs" in done.said
    assert tree(outside) == before


@pytest.mark.parametrize("history", ["kept", "deep/er", "../kept", ".git/kept"])
def test_a_log_in_the_checkout(job: Job, history: str) -> None:
    commit(job.checkout, tasks())
    done = job.decide("push", history=history, record="true")
    inside = not history.startswith(".")
    assert (done.code, (job.checkout / history / "decisions.jsonl").exists()) == (0, inside)
    assert ("the log was not kept for later runs" in done.said) is not inside


def test_a_kept_log_is_bounded() -> None:
    assert len(newest(b"x\n" * 900).splitlines()) == LINES
    assert len(newest(b"x" * 5_000 + b"\n" + (b"y" * 4_000 + b"\n") * 400)) <= 1 << 20
    assert newest(b"") == b""


def test_dispatch_is_refused_for_proposed_work(job: Job) -> None:
    commit(job.checkout, tasks())
    kept = {"history": str(job.top / "kept"), "dispatch": "true"}
    assert "dispatch is refused" in job.decide("pull_request", **kept).said
    assert not (job.top / "kept").exists()
    job.decide("push", **kept)
    assert b'"dispatched":true' in (job.top / "kept/decisions.jsonl").read_bytes()


def test_the_queues_file_is_read(job: Job) -> None:
    commit(job.checkout, {**tasks(), "queue.json": '{"depths": {"acme/shop": 3}}'})
    assert job.decide(merge_queue="queue.json").record["signals"]["merge_queue"]["depths"] == {"acme/shop": 3}
    assert not job.decide(merge_queue="off").record["signals"]["merge_queue"]["known"]


@pytest.mark.parametrize(
    "stored",
    [
        b"", b"{}", b"[]", b'{"kind": "comparison"}', b'{"kind": "decision"}', b"{" * 100_000, b" " * (1 << 20) + b"{}",
        b"\xff", None,
    ],
)  # fmt: skip
def test_a_stored_record_that_is_none_is_refused(job: Job, stored: bytes | None) -> None:
    if stored is not None:
        write(job.checkout, {"stored.json": stored})
    done = job.decide("workflow_run", {"workflow_run": {"head_sha": "1" * 40}}, record_from="stored.json")
    assert done.code != 0
    assert done.said.count("::error") == 1
    assert done.summary == ""


def test_a_stored_record_is_about_the_run_it_came_from(job: Job) -> None:
    base = git(commit(job.checkout, tasks()), "rev-parse", "HEAD").strip()
    head = git(commit(job.checkout, tasks("completed")), "rev-parse", "HEAD").strip()
    job.decide("push", {"before": base})
    stored = json.loads((job.top / "folder-1/comparison.json").read_bytes())
    run: dict[str, dict[str, object]] = {"workflow_run": {"head_sha": head, "event": "pull_request"}}
    for name, record in {
        "good.json": stored,
        "more.json": {**stored, "extra": 1},
        "link.json": None,
    }.items():
        if record is None:
            (job.checkout / name).symlink_to(job.checkout / "good.json")
        else:
            write(job.checkout, {name: json.dumps(record)})
    done = job.decide("workflow_run", run, record_from="good.json")
    assert done.code == 0, done.said
    assert "It comes from a fork." in done.summary
    assert done.outputs["next"] == ""
    run["workflow_run"]["head_repository"] = {"full_name": "acme/shop"}  # Dependabot's, for instance
    assert "fork" not in job.decide("workflow_run", run, record_from="good.json").summary
    assert job.decide("workflow_run", run, record_from="more.json").code != 0
    assert job.decide("workflow_run", run, record_from="link.json").code != 0
    other = {"workflow_run": {"head_sha": base}}
    assert "not about the commit" in job.decide("workflow_run", other, record_from="good.json").said


def test_a_comparison_of_many_picks_is_taken_back(job: Job) -> None:
    title = "\N{GRINNING FACE}" * 200  # four bytes each
    nodes = "".join(f"- {{node_id: n{number:03}, title: {title}}}\n" for number in range(256))
    base = git(commit(job.checkout, {GRAPH: f"graph_id: g\nnodes:\n{nodes}"}), "rev-parse", "HEAD").strip()
    done = nodes.replace("n000,", "n000, status: completed,")
    change = {".metagit/schedule/policy.yml": "version: 1\n", GRAPH: f"graph_id: g\nnodes:\n{done}"}
    head = git(commit(job.checkout, change), "rev-parse", "HEAD").strip()
    decided = job.decide("push", {"before": base}, limit="256")
    stored = (job.top / "folder-1/comparison.json").read_bytes()
    assert len(stored) < 400_000
    write(job.checkout, {"stored.json": stored})
    run = {"workflow_run": {"head_sha": head, "event": "pull_request"}}
    reported = job.decide("workflow_run", run, record_from="stored.json")
    assert (reported.code, reported.outputs["count"]) == (0, decided.outputs["count"])
    report = (job.top / "folder-1/report.md").read_text(encoding="utf-8")
    body = reported.summary.rpartition("<sub>")[0]
    assert report.startswith(body)
    assert "| 206 more |" in body


def test_the_steps_are_not_in_the_help(job: Job) -> None:
    assert "action" not in ask(job.top, "--help").out.split()


def test_what_could_not_be_reported_is_not_given_out(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(job.checkout, tasks())
    kept = job.top / "kept"

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device", "record.json")

    with monkeypatch.context() as patched:
        patched.setattr("git_sched.github.decide.write", broken)
        assert job.decide(history=str(kept), dispatch="true").code == 4
    lines = [json.loads(line) for line in (kept / "decisions.jsonl").read_bytes().splitlines()]
    assert [(line["node_id"], line.get("released", False)) for line in lines] == [("a", False), ("a", True)]
    assert job.decide(history=str(kept), dispatch="true").outputs["next"] == "g/a"


def test_a_kept_log_has_no_release_without_what_it_releases(tmp_path: Path) -> None:
    commit(tmp_path, {**tasks(), ".gitignore": ".metagit/schedule/\n.metagit/events/\n"})
    for word in ("take", "release"):
        assert ask(tmp_path, word, "a", "--agent", "ann").code == 0
    log = tmp_path / ".metagit/schedule/decisions.jsonl"
    taken, released = log.read_bytes().splitlines()
    others = [json.dumps({"n": n}).encode() for n in range(LINES)]
    assert newest(b"\n".join([taken, *others[2:], released])).splitlines() == [taken, *others[2:], released]
    assert newest(b"\n".join([taken, *others[1:], released])).splitlines() == others[1:]
    assert newest(b"\n".join([b"\xef\xbb\xbf" + taken, released])).splitlines()[1:] == [released]
    log.write_bytes(newest(b"\n".join([taken, *others, released])))
    assert ask(tmp_path, "verify", "--strict").code == 0
