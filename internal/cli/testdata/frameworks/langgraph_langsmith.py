from telemetry import provider

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from langsmith import Client


def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


agent = create_agent(ChatOpenAI(model="m"), [track_parcel])
agent.invoke({"messages": [("user", "Where is parcel 17?")]})
Client().flush()
provider.force_flush()
