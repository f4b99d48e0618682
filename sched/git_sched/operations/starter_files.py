"""The files that ``init`` writes: an example graph, a policy with every key explained, and ignore lines."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Final

from git_sched.decide.factors import FACTORS
from git_sched.formats.policy_file import OWN_PATH
from git_sched.model.keys import ByFactor, Table, write_default
from git_sched.model.policy import KEYS, METAGIT_FACTORS, METAGIT_KEYS, PRESETS, Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_sched.model.keys import Key

GRAPH_PATH: Final = ".metagit/tasks/graphs/tasks.yml"
POLICY_PATH: Final = OWN_PATH
IGNORE_PATH: Final = ".gitignore"

LOGS: Final = (".metagit/schedule/decisions.jsonl", ".metagit/events/")
"""The ignore lines for the logs of --record and --dispatch."""

IGNORE: Final = "# what git sched next --record and --dispatch log"

GRAPH: Final = """\
# A task graph: what is to be done, and what waits for what. Ask with: git sched next
graph_id: tasks
title: An example, to be replaced by your own tasks
nodes:
  - node_id: first-step
    title: Do what everything else waits for
    priority: 2                # higher wins; 0 where it is not given
    estimated_minutes: 30
  - node_id: second-step
    title: Do what waits for the first step
    depends_on: [first-step]   # ids of this graph, or graph_id/node_id of another
    estimated_minutes: 60
    # status: completed        # pending (as here), running, blocked, completed, cancelled
    # repository: owner/name   # where the work happens: a warm worktree there counts
    # agent_id: agent-1        # who it is assigned to
    # due: 2027-01-31
    # paths: [src/**]          # files it will touch; tasks that touch the same are kept apart
  - node_id: beside-it
    title: Do what waits for nothing
    estimated_minutes: 15
"""

POLICY_HEAD: Final = """\
# How git sched chooses. Every key but the version may be left out. A value in a comment is the default, or an
# example where the default is given in words.
"""


def build_policy() -> str:
    """Write the starter policy from the table of keys: each with its meaning, and its default or an example."""
    return f"{POLICY_HEAD}\n" + "\n".join(line for name, key in KEYS.items() for line in _key(name, key))


def build_metagit_policy() -> str:
    """Write metagit's policy with its defaults, as metagit itself writes it."""
    weights = dict.fromkeys(METAGIT_FACTORS, 0.0) | PRESETS["rfc-0012"]
    defaults = {name: getattr(Policy(), name) for name in METAGIT_KEYS}
    return json.dumps({**defaults, "weights": weights, "graph_overrides": {}}, indent=2) + "\n"


def _key(name: str, key: Key) -> Iterator[str]:
    yield from textwrap.wrap(_meaning(key), 118, initial_indent="# ", subsequent_indent="# ")
    match key.kind:
        case Table(keys):
            yield f"# {name}:"
            yield from _align((f"#   {inner}: {_value(own)}", _meaning(own)) for inner, own in keys.items())
        case ByFactor():
            weights = Policy().base_weights()
            yield f"# {name}:"
            yield from _align((f"#   {f.name}: {weights.get(f.name, 0.0)}", f.summary) for f in FACTORS)
        case _:
            yield f"{'' if key.required else '# '}{name}: {_value(key)}"
    yield ""


def _meaning(key: Key) -> str:
    return f"{key.meaning} Default: {key.absent}." if key.absent else key.meaning


def _value(key: Key) -> str:
    """Give the default as the file has it, or an example where there is none."""
    return write_default(key) or key.example


def _align(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    found = list(rows)
    width = max(len(row) for row, _ in found)
    return (f"{row:{width}}  # {meaning}" for row, meaning in found)
