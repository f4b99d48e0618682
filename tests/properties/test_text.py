"""Law 7: no text in a task changes the structure of any output."""

from __future__ import annotations

import json
import unicodedata
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from hypothesis import given
from hypothesis import strategies as st

import judges
from git_sched.render import RENDERERS, renderer
from git_sched.report import explain
from git_sched.report.check import build_check
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from git_sched.report.status import build_status
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scenes import Scene

HOSTILE: Final = (
    "first line\nsecond line",
    "::error::stop\r\n::set-output name=next::evil",
    "##[error]stop",
    "\u001b[31mred\u001b[0m\u0007",
    "right\u202eto\u2066left\u200b\u2028next\u0085line",
    "tag\U000e0041\U000e007f",
    "hidden\ufe00\U000e0101\U000e01ef behind\u034f\u115f letters",
    "wide\u3000and\u00a0fixed\u2003spaces, private\ue000 use, nothing\U000e0fff, blank\U0001d159\U00016fe4",
    "| cell | # heading\n---\n- [x] item",
    "<script>alert(1)</script></details><!--",
    "%0A::warning::x %25",
    "@everyone closes #1 javascript:alert(1)",
    '"]; click n1 href "x" %%{init: {}}%%',
    "$(touch PWNED) `touch PWNED` ; rm -rf ~",
    "{0} {text} %s %(x)s \\n \\u0000",
    "\u0000",
    " \t ",
    "",
)
TEXTS: Final = st.sampled_from(HOSTILE) | st.text(max_size=400)

GRAPH: Final = ".metagit/tasks/graphs/0.json"


def scene(text: str) -> Scene:
    """Write a text wherever a task file may hold one, in nodes that are picked, held, blocked, at work and in error."""
    return {
        "graphs": [
            {
                "graph_id": "g",
                "title": text,
                "nodes": [
                    {"node_id": "a", "title": text, "labels": [text], "acl": {"acl_commands": [text]}},
                    {"node_id": "b", "title": text, "agent_id": "ann"},
                    {"node_id": "c", "title": text, "status": "blocked", "blocker_reason": text},
                    {"node_id": "d", "title": text, "status": "running"},
                    {"node_id": "e", "title": text, "depends_on": ["c", "d"]},
                    {"node_id": "odd", "title": text, "foreign": {"status": f"?{text}"}},
                    {"node_id": "wrong-status", "status": f"?{text}"},
                    {"node_id": "wrong-id", "depends_on": [f"?{text}"]},
                    {"node_id": "wrong-type", "title": {"a": text}, "priority": text},
                    {"node_id": "wrong-name", "repository": f"?{text}", "due": text},
                    {"node_id": "wrong-key", f"?{text}": 1},
                    {"node_id": f"?{text}"},
                ],
            }
        ],
        "request": {"limit": 3, "agents": ["bob"]},
    }


def records(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give a record of every kind, each with where it comes from."""
    answer = answer_to(scene(text))
    yield "decision", build_next(answer)
    yield "status", build_status(answer, sources=(("g.json", "native", ("g",)),), log_rows=())
    yield "forecast", build_forecast(answer)
    for name in ("a", "b", "c", "d", "e", "odd", "wrong-status"):
        yield "explanation", explain.build_explanation(answer, name)
    yield "check", build_check(answer, answer.problems)


PLAIN: Final = [deepcopy(record) for _, record in records("xplain")]
NOTHING: Final = [deepcopy(record) for _, record in records("")]


def printed(kind: str, record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give a record in every line-based format."""
    for form in RENDERERS[kind]:
        if form in {"text", "ids", "github"}:
            yield form, renderer(kind, form)(record)


@given(TEXTS)
def test_lines_stay_what_they_are(text: str) -> None:
    """As many lines as with a plain text, nothing invisible in them, and no command for whoever reads the log."""
    for (kind, record), plain in zip(records(f"x{text}"), PLAIN, strict=True):
        for (form, found), (_, usual) in zip(printed(kind, record), printed(kind, plain), strict=True):
            assert len(found.splitlines()) == found.count("\n") == usual.count("\n"), (kind, form)
            assert not {unicodedata.category(c) for c in found if c != "\n"} & {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"}
            assert not judges.UNSEEN.search(found)
            for line, model in zip(found.splitlines(), usual.splitlines(), strict=True):
                assert line.startswith("::") == model.startswith("::")
                assert line.partition(" ")[0].startswith("::error") == model.partition(" ")[0].startswith("::error")
                assert "##[" not in line


@given(st.text("\0\t \n\u202e\u2028\u200b\u034f\u3164\ufe00\U000e0101", max_size=5))
def test_a_text_of_which_nothing_can_be_seen_is_as_none(text: str) -> None:
    for (kind, record), empty in zip(records(text), NOTHING, strict=True):
        for (form, found), (_, usual) in zip(printed(kind, record), printed(kind, empty), strict=True):
            assert found.count("\n") == usual.count("\n"), (kind, form)


@given(TEXTS)
def test_json_holds_the_text_and_nothing_else_changes(text: str) -> None:
    for kind, record in records(text):
        found = json.loads(renderer(kind, "json")(record))
        assert found == json.loads(json.dumps(record))
        if kind == "decision":
            pick = found["decisions"][0]
            assert (pick["title"], pick["acl_commands"]) == (text, [text])


@given(TEXTS)
def test_only_ids_are_printed_where_ids_are_asked_for(text: str) -> None:
    answer = answer_to(scene(text))
    assert renderer("decision", "ids")(build_next(answer)) == "a\nwrong-key\n"


@given(TEXTS)
def test_every_problem_names_what_it_is_about(text: str) -> None:
    """Whatever the wrong value is, the same problems are found, each with its line."""
    found = answer_to(scene(text)).problems
    usual = answer_to(scene("plain")).problems
    assert [(problem.code, problem.line) for problem in found if problem.line] == [
        (problem.code, problem.line) for problem in usual if problem.line
    ]
