from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

from telemetry import provider

CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)


@tool
def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


clerk = Agent(role="clerk", goal="help", backstory="a clerk", llm=LLM(model="openai/gpt-4o"), tools=[track_parcel])
task = Task(description="Where is parcel 17?", expected_output="a place", agent=clerk)
Crew(agents=[clerk], tasks=[task]).kickoff()
