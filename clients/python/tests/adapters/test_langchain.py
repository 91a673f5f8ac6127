from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from conftest import recorded
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, HumanInTheLoopMiddleware, ModelRetryMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.tool import ToolCallChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import Field

from mneme_client import Memory
from mneme_client.graphql.enums import Outcome
from mneme_client.langchain import MnemeMiddleware

TASK = "A customer wants a refund for order A-1"
ASK: dict[str, Any] = {"messages": [HumanMessage(TASK)]}
CORRECTION = "Look for an earlier refund first"


class Script(GenericFakeChatModel):
    """Says what it is told to say, and keeps what it was sent."""

    sent: list[list[BaseMessage]] = Field(default_factory=list)

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.sent.append(messages)
        return super()._generate(messages, *args, **kwargs)

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        message = self._generate(messages, *args, **kwargs).generations[0].message
        assert isinstance(message, AIMessage)
        for piece in re.findall(r"\S+\s*", message.text):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        called = [
            ToolCallChunk(**{**call, "args": json.dumps(call["args"]), "index": 0}) for call in message.tool_calls
        ]
        yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=called))

    @property
    def prompts(self) -> list[str]:
        return ["\n".join(message.text for message in messages) for messages in self.sent]


def says(*answers: AIMessage | str | Exception) -> Script:
    def script() -> Iterator[AIMessage | str]:
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
            yield answer

    return Script(messages=script())


def calls(name: str, text: str = "", **arguments: Any) -> AIMessage:
    return AIMessage(text, tool_calls=[{"name": name, "args": arguments, "id": f"call-{name}"}])


@tool
def find_order(order: str) -> str:
    """Finds an order."""
    return f"{order}: a lamp for 40 EUR"


@tool
def refund(order: str) -> str:
    """Refunds an order."""
    raise RuntimeError("the bank does not answer")


def agent(memory: Memory, model: Script, **options: Any) -> Any:
    prompt = options.pop("system_prompt", "You help customers.")
    before, after = options.pop("before", []), options.pop("after", [])
    middleware = [*before, MnemeMiddleware(memory, agent="support", **options.pop("mneme", {})), *after]
    return create_agent(model, [find_order, refund], middleware=middleware, system_prompt=prompt, **options)


Run = Callable[[Any], dict[str, Any]]


def invoke(agent: Any) -> dict[str, Any]:
    return dict(agent.invoke(ASK))


def ainvoke(agent: Any) -> dict[str, Any]:
    return dict(asyncio.run(agent.ainvoke(ASK)))


def stream(agent: Any) -> dict[str, Any]:
    *_, last = agent.stream(ASK, stream_mode="values")
    return dict(last)


def astream(agent: Any) -> dict[str, Any]:
    async def run() -> dict[str, Any]:
        last = None
        async for mode, chunk in agent.astream(ASK, stream_mode=["messages", "values"]):
            if mode == "values":
                last = chunk
        return dict(last or {})

    return asyncio.run(run())


each_way = pytest.mark.parametrize("run", [invoke, ainvoke, stream, astream])


@each_way
def test_a_corrected_failure_is_a_caution_before_the_next_first_call(memory: Memory, run: Run) -> None:
    first = run(agent(memory, says(calls("find_order", order="A-1"), "Refunded twice, sorry")))
    assert first["messages"][-1].text == "Refunded twice, sorry"
    memory.feedback(first["mneme_episode"], False, correction=CORRECTION)

    model = says(calls("find_order", "I look first", order="A-1"), "Refunded 40 EUR")
    second = run(agent(memory, model))
    assert CORRECTION in model.prompts[0]
    assert CORRECTION in model.prompts[1]
    assert model.prompts[0].startswith("You help customers.\n\n<mneme-lessons>")
    episode = recorded(memory, second["mneme_episode"])
    assert [node.id for node in episode.informed_by.nodes] == [f"episode:{first['mneme_episode']}"]
    assert (episode.outcome, episode.result, episode.observation) == (Outcome.SUCCESS, "Refunded 40 EUR", TASK)
    assert episode.thoughts == ["I look first"]
    (action,) = episode.actions
    assert (action.step_name, action.step_id) == ("find_order", "call-find_order")
    assert action.result == {"arguments": {"order": "A-1"}, "result": "A-1: a lamp for 40 EUR"}
    assert "mneme-lessons" not in str(second["messages"])


@each_way
def test_failing_tools_and_models_are_failures(memory: Memory, run: Run) -> None:
    with pytest.raises(RuntimeError, match="the bank"):
        run(agent(memory, says(calls("refund", order="A-1"))))
    with pytest.raises(ConnectionError):
        run(agent(memory, says(ConnectionError("no model"))))
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


@dataclass
class Context:
    user: str


@pytest.mark.parametrize("sync", [True, False])
def test_another_user_sees_none_of_it(memory: Memory, sync: bool) -> None:
    def ask(user: str, model: Script) -> dict[str, Any]:
        mneme = {"user": lambda runtime: runtime.context.user}
        asked = agent(memory, model, mneme=mneme, context_schema=Context)
        answer = (
            asked.invoke(ASK, context=Context(user)) if sync else asyncio.run(asked.ainvoke(ASK, context=Context(user)))
        )
        return dict(answer)

    of_ann = ask("ann", says("Refunded twice, sorry"))["mneme_episode"]
    memory.feedback(of_ann, correction=CORRECTION)
    ask("ben", other := says("Refunded"))
    ask("ann", own := says("Refunded"))
    assert other.prompts == [f"You help customers.\n{TASK}"]
    assert CORRECTION in own.prompts[0]
    assert recorded(memory, of_ann).user_id == "ann"


def test_retries_inside_are_no_failure(memory: Memory) -> None:
    class Moody(Script):
        def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
            if not self.sent:
                self.sent.append(messages)
                raise ConnectionError("once")
            return super()._generate(messages, *args, **kwargs)

    model = Moody(messages=iter(["Refunded"]))
    done = invoke(agent(memory, model, after=[ModelRetryMiddleware(initial_delay=0)]))
    assert recorded(memory, done["mneme_episode"]).outcome is Outcome.SUCCESS


def test_a_block_of_its_own_sees_every_failure(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        done = invoke(agent(memory, says(calls("find_order", order="A-1"), "I do not know")))
        e.failed("It gave up")
    assert done["mneme_episode"] == e.id
    episode = recorded(memory, e.id)
    assert (episode.outcome, episode.result) == (Outcome.FAILURE, "It gave up")
    assert [action.step_name for action in episode.actions] == ["find_order"]


def test_a_run_that_waits_for_a_person_goes_on(memory: Memory) -> None:
    model = says(calls("find_order", order="A-1"), "Refunded")
    asking = HumanInTheLoopMiddleware(interrupt_on={"find_order": True})
    waiting = agent(memory, model, after=[asking], checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "chat-7"}}
    waiting.invoke(ASK, thread)
    done = waiting.invoke(Command(resume={"decisions": [{"type": "approve"}]}), thread)
    episode = recorded(memory, done["mneme_episode"])
    assert (episode.outcome, episode.session_id) == (Outcome.SUCCESS, "session:chat-7")
    assert [action.step_name for action in episode.actions] == ["find_order"]


def test_each_turn_of_a_thread_is_an_episode(memory: Memory) -> None:
    talking = agent(memory, says("Done", "You are welcome"), checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "chat-7"}}
    first = talking.invoke(ASK, thread)["mneme_episode"]
    second = talking.invoke({"messages": [HumanMessage("Thank you")]}, thread)["mneme_episode"]
    assert [recorded(memory, id).observation for id in (first, second)] == [TASK, "Thank you"]


def test_it_may_only_recall(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        e.succeeded("By bank transfer")
    model = says("Refunded")
    done = invoke(agent(memory, model, mneme={"record": False}))
    assert "By bank transfer" in model.prompts[0]
    assert memory.flush()
    with memory.client() as client:
        assert client.episode(done["mneme_episode"]) is None


def test_without_a_server_the_agent_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    with Memory("http://127.0.0.1:1") as memory:
        done = invoke(agent(memory, says(calls("find_order", order="A-1"), "Refunded")))
    assert done["messages"][-1].text == "Refunded"


def test_a_prompt_of_blocks_keeps_them(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        e.succeeded("By bank transfer")
    model = says("Refunded")
    cached = SystemMessage([{"type": "text", "text": "You help.", "cache_control": {"type": "ephemeral"}}])
    invoke(agent(memory, model, system_prompt=cached))
    content = model.sent[0][0].content
    assert content[0] == {"type": "text", "text": "You help.", "cache_control": {"type": "ephemeral"}}
    assert "By bank transfer" in str(content[1])


class Broken(AgentMiddleware[Any, Any, Any]):
    """Fails beside models and tools."""

    def before_model(self, state: Any, runtime: Any) -> None:
        raise RuntimeError("no budget")


@each_way
def test_what_fails_beside_models_and_tools_is_a_failure(memory: Memory, run: Run) -> None:
    agent = create_agent(says("never"), [], middleware=[MnemeMiddleware(memory, agent="support"), Broken()])
    with pytest.raises(RuntimeError):
        run(agent)
    assert memory.flush()
    with memory.client() as client:
        data = client.get_data(client.execute("{ episodes(first: 9) { nodes { outcome result } } }"))
    assert data["episodes"]["nodes"] == [{"outcome": "FAILURE", "result": "RuntimeError: no budget"}]
