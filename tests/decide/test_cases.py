"""One decision a file: every case under ``tests/cases`` says why, from which scene, and what is right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from git_sched.decide.ready.reasons import reasons
from git_sched.model.screen import Screen
from git_sched.render import renderer
from git_sched.render.markdown import summary
from git_sched.render.text import explain as explain_text
from git_sched.render.text import next as next_text
from git_sched.render.text import status as status_text
from git_sched.report import explain as explanation
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from git_sched.report.ranking import build_points
from git_sched.report.status import build_status
from git_sched.report.waiting import explain_reason
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from git_sched.decide.pipeline import Answer

CASES: Final = sorted((Path(__file__).parents[1] / "cases").glob("*/*.yaml"))
SCREEN: Final = Screen(utf8=True, verbose=True)
"""A pipe, with the numbers."""

KEYS: Final = {"why", "graphs", "policy", "signals", "now", "clock", "request", "expect"}

Expected = Any
"""What a case says in YAML; each check knows its own shape."""


class _Plain(yaml.SafeLoader):
    """Reads dates as the text they are."""


_Plain.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:timestamp"]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


# From an answer to what a case expects of it


def name(answer: Answer, node: int) -> str:
    """Give the full name of a node."""
    return answer.metrics.node(node).name


def numbers(answer: Answer) -> dict[str, int]:
    """Give the number of every node by its full name."""
    return {node.name: i for i, node in enumerate(answer.metrics.network.nodes)}


def part_of(expected: Expected, found: Expected) -> Expected:
    """Cut what was found down to what a case speaks of; numbers are rounded to a millionth."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return {key: part_of(value, found.get(key, "nothing")) for key, value in expected.items()}
    if isinstance(found, float):
        return round(found, 6)
    return list(found) if isinstance(found, tuple) else found


def picks(answer: Answer, _: Expected) -> Expected:
    """Give the picks in order, each with its agent where it has one."""
    found = [(name(answer, p.node), p.context.agent_id) for p in answer.choice.picks]
    return [{node: agent} if agent else node for node, agent in found]


def scores(answer: Answer, expected: Expected) -> Expected:
    """Give the scores in the ranking before the first pick."""
    return part_of(expected, {name(answer, r.node): build_points(r.score) for r in answer.choice.ranking})


def picked_scores(answer: Answer, expected: Expected) -> Expected:
    """Give the scores of the picks, as they were when they were picked."""
    return part_of(expected, {name(answer, p.node): build_points(p.score) for p in answer.choice.picks})


def factors(answer: Answer, expected: Expected) -> Expected:
    """Give the rows behind scores."""
    ranking = build_next(answer)["ranking"]
    rows = {
        f"{row['graph_id']}/{row['node_id']}": {line["factor"]: dict(line) for line in row["factors"]}
        for row in ranking
    }
    return part_of(expected, rows)


def held(answer: Answer, expected: Expected) -> Expected:
    """Give the gates that hold nodes; all held nodes must be named."""
    rows = {f"{h['graph_id']}/{h['node_id']}": dict(h) for h in build_next(answer)["held"]}
    return part_of({row: expected.get(row, {}) for row in rows}, rows)


def why_not(answer: Answer, expected: Expected) -> Expected:
    """Give the reasons why nodes are not ready: the first one as a word or in parts, or all of them in a list."""
    metrics = answer.metrics
    found: dict[str, Expected] = {}
    for node, wanted in expected.items():
        all_reasons = reasons(metrics.readiness, numbers(answer)[node])
        if isinstance(wanted, list):
            found[node] = [reason.kind for reason in all_reasons]
        elif isinstance(wanted, str):
            found[node] = metrics.readiness.state[numbers(answer)[node]]
        else:
            first = all_reasons[0]
            parts = {"kind": first.kind, "nodes": [name(answer, i) for i in first.nodes], "text": first.text}
            found[node] = part_of(wanted, {**parts, "says": explain_reason(metrics, first)})
    return found


def problems(answer: Answer, expected: Expected) -> Expected:
    """Give the problems; what a case says of message and hint must stand somewhere in them."""
    found = []
    for n, problem in enumerate(answer.problems):
        wanted = expected[n] if n < len(expected) else {}
        row = part_of(wanted, problem._asdict()) if wanted else {"code": problem.code, "message": problem.message}
        for key in ("message", "hint"):
            if key in wanted and wanted[key] in row[key]:
                row[key] = wanted[key]
        found.append(row)
    return found


def minutes(answer: Answer, expected: Expected) -> Expected:
    """Give the size of nodes in the unit of the answer, and the estimate that it comes from."""
    estimates, number = answer.metrics.estimates, numbers(answer)
    sizes = {n: f"{estimates.sizes[number[n]]:g} {estimates.unit}" for n in expected}
    return {n: f"{sizes[n]}, {estimates.sources[number[n]] or 'assumed'}" for n in expected}


def record(answer: Answer, expected: Expected) -> Expected:
    """Give parts of the record of ``next``; of its first decision under ``decision``."""
    found = dict(build_next(answer))
    rows = build_next(answer)["decisions"]
    return part_of(expected, {**found, "decision": dict(rows[0]) if rows else None})


def explained(answer: Answer, expected: Expected) -> Expected:
    """Give parts of the record of ``explain`` for some nodes."""
    return {
        node: part_of(wanted, dict(explanation.build_explanation(answer, node))) for node, wanted in expected.items()
    }


def missing(expected: list[str], text: str) -> list[str]:
    """Give back the lines that a text holds, and the text itself where it lacks one."""
    return expected if all(line in text for line in expected) else [text]


def next_says(answer: Answer, expected: Expected) -> Expected:
    """Look for pieces of what ``next -v`` prints, the line that counts included."""
    record = build_next(answer)
    return missing(expected, next_text.render(record, SCREEN) + next_text.summarize(record))


def status_says(answer: Answer, expected: Expected) -> Expected:
    """Look for pieces of what ``status -v`` prints."""
    return missing(expected, status_text.render(build_status(answer, sources=(), log_rows=()), SCREEN))


def explain_says(answer: Answer, expected: Expected) -> Expected:
    """Look for pieces of what ``explain -v`` prints for some nodes."""
    return {
        node: missing(wanted, explain_text.render(explanation.build_explanation(answer, node), SCREEN))
        for node, wanted in expected.items()
    }


def summary_says(answer: Answer, expected: Expected) -> Expected:
    """Look for pieces of the job summary."""
    return missing(expected, summary.render(build_next(answer)))


def status_page(answer: Answer, expected: Expected) -> Expected:
    """Look for pieces of the page that shows the status."""
    return missing(expected, renderer("status", "html")(build_status(answer, sources=(), log_rows=())))


def renders(answer: Answer, expected: Expected) -> Expected:
    """Look for pieces of what ``next`` gives in other formats."""
    record = build_next(answer)
    return {form: missing(wanted, renderer("decision", form)(record)) for form, wanted in expected.items()}


def _planned(row: Mapping[str, Any]) -> str:
    times = "" if row["start"] is None else f"{row['start']:g}-{row['end']:g} "
    return f"{times}{row['agent_id'] or row['lane'] or '-'} {row['graph_id']}/{row['node_id']}"


def plan(answer: Answer, expected: Expected) -> Expected:
    """Give parts of the record of ``plan`` for so many agents, rows in a few words, and look for pieces of its text."""
    found: dict[str, Any] = dict(build_forecast(answer, limit=expected.get("for")))
    short = {
        "for": expected.get("for"),
        "rows": [_planned(row) for row in found["tasks"]],
        "cannot start": {f"{r['graph_id']}/{r['node_id']}": f"{r['kind']}: {r['why']}" for r in found["unstarted"]},
        "critical path": [f"{r['after']} {r['graph_id']}/{r['node_id']}" for r in found["critical"]],
        "says": missing(expected.get("says", []), renderer("forecast", "text")(found)),
        "page": missing(expected.get("page", []), renderer("forecast", "html")(found)),
    }
    return part_of(expected, {**found, **short})


CHECKS: Final[Mapping[str, Callable[[Answer, Expected], Expected]]] = {
    "outcome": lambda answer, _: answer.outcome,
    "picks": picks,
    "order": lambda answer, _: [name(answer, r.node) for r in answer.choice.ranking],
    "scores": scores,
    "picked_scores": picked_scores,
    "factors": factors,
    "held": held,
    "skipped": lambda answer, _: [name(answer, s.node) for s in answer.choice.skipped],
    "ready": lambda answer, _: sorted(name(answer, i) for i in answer.metrics.ready),
    "reasons": why_not,
    "problems": problems,
    "not reported": lambda answer, _: [problem.code for problem in answer.finished_problems],
    "minutes": minutes,
    "record": record,
    "explain": explained,
    "plan": plan,
    "next says": next_says,
    "status says": status_says,
    "explain says": explain_says,
    "summary says": summary_says,
    "status page": status_page,
    "renders": renders,
}


@pytest.mark.parametrize("path", CASES, ids=[f"{path.parent.name}/{path.stem}" for path in CASES])
def test_case(path: Path) -> None:
    case = yaml.load(path.read_bytes(), Loader=_Plain)  # noqa: S506 - a safe loader without dates
    assert set(case) <= KEYS
    assert case["why"]
    expected = case["expect"]
    answer = answer_to(case)
    found = {key: CHECKS[key](answer, value) for key, value in expected.items()}
    assert found == expected, case["why"]
