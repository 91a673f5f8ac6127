from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import events, recorded

from mneme_client import Episode, Memory, current
from mneme_client.graphql.enums import Outcome

TASK = "A customer wants a refund for an order that came too late"


def test_records_what_was_done_and_how_it_ended(memory: Memory) -> None:
    with memory.episode(TASK, agent="support", task_type="refund", session="chat-1", metadata={"shop": 3}) as e:
        assert e.lessons == ""
        e.thought("The policy comes first")
        e.step("read_policy", result={"days": 30})
        e.step("issue_refund", arguments={"order": "A-1"}, error=TimeoutError("the bank does not answer"), id="call-2")
        e.succeeded("Refunded in full", insight="The policy allows it", quality=0.9)
    episode = recorded(memory, e.id)
    assert episode.agent.id == "agent:support"
    assert (episode.task_type, episode.session_id) == ("refund", "session:chat-1")
    assert episode.observation == TASK
    assert episode.thoughts == ["The policy comes first"]
    assert [(a.step_name, a.step_id, a.result) for a in episode.actions] == [
        ("read_policy", None, {"days": 30}),
        (
            "issue_refund",
            "call-2",
            {"arguments": {"order": "A-1"}, "error": "TimeoutError: the bank does not answer"},
        ),
    ]
    assert (episode.outcome, episode.result) == (Outcome.SUCCESS, "Refunded in full")
    assert (episode.insight, episode.given_quality) == ("The policy allows it", 0.9)
    assert episode.ended_at
    assert episode.ended_at >= episode.started_at


def test_the_next_run_gets_the_lesson_and_credits_it(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as first:
        first.failed("Refunded twice")
    first.feedback(correction="Look for an earlier refund first")
    with memory.episode(TASK, agent="support") as second:
        assert "Look for an earlier refund first" in second.lessons
        assert second.recalled.cautions
    assert [node.id for node in recorded(memory, second.id).informed_by.nodes] == [f"episode:{first.id}"]


async def test_async_does_the_same(memory: Memory) -> None:
    async with memory.episode(TASK, agent="support") as first:
        assert current() is first
        first.step("look")
    async with memory.episode(TASK, agent="support") as second:
        assert f"episode:{first.id}" in second.lessons
        assert [step.name for step in await second.anext_steps()] == ["look"]
    assert current() is None
    assert await memory.aflush()
    async with memory.async_client() as client:
        episode = await client.episode(second.id)
    assert episode
    assert episode.outcome is Outcome.SUCCESS


@pytest.mark.parametrize("strict", [True, False])
def test_an_exception_is_a_failure_with_its_text(memory: Memory, strict: bool) -> None:
    memory.strict = strict
    with pytest.raises(ValueError, match="no such order"), memory.episode(TASK, agent="support") as e:
        raise ValueError("no such order")
    episode = recorded(memory, e.id)
    assert (episode.outcome, episode.result) == (Outcome.FAILURE, "ValueError: no such order")


async def test_a_cancelled_run_stays_open(memory: Memory) -> None:
    async def wait(started: asyncio.Event) -> None:
        async with memory.episode(TASK, agent="support"):
            started.set()
            await asyncio.sleep(60)

    started = asyncio.Event()
    task = asyncio.create_task(wait(started))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with memory.async_client() as client:
        assert await memory.aflush()
        data = client.get_data(await client.execute("{ episodes { nodes { outcome events { nodes { type } } } } }"))
    (episode,) = data["episodes"]["nodes"]
    assert episode["outcome"] == "UNKNOWN"
    assert [event["type"] for event in episode["events"]["nodes"]] == ["workflow_started", "workflow_interrupted"]


def test_partial_is_a_success_of_half_the_quality(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        e.partial("Refunded the half")
    episode = recorded(memory, e.id)
    assert (episode.outcome, episode.given_quality) == (Outcome.SUCCESS, 0.5)


def test_steps_are_recorded_as_they_come(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        e.step("read_policy")
        assert memory.flush()
        assert [event["type"] for event in events(memory, e.id)] == ["workflow_started", "step_completed"]
        e.step("issue_refund")
    assert [action.step_name for action in recorded(memory, e.id).actions] == ["read_policy", "issue_refund"]


def test_next_steps_tell_what_came_next(memory: Memory) -> None:
    for _ in range(2):
        with memory.episode(TASK, agent="support") as e:
            e.step("read_policy")
            e.step("issue_refund")
    with memory.episode(TASK, agent="support") as e:
        e.step("read_policy")
        step = e.next_steps()[0]
    assert (step.name, step.succeeded, step.failed) == ("issue_refund", 2, 0)


def test_recall_and_record_can_be_left_out(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as first:
        pass
    with memory.episode(TASK, agent="support", recall=False) as second:
        assert second.lessons == ""
    with memory.episode(TASK, agent="support", record=False) as third:
        third.step("look")
        assert set(third.recalled.episode_ids) <= {f"episode:{first.id}", f"episode:{second.id}"}
        assert third.lessons
    assert memory.flush()
    with memory.client() as client:
        assert client.episode(second.id)
        assert client.episode(third.id) is None


def test_feedback_of_each_form(memory: Memory) -> None:
    scores = []
    reactions: list[dict[str, Any]] = [
        {"liked": True},
        {"liked": False},
        {"rating": 2},
        {"comment": "Fine"},
        {"correction": "Ask"},
    ]
    for reaction in reactions:
        with memory.episode(TASK, agent="support", recall=False) as e:
            pass
        e.feedback(**reaction)
        scores.append(recorded(memory, e.id).aggregate_feedback_score)
    assert scores == [1, -1, -0.5, 1, -1]


def test_remembered_functions(memory: Memory) -> None:
    seen: list[Episode | None] = []

    @memory.remember(agent="support", task_type="refund")
    def answer(order: int, question: str) -> dict[str, int]:
        """Answers."""
        seen.append(current())
        if order < 0:
            raise KeyError(order)
        return {"refunded": order}

    assert answer(40, TASK) == {"refunded": 40}
    assert answer.__doc__ == "Answers."
    with pytest.raises(KeyError):
        answer(-1, question="Where is it?")
    done, failed = (recorded(memory, e.id) for e in seen if e)
    assert (done.observation, done.task_type, done.result) == (TASK, "refund", '{"refunded":40}')
    assert (failed.observation, failed.outcome, failed.result) == ("Where is it?", Outcome.FAILURE, "KeyError: -1")


async def test_remembered_coroutines(memory: Memory) -> None:
    @memory.remember(agent="support", task=lambda order: f"Refund order {order}")
    async def refund(order: int) -> str:
        e = current()
        assert e
        e.failed("The bank is closed")
        await asyncio.sleep(0)
        return e.id

    id = await refund(7)
    episode = await asyncio.to_thread(recorded, memory, id)
    assert (episode.observation, episode.outcome, episode.result) == (
        "Refund order 7",
        Outcome.FAILURE,
        "The bank is closed",
    )


def test_generators_cannot_be_remembered(memory: Memory) -> None:
    with pytest.raises(TypeError, match="functions"):

        @memory.remember(agent="support")
        def count() -> object:
            yield 1


async def test_runs_beside_each_other_keep_apart(memory: Memory) -> None:
    async def run(i: int) -> str:
        async with memory.episode(f"Task number {i}", agent="support", recall=False) as e:
            for step in range(5):
                await asyncio.sleep(0)
                assert current() is e
                e.step(f"step-{i}-{step}")
        return e.id

    ids = await asyncio.gather(*map(run, range(20)))
    for i, id in enumerate(ids):
        episode = await asyncio.to_thread(recorded, memory, id)
        assert [action.step_name for action in episode.actions] == [f"step-{i}-{step}" for step in range(5)]
