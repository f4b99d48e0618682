"""What is read: from which workspace, at which revision, at what time, and what is refused on the way."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

import pytest

import repos
from repos import GRAPHS, POLICY, task, work
from sandbox import ask, git, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

TASKMASTER = {
    "master": {"tasks": [{"id": 1, "title": "one", "status": "pending", "dependencies": [], "priority": "high"}]}
}


def asked(folder: Path, *words: str, code: int = 0) -> dict[str, Any]:
    """Give the record of ``next``."""
    said = ask(folder, "next", "--json", *words)
    assert said.code == code, said.text
    found: dict[str, Any] = json.loads(said.out)
    return found


def asked_despite_errors(folder: Path, *words: str) -> dict[str, Any]:
    """Give the record of ``next`` where task files hold errors, which end with 1 under ``--strict`` alone."""
    assert ask(folder, "next", "--json", "--strict", *words).code == 1
    return asked(folder, *words)


def picks(folder: Path, *words: str, code: int = 0) -> list[str]:
    """Give the ids of up to nine picked nodes."""
    return [row["node_id"] for row in asked(folder, "--limit", "9", *words, code=code)["decisions"]]


def time_of(folder: Path, *words: str) -> str:
    """Give the time of an answer, also where nothing follows from it."""
    found: str = json.loads(ask(folder, "next", "--format", "metagit", *words).out)[0]["at"]
    return found


def problems(record: dict[str, Any]) -> list[tuple[str, str]]:
    """Give code and path of each problem."""
    return [(problem["code"], problem["path"]) for problem in record["problems"]]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with one graph at its top level."""
    return repos.repository(tmp_path / "repository", {**work(task("a")), "src/app.py": "\n", "docs/deep/page.md": "\n"})


# Which workspace


def monorepo(root: Path) -> Path:
    """Make a repository with a graph at the top level, two workspaces below, and a folder without any."""
    files = {
        **work(task("top")),
        **{f"apps/web/{name}": text for name, text in work(task("web")).items()},
        "apps/web/src/page.ts": "\n",
        "apps/api/.taskmaster/tasks/tasks.json": json.dumps(TASKMASTER),
        "apps/api/src/main.py": "\n",
        "libs/common/code.py": "\n",
    }
    return repos.repository(root / "monorepo", files)


@pytest.mark.parametrize("rev", [(), ("--rev", "HEAD")])
@pytest.mark.parametrize(
    ("place", "workspace", "picked"),
    [
        ("apps/web", "apps/web", ["web"]),
        ("apps/web/src", "apps/web", ["web"]),
        ("apps/web/.metagit/tasks", "apps/web", ["web"]),
        ("apps/api", "apps/api", ["1"]),
        ("apps/api/src", "apps/api", ["1"]),
        ("apps/api/.taskmaster/tasks", "apps/api", ["1"]),
    ],
)
def test_the_nearest_workspace(
    tmp_path: Path, rev: tuple[str, ...], place: str, workspace: str, picked: list[str]
) -> None:
    folder = monorepo(tmp_path) / place
    record = asked(folder, *rev)
    assert record["basis"]["workspace"] == workspace
    assert [row["node_id"] for row in record["decisions"]] == picked


@pytest.mark.parametrize("rev", [(), ("--rev", "HEAD")])
@pytest.mark.parametrize("place", [".", "apps", "libs/common", ".metagit"])
def test_the_top_level_where_nothing_nearer_is_one(tmp_path: Path, rev: tuple[str, ...], place: str) -> None:
    record = asked(monorepo(tmp_path) / place, *rev)
    assert record["basis"]["workspace"] == ""
    assert "top" in [row["node_id"] for row in record["ranking"]]


@pytest.mark.parametrize("rev", [(), ("--rev", "HEAD")])
def test_a_named_workspace(tmp_path: Path, rev: tuple[str, ...]) -> None:
    top = monorepo(tmp_path)
    assert asked(top, "--workspace", "apps/web", *rev)["basis"]["workspace"] == "apps/web"
    assert asked(top / "apps" / "api", "--workspace", "../web", *rev)["basis"]["workspace"] == "apps/web"
    assert asked(top / "apps" / "web", "--workspace", str(top), *rev)["basis"]["workspace"] == ""
    nothing = asked(top, "--workspace", "libs", *rev)
    assert (nothing["basis"]["workspace"], nothing["outcome"]) == ("libs", "empty")


@pytest.mark.parametrize("named", ["nosuch", "..", "apps/web/src/page.ts", "../elsewhere"])
def test_a_workspace_that_is_none(tmp_path: Path, named: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    said = ask(monorepo(tmp_path), "next", "--workspace", named)
    assert said.code == 2
    assert said.err == f"error: --workspace {named} is not a folder of this repository\n"


def test_a_folder_whose_name_begins_with_dots(tmp_path: Path) -> None:
    files = {f"..odd/{name}": text for name, text in work(task("odd")).items()}
    top = repos.repository(tmp_path / "top", files)
    assert picks(top / "..odd") == ["odd"]
    assert picks(top, "--workspace", "..odd") == ["odd"]


def test_a_place_that_does_not_exist(tmp_path: Path) -> None:
    for named in ("nosuch", "file"):
        (tmp_path / "file").touch()
        said = ask(tmp_path / named, "next")
        assert said.code == 2
        assert said.err == f"error: {tmp_path / named} is not a folder\n"


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    gone = ("sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh")
    ran = repos.start(tmp_path, "next", prefix=gone)
    assert ran.code == 4
    assert b"error: the folder this was started in is gone\n" in ran.err


def test_a_way_through_a_link(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository / "docs" / "deep")
    (repository / ".git" / "info" / "exclude").write_text(repos.IGNORED, encoding="utf-8")
    assert picks(tmp_path / "link") == ["a"]
    assert ask(tmp_path / "link", "next", "--record").code == 0
    assert (repository / repos.LOG).exists()


def test_outside_git_the_nearest_folder_that_is_a_workspace(tmp_path: Path) -> None:
    write(tmp_path / "plain", {**work(task("a")), "deep/er/file": ""})
    for place in ("", "deep", "deep/er"):
        record = asked(tmp_path / "plain" / place)
        assert [row["node_id"] for row in record["decisions"]] == ["a"]
        assert (record["basis"]["revision"], record["basis"]["now"], record["basis"]["dirty"]) == (None, None, [])
    assert picks(tmp_path, "--workspace", "plain") == ["a"]
    assert ask(tmp_path, "next", "--workspace", "nosuch").code == 2


# Which revision


def edited(repository: Path) -> Path:
    """Commit a second version, tag the first, and leave a third in the work tree."""
    git(repository, "tag", "-a", "-m", "first", "v1")
    git(repository, "branch", "old")
    repos.add(repository, work(task("b")), at="2026-11-03T09:00:00Z")
    write(repository, work(task("c")))
    return repository


def test_the_work_tree_as_it_is(repository: Path) -> None:
    record = asked(edited(repository))
    assert [row["node_id"] for row in record["decisions"]] == ["c"]
    assert record["basis"]["dirty"] == [f"{GRAPHS}/work.json"]
    assert record["basis"]["revision"] == repos.head(repository)


@pytest.mark.parametrize(
    ("rev", "picked"),
    [("HEAD", "b"), ("main", "b"), ("HEAD~1", "a"), ("v1", "a"), ("old", "a"), ("refs/tags/v1", "a"), ("@", "b")],
)
def test_a_revision_by_any_name(repository: Path, rev: str, picked: str) -> None:
    record = asked(edited(repository), "--rev", rev)
    assert [row["node_id"] for row in record["decisions"]] == [picked]
    assert record["basis"]["dirty"] == []
    assert record["basis"]["revision"] == git(repository, "rev-parse", f"{rev}^{{commit}}").strip()
    assert time_of(repository, "--rev", rev) == ("2026-11-03T09:00:00Z" if picked == "b" else repos.BASE)
    ids = [row["object_id"] for row in record["basis"]["inputs"]]
    assert ids == [git(repository, "rev-parse", f"{rev}:{GRAPHS}/work.json").strip()]


def test_a_revision_by_a_short_id(repository: Path) -> None:
    assert picks(edited(repository), "--rev", repos.head(repository)[:8]) == ["b"]


@pytest.mark.parametrize(
    "rev",
    [
        "nosuch",
        "HEAD~9",
        "",
        "-h",
        "--all",
        "HEAD:src/app.py",
        "HEAD^{tree}",
        "a b",
        "main..old",
        ":/nosuch",
        "deadbeef",
    ],
)
def test_a_revision_that_is_none(repository: Path, rev: str) -> None:
    said = ask(edited(repository), "next", f"--rev={rev}")
    assert said.code == 2
    assert said.err.startswith(f"error: there is no revision {rev} here\n")
    assert said.out == ""


def test_a_revision_with_a_line_break(repository: Path) -> None:
    assert ask(repository, "next", "--rev", "HEAD\nHEAD").code == 2


def test_what_is_only_in_the_work_tree_is_not_in_a_revision(repository: Path) -> None:
    write(repository, {**work(task("new"), graph_id="new"), POLICY: "version: 1\nnosuch: 1\n"})
    assert picks(repository, "--rev", "HEAD") == ["a"]
    assert asked(repository, code=1)["outcome"] == "refused"


def test_an_untracked_file_is_read_and_named_as_a_difference(repository: Path) -> None:
    write(repository, work(task("new"), graph_id="new"))
    record = asked(repository, "--limit", "2")
    assert [row["node_id"] for row in record["decisions"]] == ["a", "new"]
    assert record["basis"]["dirty"] == [f"{GRAPHS}/new.json"]


def test_a_file_removed_from_the_work_tree_is_said(repository: Path) -> None:
    repos.add(repository, work(task("b"), graph_id="other"))
    (repository / GRAPHS / "work.json").unlink()
    record = asked(repository)
    assert [row["node_id"] for row in record["decisions"]] == ["b"]
    assert record["basis"]["dirty"] == [f"{GRAPHS}/work.json"]
    assert [(row["severity"], row["path"]) for row in record["problems"]] == [("warning", f"{GRAPHS}/work.json")]
    assert sorted(picks(repository, "--rev", "HEAD")) == ["a", "b"]
    repos.add(repository, {})
    assert problems(asked(repository)) == []


def test_a_policy_removed_from_the_work_tree_is_said(repository: Path) -> None:
    repos.add(repository, {POLICY: "version: 1\n"})
    (repository / POLICY).unlink()
    record = asked(repository)
    assert record["basis"]["policy"]["path"] == ""
    assert record["basis"]["dirty"] == [POLICY]
    assert problems(record) == [("unreadable", POLICY)]


def test_a_detached_head(repository: Path) -> None:
    git(edited(repository), "checkout", "-qf", "--detach", "v1")
    assert picks(repository) == ["a"]
    assert picks(repository, "--rev", "HEAD") == ["a"]


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    write(tmp_path, work(task("a")))
    record = asked(tmp_path)
    assert [row["node_id"] for row in record["decisions"]] == ["a"]
    assert (record["basis"]["revision"], record["basis"]["now_source"]) == (None, "unused")
    said = ask(tmp_path, "next", "--rev", "HEAD")
    assert (said.code, said.err) == (
        2, "error: there is no revision HEAD here\nhint: this repository has no commits yet\n"
    )  # fmt: skip


def test_a_head_whose_commit_is_lost(repository: Path) -> None:
    commit = repos.head(repository)
    (repository / ".git" / "objects" / commit[:2] / commit[2:]).unlink()
    said = ask(repository, "next")
    assert said.code == 4
    assert said.err.startswith("error: HEAD names a commit that is not here: ")


def test_a_shallow_clone(repository: Path, tmp_path: Path) -> None:
    clone = repos.clone(edited(repository), tmp_path / "clone", "--depth", "1")
    assert picks(clone) == ["b"]
    assert picks(clone, "--rev", "HEAD") == ["b"]
    said = ask(clone, "next", "--rev", "HEAD~1")
    assert said.code == 2
    assert "hint: this clone is shallow: git fetch --unshallow gets the rest\n" in said.err


def test_a_sparse_checkout(repository: Path) -> None:
    git(repository, "sparse-checkout", "set", "--no-cone", "/src/", "/docs/")
    assert not (repository / ".metagit").exists()
    assert picks(repository, "--rev", "HEAD") == picks(repository) == ["a"]
    record = asked(repository)
    assert (record["basis"]["dirty"], problems(record)) == ([], [("not-checked-out", f"{GRAPHS}/work.json")])
    assert json.loads(ask(repository, "diff", "--json").out)["changed"] is False
    git(repository, "sparse-checkout", "disable")
    (repository / GRAPHS / "work.json").unlink()
    record = asked(repository)
    assert (record["outcome"], record["basis"]["dirty"]) == ("empty", [f"{GRAPHS}/work.json"])
    assert "committed but not in the work tree" in record["problems"][0]["message"]


def test_a_clone_that_borrows_its_objects(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--shared", str(repository), "clone")
    assert picks(tmp_path / "clone", "--rev", "HEAD") == ["a"]


def test_a_repository_of_sha_256(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, work(task("a")), object_format="sha256")
    write(repository, work(task("b"), graph_id="other"))
    record = asked(repository)
    assert len(record["basis"]["revision"]) == 64
    inputs = {row["path"]: row["object_id"] for row in record["basis"]["inputs"]}
    assert inputs == {
        f"{GRAPHS}/{name}.json": git(repository, "hash-object", f"{GRAPHS}/{name}.json").strip()
        for name in ("other", "work")
    }
    assert picks(repository, "--rev", "HEAD") == ["a"]


def test_object_ids_are_those_of_git(repository: Path) -> None:
    write(repository, work(task("a", title="changed")))
    (row,) = asked(repository)["basis"]["inputs"]
    assert row["object_id"] == git(repository, "hash-object", row["path"]).strip()


def test_replaced_objects_are_not_taken(repository: Path) -> None:
    old = git(repository, "rev-parse", f"HEAD:{GRAPHS}/work.json").strip()
    write(repository, {"other.json": repos.graph("work", task("swapped"))})
    new = git(repository, "hash-object", "-w", "other.json").strip()
    git(repository, "replace", old, new)
    assert picks(repository, "--rev", "HEAD") == ["a"]


def test_commits_with_broken_dates(repository: Path) -> None:
    tree = git(repository, "rev-parse", "HEAD^{tree}").strip()
    for stamp, now in (
        ("99999999999999 +0000", "9999-12-31T23:59:59Z"),
        ("1700000000 +051800", "2023-11-14T22:13:20Z"),
        ("", "1970-01-01T00:00:00Z"),
    ):
        text = f"tree {tree}\nauthor A <a@b> {stamp}\ncommitter A <a@b> {stamp}\n\ncommitter B <b@c> 5 +0000\n"
        write(repository, {"commit": text})
        commit = git(repository, "hash-object", "-t", "commit", "-w", "--literally", "commit").strip()
        assert time_of(repository, "--rev", commit) == now


# Which files


@pytest.mark.parametrize(
    "name",
    [
        "with blank.json",
        "with \"quotes\" and 'apostrophes'.json",
        "größe-タスク-😀.json",
        "-leading.json",
        "$(touch canary).json",
        "tab\there.json",
        "line\nbreak.json",
        "back\\slash.json",
        "colon:.json",
        "star[1]*.json",
    ],
)
def test_file_names(tmp_path: Path, name: str) -> None:
    repository = repos.repository(tmp_path, {f"{GRAPHS}/{name}": repos.graph("odd", task("a"))})
    for words in ((), ("--rev", "HEAD")):
        record = asked(repository, *words)
        assert [row["node_id"] for row in record["decisions"]] == ["a"]
        assert [row["path"] for row in record["basis"]["inputs"]] == [f"{GRAPHS}/{name}"]
        assert record["basis"]["dirty"] == []
    said = ask(repository, "check", f"{repository}/{GRAPHS}/{name}")
    assert said.code == 0
    named = asked(repository, "--graph", str(repository / GRAPHS / name))
    assert problems(named) == []


def test_a_file_name_that_is_not_utf_8(repository: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.json")
    repos.add(repository, {f"{GRAPHS}/{name}": repos.graph("odd", task("b"))})
    (repository / ".git" / "info" / "exclude").write_text(repos.IGNORED, encoding="utf-8")
    for words in (("next", "--limit", "9"), ("status",), ("check",), ("explain", "b")):
        for rev in ((), ("--rev", "HEAD")):
            ran = repos.sched(repository, *words, *rev, "--json")
            assert ran.code == 0
            assert ran.record["basis" if words[0] != "explain" else "node"]
            assert repos.sched(repository, *words, *rev).code == 0
    assert sorted(picks(repository)) == ["a", "b"]
    assert ask(repository, "next", "--record").code == 0
    (repository / GRAPHS / name).write_text("{", encoding="utf-8")
    assert ask(repository, "check").code == 1
    ran = repos.sched(repository, "check", "--json")
    assert b"\\\\xff" in ran.out
    assert f"{GRAPHS}/\\xff\\xfe.json:1:" in ask(repository, "check").out


def test_a_folder_with_a_line_break_in_its_name(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "two\nlines", {**work(task("a")), ".gitignore": repos.IGNORED})
    below = repository / ".metagit" / "tasks"
    for words in ((), ("--rev", "HEAD")):
        assert picks(below, *words) == ["a"]
    assert ask(below, "next", "--record").code == 0
    tree = repos.linked(repository, tmp_path / "linked\ntree", branch="topic")
    assert asked(tree)["signals"]["worktrees"]["known"]


def test_a_file_named_twice_is_read_once(repository: Path) -> None:
    path = str(repository / GRAPHS / "work.json")
    record = asked(repository, "--graph", path, "--graph", path)
    assert problems(record) == []
    assert record["counts"]["nodes"] == 1


@pytest.mark.parametrize("named", ["backlog/tasks/task-1 - A.md", "backlog/tasks", "backlog"])
def test_a_part_of_what_is_read_anyway_is_read_once(tmp_path: Path, named: str) -> None:
    repository = repos.repository(
        tmp_path,
        {
            "backlog/config.yml": "project_name: x\n",
            "backlog/tasks/task-1 - A.md": "---\nid: TASK-1\ntitle: A\nstatus: To Do\n---\n",
            "backlog/tasks/task-2 - B.md": "---\nid: TASK-2\ntitle: B\nstatus: To Do\n---\n",
        },
    )
    record = asked(repository, "--graph", str(repository / named))
    assert record["counts"] == asked(repository)["counts"]
    assert problems(record) == []


def test_a_graph_elsewhere_in_the_workspace(repository: Path) -> None:
    repos.add(repository, {"plan/more.yml": "graph_id: more\nnodes:\n  - node_id: b\n    title: B\n"})
    assert picks(repository) == ["a"]
    for words in ((), ("--rev", "HEAD")):
        assert sorted(picks(repository, "--graph", str(repository / "plan" / "more.yml"), *words)) == ["a", "b"]
        assert sorted(picks(repository / "docs", "--graph", "../plan/more.yml", *words)) == ["a", "b"]
        assert sorted(picks(repository / "plan", "--graph", "./more.yml", *words)) == ["a", "b"]


@pytest.mark.parametrize("rev", [(), ("--rev", "HEAD")])
@pytest.mark.parametrize(
    "named",
    [
        "../outside.json",
        "docs/../../outside.json",
        "/etc/hostname",
        ".git/config",
        ".GIT/config",
        "docs/.git/x.json",
        "link/outside.json",
        "linked.json",
        ".",
    ],
)
def test_a_path_that_leaves_the_workspace(repository: Path, tmp_path: Path, rev: tuple[str, ...], named: str) -> None:
    (tmp_path / "outside.json").write_text(repos.graph("outside", task("secret")), encoding="utf-8")
    (repository / "link").symlink_to(tmp_path)
    (repository / "linked.json").symlink_to(tmp_path / "outside.json")
    repos.add(repository, {})
    before = os.getcwd()
    os.chdir(repository)
    try:
        said = ask(repository, "next", "--json", "--limit", "9", "--graph", named, *rev)
    finally:
        os.chdir(before)
    record = json.loads(said.out)
    assert said.code == 1
    assert [row["node_id"] for row in record["decisions"]] == ["a"], "the others are offered"
    (problem,) = record["problems"]
    assert problem["severity"] == "error"
    assert problem["code"] in ({"outside-workspace"} if not rev else {"outside-workspace", "unreadable"})
    assert problem["hint"]
    assert "secret" not in said.out.replace(named, "")


def test_a_policy_elsewhere_is_a_what_if(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "what-if.yml").write_text("version: 1\nweights: {urgency: 9}\n", encoding="utf-8")
    for words in ((), ("--rev", "HEAD")):
        record = asked(repository / "docs", "--policy", "../../what-if.yml", *words)
        assert record["basis"]["policy"]["path"] == "../../what-if.yml"
        assert record["basis"]["dirty"] == ["../../what-if.yml"]
    assert asked(repository, "--policy", str(tmp_path / "nosuch.yml"), code=1)["outcome"] == "refused"


def test_a_policy_in_error_is_said_wherever_it_is_named_from(repository: Path) -> None:
    repos.add(repository, {"plan/policy.yml": "version: 1\nnosuch: 1\n"})
    for folder, named in (
        (repository, repository / "plan" / "policy.yml"),
        (repository / "docs", "../plan/policy.yml"),
    ):
        said = ask(folder, "policy", "show", "--policy", str(named), "--json")
        assert said.code == 1
        assert problems(json.loads(said.out)) == [("unknown-key", "plan/policy.yml")]


@pytest.mark.parametrize("committed", [True, False])
def test_a_linked_task_file(repository: Path, tmp_path: Path, *, committed: bool) -> None:
    (tmp_path / "outside.json").write_text(repos.graph("outside", task("secret")), encoding="utf-8")
    (repository / GRAPHS / "link.json").symlink_to(tmp_path / "outside.json")
    if committed:
        repos.add(repository, {})
    for words in ((), ("--rev", "HEAD")) if committed else ((),):
        record = asked_despite_errors(repository, *words)
        assert [row["node_id"] for row in record["decisions"]] == ["a"]
        assert problems(record) == [("outside-workspace", f"{GRAPHS}/link.json")]


def test_a_linked_folder_of_task_files(tmp_path: Path) -> None:
    write(tmp_path / "aside", {"x.json": repos.graph("aside", task("secret"))})
    repository = repos.repository(tmp_path / "repository", {".metagit/tasks/readme": ""})
    (repository / GRAPHS).symlink_to(tmp_path / "aside")
    record = asked_despite_errors(repository)
    assert record["decisions"] == []
    assert problems(record) == [("outside-workspace", GRAPHS)], "not even names behind the link are shown"


def test_a_link_to_the_task_file_itself_in_a_loop(repository: Path) -> None:
    (repository / GRAPHS / "loop.json").symlink_to("loop.json")
    assert problems(asked_despite_errors(repository)) == [("outside-workspace", f"{GRAPHS}/loop.json")]


def test_a_pipe_does_not_hang(repository: Path) -> None:
    os.mkfifo(repository / GRAPHS / "pipe.json")
    os.mkfifo(repository / "policy.yml")
    record = asked_despite_errors(repository)
    assert [row["node_id"] for row in record["decisions"]] == ["a"]
    assert record["problems"][0]["message"] == f"{GRAPHS}/pipe.json is a named pipe, not a file"
    assert asked(repository, "--policy", str(repository / "policy.yml"), code=1)["outcome"] == "refused"
    assert asked(repository, "--graph", "/dev/zero", code=1)["outcome"] == "decided"


def test_a_folder_in_place_of_a_file(repository: Path) -> None:
    (repository / GRAPHS / "folder.json").mkdir()
    record = asked_despite_errors(repository)
    assert record["problems"][0]["message"] == f"{GRAPHS}/folder.json is a folder, not a file"


def test_a_file_in_place_of_a_folder(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, {".metagit": "text\n"})
    for words in ((), ("--rev", "HEAD")):
        record = asked(repository, *words, code=1)
        assert record["outcome"] == "refused", "a policy might have been meant to lie there"
        assert {path for _, path in problems(record)} == {GRAPHS, POLICY.rpartition("/")[0]}


@pytest.mark.parametrize("where", ["nowhere", "/etc", "."])
@pytest.mark.parametrize(("folder", "code"), [(GRAPHS, 0), (".metagit/schedule", 1), (".taskmaster", 0)])
def test_a_link_in_place_of_a_folder(tmp_path: Path, folder: str, code: int, where: str) -> None:
    """Where nothing is found through it, the link itself is what is wrong: it is never skipped in silence."""
    repository = repos.repository(tmp_path, {".metagit/tasks/readme": ""})
    (repository / folder).symlink_to(where)
    for words in ((), ("--rev", "HEAD")):
        record = asked(repository, *words, code=code)
        assert [(p["code"], p["path"][: len(folder)]) for p in record["problems"]] == [("outside-workspace", folder)]
        assert ask(repository, "check", *words).code == (folder != ".taskmaster")
        repos.add(repository, {})


def test_a_pipe_in_place_of_a_folder(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, {".metagit/tasks/readme": ""})
    os.mkfifo(repository / GRAPHS)
    assert problems(asked_despite_errors(repository)) == [("unreadable", GRAPHS)]


def test_a_file_that_may_not_be_read(repository: Path) -> None:
    repos.add(repository, work(task("b"), graph_id="other"))
    (repository / GRAPHS / "work.json").chmod(0)
    ran = repos.start(repository, "next", "--json", prefix=repos.bound())
    assert ran.code == 0
    assert [row["node_id"] for row in ran.record["decisions"]] == ["b"]
    assert problems(ran.record) == [("unreadable", f"{GRAPHS}/work.json")]
    assert "permission denied" in ran.record["problems"][0]["message"]


def test_an_lfs_pointer(repository: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22\nsize 12345\n"
    repos.add(repository, {f"{GRAPHS}/large.json": pointer})
    for words in ((), ("--rev", "HEAD")):
        record = asked_despite_errors(repository, *words)
        assert [row["node_id"] for row in record["decisions"]] == ["a"]
        assert record["problems"][0]["message"] == f"{GRAPHS}/large.json is a Git LFS pointer, not the file itself"


def test_a_submodule_in_place_of_a_file(repository: Path, tmp_path: Path) -> None:
    inner = repos.repository(tmp_path / "inner", work(task("b")))
    repos.submodule(repository, inner, f"{GRAPHS}/inner.json")
    for words in ((), ("--rev", "HEAD")):
        record = asked_despite_errors(repository, *words)
        assert [row["node_id"] for row in record["decisions"]] == ["a"]
        assert len(record["problems"]) == 1


def test_a_submodule_is_a_repository_of_its_own(repository: Path, tmp_path: Path) -> None:
    inner = repos.repository(tmp_path / "inner", work(task("b")))
    path = repos.submodule(repository, inner, "vendor/inner")
    for words in ((), ("--rev", "HEAD")):
        assert picks(path, *words) == ["b"]
        assert picks(repository, *words) == ["a"]
    assert asked(path)["basis"]["revision"] == repos.head(inner)


# Differences that are none


def test_a_checkout_with_crlf_is_clean(repository: Path, tmp_path: Path) -> None:
    repos.add(repository, {"plan.yml": "graph_id: plan\nnodes:\n  - node_id: b\n    title: B\n"})
    clone = repos.clone(repository, tmp_path / "clone", "--config", "core.autocrlf=true")
    assert b"\r\n" in (clone / GRAPHS / "work.json").read_bytes()
    words = ("--limit", "2", "--graph")
    record = asked(clone, *words, str(clone / "plan.yml"))
    assert record["basis"]["dirty"] == []
    assert record == asked(repository, *words, str(repository / "plan.yml"))
    with (clone / "plan.yml").open("ab") as file:
        file.write(b"# more\r\n")
    assert asked(clone, *words, str(clone / "plan.yml"))["basis"]["dirty"] == ["plan.yml"]


def test_a_mode_or_a_time_is_no_difference(repository: Path) -> None:
    path = repository / GRAPHS / "work.json"
    before = asked(repository)
    path.chmod(0o755)
    os.utime(path, (1, 1))
    assert asked(repository) == before


def test_a_staged_change_is_a_change_of_the_work_tree(repository: Path) -> None:
    write(repository, work(task("b")))
    git(repository, "add", "-A")
    assert asked(repository)["basis"]["dirty"] == [f"{GRAPHS}/work.json"]
    assert picks(repository) == ["b"]


# At what time


@pytest.mark.parametrize(
    ("given", "now"),
    [
        ("2026-12-01", "2026-12-01T00:00:00Z"),
        ("2026-12-01T10:30", "2026-12-01T10:30:00Z"),
        ("2026-12-01 10:30:15", "2026-12-01T10:30:15Z"),
        ("2026-12-01T10:30:15Z", "2026-12-01T10:30:15Z"),
        ("2026-12-01T10:30:15.250Z", "2026-12-01T10:30:15Z"),
        ("2026-12-01T10:30:15+02:00", "2026-12-01T08:30:15Z"),
        ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
    ],
)
def test_a_given_time(repository: Path, given: str, now: str) -> None:
    assert time_of(repository, "--now", given) == now


@pytest.mark.parametrize(
    "given", ["", "now", "tomorrow", "2026-13-01", "2026-02-30", "1700000000", "20261201", "10:30", "2026-12-01T25:00"]
)
def test_a_time_that_is_none(repository: Path, given: str) -> None:
    said = ask(repository, "next", "--now", given)
    assert said.code == 2
    assert (
        said.err
        == f"error: --now {given} is not a time\nhint: write 2026-11-03T09:30:00Z, commit, or wall for the clock\n"
    )


AGES: Final = {".metagit/schedule/policy.yml": "version: 1\nweights: {age: 1}\n"}
"""A policy by which creation dates decide, so that the time plays a part."""


def test_the_time_is_the_clock_for_the_work_tree_and_the_commits_for_a_revision(tmp_path: Path) -> None:
    repos.repository(tmp_path, {**work(task("a", created_at="2023-11-01")), **AGES})
    for words, source in ((), "wall"), (("--rev", "HEAD"), "commit"), (("--now", "commit"), "commit"):
        basis = asked(tmp_path, *words)["basis"]
        assert (basis["now_source"], basis["now"] == repos.BASE) == (source, source == "commit")
    assert asked(tmp_path, "--rev", "HEAD", "--now", "wall")["basis"]["now_source"] == "wall"


def test_where_nothing_follows_from_the_time_there_is_none(repository: Path) -> None:
    record = asked(repository, "--now", "2026-12-01")
    assert (record["basis"]["now"], record["basis"]["now_source"]) == (None, "unused")
    assert record["decisions"][0]["at"] is None
    assert time_of(repository, "--now", "2026-12-01") == "2026-12-01T00:00:00Z"
    assert time_of(repository, "--rev", "HEAD") == repos.BASE


@pytest.mark.parametrize("place", ["unborn", "outside"])
def test_where_there_is_no_commit_the_clock_is_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """SOURCE_DATE_EPOCH is not read: some shells set it to 1980."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "315532800")
    if place == "unborn":
        git(tmp_path, "init", "-q")
    write(tmp_path, {**work(task("a", created_at="2023-11-01")), **AGES})
    basis = asked(tmp_path)["basis"]
    assert basis["now_source"] == "wall"
    assert basis["now"] > "2026"
    assert asked(tmp_path, "--now", "2026-01-01")["basis"]["now_source"] == "given"
    said = ask(tmp_path, "next", "--now", "commit")
    assert (said.code, said.err.splitlines()[0]) == (2, "error: --now commit: there is no commit here")


def test_a_bare_environment(repository: Path) -> None:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(repos.SOURCE)}
    ran = repos.start(repository, "next", "-q", env=env)
    assert (ran.code, ran.out) == (0, b"a\n")
