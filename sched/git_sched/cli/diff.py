"""``git sched diff``: what a change does, from one commit to another; also for the Action and the MCP server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from git_sched.cli.options import for_agents, options_from, printing, reading_commits
from git_sched.cli.publish import exit_code, point_at, publish
from git_sched.problems import MissingRevisionError

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.ground import Options
    from git_sched.pipeline import Answer
    from git_sched.source import Commit
    from git_sched.workspace import Gathered

LIMIT = 3
"""Picks that are compared unless another number is asked for."""


class Sides(NamedTuple):
    """What was read: the change, and the base where it is here; else one sentence says what is missing."""

    before: Gathered | None
    after: Gathered
    missing: str


@click.command("diff")
@click.argument("base")
@click.argument("head", default="HEAD")
@click.option("--merge-base", is_flag=True, help="Compare with the commit where HEAD left BASE.")
@click.option("--limit", type=click.IntRange(min=1), default=LIMIT, metavar="N", help="How many picks; 3 if not given.")
@for_agents("Pick for this agent.")
@reading_commits
@printing("comparison")
@click.pass_obj
def command(start: str, /, base: str, head: str, **given: Any) -> int:
    """Say what a change does: which tasks it finishes, frees or blocks, and what comes next then.

    Compares the tasks and the policy of two commits, without a checkout: those of BASE with those of HEAD, which is
    the commit that is checked out unless another is named. The work tree plays no part. A commit is named as for
    git rev-parse; of a pull request's merge commit, HEAD^1 is the base. Signals and time are the same on both sides.
    """
    found = comparison(start, given, base=base, head=head)
    publish(found, given)
    point_at(found["problems"])
    return exit_code([{"severity": "error"}] * min(found["after"]["errors"], 1))


def comparison(
    start: str, given: dict[str, Any], *, base: str, head: str = "HEAD", limit: int | None = None
) -> record.ComparisonRecord:
    """Compare two revisions with the reading options of a command line; ``limit`` is 3 if it is not given."""
    asked = {**given, "limit": limit or given.get("limit") or LIMIT}
    return _compare(_read(options_from(start, asked), base, head, asked), base, asked)


def _read(options: Options, base: str, head: str, given: dict[str, Any]) -> Sides:
    from git_sched.workspace import gather

    after = gather(options._replace(rev=head))
    revision = _revision(after)
    wanted: str | None = base
    if given.get("merge_base", False):
        wanted = _merge_base(options, base, revision.object_id)
    missing = f"{base} is not here: set fetch-depth: {_depth(base, merge_base=given['merge_base'])} in actions/checkout"
    if wanted is None:
        return Sides(None, after, missing)
    try:
        # The workspace is the one of the change, and so is the time, so that nothing but the change shows.
        root = after.ground.root
        fixed = root if root is not None and os.path.isdir(root) else options.workspace
        before = gather(options._replace(rev=wanted, workspace=fixed))
    except MissingRevisionError:
        return Sides(None, after, missing)
    return Sides(before, after, "")


def _revision(gathered: Gathered) -> Commit:
    if gathered.ground.commit is None:
        raise MissingRevisionError("nothing was committed here yet", hint="commit the task files first")
    return gathered.ground.commit


def _depth(base: str, *, merge_base: bool) -> int:
    """Give the ``fetch-depth`` that gets a base: 2 for a parent of HEAD, else 0, which is everything."""
    return 2 if not merge_base and base.startswith("HEAD^") and base.count("^") == 1 else 0


def _merge_base(options: Options, base: str, head: str) -> str | None:
    from git_sched import git
    from git_sched.source import merge_base

    found = git.find(options.start, options.environment)
    if found is None:
        return None
    return merge_base(found, base, head)


def _compare(sides: Sides, base: str, given: dict[str, Any]) -> record.ComparisonRecord:
    from git_sched.compare import compare, compared

    before, after = sides.before, sides.after
    second = _decide(after, after, given)
    first = _decide(before, after, given) if before else None
    own = None
    if before and before.inputs.policy and before.inputs.policy._replace(path="") != _bare(after):
        own = _decide(after._replace(inputs=_with_policy_of(before, after)), after, given)
    told = compared(before.ground.commit if before else None, _revision(after), asked=base, answer=second)
    return compare(first, second, by_base_policy=own, compared=told, missing=sides.missing)


def _bare(gathered: Gathered) -> object:
    return gathered.inputs.policy and gathered.inputs.policy._replace(path="")


def _with_policy_of(before: Gathered, after: Gathered) -> Any:
    basis = after.inputs.basis._replace(
        policy_path=before.inputs.basis.policy_path, policy_digest=before.inputs.basis.policy_digest
    )
    return after.inputs._replace(policy=before.inputs.policy, basis=basis)


def _decide(gathered: Gathered, shared: Gathered, given: dict[str, Any]) -> Answer:
    """Decide on one side, with the signals and the time of the other."""
    from git_sched.choice import Request
    from git_sched.pipeline import decide

    basis = gathered.inputs.basis._replace(now=shared.inputs.basis.now, now_source=shared.inputs.basis.now_source)
    inputs = gathered.inputs._replace(signals=shared.inputs.signals, basis=basis)
    request = Request(
        limit=given["limit"],
        agents=tuple(dict.fromkeys(given.get("agents") or ())),
        own_repository=gathered.own_repository,
        tracked=gathered.tracked,
    )
    return decide(inputs, request)
