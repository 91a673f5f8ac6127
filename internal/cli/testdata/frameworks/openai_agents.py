from agents import Agent, Runner, function_tool, set_default_openai_api

set_default_openai_api("chat_completions")


@function_tool
def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


Runner.run_sync(Agent(name="clerk", model="m", tools=[track_parcel]), "Where is parcel 17?")
