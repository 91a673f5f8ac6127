package ranking

import (
	"fmt"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

const lessonsHeader = "Lessons from past similar situations:\n"

// Lessons is the hits, best first, as a block for a prompt: of each its time, observation, steps,
// result, insight, what people said they liked and disliked, and, as a warning, the corrections of those who
// were not content. It needs Context.Feedback for what people said.
//
// The block is at most maxTokens long (see memory.EstimateTokens). Where it would be longer, the longest
// texts are cut first, all to one length; where that would leave too little of each, the last hits
// are left out. It is empty where not even one hit fits, or there is none.
func Lessons(hits []*memory.Episode, maxTokens int) string {
	lessons := make([]lesson, len(hits))
	for i, hit := range hits {
		lessons[i] = lessonOf(hit)
	}
	kept, limit := prose.Fit(len(lessons), maxTokens, func(n, limit int) int {
		size := len(lessonsHeader) - 1 // the last line goes without its end
		for _, l := range lessons[:n] {
			size += l.size(limit)
		}
		return size
	})
	if kept == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(lessonsHeader)
	for _, l := range lessons[:kept] {
		l.write(&out, limit)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// lesson is what is said of one episode: a head line and labelled texts.
type lesson struct {
	head  string
	lines []labelled
}

type labelled struct{ label, text string }

func lessonOf(e *memory.Episode) lesson {
	l := lesson{head: "\nEpisode from " + e.StartedAt.UTC().Format(time.RFC3339)}
	if e.Outcome == memory.OutcomeSuccess || e.Outcome == memory.OutcomeFailure {
		l.head += fmt.Sprintf(" (%s)", strings.ToLower(string(e.Outcome)))
	}
	l.head += "\n"
	l.add("Observation: ", e.Observation)
	l.add("Actions: ", summary.Steps(e.Actions))
	if e.Result != nil {
		l.add("Result: ", *e.Result)
	}
	l.add("Key insight: ", e.Insight)
	l.addFeedback(e)
	return l
}

func (l *lesson) add(label, text string) {
	if text = prose.OneLine(text); text != "" {
		l.lines = append(l.lines, labelled{label, text})
	}
}

// size is the length of what write writes, at most.
func (l lesson) size(limit int) int {
	size := len(l.head)
	for _, line := range l.lines {
		size += len(line.label) + min(len(line.text), limit) + len("\n")
	}
	return size
}

func (l lesson) write(out *strings.Builder, limit int) {
	out.WriteString(l.head)
	for _, line := range l.lines {
		out.WriteString(line.label + prose.ShortenBytes(line.text, limit) + "\n")
	}
}

// addFeedback adds what people said: each comment as its reaction means it, and the corrections that came with a
// negative reaction, or with any reaction to an episode that was rated negatively on the whole.
func (l *lesson) addFeedback(e *memory.Episode) {
	if e.Context == nil {
		return
	}
	mean := e.AggregateFeedbackScore()
	for _, f := range e.Context.Feedback {
		if f.Comment != nil {
			l.add(commentLabel(f.Score), *f.Comment)
		}
		if f.Corrections != nil && (f.Score < 0 || mean != nil && *mean < 0) {
			l.add("⚠️ User correction: ", *f.Corrections)
		}
	}
}

func commentLabel(score float64) string {
	switch {
	case score > 0:
		return "User liked: "
	case score < 0:
		return "⚠️ User disliked: "
	default:
		return "User comment: "
	}
}
