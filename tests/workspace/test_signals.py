"""What is observed on this machine: worktrees, merge queues, and that unknown is not cold."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import repos
from repos import LOG, POLICY, task
from sandbox import ask, git, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

METAGIT = ".metagit/worktrees/worktrees.json"
POOL = "version: 1\nagent_pool: [agent-1, agent-2]\nrepository: shop/web\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository that calls itself shop/web, with a task for it and one for another."""
    nodes = repos.work(task("here", repository="shop/web"), task("there", repository="shop/api"))
    return repos.repository(tmp_path / "main", {**nodes, POLICY: POOL})


def asked(folder: Path, *words: str) -> dict[str, Any]:
    """Give the record of ``status``."""
    said = ask(folder, "status", "--json", *words)
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def worktrees(folder: Path, *words: str) -> list[tuple[str, str | None]]:
    """Give the warm worktrees: repository and agent."""
    rows = asked(folder, *words)["signals"]["worktrees"]["worktrees"]
    return [(row["repository"], row["agent_id"]) for row in rows]


def affinity(folder: Path, node: str, *words: str) -> tuple[bool, float]:
    """Give whether the affinity of a node is known, and how it rates."""
    record = json.loads(ask(folder, "explain", node, "--json", *words).out)
    (row,) = [row for row in record["factors"] if row["factor"] == "affinity"]
    return row["known"], row["rating"]


def put(folder: Path, name: str, value: object) -> Path:
    """Write a file as JSON, or as it is."""
    text = value if isinstance(value, str | bytes) else json.dumps(value)
    write(folder, {name: text})
    return folder / name


# Worktrees of git


def test_the_main_worktree_warms_nothing(repository: Path) -> None:
    signal = asked(repository)["signals"]["worktrees"]
    assert signal == {"known": False, "source": "no linked worktree and no worktrees file", "worktrees": []}
    assert affinity(repository, "here") == (False, 0)


def test_a_linked_worktree_warms_the_repository_itself_alone(repository: Path, tmp_path: Path) -> None:
    tree = repos.linked(repository, tmp_path / "agent-1", branch="topic")
    for folder in (repository, tree):
        assert worktrees(folder) == [("shop/web", "agent-1")]
        assert asked(folder)["signals"]["worktrees"]["source"] == "1 linked in git"
    assert affinity(repository, "here") == (True, 1)
    assert affinity(repository, "there") == (False, 0), "what no source names is unknown, not cold"


def test_a_detached_worktree_counts(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "agent-2"))
    assert worktrees(repository) == [("shop/web", "agent-2")]


def test_a_missing_worktree_does_not_count(repository: Path, tmp_path: Path) -> None:
    repos.linked(repository, tmp_path / "agent-1", branch="one")
    shutil.rmtree(tmp_path / "agent-1")
    assert asked(repository)["signals"]["worktrees"]["known"] is False
    git(repository, "worktree", "lock", str(tmp_path / "agent-1"))  # git no longer calls it prunable
    assert asked(repository)["signals"]["worktrees"]["known"] is False


def test_a_locked_worktree_counts(repository: Path, tmp_path: Path) -> None:
    repos.linked(repository, tmp_path / "agent-1", branch="one")
    git(repository, "worktree", "lock", "--reason", "on a stick", str(tmp_path / "agent-1"))
    assert worktrees(repository) == [("shop/web", "agent-1")]


def test_the_worktrees_of_a_bare_repository(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = repos.clone(repository, tmp_path / "bare.git", "--bare")
    one = repos.linked(bare, tmp_path / "agent-1", branch="one")
    repos.linked(bare, tmp_path / "agent-2", branch="two")
    wanted = [("shop/web", "agent-1"), ("shop/web", "agent-2")]
    assert worktrees(one) == wanted
    monkeypatch.setenv("GIT_DIR", str(bare))
    assert worktrees(tmp_path) == wanted


def test_they_are_read_from_this_machine_whatever_revision_is_asked_for(repository: Path, tmp_path: Path) -> None:
    repos.linked(repository, tmp_path / "agent-1", branch="one")
    put(repository, METAGIT, {"worktrees": [{"repository": "shop/api", "agent_id": "agent-2", "status": "active"}]})
    put(repository, ".metagit/merges/m.json", {"repository": "shop/api", "status": "queued"})
    assert worktrees(repository, "--rev", "HEAD") == [("shop/api", "agent-2"), ("shop/web", "agent-1")]
    assert asked(repository, "--rev", "HEAD")["merge_pressure"] == {"shop/api": 1}


# Whose they are


@pytest.mark.parametrize(
    ("folder", "branch", "owner"),
    [
        ("agent-1", "x", "agent-1"),
        ("web-agent-1", "x", "agent-1"),
        ("web.agent-1.tmp", "x", "agent-1"),
        ("x", "agent-2/topic", "agent-2"),
        ("x", "topic/agent-2", "agent-2"),
        ("x", "topic_agent-2", "agent-2"),
        ("agent-10", "x", None),
        ("myagent-1", "x", None),
        ("x", "agent-11/agent-22", None),
        ("x", "topic", None),
    ],
)
def test_the_pool_member_it_is_named_after(
    repository: Path, tmp_path: Path, folder: str, branch: str, owner: str | None
) -> None:
    repos.linked(repository, tmp_path / folder, branch=branch)
    assert worktrees(repository) == [("shop/web", owner)]


def test_the_longest_name_that_fits(repository: Path, tmp_path: Path) -> None:
    put(repository, POLICY, POOL.replace("agent-2", "agent-1-b"))
    repos.linked(repository, tmp_path / "agent-1-b", branch="topic")
    assert worktrees(repository) == [("shop/web", "agent-1-b")]


def test_a_named_agent_owns_what_is_named_after_it(repository: Path, tmp_path: Path) -> None:
    """Its own worktree counts beside those of the pool; everybody else's is left out, which is not the same as none."""
    repos.linked(repository, tmp_path / "cy", branch="topic")
    assert worktrees(repository) == [("shop/web", None)]
    for words, warm, why in (
        ((), 0, "nobody in agent_pool has shop/web checked out"),
        (("--agent", "agent-1"), 0, "agent-1 does not have shop/web checked out"),
        (("--agent", "cy"), 1, "cy has shop/web checked out"),
    ):
        found = json.loads(ask(repository, "explain", "here", "--json", *words).out)
        (row,) = [row for row in found["factors"] if row["factor"] == "affinity"]
        assert (row["known"], row["rating"], row["why"]) == (True, warm, why)
        signal = json.loads(ask(repository, "next", "--json", *words).out)["signals"]["worktrees"]
        assert signal["source"] == f"1 linked in git{'' if warm else ', 1 left out by agent_pool'}"
        assert signal["worktrees"] == [{"repository": "shop/web", "agent_id": "cy" if warm else None}]


def test_the_pool_leaves_out_the_worktree_that_a_row_gives_to_another(repository: Path) -> None:
    put(repository, METAGIT, {"worktrees": [{"repository": "shop/web", "agent_id": "cy", "status": "active"}]})
    put(
        repository,
        ".metagit/tasks/graphs/work.json",
        repos.graph("work", repos.task("here", repository="shop/web", agent_id="cy")),
    )
    said = ask(repository, "explain", "here", "-v")
    assert "cy has it checked out, but is not in agent_pool" in ask(
        repository, "explain", "here", "--json"
    ).out.replace("shop/web", "it")
    assert "does not have" not in said.text
    assert "1 left out by agent_pool" in ask(repository, "status").out


def test_the_recorded_worktrees_are_those_that_were_observed(repository: Path, tmp_path: Path) -> None:
    """A line holds after the worktree is gone, and another set of worktrees is another decision."""
    repos.add(repository, {".gitignore": repos.IGNORED})
    repos.linked(repository, tmp_path / "cy", branch="topic")
    with_one = json.loads(ask(repository, "next", "--agent", "cy", "--record", "--json").out)["decisions"][0]
    git(repository, "worktree", "remove", str(tmp_path / "cy"))
    without = json.loads(ask(repository, "next", "--agent", "cy", "--record", "--json").out)["decisions"][0]
    assert with_one["decision_id"] != without["decision_id"]
    assert with_one["score"] > without["score"]
    assert ask(repository, "verify").code == 0


# The name of the workspace's own repository


def test_every_worktree_says_the_same_name(tmp_path: Path) -> None:
    """The policy's, else that of the remote ``origin``, else the main worktree's folder."""
    main = repos.repository(tmp_path / "shop", repos.work(task("a")))
    tree = repos.linked(main, tmp_path / "agent-1", branch="topic")
    assert [worktrees(folder) for folder in (main, tree)] == [[("shop", None)]] * 2
    git(main, "remote", "add", "origin", "https://example.invalid/team/web.git")
    assert [worktrees(folder) for folder in (main, tree)] == [[("team/web", None)]] * 2
    for folder in (main, tree):
        put(folder, POLICY, "version: 1\nrepository: my/own\n")
    assert [worktrees(folder) for folder in (main, tree)] == [[("my/own", None)]] * 2


def test_the_worktrees_of_a_bare_repository_say_its_name(tmp_path: Path) -> None:
    main = repos.repository(tmp_path / "shop", repos.work(task("a")))
    bare = repos.clone(main, tmp_path / "bare.git", "--bare")
    git(bare, "remote", "remove", "origin")
    trees = [repos.linked(bare, tmp_path / name, branch=name) for name in ("one", "two")]
    assert [worktrees(folder) for folder in trees] == [[("bare", None)] * 2] * 2


def test_the_row_of_metagit_with_the_same_path(repository: Path, tmp_path: Path) -> None:
    tree = repos.linked(repository, tmp_path / "agent-1", branch="topic")
    row = {"path": str(tree), "repository": "shop/web", "agent_id": "agent-2", "status": "active"}
    put(repository, METAGIT, {"worktrees": [row]})
    assert worktrees(repository) == [("shop/web", "agent-2")]
    put(repository, METAGIT, {"worktrees": [{**row, "repository": "own/name"}]})
    assert worktrees(repository) == [("own/name", "agent-2")]
    put(repository, METAGIT, {"worktrees": [{"path": str(tree), "status": "active"}]})
    assert worktrees(repository) == [("shop/web", "agent-1")], "what the row leaves open is as git has it"
    put(repository, METAGIT, {"worktrees": [{**row, "status": "destroyed"}]})
    assert worktrees(repository) == [("shop/web", "agent-1")]


def test_a_path_from_the_workspace_wherever_it_is_asked_from(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repos.linked(repository, tmp_path / "tree", branch="topic")
    row = {"path": "../tree", "repository": "shop/web", "agent_id": "agent-2", "status": "active"}
    put(repository, METAGIT, {"worktrees": [row]})
    for folder in (repository, tmp_path, repository / ".metagit"):
        monkeypatch.chdir(folder)
        assert worktrees(repository) == [("shop/web", "agent-2")]


@pytest.mark.parametrize("workspace", [".", "inner"])
def test_a_linked_worktree_sees_what_metagit_keeps_in_the_main_one(
    repository: Path, tmp_path: Path, workspace: str
) -> None:
    """Git carries neither list from one worktree to another, and agents in worktrees ask about one machine."""
    repos.add(repository, {"inner/.metagit/tasks/graphs/more.json": repos.graph("more", task("x"))})
    tree = repos.linked(repository, tmp_path / "topic", branch="topic")
    home, linked = repository / workspace, tree / workspace
    row = {"path": os.path.relpath(tree, home), "repository": "shop/web", "agent_id": "agent-2", "status": "active"}
    put(home, METAGIT, {"worktrees": [row]})
    put(home, ".metagit/merges/m.json", {"repository": "shop/api", "status": "queued"})
    here, there = asked(home), asked(linked)
    assert here["signals"]["worktrees"]["worktrees"] == there["signals"]["worktrees"]["worktrees"]
    assert worktrees(linked) == [("shop/web", "agent-2")]
    assert there["merge_pressure"] == here["merge_pressure"] == {"shop/api": 1}
    prefix = "" if workspace == "." else "inner/"
    assert there["signals"]["merge_queue"]["source"] == f"{prefix}.metagit/merges of the main worktree"
    assert there["signals"]["worktrees"]["source"].startswith(f"1 active ({prefix}{METAGIT} of the main worktree)")
    put(linked, METAGIT, {"worktrees": []})
    put(linked, ".metagit/merges/m.json", {"repository": "shop/pay", "status": "queued"})
    assert worktrees(linked) != worktrees(home), "its own come first"
    assert asked(linked)["merge_pressure"] == {"shop/pay": 1}


def test_a_corrupt_list_of_the_main_worktree_is_a_problem_of_a_linked_one(repository: Path, tmp_path: Path) -> None:
    tree = repos.linked(repository, tmp_path / "topic", branch="topic")
    put(repository, METAGIT, "{")
    found = asked(tree)
    assert found["signals"]["worktrees"]["known"] is False
    assert found["signals"]["worktrees"]["source"] == f"{METAGIT} of the main worktree cannot be read"
    assert [problem["code"] for problem in found["problems"]] == ["signal-unreadable"]


def test_metagits_list(repository: Path) -> None:
    rows = [
        {"path": "/nowhere/1", "repository": "shop/api", "agent_id": "agent-1", "status": "active"},
        {"path": "/nowhere/2", "repository": "shop/api", "agent_id": "agent-2", "status": "destroyed"},
        {"path": "/nowhere/3", "repository": " shop/pay ", "agent_id": None, "status": "active"},
        {"path": "/nowhere/4", "repository": "shop/infra", "agent_id": "no id", "status": "active"},
        {"path": "/nowhere/5", "agent_id": "agent-2", "status": "active"},
        {"path": "/nowhere/6", "repository": "shop/x"},
    ]
    put(repository, METAGIT, {"worktrees": rows})
    assert worktrees(repository) == [("shop/api", "agent-1"), ("shop/infra", None), ("shop/pay", None)]
    assert asked(repository)["signals"]["worktrees"]["source"] == f"4 active ({METAGIT}), 2 left out by agent_pool"
    assert affinity(repository, "there") == (True, 1)
    assert affinity(repository, "here") == (True, 0), "a list speaks of every repository: it is cold"


def test_an_empty_list_is_known(repository: Path) -> None:
    put(repository, METAGIT, {"worktrees": []})
    assert asked(repository)["signals"]["worktrees"]["known"] is True
    assert affinity(repository, "here") == (True, 0)


def test_a_worktrees_file(repository: Path, tmp_path: Path) -> None:
    repos.linked(repository, tmp_path / "agent-1", branch="one")
    put(repository, METAGIT, {"worktrees": [{"repository": "shop/x", "status": "active"}]})
    named = put(tmp_path, "trees.json", [{"repository": "shop/api", "agent_id": "agent-2"}])
    words = ("--worktrees", str(named))
    assert worktrees(repository, *words) == [("shop/api", "agent-2")], "it takes the place of what is observed"
    assert asked(repository, *words)["signals"]["worktrees"]["source"] == "1 active (trees.json)"
    assert affinity(repository, "here", *words) == (True, 0)


# Merge queues


def test_without_merges_the_queue_is_unknown(repository: Path) -> None:
    signal = asked(repository)["signals"]["merge_queue"]
    assert signal == {"known": False, "source": "no merge files and no merge queue", "depths": {}}


def test_metagits_merges(repository: Path) -> None:
    merges = [("shop/api", "queued"), ("shop/api", "running"), ("shop/api", "done"), ("shop/web", "failed")]
    for n, (name, status) in enumerate(merges):
        put(repository, f".metagit/merges/m{n}.json", {"repository": name, "status": status})
    index = {"merges": [{"repository": "shop/web", "status": "queued"}]}
    put(repository, ".metagit/merges/queue.json", index)
    found = asked(repository)
    assert found["merge_pressure"] == {"shop/api": 2}
    assert found["signals"]["merge_queue"]["source"] == ".metagit/merges"


def test_an_empty_folder_of_merges_is_known(repository: Path) -> None:
    (repository / ".metagit" / "merges").mkdir()
    assert asked(repository)["signals"]["merge_queue"] == {"known": True, "source": ".metagit/merges", "depths": {}}


@pytest.mark.parametrize(
    ("value", "depths"),
    [
        ({"depths": {"shop/api": 3, "shop/web": 0}}, {"shop/api": 3, "shop/web": 0}),
        ({"shop/api": 3}, {"shop/api": 3}),
        ({"merges": [{"repository": "shop/api", "status": "queued"}]}, {"shop/api": 1}),
        ([{"repository": "shop/api", "status": "running"}, {"repository": "shop/api", "status": "x"}], {"shop/api": 1}),
        ({}, {}),
        ([], {}),
    ],
)
def test_a_merge_queue_file(repository: Path, tmp_path: Path, value: object, depths: dict[str, int]) -> None:
    put(repository, ".metagit/merges/m.json", {"repository": "shop/x", "status": "queued"})
    named = put(tmp_path, "queue.json", value)
    found = asked(repository, "--merge-queue", str(named))
    assert found["merge_pressure"] == depths
    assert found["signals"]["merge_queue"]["known"] is True
    assert found["signals"]["merge_queue"]["source"] == "queue.json"


def test_a_file_that_says_nobody_could_find_out(repository: Path, tmp_path: Path) -> None:
    named = put(tmp_path, "queue.json", {"unknown": "the token may not read it"})
    signal = asked(repository, "--merge-queue", str(named))["signals"]["merge_queue"]
    assert signal == {"known": False, "source": "the token may not read it", "depths": {}}


# Corrupt


CORRUPT = ["", "{", "null", "3", '"text"', "NaN", b"\xff\xfe\x00", "[1]", "[[]]"]
NO_LIST = ['{"other": []}', '{"worktrees": 3}', '{"worktrees": [1]}']
NO_DEPTHS = [
    '{"depths": []}', '{"shop/api": -1}', '{"a": true}', '{"a": 1.5}', '{"a": "3"}', '{"merges": {}}',
    '{"merges": [3]}', '[{"repository": "shop/api"}]', '[{"status": "queued"}]',
]  # fmt: skip


@pytest.mark.parametrize("content", [*CORRUPT, *NO_LIST])
def test_a_corrupt_list_of_worktrees_is_a_problem_and_unknown(
    repository: Path, tmp_path: Path, content: str | bytes
) -> None:
    repos.linked(repository, tmp_path / "agent-1", branch="one")
    put(repository, METAGIT, content)
    for words in ((), ("--worktrees", str(repository / METAGIT))):
        found = asked(repository, *words)
        assert found["signals"]["worktrees"]["known"] is False
        assert found["signals"]["worktrees"]["worktrees"] == []
        (problem,) = found["problems"]
        assert (problem["severity"], problem["code"]) == ("warning", "signal-unreadable")
        assert problem["path"].endswith("worktrees.json")
        assert problem["message"]


@pytest.mark.parametrize("content", [*CORRUPT, *NO_DEPTHS])
def test_a_corrupt_merge_queue_is_a_problem_and_unknown(repository: Path, tmp_path: Path, content: str | bytes) -> None:
    named = put(tmp_path, "queue.json", content)
    found = asked(repository, "--merge-queue", str(named))
    assert found["signals"]["merge_queue"]["known"] is False
    assert found["merge_pressure"] == {}
    assert [(problem["code"], problem["path"]) for problem in found["problems"]] == [
        ("signal-unreadable", "queue.json")
    ]


@pytest.mark.parametrize("content", ["", "{", "null", "[]", "3", b"\xff", "{}", '{"repository": "shop/web"}'])
def test_a_corrupt_merge_makes_the_queue_unknown(repository: Path, content: str | bytes) -> None:
    put(repository, ".metagit/merges/a.json", {"repository": "shop/api", "status": "queued"})
    put(repository, ".metagit/merges/b.json", content)
    found = asked(repository)
    assert found["signals"]["merge_queue"]["known"] is False
    assert [problem["path"] for problem in found["problems"]] == [".metagit/merges/b.json"]
    assert ask(repository, "next").code == 0, "the tasks are offered all the same"


@pytest.mark.parametrize("option", ["--worktrees", "--merge-queue", "--decisions"])
@pytest.mark.parametrize("kind", ["absent", "folder", "link"])
def test_a_named_file_that_cannot_be_read(repository: Path, tmp_path: Path, option: str, kind: str) -> None:
    path = tmp_path / "named.json"
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(put(tmp_path, "real.json", "[]"))
    found = asked(repository, option, str(path))
    problems = [(problem["code"], problem["path"]) for problem in found["problems"]]
    name = {"--worktrees": "worktrees", "--merge-queue": "merge_queue", "--decisions": "history"}[option]
    if (option, kind) == ("--decisions", "absent"):
        assert problems == [], "nothing was recorded there yet"
        assert found["signals"][name]["known"] is True
    else:
        assert found["signals"][name]["known"] is False
        assert problems == [("signal-unreadable", "named.json")]


@pytest.mark.parametrize("place", [METAGIT, ".metagit/merges/m.json", LOG])
def test_a_link_in_place_of_a_side_file_is_not_followed(repository: Path, tmp_path: Path, place: str) -> None:
    secret = put(tmp_path, "secret.json", {"worktrees": [{"repository": "a/b", "status": "active"}], "a": "secret"})
    path = repository / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(secret)
    found = asked(repository)
    (problem,) = found["problems"]
    assert "symbolic link" in problem["message"]
    assert 'secret"' not in json.dumps(found)


# The workspace's own repository


def test_a_dot_is_the_own_repository_everywhere(tmp_path: Path) -> None:
    nodes = repos.work(task("here", repository="."), task("in-project", repository=" . ", project="p"))
    folder = repos.repository(tmp_path / "main", {**nodes, POLICY: "version: 1\nrepository: shop/web\n"})
    put(folder, METAGIT, {"worktrees": [{"repository": ".", "agent_id": "ann", "status": "active"}]})
    for name, repository in (("m1", "."), ("m2", "shop/web"), ("m3", "shop/api")):
        put(folder, f".metagit/merges/{name}.json", {"repository": repository, "status": "queued"})
    row = {"decision_id": "x", "graph_id": "old", "node_id": "n", "dispatch_hints": {"project": "q", "repository": "."}}
    put(folder, LOG, json.dumps(row))
    record = asked(folder)
    assert {row["repository"] for row in record["ranking"]} == {"shop/web"}
    assert record["signals"]["worktrees"]["worktrees"] == [{"repository": "shop/web", "agent_id": "ann"}]
    assert record["signals"]["merge_queue"]["depths"] == {"shop/api": 1, "shop/web": 2}
    put(folder, "fair.yml", "version: 1\nrepository: shop/web\nweights: {fairness: 1}\n")
    (why,) = (
        row["why"]
        for row in json.loads(ask(folder, "explain", "here", "--json", "--policy", "fair.yml").out)["factors"]
        if row["factor"] == "fairness"
    )
    assert why == "1 of 1 recent decision went to shop/web"
    said = json.loads(ask(folder, "next", "--format", "metagit", "--limit", "2").out)
    assert [row["dispatch_hints"]["repository"] for row in said] == [".", "."]
    assert {row["compile_command"] for row in said} == {
        None, "metagit context compile --project p --repo . --task-id in-project"
    }  # fmt: skip


def test_a_dot_stays_where_the_own_repository_has_no_name(tmp_path: Path) -> None:
    folder = repos.repository(tmp_path / "-", repos.work(task("here", repository=".")))
    put(folder, METAGIT, {"worktrees": [{"repository": ".", "status": "active"}]})
    assert worktrees(folder) == [(".", None)]
    assert affinity(folder, "here") == (True, 1.0)
