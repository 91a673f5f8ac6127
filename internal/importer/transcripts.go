package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"mneme/memory/capture"
	"mneme/memory/prose"
	"mneme/service"
)

// A transcript is what a coding agent leaves of a session on disk, a line of JSON for each thing said or done. A request until the next
// is an episode. Its form differs from version to version, so what is not known is counted and left out.

// transcriptReader brings the lines of a transcript to moments.
type transcriptReader interface {
	// take reads a line. It answers a type that it does not know, else "".
	take(line []byte) (found []moment, unknown string)
	// whole is what all lines tell together, in the order of time, and of which session; "" where nothing says so.
	whole(moments []moment) (told []moment, session string)
}

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
	about  map[string]any // metadata of an episode
	event  bool           // a request that was told as an event
}

type momentKind int

const (
	asked     momentKind = iota // by a person
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
type tokens struct{ Input, Output int }

// idle is after how long without a line a session is taken to be over.
const idle = time.Hour

// readTranscript records the episodes of a transcript.
func readTranscript(ctx context.Context, s *sink, file *bufio.Reader, reader transcriptReader) error {
	s.seen = cmp.Or(s.options.Seen, NewTranscripts())
	all, session, err := s.exchanges(ctx, file, reader)
	if s.options.Latest {
		all = all[max(0, len(all)-2):]
	}
	for _, e := range all {
		if err == nil {
			err = s.addExchange(ctx, e, session)
		}
	}
	return err
}

// exchanges reads those of a transcript, and of which session they are.
func (s *sink) exchanges(ctx context.Context, file *bufio.Reader, reader transcriptReader) (all []*exchange, session string, err error) {
	var moments []moment
	var first []byte
	seen := map[[sha256.Size]byte]bool{} // a session that is gone on with may repeat what was before
	err = eachLine(file, maxLine, func(number int, line []byte, fault error) error {
		if s.report.Line = number; first == nil {
			first = bytes.Clone(line)
		}
		sum := sha256.Sum256(line)
		switch {
		case fault != nil, !json.Valid(line): // such as the last, which is being written
			s.seen.Unread["damaged"]++
			return ctx.Err()
		case seen[sum]:
			return ctx.Err()
		}
		seen[sum] = true
		found, unknown := reader.take(line)
		if unknown != "" {
			s.seen.Unread[prose.Shorten(unknown, 64)]++
		}
		moments = append(moments, found...)
		return ctx.Err()
	})
	if err != nil {
		return nil, "", err
	}
	if len(moments) == 0 {
		s.misread(first)
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return a.at.Compare(b.at) })
	moments, session = reader.whole(moments)
	return exchanged(moments), session, nil
}

// exchange is a request and what the agent did for it.
type exchange struct {
	request moment
	moments []moment
	answers map[string]*moment // of its calls, by their id
	usage   tokens
	closed  bool
	next    string // the request after it
}

// exchanged are the exchanges of a session. What stands before the first request lacks its own.
func exchanged(moments []moment) (all []*exchange) {
	var total tokens
	usage := map[string]tokens{}    // of a message, whose parts each tell it
	calls := map[string]*exchange{} // a person may ask for more before a call is answered
	for i := range moments {
		m := &moments[i]
		if m.kind == asked || m.kind == commanded {
			all = append(all, &exchange{request: *m, answers: map[string]*moment{}})
			continue
		}
		if len(all) == 0 {
			continue
		}
		e := all[len(all)-1]
		switch m.kind {
		case used:
			before := &total
			if m.id != "" {
				already := usage[m.id]
				before, usage[m.id] = &already, m.tokens
			}
			e.usage.Input += max(0, m.tokens.Input-before.Input)
			e.usage.Output += max(0, m.tokens.Output-before.Output)
			*before = m.tokens
			continue
		case ended:
			e.closed = true
			continue
		case answered:
			if of := calls[m.id]; of != nil && of.answers[m.id] == nil {
				of.answers[m.id] = m
			}
			continue
		case called:
			calls[m.id] = e
		}
		e.moments = append(e.moments, *m)
	}
	all = slices.DeleteFunc(all, func(e *exchange) bool { return e.request.kind == commanded && len(e.moments) == 0 })
	for i, e := range all {
		if i+1 < len(all) {
			e.closed, e.next = true, all[i+1].request.text
		}
	}
	return all
}

// lastOf is when something was said or done last.
func lastOf(e *exchange) time.Time {
	if len(e.moments) == 0 {
		return e.request.at
	}
	return e.moments[len(e.moments)-1].at
}

// addExchange records an episode. The last of a session that goes on stays open, up to the first call that waits for its answer.
func (s *sink) addExchange(ctx context.Context, e *exchange, session string) error {
	format := string(s.options.Format)
	last := lastOf(e)
	if last.IsZero() || last.Before(s.options.Since) {
		return nil
	}
	log := s.log(e)
	r := &run{CaptureRunInput: service.CaptureRunInput{
		RunID: format + "-" + e.request.id, AgentID: format, Events: log, EpisodeExtras: service.EpisodeExtras{Metadata: jsonOf(e.request.about)},
	}, line: s.report.Line}
	if session != "" {
		r.SessionID = &session
	}
	if project, ok := e.request.about["project"].(string); ok && project != "" {
		r.WorkflowName = &project
	}
	return s.addInParts(ctx, r)
}

// exchangeLog is the log of an exchange in the making.
type exchangeLog struct {
	events        []service.EventInput
	at            time.Time
	result, fault string
	committed     bool
}

func (l *exchangeLog) tell(kind string, data map[string]any) {
	l.events = append(l.events, service.EventInput{Type: kind, Data: jsonOf(data), At: l.at})
}

// log is what happened, in its order. What is there of it does not change when the transcript grows, so that the rest can be appended.
func (s *sink) log(e *exchange) []service.EventInput {
	l := exchangeLog{at: e.request.at}
	l.tell(capture.EventWorkflowStarted, map[string]any{"args": e.request.text})
	closed := e.closed || s.options.Ended || time.Since(lastOf(e)) > idle
	for i := range e.moments {
		m := &e.moments[i]
		answer := e.answers[m.id]
		if m.kind == called && answer == nil && !closed {
			return l.events
		}
		l.add(m, answer, e.next)
		if m.kind == called && answer != nil {
			s.seen.count(m.name, answer)
		}
	}
	if closed {
		l.end(e.usage)
	}
	return l.events
}

func (l *exchangeLog) add(m, answer *moment, next string) {
	if l.at = m.at; m.kind != interrupted {
		l.fault = ""
	}
	switch m.kind {
	case thought:
		l.tell(capture.EventAgentThought, map[string]any{"thought": m.text})
	case said:
		l.result = m.text
		l.tell(capture.EventAgentMessage, map[string]any{"role": "assistant", "content": m.text})
	case called:
		step := map[string]any{"arguments": m.given}
		if answer != nil {
			l.committed = l.committed || !answer.failed && shells.MatchString(m.name) && commits.Match(m.given)
			name := "result"
			if answer.failed {
				name = "error"
			}
			if !strings.Contains(m.name, "mneme__") { // what it recalled is not recorded again
				step[name] = jsonOrText(answer.text)
			}
		}
		l.tell(capture.EventStepCompleted, map[string]any{"step_id": m.id, "step_name": m.name, "result": step})
	case interrupted:
		if l.fault = "Interrupted by the user."; next != "" {
			l.fault = "Interrupted by the user, who then said: " + next
		}
	case broke:
		l.fault = m.text
	}
}

func (l *exchangeLog) end(usage tokens) {
	if usage != (tokens{}) {
		l.tell("tokens", map[string]any{"input": usage.Input, "output": usage.Output})
	}
	switch {
	case l.fault != "":
		l.tell(capture.EventWorkflowFailed, map[string]any{"error": l.fault})
	case l.committed:
		l.tell(capture.EventWorkflowCompleted, map[string]any{"result": l.result})
	default: // whether it was right nobody said
		l.tell(capture.EventTaskCompleted, map[string]any{"result": l.result})
	}
}

// commits is a command that commits to Git, and shells are tools that run commands.
var (
	commits = regexp.MustCompile(`\bgit\b[^|;&]*\bcommit\b`)
	shells  = regexp.MustCompile(`(?i)bash|shell|exec|command|terminal`)
)

// longestText is how much is kept of a text, in bytes. Of a longer one the middle is left out: errors stand at the end.
const longestText = 16 << 10

func clipped(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	if left := len(text) - longestText; left > 0 {
		text = strings.ToValidUTF8(fmt.Sprintf("%s\n… %d bytes left out …\n%s", text[:longestText/2], left, text[len(text)-longestText/2:]), "")
	}
	return text
}

// asArguments are what a tool was called with, which some write as a text. What is long becomes one.
func asArguments(value json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(value, &text) == nil && json.Valid([]byte(text)) {
		value = json.RawMessage(text)
	}
	switch {
	case len(value) == 0:
		return json.RawMessage("null")
	case len(value) > longestText, bytes.Contains(value, []byte(`\u0000`)):
		return json.RawMessage(jsonOf(clipped(string(value))))
	}
	return value
}

// requestText is what a person asked for by parts of a text, without what the program put beside it: parts that are in a tag of
// its own, whose name has a dash or an underscore.
func requestText(parts []string) string {
	parts = slices.DeleteFunc(parts, func(part string) bool {
		part = strings.TrimSpace(part)
		tag := ownTag.FindStringSubmatch(part)
		return tag != nil && strings.HasSuffix(part, "</"+tag[1]+">") || ownText.MatchString(part)
	})
	return clipped(strings.TrimSpace(strings.Join(parts, "\n")))
}

var (
	ownTag  = regexp.MustCompile(`^<([a-z]+(?:[-_][a-z]+)+|skill)\b[^>]*>`)
	ownText = regexp.MustCompile(`^(?:Caveat: The messages below|# AGENTS\.md instructions|This session is being continued from a previous)`)
)

// shortHash is a hash of texts for a key.
func shortHash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// Transcripts is what an import of transcripts saw beside episodes.
type Transcripts struct {
	// Unread counts the lines of which nothing is known, by what they call themselves.
	Unread map[string]int `json:"unread"`
	// Tools are those that agents called.
	Tools map[string]*ToolUse `json:"tools"`
}

// ToolUse counts the calls of a tool, those that failed, and what they said.
type ToolUse struct {
	Calls  int            `json:"calls"`
	Failed int            `json:"failed"`
	Faults map[string]int `json:"-"`
}

// NewTranscripts is what an import of nothing saw.
func NewTranscripts() *Transcripts {
	return &Transcripts{Unread: map[string]int{}, Tools: map[string]*ToolUse{}}
}

func (t *Transcripts) count(tool string, answer *moment) {
	use := t.Tools[tool]
	if use == nil {
		use = &ToolUse{Faults: map[string]int{}}
		t.Tools[tool] = use
	}
	use.Calls++
	if !answer.failed {
		return
	}
	use.Failed++
	for line := range strings.Lines(answer.text) {
		if line = prose.Shorten(strings.TrimSpace(line), 80); line != "" && !strings.HasPrefix(line, "Exit code ") {
			use.Faults[line]++
			return
		}
	}
}
