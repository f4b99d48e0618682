"""Law 7 through every renderer: records in which every text is hostile, judged by parsers that are not ours."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judges
from git_sched.model.ids import is_id
from git_sched.model.problems import RequestError
from git_sched.render import RENDERERS, renderer
from git_sched.report import explain
from git_sched.report.basis import build_problems
from git_sched.report.check import build_check
from git_sched.report.diff import build_comparison
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from git_sched.report.status import build_status
from git_sched.workspace.stored_records import IDS, NAMES, TIMES, WORDS, parse
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scenes import Scene

HOSTILE: Final = (
    "::error file=x::stop", "\n::set-output name=next::evil", "##[group]x", "##[error]x", "%0A::warning::x", "%25",
    "ghadelimiter\nnext<<x\nevil\nx", "next=evil", "-->", "<!-- git-sched:v1 workspace=. key=default run=9.9 -->",
    "`", "``` \n```",
    "|", "\\|", "\\", "| a | b |\n|---|---|", "@org/team", "@octocat", "#1", "owner/repo#12", "GH-12", "a@b.example",
    "\u202eabc", "\u2066x\u2069", "\u200b", "\ufeff", "\U000e0041\U000e007f", "\u0000", "\u001b[31m", "\u2028", "\x85",
    '"]', '"]; click n1 href "https://evil.example"', "%%{init: {'theme':'x'}}%%", "click n1 href", "</details>",
    "<img src=x onerror=alert(1)>", "![x](https://evil.example/x.png)", "[x](javascript:alert(1))",
    "javascript:alert(1)", "https://github.com/o/r/issues/1", "www.evil.example", "<https://evil.example>", "# heading",
    "- [ ] task", "> quote",
    "1. one", "***", "~~x~~", "_x_", "**x**", "$x$", "$a/b$", "$$x$$",
    ":+1:", "&lt;script&gt;", "&#64;octocat", "deadbeefdeadbeef",
    "a\u0301\u0301\u0301", "x\u034f\u115f\u17b4\u180b", "x\ufe00\U000e0101\U000e01ef",
    "a\u00a0b\u3000c", "\ue000\U0010fffd\ufdd0",
    "\U0001f468\u200d\U0001f469", "\U0001f1e9\U0001f1ea", "\ud800", "setext\n===", "\tcode", "",
)  # fmt: skip

TEXTS: Final = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=20) | st.just("word"), min_size=1, max_size=5).map(
    " ".join
) | st.sampled_from(HOSTILE)

FIXED: Final = frozenset(
    {
        "kind",
        "outcome",
        "severity",
        "decided_by",
        "base",
        "result",
        "repositories",
        "gate",
        "after",
        "on_cancelled",
        "unit",
        "minutes_from",
    }
)
"""Keys whose words are ours: a schema lets no others through."""

CODES: Final = frozenset({"digest", "key"})
"""Keys whose words are ours, which a stored record could still forge."""


def scene(status: str = "pending") -> Scene:
    """Give tasks that are picked, lower-ranked, held, blocked, running and in error."""
    return {
        "graphs": [
            {
                "graph_id": "g",
                "title": "Graph",
                "nodes": [
                    {"node_id": "a", "title": "Title", "repository": "o/r", "status": status, "estimated_minutes": 5},
                    {"node_id": "b", "title": "Title", "repository": "o/s", "agent_id": "ann"},
                    {"node_id": "c", "title": "Title", "status": "blocked", "blocker_reason": "Reason"},
                    {"node_id": "d", "title": "Title", "status": "running", "repository": "o/r", "paths": ["src/**"]},
                    {"node_id": "e", "title": "Title", "depends_on": ["b", "d"]},
                    {"node_id": "f", "title": "Title", "repository": "o/r", "paths": ["src/x.py"]},
                    {"node_id": "h", "title": "Title", "depends_on": ["nobody"]},
                    {"node_id": "odd", "title": "Title", "colour": 1},
                ],
            }
        ],
        "signals": {"merge_queue": {"o/s": 4}},
        "request": {"limit": 3},
    }


BEFORE, AFTER = answer_to(scene()), answer_to(scene("completed"))
BASIS: Final = {"base": "1" * 40, "revision": "2" * 40, "head": "3" * 40, "requested": "HEAD^1", "workspace": "w"}


def _records() -> dict[str, Mapping[str, Any]]:
    told: Any = {**BASIS, "now": None, "now_source": "commit"}
    comparison: Any = build_comparison(BEFORE, AFTER, by_base_policy=AFTER, compared=told, missing="")
    return {
        "decision": build_next(BEFORE),
        "comparison": {
            **comparison,
            "changes": {
                **(comparison["changes"] or {}),
                "broken": [{"path": "Path", "tasks": 2, "problem": row} for row in build_problems(BEFORE.problems)],
                "repaired": ["Path"],
                "deleted": ["Path"],
            },
            "problems": build_problems(BEFORE.problems),
            "new_errors": 1,
            "new_warnings": 1,
            "policy_changes": [{"key": "weights.urgency", "old": "2.0", "new": "Text"}],
        },
        "status": build_status(BEFORE, sources=(("g.json", "native", ("g",)),), log_rows=()),
        "forecast": build_forecast(BEFORE),
        "explanation": explain.build_explanation(BEFORE, "a"),
        "check": build_check(BEFORE, BEFORE.problems),
        "verification": {
            "schema_version": 1, "kind": "verification", "log": "Text", "checked": 1, "verified": 0, "mismatched": 1,
            "not_checkable": 0,
            "rows": [{"line": 1, "decision_id": "Text", "node": "g/a", "result": "mismatch", "why": "Text"}],
        },
    }  # fmt: skip


RECORDS: Final = _records()


def poisoned(value: Any, change: Callable[[str, str], str], key: str = "") -> Any:  # noqa: ANN401 - JSON has no type
    """Give a copy of a record with its texts changed; ``change`` is told the key a text stands under."""
    match value:
        case dict():
            return {k: poisoned(item, change, k) for k, item in value.items()}
        case list():
            return [poisoned(item, change, key) for item in value]
        case str() if value and key not in FIXED:
            return change(key, value)
        case _:
            return value


def texts_only(text: str) -> dict[str, Any]:
    """Give the records with every text hostile, and ids as the schema demands them."""
    keep = IDS | NAMES | WORDS | TIMES | CODES | {"compile_command"}
    return {kind: poisoned(found, lambda key, old: old if key in keep else text) for kind, found in RECORDS.items()}


def everything(text: str) -> dict[str, Any]:
    """Give the records with every text hostile, ids and all."""
    return {kind: poisoned(found, lambda _, __: text) for kind, found in RECORDS.items()}


def rendered(records: Mapping[str, Any], *forms: str) -> Iterator[tuple[str, str, str]]:
    """Give kind, format and text of every rendering in some formats."""
    for kind, found in records.items():
        for form in RENDERERS[kind]:
            if form in forms:
                yield kind, form, renderer(kind, form)(found)


@given(TEXTS)
def test_markdown_keeps_its_shape(text: str) -> None:
    """The same blocks, rows and cells as with plain words, and nothing in them that marks up, links or mentions."""
    plain = [judges.blocks(found) for _, _, found in rendered(texts_only("word"), "summary", "comment")]
    for (_, _, found), usual in zip(rendered(texts_only(f"x{text}"), "summary", "comment"), plain, strict=True):
        assert judges.blocks(found) == usual
        judges.check_markdown(found)


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_keeps_every_hostile_text_harmless(text: str) -> None:
    """Alone and behind a word: what GitHub makes a link of need not stand at the beginning."""
    for _, _, found in rendered(texts_only(f"see {text}"), "summary", "comment"):
        judges.check_markdown(found)
    for _, _, found in rendered(everything(text), "summary", "comment"):
        judges.check_markdown(found)


@given(TEXTS)
def test_markdown_is_safe_also_with_forged_ids(text: str) -> None:
    for _, _, found in rendered(everything(text), "summary", "comment"):
        judges.check_markdown(found)
        assert not list(judges.commands(found))


@given(TEXTS)
def test_pages_keep_their_shape(text: str) -> None:
    """The same elements as with plain words, and nothing in them that loads, links or runs; forged ids and all."""
    plain = [judges.check_html(found) for _, _, found in rendered(texts_only("word"), "html")]
    assert len(plain) == 3
    for (kind, _, found), usual in zip(rendered(texts_only(f"x{text}"), "html"), plain, strict=True):
        assert judges.check_html(found) == usual, kind
    for _, _, found in rendered(everything(text), "html"):
        judges.check_html(found)


@given(TEXTS)
def test_outputs_are_those_that_were_meant(text: str) -> None:
    names = ["next", "next-json", "matrix", "has-work", "count", "outcome", "reason", "basis-kind"]
    for records in (texts_only(text), everything(text)):
        for _, _, found in rendered(records, "outputs"):
            read = judges.outputs(found)
            assert list(read) == names
            assert all(value.isascii() and "\n" not in value for value in read.values())
            assert read["next"] == "" or all(is_id(part) for part in read["next"].split("/"))
            check_matrix(read["matrix"])


@given(TEXTS)
def test_the_matrix_holds_ids_and_numbers_alone(text: str) -> None:
    for records in (texts_only(text), everything(text)):
        for _, _, found in rendered(records, "matrix"):
            check_matrix(found)


def check_matrix(text: str) -> None:
    """Assert that a matrix holds nothing but ids, slashes and numbers."""
    for row in json.loads(text)["include"]:
        for value in row.values():
            assert isinstance(value, int | float) or all(is_id(part) for part in value.split("/") if value)


@given(TEXTS)
def test_drawings_hold_nothing_foreign(text: str) -> None:
    for records in (texts_only(text), everything(text)):
        for _, _, found in rendered(records, "mermaid"):
            judges.check_mermaid(found)
        summary = renderer("decision", "summary")(records["decision"])
        assert summary.count("```") == 2


@given(TEXTS)
def test_a_log_holds_no_command_but_annotations(text: str) -> None:
    for kind, form, found in rendered(texts_only(text), *{form for forms in RENDERERS.values() for form in forms}):
        obeyed = list(judges.commands(found))
        if form == "github":
            assert {command.name for command in obeyed} <= {"error", "warning"}
            assert len(obeyed) == found.count("\n") == len(found.splitlines())
            assert all(set(command.properties) <= {"file", "line", "col", "title"} for command in obeyed)
        elif form != "outputs":
            assert not obeyed, (kind, form)


@given(TEXTS)
def test_a_stored_record_is_read_back_or_refused(text: str) -> None:
    for kind, found in texts_only(text).items():
        raw = renderer(kind, "json")(found).encode(errors="backslashreplace")
        assert parse(raw, name="record.json")["kind"] == kind


@pytest.mark.parametrize("key", ["graph_id", "node_id"])
@pytest.mark.parametrize("text", ["a b", "../x", "`", "a\n", "@team", "a..b", "-x"])
def test_a_stored_record_with_a_forged_id_is_refused(key: str, text: str) -> None:
    found = poisoned(RECORDS["decision"], lambda k, old: text if k == key else old)
    with pytest.raises(RequestError, match=f"{key} holds what cannot be there"):
        parse(json.dumps(found).encode(), name="record.json")


@pytest.mark.parametrize("kind", sorted(RECORDS))
def test_an_unknown_key_anywhere_is_refused(kind: str) -> None:
    found: Any = deepcopy(RECORDS[kind])
    parse(json.dumps(found).encode(), name="record.json")
    for forged in ({**found, "extra": 1}, {k: v for k, v in found.items() if k != "schema_version"}):
        with pytest.raises(RequestError, match=f"is no {kind}"):
            parse(json.dumps(forged).encode(), name="record.json")


def test_a_title_of_a_megabyte_is_cut_everywhere() -> None:
    for text in ("a" * 1_000_000, "\u0301" * 1_000_000, "\U0001f468" * 250_000, "|" * 1_000_000):
        for _, form, found in rendered(texts_only(text), "summary", "comment", "mermaid", "matrix", "html"):
            assert len(found.encode()) < 100_000, form
            if form in {"summary", "comment"}:
                judges.check_markdown(found)
