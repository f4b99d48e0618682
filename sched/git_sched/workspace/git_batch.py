"""Reads objects through one ``git cat-file --batch``, and checks each against its id."""

from __future__ import annotations

import os
import select
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from git_sched.model.ids import is_object_id
from git_sched.model.problems import WorldError
from git_sched.workspace import git_process
from git_sched.workspace.files import SIZE_LIMIT
from git_sched.workspace.git_output import FAILED, has_digest, invalid_output, read_head

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

QUIET_LIMIT = 60.0
"""Seconds without a byte after which git counts as hanging."""

_CHUNK: Final = 1 << 16
_LINE_LIMIT: Final = 8192
_NAME_LIMIT: Final = 4096
_FATAL: Final = 128
_VERB: Final = "cat-file"


class GitObject(NamedTuple):
    """An object of the repository: its id, its type (``blob``) and its bytes."""

    object_id: str
    kind: str
    data: bytes


class Absent(NamedTuple):
    """This clone does not have an object, or it is damaged; ``reason`` is what git says of it."""

    reason: str


class Batch:
    """A running ``git cat-file --batch``. Once it has ended, for whatever reason, nothing more can be read from it."""

    def __init__(self, command: Sequence[str], *, environment: Mapping[str, str], where: str) -> None:
        """Start the process.

        Raises:
            WorldError: git cannot be started.
        """
        child = git_process.start(command, environment=environment, where=where, is_fed=True)
        self._child = child
        self._stdin, self._stdout, self._stderr = _pipe(child.stdin), _pipe(child.stdout), _pipe(child.stderr)
        self._out, self._err = bytearray(), bytearray()
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self.has_ended = False

    def read(self, name: str) -> GitObject | Absent:
        """Read the object that a name means.

        Raises:
            WorldError: what git printed is not that object, or git ended without a reason.
        """
        asked = _encode(name)
        if asked is None:
            return Absent("git has no such names")
        try:
            os.write(self._stdin, asked + b"\n")
        except BrokenPipeError:
            return self._find_reason()
        return self._read_object(asked)

    def _read_object(self, asked: bytes) -> GitObject | Absent:
        line = self._take_line()
        if line is None:
            return self._find_reason()
        if line in {asked + b" missing", asked + b" ambiguous"}:
            return Absent(f"git cat-file says {os.fsdecode(line)}")
        head = read_head(line)
        if head is None or (is_object_id(os.fsdecode(asked)) and head.object_id.encode() != asked):
            raise self._invalid_output("the line before an object is not its id, type and size")
        if head.size > SIZE_LIMIT:
            self.close(kill=True)
            return Absent(f"object {head.object_id} is larger than {SIZE_LIMIT} bytes")
        if not self._fill(head.size + 1):
            return self._find_reason()
        data = bytes(self._out[: head.size])
        if self._out[head.size :] != b"\n" or not has_digest(head, data):
            raise self._invalid_output(f"the bytes are not those of object {head.object_id}")
        self._out.clear()
        return GitObject(head.object_id, head.kind, data)

    def _take_line(self) -> bytes | None:
        """Return the next line without its end, or ``None`` if git ends before."""
        while (at := self._out.find(b"\n")) < 0:
            if len(self._out) > _LINE_LIMIT:
                raise self._invalid_output("a line does not end")
            if not self._fill(len(self._out) + 1):
                return None
        line = bytes(self._out[:at])
        del self._out[: at + 1]
        return line

    def _fill(self, size: int) -> bool:
        """Wait for so many bytes; return whether they came before git ended."""
        while len(self._out) < size:
            ready = dict(self._poll.poll(QUIET_LIMIT * 1000))
            if not ready:
                raise self._invalid_output(f"it printed nothing for {QUIET_LIMIT:g} seconds")
            if self._stderr in ready:
                self._take_stderr()
            if self._stdout in ready:
                data = os.read(self._stdout, _CHUNK)
                if not data:
                    return False
                self._out += data
        return True

    def _take_stderr(self) -> None:
        # All of it is read, so that git never waits for a reader; the end of it has the reason.
        data = os.read(self._stderr, _CHUNK)
        if not data:
            self._poll.unregister(self._stderr)
        self._err = self._err[-_CHUNK:] + data

    def _find_reason(self) -> Absent:
        """Return why git ended: a fatal line is about the object, anything else about git itself."""
        code = self.close()
        reason = git_process.find_reason(code, bytes(self._err))
        if code != _FATAL or b"fatal: " not in self._err:
            raise WorldError(f"git {_VERB} failed: {reason}", hint=FAILED)
        return Absent(reason)

    def _invalid_output(self, what: str) -> WorldError:
        self.close(kill=True)
        return invalid_output(_VERB, what)

    def close(self, *, kill: bool = False) -> int:
        """End the process and return its exit code; with ``kill``, or if it does not end by itself, it is killed."""
        self.has_ended = True
        if kill:
            git_process.kill(self._child)
        err = git_process.finish(self._child, seconds=QUIET_LIMIT)
        if err is None:
            raise invalid_output(_VERB, f"it did not end within {QUIET_LIMIT:g} seconds")
        self._err += err
        return self._child.returncode


def _encode(name: str) -> bytes | None:
    """Return a name as git reads it from its input, or ``None`` if it cannot be one."""
    try:
        encoded = os.fsencode(name)
    except UnicodeEncodeError:  # half of a character, from JSON
        return None
    return None if b"\n" in encoded or b"\0" in encoded or len(encoded) > _NAME_LIMIT else encoded


def _pipe(stream: IO[bytes] | None) -> int:
    assert stream is not None  # noqa: S101 - git was started with three pipes
    return stream.fileno()
