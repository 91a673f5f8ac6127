import asyncio
import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

from telemetry import provider

LlamaIndexInstrumentor().instrument(tracer_provider=provider)


def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


async def main():
    llm = OpenAILike(model="m", api_base=os.environ["OPENAI_BASE_URL"], is_chat_model=True, is_function_calling_model=True)
    await FunctionAgent(tools=[track_parcel], llm=llm).run("Where is parcel 17?")


asyncio.run(main())
