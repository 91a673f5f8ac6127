import os

from traceloop.sdk import Traceloop

Traceloop.init("desk", api_endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"], disable_batch=True)

from langchain.agents import create_agent  # noqa: E402
from langchain_openai import ChatOpenAI  # noqa: E402


def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


agent = create_agent(ChatOpenAI(model="m"), [track_parcel])
agent.invoke({"messages": [("user", "Where is parcel 17?")]})
