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
	// given and gave are what a tool's events say.
	given, gave any
}

func contentOf(span *trace.Span, a attributes) *content {
	c := &content{attributes: a}
	c.input, c.output = messagesOf(a.value(inputMessages...)), messagesOf(a.value(outputMessages...))
	for _, event := range span.GetEvents() {
		c.readEvent(event.GetName(), attributesOf(event.GetAttributes()))
	}
	if len(c.input) == 0 {
		c.input = c.firstTree(inputTrees)
	}
	if len(c.output) == 0 {
		c.output = c.firstTree(outputTrees)
	}
	if all := messagesOf(a.value(conversations...)); len(c.input) == 0 && len(all) > 0 {
		c.input = all
		if last := all[len(all)-1:]; len(c.output) == 0 {
			c.output = modelsOnly(last)
		}
	}
	c.readVercel()
	return c
}

func (c *content) firstTree(prefixes []string) []message {
	for _, prefix := range prefixes {
		if messages := messagesOf(c.tree(prefix)); len(messages) > 0 {
			return messages
		}
	}
	return nil
}

// readVercel takes the calls that Vercel's AI SDK puts beside the text of an answer.
func (c *content) readVercel() {
	if len(c.output) > 0 || c.text("ai.operationId") == "" {
		return
	}
	m := message{role: "assistant"}
	m.addText(c.text("ai.response.text"))
	if calls, isList := c.value("ai.response.toolCalls").([]any); isList {
		for _, call := range calls {
			if call, isObject := call.(map[string]any); isObject {
				m.call(call)
			}
		}
	}
	c.output = []message{m}
}

// The events by which the conventions told of contents before they became attributes.
var (
	inputEvents = map[string]string{
		"gen_ai.user.message": "user", "gen_ai.system.message": "system", "gen_ai.assistant.message": "assistant", "gen_ai.tool.message": "tool",
		"gen_ai.content.prompt": "user",
	}
	outputEvents = map[string]string{"gen_ai.choice": "assistant", "gen_ai.content.completion": "assistant"}
)

func (c *content) readEvent(name string, a attributes) {
	if name == "gen_ai.client.inference.operation.details" {
		c.input = append(c.input, messagesOf(a.value(inputMessages...))...)
		c.output = append(c.output, messagesOf(a.value(outputMessages...))...)
		return
	}
	if role, known := inputEvents[name]; known {
		c.input = append(c.input, eventMessage(role, a))
		if role == "tool" {
			c.given = a.value("content")
		}
	}
	if role, known := outputEvents[name]; known {
		c.output = append(c.output, eventMessage(role, a))
		c.gave = a.value("message", "content")
	}
}

// eventMessage is the message of an event: its attributes, or one of them that holds all in JSON.
func eventMessage(role string, a attributes) message {
	fields, isObject := a.value("gen_ai.event.content", "message", "event.body", "body").(map[string]any)
	if !isObject {
		fields = map[string]any{}
		if said := a.value("message", "gen_ai.prompt", "gen_ai.completion"); said != nil {
			fields["content"] = said
		}
		for name, value := range a {
			fields[name] = plain(value, 0)
		}
	}
	if id := text(fields, "id"); role == "tool" && id != "" {
		fields["tool_call_id"] = id
	}
	m := messageOf(fields)
	m.role = role
	return m
}

// fill tells a span what went in and came out, as far as it matters to an episode.
func fill(span *capture.Span, c *content) {
	switch span.Kind {
	case tool:
		span.CallID = c.text(callIDNames...)
		span.Given = jsonOf(cmpAny(c.value(toolGiven...), c.given))
		span.Gave = jsonOf(cmpAny(c.value(toolGave...), c.gave))
	case model:
		span.Given = jsonOf(c.task())
		span.Said, span.Calls, span.Answers = saidIn(c.output), callsIn(c.output), answersIn(c.input)
		if len(span.Said) == 0 && len(span.Calls) == 0 {
			if said := c.text(plainGave...); said != "" {
				span.Said = []string{cut(said)}
			}
		}
	case agent, workflow:
		span.Given, span.Gave = jsonOf(c.task()), jsonOf(c.result())
		span.Instructions = cut(c.instructions())
	}
}

// task is what was asked, in words.
func (c *content) task() string {
	if said := asked(c.input); said != "" {
		return said
	}
	plain := c.value(plainGiven...)
	if said := asked(messagesOf(plain)); said != "" {
		return said
	}
	return wordsOf(plain)
}

// result is what a run answered, in words.
func (c *content) result() string {
	if said := saidIn(c.output); len(said) > 0 {
		return said[len(said)-1]
	}
	plain := c.value(plainGave...)
	if said := saidIn(modelsOnly(messagesOf(plain))); len(said) > 0 {
		return said[len(said)-1]
	}
	return wordsOf(plain)
}

// wordsOf is a value in words: itself, or of an object the one field that is a question or an answer, or the one argument
// of a function. What a function was given by name stands in an object of its own.
func wordsOf(value any) string {
	if fields, isObject := value.(map[string]any); isObject {
		named, _ := fields["kwargs"].(map[string]any)
		if said := cmp.Or(fieldInWords(fields), fieldInWords(named), onlyArgument(fields)); said != "" {
			return said
		}
	}
	return textOf(value)
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
	told.read(c.value("gen_ai.system_instructions"))
	for _, m := range c.input {
		if len(told.texts) == 0 && (m.role == "system" || m.role == "developer") {
			told.texts = m.texts
		}
	}
	return strings.Join(told.texts, "\n")
}

func cmpAny(first, second any) any {
	if first != nil {
		return first
	}
	return second
}
