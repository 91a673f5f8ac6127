from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from agents import Agent, ModelSettings, RunConfig, Runner, function_tool, handoff, set_tracing_disabled
from agents.items import ModelResponse, TResponseOutputItem
from agents.models.interface import Model
from agents.run_config import CallModelData, ModelInputData
from agents.usage import Usage
from conftest import recorded
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from mneme_client import Episode, Memory
from mneme_client.graphql.enums import Outcome
from mneme_client.openai_agents import mneme_run

set_tracing_disabled(True)

TASK = "A customer wants a refund for order A-1"
CORRECTION = "Look for an earlier refund first"


class Script(Model):
    """Says what it is told to say, and keeps what it was sent."""

    def __init__(self, *answers: list[TResponseOutputItem] | Exception) -> None:
        self.answers = list(answers)
        self.instructions: list[str] = []

    def _next(self, instructions: str | None) -> list[TResponseOutputItem]:
        self.instructions.append(instructions or "")
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def get_response(self, system_instructions: str | None, *args: Any, **kwargs: Any) -> ModelResponse:
        return ModelResponse(output=self._next(system_instructions), usage=Usage(), response_id=None)

    async def stream_response(
        self, system_instructions: str | None, *args: Any, **kwargs: Any
    ) -> AsyncIterator[ResponseCompletedEvent]:
        response = Response(
            id="r",
            created_at=0,
            model="script",
            object="response",
            output=self._next(system_instructions),
            tool_choice="auto",
            tools=[],
            parallel_tool_calls=False,
        )
        yield ResponseCompletedEvent(type="response.completed", response=response, sequence_number=0)


def says(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", content=[content], role="assistant", status="completed", type="message")


def calls(name: str, arguments: str = '{"order": "A-1"}') -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(name=name, arguments=arguments, call_id=f"call-{name}", type="function_call")


@function_tool
def find_order(order: str) -> str:
    """Finds an order."""
    return f"{order}: a lamp for 40 EUR"


@function_tool(failure_error_function=None)
def refund(order: str) -> str:
    """Refunds an order."""
    raise RuntimeError("the bank does not answer")


def support(model: Model, **options: Any) -> Agent[Any]:
    return Agent(name="support", instructions="You help customers.", model=model, tools=[find_order, refund], **options)


Way = Callable[..., Episode]


def run(memory: Memory, model: Model, **options: Any) -> Episode:
    async def running() -> Episode:
        async with memory.episode(TASK, agent="support", **options) as e:
            await Runner.run(support(model), TASK, **mneme_run(e))
        return e

    return asyncio.run(running())


def run_sync(memory: Memory, model: Model, **options: Any) -> Episode:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        with memory.episode(TASK, agent="support", **options) as e:
            Runner.run_sync(support(model), TASK, **mneme_run(e))
    finally:
        loop.close()
    return e


def run_streamed(memory: Memory, model: Model, **options: Any) -> Episode:
    async def running() -> Episode:
        async with memory.episode(TASK, agent="support", **options) as e:
            result = Runner.run_streamed(support(model), TASK, **mneme_run(e))
            async for _ in result.stream_events():
                pass
        return e

    return asyncio.run(running())


each_way = pytest.mark.parametrize("way", [run, run_sync, run_streamed])


@each_way
def test_a_corrected_failure_is_a_caution_before_the_next_first_call(memory: Memory, way: Way) -> None:
    first = way(memory, Script([calls("find_order")], [says("Refunded twice, sorry")]))
    first.feedback(False, correction=CORRECTION)

    model = Script([says("I look first"), calls("find_order")], [says("Refunded 40 EUR")])
    second = way(memory, model)
    assert [CORRECTION in instructions for instructions in model.instructions] == [True, True]
    assert model.instructions[0].startswith("You help customers.\n\n<mneme-lessons>")
    episode = recorded(memory, second.id)
    assert [node.id for node in episode.informed_by.nodes] == [f"episode:{first.id}"]
    assert (episode.outcome, episode.result, episode.observation) == (Outcome.SUCCESS, "Refunded 40 EUR", TASK)
    assert episode.thoughts == ["I look first"]
    (action,) = episode.actions
    assert (action.step_name, action.step_id) == ("find_order", "call-find_order")
    assert action.result == {"arguments": {"order": "A-1"}, "result": "A-1: a lamp for 40 EUR"}


@each_way
def test_another_user_sees_none_of_it(memory: Memory, way: Way) -> None:
    way(memory.for_user("ann"), Script([says("Refunded twice, sorry")])).feedback(correction=CORRECTION)
    way(memory.for_user("ben"), other := Script([says("Refunded")]))
    way(memory.for_user("ann"), own := Script([says("Refunded")]))
    assert other.instructions == ["You help customers."]
    assert CORRECTION in own.instructions[0]


@each_way
@pytest.mark.parametrize("fault", ["tool", "model"])
def test_failing_tools_and_models_are_failures(memory: Memory, way: Way, fault: str) -> None:
    model = Script([calls("refund")]) if fault == "tool" else Script(ConnectionError("no model"))
    with pytest.raises(Exception, match=r"the bank|no model"):
        way(memory, model)
    assert memory.flush()
    with memory.client() as client:
        data = client.get_data(client.execute("{ episodes { nodes { outcome result } } }"))
    (episode,) = data["episodes"]["nodes"]
    assert episode["outcome"] == "FAILURE"
    assert ("the bank does not answer" if fault == "tool" else "ConnectionError: no model") in episode["result"]


def test_the_last_word_is_the_callers(memory: Memory) -> None:
    async def running() -> Episode:
        async with memory.episode(TASK, agent="support") as e:
            result = await Runner.run(support(Script([says("I do not know")])), TASK, **mneme_run(e))
            e.failed(result.final_output)
        return e

    episode = recorded(memory, asyncio.run(running()).id)
    assert (episode.outcome, episode.result) == (Outcome.FAILURE, "I do not know")


async def test_handoffs_and_the_callers_filter(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as first:
        first.succeeded("By bank transfer")
    billing = Agent[Any](name="billing", instructions="You pay.", model=(model := Script([says("Paid")])))
    front = support(Script([calls("transfer_to_billing", "{}")]), handoffs=[handoff(billing)])

    def shout(call: CallModelData[Any]) -> ModelInputData:
        return ModelInputData(call.model_data.input, (call.model_data.instructions or "").upper())

    config = RunConfig(call_model_input_filter=shout, model_settings=ModelSettings(temperature=0))
    async with memory.episode(TASK, agent="support") as e:
        await Runner.run(front, TASK, **mneme_run(e, config))
    assert model.instructions[0].startswith("YOU PAY.\n\n<mneme-lessons>")
    assert "By bank transfer" in model.instructions[0]
    episode = await asyncio.to_thread(recorded, memory, e.id)
    (action,) = episode.actions
    assert (action.step_name, action.result) == ("handoff", {"arguments": {"from": "support", "to": "billing"}})
    assert episode.result == "Paid"


def test_it_may_only_recall(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        e.succeeded("By bank transfer")
    e = run(memory, model := Script([says("Refunded")]), record=False)
    assert "By bank transfer" in model.instructions[0]
    assert memory.flush()
    with memory.client() as client:
        assert client.episode(e.id) is None


def test_without_a_server_the_agent_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    with Memory("http://127.0.0.1:1") as memory:
        run(memory, model := Script([calls("find_order")], [says("Refunded")]))
    assert model.instructions == ["You help customers."] * 2
