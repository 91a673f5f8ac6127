package otlp

import (
	"cmp"
	"math"
	"strings"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"

	"mneme/memory/capture"
	"mneme/service/boundary"
)

// The lengths of ids.
const (
	traceIDBytes = 16
	spanIDBytes  = 8
)

// badSpan is what is wrong with a span of which nothing can be kept.
const badSpan = "a span needs a trace id of 16 bytes and a span id of 8 bytes that are not all zero, and its start and end within the years 1970 to 2262, the end not more than a day before the start"

// putBack is how far a clock may be put back while a span is open. What begins later than that has no usable start.
const putBack = 24 * time.Hour

// origin is what a resource says of all its spans, read once, since they share it.
type origin struct{ service, session, agent, taskType string }

func originOf(pairs []*common.KeyValue) *origin {
	a := attributesOf(pairs)
	return &origin{
		service: label(a.text("service.name")), session: a.text(sessionNames...),
		agent: a.text("mneme.agent.id"), taskType: a.text("mneme.task.type"),
	}
}

// spanOf reads a span with the resource that it is of.
func spanOf(span *trace.Span, resource *origin) (boundary.TraceSpan, bool) {
	traceID, traceOK := hexID(span.GetTraceId(), traceIDBytes)
	id, idOK := hexID(span.GetSpanId(), spanIDBytes)
	parent, parentOK := hexID(span.GetParentSpanId(), spanIDBytes) // zeros are how some say that there is none
	if !traceOK || !idOK || !parentOK || traceID == "" || id == "" || !areTimes(span.GetStartTimeUnixNano(), span.GetEndTimeUnixNano()) {
		return boundary.TraceSpan{}, false
	}
	a := attributesOf(span.GetAttributes())
	c := contentOf(span, a)
	of := kindOf(c, parent == "")
	read := capture.Span{
		ID: id, Parent: parent, Kind: of, Name: cut(nameOf(of, a, span.GetName())),
		Session: cmp.Or(a.text(sessionNames...), resource.session), User: a.text(userNames...),
		Error: cut(errorOf(span, a)), Labels: labelsOf(of, a, resource),
		StartedAt: instant(span.GetStartTimeUnixNano()), EndedAt: instant(max(span.GetStartTimeUnixNano(), span.GetEndTimeUnixNano())), // of a clock that was put back
	}
	read.Agent = cmp.Or(a.text(agentNames...), resource.agent)
	read.InformedBy = a.texts(informedBy)
	read.TaskType = cmp.Or(a.text(taskTypeNames...), resource.taskType)
	if name, named := strings.CutPrefix(span.GetName(), "invoke_agent "); of == agent && read.Agent == "" {
		read.Agent = a.text(runNames...)
		if read.Agent == "" && named {
			read.Agent = name
		}
	}
	read.Stops = isTriggered(a)
	fill(&read, c)
	return boundary.TraceSpan{Trace: traceID, Span: read}, true
}

// areTimes says whether both times were given, do not lie beyond what Go counts in nanoseconds, and may be of one span.
func areTimes(start, end uint64) bool {
	return 0 < start && start <= math.MaxInt64 && 0 < end && end <= math.MaxInt64 && (start <= end || start-end <= uint64(putBack))
}

func instant(nanoseconds uint64) time.Time { return time.Unix(0, int64(nanoseconds)).UTC() }

// errorOf is why a span failed, in the most telling words; empty where it did not.
func errorOf(span *trace.Span, a attributes) string {
	kindOfError := a.text("error.type")
	if span.GetStatus().GetCode() != trace.Status_STATUS_CODE_ERROR && kindOfError == "" {
		return ""
	}
	said := span.GetStatus().GetMessage()
	for _, event := range span.GetEvents() {
		if said == "" && event.GetName() == "exception" {
			said = attributesOf(event.GetAttributes()).text("exception.message", "exception.type")
		}
	}
	return cmp.Or(said, kindOfError, "error")
}

// labelsOf are facts that tell one run from another, for the episode's metadata.
func labelsOf(of kind, a attributes, resource *origin) map[string]string {
	labels := map[string]string{}
	note := func(name, value string) {
		if value != "" {
			labels[name] = label(value)
		}
	}
	note(capture.LabelService, resource.service)
	if of == agent || of == model {
		note("gen_ai.provider.name", a.text(providerNames...))
		note("gen_ai.request.model", a.text(modelNames...))
		note("gen_ai.agent.id", a.text("gen_ai.agent.id"))
		note("gen_ai.agent.version", a.text("gen_ai.agent.version"))
	}
	return labels
}
