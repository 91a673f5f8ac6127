package otlp

import (
	"strings"

	"mneme/memory/capture"
)

// message is one entry of a conversation with a model, whatever client wrote it down.
type message struct {
	role    string
	texts   []string // what was said and thought, in order
	calls   []capture.SpanCall
	answers []capture.SpanAnswer
}

// messagesOf reads a list of messages: of the GenAI conventions (role and parts), or of the clients of
// OpenAI, Anthropic and Bedrock (role and content).
func messagesOf(value any) []message {
	switch v := unquoted(value).(type) {
	case map[string]any:
		if inner := firstOf(v, "messages", "input"); inner != nil {
			return messagesOf(inner)
		}
		if m := messageOf(v); m.role != "" {
			return []message{m}
		}
	case []any:
		var messages []message
		for _, item := range v {
			switch item := item.(type) {
			case map[string]any:
				messages = append(messages, messageOf(item))
			case []any: // batches of conversations, of which the first is the one
				return messagesOf(item)
			}
		}
		return messages
	}
	return nil
}

func messageOf(fields map[string]any) message {
	if inner, nested := fields["message"].(map[string]any); nested {
		fields = inner
	}
	m := message{role: strings.ToLower(text(fields, "role", "type"))}
	m.read(unquoted(firstOf(fields, "parts", "content", "contents")))
	if calls, isList := unquoted(fields["tool_calls"]).([]any); isList {
		for _, call := range calls {
			if call, isObject := call.(map[string]any); isObject {
				m.call(call)
			}
		}
	}
	if id := text(fields, "tool_call_id"); id != "" && len(m.answers) == 0 {
		m.answers = append(m.answers, capture.SpanAnswer{ID: id, Result: jsonOf(unquoted(strings.Join(m.texts, "\n")))})
		m.texts = nil
	}
	return m
}

// read takes the parts of a message.
func (m *message) read(content any) {
	switch v := content.(type) {
	case string:
		m.addText(v)
	case map[string]any:
		m.part(v)
	case []any:
		for _, part := range v {
			m.read(part)
		}
	}
}

func (m *message) part(fields map[string]any) {
	if inner, nested := fields["message_content"].(map[string]any); nested {
		fields = inner
	}
	for _, wrapper := range []string{"toolUse", "toolResult"} { // Bedrock names the type by the field
		if inner, nested := fields[wrapper].(map[string]any); nested {
			fields = inner
			fields["type"] = wrapper
		}
	}
	switch text(fields, "type") {
	case "tool_call", "tool_use", "toolUse", "function_call", "tool-call":
		m.call(fields)
	case "tool_call_response", "tool_result", "toolResult", "function_call_output", "tool-result":
		m.answers = append(m.answers, capture.SpanAnswer{
			ID: text(fields, "id", "tool_use_id", "toolUseId", "call_id", "toolCallId"), Result: jsonOf(unquoted(firstOf(fields, "response", "result", "content", "output"))),
		})
	default: // text, reasoning and thinking; what holds no text, such as an image, says nothing
		m.addText(text(fields, "content", "text", "thinking", "reasoning"))
	}
}

func (m *message) call(fields map[string]any) {
	if inner, nested := fields["tool_call"].(map[string]any); nested {
		fields = inner
	}
	function, nested := fields["function"].(map[string]any)
	if !nested {
		function = fields
	}
	call := capture.SpanCall{
		ID: text(fields, "id", "toolUseId", "call_id", "toolCallId"), Name: text(function, "name", "toolName"),
		Arguments: jsonOf(unquoted(firstOf(function, "arguments", "input", "args"))),
	}
	if call.Name != "" {
		m.calls = append(m.calls, call)
	}
}

func (m *message) addText(text string) {
	if strings.TrimSpace(text) != "" {
		m.texts = append(m.texts, cut(text))
	}
}

// isUser says whether a person speaks, or whoever asks the agent.
func (m *message) isUser() bool { return m.role == "user" || m.role == "human" }

// isModel says whether the model speaks. An answer may come without a role.
func (m *message) isModel() bool {
	return m.role == "assistant" || m.role == "ai" || m.role == "model" || m.role == "bot"
}

// asked is what was asked last.
func asked(messages []message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := &messages[i]; m.isUser() && len(m.texts) > 0 {
			return strings.Join(m.texts, "\n")
		}
	}
	return ""
}

// answersIn is what a model was told of its calls since it spoke last.
func answersIn(messages []message) []capture.SpanAnswer {
	var answers []capture.SpanAnswer
	for i := range messages {
		if messages[i].isModel() {
			answers = nil
		}
		answers = append(answers, messages[i].answers...)
	}
	return answers
}

// saidIn is what a model said and thought.
func saidIn(messages []message) []string {
	var said []string
	for _, m := range messages {
		said = append(said, m.texts...)
	}
	return said
}

func callsIn(messages []message) []capture.SpanCall {
	var calls []capture.SpanCall
	for _, m := range messages {
		calls = append(calls, m.calls...)
	}
	return calls
}

// modelsOnly leaves out what was said to the model, in a list that holds the whole conversation.
func modelsOnly(messages []message) []message {
	var own []message
	for _, m := range messages {
		if m.isModel() || m.role == "" {
			own = append(own, m)
		}
	}
	return own
}

func firstOf(fields map[string]any, names ...string) any {
	for _, name := range names {
		if value := fields[name]; value != nil {
			return value
		}
	}
	return nil
}

func text(fields map[string]any, names ...string) string {
	for _, name := range names {
		if text, isText := fields[name].(string); isText && text != "" {
			return text
		}
	}
	return ""
}
