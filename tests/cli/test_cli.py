"""How a command ends and what it says where: exit codes, data and talk, options, streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NoReturn

import click
import pytest

import repos
from git_sched import __version__
from git_sched.cli import main
from git_sched.cli.main import COMMANDS, group, run
from repos import GRAPHS, POLICY, task, work
from sandbox import ask, git, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.heavy

BROKEN = {f"{GRAPHS}/broken.json": "{"}
COUNTED = "4 open: 4 ready. The numbers: git sched explain hotfixes/login-loop\n"
OUTCOMES: dict[str, dict[str, str | bytes]] = {
    "nothing-ready": work(task("a", status="running"), task("b", "a")),
    "stuck": work(task("a", status="cancelled"), task("b", "a")),
    "all-done": work(task("a", status="completed")),
    "empty": {"README": "nothing here\n"},
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with two graphs that share an id, and nothing wrong in it."""
    one = work(task("login-loop", priority=3), task("same"), graph_id="hotfixes")
    two = work(task("api-contract", priority=2), task("same"), graph_id="checkout")
    return repos.repository(tmp_path / "repository", {**one, **two})


# Exit codes


@pytest.mark.parametrize("words", ["next", "status", "check", "explain login-loop", "policy show", "-h", "--version"])
def test_0_where_it_was_answered(repository: Path, words: str) -> None:
    said = ask(repository, *words.split())
    assert said.code == 0
    assert said.out
    assert said.err == (COUNTED if words == "next" else "")


@pytest.mark.parametrize("words", ["next", "status", "plan", "explain login-loop", "next --exit-code", "policy show"])
def test_0_where_task_files_hold_errors_elsewhere_unless_strict(repository: Path, words: str) -> None:
    clean = ask(repository, *words.split())
    write(repository, BROKEN)
    said = ask(repository, *words.split())
    assert (said.code, said.out) == (0, clean.out)
    if words != "policy show":
        assert said.err == f"{clean.err}1 error in the task files: git sched check\n"
        assert ask(repository, *words.split(), "--strict").code == 1


def test_1_where_check_finds_errors(repository: Path) -> None:
    assert ask(repository, "check").code == 0
    write(repository, BROKEN)
    assert ask(repository, "check").code == 1


def test_1_where_the_node_that_was_asked_for_is_in_error(repository: Path) -> None:
    write(repository, work(task("odd", status="finished"), graph_id="more"))
    assert ask(repository, "explain", "odd").code == 1
    assert ask(repository, "explain", "login-loop").code == 0


def test_1_where_a_file_that_was_named_cannot_be_read(repository: Path) -> None:
    write(repository, {"elsewhere.json": "{"})
    assert ask(repository, "next").code == 0
    for words in ("next", "status", "explain login-loop"):
        assert ask(repository, *words.split(), "--graph", str(repository / "elsewhere.json")).code == 1
    write(repository, work(task("fine"), task("odd", status="finished"), graph_id="named"))
    assert ask(repository, "next", "--graph", f"{repository}/{GRAPHS}/named.json").code == 0
    tasks = f"{repository}/backlog/tasks"
    write(repository, {"backlog/tasks/task-1 - A.md": "---\nid: TASK-1\ntitle: A\nstatus: To Do\n---\n"})
    write(repository, {"backlog/tasks/task-2 - B.md": "---\nid: TASK-2\ntitle: [\n---\n"})
    assert ask(repository, "next").code == 0
    assert ask(repository, "next", "--graph", f"{tasks}/task-1 - A.md").code == 0
    assert ask(repository, "next", "--graph", f"{tasks}/task-2 - B.md").code == 1


def test_0_where_there_are_but_warnings(repository: Path) -> None:
    write(repository, work(task("a", lables=["x"]), graph_id="warned"))
    assert ask(repository, "next").code == 0
    assert ask(repository, "check").code == 0
    assert ask(repository, "check", "--strict").code == 1
    assert "1 warning" in ask(repository, "next").err


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_3_where_nothing_was_picked_and_that_was_asked(tmp_path: Path, outcome: str) -> None:
    repository = repos.repository(tmp_path, OUTCOMES[outcome])
    assert json.loads(ask(repository, "next", "--json").out)["outcome"] == outcome
    assert ask(repository, "next").code == 0
    assert ask(repository, "next", "--exit-code").code == 3
    assert ask(repository, "next", "--exit-code", "-q").code == 3
    write(repository, BROKEN)
    assert ask(repository, "next", "--exit-code").code == 3
    assert ask(repository, "next", "--exit-code", "--strict").code == 1, "1 comes before 3"
    assert ask(repository, "next", "--exit-code", "--strict", "--graph-id", "nosuch").code == 2, "2 comes before both"
    assert ask(repository, "next", "--exit-code", "--strict", "-o", "nosuch/out").code == 4, "and so does 4"


def test_0_where_something_was_picked_and_it_was_asked(repository: Path) -> None:
    assert ask(repository, "next", "--exit-code").code == 0


def test_1_where_the_policy_is_refused(repository: Path) -> None:
    write(repository, {POLICY: "version: 1\nnosuch: 1\n"})
    for words in ("next", "next --exit-code", "status", "policy show"):
        said = ask(repository, *words.split(), "--json")
        assert said.code == 1
        found = json.loads(said.out)
        assert found.get("outcome", "refused") == "refused"
        assert found.get("decisions", []) == []
    assert ask(repository, "next").out.startswith("refused")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nxt", "error: there is no command 'nxt'; did you mean next?\nhint: git sched -h\n"),
        ("xyzzy", "error: there is no command 'xyzzy'; commands: next, status, "),
        ("list", "error: there is no command 'list'; git sched status --all does that\n"),
        ("ready", "error: there is no command 'ready'; git sched status --ready does that\n"),
        ("show", "error: there is no command 'show'; git sched explain NODE does that\n"),
        ("next --rev nosuch", "error: there is no revision nosuch here\n"),
        ("policy show --rev nosuch", "error: there is no revision nosuch here\n"),
        ("status --graph-id xyzzy", "error: no graph is called xyzzy\nhint: graphs here: checkout, hotfixes\n"),
        ("policy shw", "error: No such command 'shw'."),
        ("next --limt 3", "error: No such option '--limt'."),
        ("next --limit", "error: Option '--limit' requires an argument."),
        ("next --limit 0", "error: Invalid value for '--limit': 0 "),
        ("next --limit -1", "error: Invalid value for '--limit': -1 "),
        ("next --limit many", "error: Invalid value for '--limit': 'many' "),
        ("next --format yaml", "error: Invalid value for '--format': 'yaml' "),
        ("next --json --format text", "error: --json and --format text cannot both be met\n"),
        ("next extra", "error: Got unexpected extra argument (extra)\n"),
        ("next --agent ../x", "error: --agent '../x' cannot be an id\n"),
        ("explain a --agent ../x", "error: --agent '../x' cannot be an id\n"),
        ("next --now soon", "error: --now soon is not a time\n"),
        ("next --graph-id hotfix", "error: no graph is called hotfix\nhint: did you mean hotfixes?\n"),
        ("next --graph-id xyzzy", "error: no graph is called xyzzy\nhint: graphs here: checkout, hotfixes\n"),
        ("next --workspace nosuch", "error: --workspace nosuch is not a folder of this repository\n"),
        ("explain", "error: Missing argument 'NODE'.\n"),
        ("explain login", "error: no node is called login\nhint: did you mean login-loop?\n"),
        ("explain hotfixes/api-contract", "error: no node is called hotfixes/api-contract\n"),
        ("explain checkout", "error: no node is called checkout; it is a graph with 2 nodes\nhint: git sched status "),
        ("explain same", "error: same could be any of checkout/same, hotfixes/same\nhint: name it in full\n"),
        ("check nosuch.json", "error: nosuch.json does not exist\n"),
        ("check ../outside", "error: ../outside is outside the workspace\n"),
        ("policy set", "error: there is nothing to set\nhint: git sched policy set --weight urgency=3\n"),
    ],
)
def test_2_where_the_request_cannot_be_met(
    repository: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    monkeypatch.chdir(repository)
    for broken in ({}, BROKEN):
        write(repository, broken)
        found = ask(repository, *words.split())
        assert found.code == 2
        assert found.out == ""
        assert found.err.startswith(said)


@pytest.mark.parametrize("words", ["", "policy"])
def test_2_and_the_help_where_there_is_no_command(repository: Path, words: str) -> None:
    ran = repos.sched(repository, *words.split())
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith(b"Usage: git sched ")


def test_the_nearest_word_is_a_full_name_where_that_is_meant(repository: Path) -> None:
    assert ask(repository, "explain", "checkout/api-contact").err.endswith(
        "hint: did you mean checkout/api-contract?\n"
    )


def test_a_graph_is_no_node(tmp_path: Path) -> None:
    write(tmp_path, work(task("a"), graph_id="lonely"))
    said = ask(tmp_path, "explain", "lonely")
    assert said.err.startswith("error: no node is called lonely; it is a graph with 1 node\n")


def test_an_id_is_found_whatever_its_case_and_in_full(repository: Path) -> None:
    for word in ("login-loop", "LOGIN-LOOP", "hotfixes/login-loop"):
        assert ask(repository, "explain", word).out.startswith("hotfixes/login-loop  Do login-loop\n  ready")


def test_4_where_the_world_failed(repository: Path, tmp_path: Path) -> None:
    for words in (f"next --record --decisions {repository}/shown.jsonl", "next -o nosuch/out"):
        said = ask(repository, *words.split())
        assert said.code == 4
        assert said.out == ""
        assert said.err.startswith("error: ")
    assert ask(tmp_path, "next", "--rev", "HEAD").code == 2, "outside git there is no revision to ask for"


# A bug


def boom(*_: object, **__: object) -> NoReturn:
    """Fail as only a bug does."""
    raise ZeroDivisionError("a bug\n::error::of two lines")


def test_70_with_a_report_to_paste(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("git_sched.decide.pipeline.decide", boom)
    assert run(["-C", str(repository), "next"]) == 70
    out, err = capsys.readouterr()
    assert out == ""
    first, second, *report = err.splitlines()
    assert first == "error: git-sched has a bug; please report what follows"
    assert second == f"  git-sched {__version__}, Python {'.'.join(map(str, sys.version_info[:3]))}, {sys.platform}"
    assert report[-2:] == ["  | ZeroDivisionError: a bug", "  | ::error::of two lines"]
    assert any("test_cli.py" in line for line in report)
    assert len(report) <= 12
    assert all(line.startswith("  | ") for line in report)  # else a runner obeys the message


@pytest.mark.parametrize("error", [KeyboardInterrupt, click.Abort])
def test_an_interrupt_ends_quietly(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: type[BaseException]
) -> None:
    def interrupt(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr("git_sched.decide.pipeline.decide", interrupt)
    assert run(["-C", str(repository), "next"]) == 130
    assert capsys.readouterr().err.strip() == ""


def test_the_command_ends_with_the_code(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["git-sched", "-C", str(repository), "next", "-o", "nosuch/out"])
    monkeypatch.setattr("git_sched.cli.main.gc.disable", lambda: None)
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 4


ODD = {
    "not UTF-8": os.fsdecode(b"\xff\xfe"),
    "long": "x" * 5000,
    "a long way": "x/" * 3000,
    "controls": "\x1b[31m\x07\r\n",
    "bidi": "\u202eabc",
    "lone": "-",
    "dots": "../../..",
    "root": "/",
    "device": "/dev/null",
    "empty": "",
}
TAKING = [
    "next --graph", "next --policy", "next --rev", "next --workspace", "next --worktrees", "next --merge-queue",
    "next --decisions", "next --record --decisions", "next --graph-id", "next --agent", "next --now", "next --limit",
    "next -o", "explain", "check", "policy set --preset", "policy set --weight", "policy set --set",
    "policy set --policy", "-C",
]  # fmt: skip


@pytest.mark.parametrize("words", TAKING)
def test_no_word_is_a_bug(repository: Path, words: str) -> None:
    before = repos.snapshot(repository)
    for name, word in ODD.items():
        given = [*words.split(), word]
        if words == "-C":
            given.append("next")
        elif words.startswith("policy set") and not words.endswith(("preset", "weight", "--set")):
            given += ["--threshold", "3"]
        said = ask(repository, *given)  # which fails on exit code 70
        assert said.code in {0, 1, 2, 4}, name
        assert "Traceback" not in said.err
        assert said.code == 0 or said.err.startswith(("error: ", "1 error", "1 warning", "4 open", "writing ")), name
        assert "\x1b" not in said.text
        if name in {"lone", "not UTF-8", "controls", "bidi"}:
            (repository / word).unlink(missing_ok=True)  # -o takes any name
    after = repos.snapshot(repository)
    assert {
        path for path in repos.written(before, after, repository) if not path.startswith((POLICY, ".metagit/schedule"))
    } <= {"."}


def test_words_that_are_not_utf_8_on_the_command_line(repository: Path) -> None:
    for words in (["explain"], ["next", "--rev"], ["next", "--graph"], ["next", "--graph-id"]):
        ran = subprocess.run(
            [*map(os.fsencode, (sys.executable, "-P", "-m", "git_sched", *words)), b"\xff"],
            cwd=repository, env=repos.environment(), capture_output=True, check=False,
        )  # fmt: skip
        assert ran.returncode in {1, 2, 4}
        assert b"bug" not in ran.stderr
        assert ran.stderr.decode()


# Data and talk


def test_data_on_the_one_stream_and_talk_on_the_other(repository: Path) -> None:
    write(repository, BROKEN)
    for words in ("next --json", "status --json", "check --json", "explain login-loop --json"):
        said = ask(repository, *words.split())
        assert json.loads(said.out)
        assert said.err in ("", "1 error in the task files: git sched check\n")
    assert ask(repository, "check").err == "", "what check finds is its answer"


def test_quiet_is_ids_alone(repository: Path) -> None:
    assert ask(repository, "next", "-q") == (0, "hotfixes/login-loop\n", "")
    assert ask(repository, "next", "-q", "--limit", "2").out == "hotfixes/login-loop\ncheckout/api-contract\n"
    assert ask(repository, "status", "-q").out.splitlines()[:2] == ["hotfixes/login-loop", "checkout/api-contract"]
    assert ask(repository, "check", "-q") == (0, "", "")
    write(repository, BROKEN)
    errors = "1 error in the task files: git sched check\n"
    assert ask(repository, "next", "-q") == (0, "hotfixes/login-loop\n", errors)
    assert ask(repository, "check", "-q").out == ask(repository, "check").out


def test_quiet_and_nothing_to_say(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, OUTCOMES["all-done"])
    assert ask(repository, "next", "-q") == (0, "", "")
    assert ask(repository, "next", "-q", "--exit-code") == (3, "", "")


@pytest.mark.parametrize("words", ["next", "next --json", "status", "explain login-loop"])
def test_verbose_adds_the_numbers_and_leaves_data_alone(repository: Path, words: str) -> None:
    plain, verbose = ask(repository, *words.split()), ask(repository, *words.split(), "-v")
    assert (verbose.out == plain.out) == words.endswith("--json")
    assert "3.500" in verbose.out or words.endswith("--json")
    assert " ms\n" in verbose.err
    if words.startswith("next"):
        assert "signal worktrees: unknown, no linked worktree and no worktrees file\n" in verbose.err


@pytest.mark.parametrize(
    "words",
    [
        "next",
        "next --json",
        "next -q",
        "status",
        "status --json",
        "check",
        "check --format github",
        "explain same",
        "policy show",
    ],
)
def test_a_file_gets_the_same_bytes(tmp_path: Path, words: str) -> None:
    repository = repos.repository(tmp_path / "repository", work(*(task("same", title=t) for t in repos.TITLES[:1])))
    write(repository, BROKEN)
    plain = ask(repository, *words.split())
    out = tmp_path / "out"
    said = ask(repository, *words.split(), "-o", str(out))
    assert (said.code, said.out, said.err) == (plain.code, "", plain.err)
    assert out.read_bytes().decode() == plain.out
    assert plain.out


def test_an_output_file_is_named_from_where_the_command_starts(repository: Path) -> None:
    assert ask(repository, "next", "-q", "-o", "out").code == 0
    assert ask(repository / ".metagit", "next", "-q", "-o", "../below").code == 0
    for name in ("out", "below"):
        assert (repository / name).read_text(encoding="utf-8") == "hotfixes/login-loop\n"


@pytest.mark.parametrize("kind", ["folder", "link", "pipe", "device"])
def test_an_output_that_is_no_file_is_refused(repository: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    if kind == "folder":
        out.mkdir()
    elif kind == "link":
        out.symlink_to(repository / "README")
    elif kind == "pipe":
        os.mkfifo(out)
    said = ask(repository, "next", "-o", "/dev/full" if kind == "device" else str(out))
    assert said.code == 4
    assert "cannot be written: it is not a regular file" in said.err
    assert not (repository / "README").exists()


# Places


def test_several_places_add_up_as_with_git(repository: Path) -> None:
    ran = repos.sched(repository.parent.parent, "-C", repository.parent, "-C", "repository", "-C", "", "next", "-q")
    assert ran.out == b"hotfixes/login-loop\n"


def test_check_says_once_which_due_dates_decide_nothing(tmp_path: Path) -> None:
    dated = [task(f"t{n}", due="2030-01-01") for n in range(7)]
    done = task("done", status="completed", due="2030-01-01")
    folder = repos.repository(tmp_path / "dated", work(done, *dated))
    said = ask(folder, "check")
    names = "work/t0, work/t1, work/t2, work/t3, work/t4 and 2 more"
    text = f"the policy gives deadline no weight, so the due date of {names} decides nothing"
    assert (said.code, said.out.count("decides nothing")) == (0, 1)
    assert text in said.out
    assert json.loads(ask(folder, "next", "--json").out)["problems"] == []
    repos.add(folder, {repos.POLICY: "version: 1\nweights: {deadline: 1}\n"})
    assert "no problems" in ask(folder, "check").out


def test_check_reports_what_is_named_and_reads_everything(repository: Path) -> None:
    write(repository, {**work(task("b", "hotfixes/login-loop", "nosuch"), graph_id="more"), **BROKEN})
    for words, found in (
        ((), {"more.json", "broken.json"}),
        ((GRAPHS,), {"more.json", "broken.json"}),
        ((f"{GRAPHS}/more.json",), {"more.json"}),
        ((f"{GRAPHS}/more.json", f"{GRAPHS}/hotfixes.json"), {"more.json"}),
        ((f"{GRAPHS}/hotfixes.json",), set()),
        ((".",), {"more.json", "broken.json"}),
    ):
        said = ask(repository, "check", "--json", *(str(repository / word) for word in words))
        problems = json.loads(said.out)["problems"]
        assert {problem["path"].rpartition("/")[2] for problem in problems} == found
        assert said.code == bool(found)
    assert ask(repository, "check", "--rev", "HEAD", f"{repository}/{GRAPHS}/more.json").code == 2
    assert ask(repository, "check", "--rev", "HEAD", f"{repository}/{GRAPHS}").code == 0


# Help


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Give a command and all below it with their names."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from commands(found, f"{name} {child}".strip())


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_help_documents_every_option(name: str, tmp_path: Path) -> None:
    top: click.Command | None = group.get_command(click.Context(group), name) if name else group
    assert top is not None
    for full, command in commands(top, name) if name else [("", group)]:
        text = ask(tmp_path, *full.split(), "--help").out
        assert text.startswith(f"Usage: git sched {full}".rstrip())
        assert command.help, full
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, (full, parameter.name)
                assert all(option in text for option in parameter.opts), (full, parameter.name)
        assert ask(tmp_path, *full.split(), "-h").out == text


def test_the_help_lists_every_command(tmp_path: Path) -> None:
    text = ask(tmp_path, "--help").out
    for name, summary in COMMANDS.items():
        assert f"  {name} " in text
        assert " ".join(summary.split()) in " ".join(text.split())


def test_the_version(tmp_path: Path) -> None:
    assert ask(tmp_path, "--version") == (0, f"git-sched {__version__}\n", "")


# Streams that are closed, full, or left by their reader

STREAMED = ["next", "next --json", "status", "check", "explain login-loop", "-h", "--version"]


def shell(repository: Path, text: str) -> repos.Ran:
    """Run a line of shell in which ``sched`` is the command."""
    tool = f'sched() {{ "{sys.executable}" -P -m git_sched "$@"; }}; '
    return repos.run(repository, "sh", "-c", tool + text)


@pytest.mark.parametrize("words", STREAMED)
def test_a_reader_who_left_is_no_error(repository: Path, words: str) -> None:
    assert shell(repository, f"{{ sched {words}; echo $? >&2; }} | head -0") == (0, b"", b"0\n")
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "git_sched", *words.split()],
        cwd=repository, env=repos.environment(), stdout=writer, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_a_reader_who_left_halfway(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, work(*(task(f"n{n:04}", title="t" * 90) for n in range(3000))))
    write(repository, BROKEN)
    said = shell(repository, "{ sched next --limit 3000 -q; echo $? >&2; } | head -1")
    assert (said.out, said.err) == (b"n0000\n", b"1 error in the task files: git sched check\n0\n")
    said = shell(repository, "{ sched status --json; echo $? >&2; } | head -1")
    assert said.out == b"{\n"
    assert said.err == b"1 error in the task files: git sched check\n0\n"


@pytest.mark.parametrize("words", STREAMED)
def test_closed_streams(repository: Path, words: str) -> None:
    plain = shell(repository, f"sched {words}")
    assert shell(repository, f"sched {words} >&-") == (0, b"", plain.err)
    assert shell(repository, f"sched {words} <&- >&- 2>&-") == (0, b"", b"")
    assert shell(repository, f"sched {words} 2>&-") == (0, plain.out, b"")
    assert shell(repository, f"sched {words} <&-") == plain


@pytest.mark.parametrize("words", ["next --dispatch", "take login-loop", "take login-loop --json"])
def test_a_task_that_nobody_was_told_of_is_given_back(repository: Path, words: str) -> None:
    write(repository, {".gitignore": repos.IGNORED})
    said = shell(repository, f"sched {words} --agent ann >&-")
    assert said.code == 4
    assert said.err.endswith(b"hotfixes/login-loop was given back\n")
    rows = [json.loads(line) for line in (repository / repos.LOG).read_text(encoding="utf-8").splitlines()]
    assert [row.get("released", False) for row in rows] == [False, True]
    assert shell(repository, "sched next -q").out == b"hotfixes/login-loop\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", STREAMED)
def test_a_full_disk(repository: Path, words: str) -> None:
    said = shell(repository, f"sched {words} >/dev/full")
    assert said.code == 4
    assert said.err.startswith(b"error: ")
    assert said.err.endswith(b"No space left on device\n")
    assert said.err.count(b"\n") == 1
    assert shell(repository, f"sched {words} 2>/dev/full").code == 0
    assert shell(repository, f"sched {words} >/dev/full 2>/dev/full").code == 4


def test_a_closed_stream_does_not_lend_its_number_to_a_log(repository: Path) -> None:
    write(repository, {".gitignore": repos.IGNORED})
    assert shell(repository, "sched next --record >&- 2>&-").code == 0
    for line in (repository / repos.LOG).read_bytes().splitlines():
        assert json.loads(line)
    assert git(repository, "status", "--porcelain") == "?? .gitignore\n"


def test_colors_and_widths_of_a_terminal_do_not_reach_the_data(repository: Path) -> None:
    plain = repos.sched(repository, "next", "--json")
    code = (
        "import os, pty, sys\n"
        "status = pty.spawn([sys.executable, '-P', '-m', 'git_sched', 'next', '--json'])\n"
        "sys.exit(os.waitstatus_to_exitcode(status))\n"
    )
    ran = repos.run(repository, sys.executable, "-c", code, env=repos.environment(TERM="xterm-256color", COLUMNS="40"))
    assert ran.code == 0
    shown = ran.out.replace(b"\r\n", b"\n")
    assert shown == plain.out
