"""A server on the loopback interface that answers for GitHub's API, with faults as scripted; it ends with the test."""

from __future__ import annotations

import json
import re
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from github.forum import Forum

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType


class Call(NamedTuple):
    """A request as it came in."""

    method: str
    path: str
    authorization: str | None
    body: Any


class Fault(NamedTuple):
    """An answer in place of the right one: for requests whose ``METHOD /path`` matches. ``after`` obeys first."""

    pattern: str
    status: int
    headers: Mapping[str, str] = MappingProxyType({})
    body: bytes = b'{"message": "scripted"}'
    after: bool = False


class Server:
    """The API below one address; ``faults`` are used up in order, each by the first request that it matches."""

    def __init__(self, forum: Forum | None = None, *, faults: tuple[Fault, ...] = ()) -> None:
        self.forum = forum or Forum()
        self.calls: list[Call] = []
        self.faults = deque(faults)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        """The address, without a slash at the end."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def writes(self) -> list[str]:
        """The methods of the requests that change something, in order."""
        return [call.method for call in self.calls if call.method != "GET" and call.path != "/graphql"]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer(self, call: Call) -> tuple[int, Mapping[str, str], bytes]:
        """Answer a request, or give the fault that is scripted for it."""
        self.calls.append(call)
        fault = next((f for f in self.faults if re.search(f.pattern, f"{call.method} {call.path}")), None)
        if fault is not None:
            self.faults.remove(fault)
        if fault is None or fault.after:
            status, value = self._obey(call)
            if fault is None:
                return status, {}, b"" if value is None else json.dumps(value).encode()
        return fault.status, fault.headers, fault.body

    def _obey(self, call: Call) -> tuple[int, Any]:
        if call.path == "/graphql":
            return 200, self.forum.graphql(call.body["query"], call.body["variables"])
        return self.forum.rest(call.method, call.path, call.body or {})


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else None
            call = Call(self.command, self.path, self.headers.get("Authorization"), body)
            status, headers, raw = server.answer(call)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815 - http.server's names

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    Handler.timeout = 5  # an idle connection of a pool does not keep its thread
    return Handler
