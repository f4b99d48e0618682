"""Rows about the workspace's own repository, which metagit writes as ``.``: they get its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.graph import OWN_REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.model.signals import Signals


def name_own_rows(signals: Signals, own_repository: Callable[[], str | None]) -> Signals:
    """Name the workspace's own repository in all signals; it is asked for only where a row is about it."""
    trees, queue, history = signals
    said = {tree.repository for tree in trees.rows} | {row.repository for row in history.rows}
    said |= dict(queue.depths).keys()
    name = own_repository() if OWN_REPOSITORY in said else None
    if name is None:
        return signals
    rows = [tree._replace(repository=name) if tree.repository == OWN_REPOSITORY else tree for tree in trees.rows]
    rows.sort(key=lambda tree: (tree.repository, tree.agent_id or ""))
    depths = dict(queue.depths)
    if waiting := depths.pop(OWN_REPOSITORY, 0):
        depths[name] = depths.get(name, 0) + waiting
    past = (row._replace(repository=name) if row.repository == OWN_REPOSITORY else row for row in history.rows)
    return signals._replace(
        worktrees=trees._replace(rows=tuple(rows)),
        merge_queue=queue._replace(depths=tuple(sorted(depths.items()))),
        history=history._replace(rows=tuple(past)),
    )
