package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// codex reads transcripts of Codex. Until September 2025 their lines were the items themselves, without times.
type codex struct {
	of                         string // session
	at                         time.Time
	directory, branch, version string
	events                     bool // tell the requests, which are then also among the items
}

// newCodex knows from the name of a file what its lines may lack.
func newCodex(name string) *codex {
	c := &codex{}
	if found := rolloutName.FindStringSubmatch(name); found != nil {
		c.at, _ = time.Parse("2006-01-02T15-04-05", found[1])
		c.of = found[2]
	}
	return c
}

var rolloutName = regexp.MustCompile(`rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl`)

// whole takes each request once, and knows it by the session, its text, and how often that came before.
func (c *codex) whole(moments []moment) ([]moment, string) {
	times := map[string]int{}
	told := moments[:0]
	for _, m := range moments {
		if m.kind == asked {
			if m.event != c.events {
				continue
			}
			m.id = shortHash(c.of, m.text, strconv.Itoa(times[m.text]))
			times[m.text]++
		}
		told = append(told, m)
	}
	return told, c.of
}

// codexLine is a line, as far as it is read.
type codexLine struct {
	Timestamp  time.Time
	Type       string
	RecordType string `json:"record_type"`
	Payload    json.RawMessage
}

// codexItem is what a line holds, whatever its type.
type codexItem struct {
	Type, Role, Name, ID, Cwd, Text, Message string
	CallID                                   string `json:"call_id"`
	Version                                  string `json:"cli_version"`
	Git                                      struct{ Branch string }
	Content, Summary                         json.RawMessage
	Arguments, Input, Action, Output         json.RawMessage
	Info                                     struct {
		Total struct {
			Input  int `json:"input_tokens"`
			Output int `json:"output_tokens"`
		} `json:"total_token_usage"`
	}
}

func (c *codex) take(line []byte) (found []moment, unknown string) {
	var l codexLine
	_ = json.Unmarshal(line, &l) // it is JSON, and what does not fit is passed over
	kind, text := l.Type, []byte(l.Payload)
	if text == nil { // an item without what is now around it
		kind, text = "response_item", line
	}
	var item codexItem
	_ = json.Unmarshal(text, &item)
	if l.Payload == nil && l.Type == "" && item.ID != "" {
		kind = "session_meta"
	}
	if l.Timestamp.IsZero() { // so the lines keep their order
		l.Timestamp = c.at.Add(time.Millisecond)
	}
	c.at = l.Timestamp
	switch kind {
	case "session_meta":
		if c.directory == "" { // a session that goes on from another repeats that one's
			c.of, c.directory, c.branch, c.version = cmp.Or(item.ID, c.of), item.Cwd, item.Git.Branch, item.Version
		}
		return nil, ""
	case "turn_context":
		c.directory = cmp.Or(item.Cwd, c.directory)
		return nil, ""
	case "compacted", "world_state":
		return nil, ""
	case "event_msg":
		return c.event(l.Timestamp, &item), ""
	case "response_item":
		if l.RecordType != "" {
			return nil, ""
		}
		found, known := c.item(l.Timestamp, &item)
		if !known {
			return nil, cmp.Or(item.Type, "no type")
		}
		return found, ""
	}
	return nil, kind
}

// event reads what the program told its user interface: of it, what the items do not say.
func (c *codex) event(at time.Time, item *codexItem) []moment {
	switch item.Type {
	case "user_message":
		c.events = true
		return c.request(at, true, item.Message)
	case "task_complete", "turn_complete":
		return []moment{{at: at, kind: ended}}
	case "turn_aborted":
		return []moment{{at: at, kind: interrupted}}
	case "error":
		return []moment{{at: at, kind: broke, text: clipped(item.Message)}}
	case "token_count":
		total := item.Info.Total
		return []moment{{at: at, kind: used, tokens: tokens{total.Input, total.Output}}}
	}
	return nil
}

// codexSilent are types of items that tell nothing of what was done.
var codexSilent = []string{"ghost_snapshot", "compaction", "context_compaction", "compaction_trigger", "additional_tools", "agent_message", "other"}

func (c *codex) item(at time.Time, item *codexItem) (found []moment, known bool) {
	one := func(m moment) []moment {
		if m.at = at; m.text == "" && m.id == "" {
			return nil
		}
		return []moment{m}
	}
	var texts []string
	for _, part := range slices.Concat(blocksOf(item.Summary), blocksOf(item.Content)) {
		texts = append(texts, part.Text)
	}
	text := clipped(strings.TrimSpace(strings.Join(texts, "\n")))
	call := func(name string, given json.RawMessage) []moment {
		id := cmp.Or(item.CallID, item.ID, shortHash(name, string(given), at.String()))
		return one(moment{kind: called, id: id, name: name, given: asArguments(given)})
	}
	switch item.Type {
	case "message":
		switch item.Role {
		case "user":
			return c.request(at, false, texts...), true
		case "assistant":
			return one(moment{kind: said, text: text}), true
		}
		return nil, true
	case "reasoning":
		return one(moment{kind: thought, text: text}), true
	case "function_call", "custom_tool_call":
		return call(item.Name, slices.Concat(item.Arguments, item.Input)), true // one of them is there
	case "local_shell_call":
		return call("shell", item.Action), true
	case "web_search_call", "tool_search_call", "image_generation_call":
		calls := call(strings.TrimSuffix(item.Type, "_call"), slices.Concat(item.Action, item.Arguments))
		return append(calls, moment{at: at, kind: answered, id: calls[0].id}), true // its result is not told
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output", "mcp_tool_call_output":
		answer, failed := codexOutput(item.Output)
		return one(moment{kind: answered, id: item.CallID, text: clipped(answer), failed: failed}), true
	}
	return nil, slices.Contains(codexSilent, item.Type)
}

func (c *codex) request(at time.Time, event bool, texts ...string) []moment {
	text := requestText(texts)
	if text == "" {
		return nil
	}
	return []moment{{at: at, kind: asked, text: text, event: event, about: aboutOf("codex", c.directory, c.branch, c.version)}}
}

// codexOutput is the text of a result, which was written in several ways, and whether the tool failed.
func codexOutput(output json.RawMessage) (text string, failed bool) {
	var shaped struct {
		Content, Output string
		Success         *bool
		Metadata        struct {
			ExitCode int `json:"exit_code"`
		}
	}
	var parts []struct{ Text string }
	if json.Unmarshal(output, &text) == nil {
		output = json.RawMessage(text)
	} else if json.Unmarshal(output, &parts) == nil {
		for _, part := range parts {
			text += part.Text + "\n"
		}
	}
	if json.Unmarshal(output, &shaped) == nil {
		text = cmp.Or(shaped.Output, shaped.Content, text)
	}
	code := shaped.Metadata.ExitCode
	if found := exitCode.FindStringSubmatch(text); found != nil {
		code, _ = strconv.Atoi(found[1])
		_, text, _ = strings.Cut(text, "Output:\n")
	}
	if code != 0 {
		return fmt.Sprintf("Exit code %d\n%s", code, text), true
	}
	return text, shaped.Success != nil && !*shaped.Success
}

// exitCode stands in the head that a command's output has.
var exitCode = regexp.MustCompile(`\A(?:.*\n){0,5}?(?:Exit code: |Process exited with code )(-?\d+)`)
