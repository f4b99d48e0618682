"""The files a workspace begins with: an example graph, a policy whose every key is explained, and ignore lines."""

from __future__ import annotations

from typing import Final

GRAPH_PATH: Final = ".metagit/tasks/graphs/tasks.yml"
POLICY_PATH: Final = ".metagit/schedule/policy.yml"
IGNORE_PATH: Final = ".gitignore"

LOGS: Final = (".metagit/schedule/decisions.jsonl", ".metagit/events/")
"""What the logs of --record and --dispatch are ignored by."""

IGNORE: Final = "# what git sched next --record and --dispatch log"

GRAPH: Final = """\
# A task graph: what is to be done, and what waits for what. Ask with: git sched next
graph_id: tasks
title: An example, to be replaced by your own tasks
nodes:
  - node_id: first-step
    title: Do what everything else waits for
    priority: 2                # higher wins; 0 where it is not given
    estimated_minutes: 30
  - node_id: second-step
    title: Do what waits for the first step
    depends_on: [first-step]   # ids of this graph, or graph_id/node_id of another
    estimated_minutes: 60
    # status: completed        # pending (as here), running, blocked, completed, cancelled
    # repository: owner/name   # where the work happens: a warm worktree there counts
    # agent_id: agent-1        # who it is assigned to
    # due: 2027-01-31
    # paths: [src/**]          # files it will touch; tasks that touch the same are kept apart
  - node_id: beside-it
    title: Do what waits for nothing
    estimated_minutes: 15
"""

POLICY: Final = """\
# How git sched chooses. Every key but the version may go; the values in comments are what holds without them.
version: 1

# The weights to begin with: balanced, or rfc-0012 for that document's own formula.
preset: balanced

# What each factor weighs; these change the preset key by key.
# weights:
#   urgency: 2.0        # its own priority, and that of everything which waits for it
#   criticality: 1.0    # how long the longest path is that begins with it
#   affinity: 1.5       # an agent has a worktree of its repository already
#   payoff: 0.5         # how much it finishes for each minute
#   priority: 0         # its own priority as it stands
#   cost: 0             # few tokens
#   runtime: 0          # few minutes
#   fairness: 0         # its repository was rarely chosen of late
#   age: 0              # it was created long ago
#   deadline: 0         # its due date, or that of what waits for it, comes near

# Other weights for the tasks of one graph.
# graph_overrides:
#   tasks: {urgency: 4.0}

# Whose worktrees count as warm; empty is any agent's.
# agent_pool: []

# How many tasks may be running or picked at once; no limit where nothing is said.
# limits: {total: 8, per_graph: 4, per_repository: 2, per_agent: 1, tokens: 500000}

# From how many queued merges on a repository is under pressure, what that costs, and whether it is passed over.
# merge_queue_threshold: 3
# merge_pressure_penalty: 2.0
# skip_on_merge_pressure: false

# What a cancelled dependency means: block, or satisfy.
# on_cancelled: block

# How long a task that was handed out (--dispatch) is kept back from others; off where nothing is said.
# redispatch_after: 4h

# How many past decisions fairness looks at.
# fairness_window: 50

# Tokens per minute, where the tasks themselves do not tell.
# tokens_per_minute: 500

# How many varied plans are played out before a pick (0: none), by how many agents, with what cold start.
# lookahead: 0
# lookahead_agents: 2
# cold_start_minutes: 15

# The name of this repository, where neither the remote nor the folder tells.
# repository: owner/name

# Task files outside the usual places (then only these are read), and usual places to leave out.
# sources: [{path: plan/tasks.yml}]
# exclude: [examples]

# What is passed on to whoever starts the agents.
# dispatch: {template_id: repo-implementer, vendor: claude_code}

# What may be shown in summaries and comments: titles, and repositories (all, or own). Ids always are.
# publish: {titles: true, repositories: all}
"""
