"""pydantic-ai: a capability that recalls before a run, records its steps, and concludes it.

    agent = Agent(model, capabilities=[MnemeCapability(memory, agent="support", user=lambda ctx: ctx.deps.user)])
    result = await agent.run(question, deps=deps)
    memory.feedback(result.run_id, correction="Ask for the order number first")

Each run is an episode under its own id. Inside `with memory.episode(…)` it takes part in that episode.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from pydantic_ai import DeferredToolRequests, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.capabilities.abstract import (
    ValidatedToolArgs,
    WrapRunHandler,
    WrapToolExecuteHandler,
)
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, SkipToolExecution
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import ToolDefinition

from .episode import Episode, current
from .memory import Memory


class MnemeCapability(AbstractCapability[Any]):
    """Adds what past runs taught to the instructions of each model request, and records runs.

    `user` reads from the run's context whose run it is. With `record=False` it only recalls.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        agent: str,
        task_type: str | None = None,
        user: Callable[[RunContext[Any]], str] | None = None,
        record: bool = True,
    ) -> None:
        self._memory, self._agent, self._task_type, self._user = memory, agent, task_type, user
        self._record = record
        self._episode: Episode | None = None

    async def for_run(self, ctx: RunContext[Any]) -> MnemeCapability:
        return copy.copy(self)

    def get_instructions(self) -> Callable[[], str | None]:
        return lambda: (self._episode.lessons if self._episode else None) or None

    async def wrap_run(self, ctx: RunContext[Any], *, handler: WrapRunHandler) -> AgentRunResult[Any]:
        around = current()
        self._episode = episode = around or await self._new(ctx).abegin()
        try:
            result = await handler()
        except BaseException as error:
            if around is None:
                episode.end(error)
            raise
        if not isinstance(result.output, DeferredToolRequests):  # which waits for a person, or goes on elsewhere
            if not episode.concluded:
                episode.succeeded(result.output)
            if around is None:
                episode.end()
        return result

    async def after_model_request(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        goes_on = any(isinstance(part, ToolCallPart) for part in response.parts)
        for part in response.parts if self._episode else ():
            if self._episode and (isinstance(part, ThinkingPart) or (goes_on and isinstance(part, TextPart))):
                self._episode.thought(part.content)
        return response

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: ValidatedToolArgs,
        handler: WrapToolExecuteHandler,
    ) -> Any:
        came: dict[str, Any] = {}
        try:
            result = await handler(args)
            came["result"] = result
        except (ApprovalRequired, CallDeferred, SkipToolExecution):
            raise
        except Exception as error:
            came["error"] = error
            raise
        finally:
            if came and self._episode:
                self._episode.step(call.tool_name, arguments=args, id=call.tool_call_id, **came)
        return result

    def _new(self, ctx: RunContext[Any]) -> Episode:
        memory = self._memory.for_user(self._user(ctx)) if self._user else self._memory
        return memory.episode(
            text_of(ctx.prompt) or last_prompt(ctx.messages),
            agent=self._agent,
            task_type=self._task_type,
            session=ctx.conversation_id,
            record=self._record,
            id=ctx.run_id,
        )


def text_of(prompt: str | Sequence[UserContent] | None) -> str:
    if prompt is None or isinstance(prompt, str):
        return prompt or ""
    said = (part.content if isinstance(part, TextContent) else part for part in prompt)
    return "\n".join(part for part in said if isinstance(part, str))


def last_prompt(messages: Sequence[ModelMessage]) -> str:
    """What a run without a prompt of its own goes on with."""
    parts = (part for message in reversed(messages) if isinstance(message, ModelRequest) for part in message.parts)
    return next((text_of(part.content) for part in parts if isinstance(part, UserPromptPart)), "")
