"""The shell script that git runs for each hook, and instructions where hooks are managed by other tools."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from git_sched.hooks import NAMES

if TYPE_CHECKING:
    from git_sched.hooks.hooks_path import Manager

MARK: Final = "# A hook of git-sched:"
"""The line by which git-sched recognizes its own hook files."""

BEFORE: Final = ".before-git-sched"
"""Suffix of a hook that existed before; it is run first."""

_MISSING: Final = "sched: git-sched did not run: git sched hook install fixes this hook, uninstall removes it"


def script(name: str, *, python: str, path: str) -> str:
    """Return the shell script of a hook.

    ``python`` is the interpreter that has git-sched, ``path`` a folder that it needs in PYTHONPATH, or empty. Nothing
    is imported from the folder in which the hook runs, as a checkout may have a folder named git_sched. If a hook that
    existed before fails, so does the script; git-sched itself always ends with 0.
    """
    last = f"  echo '{_MISSING}' >&2" if name == NAMES[0] else "  :"  # once is enough
    return f"""#!/bin/sh
{MARK} says which task comes next after {name}, and never fails.
# `git sched hook uninstall` removes it.
before="${{0%/*}}/{name}{BEFORE}"
if [ -x "$before" ]; then
  "$before" "$@" || exit
fi
PYTHONPATH={shlex.quote(path)} {shlex.quote(python)} -P -X utf8 -m git_sched \\
  hook run {name} "$@" </dev/null 2>/dev/null ||
  git-sched hook run {name} "$@" </dev/null 2>/dev/null ||
{last}
exit 0
"""


def manual_instructions(manager: Manager, *, where: str) -> str:
    """Return a message: why nothing was installed, and what to add by hand."""
    match manager:
        case "lefthook":
            why = f"lefthook looks after the hooks here ({where})"
            return f"not installed: {why}\nadd this to {where}, then run lefthook install:\n\n{_lefthook()}"
        case "husky":
            why = f"husky looks after the hooks here (core.hooksPath is {where})"
            return f"not installed: {why}\n{_lines('.husky')}"
        case "tree":
            why = f"core.hooksPath is {where}, inside a work tree, where a merge can change what runs"
            return f"not installed: {why}\n{_lines(where)}"
        case _:
            why = f"core.hooksPath is {where or 'empty'}, so git runs no hook files here"
            hint = "unset it, or with git 2.54 and newer name the hooks in the configuration"
            return f"not installed: {why}\n{hint}:\n\n{_config()}"


def line(name: str) -> str:
    """Return the line of shell that runs a hook."""
    return f'git-sched hook run {name} "$@" </dev/null || :'


def _lines(folder: str) -> str:
    """Return the line for each hook, with the file to add it to."""
    width = max(map(len, NAMES))
    rows = "".join(f"  {folder}/{name + ':':<{width + 1}}  {line(name)}\n" for name in NAMES)
    return f"add one line to each of these files (mode 755):\n\n{rows}"


def _lefthook() -> str:
    rows = (f"{name}:\n  jobs:\n    - name: git-sched\n      run: git-sched hook run {name} {{0}}\n" for name in NAMES)
    return "".join(rows)


def _config() -> str:
    rows = (
        f"  git config hook.sched-{name}.event {name}\n"
        f"  git config hook.sched-{name}.command 'git-sched hook run {name}'\n"
        for name in NAMES
    )
    return "".join(rows)
