"""LangChain 1: a middleware that recalls before a run, records its steps, and concludes it.

    agent = create_agent(model, tools, middleware=[MnemeMiddleware(memory, agent="support")])
    answer = agent.invoke({"messages": [...]})
    memory.feedback(answer["mneme_episode"], correction="Ask for the order number first")

Inside `with memory.episode(…)` it takes part in that episode. Otherwise each run is an episode of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Annotated, Any
from uuid import UUID

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import OmitFromSchema
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tracers.context import register_configure_hook
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command
from typing_extensions import NotRequired

from .episode import Episode, current
from .memory import Memory

KEPT = 1000
"""The most runs that are remembered at a time; those that were abandoned are forgotten, the oldest first."""


class Runs(BaseCallbackHandler):
    """Tells middlewares of runs that fail, wherever: their own hooks see only models and tools."""

    run_inline = True

    def __init__(self) -> None:
        self._parents: dict[UUID, UUID | None] = {}
        self._failing: dict[UUID, Callable[[BaseException], None]] = {}

    def watch(self, failing: Callable[[BaseException], None]) -> None:
        """Calls `failing` where a run that this is called in fails."""
        run: UUID | None = getattr(get_config().get("callbacks"), "parent_run_id", None)
        while run in self._parents:
            self._failing[run] = failing
            run = self._parents[run]

    def on_chain_start(self, *_: Any, run_id: UUID, parent_run_id: UUID | None = None, **__: Any) -> None:
        self._parents[run_id] = parent_run_id

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        self._parents.pop(run_id, None)
        self._failing.pop(run_id, None)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **__: Any) -> None:
        self._parents.pop(run_id, None)
        if failing := self._failing.pop(run_id, None):
            failing(error)


RUNS = Runs()
register_configure_hook(ContextVar("mneme_runs", default=RUNS), inheritable=True)


class MnemeState(AgentState[Any]):
    """The state of an agent with the key of its episode."""

    mneme_episode: NotRequired[Annotated[str, OmitFromSchema(input=True, output=False)]]


class MnemeMiddleware(AgentMiddleware[MnemeState, Any, Any]):
    """Adds what past runs taught to the system message of each model call. Put it first in the list.

    `user` reads from the runtime's context whose run it is. With `record=False` it only recalls.
    """

    state_schema = MnemeState

    def __init__(
        self,
        memory: Memory,
        *,
        agent: str,
        task_type: str | None = None,
        user: Callable[[Runtime[Any]], str] | None = None,
        record: bool = True,
    ) -> None:
        super().__init__()
        self.tools = []
        self._memory, self._agent, self._task_type, self._user = memory, agent, task_type, user
        self._record = record
        self._episodes: dict[str, Episode] = {}

    def before_agent(self, state: MnemeState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        return self._remembered(current() or self._episode(state, runtime).begin())

    async def abefore_agent(self, state: MnemeState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        return self._remembered(current() or await self._episode(state, runtime).abegin())

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        episode = self._of(request.state)
        try:
            return thought_of(episode, handler(with_lessons(episode, request)))
        except BaseException as error:
            self._failed(episode, error)
            raise

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        episode = self._of(request.state)
        try:
            return thought_of(episode, await handler(with_lessons(episode, request)))
        except BaseException as error:
            self._failed(episode, error)
            raise

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        episode = self._of(request.state)
        try:
            return step_of(episode, request, handler(request))
        except BaseException as error:
            self._failed(episode, error, request)
            raise

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        episode = self._of(request.state)
        try:
            return step_of(episode, request, await handler(request))
        except BaseException as error:
            self._failed(episode, error, request)
            raise

    def after_agent(self, state: MnemeState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        episode = self._of(state)
        if episode and not episode.concluded:
            episode.succeeded(state.get("structured_response") or last(state["messages"], AIMessage))
        self._end(episode)
        self._episodes.pop(state.get("mneme_episode", ""), None)
        return None

    async def aafter_agent(self, state: MnemeState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        return self.after_agent(state, runtime)

    def _episode(self, state: MnemeState, runtime: Runtime[Any]) -> Episode:
        memory = self._memory.for_user(self._user(runtime)) if self._user else self._memory
        thread = get_config().get("configurable", {}).get("thread_id")
        return memory.episode(
            last(state["messages"], HumanMessage) or "",
            agent=self._agent,
            task_type=self._task_type,
            session=str(thread) if thread else None,
            record=self._record,
        )

    def _remembered(self, episode: Episode) -> dict[str, Any]:
        self._episodes[episode.id] = episode
        RUNS.watch(lambda error: self._failed(episode, error))
        while len(self._episodes) > KEPT:
            self._episodes.pop(next(iter(self._episodes)))
        return {"mneme_episode": episode.id}

    def _of(self, state: Any) -> Episode | None:
        """The episode of a run; None where the run went on in another process."""
        episode = self._episodes.get(state.get("mneme_episode", ""))
        if episode:  # after an interruption, in another run
            RUNS.watch(lambda error: self._failed(episode, error))
        return episode

    def _failed(self, episode: Episode | None, error: BaseException, request: ToolCallRequest | None = None) -> None:
        if episode and not isinstance(error, GraphBubbleUp):  # which waits for a person, or goes elsewhere
            if request:
                episode.step(
                    request.tool_call["name"],
                    arguments=request.tool_call["args"],
                    error=error,
                    id=request.tool_call["id"],
                )
            self._end(episode, error)

    def _end(self, episode: Episode | None, error: BaseException | None = None) -> None:
        """Ends an episode, but for the one of a `with` block, which ends it itself."""
        if episode and episode is not current():
            episode.end(error)


def last(messages: list[AnyMessage], kind: type[AIMessage] | type[HumanMessage]) -> str | None:
    return next((message.text for message in reversed(messages) if isinstance(message, kind)), None)


def with_lessons(episode: Episode | None, request: ModelRequest[Any]) -> ModelRequest[Any]:
    if episode is None or not episode.lessons:
        return request
    before = request.system_message.content if request.system_message else []
    blocks = [before] if isinstance(before, str) else before
    if all(isinstance(block, str) for block in blocks):
        content: Any = "\n\n".join([*map(str, blocks), episode.lessons])
    else:
        content = [*blocks, {"type": "text", "text": episode.lessons}]
    return request.override(system_message=SystemMessage(content=content))


def thought_of(episode: Episode | None, response: ModelResponse[Any]) -> ModelResponse[Any]:
    """Records what a model says beside the tools that it calls."""
    for message in response.result if episode else ():
        if episode and isinstance(message, AIMessage) and message.tool_calls:
            episode.thought(message.text)
    return response


def step_of(
    episode: Episode | None, request: ToolCallRequest, answer: ToolMessage | Command[Any]
) -> ToolMessage | Command[Any]:
    if episode:
        call = request.tool_call
        failed = isinstance(answer, ToolMessage) and answer.status == "error"
        came = answer.content if isinstance(answer, ToolMessage) else answer.update
        came_of = {"error": came} if failed else {"result": came}
        episode.step(call["name"], arguments=call["args"], id=call["id"], **came_of)
    return answer
