package ranking

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

// Recalled is what a recall brought, as far as its lessons tell it.
type Recalled struct {
	Hits     []*memory.Episode // best first
	Cautions []*memory.Episode // what went wrong; some may be hits, too
	// By key: Wrong says what went wrong, Moments what in the middle of an episode made it a hit, Turned how often it was
	// done where more than once, and Contrasts in what those that succeeded differ from those that failed.
	Wrong                      map[string]bool
	Moments, Turned, Contrasts map[string]string
	// Siblings are near-identical episodes by key; lessons tell how people took what they showed, and what they said.
	Siblings map[string][]*memory.Episode
	// Patterns say what recurs in such episodes.
	Patterns []string
	// Others are further episodes that succeeded, of which one may have done what a caution did not.
	Others   []*memory.Episode
	Likeness Likeness
}

// headers are the first lines: they say whether the episodes are of such a situation at all.
var headers = map[Likeness]string{
	Alike:        "Lessons from past similar situations:\n",
	PerhapsAlike: "Lessons from past situations that may be like this one:\n",
	Unlike:       "Lessons from the latest situations; none matches this one:\n",
}

// wrongHeader stands before what went wrong.
const wrongHeader = "\nWhat went wrong in similar situations:\n"

// What a lesson has at most of one sort, so that one episode does not take the room of the others.
const (
	canvasesShown = 8 // the latest
	remarksShown  = 8 // corrections first, then the latest
)

// Lessons is what a recall brought as a block for a prompt: of each hit, best first, its time, observation, steps,
// result, insight, what was shown and how people took it, what they said, and corrections as a warning. What went wrong
// stands under its own header, with the step that failed and what another run did instead. The block ends with what
// recurs, and what people here do with what they are shown (see engagement.Conclusion). Where no hit is much like the
// situation, it says so first. The canvases and feedback come from the episodes' Context, read by the rules.
//
// The block is at most maxTokens long (see memory.EstimateTokens). Where it would be longer, the longest texts are cut
// first, all to one length; where that would leave too little of each, the last lessons are left out: all others before
// the best and the cautions. What people do gives way to the first lesson, and stands alone where only that fits. It is
// empty where nothing fits, or there is nothing.
func Lessons(r Recalled, rules *memory.CanvasRules, maxTokens int) string {
	lessons := r.lessons(rules)
	header, end := headers[r.Likeness], r.patterns()+r.conclusion(rules)
	if r.Likeness == Alike && len(lessons) > 0 && lessons[0].wrong { // as are all: nothing would stand under it
		header = ""
	}
	kept, limit := fit(lessons, len(header)+len(end), maxTokens)
	if kept == 0 { // the end would take the room of the only lesson
		if kept, limit = fit(lessons, len(header), maxTokens); kept > 0 {
			end = ""
		}
	}
	if kept == 0 && (end == "" || memory.EstimateTokens(strings.TrimSpace(header+end)) > maxTokens) {
		return ""
	}
	var out strings.Builder
	out.WriteString(header)
	for _, wrong := range []bool{false, true} {
		for _, l := range lessons[:kept] {
			if l.wrong == wrong {
				l.write(&out, limit)
			}
		}
	}
	return strings.Trim(out.String()+end, "\n")
}

// lessons are all there are, in the order in which they have room: the best to copy, the cautions, then the other hits.
func (r Recalled) lessons(rules *memory.CanvasRules) []lesson {
	var first, cautions, rest []lesson
	all, insights := slices.Concat(r.Hits, r.Cautions), map[string]string{}
	for i, e := range all {
		if slices.Contains(all[:i], e) {
			continue
		}
		l := r.lessonOf(e, insights, rules)
		switch {
		case slices.Contains(r.Cautions, e):
			cautions = append(cautions, l)
		case !l.wrong && first == nil:
			first = append(first, l)
		default:
			rest = append(rest, l)
		}
	}
	lessons := slices.Concat(first, cautions, rest)
	if i := slices.IndexFunc(lessons, func(l lesson) bool { return l.wrong }); i >= 0 {
		lessons[i].head = wrongHeader + lessons[i].head
	}
	return lessons
}

// fit says how many lessons have room beside what is said around them, and how long their texts may be.
func fit(lessons []lesson, around, maxTokens int) (kept, limit int) {
	return prose.Fit(len(lessons), maxTokens, func(n, limit int) int {
		size := around - 1 // the last line goes without its end
		for _, l := range lessons[:n] {
			size += l.size(limit)
		}
		return size
	})
}

// patternBytes is how much of a pattern is told.
const patternBytes = 300

// patterns is what recurs, before what people do.
func (r Recalled) patterns() string {
	if len(r.Patterns) == 0 || len(r.Hits) == 0 {
		return ""
	}
	said := "\nWhat recurs:\n"
	for _, pattern := range r.Patterns {
		said += "- " + prose.ShortenBytes(prose.OneLine(pattern), patternBytes) + "\n"
	}
	return said
}

// Taken are the hits with their siblings.
func (r Recalled) Taken() []*memory.Episode {
	all := slices.Clone(r.Hits)
	for _, e := range r.Hits {
		all = append(all, r.Siblings[e.Key]...)
	}
	return all
}

// conclusion is what people do with what the hits showed them, as the last lines.
func (r Recalled) conclusion(rules *memory.CanvasRules) string {
	var canvases []*memory.Canvas
	var feedback []*memory.Feedback
	for _, e := range r.Taken() {
		with := memory.OrZero(e.Context)
		canvases, feedback = append(canvases, with.Canvases...), append(feedback, with.Feedback...)
	}
	if sentence := engagement.Conclusion(canvases, feedback, rules); sentence != "" {
		return "\n" + sentence + "\n"
	}
	return ""
}

// lesson is what is said of one episode: a head line and labelled texts.
type lesson struct {
	wrong bool
	head  string
	lines []labelled
}

type labelled struct{ label, text string }

// lessonOf is what is said of an episode; insights are those already said, by the id of their episode.
func (r Recalled) lessonOf(e *memory.Episode, insights map[string]string, rules *memory.CanvasRules) lesson {
	l := lesson{wrong: r.Wrong[e.Key], head: "\nEpisode from " + e.StartedAt.UTC().Format(time.RFC3339)}
	switch {
	case e.Outcome == memory.OutcomeSuccess && l.wrong:
		l.head += " (success, but people put it right or disliked it)"
	case e.Outcome == memory.OutcomeSuccess || e.Outcome == memory.OutcomeFailure:
		l.head += fmt.Sprintf(" (%s)", strings.ToLower(string(e.Outcome)))
	default:
		l.head += " (outcome unknown)"
	}
	l.head += ", " + e.ID()
	if turned := r.Turned[e.Key]; turned != "" {
		l.head += "; done " + turned
	}
	l.head += "\n"
	l.add("Observation: ", e.Observation)
	l.add("Actions: ", summary.Steps(e.Actions))
	l.add("In the middle: ", r.Moments[e.Key])
	if e.Result != nil {
		l.add("Result: ", *e.Result)
	}
	switch said := prose.OneLine(e.Insight); {
	case said == "" || e.Insight == summary.Insight(e): // what is written by rule only repeats the record
	case insights[said] != "":
		l.add("Key insight: ", "that of "+insights[said])
	default:
		insights[said] = e.ID()
		l.add("Key insight: ", said)
	}
	l.add("What succeeded: ", r.Contrasts[e.Key])
	episodes := append([]*memory.Episode{e}, r.Siblings[e.Key]...)
	l.addShown(episodes, rules)
	l.addFeedback(episodes)
	if l.wrong {
		said := len(l.lines)
		l.add("Failed step: ", summary.FailedStep(e))
		if e.Outcome == memory.OutcomeFailure && len(l.lines) == said && !corrected(e) && e.Insight == summary.Insight(e) {
			l.add("Why: ", "nobody but the run itself said why it failed")
		}
		l.add("Instead: ", r.instead(e))
	}
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

// addShown adds what people were shown and how they took it, each episode's in the order of showing, and their
// reactions to the rest that came without words.
func (l *lesson) addShown(episodes []*memory.Episode, rules *memory.CanvasRules) {
	var shown []labelled
	var rest []*memory.Feedback
	for _, e := range episodes {
		with, seen := memory.OrZero(e.Context), map[string]bool{}
		for _, c := range with.Canvases {
			seen[c.Key] = true
			shown = append(shown, labelled{text: engagement.Taken(c, with.Feedback, rules)})
		}
		for _, f := range with.Feedback {
			if said(f.Comment) == "" && said(f.Corrections) == "" && (f.CanvasKey == nil || !seen[*f.CanvasKey]) {
				rest = append(rest, f)
			}
		}
	}
	var texts []string
	for _, line := range slices.Backward(counted(shown, canvasesShown)) {
		texts = append(texts, line.text)
	}
	l.add("Shown: ", strings.Join(texts, "; "))
	l.add("Reactions: ", engagement.Reactions(rest))
}

// addFeedback adds what people said: the corrections that came with a negative reaction, or with any reaction to an
// episode that was rated negatively on the whole, as warnings; then other remarks as their reactions mean them.
func (l *lesson) addFeedback(episodes []*memory.Episode) {
	var warnings, remarks []labelled
	for _, e := range episodes {
		mean := e.AggregateFeedbackScore()
		for _, f := range memory.OrZero(e.Context).Feedback {
			if text := said(f.Comment); text != "" {
				remarks = append(remarks, labelled{commentLabel(f.Score), text})
			}
			switch text := said(f.Corrections); {
			case text == "":
			case f.Score < 0 || mean != nil && *mean < 0:
				warnings = append(warnings, labelled{"⚠️ User correction: ", text})
			default:
				remarks = append(remarks, labelled{"User remark: ", text})
			}
		}
	}
	l.lines = append(l.lines, counted(append(warnings, remarks...), remarksShown)...)
}

// said is what a person said, on one line; empty where that is nothing.
func said(text *string) string { return prose.OneLine(memory.OrZero(text)) }

// counted is the first lines, each once, with how often it is there.
func counted(lines []labelled, most int) []labelled {
	var once []labelled
	times := map[labelled]int{}
	for _, line := range lines {
		if times[line]++; times[line] == 1 {
			once = append(once, line)
		}
	}
	once = once[:min(len(once), most)]
	for i, line := range once {
		if n := times[line]; n > 1 {
			once[i].text += fmt.Sprintf(" (%d times)", n)
		}
	}
	return once
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
