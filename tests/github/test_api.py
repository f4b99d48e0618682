"""The API over real HTTP, on the loopback interface: every status, lost answers, redirects, bounded patience."""

from __future__ import annotations

import pytest

from git_sched.github.api import Http, find_pull, pages, query_depth
from git_sched.github.post_comment import CommentRequest, CommentResult, post
from git_sched.github.runner import Runner, Token
from github.forum import Forum
from github.loopback import Fault, Server

HEAD = "1" * 40
REPOSITORY = "acme/shop"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def runner(server: Server) -> Runner:
    return Runner.from_environ(
        {"GITHUB_API_URL": server.url, "GITHUB_GRAPHQL_URL": f"{server.url}/graphql", "SCHED_TOKEN": "tok123"}
    )


def http(server: Server) -> Http:
    return Http(runner(server), pause=0.01)


def say(server: Server, *texts: str, key: str = "default", run: int = 1, make: bool = True) -> CommentResult:
    wanted = CommentRequest(REPOSITORY, 12, key, (run, 1), HEAD, texts, make=make)
    return post(http(server), wanted, wait=lambda _: None)


def forum(*, queue: int | None = None) -> Forum:
    return Forum(heads={12: HEAD}, branches={12: "fan:topic"}, queue=queue)


def test_made_then_changed_then_left_alone() -> None:
    with Server(forum()) as server:
        assert say(server, "one").status == "created"
        assert say(server, "two", run=2).status == "updated"
        assert say(server, "two", run=3).status == "unchanged"
        assert server.writes == ["POST", "PATCH"]
        assert server.forum.bodies(12) == ["<!-- git-sched:v1 workspace=. key=default run=2.1 -->\ntwo"]
        assert {call.authorization for call in server.calls} == {"Bearer tok123"}


def test_an_older_run_leaves_the_comment_of_a_newer_one_alone() -> None:
    with Server(forum()) as server:
        say(server, "new", run=5)
        assert say(server, "old", run=4).status == "stale"
        assert server.writes == ["POST"]


def test_two_keys_are_two_comments() -> None:
    with Server(forum()) as server:
        say(server, "one", key="a")
        say(server, "two", key="b")
        say(server, "three", key="a", run=2)
        assert [body.partition("\n")[2] for body in server.forum.bodies(12)] == ["three", "two"]


def test_found_behind_the_first_page() -> None:
    with Server(forum()) as server:
        for n in range(250):
            server.forum.add(12, f"talk {n}", author="someone")
        say(server, "one")
        assert say(server, "one", run=2).status == "unchanged"
        assert len(server.forum.bodies(12)) == 251


def test_nothing_is_made_where_there_is_nothing_to_say() -> None:
    with Server(forum()) as server:
        assert say(server, "nothing changed", make=False).status == "skipped"
        say(server, "much")
        assert say(server, "nothing changed", make=False, run=2).status == "updated"


def test_stale_where_the_pull_request_has_moved_on() -> None:
    with Server(Forum(heads={12: "2" * 40})) as server:
        assert say(server, "one").status == "stale"
        assert server.writes == []


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (401, {}, "forbidden"),
        (403, {}, "forbidden"),
        (404, {}, "forbidden"),
        (410, {}, "skipped"),
        (422, {}, "skipped"),
        (403, {"x-ratelimit-remaining": "0"}, "skipped"),
        (429, {}, "skipped"),
        (429, {"Retry-After": "3600"}, "skipped"),
        (403, {"Retry-After": "3600"}, "skipped"),
        (429, {"Retry-After": "-5"}, "skipped"),
        (429, {"Retry-After": "Fri, 31 Dec 2199 23:59:59 GMT"}, "skipped"),
        (429, {"Retry-After": "Fri, 31 Dec 99999999999 23:59:59 GMT"}, "skipped"),
    ],
)
@pytest.mark.parametrize("request_", ["GET .*/comments", "GET .*/pulls/12", "POST .*/comments"])
def test_a_refusal_is_a_status_not_a_failure(
    status: int, headers: dict[str, str], expected: str, request_: str
) -> None:
    with Server(forum(), faults=(Fault(request_, status, headers),) * 3) as server:
        posted = say(server, "one")
        assert posted.status == expected
        assert posted.note
        assert server.forum.bodies(12) == []


def test_tries_once_more_where_it_is_told_to_wait() -> None:
    with Server(forum(), faults=(Fault("POST .*/comments", 429, {"Retry-After": "0"}),)) as server:
        assert say(server, "one").status == "created"
    with Server(forum(), faults=(Fault("POST .*/comments", 403, {"Retry-After": "0"}),) * 2) as server:
        assert say(server, "one").status == "skipped"
        assert server.writes == ["POST", "POST"]


def test_server_trouble_is_tried_again_and_then_given_up() -> None:
    with Server(forum(), faults=(Fault("GET .*/comments", 502),)) as server:
        assert say(server, "one").status == "created"
    with Server(forum(), faults=(Fault("GET .*/comments", 503),) * 9) as server:
        assert say(server, "one").status == "skipped"
        assert len(server.calls) == 2


@pytest.mark.parametrize(("method", "number"), [("POST", 3), ("PATCH", 6), ("DELETE", 6)])
def test_a_write_that_comes_to_nothing_is_given_up_soon(method: str, number: int) -> None:
    """Three times, and what may be sent again is, once each."""
    with Server(forum(), faults=(Fault(f"{method} .*/comments", 500),) * 99) as server:
        for _ in range({"POST": 0, "PATCH": 1, "DELETE": 2}[method]):
            server.forum.add(12, "<!-- git-sched:v1 workspace=. key=default run=1.1 -->\none")
        posted = say(server, "two", run=2)
        assert (posted.status, server.writes) == ("skipped", [method] * number)
        assert "scripted" in posted.note


def test_a_marker_that_somebody_copies_a_hundred_times_hides_no_comment() -> None:
    with Server(forum()) as server:
        for _ in range(120):
            server.forum.add(12, "<!-- git-sched:v1 workspace=. key=default run=9.9 -->\ncopied", author="mallory")
        assert say(server, "one").status == "created"
        assert say(server, "one", run=2).status == "unchanged"
        assert len(server.forum.bodies(12)) == 121


def test_a_comment_made_although_the_answer_was_lost_is_not_made_twice() -> None:
    with Server(forum(), faults=(Fault("POST .*/comments", 502, after=True),)) as server:
        say(server, "one")
        assert server.writes == ["POST"]
        assert len(server.forum.bodies(12)) == 1


def test_a_comment_that_is_gone_is_made_anew() -> None:
    with Server(forum(), faults=(Fault("PATCH", 404),)) as server:
        say(server, "one")
        server.forum.comments.pop(1)
        assert say(server, "two", run=2).status == "created"


def test_too_long_takes_the_next_shorter_text() -> None:
    with Server(forum(), faults=(Fault("POST .*/comments", 422),)) as server:
        assert say(server, "long", "short").status == "created"
        assert server.forum.bodies(12)[0].endswith("\nshort")
    with Server(forum()) as server:
        say(server, "\N{GRINNING FACE}" * 33_000, "short")  # two UTF-16 units each
        assert server.forum.bodies(12)[0].endswith("\nshort")


ODD = (
    b'[{"id": 7, "node_id": ["x"], "user": "x", "html_url": 1,'
    b' "body": "<!-- git-sched:v1 workspace=. key=default run=1.1 -->\\none"}]'
)


@pytest.mark.parametrize("raw", [b"{", b"[1]", b'{"message": 1}', b"\xff\xfe", b'"text"', b"[null]", ODD])
def test_broken_answers_change_nothing_and_fail_nothing(raw: bytes) -> None:
    with Server(forum(), faults=(Fault("GET .*/comments", 200, {}, raw),)) as server:
        assert say(server, "one").status in {"skipped", "created"}


@pytest.mark.parametrize(
    "raw", [b"[]", b'{"data": 1}', b'{"data": {"nodes": [1, {"id": [], "viewerDidAuthor": true}]}}']
)
def test_broken_answers_about_authors_double_nothing(raw: bytes) -> None:
    with Server(forum()) as server:
        say(server, "one")
        server.faults.append(Fault("POST /graphql", 200, {}, raw))
        assert say(server, "one", run=2).status in {"unchanged", "created"}
        assert len(server.forum.bodies(12)) == 1


def test_a_token_never_follows_to_another_host() -> None:
    with Server(forum()) as other, Server(forum()) as server:
        server.faults.extend([Fault("GET", 302, {"Location": f"{other.url}/repos/x/y"})] * 2)
        assert not http(server).rest("GET", "/repos/acme/shop/pulls/12").ok
        assert other.calls == []


@pytest.mark.parametrize("target", ["http://[::1", "http://127.0.0.1:99999/", "//[x", "https://127.0.0.1/", ""])
def test_a_move_to_no_address_is_not_followed(target: str) -> None:
    with Server(forum(), faults=(Fault("GET", 302, {"Location": target}),) * 9) as server:
        assert not http(server).rest("GET", "/repos/acme/shop/pulls/12").ok


def test_an_answer_that_trickles_is_not_waited_for() -> None:
    with Server(forum()) as server:
        assert http(server).rest("GET", "/repos/acme/shop/pulls/12").ok
        impatient = Http(runner(server), whole=0)
        assert "timeout" in impatient.rest("GET", "/repos/acme/shop/pulls/12").message


def test_a_moved_repository_is_followed_on_the_same_host() -> None:
    with Server(forum(), faults=(Fault("GET", 301, {"Location": "/repos/acme/new/pulls/12"}),)) as server:
        assert http(server).rest("GET", "/repos/acme/shop/pulls/12").ok
    with Server(forum(), faults=(Fault("GET", 301, {"Location": "/round"}),) * 9) as server:
        assert not http(server).rest("GET", "/round").ok


def test_no_server_is_an_answer() -> None:
    with Server(forum()) as server:
        gone = http(server)
    assert gone.rest("GET", "/x").status == 0


def test_the_token_shows_nowhere() -> None:
    with Server() as server:
        assert "tok123" not in f"{runner(server)!r} {http(server)!r} {Token('tok123')}"


def test_a_list_that_is_none() -> None:
    with Server(forum(), faults=(Fault("GET", 200, {}, b"{}"),)) as server:
        assert not pages(http(server), "/repos/acme/shop/issues/12/comments").ok


def test_the_pull_request_of_a_fork_is_found_by_branch_and_commit() -> None:
    with Server(forum()) as server:
        assert find_pull(http(server), REPOSITORY, "fan:topic", HEAD) == 12
        assert find_pull(http(server), REPOSITORY, "fan:topic", "2" * 40) is None
        assert find_pull(http(server), REPOSITORY, "fan:other", HEAD) is None


def test_the_merge_queue() -> None:
    with Server(forum(queue=4)) as server:
        assert query_depth(http(server), REPOSITORY, "main") == {"depths": {REPOSITORY: 4}}
        assert server.calls[0].body["variables"] == {"owner": "acme", "name": "shop", "branch": "main"}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (None, "no merge queue for main"),
        (Fault("POST", 403), "scripted"),
        (Fault("POST", 200, {}, b'{"errors": [{"message": "Resource not accessible"}]}'), "not accessible"),
        (Fault("POST", 200, {}, b'{"data": {"repository": null}}'), "does not see the repository"),
        (Fault("POST", 200, {}, b'{"data": {"repository": {"mergeQueue": {"entries": {}}}}}'), "cannot be read"),
        (Fault("POST", 200, {}, b"<html>"), "HTTP status 200"),
    ],
)
def test_a_merge_queue_that_cannot_be_read_is_unknown(fault: Fault | None, said: str) -> None:
    with Server(forum(), faults=(fault,) if fault else ()) as server:
        assert said in str(query_depth(http(server), REPOSITORY, "main")["unknown"])
