package importer

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/prose"
	"mneme/service/boundary"
)

// A transcript is a coding agent's session on disk, a line of JSON for each thing said or done. A request until the
// next is an episode. Its form differs from version to version, so what is not known is counted and left out.

// idle is after how long without a line a session is taken to be over.
const idle = time.Hour

// importTranscript records the episodes of a transcript.
func importTranscript(ctx context.Context, s *sink, file *bufio.Reader) error {
	t, err := s.readTranscript(ctx, file)
	all := t.exchanges()
	if s.options.Latest {
		all = all[max(0, len(all)-2):]
	}
	for _, e := range all {
		if last := e.last(); err == nil && !last.IsZero() && !last.Before(s.options.Since) {
			run := s.episode(t, e)
			err = s.addInParts(ctx, run)
			s.countRun(run)
		}
	}
	return err
}

func (s *sink) readTranscript(ctx context.Context, file *bufio.Reader) (*transcript, error) {
	s.seen = cmp.Or(s.options.Seen, NewTranscripts())
	t := &transcript{format: s.options.Format}
	seen := map[[sha256.Size]byte]bool{} // a session that is gone on with may repeat what was before
	err := eachLine(file, maxLine, func(number int, line []byte, fault error) error {
		s.report.Line = number
		sum := sha256.Sum256(line)
		if fault != nil || !json.Valid(line) { // such as the last, which is being written
			s.seen.Unread["damaged"]++
		} else if !seen[sum] {
			seen[sum] = true
			if unknown := t.take(line); unknown != "" {
				s.seen.Unread[prose.Shorten(unknown, 64)]++
			}
		}
		return ctx.Err()
	})
	return t, err
}

// exchange is a request and what the agent did for it.
type exchange struct {
	request      *moment
	moments      []*moment
	answers      map[string]*moment // of all calls of the session, by their ids
	usage        tokens
	closed       bool
	interruption string // in words
}

// exchanges are those of a session. What stands before the first request lacks its own.
func (t *transcript) exchanges() (all []*exchange) {
	slices.SortStableFunc(t.moments, func(a, b moment) int { return a.at.Compare(b.at) })
	requests := []momentKind{asked, commanded}
	if !slices.ContainsFunc(t.moments, func(m moment) bool { return m.kind == asked }) {
		requests = append(requests, sent)
	}
	same := keys{}
	usage := map[string]tokens{} // of a message, whose parts each tell it
	answers := map[string]*moment{}
	for i := range t.moments {
		m := &t.moments[i]
		switch isRequest := slices.Contains(requests, m.kind); {
		case isRequest:
			if m.id == "" {
				m.id = same.of(memory.KindEpisode, []byte(t.session), []byte(m.text))
			}
			all = append(all, &exchange{request: m, answers: answers, interruption: "Interrupted by the user."})
		case m.kind == answered && answers[m.id] == nil:
			answers[m.id] = m
		case len(all) == 0 || m.kind == answered || m.kind == sent:
		default:
			all[len(all)-1].take(m, usage)
		}
	}
	all = slices.DeleteFunc(all, func(e *exchange) bool { return e.request.kind == commanded && len(e.moments) == 0 })
	for i := range all[:max(0, len(all)-1)] {
		all[i].closed, all[i].interruption = true, "Interrupted by the user, who then said: "+all[i+1].request.text
	}
	return all
}

func (e *exchange) take(m *moment, usage map[string]tokens) {
	switch m.kind {
	case used:
		before := usage[m.id]
		e.usage.Input += max(0, m.tokens.Input-before.Input)
		e.usage.Output += max(0, m.tokens.Output-before.Output)
		usage[m.id] = m.tokens
	case ended:
		e.closed = true
	default:
		e.moments = append(e.moments, m)
	}
}

// last is when something was said or done last.
func (e *exchange) last() time.Time {
	if len(e.moments) == 0 {
		return e.request.at
	}
	return e.moments[len(e.moments)-1].at
}

// episode is that of an exchange. The last of a session that goes on stays open, up to the first unanswered call.
func (s *sink) episode(t *transcript, e *exchange) *run {
	format := string(t.format)
	r := &run{CaptureRunInput: boundary.CaptureRunInput{
		RunID: format + "-" + e.request.id, AgentID: format, Events: s.log(e), EpisodeExtras: boundary.EpisodeExtras{Metadata: jsonOf(e.request.about)},
	}, line: s.report.Line}
	if t.session != "" {
		r.SessionID = &t.session
	}
	if project := e.request.about["project"]; project != "" {
		r.WorkflowName = &project
	}
	return r
}

// log is what happened, in its order. It only grows with the transcript, so that the rest can be appended.
func (s *sink) log(e *exchange) (events []boundary.EventInput) {
	at := e.request.at
	tell := func(kind string, data map[string]any) {
		events = append(events, boundary.EventInput{Type: kind, Data: jsonOf(data), At: at})
	}
	tell(capture.EventWorkflowStarted, map[string]any{"args": e.request.text})
	closed := e.closed || s.options.Ended || time.Since(e.last()) > idle
	end, result, fault := capture.EventTaskCompleted, "", "" // whether it was right nobody said
	for _, m := range e.moments {
		at, fault = m.at, ""
		switch m.kind {
		case thought:
			tell(capture.EventAgentThought, map[string]any{"thought": m.text})
		case said:
			result = m.text
			tell(capture.EventAgentMessage, map[string]any{"role": "assistant", "content": m.text})
		case called:
			answer := e.answers[m.id]
			if answer == nil && !closed {
				return events
			}
			if m.committed(answer) {
				end = capture.EventWorkflowCompleted
			}
			s.seen.count(m.name, answer)
			tell(capture.EventStepCompleted, map[string]any{"step_id": m.id, "step_name": m.name, "result": m.step(answer)})
		case interrupted:
			fault = e.interruption
		case broke:
			fault = m.text
		}
	}
	if !closed {
		return events
	}
	if e.usage != (tokens{}) {
		tell("tokens", map[string]any{"input": e.usage.Input, "output": e.usage.Output})
	}
	if fault != "" {
		tell(capture.EventWorkflowFailed, map[string]any{"error": fault})
	} else {
		tell(end, map[string]any{"result": result})
	}
	return events
}

// step is what a call was made with and what came of it.
func (m *moment) step(answer *moment) map[string]any {
	step := map[string]any{"arguments": m.given}
	switch {
	case answer == nil, strings.Contains(m.name, "mneme__"): // what it recalled is not recorded again
	case answer.failed:
		step["error"] = jsonOrText(answer.text)
	default:
		step["result"] = jsonOrText(answer.text)
	}
	return step
}

// committed says whether a call committed to Git.
func (m *moment) committed(answer *moment) bool {
	return answer != nil && !answer.failed && shells.MatchString(m.name) && commits.Match(m.given)
}

// commits is a command that commits to Git, and shells are tools that run commands.
var (
	commits = regexp.MustCompile(`\bgit\b[^|;&]*\bcommit\b`)
	shells  = regexp.MustCompile(`(?i)bash|shell|exec|command|terminal`)
)

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
	if answer == nil {
		return
	}
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
