"""Delivery: tasks that were taken by answers which the client never got are given back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from git_sched.workspace.streams import write_err

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import WriteStream
    from mcp.shared.message import SessionMessage

    from git_sched.operations.answer import Recorded


class Delivery:
    """The answers that took tasks and may not have reached the client, by the ids of their requests.

    The stream that the server writes to accepts a message when the one before it was written out.
    """

    def __init__(self, stream: WriteStream[SessionMessage]) -> None:
        """Store the stream that messages are written to."""
        self._stream = stream
        self._taken: dict[object, Recorded] = {}
        self._last: object = None

    def add(self, request_id: object, recorded: Recorded) -> None:
        """Remember an answer until it is known to be written out."""
        if recorded.taken:
            self._taken[request_id] = recorded

    async def send(self, message: SessionMessage) -> None:
        """Send a message; the one before it is then written out."""
        await self._stream.send(message)
        self.confirm()
        self._last = getattr(message.message, "id", None)

    def confirm(self) -> None:
        """Count the last message as written out."""
        self._taken.pop(self._last, None)

    def give_back(self, request_id: object) -> None:
        """Give back what one answer has taken, as nobody is told of it any more."""
        from git_sched.operations.log import give_back

        if (recorded := self._taken.pop(request_id, None)) is not None:
            write_err(give_back(recorded))

    def give_back_all(self) -> None:
        """Give back what all answers have taken that were not written out."""
        for request_id in [*self._taken]:
            self.give_back(request_id)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        """Return this stream."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the stream."""
        await self.aclose()
