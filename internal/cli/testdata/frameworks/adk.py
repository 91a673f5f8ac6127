import asyncio

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from telemetry import provider  # noqa: F401


class Scripted(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        answered = any(part.function_response for content in llm_request.contents for part in content.parts)
        part = types.Part(text="It is in Lyon.") if answered else types.Part(function_call=types.FunctionCall(name="track_parcel", args={"parcel": 17}))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


async def main():
    runner = InMemoryRunner(agent=LlmAgent(name="clerk", model=Scripted(model="m"), tools=[track_parcel]), app_name="desk")
    session = await runner.session_service.create_session(app_name="desk", user_id="u")
    message = types.Content(role="user", parts=[types.Part(text="Where is parcel 17?")])
    async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=message):
        pass


asyncio.run(main())
