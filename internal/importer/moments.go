package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// moment is one thing that was said or done.
type moment struct {
	at     time.Time
	kind   momentKind
	id     string // of the request, the call that is made or answered, or the message whose tokens these are
	name   string // of the tool
	text   string
	given  json.RawMessage // what a tool was called with
	failed bool
	tokens tokens
	about  map[string]string // metadata of the episode of a request
}

type momentKind int

const (
	asked     momentKind = iota // by a person
	sent                        // to the model: a request where none is told otherwise
	commanded                   // a command that may be the program's own: a request where the agent answers
	thought
	said
	called
	answered
	interrupted
	broke // an error ended it, unless the agent went on
	ended // the agent is done
	used  // tokens: of the message, or where that has no id of the session so far
)

// tokens are what a model read and wrote.
type tokens struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
}

// transcript is what was read of a session.
type transcript struct {
	format                              Format
	session, directory, branch, version string
	at                                  time.Time // of the line that is read
	moments                             []moment
}

// take reads a line. It answers a type that it does not know, else "".
func (t *transcript) take(line []byte) (unknown string) {
	known := false
	if t.format == Codex {
		unknown, known = t.takeCodex(line)
	} else {
		unknown, known = t.takeClaudeCode(line)
	}
	if known || slices.Contains(quiet[t.format], unknown) {
		return ""
	}
	return cmp.Or(unknown, "no type")
}

// quiet are the types of lines and items that tell nothing of what was done.
var quiet = map[Format][]string{
	ClaudeCode: {
		"summary", "system", "progress", "attachment", "file-history-snapshot", "file-history-delta", "queue-operation", "custom-title", "ai-title",
		"last-prompt", "pr-link", "permission-mode", "mode", "agent-name", "agent-color", "agent-setting", "tag", "worktree-state", "content-replacement",
	},
	Codex: {
		"compacted", "world_state", "state", "ghost_snapshot", "compaction", "context_compaction", "compaction_trigger", "additional_tools", "agent_message", "other",
	},
}

func (t *transcript) takeClaudeCode(line []byte) (kind string, known bool) {
	var l struct {
		Type, UUID, SessionID, Cwd, GitBranch, Version string
		Timestamp                                      time.Time
		// What is no part of the conversation: a subagent's, put in by the program, or what a compaction left of it.
		IsSidechain, IsMeta, IsCompactSummary bool
		IsAPIErrorMessage                     bool // the program speaks, for a model that could not be asked
		Message                               struct {
			ID, Model string
			Content   json.RawMessage
			Usage     struct {
				tokens
				Written int `json:"cache_creation_input_tokens"`
				Cached  int `json:"cache_read_input_tokens"`
			}
		}
	}
	_ = json.Unmarshal(line, &l) // it is JSON, and what does not fit is passed over
	switch {
	case l.Type != "user" && l.Type != "assistant":
		return l.Type, false
	case l.IsSidechain, l.IsMeta, l.IsCompactSummary, l.Message.Model == "<synthetic>" && !l.IsAPIErrorMessage:
		return "", true
	}
	t.at, t.session = l.Timestamp, cmp.Or(t.session, l.SessionID)
	t.directory, t.branch, t.version = l.Cwd, l.GitBranch, l.Version
	var texts []string
	parts := partsOf(l.Message.Content)
	for i := range parts {
		switch p := &parts[i]; {
		case l.IsAPIErrorMessage:
			t.say(broke, p.Text)
		case l.Type == "assistant", p.Type == "tool_result":
			t.tell(p)
		case strings.HasPrefix(p.Text, "[Request interrupted by user"):
			t.add(moment{kind: interrupted})
		default:
			texts = append(texts, p.words())
		}
	}
	if len(texts) == len(parts) { // beside anything else the program speaks
		t.request(asked, l.UUID, texts)
	}
	if u := l.Message.Usage; l.Message.ID != "" {
		t.add(moment{kind: used, id: l.Message.ID, tokens: tokens{u.Input + u.Written + u.Cached, u.Output}})
	}
	return "", true
}

func (t *transcript) takeCodex(line []byte) (kind string, known bool) {
	var l struct {
		Timestamp  time.Time
		Type       string
		RecordType string `json:"record_type"`
		Payload    json.RawMessage
	}
	var item struct {
		part
		Cwd     string
		Version string `json:"cli_version"`
		Git     struct{ Branch string }
		Info    struct {
			Total tokens `json:"total_token_usage"`
		}
	}
	_ = json.Unmarshal(line, &l)
	kind = l.Type
	if l.Payload == nil { // until September 2025 the lines were the items themselves, without times
		l.Payload, kind = line, cmp.Or(l.RecordType, "response_item")
	}
	_ = json.Unmarshal(l.Payload, &item)
	if l.Type == "" && item.ID != "" {
		kind = "session_meta"
	}
	if l.Timestamp.IsZero() { // so the lines keep their order
		l.Timestamp = t.at.Add(time.Millisecond)
	}
	t.at = l.Timestamp
	switch kind {
	case "session_meta":
		if t.session == "" { // a session that goes on from another repeats that one's
			t.session, t.directory, t.branch, t.version = item.ID, item.Cwd, item.Git.Branch, item.Version
		}
	case "turn_context":
		t.directory = cmp.Or(item.Cwd, t.directory)
	case "event_msg":
		if kind, ok := codexEvents[item.Type]; ok {
			t.add(moment{kind: kind, text: clipped(item.Message), tokens: item.Info.Total})
		} else if item.Type == "user_message" {
			t.request(asked, "", []string{item.Message})
		}
	case "response_item":
		return item.Type, t.tell(&item.part)
	default:
		return kind, false
	}
	return "", true
}

// codexEvents are what the user interface is told, of that which the items do not tell.
var codexEvents = map[string]momentKind{
	"task_complete": ended, "turn_complete": ended, "turn_aborted": interrupted, "error": broke, "token_count": used,
}

// part is a block of a message of Claude Code, or an item of Codex.
type part struct {
	Type, Role, ID, Name, Text, Thinking, Message string
	CallID                                        string          `json:"call_id"`
	ToolUseID                                     string          `json:"tool_use_id"`
	IsError                                       bool            `json:"is_error"`
	Input, Arguments, Action                      json.RawMessage // of a tool: one of them
	Content, Summary, Output                      json.RawMessage
}

// tell notes what a part says, and answers whether its type is known.
func (t *transcript) tell(p *part) (known bool) {
	is := func(suffix string) bool { return strings.HasSuffix(p.Type, suffix) }
	switch {
	case p.Type == "text":
		t.say(said, p.Text)
	case p.Type == "message" && p.Role == "assistant":
		t.say(said, textsOf(p.Content)...)
	case p.Type == "message" && p.Role == "user":
		t.request(sent, "", textsOf(p.Content))
	case p.Type == "thinking":
		t.say(thought, p.Thinking)
	case p.Type == "reasoning":
		t.say(thought, slices.Concat(textsOf(p.Summary), textsOf(p.Content))...)
	case is("tool_use"), is("_call"):
		call := moment{kind: called, name: cmp.Or(p.Name, strings.TrimPrefix(strings.TrimSuffix(p.Type, "_call"), "local_"))}
		call.id, call.given = cmp.Or(p.CallID, p.ID, strconv.Itoa(len(t.moments))), asArguments(p.Input, p.Arguments, p.Action)
		t.add(call)
		if is("_call") && p.CallID == "" { // its result is not told
			t.add(moment{kind: answered, id: call.id})
		}
	case is("tool_result"), is("_output"):
		text, failed := p.answer()
		t.add(moment{kind: answered, id: cmp.Or(p.ToolUseID, p.CallID), text: clipped(text), failed: failed})
	default:
		return p.Type == "message"
	}
	return true
}

func (t *transcript) add(m moment) {
	m.at = t.at
	t.moments = append(t.moments, m)
}

func (t *transcript) say(kind momentKind, texts ...string) {
	if text := clipped(strings.TrimSpace(strings.Join(texts, "\n"))); text != "" {
		t.add(moment{kind: kind, text: text})
	}
}

// request notes what a person asked for by parts of a text, without what the program put beside it: parts that are in a
// tag of its own, whose name has a dash or an underscore.
func (t *transcript) request(kind momentKind, id string, parts []string) {
	if command := slashCommand.FindStringSubmatch(strings.Join(parts, "\n")); command != nil {
		kind, parts = commanded, []string{"/" + command[1] + " " + command[2]}
	}
	parts = slices.DeleteFunc(parts, func(part string) bool {
		part = strings.TrimSpace(part)
		tag := ownTag.FindStringSubmatch(part)
		return tag != nil && strings.HasSuffix(part, "</"+tag[1]+">") || ownText.MatchString(part)
	})
	text := clipped(strings.TrimSpace(strings.Join(parts, "\n")))
	if text == "" {
		return
	}
	project := t.directory[strings.LastIndexAny(t.directory, `/\`)+1:]
	about := map[string]string{"source": string(t.format), "directory": t.directory, "branch": t.branch, "version": t.version, "project": project}
	maps.DeleteFunc(about, func(_, value string) bool { return value == "" })
	t.add(moment{kind: kind, id: id, text: text, about: about})
}

var (
	slashCommand = regexp.MustCompile(`(?s)<command-name>\s*/?([^<\s]+)\s*</command-name>(?:.*<command-args>(.*?)</command-args>)?`)
	ownTag       = regexp.MustCompile(`^<([a-z]+(?:[-_][a-z]+)+|skill)\b[^>]*>`)
	ownText      = regexp.MustCompile(`^(?:Caveat: The messages below|# AGENTS\.md instructions|This session is being continued from a previous)`)
)

// partsOf are the parts of a content, which may be a text.
func partsOf(content json.RawMessage) (parts []part) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []part{{Type: "text", Text: text}}
	}
	_ = json.Unmarshal(content, &parts)
	return parts
}

func textsOf(content json.RawMessage) (texts []string) {
	for _, p := range partsOf(content) {
		texts = append(texts, p.words())
	}
	return texts
}

// words are the text of a part, or what it is if it is none.
func (p *part) words() string {
	if p.Text != "" || strings.HasSuffix(p.Type, "text") {
		return p.Text
	}
	return "[" + p.Type + "]"
}

// answer is the result of a tool, which Codex wrote in several ways, and whether the tool failed.
func (p *part) answer() (text string, failed bool) {
	if p.Output == nil {
		return strings.Join(textsOf(p.Content), "\n"), p.IsError
	}
	text = strings.Join(textsOf(p.Output), "\n")
	var shaped struct {
		Output   string
		Metadata struct {
			ExitCode int `json:"exit_code"`
		}
	}
	if json.Unmarshal([]byte(text), &shaped) == nil {
		text = cmp.Or(shaped.Output, text)
	}
	code := shaped.Metadata.ExitCode
	if found := exitCode.FindStringSubmatch(text); found != nil {
		code, _ = strconv.Atoi(found[1])
		_, text, _ = strings.Cut(text, "Output:\n")
	}
	if code != 0 {
		text = fmt.Sprintf("Exit code %d\n%s", code, text)
	}
	return text, code != 0
}

// exitCode stands in the head that a command's output has.
var exitCode = regexp.MustCompile(`\A(?:.*\n){0,5}?(?:Exit code: |Process exited with code )(-?\d+)`)

// longestText is how much is kept of a text, in bytes. Of a longer one the middle is left out: errors stand at the end.
const longestText = 16 << 10

func clipped(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	if left := len(text) - longestText; left > 0 {
		text = strings.ToValidUTF8(fmt.Sprintf("%s\n… %d bytes left out …\n%s", text[:longestText/2], left, text[len(text)-longestText/2:]), "")
	}
	return text
}

// asArguments are what a tool was called with, in the first of several fields, which some write as a text. What is long
// becomes one.
func asArguments(fields ...json.RawMessage) json.RawMessage {
	value := json.RawMessage("null")
	if at := slices.IndexFunc(fields, func(field json.RawMessage) bool { return field != nil && string(field) != "null" }); at >= 0 {
		value = fields[at]
	}
	var text string
	if json.Unmarshal(value, &text) == nil && json.Valid([]byte(text)) {
		value = json.RawMessage(text)
	}
	if len(value) > longestText || bytes.Contains(value, []byte(`\u0000`)) {
		return json.RawMessage(jsonOf(clipped(string(value))))
	}
	return value
}
