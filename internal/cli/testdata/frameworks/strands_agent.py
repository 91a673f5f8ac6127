from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.telemetry import StrandsTelemetry

telemetry = StrandsTelemetry().setup_otlp_exporter()


@tool
def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


Agent(name="clerk", model=OpenAIModel(model_id="m"), tools=[track_parcel], callback_handler=None)("Where is parcel 17?")
telemetry.tracer_provider.shutdown()
