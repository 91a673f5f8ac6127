from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel

from telemetry import provider

Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
agent = Agent(OpenAIChatModel("m"), name="clerk")


@agent.tool_plain
def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


agent.run_sync("Where is parcel 17?")
