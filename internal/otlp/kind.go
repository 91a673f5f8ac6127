package otlp

import (
	"cmp"
	"strings"

	"mneme/memory/capture"
)

type kind = capture.SpanKind

// Short names for the tables. A chain is a workflow where it is the root, and nothing within one.
const (
	agent    = capture.SpanAgent
	workflow = capture.SpanWorkflow
	model    = capture.SpanModel
	tool     = capture.SpanTool
	other    = capture.SpanOther
	chain    = kind("chain")
)

// kindOf says what a span is about.
func kindOf(c *content, root bool) kind {
	found := namedKind(c.attributes)
	switch {
	case found == chain && root:
		return workflow
	case found == chain:
		return other
	case found != "":
		return found
	case isTriggered(c.attributes):
		return tool
	case c.text("gen_ai.operation.name") != "" && c.hasMessages:
		return model
	case c.text("gen_ai.operation.name") != "":
		return other
	case c.text("gen_ai.tool.name") != "":
		return tool
	case isPydanticRun(c.attributes):
		return agent
	}
	return other
}

// namedKind is what the conventions say that a span is; empty where none of them does.
func namedKind(a attributes) kind {
	for _, by := range spanKinds {
		if found := by.values[a.text(by.attribute)]; found != "" {
			return found
		}
	}
	return ""
}

// isTriggered says whether a span is of a guardrail that stops a run. One that lets it pass tells nothing.
func isTriggered(a attributes) bool { return a.text("gen_ai.guardrail.triggered") == "true" }

// isPydanticRun says whether a span that names no operation is a run of Pydantic AI before 2. The two names alone may
// stand on any span of a program that notes who asks which model.
func isPydanticRun(a attributes) bool {
	if a.text("agent_name") == "" || a.text("model_name") == "" {
		return false
	}
	for _, name := range append([]string{"final_result"}, conversations...) {
		if a[name] != nil {
			return true
		}
	}
	return strings.HasSuffix(a.text("logfire.msg"), " run")
}

// nameOf is the name of the agent, workflow, tool or model, else that of the span.
func nameOf(of kind, a attributes, spanName string) string {
	switch of {
	case agent:
		return cmp.Or(a.text(agentNames...), a.text(runNames...), strings.TrimPrefix(spanName, "invoke_agent "))
	case workflow:
		return cmp.Or(a.text("gen_ai.workflow.name", "traceloop.workflow.name"), strings.TrimPrefix(spanName, "invoke_workflow "))
	case tool:
		if isTriggered(a) {
			return "guardrail " + cmp.Or(a.text("gen_ai.guardrail.name"), spanName)
		}
		return cmp.Or(a.text(toolNames...), strings.TrimSuffix(strings.TrimPrefix(spanName, "execute_tool "), ".__call__"))
	case model:
		return cmp.Or(a.text(modelNames...), spanName)
	}
	return spanName
}
