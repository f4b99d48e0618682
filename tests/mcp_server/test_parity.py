"""The command line and the server never disagree: one table names both, and the same question has the same answer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

import repos
from git_sched.cli.main import COMMANDS
from git_sched.mcp_server.compact import COMPACTED, compact
from git_sched.mcp_server.compact.records import RECORDS
from git_sched.mcp_server.tools import TOOLS
from git_sched.operations import OPERATIONS
from git_sched.render import RENDERERS
from mcp_server.client import LEGACY, Result, call, called, served, served_by_process
from mcp_server.places import NAMES, place
from sandbox import Said, ask, tree

if TYPE_CHECKING:
    from mcp import Client

pytestmark = pytest.mark.heavy

REFERENCE: Final = Path(__file__).resolve().parents[2] / "docs" / "reference.md"


class Question(NamedTuple):
    """One question, as the command line and as the server is asked it."""

    words: tuple[str, ...]
    arguments: dict[str, Any]


NOW: Final = "2026-11-05T12:00:00Z"
QUESTIONS: Final[dict[str, tuple[Question, ...]]] = {
    "next": (
        Question(("next",), {}),
        Question(("next", "--limit", "3"), {"limit": 3}),
        Question(("next", "--graph-id", "search", "--now", NOW), {"graph_id": "search", "now": NOW}),
        Question(("next", "--agent", "agent-2", "--agent", "agent-1"), {"agents": ["agent-2", "agent-1"]}),
        Question(("next", "--limit", "0"), {"limit": 0}),
        Question(("next", "--now", "soon"), {"now": "soon"}),
        Question(("next", "--agent", "a b"), {"agents": ["a b"]}),
    ),
    "status": (
        Question(("status",), {}),
        Question(("status", "--graph-id", "checkout", "--recent", "1"), {"graph_id": "checkout", "recent": 1}),
    ),
    "policy show": (Question(("policy", "show"), {}), Question(("policy", "show"), {"action": "show"})),
    "explain": (
        Question(("explain", "api-contract"), {"node": "api-contract"}),
        Question(("explain", "good/b", "--agent", "agent-1"), {"node": "good/b", "agents": ["agent-1"]}),
        Question(("explain", "a"), {"node": "a"}),
    ),
    "plan": (
        Question(("plan",), {}),
        Question(("plan", "--limit", "3", "--graph-id", "search"), {"limit": 3, "graph_id": "search"}),
        Question(("plan", "--agent", "agent-2", "--now", NOW), {"agents": ["agent-2"], "now": NOW}),
        Question(("plan", "--limit", "0"), {"limit": 0}),
    ),
    "check": (
        Question(("check",), {}),
        Question(("check", ".metagit/tasks/graphs/bad.yml"), {"paths": [".metagit/tasks/graphs/bad.yml"]}),
        Question(("check", "."), {"paths": ["."]}),
        Question(("check", "--all"), {"all": True}),
        Question(("check", ".."), {"paths": [".."]}),
    ),
    "diff": (
        Question(("diff",), {}),
        Question(("diff", "HEAD"), {"base": "HEAD"}),
        Question(("diff", "HEAD", "HEAD", "--limit", "2"), {"base": "HEAD", "head": "HEAD", "limit": 2}),
        Question(("diff", "HEAD^9"), {"base": "HEAD^9"}),
        Question(("diff", "--", "--exec=x"), {"base": "--exec=x"}),
    ),
}
"""What is asked of each operation that only reads."""


def asked_for_json(folder: Path, question: Question) -> Said:
    """Ask on the command line for the record."""
    number = 2 if question.words[0] == "policy" else 1
    return ask(folder, *question.words[:number], "--json", *question.words[number:])


@pytest.mark.parametrize("mode", ["auto", LEGACY])
@pytest.mark.parametrize("name", NAMES)
def test_the_same_question_has_the_same_answer(name: str, mode: str, tmp_path: Path) -> None:
    folder = place(name, tmp_path / "w")
    tools = {operation.name: operation.tool for operation in OPERATIONS}
    asked = [(tools[name], question) for name, questions in QUESTIONS.items() for question in questions]

    async def work(client: Client) -> list[Result]:
        return [await call(client, tool, full=True, **question.arguments) for tool, question in asked]

    serve = served_by_process if name == "example" else served  # the streams and the options of the command as well
    for found, (_, question) in zip(serve(folder, work, mode=mode), asked, strict=True):
        said = asked_for_json(folder, question)
        if said.out:
            assert found.record == json.loads(found.words) == json.loads(said.out)
            assert found.failed == (found.record.get("outcome") == "refused" or found.record.get("policy") == {})
        else:
            assert found.failed
            assert said.code in {2, 4}
            assert found.record["error"]["message"]


def test_every_question_is_answered_somewhere(tmp_path: Path) -> None:
    """An id that no workspace knows would make the comparison above one of errors alone."""
    answered = set()
    for name in NAMES:
        folder = place(name, tmp_path / name)
        for questions in QUESTIONS.values():
            answered |= {question.words for question in questions if asked_for_json(folder, question).out}
    never = {question.words for questions in QUESTIONS.values() for question in questions} - answered
    wrong = {("next", "--limit", "0"), ("next", "--now", "soon"), ("next", "--agent", "a b"), ("check", "..")}
    assert never == wrong | {("plan", "--limit", "0"), ("diff", "HEAD^9"), ("diff", "--", "--exec=x")}


class Write(NamedTuple):
    """Something that writes, as both are asked for it."""

    words: tuple[str, ...]
    tool: str
    arguments: dict[str, Any]


NEXT, POLICY = "metagit_schedule_next", "metagit_schedule_policy"
WRITES: Final = {
    "record": Write(
        ("next", "--limit", "2", "--record", "--now", NOW), NEXT, {"limit": 2, "record": True, "now": NOW}
    ),
    "dispatch": Write(
        ("next", "--agent", "agent-1", "--dispatch", "--now", NOW),
        NEXT,
        {"agents": ["agent-1"], "dispatch": True, "now": NOW},
    ),
    "take": Write(
        ("take", "index-schema", "--agent", "ann", "--now", NOW),
        "schedule_take",
        {"node": "index-schema", "agent": "ann", "now": NOW},
    ),
    "take-what-waits": Write(("take", "cart-page"), "schedule_take", {"node": "cart-page"}),
    "release-what-nobody-took": Write(("release", "cart-page"), "schedule_release", {"node": "cart-page"}),
    "weights": Write(
        ("policy", "set", "--weight", "urgency=3", "--weight", "cost=0.5"),
        POLICY,
        {"action": "set", "weights": {"urgency": 3, "cost": 0.5}},
    ),
    "of-a-graph": Write(
        ("policy", "set", "--graph-id", "search", "--weight", "age=1"),
        POLICY,
        {"action": "set", "graph_id": "search", "weights": {"age": 1.0}},
    ),
    "metagit": Write(
        ("policy", "set", "--weight", "priority=2", "--weight", "fairness=0.25", "--threshold", "4", "--penalty", "1.5",
         "--skip"),
        POLICY,
        {"action": "set", "priority": 2, "fairness": 0.25, "merge_queue_threshold": 4, "merge_pressure_penalty": 1.5,
         "skip_on_merge_pressure": True},
    ),
    "others": Write(
        ("policy", "set", "--preset", "rfc-0012", "--limit", "total=4", "--set", "dispatch.vendor=codex"),
        POLICY,
        {"action": "set", "preset": "rfc-0012", "limits": {"total": 4}, "set": {"dispatch.vendor": "codex"}},
    ),
    "unknown-graph": Write(
        ("policy", "set", "--graph-id", "serch", "--weight", "age=1"),
        POLICY,
        {"action": "set", "graph_id": "serch", "weights": {"age": 1}},
    ),
    "unknown-factor": Write(
        ("policy", "set", "--weight", "urgncy=1"), POLICY, {"action": "set", "weights": {"urgncy": 1}}
    ),
    "nothing": Write(("policy", "set"), POLICY, {"action": "set"}),
}  # fmt: skip
REFUSED_WRITES: Final = {"unknown-graph", "unknown-factor", "nothing", "take-what-waits", "release-what-nobody-took"}


@pytest.mark.parametrize("name", WRITES)
def test_the_server_writes_what_the_command_would(name: str, tmp_path: Path) -> None:
    write = WRITES[name]
    one = repos.repository(tmp_path / "one" / "w", repos.example())
    shutil.copytree(one, two := tmp_path / "two" / "w")
    before = tree(one, without=".git")
    said = ask(one, *write.words, "--json")
    found = called(two, write.tool, full=True, **write.arguments)
    assert tree(one, without=".git") == tree(two, without=".git")
    refused = name in REFUSED_WRITES
    assert (found.failed, not said.out, tree(one, without=".git") == before) == (refused, refused, refused)
    if not refused:
        assert found.record == json.loads(said.out)


def test_one_table_lists_every_command() -> None:
    assert {operation.command.split()[2] for operation in OPERATIONS} == set(COMMANDS)
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)


def test_one_table_lists_every_tool_with_its_record() -> None:
    listed = {operation.tool: operation.kind for operation in OPERATIONS if operation.tool}
    assert set(listed) == set(TOOLS)
    assert set(listed.values()) == set(COMPACTED) == set(RECORDS)
    for kind in listed.values():
        assert kind in RENDERERS
        assert RECORDS[kind].__annotations__["kind"].__forward_arg__ == f"Required[Literal[{kind!r}]]"


@pytest.mark.parametrize("name", NAMES)
def test_the_compact_answer_is_that_of_the_record(name: str, tmp_path: Path) -> None:
    """The same question without ``full`` has the same answer, made short; text and structured content are one."""
    folder = place(name, tmp_path / "w")
    tools = {operation.name: operation.tool for operation in OPERATIONS}
    asked = [(tools[name], questions[0].arguments) for name, questions in QUESTIONS.items()]

    async def work(client: Client) -> list[tuple[Result, Result]]:
        return [
            (await call(client, tool, **arguments), await call(client, tool, full=True, **arguments))
            for tool, arguments in asked
        ]

    for small, whole in served(folder, work):
        assert small.failed == whole.failed
        if "error" in whole.record:
            assert small == whole
        else:
            assert small.record == json.loads(small.words) == compact(whole.record)


def test_every_operation_is_in_the_reference() -> None:
    headings = {
        line.removeprefix("## ").replace("`", "").strip()
        for line in REFERENCE.read_text(encoding="utf-8").splitlines()
        if line.startswith("## ")
    }
    assert {operation.command for operation in OPERATIONS} <= headings


def test_what_reads_alone_says_so() -> None:
    """An operation that the table says writes nothing has a tool that cannot write, and the other way round."""
    writers = {operation.tool for operation in OPERATIONS if operation.tool and operation.writes}
    assert writers == {name for name, tool in TOOLS.items() if tool.writes is not None}
