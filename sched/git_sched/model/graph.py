"""The task graph as values: a node is one task, a graph is the nodes of one file, folder or tag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from git_sched.model.ids import order_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from git_sched.model.ids import IdKey

STATUSES: Final = ("pending", "ready", "blocked", "running", "completed", "cancelled")
"""The words a node's status may have; ``ready`` in a file is a claim and proves nothing."""

GRAPH_STATUSES: Final = ("active", "completed", "cancelled")

FINISHED: Final = frozenset({"completed", "cancelled"})

PRIORITY_LIMIT: Final = 1_000_000
DEFAULT_TOKENS: Final = 1_000


class Spot(NamedTuple):
    """Names a value inside a graph's source: the node by its number from 0, the key, and the item of a list from 0.

    Node ``-1`` is the graph itself, item ``-1`` the whole value. With ``at_key`` the key is meant, not its value.
    """

    node: int
    key: str = ""
    item: int = -1
    at_key: bool = False


class Place(NamedTuple):
    """Where a spot is: the file, and the line and column from 1 where they are known."""

    path: str
    line: int | None = None
    column: int | None = None


class Locate(Protocol):
    """Finds spots in a graph's source; called once for all spots, and only when there is something to report."""

    def __call__(self, spots: Collection[Spot], /) -> Mapping[Spot, Place]:
        """Return the place of each spot; one that is not found has the place of its node or file."""


class Node(NamedTuple):
    """One task.

    ``repository`` is the full name (``p/r``), ``repository_name`` the name in the file. Times are seconds since 1970;
    ``created_at`` and ``deferred_until`` mean the start of a day, ``due`` its end. ``number`` counts the nodes of
    its source from 0. ``parent`` makes the node a part of another node of the same graph. ``priority_text`` is the
    priority in the tracker's own word, such as ``P1`` or ``high``.
    """

    graph_id: str
    node_id: str
    number: int
    title: str = ""
    depends_on: tuple[str, ...] = ()
    status: str = "pending"
    priority: int = 0
    priority_text: str | None = None
    estimated_tokens: int | None = None
    context_budget: int | None = None
    estimated_minutes: float | None = None
    project: str | None = None
    repository: str | None = None
    repository_name: str | None = None
    agent_id: str | None = None
    due: int | None = None
    created_at: int | None = None
    deferred_until: int | None = None
    paths: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    blocker_reason: str | None = None
    acl_commands: tuple[str, ...] = ()
    parent: str | None = None
    ordinal: float | None = None

    @property
    def name(self) -> str:
        """The full name, ``graph/node``, which can be pasted into any command."""
        return f"{self.graph_id}/{self.node_id}"

    @property
    def tokens(self) -> int:
        """The effective tokens: the estimate, else the context budget, else 1000."""
        if self.estimated_tokens is not None:
            return self.estimated_tokens
        return DEFAULT_TOKENS if self.context_budget is None else self.context_budget


def node_order(node: Node, *, numbered: bool, as_metagit: bool = False) -> tuple[IdKey, str]:
    """Give the key that nodes are numbered by, and so the rule for ties: of equal nodes, the first in this order wins.

    Ids of trackers that number their tasks come first, by ordinal and then by number, all others by code points; the
    same id in two graphs goes by the graph's id or, ``as_metagit``, by the name of the file in which metagit keeps it.
    ``numbered`` is that of the node's graph.
    """
    graph = f"{node.graph_id}.json" if as_metagit else node.graph_id
    return order_key(node.node_id, numbered=numbered, ordinal=node.ordinal), graph


class BrokenNode(NamedTuple):
    """A node in error: others wait for it, and it is never offered. The id is ``None`` where even that is unusable.

    ``parent`` is the node of the same graph that it is part of, where that is known.
    """

    node_id: str | None
    number: int
    parent: str | None = None


class Graph(NamedTuple):
    """The nodes of one source, and how to find them in it.

    ``numbered`` means that the source's tracker numbers its ids. ``ambiguous`` are ids that more than one record
    has. ``unread`` are files of the graph that could not be read, or the places of what could not be read in them.
    """

    graph_id: str
    path: str
    format: str
    locate: Locate
    nodes: tuple[Node, ...] = ()
    broken: tuple[BrokenNode, ...] = ()
    title: str = ""
    status: str = "active"
    numbered: bool = False
    ambiguous: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()

    @property
    def active(self) -> bool:
        """Whether the nodes of this graph may be scheduled."""
        return self.status == "active"


def climb(path: str) -> Iterator[str]:
    """Yield a path and every folder above it, the nearest first."""
    while path:
        yield path
        path = path.rpartition("/")[0]


OWN_REPOSITORY: Final = "."
"""How files name the workspace's own repository, in any project."""


def full_repository(project: str | None, repository: str | None) -> str | None:
    """Return the full name of a repository: ``repository: r`` with ``project: p`` is ``p/r``."""
    if not repository or repository == OWN_REPOSITORY:
        return repository or None
    return f"{project}/{repository}" if project and "/" not in repository else repository
