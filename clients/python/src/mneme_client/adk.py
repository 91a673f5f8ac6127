"""Google ADK: a memory service, and a plugin that recalls before a run, records its steps, and concludes it.

    service = MnemeMemoryService(memory)
    runner = Runner(app=App(name="support", root_agent=agent, plugins=[MnemePlugin()]), memory_service=service, …)
    memory.feedback(event.invocation_id, correction="Ask for the order number first")

An invocation is an episode under its own id; its messages are observations, which `search_memory` finds. Each user has
a memory of their own. With `import mneme_client.adk` in `services.py` beside the agents, the command is

    adk web --memory_service_uri=mneme://HOST:PORT --extra_plugins=mneme_client.adk.MnemePlugin
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from google.adk.cli.service_registry import get_service_registry
from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.sessions.session import Session
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.load_memory_tool import LoadMemoryTool
from google.genai import types

from .episode import Episode, current
from .errors import MnemeError
from .graphql.enums import Importance
from .graphql.input_types import RecordObservationInput
from .memory import Memory

if TYPE_CHECKING:
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.models.llm_request import LlmRequest
    from google.adk.tools.tool_context import ToolContext

FOUND = 10
"""The most memories of an answer."""
LOOKED_AT = 50
"""How many observations are looked at for them: a user may have some of other apps."""
DELETED = "∅"
"""What stands in the place of a deleted memory, so that its session does not bring it back."""
CLOSE_LIMIT = 4.0
"""Seconds that the end of a runner may wait for records to be sent."""
KEPT = 1000
"""The most runs that are remembered at a time; those that were abandoned are forgotten, the oldest first."""


class MnemeMemoryService(BaseMemoryService):
    """Keeps the messages of sessions as observations. What a search finds has its markup escaped."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    async def add_session_to_memory(self, session: Session) -> None:
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        own = scope(app_name, user_id)
        self.memory.for_user(user_id).observe(
            [
                observation(own, event.id, event.author, said, event.timestamp, session_id)
                for event in events
                if not event.partial and (said := text_of(event.content))
            ]
        )

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        own = scope(app_name, user_id)
        self.memory.for_user(user_id).observe(
            [
                observation(own, entry.id, entry.author, said, entry.timestamp)
                for entry in memories
                if (said := text_of(entry.content))
            ]
        )

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        if not query.strip():
            return SearchMemoryResponse()
        found = await self.memory.for_user(user_id).aobservations(query, top_k=LOOKED_AT)
        prefix = f"observation:{scope(app_name, user_id)}"
        memories = []
        for noticed in (hit.observation for hit in found):
            if noticed.id.startswith(prefix) and noticed.content != DELETED:
                author, _, said = noticed.content.partition(": ")
                content = types.Content(parts=[types.Part(text=html.escape(said, quote=False))])
                at = noticed.created_at.isoformat()
                memories.append(
                    MemoryEntry(id=noticed.id[len(prefix) :], author=author or None, content=content, timestamp=at)
                )
        return SearchMemoryResponse(memories=memories[:FOUND])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        if not memory_id:
            return
        key, own = scope(app_name, user_id) + memory_id, self.memory.for_user(user_id)
        try:
            await own.aforget_observation(key)
        except MnemeError as error:
            if error.code == "NOT_FOUND":
                return
            raise
        own.observe([RecordObservationInput(id=key, content=DELETED, importance=Importance.CRITICAL)])
        await own.aflush()


@dataclass
class Run:
    """An invocation under way."""

    episode: Episode
    own: bool
    """Whether it is not the episode of a `with` block around it, which ends it itself."""
    answer: Any = None
    error: str | None = None


class MnemePlugin(BasePlugin):
    """Adds what past runs taught to the instructions of each model call, and records runs.

    Without a memory it takes that of the runner's MnemeMemoryService, where it also keeps the messages. Without `agent`
    a run is that of its root agent. With `record=False` it only recalls. Inside `with memory.episode(…)` a run takes
    part in that episode.
    """

    def __init__(
        self,
        memory: Memory | None = None,
        *,
        agent: str | None = None,
        task_type: str | None = None,
        record: bool = True,
        name: str = "mneme",
    ) -> None:
        super().__init__(name)
        self._memory, self._agent, self._task_type, self._record = memory, agent, task_type, record
        self._runs: dict[str, Run] = {}

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> None:
        ctx = invocation_context
        if ctx.invocation_id in self._runs:  # it waited for a person or a long-running tool
            return
        around = current()
        if (episode := around) is None:
            episode = await (
                self._of(ctx)
                .for_user(ctx.user_id)
                .episode(
                    text_of(ctx.user_content),
                    agent=self._agent or (ctx.agent.name if ctx.agent else ctx.app_name),
                    task_type=self._task_type,
                    session=scope(ctx.app_name, ctx.user_id) + ctx.session.id,
                    record=self._record,
                    id=ctx.invocation_id,
                )
                .abegin()
            )
        self._runs[ctx.invocation_id] = Run(episode, around is None)
        while len(self._runs) > KEPT:
            self._runs.pop(next(iter(self._runs)))

    async def before_model_callback(self, *, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        run = self._runs.get(callback_context.invocation_id)
        if run and run.episode.lessons:
            llm_request.append_instructions([run.episode.lessons])

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: Any
    ) -> None:
        if run := self._runs.get(tool_context.invocation_id):
            came = None if isinstance(tool, LoadMemoryTool) else result  # what was recalled is not recorded again
            run.episode.step(tool.name, arguments=tool_args, result=came, id=tool_context.function_call_id)

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: BaseException
    ) -> None:
        if run := self._runs.get(tool_context.invocation_id):
            run.episode.step(tool.name, arguments=tool_args, error=error, id=tool_context.function_call_id)

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> None:
        run = self._runs.get(invocation_context.invocation_id)
        if run is None or event.partial:
            return
        goes_on = bool(event.get_function_calls())
        for part in event.content.parts or () if event.content else ():
            if part.text and (goes_on or part.thought):
                run.episode.thought(part.text)
        if event.error_code:
            run.error = f"{event.error_code}: {event.error_message or ''}"
        elif event.is_final_response():
            given = [response.response for response in event.get_function_responses()]
            run.answer, run.error = text_of(event.content) or event.output or given or run.answer, None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        ctx = invocation_context
        run = self._runs.get(ctx.invocation_id)
        if run and not run.episode.concluded:
            if run.error:
                run.episode.failed(run.error)
            elif run.answer is not None:
                run.episode.succeeded(run.answer)
        if run and run.episode.concluded:  # else nobody knows yet how it ends
            self._end(ctx)
        if run and self._record and isinstance(ctx.memory_service, MnemeMemoryService):
            said = [event for event in ctx.session.events if event.invocation_id == ctx.invocation_id]
            await ctx.memory_service.add_events_to_memory(
                app_name=ctx.app_name, user_id=ctx.user_id, session_id=ctx.session.id, events=said
            )

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: BaseException) -> None:
        self._end(invocation_context, error)

    async def close(self) -> None:
        if self._memory:
            await self._memory.aflush(CLOSE_LIMIT)

    def _end(self, ctx: InvocationContext, error: BaseException | None = None) -> None:
        run = self._runs.pop(ctx.invocation_id, None)
        if run and run.own:
            run.episode.end(error)

    def _of(self, ctx: InvocationContext) -> Memory:
        if self._memory is None:
            if not isinstance(ctx.memory_service, MnemeMemoryService):
                raise TypeError("MnemePlugin wants a memory, or a runner with a MnemeMemoryService")
            self._memory = ctx.memory_service.memory
        return self._memory


def text_of(content: types.Content | None) -> str:
    parts: Iterable[types.Part] = content.parts or () if content else ()
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def scope(app_name: str, user_id: str) -> str:
    """What the keys of a user's sessions and memories in an app begin with."""
    return f"adk/{quote(app_name, safe='')}/{quote(user_id, safe='')}/"


def observation(
    own: str, id: str | None, author: str | None, said: str, at: float | str | None, session: str | None = None
) -> RecordObservationInput:
    content = f"{author or ''}: {said}"
    told: dict[str, object] = {"id": own + (id or hashlib.sha256(f"{at}{content}".encode()).hexdigest())}
    if session:
        told["session_id"] = own + session
    if at:
        told["at"] = datetime.fromtimestamp(at, timezone.utc) if isinstance(at, float) else datetime.fromisoformat(at)
    return RecordObservationInput(content=content, **told)


def memory_service(uri: str, **_: object) -> MnemeMemoryService:
    """The service of `adk --memory_service_uri`.

    `mneme://HOST:PORT` is a server, and `mneme+https://HOST` one with TLS, with the key MNEME_API_KEY. `mneme:///DATA`
    starts a server on a directory of data, and `mneme://` uses MNEME_URL.
    """
    parts = urlsplit(uri)
    if parts.netloc:
        return MnemeMemoryService(Memory(f"{'https' if parts.scheme.endswith('s') else 'http'}://{parts.netloc}"))
    return MnemeMemoryService(Memory.local(unquote(parts.path[1:])) if parts.path[1:] else Memory())


for scheme in ("mneme", "mneme+https"):
    get_service_registry().register_memory_service(scheme, memory_service)
