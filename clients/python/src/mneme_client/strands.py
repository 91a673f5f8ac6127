"""Strands Agents: a plugin that recalls before a run, records its steps and its outcome, and a memory store.

    ann = memory.for_user("ann")
    agent = Agent(model, plugins=[MnemePlugin(ann, agent="support")], memory_manager=MemoryManager([MnemeStore(ann)]))
    result = agent(question)
    memory.feedback(result.state["mneme_episode"], correction="Ask for the order number first")

Each invocation is an episode. Inside `with memory.episode(…)` it takes part in that episode. The store keeps what was
said as observations, for the manager's injection and for its tool `search_memory`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from strands import Agent
from strands.hooks import AfterInvocationEvent, AfterModelCallEvent, AfterToolCallEvent, BeforeInvocationEvent
from strands.memory import (
    AddMessagesContext,
    ExtractionConfig,
    InvocationTrigger,
    MemoryEntry,
    MemoryStore,
    SearchOptions,
)
from strands.middleware import InvokeModelContext, InvokeModelStage
from strands.plugins import Plugin
from strands.types.content import Message, Messages, SystemPrompt
from strands.types.tools import ToolResult

from .episode import Episode, current
from .graphql.input_types import RecordObservationInput
from .memory import Memory

EPISODE = "mneme_episode"
DONE = ("end_turn", "stop_sequence", "tool_use")
WAITING = ("interrupt", "checkpoint", "cancelled")


class MnemePlugin(Plugin):
    """Adds what past runs taught to the system prompt of each model call, and records runs.

    `user` reads from the invocation's state whose run it is. With `record=False` it only recalls.
    """

    name = "mneme"

    def __init__(
        self,
        memory: Memory,
        *,
        agent: str,
        task_type: str | None = None,
        user: Callable[[dict[str, Any]], str] | None = None,
        session: str | None = None,
        record: bool = True,
    ) -> None:
        super().__init__()
        self._memory, self._agent, self._task_type, self._user = memory, agent, task_type, user
        self._session, self._record = session, record
        self._waiting: WeakKeyDictionary[Any, Episode] = WeakKeyDictionary()
        self._running: WeakKeyDictionary[Any, Episode] = WeakKeyDictionary()  # Agent.structured_output keeps no state

    def init_agent(self, agent: Agent) -> None:
        agent.add_hook(self.before_invocation, BeforeInvocationEvent)
        agent.add_hook(self.after_model_call, AfterModelCallEvent)
        agent.add_hook(self.after_tool_call, AfterToolCallEvent)
        agent.add_hook(self.after_invocation, AfterInvocationEvent)
        agent.add_middleware(InvokeModelStage.Input, with_lessons)

    async def before_invocation(self, event: BeforeInvocationEvent) -> None:
        episode = current() or self._waiting.pop(event.agent, None)
        if episode is None:
            memory = self._memory.for_user(self._user(event.invocation_state)) if self._user else self._memory
            episode = await memory.episode(
                last_said(event.messages or []) or last_said(event.agent.messages),
                agent=self._agent,
                task_type=self._task_type,
                session=self._session,
                record=self._record,
            ).abegin()
        self._running[event.agent] = event.invocation_state[EPISODE] = episode
        event.invocation_state.setdefault("request_state", {})[EPISODE] = episode.id

    def after_model_call(self, event: AfterModelCallEvent) -> None:
        episode: Episode | None = event.invocation_state.get(EPISODE)
        if episode is None or event.stop_response is None:
            return
        blocks = event.stop_response.message["content"]
        goes_on = any("toolUse" in block for block in blocks)
        for block in blocks:
            if goes_on and "text" in block:
                episode.thought(block["text"])
            elif "reasoningContent" in block:
                episode.thought(block["reasoningContent"].get("reasoningText", {}).get("text", ""))

    def after_tool_call(self, event: AfterToolCallEvent) -> None:
        if episode := event.invocation_state.get(EPISODE):
            use, manager = event.tool_use, getattr(event.agent, "memory_manager", None)
            came: dict[str, Any] = {}
            if event.exception or event.result["status"] == "error":
                came["error"] = event.exception or came_of(event.result)
            elif not manager or event.selected_tool not in manager.tools:  # what was recalled is not recorded again
                came["result"] = came_of(event.result)
            episode.step(use["name"], arguments=use["input"], id=use["toolUseId"], **came)

    def after_invocation(self, event: AfterInvocationEvent) -> None:
        running = self._running.pop(event.agent, None)
        episode: Episode | None = event.invocation_state.pop(EPISODE, running)
        result = event.result
        if episode is None or (result and result.stop_reason in WAITING):
            if episode and result and result.stop_reason != "cancelled":
                self._waiting[event.agent] = episode
            return
        if result and not episode.concluded:
            said = result.structured_output or str(result).strip()
            if result.stop_reason in DONE:
                episode.succeeded(said)
            else:
                episode.failed(f"{result.stop_reason}: {said}")
        if episode is not current():
            episode.end(None if result else sys.exc_info()[1])  # the event does not tell what was raised


async def with_lessons(context: InvokeModelContext) -> InvokeModelContext:
    episode = context.invocation_state.get(EPISODE)
    if not episode or not episode.lessons:
        return context
    before = context.system_prompt
    after: SystemPrompt = f"{before}\n\n{episode.lessons}" if before else episode.lessons
    if isinstance(before, list):
        after = [*before, {"text": episode.lessons}]
    return context.replace(system_prompt=after)


class MnemeStore(MemoryStore):
    """Keeps what was said as observations, after each invocation, and finds it.

    It is of one user where `memory` is: `MnemeStore(memory.for_user("ann"))`. With `record=False` it is only read.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        name: str = "mneme",
        description: str | None = "What was said in earlier conversations.",
        max_search_results: int | None = None,
        session: str | None = None,
        record: bool = True,
    ) -> None:
        self.name, self.description, self.max_search_results = name, description, max_search_results
        self.writable = record
        self.extraction = ExtractionConfig(trigger=InvocationTrigger()) if record else None
        self._memory, self._run = memory, uuid4().hex
        self._session = session or self._run  # what was said side by side is found together

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        most = (options or {}).get("max_search_results") or self.max_search_results or 3
        return [
            MemoryEntry(
                hit.observation.content,
                metadata={"id": hit.observation.id, "score": hit.score, "at": hit.observation.created_at.isoformat()},
            )
            for hit in await self._memory.aobservations(query, top_k=most)
        ]

    async def add(self, content: str, metadata: dict[str, Any] | None = None) -> None:
        self._memory.observe([self._noticed(content, "")])

    async def add_messages(self, messages: list[Message], context: AddMessagesContext | None = None) -> None:
        numbers = (context.sequence_numbers if context else None) or range(len(messages))
        said = [
            (f"{message['role']}: {text_of(message)}", number)
            for message, number in zip(messages, numbers, strict=False)
        ]
        self._memory.observe([self._noticed(content, f"{self._run}{number}") for content, number in said])

    def _noticed(self, content: str, place: str) -> RecordObservationInput:
        key = hashlib.sha256(f"{self._memory.user}\n{place}\n{content}".encode()).hexdigest()
        return RecordObservationInput(id=f"strands/{key}", content=content, session_id=self._session)


def text_of(message: Message) -> str:
    return "\n".join(block["text"] for block in message["content"] if "text" in block)


def last_said(messages: Messages) -> str:
    """The last message of a person."""
    said = (text_of(message) for message in reversed(messages) if message["role"] == "user")
    return next(filter(None, said), "")


def came_of(result: ToolResult) -> Any:
    parts = [block["text"] if "text" in block else block.get("json", list(block)) for block in result["content"]]
    return parts[0] if len(parts) == 1 else parts
