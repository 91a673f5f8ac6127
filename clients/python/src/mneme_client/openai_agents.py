"""OpenAI Agents: hooks that record a run, and a filter that adds what past runs taught to the instructions.

    async with memory.episode(question, agent="support") as e:
        result = await Runner.run(agent, question, **mneme_run(e))

`Runner.run_sync` goes into a plain `with`. The events of `Runner.run_streamed` are read inside the block.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from typing import Any, TypedDict

from agents import Agent, RunConfig, RunContextWrapper, RunHooks, Tool
from agents.items import ItemHelpers, ModelResponse
from agents.run_config import CallModelData, CallModelInputFilter, ModelInputData
from agents.tool_context import ToolContext
from openai.types.responses import ResponseOutputMessage, ResponseReasoningItem

from .episode import Episode


class MnemeRun(TypedDict):
    """What `Runner.run` takes."""

    hooks: RunHooks[Any]
    run_config: RunConfig


def mneme_run(episode: Episode, run_config: RunConfig | None = None) -> MnemeRun:
    """The arguments with which a run takes part in an episode. A filter of `run_config` is called first."""
    config = run_config or RunConfig()
    before = config.call_model_input_filter
    return {
        "hooks": MnemeHooks(episode),
        "run_config": dataclasses.replace(config, call_model_input_filter=inject(episode, before)),
    }


def inject(episode: Episode, before: CallModelInputFilter | None = None) -> CallModelInputFilter:
    """A filter that adds the lessons to the instructions of each call of a model."""

    async def filtered(call: CallModelData[Any]) -> ModelInputData:
        data = call.model_data
        if before:
            changed = before(call)
            data = await changed if inspect.isawaitable(changed) else changed
        parts = [part for part in (data.instructions, episode.lessons) if part]
        return ModelInputData(input=data.input, instructions="\n\n".join(parts) or None)

    return filtered


class MnemeHooks(RunHooks[Any]):
    """Records a run in an episode: what models think beside tools, tools, handoffs and the final output."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    async def on_llm_end(self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse) -> None:
        goes_on = any(not isinstance(item, ResponseOutputMessage | ResponseReasoningItem) for item in response.output)
        for item in response.output:
            if isinstance(item, ResponseReasoningItem):
                self._episode.thought("\n".join(part.text for part in item.summary))
            elif goes_on and isinstance(item, ResponseOutputMessage):
                self._episode.thought(ItemHelpers.extract_text(item) or "")

    async def on_tool_end(self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool, result: object) -> None:
        if isinstance(context, ToolContext):
            self._episode.step(
                context.tool_name, arguments=given(context.tool_arguments), result=result, id=context.tool_call_id
            )
        else:
            self._episode.step(tool.name, result=result)

    async def on_handoff(self, context: RunContextWrapper[Any], from_agent: Agent[Any], to_agent: Agent[Any]) -> None:
        self._episode.step("handoff", arguments={"from": from_agent.name, "to": to_agent.name})

    async def on_agent_end(self, context: RunContextWrapper[Any], agent: Agent[Any], output: Any) -> None:
        if not self._episode.concluded:
            self._episode.succeeded(output)


def given(arguments: str) -> object:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments
