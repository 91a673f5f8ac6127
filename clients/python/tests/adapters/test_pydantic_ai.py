from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import recorded
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ModelRetry, RunContext
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models.function import (
    AgentInfo,
    DeltaThinkingCalls,
    DeltaThinkingPart,
    DeltaToolCall,
    DeltaToolCalls,
    FunctionModel,
)

from mneme_client import Memory
from mneme_client.graphql.enums import Outcome
from mneme_client.pydantic_ai import MnemeCapability

TASK = "A customer wants a refund for order A-1"
CORRECTION = "Look for an earlier refund first"


@dataclass
class Script:
    """Says what it is told to say, and keeps what it was sent."""

    answers: list[Any]
    sent: list[str] = field(default_factory=list)

    def _next(self, messages: list[ModelMessage]) -> list[Any]:
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        self.sent.append(last.instructions or "")
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, list) else [answer]

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(part) if isinstance(part, str) else part for part in self._next(messages)])

    async def stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls | DeltaThinkingCalls]:
        for index, part in enumerate(self._next(messages)):
            if isinstance(part, ToolCallPart):
                arguments = json.dumps(part.args)
                yield {index: DeltaToolCall(part.tool_name, arguments, tool_call_id=part.tool_call_id)}
            elif isinstance(part, ThinkingPart):
                yield {index: DeltaThinkingPart(content=part.content)}
            elif isinstance(part, str):
                for word in part.split(" "):
                    yield word + " "

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(self.answer, stream_function=self.stream)


def says(*answers: Any) -> Script:
    return Script(list(answers))


def calls(name: str, **arguments: Any) -> ToolCallPart:
    return ToolCallPart(name, arguments, tool_call_id=f"call-{name}")


def support(memory: Memory, script: Script, **options: Any) -> Agent[str, Any]:
    mneme = MnemeCapability(memory, agent="support", **options.pop("mneme", {}))
    agent = Agent(script.model, deps_type=str, instructions="You help customers.", capabilities=[mneme], **options)

    @agent.tool_plain
    def find_order(order: str) -> str:
        """Finds an order."""
        if order == "A-0":
            raise ModelRetry("There is no order A-0")
        return f"{order}: a lamp for 40 EUR"

    @agent.tool_plain
    def refund(order: str) -> str:
        """Refunds an order."""
        raise RuntimeError("the bank does not answer")

    return agent


Run = Callable[..., Any]


def run_sync(agent: Agent[str, Any], user: str = "ann", **options: Any) -> Any:
    with closing(asyncio.new_event_loop()) as loop:
        asyncio.set_event_loop(loop)
        return agent.run_sync(TASK, deps=user, **options)


def run(agent: Agent[str, Any], user: str = "ann", **options: Any) -> Any:
    return asyncio.run(agent.run(TASK, deps=user, **options))


def run_stream(agent: Agent[str, Any], user: str = "ann", **options: Any) -> Any:
    async def running() -> Any:
        async with agent.run_stream(TASK, deps=user, **options) as result:
            await result.get_output()
        return result

    return asyncio.run(running())


def iterate(agent: Agent[str, Any], user: str = "ann", **options: Any) -> Any:
    async def running() -> Any:
        async with agent.iter(TASK, deps=user, **options) as steps:
            async for _ in steps:
                pass
        return steps.result

    return asyncio.run(running())


each_way = pytest.mark.parametrize("run", [run_sync, run, run_stream, iterate])


@each_way
def test_a_corrected_failure_is_a_caution_before_the_next_first_call(memory: Memory, run: Run) -> None:
    first = run(support(memory, says(calls("find_order", order="A-1"), "Refunded twice, sorry")))
    memory.feedback(first.run_id, False, correction=CORRECTION)

    script = says([ThinkingPart("I look first"), calls("find_order", order="A-1")], "Refunded 40 EUR")
    second = run(support(memory, script))
    assert [CORRECTION in prompt for prompt in script.sent] == [True, True]
    assert script.sent[0].startswith("You help customers.\n\n<mneme-lessons>")
    episode = recorded(memory, second.run_id)
    assert [node.id for node in episode.informed_by.nodes] == [f"episode:{first.run_id}"]
    assert (episode.outcome, episode.observation) == (Outcome.SUCCESS, TASK)
    assert str(episode.result).strip() == "Refunded 40 EUR"
    assert episode.thoughts == ["I look first"]
    (action,) = episode.actions
    assert (action.step_name, action.step_id) == ("find_order", "call-find_order")
    assert action.result == {"arguments": {"order": "A-1"}, "result": "A-1: a lamp for 40 EUR"}


@each_way
def test_failing_tools_and_models_are_failures(memory: Memory, run: Run) -> None:
    with pytest.raises(RuntimeError, match="the bank"):
        run(support(memory, says(calls("refund", order="A-1"))))
    with pytest.raises(ConnectionError):
        run(support(memory, says(ConnectionError("no model"))))
    assert memory.flush()
    with memory.client() as client:
        data = client.get_data(
            client.execute("{ episodes(orderBy: STARTED_AT_ASC) { nodes { outcome result actions { result } } } }")
        )
    tool_failed, model_failed = data["episodes"]["nodes"]
    assert (tool_failed["outcome"], tool_failed["result"]) == ("FAILURE", "RuntimeError: the bank does not answer")
    (action,) = tool_failed["actions"]
    assert action["result"] == {"arguments": {"order": "A-1"}, "error": "RuntimeError: the bank does not answer"}
    assert (model_failed["outcome"], model_failed["result"]) == ("FAILURE", "ConnectionError: no model")


@each_way
def test_another_user_sees_none_of_it(memory: Memory, run: Run) -> None:
    options = {"user": lambda ctx: ctx.deps}
    first = run(support(memory, says("Refunded twice, sorry"), mneme=options))
    memory.for_user("ann").feedback(first.run_id, False, correction=CORRECTION)
    for user, told in (("bob", False), ("ann", True)):
        script = says("Refunded")
        run(support(memory, script, mneme=options), user)
        assert (CORRECTION in script.sent[0]) is told


async def test_retries_inside_are_steps_and_no_failure(memory: Memory) -> None:
    script = says(["I try", calls("find_order", order="A-0")], calls("find_order", order="A-1"), "Refunded")
    result = await support(memory, script).run(TASK, deps="ann")
    episode = await asyncio.to_thread(recorded, memory, result.run_id)
    assert episode.outcome is Outcome.SUCCESS
    assert "There is no order A-0" in str(episode.actions[0].result)
    assert (len(episode.actions), episode.thoughts) == (2, ["I try"])


async def test_a_block_of_its_own_sees_every_failure(memory: Memory) -> None:
    async with memory.episode(TASK, agent="support") as e:
        agent = support(memory, says(calls("find_order", order="A-1"), "I do not know"))
        await agent.run(TASK, deps="ann")
        e.failed("It gave up")
    episode = await asyncio.to_thread(recorded, memory, e.id)
    assert (episode.outcome, episode.result) == (Outcome.FAILURE, "It gave up")
    assert [action.step_name for action in episode.actions] == ["find_order"]


async def test_a_cancelled_run_and_one_that_waits_for_a_person_stay_open(memory: Memory) -> None:
    agent = support(memory, says(calls("pay"), "Paid"), output_type=[str, DeferredToolRequests])

    @agent.tool
    def pay(ctx: RunContext[str]) -> str:
        """Pays."""
        if not ctx.tool_call_approved:
            raise ApprovalRequired
        return "paid"

    waiting = await agent.run(TASK, deps="ann")
    assert isinstance(waiting.output, DeferredToolRequests)
    approved = DeferredToolResults(approvals={"call-pay": True})
    done = await agent.run(message_history=waiting.all_messages(), deferred_tool_results=approved, deps="ann")
    first, second = [await asyncio.to_thread(recorded, memory, result.run_id) for result in (waiting, done)]
    assert (first.outcome, first.actions) == (Outcome.UNKNOWN, [])
    assert (second.outcome, second.observation, second.session_id) == (Outcome.SUCCESS, TASK, first.session_id)
    assert [action.step_name for action in second.actions] == ["pay"]

    async with support(memory, says("Hello", "there")).iter("Left early", deps="ann") as left:
        await left.next(left.next_node)  # type: ignore[arg-type]
    assert (await asyncio.to_thread(recorded, memory, left.run_id)).outcome is Outcome.UNKNOWN


async def test_runs_beside_each_other_keep_apart(memory: Memory) -> None:
    agent = support(memory, says(*["Done"] * 10))
    results = await asyncio.gather(*(agent.run(f"Task number {i}", deps="ann") for i in range(10)))
    for i, result in enumerate(results):
        assert (await asyncio.to_thread(recorded, memory, result.run_id)).observation == f"Task number {i}"


async def test_it_may_only_recall(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        e.succeeded("By bank transfer")
    script = says("Refunded")
    result = await support(memory, script, mneme={"record": False}).run([TASK], deps="ann")
    assert "By bank transfer" in script.sent[0]
    assert await memory.aflush()
    async with memory.async_client() as client:
        assert await client.episode(result.run_id) is None


async def test_without_a_server_the_agent_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    with Memory("http://127.0.0.1:1") as memory:
        script = says(calls("find_order", order="A-1"), "Refunded")
        result = await support(memory, script).run(TASK, deps="ann")
    assert result.output == "Refunded"
    assert script.sent == ["You help customers."] * 2
