package otlp

import (
	"cmp"
	"strings"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"

	"mneme/memory/capture"
)

// content is what a span says of what went in and came out: in attributes, or in events.
type content struct {
	attributes
	input, output []message
	// hasMessages says that the span has messages where those of models stand.
	hasMessages bool
	// given and gave are what a tool's events say.
	given, gave any
}

func contentOf(span *trace.Span, a attributes) *content {
	var told content
	for _, event := range span.GetEvents() {
		told.readEvent(event.GetName(), attributesOf(event.GetAttributes()))
	}
	c := &content{attributes: a, given: told.given, gave: told.gave}
	c.input = firstMessages(a.messages(inputMessages), told.input, a.trees(inputTrees, user))
	c.output = firstMessages(a.messages(outputMessages), told.output, a.trees(outputTrees, assistant), a.vercel())
	c.hasMessages = len(c.input)+len(c.output) > 0
	c.input, c.output = firstMessages(c.input, a.messages(plainGiven)), firstMessages(c.output, a.messages(plainGave))
	if all := a.messages(conversations); len(all) > 0 {
		at := lastQuestion(all) + 1
		c.input, c.output = firstMessages(c.input, all[:at]), firstMessages(c.output, all[at:])
	}
	c.output = lastTurn(c.output)
	return c
}

func firstMessages(lists ...[]message) []message {
	for _, list := range lists {
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// messages are those of the first of the attributes that holds any.
func (a attributes) messages(names []string) []message {
	for _, name := range names {
		if messages := messagesOf(a.one(name)); len(messages) > 0 {
			return messages
		}
	}
	return nil
}

// trees are the messages that are spread over attributes. What says no role is of the one that speaks there.
func (a attributes) trees(prefixes []string, role string) []message {
	for _, prefix := range prefixes {
		list, _ := a.tree(prefix).([]any)
		for _, fields := range objectsIn(list) {
			if inner, nested := fields["message"].(map[string]any); nested {
				fields = inner
			}
			if fields["role"] == nil {
				fields["role"] = role
			}
		}
		if messages := messagesIn(list); len(messages) > 0 {
			return messages
		}
	}
	return nil
}

// vercel is the answer whose text and calls Vercel's AI SDK puts beside one another.
func (a attributes) vercel() []message {
	if a.text("ai.operationId") == "" {
		return nil
	}
	m := message{role: assistant}
	m.think(a.text("ai.response.reasoning"))
	m.addText(a.text("ai.response.text"))
	m.callAll(a.value("ai.response.toolCalls"))
	if len(m.texts)+len(m.calls) == 0 {
		return nil
	}
	return []message{m}
}

// The events by which the conventions told of contents before they became attributes.
var (
	inputEvents = map[string]string{
		"gen_ai.user.message": user, "gen_ai.system.message": system, "gen_ai.assistant.message": assistant, "gen_ai.tool.message": answering,
		"gen_ai.content.prompt": user,
	}
	outputEvents = map[string]string{"gen_ai.choice": assistant, "gen_ai.content.completion": assistant}
)

func (c *content) readEvent(name string, a attributes) {
	c.input = append(c.input, a.messages(inputMessages)...)
	c.output = append(c.output, a.messages(outputMessages)...)
	if role, known := inputEvents[name]; known && len(a.messages(inputMessages)) == 0 {
		c.input = append(c.input, eventMessage(role, a))
		if role == answering {
			c.given = a.value("content")
		}
	}
	if role, known := outputEvents[name]; known && len(a.messages(outputMessages)) == 0 {
		c.output = append(c.output, eventMessage(role, a))
		c.gave = a.value("message", "content")
	}
}

// eventMessage is the message of an event: its attributes, or one of them that holds all in JSON.
func eventMessage(role string, a attributes) message {
	said := a.value("gen_ai.event.content", "message", "event.body", "body")
	fields, isObject := decoded(said).(map[string]any)
	if !isObject || firstOf(fields, "content", "parts", "tool_calls") == nil { // JSON that is no message is what was said
		fields = map[string]any{}
		if said := a.value("message", "gen_ai.prompt", "gen_ai.completion"); said != nil {
			fields["content"] = said
		}
		for name, value := range a {
			fields[name] = plain(value, 0)
		}
		delete(fields, "message")
	}
	if id := text(fields, "id"); role == answering && id != "" {
		fields["tool_call_id"] = id
	}
	m := messageOf(fields)
	m.role = role
	return m
}

// fill tells a span what went in and came out, as far as it matters to an episode.
func fill(span *capture.Span, c *content) {
	switch span.Kind {
	case other:
		return
	case tool:
		span.CallID = c.text(callIDNames...)
		span.Given = jsonOf(plainValue(cmp.Or(c.value(toolGiven...), c.given)))
		span.Gave = jsonOf(plainValue(cmp.Or(c.value(toolGave...), c.gave)))
		return
	}
	told := joined(c.output)
	result := c.result(told.texts)
	span.Given, span.Said, span.Calls, span.Answers = jsonOf(c.task()), told.texts, told.calls, told.answers
	if span.Kind != model {
		span.Gave, span.Instructions = jsonOf(result), cut(c.instructions())
		return
	}
	span.Usage, span.Answers = c.usage(), append(answersIn(c.input), told.answers...)
	if said, isText := result.(string); len(span.Said)+len(span.Calls) == 0 && isText && said != "" {
		span.Said = []string{cut(said)}
	}
}

// usage is nil where the span tells no tokens.
func (c *content) usage() *capture.SpanUsage {
	read := capture.SpanUsage{Input: int(c.amount(inputTokens)), Output: int(c.amount(outputTokens)), Cost: c.amount(costs)}
	if read.Input+read.Output == 0 {
		return nil
	}
	return &read
}

// task is what was asked, in words where it is.
func (c *content) task() any {
	if last := lastQuestion(c.input); last >= 0 {
		return strings.Join(c.input[last].words(), "\n")
	}
	return wordsOf(c.value(plainGiven...))
}

// result is what a run answered, in words where it is: the last that was said, if anything was.
func (c *content) result(said []string) any {
	if len(said) > 0 {
		return said[len(said)-1]
	}
	if said := c.value(spokenGave...); said != nil {
		return textOf(withoutBinary(said, ""))
	}
	return wordsOf(c.value(plainGave...))
}

// wordsOf is a value in words: itself, or of an object the one field that is a question or answer, or the one argument
// of a function. What a function was given by name stands in an object of its own. An object without words stays one.
func wordsOf(value any) any {
	inner, _ := peeled(decoded(value))
	if fields, isObject := inner.(map[string]any); isObject && len(fields) == 1 {
		for _, only := range fields { // such as what a function was given
			if nested, isObject := only.(map[string]any); isObject {
				inner = nested
			}
		}
	}
	if fields, isObject := inner.(map[string]any); isObject {
		named, _ := fields["kwargs"].(map[string]any)
		for _, said := range []string{fieldInWords(fields), fieldInWords(named), onlyArgument(fields)} {
			if said != "" {
				return withoutBinary(said, "")
			}
		}
	}
	if _, isText := unquoted(value).(string); isText { // also JSON that breaks off
		inner = value
	}
	return withoutBinary(inner, "")
}

// fieldInWords is the first field that is a question or an answer by its name; empty where there is none.
func fieldInWords(fields map[string]any) string {
	for _, name := range []string{"input", "query", "question", "prompt", "task", "output", "answer", "result", "response", "content", "text"} {
		if said, isText := fields[name].(string); isText && strings.TrimSpace(said) != "" {
			return said
		}
	}
	return ""
}

// onlyArgument is the text that a function was given, as OpenLLMetry writes it; empty where it was given anything else.
func onlyArgument(fields map[string]any) string {
	arguments, _ := fields["args"].([]any)
	named, are := fields["kwargs"].(map[string]any)
	if len(arguments) != 1 || !are || len(named) > 0 || len(fields) > 2 {
		return ""
	}
	if said, isText := arguments[0].(string); isText && strings.TrimSpace(said) != "" {
		return said
	}
	return ""
}

func (c *content) instructions() string {
	var told message
	told.read(readable(c.value("gen_ai.system_instructions")))
	for _, m := range c.input {
		if len(told.texts) == 0 && m.role == system {
			told.texts = m.texts
		}
	}
	return strings.Join(told.texts, "\n")
}
