package importer

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// claudeCode reads transcripts of Claude Code.
type claudeCode struct{ of string }

func (c *claudeCode) whole(moments []moment) ([]moment, string) { return moments, c.of }

// claudeLine is a line, as far as it is read. Fields of other types than these are passed over.
type claudeLine struct {
	Type, UUID, SessionID, Cwd, GitBranch, Version string
	Timestamp                                      time.Time
	// What is no part of the conversation: a subagent's, put in by the program, or what a compaction left of it.
	IsSidechain, IsMeta, IsCompactSummary, IsVisibleInTranscriptOnly bool
	// IsAPIErrorMessage says that the program speaks, for a model that could not be asked.
	IsAPIErrorMessage bool
	Message           struct {
		ID, Model string
		Content   json.RawMessage
		Usage     struct {
			Input   int `json:"input_tokens"`
			Written int `json:"cache_creation_input_tokens"`
			Cached  int `json:"cache_read_input_tokens"`
			Output  int `json:"output_tokens"`
		}
	}
}

// claudeBlock is a part of a message.
type claudeBlock struct {
	Type, Text, Thinking, ID, Name string
	Input, Content                 json.RawMessage
	ToolUseID                      string `json:"tool_use_id"`
	IsError                        bool   `json:"is_error"`
}

// claudeTypes are those of lines that tell nothing of what was done.
var claudeTypes = []string{
	"summary", "system", "progress", "attachment", "file-history-snapshot", "file-history-delta", "queue-operation", "custom-title", "ai-title",
	"last-prompt", "pr-link", "permission-mode", "mode", "agent-name", "agent-color", "agent-setting", "tag", "worktree-state", "content-replacement",
}

func (c *claudeCode) take(line []byte) (found []moment, unknown string) {
	var l claudeLine
	_ = json.Unmarshal(line, &l) // it is JSON, and what does not fit is passed over
	conversation := l.Type == "user" || l.Type == "assistant"
	switch {
	case !conversation && slices.Contains(claudeTypes, l.Type):
		return nil, ""
	case !conversation:
		return nil, cmp.Or(l.Type, "no type")
	case l.IsSidechain, l.IsMeta, l.IsCompactSummary, l.IsVisibleInTranscriptOnly:
		return nil, ""
	}
	c.of = cmp.Or(c.of, l.SessionID)
	if l.Type == "assistant" {
		return l.done(), ""
	}
	return l.asked(), ""
}

// asked is what a line of the user's side says: results of tools, an interruption, or a request.
func (l *claudeLine) asked() (found []moment) {
	var texts []string
	for _, block := range blocksOf(l.Message.Content) {
		switch {
		case block.Type == "tool_result":
			found = append(found, block.answer(l.Timestamp))
		case block.Type == "image":
			texts = append(texts, "[image]")
		case strings.HasPrefix(block.Text, "[Request interrupted by user"):
			return append(found, moment{at: l.Timestamp, kind: interrupted})
		default:
			texts = append(texts, block.Text)
		}
	}
	request := moment{at: l.Timestamp, kind: asked, text: requestText(slices.Clone(texts)), about: map[string]any{}}
	if command := slashCommand.FindStringSubmatch(strings.Join(texts, "\n")); command != nil {
		request.kind, request.text = commanded, "/"+command[1]
		if with := slashArguments.FindStringSubmatch(strings.Join(texts, "\n")); with != nil {
			request.text = clipped(strings.TrimSpace(request.text + " " + with[1]))
		}
	}
	if len(found) > 0 || request.text == "" { // beside results the program speaks
		return found
	}
	request.id = cmp.Or(l.UUID, shortHash(l.SessionID, l.Timestamp.String(), request.text))
	request.about = aboutOf("claude-code", l.Cwd, l.GitBranch, l.Version)
	return append(found, request)
}

var (
	slashCommand   = regexp.MustCompile(`<command-name>\s*/?([^<\s]+)\s*</command-name>`)
	slashArguments = regexp.MustCompile(`(?s)<command-args>(.*?)</command-args>`)
)

// aboutOf is the metadata of an episode.
func aboutOf(source, directory, branch, version string) map[string]any {
	about := map[string]any{"source": source}
	for name, value := range map[string]string{"directory": directory, "branch": branch, "version": version} {
		if value != "" {
			about[name] = value
		}
	}
	if project := path.Base(strings.ReplaceAll(directory, `\`, "/")); directory != "" && project != "/" {
		about["project"] = project
	}
	return about
}

// done is what a line of the agent's side says.
func (l *claudeLine) done() (found []moment) {
	for _, block := range blocksOf(l.Message.Content) {
		m := moment{at: l.Timestamp}
		switch {
		case block.Type == "text" && l.IsAPIErrorMessage:
			m.kind, m.text = broke, clipped(block.Text)
		case block.Type == "text" && l.Message.Model == "<synthetic>":
			continue
		case block.Type == "text":
			m.kind, m.text = said, clipped(block.Text)
		case block.Type == "thinking":
			m.kind, m.text = thought, clipped(block.Thinking)
		case block.Type == "tool_use", block.Type == "server_tool_use":
			m.kind, m.id, m.name, m.given = called, block.ID, block.Name, asArguments(block.Input)
		case strings.HasSuffix(block.Type, "tool_result"):
			m = block.answer(l.Timestamp)
		}
		if m.text != "" || m.id != "" {
			found = append(found, m)
		}
	}
	if u := l.Message.Usage; l.Message.ID != "" {
		found = append(found, moment{at: l.Timestamp, kind: used, id: l.Message.ID, tokens: tokens{u.Input + u.Written + u.Cached, u.Output}})
	}
	return found
}

func (b *claudeBlock) answer(at time.Time) moment {
	var texts []string
	for _, part := range blocksOf(b.Content) {
		texts = append(texts, cmp.Or(part.Text, "["+part.Type+"]"))
	}
	return moment{at: at, kind: answered, id: b.ToolUseID, text: clipped(strings.Join(texts, "\n")), failed: b.IsError}
}

// blocksOf are the parts of a content, which may be a text.
func blocksOf(content json.RawMessage) (blocks []claudeBlock) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []claudeBlock{{Type: "text", Text: text}}
	}
	_ = json.Unmarshal(content, &blocks)
	return blocks
}
