"""Examples for the schemas: a graph and a policy as people write them, and what git-sched prints for them."""

from __future__ import annotations

import json
from typing import Any, Final

from git_sched import record
from git_sched.decide.factors import FACTOR_NAMES
from git_sched.decide.pipeline import Answer, decide
from git_sched.formats import native, policy_file
from git_sched.formats.base import Source
from git_sched.model.basis import Basis
from git_sched.model.blob import Blob
from git_sched.model.inputs import Inputs
from git_sched.model.request import Request
from git_sched.model.signals import Signals
from git_sched.render import renderer
from git_sched.report.check import build_check
from git_sched.report.diff import build_comparison
from git_sched.report.explain import build_explanation
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from git_sched.report.policy import build_policy
from git_sched.report.status import build_status

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
VERIFICATION: Final[dict[str, Any]] = {
    "schema_version": 1,
    "kind": "verification",
    "log": ".metagit/schedule/decisions.jsonl",
    "checked": 2,
    "verified": 1,
    "mismatched": 0,
    "not_checkable": 1,
    "rows": [
        {
            "line": 1,
            "decision_id": "e14eb2fee6d956ba3d291208dab9e47c",
            "node": "hotfixes/login-loop",
            "result": "not-checkable",
            "why": "commit 4f2c9d1 is not here",
        }
    ],
}


RELEASE: Final[dict[str, Any]] = {
    "schema_version": 1,
    "kind": "release",
    "graph_id": "hotfixes",
    "node_id": "login-loop",
    "title": "Stop the login redirect loop",
    "agent_id": "agent-1",
    "at": "2026-11-02T11:30:00Z",
    "taken_at": "2026-11-02T10:15:00Z",
    "qualified": True,
}


def examples(name: str) -> list[Any]:
    """Return examples for the schema with a name."""
    written: dict[str, Any] = {"graph": GRAPH, "policy": POLICY, "event": EVENT, "verification": VERIFICATION,
                               "release": RELEASE}  # fmt: skip
    if name in written:
        return [written[name]]
    answer = _answer(GRAPH)
    decisions = build_next(answer)
    made: dict[str, Any] = {
        "decision": decisions,
        "record": decisions,
        "status": build_status(answer, sources=(), log_rows=()),
        "forecast": build_forecast(answer),
        "explanation": build_explanation(answer, "release-notes"),
        "check": build_check(answer, answer.problems),
    }
    if name == "comparison":
        return [_comparison(answer)]
    if name == "policy-record":
        return [_policy(answer)]
    return [made[name] if name in made else json.loads(renderer("decision", name)(decisions))]


def _comparison(before: Answer) -> record.ComparisonRecord:
    first, *others = GRAPH["nodes"]
    after = _answer({**GRAPH, "nodes": [{**first, "status": "completed"}, *others]})
    told: record.ComparedRecord = {
        "base": "4f2c9d1" + 33 * "0",
        "revision": "9be01aa" + 33 * "0",
        "head": "9be01aa" + 33 * "0",
        "requested": "main",
        "workspace": "",
        "now": None,
        "now_source": "unused",
    }
    return build_comparison(before, after, by_base_policy=None, compared=told, missing="")


def _policy(answer: Answer) -> record.PolicyRecord:
    policy = answer.metrics.policy
    return {
        "schema_version": 1,
        "kind": "policy",
        "path": policy.path,
        "policy": build_policy(policy),
        "presets": {"in_force": policy.preset},
        "problems": [],
    }


def _answer(graph: dict[str, Any]) -> Answer:
    path = ".metagit/tasks/graphs/hotfixes.json"
    parsed = native.parse(Source("native", path, (Blob(path, json.dumps(graph).encode()),)))
    policy = policy_file.parse(
        Blob(policy_file.POLICY_PATHS[-1], json.dumps(POLICY).encode()), factors=FACTOR_NAMES
    ).policy
    inputs = Inputs(parsed.graphs, policy, Signals(), Basis(revision=None, inputs=()))
    return decide(inputs, Request(limit=1))
