from __future__ import annotations

from typing import Any

import pytest
from conftest import recorded

from mneme_client import Memory
from mneme_client.graphql.input_types import RecordObservationInput

TASK = "A customer wants a refund for an order that came too late"


def learned(memory: Memory, agent: str = "support") -> str:
    """An episode with a step and a correction."""
    with memory.episode(TASK, agent=agent, recall=False) as e:
        e.step("find_order")
    e.feedback(correction=f"Ask {memory.user} first")
    return e.id


def test_a_user_gets_only_what_is_theirs(memory: Memory) -> None:
    ann, ben = memory.for_user("ann"), memory.for_user("ben")
    of_ann, of_ben, of_nobody = learned(ann), learned(ben), learned(memory)
    assert recorded(memory, of_ann).user_id == "ann"
    assert recorded(memory, of_nobody).user_id is None
    with ann.episode(TASK, agent="support") as e:
        assert e.recalled.episode_ids == (f"episode:{of_ann}",)
        assert "Ask ann first" in e.lessons
        assert "Ask ben first" not in e.lessons
        assert "Ask None first" not in e.lessons
        assert [step.episodes for step in e.next_steps()] == [1]
    assert f"episode:{of_ben}" not in str(ann.recall(TASK))


def test_what_belongs_to_nobody_comes_when_asked_for(memory: Memory) -> None:
    of_ann, of_nobody = learned(memory.for_user("ann")), learned(memory)
    learned(memory.for_user("ben"))
    with memory.for_user("ann", include_shared=True).episode(TASK, agent="support") as e:
        told = {hit.episode.id for hit in (*e.recalled.hits, *e.recalled.cautions)}
        assert told <= {f"episode:{of_ann}", f"episode:{of_nobody}"}
        assert "Ask ann first" in e.lessons
        assert "Ask None first" in e.lessons
        assert "Ask ben first" not in e.lessons
        assert [step.episodes for step in e.next_steps()] == [2]


async def test_async_keeps_users_apart_too(memory: Memory) -> None:
    async with memory.for_user("ann").episode(TASK, agent="support") as e:
        e.step("find_order")
    async with memory.for_user("ben").episode(TASK, agent="support") as other:
        assert other.lessons == ""
        assert await other.anext_steps() == []


@pytest.mark.parametrize("missing", ["", None])
async def test_a_missing_user_is_not_everybody(memory: Memory, missing: Any) -> None:
    learned(memory.for_user("ann"))
    learned(memory)
    memory.strict = memory._link.strict = False
    nobody = memory.for_user(missing)
    with nobody.episode(TASK, agent="support") as e:
        assert (e.lessons, e.next_steps()) == ("", [])
    nobody.observe([RecordObservationInput(content=TASK)])
    assert await nobody.aobservations(TASK) == []
    assert await memory.aflush()
    assert await memory.aobservations(TASK) == []
    async with memory.async_client() as client:
        assert await client.episode(e.id) is None
