"""Problems: what is wrong in the input, with the place and what to do next; and the errors that end a command."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Severity = Literal["error", "warning"]

KEPT_OUT: Final = "not-checked-out"

CODES: Final[dict[str, str]] = {
    "unreadable": "The file could not be read at all: it is missing, a folder, a link, or git does not hold it here.",
    "encoding": "The file is not UTF-8 text. Save it as UTF-8.",
    "syntax": "The file is not valid JSON, YAML or JSON Lines, so nothing in it could be read.",
    "conflict-marker": "The file still contains the markers of an unfinished merge.",
    "duplicate-key": "A mapping gives the same key twice; readers would disagree about which value counts.",
    "yaml-feature": "Tags, anchors, aliases and several documents in one file are not read: write the value out.",
    "too-deep": "Values are nested more deeply than any task file needs.",
    "wrong-type": "A value is not of the type that its key requires. It is never converted silently.",
    "out-of-range": "A number is outside the range its key allows.",
    "missing-key": "A required key is absent.",
    "unknown-key": "A key that nothing reads, most often a typo.",
    "unknown-word": "A value that is not in the list that its key allows.",
    "bad-id": "An id that could not be used safely in a path, a shell or an output.",
    "bad-pattern": "A pattern under paths that git could not read, so it would match no file.",
    "duplicate-graph": "Two files declare one graph id; the nodes of both are in error until one is renamed.",
    "duplicate-node": "Two nodes of one graph share an id; both are in error until one is renamed.",
    "duplicate-dependency": "A node names the same dependency twice.",
    "graph-id-differs": "A node has another graph id than the file it is in; the file's is used.",
    "negative-estimate": "A negative estimate counts as absent.",
    "unknown-dependency": "A dependency names no node of this workspace; the node waits until that is fixed.",
    "redundant-dependency": "A dependency between a task and one it is part of; being a part already says it.",
    "ambiguous-dependency": "A dependency could mean more than one node.",
    "cancelled-dependency": "A dependency was cancelled, so under on_cancelled: block the node cannot start.",
    "cycle": "Nodes wait for each other in a cycle, so none of them can start; other nodes are not affected.",
    "not-ready": "The file calls a node ready although what it depends on is not finished.",
    "begun-early": "A node is running or completed although something it depends on is not.",
    "open-children": "A node is finished although parts of it are open.",
    "policy-conflict": "There are two policy files, so neither can be trusted.",
    "policy-invalid": "The policy could not be trusted, so no decision is made by it.",
    "due-unweighed": "A task has a due date, and the policy gives deadline no weight, so that date decides nothing.",
    "signal-unreadable": "A side file could not be read; its signal counts as unknown.",
    "history-line": "A line of the decisions log is incomplete or not written by git-sched; it is ignored.",
    "ignored-by-git": "Git ignores the place of the task files, so no commit has them. The message names the line.",
    "not-a-tracker": "A file is where a tracker keeps its tasks, but it is not that tracker's.",
    KEPT_OUT: "A sparse checkout keeps committed files out of the work tree; they are read from the commit.",
    "outside-workspace": "A path leads out of the workspace, or through a link, and is not opened.",
    "stale-export": "The file is an export of a database that may have moved on.",
}
"""Every code that a problem can have, with its paragraph in the documentation."""


class Problem(NamedTuple):
    """One thing that is wrong in the input.

    ``line`` and ``column`` count from 1 and are ``None`` where the whole file is meant; ``path`` is relative to
    the workspace, or empty where no file is the cause. ``hint`` says what to do next. ``numbers`` are the numbers of
    the nodes that it is about, as its source counts them; empty where it is about a whole file or no file.
    """

    severity: Severity
    code: str
    message: str
    path: str = ""
    line: int | None = None
    column: int | None = None
    hint: str = ""
    numbers: tuple[int, ...] = ()


def sort_problems(problems: list[Problem] | tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Sort problems by file, place, severity and text, without repeats, whatever order files are read in."""
    return tuple(
        sorted(
            dict.fromkeys(problems),
            key=lambda p: (p.path, p.line or 0, p.column or 0, p.severity, p.code, p.message),
        )
    )


class SchedError(Exception):
    """Ends a command with one sentence and a hint instead of a traceback; ``exit_code`` is the command's."""

    exit_code = 4

    def __init__(self, message: str, *, hint: str = "") -> None:
        """Keep the sentence and the hint; neither ends in a newline."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class WorldError(SchedError):
    """Something outside git-sched failed: no git, no network, a file that cannot be written (exit code 4)."""


class RequestError(SchedError):
    """The request is wrong: an unknown or ambiguous id, an invalid option (exit code 2)."""

    exit_code = 2


class RefusedError(SchedError):
    """What was asked for is in error, or the policy cannot be trusted (exit code 1)."""

    exit_code = 1


class NothingToWriteError(SchedError):
    """Nothing can be taken or given back as requested (exit code 3)."""

    exit_code = 3


class MissingRevisionError(RequestError):
    """A revision that names no commit of this clone."""
