"""Random workspaces for the judge: the scenes of all properties, with what people do to their files besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from properties.strategies import scenes

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from scenes import Scene

FAULTS: Final[tuple[dict[str, Any], ...]] = (
    {"priority": "high"}, {"priority": 2.5}, {"priority": 1_000_001}, {"estimated_minutes": "long"},
    {"estimated_minutes": 0}, {"status": "pendign"}, {"depends_on": "n0"}, {"agent_id": "two words"}, {"due": "soon"},
    {"node_id": "no id"}, {"estimated_tokens": -5}, {"context_budget": -1},
)  # fmt: skip
"""What people write by mistake; the last two are a warning and count as absent."""


@st.composite
def workspaces(draw: DrawFn) -> Scene:
    """Draw a scene, then bend it: copied ids, wrong values, unknown words, deeper parts, edges to wholes and back."""
    scene: Scene = draw(scenes())
    for graph in scene["graphs"]:
        if graph["nodes"] and draw(st.integers(0, 1)):
            bend(draw, graph)
    if scene["graphs"] and draw(st.integers(0, 14)) == 0:
        scene["graphs"][-1]["graph_id"] = scene["graphs"][0]["graph_id"]
    scene["policy"]["merge_pressure_penalty"] = draw(st.sampled_from([0, 0.5, 2, 2, 2]))
    scene["policy"]["preset"] = draw(st.sampled_from(["balanced"] * 9 + ["rfc-0012"]))
    for row in scene["signals"].get("history", []):
        row["basis"] = draw(st.sampled_from(["this", "older", "older"]))
    return scene


def bend(draw: DrawFn, graph: dict[str, Any]) -> None:
    """Bend the nodes of a graph in one to three places."""
    rows = graph["nodes"]
    for _ in range(draw(st.integers(1, 3))):
        number = draw(st.integers(0, len(rows) - 1))
        row, above = rows[number], rows[draw(st.integers(0, number))]
        match draw(st.integers(0, 9)):
            case 0:
                row |= draw(st.sampled_from(FAULTS))
            case 1:
                status = draw(st.sampled_from([row["status"], "completed", "cancelled", "pending"]))
                rows.append({**row, "status": status})
            case 2 if graph["status"] == "active":
                row["foreign"]["status"] = "in review"
            case 3 if not any("status" in one["foreign"] for one in rows):
                graph["status"] = draw(st.sampled_from(["actve", "cancelled"]))
            case 4:
                graph["foreign"] = {"ambiguous": ["twin"]}
                row["depends_on"] = [*depends_on(row), "twin"]
            case 5:
                graph["foreign"] = {"numbered": True}
            case edge if above is not row:
                join(edge, row, above)


def join(edge: int, row: dict[str, Any], above: dict[str, Any]) -> None:
    """Join two nodes: one depends on its whole or on the other, the other on it, or it becomes a part of the other."""
    match edge:
        case 6:
            row["depends_on"] = [*depends_on(row), str(row["foreign"].get("parent", above["node_id"]))]
        case 7:
            above["depends_on"] = [*depends_on(above), str(row["node_id"])]
        case _:
            row["foreign"]["parent"] = above["node_id"]


def depends_on(row: dict[str, Any]) -> list[str]:
    """Give what a row depends on, as far as that is a list."""
    found = row.get("depends_on", [])
    return list(found) if isinstance(found, list) else []
