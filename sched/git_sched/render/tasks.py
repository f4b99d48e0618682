"""Writes ids, sizes and sums of sizes of tasks, the same way in text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count, format_duration

if TYPE_CHECKING:
    from git_sched import record


def name_task(graph_id: str, node_id: str, *, qualified: bool) -> str:
    """Write an id so that it can be pasted: ``graph/node`` where more than one graph has open tasks, else bare."""
    return f"{graph_id}/{node_id}" if qualified else node_id


def shorten_name(name: str, *, qualified: bool) -> str:
    """Write a full name, ``graph/node``, as ids are written in this answer; one without a graph stays as it is."""
    return name if qualified else name.partition("/")[2] or name


def format_task_size(task: record.TaskRecord) -> str:
    """Write how long a task takes, with "about" if that follows from tokens; empty without an estimate."""
    if task["minutes"] is None:
        return ""
    return f"{'about ' if task['minutes_from'] == 'tokens' else ''}{format_duration(task['minutes'])}"


def format_total(total: record.TotalRecord) -> str:
    """Write a sum of sizes: a duration, and how much of it is estimated where not all is; else a number of tasks."""
    if total["minutes"] is None:
        return count(total["tasks"], "task")
    return f"{format_duration(total['minutes'])}{format_coverage(total)}"


def format_coverage(total: record.TotalRecord) -> str:
    """Write, after a sum, how many of its tasks are estimated; empty where all are."""
    some = total["estimated"] < total["tasks"]
    return f" ({total['estimated']} of {total['tasks']} estimated)" if some else ""


def format_estimated(estimates: record.EstimatesRecord) -> str:
    """Write, where the unit is the task, how much is estimated: ``5 of 40 estimated, 8 h together``."""
    if estimates["unit"] == "minute" or not estimates["estimated"]:
        return ""
    given = f"{estimates['estimated']} of {estimates['tasks']} estimated"
    return f"{given}, {format_duration(estimates['minutes'])} together"
