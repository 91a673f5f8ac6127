from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIServerModel, ToolCallingAgent, tool

from telemetry import provider

SmolagentsInstrumentor().instrument(tracer_provider=provider)


@tool
def track_parcel(parcel: int) -> str:
    """Say where a parcel is.

    Args:
        parcel: its number
    """
    return "in Lyon"


ToolCallingAgent(tools=[track_parcel], model=OpenAIServerModel("m"), name="clerk", description="a clerk").run("Where is parcel 17?")
