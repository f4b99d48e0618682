"""The runner: what a GitHub Actions job knows about itself, from its environment and the event's file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from git_sched.model.json_codec import load
from git_sched.model.problems import WorldError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.render.data.outputs import BasisKind

MERGED: Final = frozenset({"push", "schedule", "workflow_dispatch", "repository_dispatch"})
"""Events whose commit is already on a branch; the commit of any other event may never be merged."""

QUEUE_BRANCH: Final = "gh-readonly-queue/"
"""The branches of the merge queue's trial merges: a push to one of these is not a merge."""

EVENT_LIMIT: Final = 64 << 20


class Token:
    """A token that is readable only through :attr:`value`, so that no log shows it."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        """Store the token."""
        self.value = value

    def __bool__(self) -> bool:
        """Return whether there is a token."""
        return bool(self.value)

    def __repr__(self) -> str:
        """Return only whether there is a token."""
        return "Token(***)" if self.value else "Token()"


class Pull(NamedTuple):
    """A pull request of the event; ``head`` and ``base`` are commits, ``fork`` is true if it comes from a fork."""

    number: int
    head: str
    base: str
    base_ref: str
    fork: bool


class Runner(NamedTuple):
    """A job as its runner describes it. Texts are empty if the runner gives none."""

    event: str
    payload: Mapping[str, Any]
    repository: str
    ref_name: str
    actor: str
    run: tuple[int, int]
    """Id of the run and number of the attempt, from 1: newer runs compare greater."""
    api_url: str
    graphql_url: str
    server_url: str
    workspace: str
    output: str
    summary: str
    token: Token

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Runner:
        """Read the runner's variables and the event's file; outside of a job all values have defaults.

        Raises:
            WorldError: the event's file cannot be read.
        """
        get = environ.get
        return cls(
            event=get("GITHUB_EVENT_NAME", ""),
            payload=_payload(get("GITHUB_EVENT_PATH", "")),
            repository=get("GITHUB_REPOSITORY", ""),
            ref_name=get("GITHUB_REF_NAME", ""),
            actor=get("GITHUB_ACTOR", ""),
            run=(_number(get("GITHUB_RUN_ID")), _number(get("GITHUB_RUN_ATTEMPT")) or 1),
            api_url=get("GITHUB_API_URL") or "https://api.github.com",
            graphql_url=get("GITHUB_GRAPHQL_URL") or "https://api.github.com/graphql",
            server_url=get("GITHUB_SERVER_URL") or "https://github.com",
            workspace=get("GITHUB_WORKSPACE") or os.curdir,
            output=get("GITHUB_OUTPUT", ""),
            summary=get("GITHUB_STEP_SUMMARY", ""),
            token=Token(get("SCHED_TOKEN", "")),
        )

    @property
    def basis_kind(self) -> BasisKind:
        """Whether the commit is ``merged`` work or only ``proposed``."""
        event, branch = self.event, self.ref_name
        if event == "workflow_run":
            about = part(self.payload, "workflow_run")
            event, branch = text(about, "event"), text(about, "head_branch")
        return "merged" if event in MERGED and not branch.startswith(QUEUE_BRANCH) else "proposed"

    @property
    def pull(self) -> Pull | None:
        """The pull request that the event is about, if any."""
        found = part(self.payload, "pull_request")
        number = found.get("number")
        if type(number) is not int or number < 1:
            return None
        head, base = part(found, "head"), part(found, "base")
        fork = part(head, "repo").get("full_name") != self.repository
        return Pull(number, text(head, "sha"), text(base, "sha"), text(base, "ref"), fork)

    @property
    def fork(self) -> bool:
        """Whether the event, or the run that it is about, comes from a fork; a deleted fork counts as well."""
        if self.event == "workflow_run":
            return part(part(self.payload, "workflow_run"), "head_repository").get("full_name") != self.repository
        return self.pull is not None and self.pull.fork

    @property
    def target_branch(self) -> str:
        """The branch that the work is on, or would be merged into; empty for the default branch."""
        if self.pull is not None:
            return self.pull.base_ref
        base = text(part(self.payload, "merge_group"), "base_ref")
        return base.removeprefix("refs/heads/") or (self.ref_name if self.event == "push" else "")

    @property
    def run_url(self) -> str:
        """The address of this run's page."""
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run[0]}"


def part(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return an object of an event, or an empty one: deleted forks and other senders leave nulls."""
    found = record.get(key)
    return found if isinstance(found, dict) else {}


def text(record: Mapping[str, Any], key: str) -> str:
    """Return a text of an event, or an empty string."""
    found = record.get(key)
    return found if isinstance(found, str) else ""


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else 0  # noqa: PLR2004 - 64 bits


def _payload(path: str) -> Mapping[str, Any]:
    if not path:
        return {}
    try:
        with open(path, "rb") as file:
            found = load(file.read(EVENT_LIMIT))
    except (OSError, ValueError) as error:
        raise WorldError(f"the event's file cannot be read: {error}", hint="GITHUB_EVENT_PATH names it") from None
    return found if isinstance(found, dict) else {}
