package otlp

import (
	"slices"
	"strings"

	"mneme/memory/capture"
)

// message is one entry of a conversation with a model, whatever client wrote it down.
type message struct {
	role    string
	texts   []string // what was said and thought, in order
	files   []string // the names of what else there is, such as "[image/png]"
	calls   []capture.SpanCall
	answers []capture.SpanCall
	inText  bool // the last of the texts was said: what follows at once belongs to it
}

// words are the texts, and at the end what else the message holds.
func (m *message) words() []string {
	last := len(m.texts) - 1
	if len(m.files) == 0 || last < 0 {
		return append(m.texts[:last+1:last+1], m.files...)
	}
	return append(m.texts[:last:last], strings.Join(append([]string{m.texts[last]}, m.files...), "\n"))
}

// containers are the fields in which lists of messages lie, of requests, answers and states of graphs.
var containers = []string{"messages", "input", "inputs", "output", "outputs", "contents", "generations", "choices", "candidates", "response", "content"}

// messagesOf reads messages by their shape, anywhere in a value: of the GenAI conventions (role and parts), of the
// clients of OpenAI, Anthropic, Gemini and Bedrock (role and content), and as LangChain serialises them.
func messagesOf(value any) []message {
	inner, _ := peeled(decoded(value))
	switch v := inner.(type) {
	case map[string]any:
		if isMessage(v) {
			return []message{messageOf(v)}
		}
		for _, name := range containers {
			if _, isText := v[name].(string); isText {
				continue
			}
			if messages := messagesOf(v[name]); len(messages) > 0 {
				return messages
			}
		}
	case []any:
		return messagesIn(v)
	}
	return nil
}

func messagesIn(list []any) []message {
	var messages []message
	for _, item := range list {
		item, _ = peeled(item)
		switch item := item.(type) {
		case map[string]any:
			if isMessage(item) {
				messages = append(messages, messageOf(item))
			}
		case []any:
			if m, ok := pairOf(item); ok {
				messages = append(messages, m)
			} else if batch := messagesIn(item); len(messages) == 0 && len(batch) > 0 {
				return batch // of several conversations the first is the one
			}
		}
	}
	return messages
}

// pairOf is a message that is written as its role and its text.
func pairOf(list []any) (m message, ok bool) {
	if len(list) != 2 {
		return m, false
	}
	role, _ := list[0].(string)
	said, isText := list[1].(string)
	m.role = roles[strings.ToLower(role)]
	m.addText(said)
	return m, isText && m.role != ""
}

// The roles of a conversation.
const (
	user      = "user"
	system    = "system"
	assistant = "assistant"
	answering = "tool"
)

// roles are the names of roles, and of the types and classes of messages and of entries that stand for one.
var roles = map[string]string{
	"user": user, "human": user, "humanmessage": user, "humanmessagechunk": user,
	"assistant": assistant, "ai": assistant, "model": assistant, "bot": assistant, "aimessage": assistant, "aimessagechunk": assistant,
	"system": system, "developer": system, "systemmessage": system, "systemmessagechunk": system,
	"tool": answering, "function": answering, "toolmessage": answering, "toolmessagechunk": answering, "functionmessage": answering,
	"function_call": assistant, "reasoning": assistant, "function_call_output": answering,
}

// roleOf is who speaks in a message; empty where nobody does.
func roleOf(fields map[string]any) string {
	role := strings.ToLower(text(fields, "role"))
	if role == "" {
		role = strings.ToLower(text(fields, "type"))
	}
	return roles[role[strings.LastIndex(role, ".")+1:]] // Python writes MessageRole.USER
}

// isMessage says whether an object is a message, or holds one that is called so.
func isMessage(fields map[string]any) bool {
	if inner, _ := peeled(fields["message"]); inner != nil {
		object, isObject := inner.(map[string]any)
		return isObject && firstOf(object, contents...) != nil
	}
	switch text(fields, "type") {
	case "function_call", "function_call_output", "reasoning":
		return true
	}
	return roleOf(fields) != "" && firstOf(fields, contents...) != nil || isGenerated(fields)
}

// contents are the fields of which a message has one at least.
var contents = []string{"content", "parts", "contents", "blocks", "tool_calls", "function_call", "text"}

// isGenerated says whether an object is the text that a model completed, as LangChain notes it.
func isGenerated(fields map[string]any) bool {
	_, isText := fields["text"].(string)
	_, noted := fields["generation_info"]
	return isText && noted
}

func messageOf(fields map[string]any) message {
	if inner, nested := fields["message"]; nested {
		inner, _ = peeled(inner)
		if object, isObject := inner.(map[string]any); isObject {
			if object["role"] == nil && fields["role"] != nil {
				object["role"] = fields["role"]
			}
			fields = object
		}
	}
	m := message{role: roleOf(fields)}
	switch text(fields, "type") {
	case "function_call", "function_call_output", "reasoning": // entries of OpenAI's Responses
		m.part(fields)
		return m
	}
	m.think(text(fields, "reasoning_content"))
	m.read(readable(firstOf(fields, "parts", "content", "contents", "blocks", "text")))
	m.callAll(fields["tool_calls"])
	if more, ok := fields["additional_kwargs"].(map[string]any); ok && len(m.calls) == 0 {
		m.callAll(more["tool_calls"])
	}
	if call, ok := fields["function_call"].(map[string]any); ok && len(m.calls) == 0 {
		m.call(call)
	}
	if printed, ok := m.printed(); ok {
		return messageOf(printed)
	}
	if id := text(fields, "tool_call_id"); id != "" && len(m.answers) == 0 {
		m.answers = append(m.answers, capture.SpanCall{ID: id, Result: jsonOf(plainValue(strings.Join(m.words(), "\n")))})
		m.texts, m.files = nil, nil
	}
	return m
}

// readable is a content with the parts that a text holds in JSON. Any other text is what was said, even if it is JSON.
func readable(content any) any {
	if list := partsOf(content); list != nil {
		return list
	}
	return content
}

// partsOf is a list of parts of a message, written as one or as JSON; nil where it is something else.
func partsOf(content any) []any {
	if list, isList := decoded(content).([]any); isList && areParts(list) {
		return list
	}
	return nil
}

// areParts says whether all that a list holds are parts of a message.
func areParts(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(item any) bool {
		fields, isObject := item.(map[string]any)
		return !isObject || !isPart(fields)
	})
}

// isPart says whether an object is a part of a message, by its type or by its one field.
func isPart(fields map[string]any) bool {
	if _, nested := fields["message_content"].(map[string]any); nested {
		return true
	}
	kind := text(fields, "type")
	if slices.Contains(knownParts, kind) || kind == "" && len(fields) == 1 && (fields["text"] != nil || firstOf(fields, wrappers...) != nil) {
		return true
	}
	return fileName(fields) != "" && (kind == "" || firstOf(fields, "content", "data", "url", "uri", "source", "image_url", "file", "file_id", "input_audio", "image", "audio", "identifier", "bytes") != nil)
}

// The types of parts, by what they are; files are told by fileTypes.
var (
	textParts   = []string{"text", "input_text", "output_text", "summary_text", "refusal", "reasoning", "thinking", "thought"}
	callParts   = []string{"tool_call", "tool_use", "toolUse", "function_call", "tool-call", "functionCall", "server_tool_use"}
	answerParts = []string{
		"tool_call_response", "tool_result", "toolResult", "function_call_output", "tool-result", "functionResponse", "function_response",
	}
	knownParts = slices.Concat(textParts, callParts, answerParts)
)

// wrappers are the fields by which Bedrock and Gemini name the type of a part.
var wrappers = []string{"toolUse", "toolResult", "functionCall", "function_call", "functionResponse", "function_response"}

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
	kind := text(fields, "type")
	for _, wrapper := range wrappers {
		if inner, nested := fields[wrapper].(map[string]any); nested && kind == "" {
			fields, kind = inner, wrapper
		}
	}
	switch {
	case slices.Contains(callParts, kind):
		m.call(fields)
	case slices.Contains(answerParts, kind):
		m.answers = append(m.answers, capture.SpanCall{
			ID:     text(fields, callIDs...),
			Result: jsonOf(plainValue(ofType(firstOf(fields, "response", "result", "content", "output")))),
		})
	case kind == "reasoning", kind == "thinking", kind == "thought", fields["thought"] == true:
		m.think(text(fields, "content", "text", "thinking", "reasoning"))
		for _, item := range objectsIn(fields["summary"]) {
			m.think(text(item, "text"))
		}
	case fileName(fields) != "":
		m.files = append(m.files, fileName(fields))
	default:
		m.addText(text(fields, "content", "text", "refusal"))
	}
}

// callIDs are the fields that name a call. OpenAI's entries have an ID of their own beside it.
var callIDs = []string{"tool_use_id", "toolUseId", "call_id", "toolCallId", "tool_call_id", "id"}

// ofType is the value of a result that is written with its type, as Vercel's AI SDK does.
func ofType(result any) any {
	if fields, isObject := result.(map[string]any); isObject && len(fields) == 2 && text(fields, "type") != "" && fields["value"] != nil {
		return fields["value"]
	}
	return result
}

func (m *message) callAll(calls any) {
	for _, call := range objectsIn(decoded(calls)) {
		m.call(call)
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
		ID: text(fields, callIDs...), Name: text(function, "name", "toolName"),
		Arguments: jsonOf(plainValue(firstOf(function, "arguments", "input", "args"))),
	}
	m.inText = false
	if call.Name != "" {
		m.calls = append(m.calls, call)
	}
}

// addText takes what was said. A message that is streamed, or cites, says one thing in several parts.
func (m *message) addText(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if name := binaryName(text, ""); name != "" {
		m.files = append(m.files, name)
		return
	}
	text = strings.TrimLeft(strings.TrimRight(text, " \t\r\n"), "\r\n")
	if last := len(m.texts) - 1; m.inText {
		m.texts[last] = cut(m.texts[last] + "\n" + text)
		return
	}
	m.texts, m.inText = append(m.texts, cut(text)), true
}

// think takes what was thought.
func (m *message) think(text string) {
	m.inText = false
	m.addText(text)
	m.inText = false
}

// printed is the message that Python printed, where that is all the message says.
func (m *message) printed() (fields map[string]any, ok bool) {
	if len(m.texts) != 1 || len(m.calls) > 0 {
		return nil, false
	}
	fields, ok = pythons(m.texts[0]).(map[string]any)
	return fields, ok && fields["role"] != nil && isMessage(fields)
}

// lastQuestion is where a person asked last, or whoever asks the agent; -1 where nobody did. Who answers a call for
// a tool may do so as a user.
func lastQuestion(messages []message) int {
	for i, m := range slices.Backward(messages) {
		if m.role == user && len(m.texts)+len(m.files) > 0 {
			return i
		}
	}
	return -1
}

// lastTurn is what came after the last question, in a list that may hold the whole conversation.
func lastTurn(messages []message) []message { return messages[lastQuestion(messages)+1:] }

// answersIn is what a model was told since it spoke last in this turn, with the calls that it had wanted. Before that
// the conversation repeats what other spans say.
func answersIn(messages []message) []capture.SpanCall {
	var answers []capture.SpanCall
	wanted, spoke := map[string]capture.SpanCall{}, false
	for _, m := range lastTurn(messages) {
		if m.role == assistant && !spoke {
			answers = nil
		}
		spoke = m.role == assistant
		for _, call := range m.calls {
			wanted[call.ID] = call
		}
		for _, answer := range m.answers {
			if call, known := wanted[answer.ID]; known && answer.ID != "" {
				answer.Name, answer.Arguments = call.Name, call.Arguments
			}
			answers = append(answers, answer)
		}
	}
	return answers
}

// joined is what a model said and thought in all messages of a list, and their calls and answers. What a model said may
// come without a role.
func joined(messages []message) (all message) {
	for i := range messages {
		m := &messages[i]
		if m.role == assistant || m.role == "" {
			all.texts = append(all.texts, m.words()...)
		}
		all.calls, all.answers = append(all.calls, m.calls...), append(all.answers, m.answers...)
	}
	return all
}

// objectsIn are the objects of a list.
func objectsIn(list any) (objects []map[string]any) {
	items, _ := list.([]any)
	for _, item := range items {
		if fields, isObject := item.(map[string]any); isObject {
			objects = append(objects, fields)
		}
	}
	return objects
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
