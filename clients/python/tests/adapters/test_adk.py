from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
import unicodedata
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import recorded
from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig
from google.adk.apps import App
from google.adk.cli.service_registry import get_service_registry
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.load_memory_tool import LoadMemoryTool
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types
from pydantic import Field

from mneme_client import Memory, MnemeError
from mneme_client.adk import MnemeMemoryService, MnemePlugin
from mneme_client.graphql.enums import Outcome

pytestmark = pytest.mark.filterwarnings("default")

TASK = "A customer wants a refund for order A-1"
CORRECTION = "Look for an earlier refund first"
APP = "support"


# The memory service: what the framework's own tests ask of InMemoryMemoryService.


def event(id: str, said: str | None, author: str = "user") -> Event:
    content = types.Content(parts=[types.Part(text=said)]) if said is not None else None
    return Event(id=id, invocation_id=f"run of {id}", author=author, timestamp=12345.0, content=content)


def session(*events: Event, id: str = "s1", user: str = "ann", app: str = APP) -> Session:
    return Session(app_name=app, user_id=user, id=id, events=list(events))


@pytest.fixture
def service(memory: Memory) -> MnemeMemoryService:
    return MnemeMemoryService(memory)


async def found(service: MnemeMemoryService, query: str, user: str = "ann", app: str = APP) -> list[str]:
    answer = await service.search_memory(app_name=app, user_id=user, query=query)
    return [str(memory.content.parts[0].text) for memory in answer.memories if memory.content.parts]


TOOLKIT = event("1a", "The ADK is a great toolkit.")
ROCKS = event("1c", "I agree. The Agent Development Kit (ADK) rocks!", author="model")
PYTHON = event("2a", "I like to code in Python.")


async def test_a_search_finds_words_in_any_case_then_what_was_said_beside_them(
    service: MnemeMemoryService,
) -> None:
    await service.add_session_to_memory(session(TOOLKIT, event("1b", None), ROCKS))
    await service.add_session_to_memory(session(PYTHON, id="s2"))
    answer = await service.search_memory(app_name=APP, user_id="ann", query="python")
    (memory,) = answer.memories
    assert (memory.id, memory.author) == ("2a", "user")
    assert memory.timestamp == "1970-01-01T03:25:45+00:00"
    both = ["I agree. The Agent Development Kit (ADK) rocks!", "The ADK is a great toolkit."]
    assert await found(service, "development") == both
    assert sorted(await found(service, "How about ADK?")) == both
    assert await found(service, "nonexistent") == []
    assert await found(service, "  ") == []


async def test_a_session_without_events_is_nothing(service: MnemeMemoryService) -> None:
    await service.add_session_to_memory(session())
    assert await found(service, "anything") == []


async def test_events_come_once_and_stay_as_they_came_first(service: MnemeMemoryService) -> None:
    await service.add_session_to_memory(session(TOOLKIT, ROCKS))
    again = event("1a", "The ADK is an updated toolkit.")
    for delta in ([again], [event("1d", "A new toolkit came.")], [PYTHON]):
        await service.add_events_to_memory(app_name=APP, user_id="ann", events=delta, session_id="s1")
    await service.add_session_to_memory(session(TOOLKIT, ROCKS))
    assert sorted((await found(service, "toolkit"))[:2]) == ["A new toolkit came.", "The ADK is a great toolkit."]
    assert (await found(service, "Python"))[0] == "I like to code in Python."
    assert "updated" not in str(await found(service, "updated toolkit"))


async def test_events_need_no_session(service: MnemeMemoryService) -> None:
    await service.add_events_to_memory(app_name=APP, user_id="ann", events=[TOOLKIT])
    assert await found(service, "toolkit") == ["The ADK is a great toolkit."]


async def test_memories_of_others_and_of_other_apps_are_not_found(service: MnemeMemoryService) -> None:
    await service.add_session_to_memory(session(TOOLKIT))
    await service.add_session_to_memory(session(event("3a", "This is a secret."), user="bob"))
    await service.add_session_to_memory(session(event("3b", "A secret of a slash."), app="app/x", user="y"))
    assert await found(service, "secret") == []
    assert await found(service, "secret", user="bob") == ["This is a secret."]
    assert await found(service, "secret", user="bob", app="other") == []
    assert await found(service, "secret", app="app", user="x/y") == []


@pytest.mark.parametrize(
    ("said", "query", "count"),
    [
        ("私の名前は太郎です", "太郎", 1),
        ("我喜欢机器学习", "机器学习", 1),
        ("제 이름은 민수입니다", "민수입니다", 1),
        ("Меня зовут Алексей", "Алексей", 1),
        ("太郎 works at ABC Corp", "ABC", 1),
        ("私はPythonでADKを使っています", "adk", 1),
        ("私はPythonでADKを使っています", "Java", 0),
        ("I like to code in Python.", "thon", 0),
        (unicodedata.normalize("NFD", "Meet at the Café"), "café", 1),
        ("Meet at the Café", unicodedata.normalize("NFD", "Café"), 1),
    ],
)
async def test_it_finds_words_of_many_languages(service: MnemeMemoryService, said: str, query: str, count: int) -> None:
    await service.add_session_to_memory(session(event("e", said)))
    assert len(await found(service, query)) == count


async def test_the_best_match_comes_first_and_ten_at_most(service: MnemeMemoryService) -> None:
    notes = [event(f"n{i}", f"note {i} about work") for i in range(20)]
    await service.add_session_to_memory(session(*notes, event("b", "the backlog note about work")))
    answers = await found(service, "work backlog note")
    assert answers[0] == "the backlog note about work"
    assert len(answers) == 10


async def test_a_deleted_memory_stays_away_when_its_session_comes_again(service: MnemeMemoryService) -> None:
    await service.add_session_to_memory(session(TOOLKIT, PYTHON))
    await service.delete_memory(app_name=APP, user_id="bob", memory_id="2a")
    await service.delete_memory(app_name=APP, user_id="ann", memory_id=None)
    assert (await found(service, "Python"))[0] == "I like to code in Python."
    await service.delete_memory(app_name=APP, user_id="ann", memory_id="2a")
    await service.delete_memory(app_name=APP, user_id="ann", memory_id="unknown")
    await service.add_session_to_memory(session(TOOLKIT, PYTHON))
    await service.add_events_to_memory(app_name=APP, user_id="ann", events=[PYTHON], session_id="s1")
    assert await found(service, "Python") == []
    assert await found(service, "∅ deleted") == []
    assert await found(service, "toolkit") == ["The ADK is a great toolkit."]


async def test_what_is_kept_and_what_was_found_are_copies(service: MnemeMemoryService) -> None:
    mine = event("t", "I prefer jasmine tea.")
    await service.add_session_to_memory(session(mine))
    assert mine.content
    assert mine.content.parts
    mine.content.parts[0].text = "I prefer coffee."
    first = await service.search_memory(app_name=APP, user_id="ann", query="jasmine")
    assert first.memories[0].content.parts
    first.memories[0].content.parts.clear()
    assert await found(service, "jasmine") == ["I prefer jasmine tea."]


async def test_memories_may_be_added_as_they_are(service: MnemeMemoryService) -> None:
    said = types.Content(parts=[types.Part(text="Ann wants <b>short</b> answers: always")])
    entries = [MemoryEntry(content=said, author="ann", timestamp="2026-03-01T12:00:00+00:00")] * 2
    await service.add_memory(app_name=APP, user_id="ann", memories=entries)
    answer = await service.search_memory(app_name=APP, user_id="ann", query="short answers")
    (memory,) = answer.memories
    assert memory.content.parts
    assert memory.content.parts[0].text == "Ann wants &lt;b&gt;short&lt;/b&gt; answers: always"
    assert (memory.author, memory.timestamp) == ("ann", "2026-03-01T12:00:00+00:00")


async def test_without_a_server_nothing_is_found_and_only_deleting_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    with Memory("http://127.0.0.1:1") as memory:
        service = MnemeMemoryService(memory)
        await service.add_session_to_memory(session(TOOLKIT))
        assert await found(service, "toolkit") == []
        with pytest.raises(MnemeError, match="UNAVAILABLE"):
            await service.delete_memory(app_name=APP, user_id="ann", memory_id="1a")


# The plugin: runs of an agent with a model that says what it is told to say.


class Script(BaseLlm):
    """Says what it is told to say, and keeps what it was sent."""

    model: str = "script"
    answers: list[Any] = Field(default_factory=list)
    sent: list[str] = Field(default_factory=list)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        said = [part.text or "" for content in llm_request.contents for part in content.parts or ()]
        self.sent.append("\n".join([str(llm_request.config.system_instruction), *said]))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, LlmResponse):
            yield answer
            return
        parts = [types.Part(text=part) if isinstance(part, str) else part for part in answer]
        if stream:
            for word in str(parts[0].text or "").split():
                yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=word)]), partial=True)
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def says(*answers: Any) -> Script:
    return Script(answers=[[answer] if isinstance(answer, str | types.Part) else answer for answer in answers])


def calls(name: str, **arguments: Any) -> types.Part:
    return types.Part(function_call=types.FunctionCall(name=name, args=arguments, id=f"call-{name}"))


def find_order(order: str) -> str:
    """Finds an order."""
    return f"{order}: a lamp for 40 EUR"


def refund(order: str) -> str:
    """Refunds an order."""
    raise RuntimeError("the bank does not answer")


def runner_of(memory: Memory, model: Script, tools: tuple[Any, ...] = (), **options: Any) -> Runner:
    agent = LlmAgent(name="helper", model=model, instruction="You help customers.", tools=[find_order, refund, *tools])
    return Runner(
        app=App(name=APP, root_agent=agent, plugins=[MnemePlugin(**options)]),
        session_service=InMemorySessionService(),
        memory_service=MnemeMemoryService(memory),
        auto_create_session=True,
    )


Run = Callable[..., list[Event]]


def run_async(runner: Runner, user: str = "ann", said: str = TASK, mode: str | None = None) -> list[Event]:
    async def running() -> list[Event]:
        return [
            event
            async for event in runner.run_async(
                user_id=user,
                session_id="chat-7",
                new_message=types.UserContent(said),
                run_config=RunConfig.model_validate({"streaming_mode": mode}),
            )
        ]

    return asyncio.run(running())


def run_sync(runner: Runner, user: str = "ann", said: str = TASK) -> list[Event]:
    return list(runner.run(user_id=user, session_id="chat-7", new_message=types.UserContent(said)))


def run_streamed(runner: Runner, user: str = "ann", said: str = TASK) -> list[Event]:
    return run_async(runner, user, said, "sse")


each_way = pytest.mark.parametrize("run", [run_async, run_sync, run_streamed])


@each_way
def test_a_corrected_failure_is_a_caution_before_the_next_first_call(memory: Memory, run: Run) -> None:
    first = run(runner_of(memory, says(calls("find_order", order="A-1"), "Refunded twice, sorry")))[-1].invocation_id
    memory.feedback(first, False, correction=CORRECTION)

    model = says(["I look first", calls("find_order", order="A-1")], "Refunded 40 EUR")
    events = run(runner_of(memory, model))
    assert [CORRECTION in prompt for prompt in model.sent] == [True, True]
    assert model.sent[0].index("You help customers.") < model.sent[0].index("<mneme-lessons>")
    episode = recorded(memory, events[-1].invocation_id)
    assert [node.id for node in episode.informed_by.nodes] == [f"episode:{first}"]
    assert (episode.outcome, episode.result, episode.observation) == (Outcome.SUCCESS, "Refunded 40 EUR", TASK)
    assert episode.session_id == "session:adk/support/ann/chat-7"
    assert episode.thoughts == ["I look first"]
    (action,) = episode.actions
    assert (action.step_name, action.step_id) == ("find_order", "call-find_order")
    assert action.result == {"arguments": {"order": "A-1"}, "result": "A-1: a lamp for 40 EUR"}
    assert "mneme-lessons" not in str(events)


@each_way
def test_failing_tools_and_models_are_failures(memory: Memory, run: Run) -> None:
    with pytest.raises(RuntimeError, match="the bank"):
        run(runner_of(memory, says(calls("refund", order="A-1"))))
    with pytest.raises(ConnectionError):
        run(runner_of(memory, says(ConnectionError("no model"))))
    run(runner_of(memory, says(LlmResponse(error_code="SAFETY", error_message="refused"))))
    assert memory.flush()
    with memory.client() as client:
        data = client.get_data(
            client.execute("{ episodes(orderBy: STARTED_AT_ASC) { nodes { outcome result actions { result } } } }")
        )
    tool_failed, model_failed, refused = data["episodes"]["nodes"]
    assert (tool_failed["outcome"], tool_failed["result"]) == ("FAILURE", "RuntimeError: the bank does not answer")
    (action,) = tool_failed["actions"]
    assert action["result"] == {"arguments": {"order": "A-1"}, "error": "RuntimeError: the bank does not answer"}
    assert (model_failed["outcome"], model_failed["result"]) == ("FAILURE", "ConnectionError: no model")
    assert (refused["outcome"], refused["result"]) == ("FAILURE", "SAFETY: refused")


@each_way
def test_another_user_sees_none_of_it(memory: Memory, run: Run) -> None:
    first = run(runner_of(memory, says("Refunded twice, sorry")))[-1].invocation_id
    memory.for_user("ann").feedback(first, False, correction=CORRECTION)
    for user, told in (("bob", False), ("ann", True)):
        model = says("Refunded")
        run(runner_of(memory, model, tools=(PreloadMemoryTool(),)), user)
        assert ("twice" in model.sent[0], CORRECTION in model.sent[0]) == (told, told)


async def test_a_plain_run_is_found_by_searches_of_its_user(memory: Memory) -> None:
    await asyncio.to_thread(run_async, runner_of(memory, says("It came on Monday")), "ann", "Where is the kettle?")
    service = MnemeMemoryService(memory)
    assert sorted(await found(service, "kettle Monday")) == ["It came on Monday", "Where is the kettle?"]
    assert await found(service, "kettle Monday", user="bob") == []


def test_what_tools_of_the_framework_recall_is_not_recorded_again(memory: Memory) -> None:
    run_async(runner_of(memory, says("It came <b>on Monday")), said="Where is the kettle?")
    model = says(calls("load_memory", query="kettle"), "On Monday")
    events = run_async(runner_of(memory, model, tools=(PreloadMemoryTool(), LoadMemoryTool())), said="And the kettle?")
    assert "model: It came &lt;b&gt;on Monday" in model.sent[0].replace("helper:", "model:")
    (action,) = recorded(memory, events[-1].invocation_id).actions
    assert (action.step_name, action.result) == ("load_memory", {"arguments": {"query": "kettle"}})


def test_an_agent_that_is_a_tool_has_an_episode_and_says_nothing_for_the_user(memory: Memory) -> None:
    clerk = AgentTool(LlmAgent(name="clerk", model=says("It is in the cellar"), description="Finds things."))
    model = says(calls("clerk", request="Find the kettle"), "In the cellar")
    events = run_async(runner_of(memory, model, tools=(clerk,)), said="Where is it?")
    (action,) = recorded(memory, events[-1].invocation_id).actions
    assert action.result == {"arguments": {"request": "Find the kettle"}, "result": "It is in the cellar"}
    with memory.client() as client:
        data = client.get_data(client.execute("{ episodes { nodes { observation agent { id } } } }"))
    told = {node["agent"]["id"]: node["observation"] for node in data["episodes"]["nodes"]}
    assert told == {"agent:helper": "Where is it?", "agent:clerk": "Find the kettle"}
    assert asyncio.run(found(MnemeMemoryService(memory), "Find the kettle")) == []


def test_a_block_of_its_own_sees_every_failure(memory: Memory) -> None:
    async def running() -> str:
        async with memory.for_user("ann").episode(TASK, agent="support") as e:
            message = types.UserContent(TASK)
            runner = runner_of(memory, says(calls("find_order", order="A-1"), "I do not know"))
            async for _ in runner.run_async(user_id="ann", session_id="chat-7", new_message=message):
                pass
            e.failed("It gave up")
        return e.id

    episode = recorded(memory, asyncio.run(running()))
    assert (episode.outcome, episode.result) == (Outcome.FAILURE, "It gave up")
    assert [action.step_name for action in episode.actions] == ["find_order"]


def test_a_run_that_is_left_early_stays_open(memory: Memory) -> None:
    async def leaving() -> str:
        runner = runner_of(memory, says(calls("find_order", order="A-1"), "Refunded"))
        events = runner.run_async(user_id="ann", session_id="s", new_message=types.UserContent(TASK))
        event = await anext(events)
        await events.aclose()
        return event.invocation_id

    assert recorded(memory, asyncio.run(leaving())).outcome is Outcome.UNKNOWN


def test_it_may_only_recall(memory: Memory) -> None:
    with memory.for_user("ann").episode(TASK, agent="support") as e:
        e.succeeded("By bank transfer")
    model = says("Refunded")
    events = run_async(runner_of(memory, model, record=False))
    assert "By bank transfer" in model.sent[0]
    assert memory.flush()
    with memory.client() as client:
        assert client.episode(events[-1].invocation_id) is None


def test_without_a_server_the_agent_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    with Memory("http://127.0.0.1:1") as memory:
        model = says(calls("find_order", order="A-1"), "Refunded")
        events = run_async(runner_of(memory, model, tools=(PreloadMemoryTool(),)))
    assert events[-1].content == types.Content(role="model", parts=[types.Part(text="Refunded")])


# The command.


def test_uris_of_the_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEME_URL", "http://127.0.0.1:7")
    uris = {
        "mneme://127.0.0.1:9": "http://127.0.0.1:9",
        "mneme+https://memory.example.com": "https://memory.example.com",
        "mneme://": "http://127.0.0.1:7",
    }
    for uri, url in uris.items():
        service = get_service_registry().create_memory_service(uri, agents_dir=str(tmp_path))
        assert isinstance(service, MnemeMemoryService)
        assert service.memory._server.address().url == url
        service.memory.close()
    service = get_service_registry().create_memory_service(f"mneme:///{tmp_path}/data")
    assert isinstance(service, MnemeMemoryService)
    assert (tmp_path / "data").exists()
    service.memory.close()


AGENT = """
from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.genai import types

class Echo(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        text = str(llm_request.config.system_instruction)
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="I was told: " + text)]))

root_agent = LlmAgent(name="support", model=Echo(model="echo"), instruction="You help.")
"""


@pytest.mark.parametrize("command", ["web", "api_server"])
def test_the_command_serves_with_the_memory(memory: Memory, tmp_path: Path, command: str) -> None:
    url, key = memory._server.address()
    agents = tmp_path / "agents"
    (agents / "support").mkdir(parents=True)
    (agents / "services.py").write_text("import mneme_client.adk\n")
    (agents / "support" / "__init__.py").write_text("from . import agent\n")
    (agents / "support" / "agent.py").write_text(AGENT)
    with memory.for_user("ann").episode(TASK, agent="support") as e:
        e.failed("Refunded twice")
    e.feedback(correction=CORRECTION)
    assert memory.flush()
    options = [
        f"--memory_service_uri=mneme://{url.removeprefix('http://')}",
        "--extra_plugins=mneme_client.adk.MnemePlugin",
        "--port=0",
    ]
    adk = Path(sys.executable).with_name("adk")
    log = tmp_path / "log"
    with log.open("wb") as out:
        child = subprocess.Popen(
            [adk, command, *options, str(agents)], env=environment(key or ""), stdout=out, stderr=out
        )
    try:
        with httpx.Client(base_url=address(log, child), timeout=30) as web:
            web.post("/apps/support/users/ann/sessions/s1").raise_for_status()
            message = {"role": "user", "parts": [{"text": TASK}]}
            asked = {"app_name": "support", "user_id": "ann", "session_id": "s1", "new_message": message}
            events = web.post("/run", json=asked).raise_for_status().json()
    finally:
        child.terminate()
        child.wait(30)
    assert CORRECTION in events[-1]["content"]["parts"][0]["text"]
    episode = recorded(memory, events[-1]["invocationId"])
    assert episode.outcome is Outcome.SUCCESS
    assert [node.id for node in episode.informed_by.nodes] == [f"episode:{e.id}"]


def environment(key: str) -> dict[str, str]:
    return {**os.environ, "MNEME_API_KEY": key, "PYTHONPATH": os.pathsep.join(sys.path)}


def address(log: Path, child: subprocess.Popen[bytes]) -> str:
    """Where the command listens, when it does."""
    while child.poll() is None:
        if listens := re.search(r"Uvicorn running on (http://\S+)", log.read_text()):
            return listens[1]
        time.sleep(0.1)
    raise AssertionError(log.read_text())
