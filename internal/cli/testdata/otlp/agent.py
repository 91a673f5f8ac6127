"""An instrumented agent that knows nothing of mneme: where to send is in the environment. Prints its trace's id."""

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("agent")

ASKED = '[{"role": "user", "parts": [{"type": "text", "content": "Refund order 17"}]}]'
SAID = '[{"role": "assistant", "parts": [{"type": "text", "content": "I refund it."}], "finish_reason": "tool_call"}]'

try:
    with tracer.start_as_current_span("invoke_agent support", attributes={
        "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support", "gen_ai.input.messages": ASKED,
    }) as run:
        print(format(run.get_span_context().trace_id, "032x"))
        with tracer.start_as_current_span("chat m", attributes={
            "gen_ai.operation.name": "chat", "gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID,
        }):
            pass
        with tracer.start_as_current_span("execute_tool refund", attributes={
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "refund",
        }):
            raise TimeoutError("the bank does not answer")
except TimeoutError:
    pass
provider.shutdown()
