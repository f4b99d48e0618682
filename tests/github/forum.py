"""The part of GitHub that a comment needs, in memory: pull requests, their comments, the merge queue."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

COMMENTS = re.compile(r"/repos/([^/]+/[^/]+)/issues/(\d+)/comments")
COMMENT = re.compile(r"/repos/([^/]+/[^/]+)/issues/comments/(\d+)")
PULL = re.compile(r"/repos/([^/]+/[^/]+)/pulls/(\d+)")
PULLS = re.compile(r"/repos/([^/]+/[^/]+)/pulls")
LONGEST = 65_536


@dataclass
class Forum:
    """What a server knows. ``heads`` are the commits of pull requests, ``branches`` their ``owner:branch``."""

    heads: dict[int, str] = field(default_factory=dict)
    branches: dict[int, str] = field(default_factory=dict)
    queue: int | None = None
    comments: dict[int, dict[str, Any]] = field(default_factory=dict)
    last_id: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)

    def add(self, number: int, body: str, *, author: str = "github-actions[bot]") -> int:
        """Add a comment as somebody."""
        with self.lock:
            self.last_id += 1
            self.comments[self.last_id] = {
                "id": self.last_id,
                "node_id": f"IC_{self.last_id}",
                "body": body,
                "user": {"login": author},
                "html_url": f"https://example.org/pull/{number}#issuecomment-{self.last_id}",
                "number": number,
            }
            return self.last_id

    def bodies(self, number: int) -> list[str]:
        """Give the comments of a pull request, oldest first."""
        return [c["body"] for _, c in sorted(self.comments.items()) if c["number"] == number]

    def rest(
        self, method: str, target: str, body: Mapping[str, Any], *, author: str = "github-actions[bot]"
    ) -> tuple[int, Any]:
        """Answer a REST request as GitHub would."""
        parts = urlsplit(target)
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        with self.lock:
            if match := COMMENTS.fullmatch(parts.path):
                return self._list_or_make(method, int(match[2]), query, body, author)
            if match := COMMENT.fullmatch(parts.path):
                return self._change(method, int(match[2]), body, author)
            if (match := PULL.fullmatch(parts.path)) and int(match[2]) in self.heads:
                return 200, {"number": int(match[2]), "head": {"sha": self.heads[int(match[2])]}}
            if PULLS.fullmatch(parts.path):
                numbers = [n for n, branch in self.branches.items() if branch == query.get("head")]
                return 200, [{"number": n, "head": {"sha": self.heads[n]}} for n in numbers]
        return 404, {"message": "Not Found"}

    def _list_or_make(
        self, method: str, number: int, query: dict[str, str], body: Mapping[str, Any], author: str
    ) -> tuple[int, Any]:
        if number not in self.heads:
            return 404, {"message": "Not Found"}
        if method == "GET":
            rows = [c for _, c in sorted(self.comments.items()) if c["number"] == number]
            size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
            return 200, rows[size * (page - 1) : size * page]
        if (refused := _refused(body)) is not None:
            return refused
        return 201, self.comments[self.add(number, body["body"], author=author)]

    def _change(self, method: str, comment_id: int, body: Mapping[str, Any], author: str) -> tuple[int, Any]:
        found = self.comments.get(comment_id)
        if found is None:
            return 404, {"message": "Not Found"}
        if found["user"]["login"] != author:
            return 403, {"message": "Resource not accessible by integration"}
        if method == "DELETE":
            del self.comments[comment_id]
            return 204, None
        if (refused := _refused(body)) is not None:
            return refused
        found["body"] = body["body"]
        return 200, found

    def graphql(self, query: str, variables: dict[str, Any], *, author: str = "github-actions[bot]") -> dict[str, Any]:
        """Answer the two queries that are asked."""
        with self.lock:
            if "mergeQueue" in query:
                queue = None if self.queue is None else {"entries": {"totalCount": self.queue}}
                return {"data": {"repository": {"mergeQueue": queue}}}
            by_node = {c["node_id"]: c for c in self.comments.values()}
            nodes = [by_node.get(node_id) for node_id in variables["ids"]]
            return {
                "data": {
                    "nodes": [
                        c and {"id": c["node_id"], "viewerDidAuthor": c["user"]["login"] == author} for c in nodes
                    ]
                }
            }


def _refused(body: Mapping[str, Any]) -> tuple[int, Any] | None:
    if len(body["body"].encode("utf-16-le")) // 2 < LONGEST:
        return None
    return 422, {"message": "Validation Failed", "errors": [{"message": "Body is too long (maximum is 65536)"}]}
