"""The whole answer, as a slow and literal reader of the rules gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from naive import picking
from naive.readiness import open_nodes, outcome, ready_nodes, reasons, state
from naive.reading import read

if TYPE_CHECKING:
    from naive.reading import Plain


def judge(scene: Plain) -> Plain:
    """Answer a scene, by names.

    ``reasons`` are those of open nodes that do not run. ``held`` has every gate of each node kept back at the end,
    ``held_from_the_start`` those kept back before anything is picked.
    """
    world = read(scene)
    ranking, picks = picking.rank(world), picking.pick(world)
    skipped = picking.skip(world, ranking, picks)
    held = picking.hold(world, ranking, picks, skipped)
    waiting = [name for name in open_nodes(world) if world["nodes"][name]["status"] != "running"]
    return {
        "in_error": set(world["in_error"]),
        "states": {name: state(world, name) for name in world["nodes"]},
        "reasons": {name: list(reasons(world, name)) for name in waiting},
        "waits for": {name: set(reasons(world, name).get("waits_for", [])) for name in waiting},
        "ready": set(ready_nodes(world)),
        "order": [one["name"] for one in ranking],
        "rows": {one["name"]: one["rows"] for one in ranking},
        "picks": [(one["name"], one["agent"], one["warm"]) for one in picks],
        "rows of picks": {one["name"]: one["rows"] for one in picks},
        "skipped": [one["name"] for one in skipped],
        "outcome": outcome(world, picks=bool(picks), kept=bool(held or skipped)),
        "held": held,
        "held_from_the_start": picking.hold_from_the_start(world),
    }
