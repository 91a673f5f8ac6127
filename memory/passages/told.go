package passages

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"mneme/memory"
)

// StepText tells an action: its name, then what it was given and what came of it.
func StepText(name string, result memory.JSON) string {
	told, _ := readable(result)
	return strings.TrimSpace(name + "\n" + told)
}

// The fields of an event by which it names its step or speaker, those that say nothing, and those that need no name.
var (
	stepNames = []string{"step_name", "stepName", "tool_name", "toolName", "tool", "name", "role"}
	unsaid    = []string{"step_id", "stepId", "tool_call_id", "id", "type", "role"}
	bare      = []string{"args", "thought", "content", "result", "error"}
)

// said is what an event tells, and of which step or by whom; text is empty where it has no words but names of types.
func said(event *memory.Event) (step, text string) {
	fields, ok := memory.JSONFields(event.Data)
	if !ok {
		text, _ = readable(event.Data)
		return "", text
	}
	isMessage := fields["role"] != nil || fields["content"] != nil
	for _, name := range stepNames {
		if step = memory.JSONText(fields[name]); step != "" {
			delete(fields, name)
			break
		}
	}
	for _, name := range unsaid {
		delete(fields, name)
	}
	rest, _ := memory.JSONOf(fields) // they were decoded from JSON
	for name, value := range fields {
		if len(fields) == 1 && slices.Contains(bare, name) {
			rest = memory.JSON(value)
		}
	}
	if step != "" && !isMessage {
		return step, StepText(step, rest)
	}
	if text, says := readable(rest); says {
		return step, text
	}
	return step, ""
}

// readable makes text of JSON, a line for each value: "name: value". Says tells whether there are words in it beside
// the names. A tool's arguments and result stand without saying so.
func readable(text memory.JSON) (told string, says bool) {
	value, err := memory.JSONValue(text)
	if err != nil {
		return strings.TrimSpace(string(text)), true
	}
	var b writer
	if fields, ok := value.(map[string]any); ok && fields["arguments"] != nil {
		b.value("", fields["arguments"])
		delete(fields, "arguments")
		b.value("", fields["result"])
		delete(fields, "result")
	}
	b.value("", value)
	return strings.TrimSpace(b.String()), b.says
}

// writer writes values of JSON line by line.
type writer struct {
	strings.Builder
	says bool
}

func (w *writer) value(name string, value any) {
	switch v := value.(type) {
	case nil:
	case map[string]any:
		w.line(name, "")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			w.value(key, v[key])
		}
	case []any:
		if plain := listed(v); plain != "" {
			w.says = true
			w.line(name, plain)
			return
		}
		w.line(name, "")
		for i, item := range v {
			if i > 0 {
				w.WriteByte('\n')
			}
			w.value("", item)
		}
	case string:
		if inner, ok := within(v); ok {
			w.value(name, inner)
			return
		}
		w.says = w.says || strings.ContainsFunc(v, unicode.IsLetter) || strings.ContainsFunc(v, unicode.IsNumber)
		w.line(name, v)
	default:
		text, _ := memory.JSONOf(v) // a number or a boolean
		w.line(name, string(text))
	}
}

func (w *writer) line(name, text string) {
	switch {
	case name != "" && text != "":
		w.WriteString(name + ": " + text + "\n")
	case name != "":
		w.WriteString(name + ":\n")
	case text != "":
		w.WriteString(text + "\n")
	}
}

// listed joins the texts of a list of nothing but short ones.
func listed(list []any) string {
	texts := make([]string, len(list))
	for i, item := range list {
		text, ok := item.(string)
		if !ok || strings.ContainsRune(text, '\n') {
			return ""
		}
		texts[i] = text
	}
	return strings.Join(texts, ", ")
}

// within is the JSON that a text holds: tools often answer objects and lists as texts.
func within(text string) (value any, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || !json.Valid([]byte(text)) || memory.KeptJSON.Check("", []byte(text)) != nil {
		return nil, false
	}
	value, err := memory.JSONValue([]byte(text))
	return value, err == nil
}
