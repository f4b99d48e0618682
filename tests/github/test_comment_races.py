"""Overlapping runs: whatever the order of their requests, one comment stays, and as a rule the newest run's."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from git_sched.github.api import Response
from git_sched.github.post_comment import CommentRequest, CommentResult, content, post
from github.forum import Forum

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REPOSITORY, NUMBER = "acme/shop", 12


class Turns:
    """Lets one thread at a time make one request, in the order of a schedule."""

    def __init__(self, schedule: Sequence[int], runs: Sequence[int]) -> None:
        self._schedule = list(schedule)
        self._alive, self._waiting = set(runs), set[int]()
        self._turn: int | None = None
        self._changed = threading.Condition()
        self.order: list[tuple[int, str]] = []

    def take(self, run: int, what: str) -> None:
        """Wait for a turn."""
        with self._changed:
            self._waiting.add(run)
            self._next()
            self._changed.wait_for(lambda: self._turn == run)
            self._turn = None
            self._waiting.discard(run)
            self.order.append((run, what))

    def end(self, run: int) -> None:
        """Leave the race."""
        with self._changed:
            self._alive.discard(run)
            self._next()

    def _next(self) -> None:
        if self._alive and self._waiting == self._alive and self._turn is None:
            ready = sorted(self._alive)
            self._turn = ready[(self._schedule.pop(0) if self._schedule else 0) % len(ready)]
            self._changed.notify_all()


class Seat:
    """The API as one run sees it: each request waits for its turn. ``faults`` are by the number of the request."""

    def __init__(self, forum: Forum, turns: Turns, run: int, faults: Mapping[int, str]) -> None:
        self._forum, self._turns, self._run, self._faults = forum, turns, run, dict(faults)
        self._count = 0

    def rest(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Response:
        """Make a request in turn."""
        self._turns.take(self._run, method)
        self._count += 1
        fault = self._faults.get(self._count) if method != "GET" else None
        if fault == "before":
            return Response(502, message="scripted")
        if fault == "human" and self._forum.comments:  # somebody deletes the comment by hand
            del self._forum.comments[min(self._forum.comments)]
        status, value = self._forum.rest(method, path, body or {})
        if fault == "after":
            return Response(0, message="the answer was lost")
        return Response(status, value)

    def graphql(self, query: str, variables: Mapping[str, object]) -> Response:
        """Ask GraphQL; a read, and never out of turn."""
        return Response(200, self._forum.graphql(query, dict(variables))["data"])

    def wait(self, _: float) -> None:
        """Let the others pass."""
        self._turns.take(self._run, "wait")


def race(
    schedule: Sequence[int], heads: Sequence[str], *, faults: Mapping[int, Mapping[int, str]], forum: Forum
) -> tuple[Turns, dict[int, CommentResult]]:
    """Run one run a head, numbered from 1, the last the newest; the pull request stands at the last head."""
    forum.heads[NUMBER] = heads[-1]
    runs = range(1, len(heads) + 1)
    turns = Turns(schedule, runs)
    done: dict[int, CommentResult] = {}

    def work(run: int) -> None:
        seat = Seat(forum, turns, run, faults.get(run, {}))
        wanted = CommentRequest(
            REPOSITORY, NUMBER, "default", (run, 1), heads[run - 1], (f"### Report of run {run}\n",)
        )
        try:
            done[run] = post(seat, wanted, wait=seat.wait)
        finally:
            turns.end(run)

    threads = [threading.Thread(target=work, args=(run,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return turns, done


def shown(forum: Forum) -> list[str]:
    return [body.partition("\n")[2].strip() for body in forum.bodies(NUMBER)]


SCHEDULES = st.lists(st.integers(0, 7), max_size=120)
RUNS = st.integers(2, 8)
FAULTS = st.dictionaries(
    st.integers(1, 8), st.dictionaries(st.integers(1, 12), st.sampled_from(["before", "after"]), max_size=2), max_size=3
)


@given(SCHEDULES, RUNS, FAULTS, st.integers(0, 1))
def test_one_comment_stays_whatever_happens(
    schedule: list[int], runs: int, faults: dict[int, dict[int, str]], before: int
) -> None:
    forum = Forum()
    for _ in range(before):
        forum.add(NUMBER, "<!-- git-sched:v1 workspace=. key=default run=0.1 -->\nold")
    race(schedule, ["same"] * runs, faults=faults, forum=forum)
    assert len(shown(forum)) == 1


@given(SCHEDULES, RUNS, FAULTS)
def test_the_newest_runs_stays_where_heads_differ(
    schedule: list[int], runs: int, faults: dict[int, dict[int, str]]
) -> None:
    forum = Forum()
    race(schedule, [f"head-{n}" for n in range(runs)], faults=faults, forum=forum)
    assert shown(forum) == [f"### Report of run {runs}"]


@given(SCHEDULES, RUNS, FAULTS)
def test_the_newest_runs_stays_where_it_read_last(
    schedule: list[int], runs: int, faults: dict[int, dict[int, str]]
) -> None:
    forum = Forum()
    turns, _ = race(schedule, ["same"] * runs, faults=faults, forum=forum)
    last_write = max((n for n, (run, what) in enumerate(turns.order) if run != runs and what in WRITES), default=-1)
    last_read = max(n for n, (run, what) in enumerate(turns.order) if run == runs and what == "GET")
    if last_read > last_write:
        assert shown(forum) == [f"### Report of run {runs}"]


WRITES = {"POST", "PATCH", "DELETE"}

BREAKING = {
    "an older run read before the newest wrote, and writes after the newest's last look; the API has no condition "
    "on a write": "list, list, newest writes and looks, the older writes",
}
"""The schedules after which an older run's report of the same commit stays, with the reason; ``concurrency`` in the
workflow keeps runs of one pull request from overlapping."""


def test_the_schedule_that_breaks_it_is_known() -> None:
    forum = Forum()
    forum.add(NUMBER, "<!-- git-sched:v1 workspace=. key=default run=0.1 -->\nold")
    older, newest = 0, 1
    # Each run lists and looks at the head; then the newest writes and looks again, and only then the older writes.
    race([older, older, newest, newest, newest, newest, older], ["same"] * 2, faults={}, forum=forum)
    assert shown(forum) == ["### Report of run 1"]
    assert len(BREAKING) == 1


@given(SCHEDULES, RUNS)
def test_comments_of_others_and_of_other_keys_are_left_alone(schedule: list[int], runs: int) -> None:
    forum = Forum()
    copied = "<!-- git-sched:v1 workspace=. key=default run=1.1 -->\ncopied by a person"
    forum.add(NUMBER, copied, author="mallory")
    other = "<!-- git-sched:v1 workspace=. key=other run=1.1 -->\nanother report"
    forum.add(NUMBER, other)
    race(schedule, ["same"] * runs, faults={}, forum=forum)
    assert forum.bodies(NUMBER)[:2] == [copied, other]
    assert len(forum.bodies(NUMBER)) == 3


@given(SCHEDULES, st.integers(1, 12))
def test_a_comment_that_a_person_deletes_is_made_again_once(schedule: list[int], at: int) -> None:
    forum = Forum()
    forum.add(NUMBER, "<!-- git-sched:v1 workspace=. key=default run=0.1 -->\nold")
    race(schedule, ["same"] * 2, faults={2: {at: "human"}}, forum=forum)
    assert len(shown(forum)) <= 1


def test_marker_and_footer_are_no_content() -> None:
    one = "<!-- git-sched:v1 workspace=. key=a run=1.1 -->\n### Same\n\n<sub>run 1</sub>\n"
    assert content(one) == content("### Same\n\n<sub>run 2</sub>") != content("### Other\n\n<sub>run 2</sub>")
