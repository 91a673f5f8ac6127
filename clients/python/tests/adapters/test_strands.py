from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from conftest import recorded
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from pydantic import BaseModel
from strands import Agent, ToolContext, tool
from strands.agent.agent_result import AgentResult
from strands.memory import MemoryManager
from strands.models import Model
from strands.types.content import Messages

from mneme_client import Memory
from mneme_client.graphql.enums import Outcome
from mneme_client.strands import MnemePlugin, MnemeStore

TASK = "A customer wants a refund for order A-1"
CORRECTION = "Look for an earlier refund first"


class Script(Model):
    """Says what it is told to say, and keeps what it was sent."""

    def __init__(self, *answers: Any) -> None:
        self.answers = [answer if isinstance(answer, list) else [answer] for answer in answers]
        self.prompts: list[str] = []
        self.sent: list[str] = []

    def update_config(self, **model_config: Any) -> None:
        pass

    def get_config(self) -> Any:
        return {}

    async def structured_output(self, *args: Any, **kwargs: Any) -> Any:
        answer = self.answers.pop(0)[0]
        if isinstance(answer, Exception):
            raise answer
        yield {"output": answer}

    async def stream(
        self, messages: Messages, tool_specs: Any = None, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        self.prompts.append(system_prompt or "")
        self.sent.append(json.dumps(messages, default=str))
        answer = self.answers.pop(0)
        if isinstance(answer[0], Exception):
            raise answer[0]
        yield {"messageStart": {"role": "assistant"}}
        for part in answer:
            called = isinstance(part, dict)
            yield {"contentBlockStart": {"start": {"toolUse": part["use"]} if called else {}}}
            for piece in [json.dumps(part["input"])] if called else part.split(" "):
                delta = {"toolUse": {"input": piece}} if called else {"text": piece + " "}
                yield {"contentBlockDelta": {"delta": delta}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if isinstance(answer[-1], dict) else "end_turn"}}


def calls(name: str, **arguments: Any) -> dict[str, Any]:
    return {"use": {"name": name, "toolUseId": f"call-{name}"}, "input": arguments}


@tool
def find_order(order: str) -> str:
    """Finds an order."""
    return f"{order}: a lamp for 40 EUR"


@tool
def refund(order: str) -> str:
    """Refunds an order."""
    raise RuntimeError("the bank does not answer")


@tool(context=True)
def pay(tool_context: ToolContext) -> str:
    """Pays."""
    return f"paid, as {tool_context.interrupt('pay', reason='May I?')} said"


def support(memory: Memory, model: Script, store: bool = False, **options: Any) -> Agent:
    return Agent(
        model,
        system_prompt="You help customers.",
        tools=[find_order, refund, pay],
        plugins=[MnemePlugin(memory, agent="support", session="chat-7", **options)],
        memory_manager=MemoryManager([MnemeStore(memory)]) if store else None,
        callback_handler=None,
    )


Run = Callable[..., AgentResult]


def invoke(agent: Agent, said: str = TASK) -> AgentResult:
    return agent(said)


def ainvoke(agent: Agent, said: str = TASK) -> AgentResult:
    return asyncio.run(agent.invoke_async(said))


def stream(agent: Agent, said: str = TASK) -> AgentResult:
    async def running() -> Any:
        result = None
        async for event in agent.stream_async(said):
            result = event.get("result", result)
        return result

    result = asyncio.run(running())
    assert isinstance(result, AgentResult)
    return result


each_way = pytest.mark.parametrize("run", [invoke, ainvoke, stream])


@each_way
def test_a_corrected_failure_is_a_caution_before_the_next_first_call(memory: Memory, run: Run) -> None:
    first = run(support(memory, Script(calls("find_order", order="A-1"), "Refunded twice, sorry")))
    memory.feedback(first.state["mneme_episode"], False, correction=CORRECTION)

    model = Script(["I look first", calls("find_order", order="A-1")], "Refunded 40 EUR")
    agent = support(memory, model)
    second = run(agent)
    assert [CORRECTION in prompt for prompt in model.prompts] == [True, True]
    assert model.prompts[0].startswith("You help customers.\n<mneme-lessons>")
    episode = recorded(memory, second.state["mneme_episode"])
    assert [node.id for node in episode.informed_by.nodes] == [f"episode:{first.state['mneme_episode']}"]
    assert (episode.outcome, episode.result, episode.observation) == (Outcome.SUCCESS, "Refunded 40 EUR", TASK)
    assert (episode.session_id, episode.thoughts) == ("session:chat-7", ["I look first"])
    (action,) = episode.actions
    assert (action.step_name, action.step_id) == ("find_order", "call-find_order")
    assert action.result == {"arguments": {"order": "A-1"}, "result": "A-1: a lamp for 40 EUR"}
    assert "mneme-lessons" not in str(agent.messages)


@each_way
def test_failing_models_are_failures_and_failing_tools_are_steps(memory: Memory, run: Run) -> None:
    told = run(support(memory, Script(calls("refund", order="A-1"), "The bank is closed")))
    with pytest.raises(ConnectionError):
        run(support(memory, Script(ConnectionError("no model"))))
    (action,) = recorded(memory, told.state["mneme_episode"]).actions
    assert action.result == {"arguments": {"order": "A-1"}, "error": "RuntimeError: the bank does not answer"}
    with memory.client() as client:
        data = client.get_data(client.execute("{ episodes(first: 1) { nodes { outcome result } } }"))
    (episode,) = data["episodes"]["nodes"]
    assert (episode["outcome"], episode["result"]) == ("FAILURE", "ConnectionError: no model")


@each_way
def test_another_user_sees_none_of_it(memory: Memory, run: Run) -> None:
    ann, bob = memory.for_user("ann"), memory.for_user("bob")
    first = run(support(ann, Script("Refunded twice, sorry"), store=True))
    ann.feedback(first.state["mneme_episode"], False, correction=CORRECTION)
    for user, told in ((bob, False), (ann, True)):
        model = Script("Refunded")
        run(support(user, model, store=True))
        assert (CORRECTION in model.prompts[0], "twice" in model.sent[0]) == (told, told)


def test_the_user_may_come_with_the_invocation(memory: Memory) -> None:
    with memory.for_user("ann").episode(TASK, agent="support") as e:
        e.succeeded("By bank transfer")
    model = Script("Refunded", "Refunded")
    agent = support(memory, model, user=lambda state: state["user"])
    for user in ("bob", "ann"):
        agent(TASK, invocation_state={"user": user})
    assert ["By bank transfer" in prompt for prompt in model.prompts] == [False, True]


def test_what_the_store_recalls_is_not_recorded_again(memory: Memory) -> None:
    support(memory, Script("It came <b>on Monday"), store=True)("Where is the kettle?")
    model = Script(calls("search_memory", query="kettle"), "On Monday")
    result = support(memory, model, store=True)("And the kettle?")
    assert "&lt;b&gt;on Monday" in model.sent[0]
    (action,) = recorded(memory, result.state["mneme_episode"]).actions
    assert (action.step_name, action.result) == ("search_memory", {"arguments": {"query": "kettle"}})


async def test_the_store_keeps_what_it_is_given_once(memory: Memory) -> None:
    store = MnemeStore(memory, max_search_results=2)
    for _ in range(2):
        await store.add("Ann wants short answers")
    await store.add_messages([{"role": "user", "content": [{"text": "The answers are too long"}]}])
    found = await store.search("answers", {"max_search_results": 5})
    assert sorted(entry.content for entry in found) == ["Ann wants short answers", "user: The answers are too long"]
    assert len(await store.search("answers")) == 2


class Refund(BaseModel):
    """What was paid back."""

    euros: int


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_structured_output_ends_the_episode(memory: Memory) -> None:
    model = Script(calls("Refund", euros=40), Refund(euros=40), ConnectionError("no model"))
    agent = support(memory, model)
    agent(TASK, structured_output_model=Refund)
    agent.structured_output(Refund, "And how much is it?")
    with pytest.raises(ConnectionError):
        agent.structured_output(Refund, "How much?")
    assert memory.flush()
    with memory.client() as client:
        data = client.get_data(client.execute("{ episodes(first: 9) { nodes { outcome } } }"))
    assert [node["outcome"] for node in data["episodes"]["nodes"]] == ["FAILURE", "SUCCESS", "SUCCESS"]


def test_a_block_of_its_own_sees_every_failure(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        support(memory, Script(calls("find_order", order="A-1"), "I do not know"))(TASK)
        e.failed("It gave up")
    episode = recorded(memory, e.id)
    assert (episode.outcome, episode.result) == (Outcome.FAILURE, "It gave up")
    assert [action.step_name for action in episode.actions] == ["find_order"]


def test_a_run_that_waits_for_a_person_goes_on(memory: Memory) -> None:
    agent = support(memory, Script(calls("pay"), "Paid"))
    waiting = agent(TASK)
    assert waiting.stop_reason == "interrupt"
    assert waiting.interrupts
    answer: Any = {"interruptResponse": {"interruptId": waiting.interrupts[0].id, "response": "Ann"}}
    done = agent([answer])
    episode = recorded(memory, done.state["mneme_episode"])
    assert done.state["mneme_episode"] == waiting.state["mneme_episode"]
    assert (episode.outcome, episode.result, episode.observation) == (Outcome.SUCCESS, "Paid", TASK)
    assert [action.step_name for action in episode.actions] == ["pay"]


def test_a_run_that_reaches_a_limit_failed(memory: Memory) -> None:
    result = support(memory, Script(calls("find_order", order="A-1"), "Refunded"))(TASK, limits={"turns": 1})
    episode = recorded(memory, result.state["mneme_episode"])
    assert episode.outcome is Outcome.FAILURE
    assert str(episode.result).startswith("limit_turns")


async def test_a_cancelled_run_stays_open(memory: Memory) -> None:
    agent = support(memory, Script("Refunded"))
    events = agent.stream_async(TASK)
    async for event in events:
        if "data" in event:
            break
    await events.aclose()  # type: ignore[attr-defined]
    assert await memory.aflush()
    async with memory.async_client() as client:
        data = client.get_data(await client.execute("{ episodes { nodes { outcome } } }"))
    assert data["episodes"]["nodes"] == [{"outcome": "UNKNOWN"}]


def test_it_may_only_recall(memory: Memory) -> None:
    with memory.episode(TASK, agent="support") as e:
        e.succeeded("By bank transfer")
    model = Script("Refunded")
    result = support(memory, model, record=False)(TASK)
    assert "By bank transfer" in model.prompts[0]
    assert memory.flush()
    with memory.client() as client:
        assert client.episode(result.state["mneme_episode"]) is None


class Traces(SpanExporter):
    """Sends spans to a server, as an OTLP exporter does."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        with self.memory.client() as client:
            url = client.url.replace("/graphql", "/v1/traces")
            sent = {"resourceSpans": [{"scopeSpans": [{"spans": [otlp(span) for span in spans]}]}]}
            httpx.post(url, json=sent, headers=client.headers).raise_for_status()
        return SpanExportResult.SUCCESS


def otlp(span: ReadableSpan) -> dict[str, Any]:
    context, attributes = span.get_span_context(), (span.attributes or {}).items()
    return {
        "traceId": f"{context.trace_id:032x}" if context else "",
        "spanId": f"{context.span_id:016x}" if context else "",
        "parentSpanId": f"{span.parent.span_id:016x}" if span.parent else "",
        "name": span.name,
        "startTimeUnixNano": str(span.start_time),
        "endTimeUnixNano": str(span.end_time),
        "attributes": [
            {"key": key, "value": {"arrayValue": {"values": [{"stringValue": item} for item in value]}}}
            for key, value in attributes
            if isinstance(value, tuple)
        ]
        + [{"key": key, "value": {"stringValue": value}} for key, value in attributes if isinstance(value, str)],
    }


def test_where_traces_record_they_credit_what_it_recalled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MNEME_TRACE_QUIET", "100ms")
    with Memory.local(tmp_path / "data", strict=True, timeout=10) as memory:
        with memory.episode(TASK, agent="support") as e:
            e.succeeded("By bank transfer")
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(Traces(memory)))
        monkeypatch.setattr("strands.telemetry.tracer._tracer_instance", None)
        monkeypatch.setattr("opentelemetry.trace._TRACER_PROVIDER", provider)
        with trace.get_tracer("test").start_as_current_span("request") as request:
            support(memory, Script("Refunded"), record=False)(TASK)
        key, until = f"{request.get_span_context().trace_id:032x}", monotonic() + 30
        with memory.client() as client:
            while (episode := client.episode(key)) is None and monotonic() < until:
                sleep(0.05)
        assert episode
        assert [node.id for node in episode.informed_by.nodes] == [f"episode:{e.id}"]


def test_without_a_server_the_agent_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    with Memory("http://127.0.0.1:1") as memory:
        model = Script(calls("find_order", order="A-1"), "Refunded")
        result = support(memory, model, store=True)(TASK)
    assert str(result).strip() == "Refunded"
    assert model.prompts == ["You help customers."] * 2
