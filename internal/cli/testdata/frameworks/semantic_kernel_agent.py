import asyncio

from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function

from telemetry import provider  # noqa: F401


class Parcels:
    @kernel_function
    def track_parcel(self, parcel: int) -> str:
        """Say where a parcel is."""
        return "in Lyon"


async def main():
    agent = ChatCompletionAgent(name="clerk", service=OpenAIChatCompletion(ai_model_id="m"), plugins=[Parcels()])
    await agent.get_response("Where is parcel 17?")


asyncio.run(main())
