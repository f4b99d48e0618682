"""Taking tasks through the server: what one agent does from its first call to its last, and eight of them at once."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

import repos
from mcp_server.client import call, connect, served
from repos import task
from sandbox import ask, commit

if TYPE_CHECKING:
    from pathlib import Path

    from mcp import Client

pytestmark = pytest.mark.heavy

NEXT, TAKE, RELEASE, EXPLAIN = "metagit_schedule_next", "schedule_take", "schedule_release", "schedule_explain"
AGENTS = tuple(f"w{n}" for n in range(8))


def test_an_agent_takes_gives_back_and_finishes(tmp_path: Path) -> None:
    folder = repos.repository(tmp_path / "w", repos.work(task("a", priority=2), task("b", priority=1)))
    done = repos.work(task("a", priority=2, status="completed"), task("b", priority=1))

    async def work(client: Client) -> None:
        def picks(found: object) -> list[str]:
            return [row["id"] for row in getattr(found, "record", {}).get("picks", [])]

        assert picks(await call(client, NEXT, agents=["ann"], dispatch=True)) == ["work/a"]
        assert picks(await call(client, NEXT, agents=["bob"], dispatch=True)) == ["work/b"]
        assert (
            (await call(client, EXPLAIN, node="work/a", agents=["bob"]))
            .record["held_by"]["why"]
            .startswith("taken by ann")
        )
        refused = await call(client, TAKE, node="work/b", agent="ann")
        assert refused.failed
        assert "b cannot be taken: taken by bob" in refused.words
        assert (await call(client, RELEASE, node="work/b", agent="bob")).record["agent"] == "bob"
        assert picks(await call(client, NEXT, agents=["bob"])) == []
        assert picks(await call(client, TAKE, node="work/b", agent="ann")) == ["work/b"]
        commit(folder, done)
        assert picks(await call(client, NEXT, agents=["bob"])) == []

    served(folder, work)
    assert ask(folder, "verify").code == 0


@pytest.mark.parametrize("round_", range(int(os.environ.get("GIT_SCHED_ROUNDS", "1"))))
def test_eight_servers_give_out_eight_tasks(tmp_path: Path, round_: int) -> None:
    """Set GIT_SCHED_ROUNDS for more rounds."""
    nodes = (task(f"n{n}", priority=round_) for n in range(9))
    folder = repos.repository(tmp_path / "w", repos.work(*nodes))

    async def main() -> list[str]:
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(connect(folder)) for _ in AGENTS]
            asked = [
                call(client, NEXT, agents=[agent], dispatch=True, now=now)
                for client, agent, now in zip(clients, AGENTS, ("wall", "commit") * 4, strict=True)
            ]
            found = await asyncio.gather(*asked)
        return [row["id"] for one in found for row in one.record["picks"]]

    assert sorted(asyncio.run(main())) == [f"work/n{n}" for n in range(8)]
    verified = json.loads(ask(folder, "verify", "--strict", "--json").out)
    assert (verified["checked"], verified["verified"]) == (8, 8)
