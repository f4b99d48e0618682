"""The workspace read as one input: graphs, policy and signals, with what is wrong in any of them."""

from __future__ import annotations

import os
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.graph_ids import assign_graph_ids, is_unnamed, repository_of_remote
from git_sched.formats.places import LOOKED_FOR
from git_sched.model.basis import Basis, digest
from git_sched.model.inputs import Inputs
from git_sched.model.policy import Policy
from git_sched.model.problems import RequestError
from git_sched.model.signals import Signals
from git_sched.workspace import git
from git_sched.workspace.asker import find_agents
from git_sched.workspace.decisions_log import find_log
from git_sched.workspace.discover import read_graphs, read_policy
from git_sched.workspace.git_process import clean_environment
from git_sched.workspace.hidden import find_hidden
from git_sched.workspace.locate import Location, locate, named_file
from git_sched.workspace.metagit_worktree import find_home
from git_sched.workspace.observe import history, json_files, merge_queue, worktrees
from git_sched.workspace.observe.own_rows import name_own_rows
from git_sched.workspace.question import find_clock, resolve_start
from git_sched.workspace.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from git_sched.formats.policy_file import PolicyRead
    from git_sched.model.graph import Graph
    from git_sched.model.problems import Problem
    from git_sched.model.signals import MergeQueue, Worktrees
    from git_sched.workspace.decisions_log import LogPlaces
    from git_sched.workspace.discover import ListedSource
    from git_sched.workspace.observe.json_files import JsonPlace
    from git_sched.workspace.question import Question


ROWS_PER_TURN: Final = 10
"""Rows that are read for each turn that fairness looks at: a task can have more than one."""


class Workspace(NamedTuple):
    """A workspace as read: the inputs of a decision, and where its files are on this machine.

    ``log`` is where the decisions log is, ``log_rows`` its newest raw rows. ``tracked`` are the files of the commit;
    it is empty unless a node has ``paths``. ``main_top`` is the main worktree's folder, and ``agents`` are those that
    the answer is for.
    """

    inputs: Inputs
    location: Location
    log: LogPlaces
    log_rows: tuple[dict[str, object], ...]
    sources: tuple[ListedSource, ...]
    own_repository: str | None
    tracked: tuple[str, ...]
    main_top: str | None
    agents: tuple[str, ...]


def gather(question: Question, *, factors: tuple[str, ...]) -> Workspace:
    """Read everything a decision is computed from but the decisions log and the time, see :func:`observe_log`.

    Files that cannot be read become problems, not exceptions. ``factors`` are the names that may have a weight in the
    policy.

    Raises:
        RequestError: a folder, revision, time or agent that was asked for does not exist or is not valid.
        WorldError: git is missing or fails, or the folder is gone.
    """
    question = resolve_start(question)
    with _repository(question.start, question.environment) as found:
        location = locate(question, found)
        home = find_home(location)
        if home is None:
            return _gather(location, factors, asked_from=location.top)
    with _repository(home, clean_environment(question.environment)) as found:
        return _gather(locate(question, found, home=home), factors, asked_from=location.top)


@contextmanager
def _repository(start: str, environment: Mapping[str, str]) -> Iterator[git.Git | None]:
    found = git.find_repository(start, environment)
    try:
        yield found
    finally:
        if found is not None:
            found.close()


def _gather(location: Location, factors: tuple[str, ...], *, asked_from: str | None) -> Workspace:
    reader = Reader(location)
    read = read_policy(reader, location, factors=factors)
    policy = read.policy or Policy()
    main, linked = worktrees.list_linked(location.git) if location.git else (None, ())
    own = OwnRepository(location, policy, main=main)
    sources = read_graphs(reader, location, policy)
    graphs = _assign_ids(sources.graphs, own)
    listed = worktrees.read_list(_find_list(location, main))
    owner = worktrees.find_owner(asked_from, linked, listed=listed, pool=policy.agent_pool)
    agents = find_agents(location.question, owner=owner)
    counting = worktrees.Counting(
        (*policy.agent_pool, *agents), lambda agent_id: policy.counts_worktrees_of(agent_id, agents)
    )
    trees = _observe_worktrees(location, own, linked=linked, listed=listed, counting=counting)
    queue = _observe_merges(location, main)
    basis = _basis(location, reader, read)
    hidden = find_hidden(location) if location.from_commit and not sources.listed else None
    problems = (*read.problems, *sources.problems, *reader.problems, *reader.describe_kept_out(), *trees[1], *queue[1])
    problems += (hidden,) if hidden else ()
    signals = name_own_rows(Signals(trees[0], queue[0]), own)
    has_paths = any(node.paths for graph in graphs for node in graph.nodes)
    named = has_paths or policy.publish.repositories == "own"
    return Workspace(
        Inputs(graphs, read.policy, signals, basis, problems, LOOKED_FOR),
        location,
        find_log(location, main),
        (),
        sources.listed,
        own() if named else None,
        reader.tracked() if has_paths else (),
        main,
        agents,
    )


def observe_log(workspace: Workspace) -> Workspace:
    """Return a workspace with the time, and with what its decisions log says at that time.

    Unless the question has a time, the clock is looked at here: where a task will be taken, that is while nobody else
    can take one, so that who waited for another caller does not write an earlier time than that one did.

    Raises:
        RequestError: the commit's time is asked for where there is no commit.
    """
    inputs, question = workspace.inputs, workspace.location.question
    clock = find_clock(question)
    needed = _need(inputs.policy or Policy(), inputs.basis, clock=clock, recent=question.recent)
    past, rows, problems = history.observe(workspace.log.files, needed)
    own = OwnRepository(workspace.location, inputs.policy or Policy(), main=workspace.main_top)
    signals = name_own_rows(inputs.signals._replace(history=past), own)
    now, source = _now(workspace.location, clock)
    basis = inputs.basis._replace(now=now, now_source=source, clock=clock)
    inputs = inputs._replace(signals=signals, basis=basis, problems=(*inputs.problems, *problems))
    return workspace._replace(inputs=inputs, log_rows=rows)


def _need(policy: Policy, basis: Basis, *, clock: int, recent: int) -> history.Needed:
    """Return what is needed of the log: RFC-0012 counts every row, other policies the newest ones."""
    raw = max(history.ROWS, recent)
    every = policy.exact_rfc and policy.weighs("fairness")
    rows = inf if every else max(raw, ROWS_PER_TURN * policy.fairness_window)
    return history.Needed(basis.key, clock, policy.redispatch_after, rows, raw)


class OwnRepository:
    """The name of the workspace's own repository, determined when it is first needed."""

    def __init__(self, location: Location, policy: Policy, *, main: str | None) -> None:
        """Store where the name is looked for: the policy, the remote ``origin``, the folder, in this order.

        The folder is that of the main worktree, so that the name is the same in all linked ones; of a bare repository,
        its own.
        """
        self._ground, self._policy, self._main = location, policy, main
        self._found: tuple[str | None] | None = None

    def __call__(self) -> str | None:
        """Return the name, or ``None`` if not even the folder's name can be one."""
        if self._found is None:
            self._found = (self._policy.repository or self._of_remote() or self._of_folder(),)
        return self._found[0]

    def _of_remote(self) -> str | None:
        if self._ground.git is None:
            return None
        url = self._ground.git.config("remote.origin.url")
        return None if url is None else repository_of_remote(url)

    def _of_folder(self) -> str | None:
        from git_sched.model.ids import is_id

        place = self._main or self._ground.root
        if self._main is None and self._ground.git is not None:
            place = self._ground.git.repository.common_dir.removesuffix(".git")
        name = os.path.basename(os.path.realpath(place or self._ground.question.start))
        return name if is_id(name) else None


def _assign_ids(graphs: tuple[Graph, ...], own: OwnRepository) -> tuple[Graph, ...]:
    return assign_graph_ids(graphs, own_repository=own() if any(map(is_unnamed, graphs)) else None)


def _find_list(location: Location, main: str | None) -> JsonPlace | None:
    """Return the place of metagit's list of worktrees, unless a file was named that is read in its place."""
    return None if location.question.worktrees is not None else _find_side(location, worktrees.METAGIT, main)


def _find_side(location: Location, path: str, main: str | None) -> JsonPlace | None:
    if location.root is None:
        return None
    return json_files.find_place(location.root, path, main=main, prefix=location.prefix)


def _observe_worktrees(
    location: Location,
    own: OwnRepository,
    *,
    linked: tuple[worktrees.Linked, ...],
    listed: worktrees.Listed,
    counting: worktrees.Counting,
) -> tuple[Worktrees, tuple[Problem, ...]]:
    question = location.question
    if question.worktrees is not None:
        return worktrees.from_file(*named_file(question.start, question.worktrees), counting=counting)
    return worktrees.observe(listed, linked, own_repository=own, counting=counting)


def _observe_merges(location: Location, main: str | None) -> tuple[MergeQueue, tuple[Problem, ...]]:
    question = location.question
    if question.merge_queue is not None:
        return merge_queue.from_file(*named_file(question.start, question.merge_queue))
    merges = _find_side(location, merge_queue.FOLDER, main)
    return (Signals().merge_queue, ()) if merges is None else merge_queue.observe(merges)


def _basis(location: Location, reader: Reader, read: PolicyRead) -> Basis:
    return Basis(
        revision=location.commit.object_id if location.commit else None,
        inputs=tuple(sorted(reader.inputs.items())),
        dirty=tuple(sorted(reader.dirty)),
        policy_path=read.policy.path if read.policy else "",
        policy_digest=digest(read.policy._replace(path="")) if read.policy else "",
        workspace=location.prefix.rstrip("/"),
    )


def _now(location: Location, clock: int) -> tuple[int, str]:
    """Return the time of the answer, in seconds since 1970, and where it comes from.

    Raises:
        RequestError: the commit's time is asked for where there is no commit.
    """
    question, source = location.question, location.question.now_source
    if question.now is not None:
        return question.now, source
    if source == "auto":
        source = "commit" if location.from_commit else "wall"
    if source == "wall":
        return clock, source
    if location.commit is None:
        raise RequestError("--now commit: there is no commit here", hint="name a time, or leave --now out")
    return location.commit.at, source
