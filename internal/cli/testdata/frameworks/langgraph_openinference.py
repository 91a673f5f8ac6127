from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from openinference.instrumentation.langchain import LangChainInstrumentor

from telemetry import provider

LangChainInstrumentor().instrument(tracer_provider=provider)


def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


agent = create_agent(ChatOpenAI(model="m"), [track_parcel])
agent.invoke({"messages": [("user", "Where is parcel 17?")]})
