"""Posts the comment on a pull request: created once, kept up to date, never duplicated.

Runs may overlap. Each lists all comments, creates one if there is none, lists again, keeps the oldest and deletes
the others of this program. A run overwrites only comments of older runs, and checks the pull request's head first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from urllib.parse import quote

from git_sched.github.api import PAGE, pages
from git_sched.github.runner import part, text
from git_sched.model.basis import digest
from git_sched.render.markdown.comment import LIMIT
from git_sched.render.markdown.escape import count_utf16

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.github.api import Api, Response

Status = Literal["created", "updated", "unchanged", "stale", "forbidden", "skipped"]

KEY: Final = re.compile(r"(?!.*--)[a-z0-9._/-]{1,100}")
"""What a key may be: it cannot end an HTML comment."""

LONGEST: Final = 300
"""Characters of a workspace's path that its comment names."""

LAG: Final = 1.0
"""Seconds to wait until a list includes what was just created; GitHub's lists can be late."""

ROUNDS: Final = 12
"""Number of times that a run lists again; it stops at the first list without duplicates, so usually after two."""

TROUBLE: Final = 3
"""Number of writes that may fail because of the server before a run gives up."""

ACTIONS: Final = "github-actions[bot]"

_MARKER = re.compile(r"<!-- git-sched:v1 (workspace=\S{1,400} key=\S{1,100}) run=(\d{1,20})\.(\d{1,9}) -->")
_FOOTER = re.compile(r"\n*<sub>[^\n]*</sub>\s*\Z")
_AUTHORS = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id viewerDidAuthor } } }"


class CommentRequest(NamedTuple):
    """What a run wants to comment on a pull request.

    ``texts`` go from long to short, without the marker; the first that is short enough is used. ``make`` is false
    where there is nothing worth a new comment. ``head`` is the commit of the pull request that was decided on.
    ``workspace`` is the workspace's path from the top level, empty for the top level itself: with the key it tells
    comments apart.
    """

    repository: str
    number: int
    key: str
    run: tuple[int, int]
    head: str
    texts: tuple[str, ...]
    make: bool = True
    workspace: str = ""


class CommentResult(NamedTuple):
    """What was done, with a note if that needs one."""

    status: Status
    comment_id: int | None = None
    url: str = ""
    note: str = ""


class ExistingComment(NamedTuple):
    """A comment of this program with the key of the request."""

    comment_id: int
    url: str
    run: tuple[int, int]
    text: str
    node_id: str
    author: str


def marker(wanted: CommentRequest) -> str:
    """Give the first line of a comment, by which it is found again."""
    return f"<!-- git-sched:v1 {_identity(wanted)} run={wanted.run[0]}.{wanted.run[1]} -->"


def _identity(wanted: CommentRequest) -> str:
    """Name workspace and key so that nothing in them ends an HTML comment; a long path is told by its digest."""
    workspace = quote(wanted.workspace or ".", safe="/").replace("--", "%2D%2D")
    return f"workspace={workspace if len(workspace) <= LONGEST else digest(wanted.workspace)} key={wanted.key}"


def content(body: str) -> str:
    """Return the digest of a comment's text without marker and footer, which name the run."""
    body = body.replace("\r\n", "\n")
    head, _, rest = body.partition("\n")
    return digest(_FOOTER.sub("", rest if _MARKER.fullmatch(head) else body).strip())


def post(api: Api, wanted: CommentRequest, *, wait: Callable[[float], object]) -> CommentResult:
    """Bring the pull request's comment up to date; missing rights and server errors are results, not exceptions."""
    return _CommentUpdate(api, wanted, wait).go()


class _Stop(Exception):  # noqa: N818 - it is control flow, not an error
    """Ends a run early; it carries the result."""

    def __init__(self, posted: CommentResult) -> None:
        self.posted = posted


class _CommentUpdate:
    def __init__(self, api: Api, wanted: CommentRequest, wait: Callable[[float], object]) -> None:
        self._api, self._wanted, self._wait = api, wanted, wait
        self._texts = [text for text in wanted.texts if count_utf16(self._body(text)) <= LIMIT] or list(
            wanted.texts[-1:]
        )
        self._wrote: Status | None = None
        self._made: CommentResult | None = None
        self._trouble = 0

    def go(self) -> CommentResult:
        try:
            return self._settle()
        except _Stop as end:
            return end.posted

    def _settle(self) -> CommentResult:
        mine = self._mine()
        for _ in range(ROUNDS):
            if not mine:
                if self._made is not None:  # the list is late, or somebody has deleted it
                    return self._made
                if not self._wanted.make:
                    return CommentResult("skipped")
                self._create()
                self._wait(LAG)
                mine = self._mine()
                continue
            kept, *surplus = mine
            if surplus:
                self._delete(surplus)
            elif kept.run > self._wanted.run:
                return CommentResult("stale", kept.comment_id, kept.url, "a newer run has commented already")
            elif content(kept.text) == content(self._texts[0]):
                return CommentResult(self._wrote or "unchanged", kept.comment_id, kept.url)
            else:
                self._update(kept)
            mine = self._mine()
        if not mine:
            return self._made or CommentResult("skipped", note="GitHub did not take the comment")
        return CommentResult(
            self._wrote or "skipped", mine[0].comment_id, mine[0].url, "other runs were writing all the time"
        )

    def _mine(self) -> list[ExistingComment]:
        """List this program's own comments with the key, oldest first."""
        listed = pages(self._api, f"/repos/{self._wanted.repository}/issues/{self._wanted.number}/comments")
        if not listed.ok:
            raise _Stop(_refused(listed, "list the comments of this pull request"))
        found = [it for row in listed.value if (it := _found(row, _identity(self._wanted)))]
        batches = [found[at : at + PAGE] for at in range(0, len(found), PAGE)]  # anybody can copy a marker many times
        own = {node_id for batch in batches for node_id in self._authored(batch)}
        return sorted((it for it in found if it.node_id in own), key=lambda it: it.comment_id)

    def _authored(self, found: list[ExistingComment]) -> set[str]:
        """Return the node ids of the comments that this token wrote; if that is unknown, those of GitHub Actions."""
        told = self._api.graphql(_AUTHORS, {"ids": [it.node_id for it in found]})
        nodes = told.value.get("nodes") if told.ok and isinstance(told.value, dict) else None
        if isinstance(nodes, list):
            return {text(n, "id") for n in nodes if isinstance(n, dict) and n.get("viewerDidAuthor") is True}
        return {it.node_id for it in found if it.author == ACTIONS}

    def _body(self, text: str) -> str:
        return f"{marker(self._wanted)}\n{text}"

    def _write(self, method: str, path: str) -> Response:
        """Write the longest text that GitHub accepts, after checking the pull request's head."""
        self._check_head()
        while True:
            done = self._api.rest(method, path, {"body": self._body(self._texts[0])})
            if done.status == 422 and len(self._texts) > 1:  # noqa: PLR2004 - HTTP
                del self._texts[0]
                continue
            return done

    def _create(self) -> None:
        done = self._write("POST", f"/repos/{self._wanted.repository}/issues/{self._wanted.number}/comments")
        if done.ok and isinstance(done.value, dict):
            self._wrote = "created"
            self._made = CommentResult("created", done.value.get("id"), str(done.value.get("html_url") or ""))
        elif done.limited or 400 <= done.status < 500:  # noqa: PLR2004 - HTTP
            raise _Stop(_refused(done, "comment on this pull request"))
        else:  # it is unknown whether it was created: the next list tells
            self._count(done, "comment on this pull request")

    def _update(self, kept: ExistingComment) -> None:
        done = self._write("PATCH", f"/repos/{self._wanted.repository}/issues/comments/{kept.comment_id}")
        if done.ok:
            made = self._made.comment_id if self._made else None
            self._wrote = "created" if kept.comment_id == made else "updated"
        elif done.status not in {0, 404} and done.status < 500:  # noqa: PLR2004 - HTTP
            raise _Stop(_refused(done, "change the comment of this pull request"))
        else:
            self._count(done, "change the comment of this pull request")

    def _delete(self, surplus: list[ExistingComment]) -> None:
        for extra in surplus:
            done = self._api.rest("DELETE", f"/repos/{self._wanted.repository}/issues/comments/{extra.comment_id}")
            if not done.ok and done.status != 404:  # noqa: PLR2004 - HTTP
                self._count(done, "delete its second comment on this pull request")

    def _count(self, done: Response, what: str) -> None:
        """Count a failed write; after too many, end the run to spare the server."""
        self._trouble += 1
        if self._trouble == TROUBLE:
            raise _Stop(_refused(done, what))

    def _check_head(self) -> None:
        told = self._api.rest("GET", f"/repos/{self._wanted.repository}/pulls/{self._wanted.number}")
        if not told.ok:
            raise _Stop(_refused(told, "read this pull request"))
        head = told.value.get("head") if isinstance(told.value, dict) else None
        if not isinstance(head, dict) or head.get("sha") != self._wanted.head:
            raise _Stop(CommentResult("stale", note="the pull request has moved on since this run decided"))


def _found(row: object, identity: str) -> ExistingComment | None:
    if not isinstance(row, dict) or not isinstance(row.get("body"), str) or type(row.get("id")) is not int:
        return None
    head, _, _ = row["body"].partition("\n")
    match = _MARKER.fullmatch(head.removesuffix("\r"))
    if match is None or match[1] != identity:
        return None
    return ExistingComment(
        row["id"], text(row, "html_url"), (int(match[2]), int(match[3])), row["body"],
        text(row, "node_id"), text(part(row, "user"), "login"),
    )  # fmt: skip


def _refused(answer: Response, what: str) -> CommentResult:
    if answer.limited:
        return CommentResult("skipped", note=f"GitHub limits requests, so this run could not {what}: {answer.message}")
    if answer.status in {401, 403, 404}:
        hint = "the job needs permissions: pull-requests: write; pull requests of forks never have it"
        return CommentResult("forbidden", note=f"this token may not {what} ({answer.message}); {hint}")
    return CommentResult("skipped", note=f"this run could not {what}: {answer.message}")
