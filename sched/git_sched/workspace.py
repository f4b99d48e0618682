"""The workspace: where it lies, which files hold its tasks and policy, and all of them read as one input."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from git_sched import files, git
from git_sched.basis import Basis, digest
from git_sched.formats import FORMATS, by_name, claim_all, detect, policy_file
from git_sched.formats.base import Claim, Source
from git_sched.formats.policy_file import PolicyRead
from git_sched.naming import repository_of_remote, settle
from git_sched.observe import history, merge_queue, worktrees
from git_sched.pipeline import Inputs
from git_sched.policy import Policy
from git_sched.problems import Problem, RequestError
from git_sched.signals import Signals
from git_sched.source import Commit, Reader, head_commit, read_commit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched.formats.base import Format
    from git_sched.graph import Graph
    from git_sched.signals import History, MergeQueue, Worktrees

NATIVE_FOLDER = ".metagit"


class Options(NamedTuple):
    """What the command line says about reading; paths are relative to ``start``. ``now`` is seconds or ``None``."""

    start: str
    workspace: str | None = None
    rev: str | None = None
    graphs: tuple[str, ...] = ()
    policy: str | None = None
    worktrees: str | None = None
    merge_queue: str | None = None
    decisions: str | None = None
    now: int | None = None
    now_source: str = "commit"
    environment: Mapping[str, str] = {}


class Gathered(NamedTuple):
    """A workspace as read: the inputs of a decision, and where things lie on this machine.

    ``log`` is the folder and path of the decisions log. ``log_rows`` are its raw rows, ``sources`` the task files
    with their formats, ``tracked`` the files of the commit (only where some node has ``paths``).
    """

    inputs: Inputs
    root: str | None
    prefix: str
    log: tuple[str, str]
    log_rows: tuple[dict[str, object], ...]
    sources: tuple[tuple[str, str, tuple[str, ...]], ...]
    own_repository: str | None
    tracked: tuple[str, ...]
    git: git.Git | None
    main_top: str | None
    start: str

    def relative(self, named: str) -> str:
        """Give a path named on the command line relative to the workspace, as problems name it."""
        if self.root is None:
            return named
        full = os.path.normpath(os.path.join(os.path.realpath(self.start), named))
        return os.path.relpath(full, os.path.realpath(self.root))


def gather(options: Options) -> Gathered:
    """Read everything a decision is computed from. Files that cannot be read become problems, never exceptions."""
    found = git.find(options.start, options.environment)
    try:
        return _Gathering(options, found).gather()
    finally:
        if found is not None:
            found.close()


class _Gathering:
    """One reading of one workspace."""

    def __init__(self, options: Options, found: git.Git | None) -> None:
        self.options = options
        self.git = found
        self.top = found.repository.top if found else None
        if found is not None and self.top is None and options.rev is None:
            self.options = options = options._replace(rev="HEAD")
        self.commit: Commit | None = None
        if found is not None:
            self.commit = read_commit(found, options.rev) if options.rev is not None else head_commit(found)
        elif options.rev is not None:
            raise RequestError(f"--rev {options.rev} needs a git repository, and this is none")
        self.entries = found.tree(self.commit.object_id) if found and self.commit else ()
        self.prefix = self._workspace()
        base = self.top or (options.start if found is None else None)
        self.root = os.path.join(base, self.prefix) if base is not None else None
        self.reader = Reader(self.root, self.prefix, git=found, commit=self.commit, entries=self.entries,
                             from_commit=options.rev is not None)
        self._own: tuple[str | None] | None = None
        self.policy = Policy()

    # Where the workspace lies

    def _workspace(self) -> str:
        """Give the workspace's path from the top level, with a slash at the end, or empty."""
        start = os.path.realpath(self.options.start)
        base = self.top
        if base is None:
            if self.git is not None:
                return ""
            base = start
        inner = os.path.relpath(start, base)
        parts = [] if inner in {".", ""} or inner.startswith("..") else inner.split(os.sep)
        if self.options.workspace is not None:
            return self._named_workspace(start, base)
        for n in range(len(parts), -1, -1):
            prefix = "".join(f"{part}/" for part in parts[:n])
            if self._holds(base, prefix):
                return prefix
        return ""

    def _named_workspace(self, start: str, base: str) -> str:
        named = os.path.realpath(os.path.join(start, self.options.workspace or ""))
        inner = os.path.relpath(named, base)
        if inner.startswith("..") or not os.path.isdir(named):
            raise RequestError(f"--workspace {self.options.workspace} is no folder of this repository")
        return "" if inner == "." else f"{inner}/"

    def _holds(self, base: str, prefix: str) -> bool:
        if self.options.rev is not None:
            below = [e.path.removeprefix(prefix) for e in self.entries if e.path.startswith(prefix)]
            return any(path.startswith(f"{NATIVE_FOLDER}/") for path in below) or any(_at_root(f, below) for f in FORMATS)
        folder = os.path.join(base, prefix)
        return files.exists(folder, NATIVE_FOLDER) or any(files.expand(folder, p) for f in FORMATS for p in f.places)

    # Reading it

    def gather(self) -> Gathered:
        options = self.options
        policy = self._read_policy()
        self.policy = policy.policy or Policy()
        listed, graphs, problems = self._read_graphs()
        main, linked = worktrees.list_linked(self.git) if self.git else (None, ())
        signals, log, log_rows, more = self._observe(main, linked)
        graphs = self._settled(graphs)
        basis = self._basis(policy)
        inputs = Inputs(
            graphs,
            policy.policy,
            signals,
            basis,
            (*policy.problems, *problems, *self.reader.problems, *more, *self._warnings(basis)),
        )
        has_paths = any(node.paths for graph in graphs for node in graph.nodes)
        return Gathered(
            inputs,
            self.root,
            self.prefix,
            log,
            log_rows,
            listed,
            self.own_repository() if has_paths or any(g.format != "native" for g in graphs) else None,
            self.reader.tracked() if has_paths else (),
            self.git,
            main,
            options.start,
        )

    def _settled(self, graphs: tuple[Graph, ...]) -> tuple[Graph, ...]:
        foreign = any(graph.format != "native" for graph in graphs)
        return settle(graphs, own_repository=self.own_repository() if foreign else None)

    def own_repository(self) -> str | None:
        """Give the name of the workspace's own repository: the policy's, the remote's, or the folder's."""
        if self._own is None:
            self._own = (self._find_own(),)
        return self._own[0]

    def _find_own(self) -> str | None:
        if self.policy.repository:
            return self.policy.repository
        if self.git is not None:
            code, out = self.git("config", "--get", "remote.origin.url", allowed=(0, 1))
            if code == 0 and (name := repository_of_remote(os.fsdecode(out))):
                return name
        folder = os.path.basename(os.path.realpath(self.top or self.root or self.options.start))
        return folder if files.inside(folder) == folder else None

    def _read_policy(self) -> PolicyRead:
        if self.options.policy is not None:
            path = self._relative(self.options.policy)
            blob = self.reader.read(path) if path is not None and self.reader.exists(path) else None
            if blob is None:
                return self._policy_on_disk(self.options.policy)
            return policy_file.parse(blob)
        present = [path for path in policy_file.PLACES if self.reader.exists(path)]
        if len(present) > 1:
            message = f"there are {len(present)} policies: {', '.join(present)}"
            return PolicyRead(None, (Problem("error", "policy-conflict", message, present[0],
                                             hint="keep one of them"),))
        if not present:
            return PolicyRead(Policy(), ())
        blob = self.reader.read(present[0])
        return policy_file.parse(blob) if blob else PolicyRead(None, ())

    def _policy_on_disk(self, named: str) -> PolicyRead:
        """Read a policy that was named outright and is not part of what is read, for a what-if."""
        from git_sched.formats.base import Blob

        root, path = _named_file(self.options.start, named)
        data = files.read(root, path)
        if isinstance(data, files.Refusal):
            return PolicyRead(None, (Problem("error", data.code, data.message, named, hint=data.hint),))
        blob = Blob(named, data, digest(data.decode("latin-1")))
        self.reader.inputs[named] = blob.object_id
        if self.commit is not None:
            self.reader.dirty.add(named)
        return policy_file.parse(blob)

    def _relative(self, named: str) -> str | None:
        """Give a path named on the command line relative to the workspace, or ``None`` where it lies outside."""
        if self.root is None:
            return files.inside(named)
        full = os.path.normpath(os.path.join(os.path.realpath(self.options.start), named))
        return files.inside(os.path.relpath(full, os.path.realpath(self.root)))

    def _read_graphs(
        self,
    ) -> tuple[tuple[tuple[str, str, tuple[str, ...]], ...], tuple[Graph, ...], tuple[Problem, ...]]:
        listed, graphs, problems = [], [], []
        for format_, claim in self._claims(problems):
            blobs = tuple(blob for path in claim.paths if (blob := self.reader.read(path)))
            if not blobs:
                continue
            parsed = format_.parse(Source(format_.name, claim.root, blobs))
            graphs.extend(parsed.graphs)
            problems.extend(parsed.problems)
            listed.append((claim.root, format_.name, tuple(graph.graph_id for graph in parsed.graphs)))
        return tuple(listed), tuple(graphs), tuple(problems)

    def _claims(self, problems: list[Problem]) -> list[tuple[Format, Claim]]:
        if self.policy.sources:
            found = [claim for entry in self.policy.sources for claim in self._claims_of(entry.path, entry.format, problems)]
        else:
            places = [place for f in FORMATS for place in f.places]
            found = list(claim_all(path for path in self.reader.names(places) if not self._excluded(path)))
        for named in self.options.graphs:
            path = self._relative(named)
            found.extend(self._claims_of(named if path is None else path, None, problems))
        return list(dict.fromkeys(found))

    def _excluded(self, path: str) -> bool:
        return any(path == out or path.startswith(f"{out.rstrip('/')}/") for out in self.policy.exclude)

    def _claims_of(self, path: str, name: str | None, problems: list[Problem]) -> list[tuple[Format, Claim]]:
        format_ = by_name(name) if name is not None else None
        if name is not None and format_ is None:
            known = ", ".join(f.name for f in FORMATS)
            problems.append(Problem("error", "unknown-word", f"{name} is no format", path, hint=f"known: {known}"))
            return []
        below = [p for p in self.reader.names([place for f in FORMATS for place in f.places]) if p.startswith(f"{path}/")]
        if below:
            return [(f, claim) for f, claim in claim_all(below) if format_ in {None, f}]
        blob = self.reader.read(path)
        if blob is None:
            return []
        chosen = format_ or detect(blob)
        if chosen is None:
            problems.append(Problem("error", "not-a-tracker", "this file is in no known format", path,
                                    hint="name its format in the policy's sources"))
            return []
        return [(chosen, Claim(path, (path,)))]

    # What else is known

    def _observe(
        self, main: str | None, linked: Sequence[worktrees.Linked]
    ) -> tuple[Signals, tuple[str, str], tuple[dict[str, object], ...], tuple[Problem, ...]]:
        options, root = self.options, self.root
        nowhere = (Signals().worktrees, ()), (Signals().merge_queue, ())
        trees: tuple[Worktrees, tuple[Problem, ...]] = nowhere[0]
        queue: tuple[MergeQueue, tuple[Problem, ...]] = nowhere[1]
        if options.worktrees is not None:
            trees = worktrees.from_file(*_named_file(options.start, options.worktrees))
        elif root is not None:
            trees = worktrees.observe(root, linked, own_repository=self.own_repository, pool=self.policy.agent_pool)
        if options.merge_queue is not None:
            queue = merge_queue.from_file(*_named_file(options.start, options.merge_queue))
        elif root is not None:
            queue = merge_queue.observe(root)
        log = self._log(main)
        past: tuple[History, tuple[dict[str, object], ...], tuple[Problem, ...]] = history.observe(*log)
        signals = Signals(trees[0], queue[0], past[0])
        return signals, log, past[1], (*trees[1], *queue[1], *past[2])

    def _log(self, main: str | None) -> tuple[str, str]:
        if self.options.decisions is not None:
            return _named_file(self.options.start, self.options.decisions)
        if self.git is None:
            return self.root or self.options.start, history.LOG
        if main is not None:
            return os.path.join(main, self.prefix), history.LOG
        state = self.options.environment.get("XDG_STATE_HOME") or os.path.join(
            self.options.environment.get("HOME") or "/", ".local", "state"
        )
        return os.path.join(state, "git-sched", digest(self.git.repository.common_dir)), "decisions.jsonl"

    def _basis(self, policy: PolicyRead) -> Basis:
        now, source = self._now()
        return Basis(
            revision=self.commit.object_id if self.commit else None,
            inputs=tuple(sorted(self.reader.inputs.items())),
            dirty=tuple(sorted(self.reader.dirty)),
            policy_path=policy.policy.path if policy.policy else "",
            policy_digest=digest(policy.policy._replace(path="")) if policy.policy else "",
            now=now,
            now_source=source,
            workspace=self.prefix.rstrip("/"),
        )

    def _now(self) -> tuple[int | None, str]:
        if self.options.now is not None:
            return self.options.now, self.options.now_source
        if self.commit is not None:
            return self.commit.at, "commit"
        epoch = self.options.environment.get("SOURCE_DATE_EPOCH", "")
        return (int(epoch), "SOURCE_DATE_EPOCH") if epoch.isascii() and epoch.isdigit() else (None, "unknown")

    def _warnings(self, basis: Basis) -> Iterable[Problem]:
        if self.policy.redispatch_after is not None and basis.now_source == "commit":
            yield Problem("warning", "hold-to-commit",
                          "redispatch_after is measured against the commit's time, so a hold lasts until the next commit",
                          self.policy.path, hint="ask with --now wall where holds should end by the clock")


def _at_root(format_: Format, paths: Iterable[str]) -> bool:
    from git_sched.formats.base import below_any_folder

    pattern = below_any_folder(format_.places, at_root=True)
    return any(pattern.fullmatch(path) for path in paths)


def _named_file(start: str, named: str) -> tuple[str, str]:
    """Split a file named on the command line into a folder to start from and a name below it."""
    full = os.path.join(start, named)
    return os.path.realpath(os.path.dirname(full) or "."), os.path.basename(full) or "."
