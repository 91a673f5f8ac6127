import dspy
from openinference.instrumentation.dspy import DSPyInstrumentor

from telemetry import provider

DSPyInstrumentor().instrument(tracer_provider=provider)


def track_parcel(parcel: int) -> str:
    """Say where a parcel is."""
    return "in Lyon"


class Scripted(dspy.LM):
    answers = [
        {"next_thought": "I look.", "next_tool_name": "track_parcel", "next_tool_args": '{"parcel": 17}'},
        {"next_thought": "I know.", "next_tool_name": "finish", "next_tool_args": "{}"},
        {"reasoning": "It says so.", "answer": "It is in Lyon."},
    ]

    def __call__(self, prompt=None, messages=None, **kwargs):
        fields = self.answers.pop(0)
        return ["\n\n".join(f"[[ ## {name} ## ]]\n{value}" for name, value in fields.items()) + "\n\n[[ ## completed ## ]]"]


dspy.configure(lm=Scripted("openai/m"))
dspy.ReAct("question -> answer", tools=[track_parcel])(question="Where is parcel 17?")
