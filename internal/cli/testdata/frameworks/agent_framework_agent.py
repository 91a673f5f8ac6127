import asyncio

from agent_framework import Agent, tool
from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatCompletionClient

from telemetry import provider  # noqa: F401

enable_instrumentation(enable_sensitive_data=True)


@tool(approval_mode="never_require")
def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


asyncio.run(Agent(OpenAIChatCompletionClient(model="m"), name="clerk", tools=[track_parcel]).run("Where is parcel 17?"))
