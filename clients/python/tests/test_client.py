from __future__ import annotations

import asyncio

import pytest

from mneme_client import Memory, MnemeError
from mneme_client.graphql.enums import CanvasActionKind, Outcome
from mneme_client.graphql.episode_recorded import EpisodeRecordedEpisodeRecorded
from mneme_client.graphql.input_types import CanvasActionInput, RecordCanvasActionsInput, RecordEpisodeInput

EPISODE = RecordEpisodeInput(
    id="run-1", agent_id="support", observation="The till does not print", outcome=Outcome.FAILURE
)


def test_sync(memory: Memory) -> None:
    with memory.client() as client:
        assert client.record_episode(EPISODE).episode.id == "episode:run-1"
        episode = client.episode("run-1")
        assert episode
        assert episode.outcome is Outcome.FAILURE
        shown = CanvasActionInput(
            canvas_id="c", canvas_type="forms", action=CanvasActionKind.PRESENT, episode_id="run-1"
        )
        result = client.record_canvas_actions(RecordCanvasActionsInput(actions=[shown, shown])).result
        assert (result.succeeded, result.errors) == (2, [])


async def test_async(memory: Memory) -> None:
    async with memory.async_client() as client:
        assert (await client.record_episode(EPISODE)).episode.id == "episode:run-1"
        assert await client.episode("another") is None


def test_errors_have_code_and_field(memory: Memory) -> None:
    with memory.client() as client, pytest.raises(MnemeError) as raised:
        client.record_episode(RecordEpisodeInput(agent_id="", observation="?"))
    assert (raised.value.code, raised.value.field) == ("INVALID_INPUT", "agentId")
    assert str(raised.value).startswith("INVALID_INPUT at agentId: ")


async def test_subscriptions(memory: Memory) -> None:
    seen: list[EpisodeRecordedEpisodeRecorded] = []

    async def listen() -> None:
        async with memory.async_client() as client:
            async for event in client.episode_recorded(agent_id="support"):
                seen.append(event)
                if len(seen) == 2:
                    return

    listening = asyncio.create_task(listen())
    async with memory.async_client() as client:
        for i in range(200):  # the subscription begins some time
            await client.record_episode(RecordEpisodeInput(id=f"run-{i}", agent_id="support", observation=f"Task {i}"))
            if listening.done():
                break
            await asyncio.sleep(0.05)
    await listening
    first, second = (int(event.episode.id.rpartition("-")[2]) for event in seen)
    assert second == first + 1
    async with memory.async_client() as client:
        async for event in client.episode_recorded(after=seen[0].cursor):
            assert event.episode.id == f"episode:run-{second}"
            break


async def test_a_refused_subscription_says_why(memory: Memory) -> None:
    async with memory.async_client() as client:
        events = client.episode_recorded(after="nothing")
        with pytest.raises(MnemeError, match="INVALID_INPUT at after"):
            await anext(events)
