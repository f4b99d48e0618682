"""GitHub's API over HTTP: limited waiting, tokens that are sent only to their host, responses instead of exceptions."""

from __future__ import annotations

import time
import urllib.request
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self
from urllib.parse import quote, urljoin, urlsplit

import urllib3
from urllib3.util.retry import Retry

from git_sched import __version__
from git_sched.model.json_codec import dump, load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.github.runner import Runner

PATIENCE: Final = 60.0
"""Seconds to wait, once, when GitHub asks for it; a request that is asked to wait longer fails."""

WHOLE: Final = 120.0
"""Seconds in which a whole response must arrive, even if it keeps sending."""

BODY_LIMIT: Final = 32 << 20
CHUNK: Final = 1 << 16
PAGE: Final = 100
PAGES: Final = 100
REDIRECTS: Final = 3
_MOVED: Final = frozenset({301, 302, 307, 308})
_BUSY: Final = frozenset({500, 502, 503, 504})


class Response(NamedTuple):
    """An HTTP response; status 0 means that there was none, and ``message`` tells why.

    ``value`` is the decoded body, ``None`` if it is not JSON. ``limited`` is true if a rate limit was reached.
    """

    status: int
    value: Any = None
    message: str = ""
    limited: bool = False

    @property
    def ok(self) -> bool:
        """Whether the request succeeded, and the body could be decoded."""
        return 200 <= self.status < 300 and (self.value is not None or self.status == 204)  # noqa: PLR2004 - HTTP


class Api(Protocol):
    """The calls to GitHub's API; tests replace it."""

    def rest(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Response:
        """Make one request; the path begins with a slash."""

    def graphql(self, query: str, variables: Mapping[str, object]) -> Response:
        """Ask one GraphQL query; ``value`` is its data."""


class Patience(Retry):
    """Retries that wait at most :data:`PATIENCE` seconds, and treat a 403 with Retry-After as a rate limit."""

    RETRY_AFTER_STATUS_CODES = frozenset({403, 413, 429, 503})

    def get_retry_after(self, response: urllib3.BaseHTTPResponse) -> float | None:
        """Return the seconds to wait, or ``None`` not to retry."""
        try:
            asked = super().get_retry_after(response)
        except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):  # the others for a date out of range
            return None
        return asked if asked is None or asked <= PATIENCE else None

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: urllib3.BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: Any = None,  # noqa: ANN401 - as above
        _stacktrace: Any = None,  # noqa: ANN401 - as above
    ) -> Self:
        """Count an attempt; no other follows a response that asks to wait too long."""
        if response is not None and "Retry-After" in response.headers and self.get_retry_after(response) is None:
            raise urllib3.exceptions.MaxRetryError(_pool, url or "", None)
        return super().increment(method, url, response, error, _pool, _stacktrace)


def retries(method: str, *, pause: float) -> Retry:
    """Return the retries of a method. A POST that may have succeeded is never sent twice."""
    safe = method != "POST"
    return Patience(
        total=2,
        connect=2,
        read=2 if safe else 0,
        redirect=False,
        status=1,
        other=0,
        allowed_methods=None,
        status_forcelist=_BUSY if safe else (),
        backoff_factor=pause,
        raise_on_status=False,
        raise_on_redirect=False,
    )


class Http:
    """The API of one server, called with one token."""

    def __init__(self, runner: Runner, *, pause: float = 1.0, timeout: float = 20.0, whole: float = WHOLE) -> None:
        """Store the addresses that the runner gives.

        In seconds, ``pause`` is the first wait between attempts, ``timeout`` the longest time without any data,
        and ``whole`` the longest time in which a response is read.
        """
        self._rest, self._graphql = runner.api_url.rstrip("/"), runner.graphql_url
        self._pause, self._whole = pause, whole
        self._headers = {
            "Authorization": f"Bearer {runner.token.value}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": f"git-sched/{__version__}",
        }
        self._pool = _pool(self._rest, urllib3.Timeout(connect=min(5.0, timeout), read=timeout))

    def __repr__(self) -> str:
        """Return the server, never the token."""
        return f"Http({self._rest})"

    def rest(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Response:
        """Make one request; the path begins with a slash."""
        return self._send(method, self._rest + path, body)

    def graphql(self, query: str, variables: Mapping[str, object]) -> Response:
        """Ask one GraphQL query; ``value`` is its data. A query changes nothing, so it may be sent again."""
        found = self._send("POST", self._graphql, {"query": query, "variables": dict(variables)}, repeat=True)
        value = found.value if isinstance(found.value, dict) else {}
        errors = value.get("errors")
        if found.ok and isinstance(errors, list) and errors:
            first = errors[0] if isinstance(errors[0], dict) else {}
            return found._replace(status=403, value=None, message=str(first.get("message", "a GraphQL error")))
        return found._replace(value=value.get("data"))

    def _send(self, method: str, url: str, body: Mapping[str, object] | None, *, repeat: bool = False) -> Response:
        data = None if body is None else dump(body)
        headers = self._headers if data is None else {**self._headers, "Content-Type": "application/json"}
        patience = retries("GET" if repeat else method, pause=self._pause)
        for _ in range(REDIRECTS + 1):
            try:
                response = self._pool.request(
                    method, url, body=data, headers=headers, retries=patience, redirect=False, preload_content=False
                )
                raw = _read(response, until=time.monotonic() + self._whole)
                response.release_conn()
            except urllib3.exceptions.MaxRetryError as error:
                return Response(0, message=f"no answer from {urlsplit(url).hostname}: {_why(error.reason)}")
            except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
                return Response(0, message=f"no answer from {urlsplit(url).hostname}: {_why(error)}")
            if response.status not in _MOVED:
                return _answer(response.status, response.headers, raw)
            target = _target(url, response.headers.get("Location", ""))
            if target is None:
                return Response(response.status, message="the server sends on to another host, which is not followed")
            url = target
        return Response(0, message="the server sends on in a circle")


def pages(api: Api, path: str) -> Response:
    """Read all pages of a list; ``value`` is the whole list."""
    rows: list[Any] = []
    for number in range(1, PAGES + 1):
        found = api.rest("GET", f"{path}{'&' if '?' in path else '?'}per_page={PAGE}&page={number}")
        if not found.ok:
            return found
        if not isinstance(found.value, list):
            return Response(0, message="the answer is not the list that was asked for")
        rows += found.value
        if len(found.value) < PAGE:
            break
    return Response(200, rows)


def _read(response: urllib3.BaseHTTPResponse, *, until: float) -> bytes:
    """Read a body, up to one byte more than the limit; ``until`` is on the monotonic clock, in seconds.

    Raises:
        TimeoutError: the body is not complete by ``until``.
    """
    raw = bytearray()
    while len(raw) <= BODY_LIMIT and (more := response.read1(CHUNK, decode_content=True)):
        raw += more
        if time.monotonic() >= until:
            response.close()
            raise TimeoutError
    return bytes(raw)


def _answer(status: int, headers: Mapping[str, str], raw: bytes) -> Response:
    try:
        value = load(raw) if raw and len(raw) <= BODY_LIMIT else None
    except ValueError:
        value = None
    message = value.get("message", "") if isinstance(value, dict) else ""
    message = str(message)[:300] or f"HTTP status {status}"
    if isinstance(value, dict) and isinstance(value.get("errors"), list):
        details = [str(e.get("message", "")) for e in value["errors"] if isinstance(e, dict)]
        message = "; ".join(filter(None, [message, *details]))[:300]
    spent = headers.get("x-ratelimit-remaining") == "0" or "Retry-After" in headers or "rate limit" in message.lower()
    return Response(status, value, message, limited=status == 429 or (status == 403 and spent))  # noqa: PLR2004 - HTTP


def _why(error: BaseException | None) -> str:
    return type(error).__name__.removesuffix("Error").lower() or "unknown"


def _target(url: str, location: str) -> str | None:
    """Return the address that a server redirects to; ``None`` if it is another host, or not an address."""
    try:
        target = urljoin(url, location)
        return target if _origin(target) == _origin(url) else None
    except ValueError:
        return None


def _origin(url: str) -> tuple[str, str | None, int | None]:
    found = urlsplit(url)
    return found.scheme, found.hostname, found.port or {"http": 80, "https": 443}.get(found.scheme)


def _pool(url: str, timeout: urllib3.Timeout) -> urllib3.PoolManager:
    """Create the connection pool, through the proxy that the environment names for this host, if any."""
    found = urlsplit(url)
    proxy = urllib.request.getproxies_environment().get(found.scheme)
    if proxy and not urllib.request.proxy_bypass(found.hostname or ""):
        return urllib3.ProxyManager(proxy, timeout=timeout)
    return urllib3.PoolManager(timeout=timeout)


MERGE_QUEUE: Final = """query($owner: String!, $name: String!, $branch: String) {
  repository(owner: $owner, name: $name) { mergeQueue(branch: $branch) { entries(first: 1) { totalCount } } }
}"""


def query_depth(api: Api, repository: str, branch: str) -> dict[str, object]:
    """Return the content of a ``--merge-queue`` file: the depth of this repository's queue, or why it is unknown."""
    owner, _, name = repository.partition("/")
    found = api.graphql(MERGE_QUEUE, {"owner": owner, "name": name, "branch": branch or None})
    if not found.ok and found.message:
        return {"unknown": f"GitHub's merge queue could not be read: {found.message}"}
    data = found.value if isinstance(found.value, dict) else {}
    about = data.get("repository")
    if not isinstance(about, dict):
        return {"unknown": "GitHub's merge queue could not be read: this token does not see the repository"}
    queue = about.get("mergeQueue")
    if queue is None:
        return {"unknown": f"GitHub has no merge queue for {branch or 'the default branch'}"}
    entries = queue.get("entries") if isinstance(queue, dict) else None
    total = entries.get("totalCount") if isinstance(entries, dict) else None
    if type(total) is not int or total < 0:
        return {"unknown": "GitHub's answer about the merge queue cannot be read"}
    return {"depths": {repository: total}}


def find_pull(api: Api, repository: str, branch: str, head: str) -> int | None:
    """Return the number of the open pull request from ``owner:branch`` whose head is the commit ``head``, if any."""
    listed = pages(api, f"/repos/{repository}/pulls?state=open&head={quote(branch, safe='')}")
    for row in listed.value if listed.ok else ():
        found = row.get("head") if isinstance(row, dict) else None
        if isinstance(found, dict) and found.get("sha") == head and type(row.get("number")) is int:
            return int(row["number"])
    return None
