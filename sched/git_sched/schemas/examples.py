"""Examples for the schemas: two files as people write them, and what git-sched answers to them."""

from __future__ import annotations

import json
from typing import Any, Final

from git_sched import answers
from git_sched.basis import Basis
from git_sched.choice import Request
from git_sched.explain import explain
from git_sched.forecast import forecast
from git_sched.formats import native, policy_file
from git_sched.formats.base import Blob, Source
from git_sched.pipeline import Answer, Inputs, decide
from git_sched.render import renderer
from git_sched.signals import Signals

GRAPH: Final[dict[str, Any]] = {
    "graph_id": "hotfixes",
    "title": "Hotfixes",
    "nodes": [
        {
            "node_id": "login-loop",
            "title": "Stop the login redirect loop",
            "repository": "shop/web",
            "priority": 3,
            "estimated_minutes": 25,
        },
        {"node_id": "release-notes", "title": "Write the notes", "depends_on": ["login-loop"]},
    ],
}
POLICY: Final[dict[str, Any]] = {
    "version": 1,
    "preset": "balanced",
    "weights": {"urgency": 2.0, "affinity": 1.5},
    "graph_overrides": {"hotfixes": {"urgency": 4.0}},
    "agent_pool": ["agent-1", "agent-2"],
    "limits": {"total": 8, "per_repository": 2, "per_agent": 1},
    "redispatch_after": "4h",
    "dispatch": {"template_id": "repo-implementer", "vendor": "claude_code"},
}
EVENT: Final[dict[str, Any]] = {
    "event_id": "0f343b0931126a20f133d67c2b018a3b",
    "type": "ScheduleDecision",
    "at": "2026-11-02T09:00:00Z",
    "source": "scheduler",
    "payload": {
        "decision_id": "e14eb2fee6d956ba3d291208dab9e47c",
        "graph_id": "hotfixes",
        "node_id": "login-loop",
        "score": 4.083333,
        "skipped": False,
        "reasons": ["urgency +2.000: its own priority, 3"],
    },
}


def examples(name: str) -> list[Any]:
    """Give examples for the schema of a name; none where the answer needs more than two files."""
    written: dict[str, Any] = {"graph": GRAPH, "policy": POLICY, "event": EVENT}
    if name in written:
        return [written[name]]
    answer = _answer()
    decisions = answers.decisions(answer)
    made: dict[str, Any] = {
        "decision": decisions,
        "record": decisions,
        "status": answers.status(answer, sources=(), log_rows=()),
        "forecast": forecast(answer),
        "explanation": explain(answer, "release-notes"),
        "check": answers.check(answer, answer.problems),
    }
    if name in made:
        return [made[name]]
    return [json.loads(renderer("decision", name)(decisions))] if name == "dispatch-plan" else []


def _answer() -> Answer:
    path = ".metagit/tasks/graphs/hotfixes.json"
    parsed = native.parse(Source("native", path, (Blob(path, json.dumps(GRAPH).encode()),)))
    policy = policy_file.parse(Blob(policy_file.PLACES[-1], json.dumps(POLICY).encode())).policy
    inputs = Inputs(parsed.graphs, policy, Signals(), Basis(revision=None, inputs=(), now=None))
    return decide(inputs, Request(limit=1))
