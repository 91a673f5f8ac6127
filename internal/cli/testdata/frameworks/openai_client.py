from openai import OpenAI

TOOL = {"type": "function", "function": {"name": "track_parcel", "parameters": {"type": "object", "properties": {"parcel": {"type": "integer"}}}}}
messages = [{"role": "user", "content": "Where is parcel 17?"}]
client = OpenAI()

from opentelemetry import trace  # noqa: E402

with trace.get_tracer("desk").start_as_current_span("request"):
    call = client.chat.completions.create(model="m", messages=messages, tools=[TOOL]).choices[0].message
    messages += [call.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": call.tool_calls[0].id, "content": "in Lyon"}]
    client.chat.completions.create(model="m", messages=messages, tools=[TOOL])
