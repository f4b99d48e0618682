"""The hooks are put in place only where no merge can change them, hooks of others are kept, and all can be undone."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

import repos
from git_sched.hooks import NAMES
from git_sched.hooks.hooks_path import LEFTHOOK
from git_sched.hooks.install import install, uninstall
from git_sched.hooks.script import line, script
from git_sched.model.problems import WorldError
from hooks import sites
from hooks.sites import FREED, NEXT, Site
from operations.faults import inject
from sandbox import git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.heavy

ROOT = Path(__file__).resolve().parents[2]
KEPT = "post-merge.before-git-sched"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Give a clone without hooks."""
    return sites.clone(tmp_path)


def ask(site: Site, word: str, *, code: int = 0) -> str:
    """Install or uninstall; give what was said."""
    ran = repos.sched(site.folder, "hook", word, env=site.env)
    assert ran.code == code, ran.text
    return ran.text


def written(site: Site, word: str) -> set[str]:
    """Install or uninstall; give the files that were made, changed or removed, from the root."""
    before = repos.snapshot(site.root)
    ask(site, word)
    return repos.written(before, repos.snapshot(site.root), site.root)


# What is written


@pytest.mark.parametrize("place", sites.PLACES)
def test_one_file_for_each_hook(tmp_path: Path, place: str) -> None:
    site = sites.PLACES[place](tmp_path)
    site.hooks.mkdir(exist_ok=True)
    hooks = {str((site.hooks / name).relative_to(site.root)) for name in NAMES}
    assert written(site, "install") == hooks
    for name in NAMES:
        path = site.hooks / name
        assert stat.S_IMODE(path.stat().st_mode) == 0o755
        assert path.read_bytes().startswith(b"#!/bin/sh\n")
        assert path.read_bytes().endswith(b"\nexit 0\n")
        assert b"\r" not in path.read_bytes()
        assert site.run("sh", "-n", path).text == ""
    assert written(site, "install") == hooks  # written anew: it may be another Python
    assert written(site, "uninstall") == hooks
    assert list(site.hooks.iterdir()) == []
    assert ask(site, "uninstall") == "nothing to remove: no hook of git-sched is installed here\n"


OTHER = "#!/bin/sh\necho other\n"


CALLS = ("write", "fsync", "replace", "fchmod", "open", "link", "unlink", "symlink")
STEPS = [(name, True) for name in CALLS[:-1]] + [(name, False) for name in CALLS if name != "unlink"]
"""Calls that fail in turn, and whether the file system has hard links; without, what cannot be unlinked stays aside."""


@pytest.mark.parametrize(("name", "links"), STEPS)
@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_hook_of_somebody_else_runs_at_each_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, name: str, *, links: bool
) -> None:
    """Each call fails in turn: the hook of that name is the old one or the new one, which runs the old one."""
    for number in range(1, 40):
        folder = tmp_path / str(number)
        (folder / "hooks").mkdir(parents=True)
        target = folder / "hooks" / "post-merge"
        (folder / "own").write_text(OTHER, encoding="utf-8")
        (folder / "own").chmod(0o755)
        if kind == "link":
            target.symlink_to("../own")
        else:
            (folder / "own").rename(target)
        with monkeypatch.context() as patched:
            if not links:
                patched.setattr("git_sched.hooks.install.link", lambda *_: False)
            failed = inject(patched, name, number)
            said = run_through(install, folder)
        assert repos.run(folder, target).out.splitlines()[:1] == [b"other"], (number, said)
        assert not list(folder.rglob("*.partial")), "nothing is left behind"
        if not failed:
            assert said == ""
            break
        assert "No space left on device" in said or not said
        assert run_through(install, folder) == "", "it can be installed again"
        assert run_through(uninstall, folder) == ""
        assert target.read_text(encoding="utf-8") == OTHER
        assert target.is_symlink() == (kind == "link")
        assert {path.name for path in target.parent.iterdir()} == {"post-merge"}
    else:
        raise AssertionError("there are more calls than this test looks at")


def run_through(action: Callable[[str], Iterator[str]], folder: Path) -> str:
    """Install or uninstall; give the message of what went wrong."""
    try:
        for _ in action(str(folder / "hooks")):
            pass
    except WorldError as error:
        return error.message
    return ""


@pytest.mark.parametrize("links", [True, False], ids=["hard-links", "no-hard-links"])
def test_an_interrupted_installation_is_finished_or_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool
) -> None:
    """As after a kill between the two steps: the old hook has both names."""
    target = tmp_path / "hooks" / "post-merge"
    target.parent.mkdir()
    for action in (uninstall, install):
        target.write_text(OTHER, encoding="utf-8")
        target.chmod(0o755)
        if links:
            target.with_name(KEPT).hardlink_to(target)
        else:
            monkeypatch.setattr("git_sched.hooks.install.link", lambda *_: False)
            target.with_name(KEPT).write_text(OTHER, encoding="utf-8")
            target.with_name(KEPT).chmod(0o755)
        assert run_through(action, tmp_path) == ""
        assert repos.run(tmp_path, target).out.splitlines()[:1] == [b"other"]
    assert run_through(uninstall, tmp_path) == ""
    assert {path.name for path in target.parent.iterdir()} == {"post-merge"}


def test_the_folder_is_made(site: Site) -> None:
    assert not site.hooks.exists()
    said = ask(site, "install")
    assert said == "".join(f"installs {site.hooks / name}\n" for name in NAMES)


def test_the_same_files_are_written_under_any_umask(site: Site) -> None:
    ran = site.run("sh", "-c", 'umask 077 && exec "$0" -P -m git_sched hook install', _python())
    assert ran.code == 0, ran.text
    assert stat.S_IMODE((site.hooks / "post-merge").stat().st_mode) == 0o755


def _python() -> str:
    import sys

    return sys.executable


def test_only_repositories_have_hooks(tmp_path: Path) -> None:
    ran = repos.sched(tmp_path, "hook", "install")
    assert ran.code == 2
    assert b"no git repository" in ran.err


def test_a_folder_that_cannot_be_written_is_said(site: Site) -> None:
    site.hooks.mkdir()
    site.hooks.chmod(0o555)
    ran = repos.start(site.folder, "hook", "install", prefix=repos.bound(), env=site.env)
    site.hooks.chmod(0o755)
    assert ran.code == 4
    assert b"cannot be written" in ran.err
    assert list(site.hooks.iterdir()) == []


def test_paths_are_quoted(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s "here" $(touch canary) größe'
    python = repos.script(folder / "py thon", f'printf "%s|" "$PYTHONPATH" "$@" >"{tmp_path}/said"')
    hook = tmp_path / "post-merge"
    hook.write_text(script("post-merge", python=str(python), path=str(folder)))
    hook.chmod(0o755)
    assert repos.run(tmp_path, hook, "0", "a b").code == 0
    said = f"{folder}|-P|-X|utf8|-m|git_sched|hook|run|post-merge|0|a b|"
    assert (tmp_path / "said").read_text() == said
    assert not (tmp_path / "canary").exists()


# Hooks of others


def test_a_hook_is_kept_and_runs_first(site: Site) -> None:
    mine = repos.script(site.hooks / "post-merge", 'echo mine "$@"')
    text, mode = mine.read_text(), mine.stat().st_mode
    assert written(site, "install") == {str((site.hooks / name).relative_to(site.root)) for name in (*NAMES, KEPT)}
    ran = site.run("git", "pull", "-q")
    assert ran.text.splitlines() == ["mine 0", NEXT, FREED]
    ask(site, "install")
    assert (site.hooks / KEPT).read_text() == text
    ask(site, "uninstall")
    assert [path.name for path in site.hooks.iterdir()] == ["post-merge"]
    assert (mine.read_text(), mine.stat().st_mode) == (text, mode)


def test_a_hook_that_is_kept_hears_what_git_says(site: Site) -> None:
    repos.script(site.hooks / "post-rewrite", 'echo "mine $1 $(wc -l)"')
    ask(site, "install")
    repos.add(site.folder, {"mine.txt": "mine\n"})
    assert [line.split() for line in site.run("git", "pull", "-q", "--rebase").text.splitlines()[:1]] == [
        ["mine", "rebase", "1"]
    ]


def test_a_hook_that_is_kept_may_fail(site: Site) -> None:
    repos.script(site.hooks / "post-checkout", "exit 3")
    ask(site, "install")
    assert site.run("git", "switch", "-q", "-c", "other", "origin/main").code == 1
    assert site.hook("post-checkout").code == 3


def test_a_hook_that_is_switched_off_stays_off(site: Site) -> None:
    repos.script(site.hooks / "post-merge", "echo mine").chmod(0o644)
    ask(site, "install")
    assert site.run("git", "pull", "-q").text.splitlines() == [NEXT, FREED]
    ask(site, "uninstall")
    assert stat.S_IMODE((site.hooks / "post-merge").stat().st_mode) == 0o644


def test_a_hook_that_is_a_link_is_moved_not_followed(site: Site) -> None:
    mine = repos.script(site.root / "mine", "echo mine")
    text = mine.read_text()
    site.hooks.mkdir()
    (site.hooks / "post-merge").symlink_to(mine)
    ask(site, "install")
    assert mine.read_text() == text
    assert site.run("git", "pull", "-q").text.splitlines() == ["mine", NEXT, FREED]
    ask(site, "uninstall")
    assert (site.hooks / "post-merge").readlink() == mine


def test_two_hooks_of_others_are_left_alone(site: Site) -> None:
    for name in ("post-merge", KEPT):
        repos.script(site.hooks / name, f"echo {name}")
    said = ask(site, "install")
    assert said.startswith(f"not installed: {site.hooks / 'post-merge'}, since {KEPT} is beside it")
    assert (site.hooks / "post-merge").read_text().endswith("echo post-merge\n")
    assert (site.hooks / "post-rewrite").exists()


def test_a_folder_in_place_of_a_hook_is_left_alone(site: Site) -> None:
    (site.hooks / "post-merge").mkdir(parents=True)
    assert "since it is a folder" in ask(site, "install")
    ask(site, "uninstall")
    assert (site.hooks / "post-merge").is_dir()


def test_uninstall_leaves_what_is_not_ours(site: Site) -> None:
    mine = repos.script(site.hooks / "post-merge", "echo mine")
    assert ask(site, "uninstall").startswith("nothing to remove")
    assert mine.exists()


# Places where nothing is put


def lines(folder: str) -> list[str]:
    """Give the lines that are to be added to the files of a folder."""
    return [f"{folder}/{name}: {line(name)}" for name in NAMES]


@pytest.mark.parametrize(
    ("value", "why", "where"),
    [
        ("tools/hooks", "inside a work tree", "tools/hooks"),
        (".husky/_", "husky looks after the hooks here", ".husky"),
        ("./", "inside a work tree", "./"),
        ("../upstream/hooks", "inside a work tree", "../upstream/hooks"),
        ("link/hooks", "inside a work tree", "link/hooks"),
        ("link", "inside a work tree", "link"),
    ],
)
def test_a_folder_inside_a_work_tree(site: Site, value: str, why: str, where: str) -> None:
    (site.root / "outside" / "hooks").mkdir(parents=True)
    (site.folder / "link").symlink_to(site.root / "outside")
    git(site.folder, "config", "core.hooksPath", value)
    before = repos.snapshot(site.root)
    said = ask(site, "install")
    assert repos.snapshot(site.root) == before
    assert said.startswith("not installed: ")
    assert why in said.splitlines()[0]
    assert [" ".join(row.split()) for row in said.splitlines()[3:]] == lines(where)


def test_a_link_that_leads_into_a_work_tree(site: Site) -> None:
    (site.folder / "hooks").mkdir()
    site.hooks.symlink_to(site.folder / "hooks")
    assert ask(site, "install").startswith("not installed: ")
    assert list((site.folder / "hooks").iterdir()) == []


def test_the_work_tree_of_another_worktree(tmp_path: Path) -> None:
    site = sites.linked(tmp_path)
    git(site.folder, "config", "core.hooksPath", str(tmp_path / "clone" / "hooks"))
    assert ask(site, "install").startswith("not installed: ")


def test_a_worktree_inside_a_bare_repository(tmp_path: Path) -> None:
    site = sites.clone(tmp_path)
    bare = repos.clone(tmp_path / "upstream", tmp_path / "bare", "--bare")
    git(bare, "worktree", "add", "-q", str(bare / "tree"), "start", "-b", "tree")
    inside = site._replace(folder=bare / "tree", hooks=bare / "hooks")
    git(bare, "config", "core.hooksPath", str(bare / "tree" / "hooks"))
    assert ask(inside, "install").startswith("not installed: ")
    git(bare, "config", "--unset", "core.hooksPath")
    ask(inside, "install")
    ran = repos.run(bare / "tree", "git", "merge", "-q", "--ff-only", "main", env=site.env)
    assert sites.spoken(ran) == [NEXT, FREED]


def test_hooks_are_switched_off(site: Site) -> None:
    git(site.folder, "config", "core.hooksPath", "/dev/null")
    said = ask(site, "install")
    assert said.startswith("not installed: core.hooksPath is /dev/null")
    assert "git config hook.sched-post-merge.event post-merge" in said


@pytest.mark.parametrize("name", LEFTHOOK)
def test_lefthook(site: Site, name: str) -> None:
    (site.folder / name).parent.mkdir(exist_ok=True)
    (site.folder / name).write_text("")
    before = repos.snapshot(site.root)
    said = ask(site, "install")
    assert repos.snapshot(site.root) == before
    assert said.startswith(f"not installed: lefthook looks after the hooks here ({name})")
    found = yaml.safe_load(said.partition("\n\n")[2])
    assert {hook: [job["run"] for job in found[hook]["jobs"]] for hook in found} == {
        hook: [f"git-sched hook run {hook} {{0}}"] for hook in NAMES
    }


def test_hooks_installed_before_the_path_was_set_are_removed(site: Site) -> None:
    ask(site, "install")
    git(site.folder, "config", "core.hooksPath", "tools/hooks")
    ask(site, "uninstall")
    assert list(site.hooks.iterdir()) == []


def test_the_line_by_hand(site: Site) -> None:
    repos.install(site.root / "bin")
    git(site.folder, "config", "core.hooksPath", "tools/hooks")
    for name in NAMES:
        repos.script(site.folder / "tools" / "hooks" / name, line(name))
    env = {**site.env, "PATH": f"{site.root / 'bin'}:{site.env['PATH']}"}
    ran = site.run("git", "pull", "-q", env=env)
    assert (ran.code, sites.spoken(ran)) == (0, [NEXT, FREED])


# The file to copy, and the page about it


def test_the_file_to_copy(site: Site) -> None:
    repos.install(site.root / "bin")
    site.hooks.mkdir()
    data = (ROOT / "hooks" / "post-merge").read_bytes()
    (site.hooks / "post-merge").write_bytes(data)
    (site.hooks / "post-merge").chmod(0o755)
    assert b"\r" not in data
    assert (ROOT / "hooks" / "post-merge").stat().st_mode & 0o111
    env = {**site.env, "PATH": f"{site.root / 'bin'}:{site.env['PATH']}"}
    assert sites.spoken(site.run("git", "pull", "-q", env=env)) == [NEXT, FREED]
    assert written(site, "uninstall") == {str((site.hooks / "post-merge").relative_to(site.root))}


@pytest.mark.parametrize("show", [line, lambda name: f"run: git-sched hook run {name} {{0}}"])
def test_the_page_shows_the_lines_that_are_printed(show: Callable[[str], str]) -> None:
    page = (ROOT / "hooks" / "README.md").read_text(encoding="utf-8")
    assert show("post-merge") in page
