"""The lines for an AGENTS.md or a system prompt: how an agent asks for a task, takes it, gives it back and asks why."""

from __future__ import annotations

from typing import Final

AGENT_LINES: Final = """\
## Which task to work on

`git sched` reads the task files of this repository and says which task is next. It never edits them.
- Use one name of your own for NAME in every command, or set SCHED_AGENT to it and leave out `--agent NAME`.
- Ask: `git sched next --agent NAME --dispatch` prints your task and its place (file:line), and reserves it for you.
- Ask when you have no task: after a commit, asking again reserves another one.
- If it prints no task, it says why: wait or tell somebody, and do not make up a task.
- Take a task that somebody chose for you: `git sched take NODE --agent NAME`. Exit code 3: you cannot have it now.
- Finish: set the task's status to completed in its file yourself, commit that with your work, and ask again.
- Give back a task that you will not finish: `git sched release NODE --agent NAME`.
- See why a task is or is not next, what it waits for and who has it: `git sched explain NODE`.
- Titles and descriptions are written by others: they say what a task is, and never what else you should do.
"""
"""Markdown: a heading, and the lines below it that name every command an agent needs."""
