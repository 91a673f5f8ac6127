import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from openinference.instrumentation.openai import OpenAIInstrumentor

from telemetry import provider

OpenAIInstrumentor().instrument(tracer_provider=provider)


async def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


async def main():
    model = OpenAIChatCompletionClient(model="gpt-4o")
    await AssistantAgent("clerk", model, tools=[track_parcel], reflect_on_tool_use=True).run(task="Where is parcel 17?")


asyncio.run(main())
