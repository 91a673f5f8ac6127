package engagement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
)

// Taken says what a canvas was and how people took it: "line chart: closed after 3 s", "bar chart: 30 s, liked". Of the
// feedback of its episode it counts what is on the canvas. The rules' own states are named as words: EXPORTED_PDF is "exported pdf".
func Taken(c *memory.Canvas, feedback []*memory.Feedback, rules *memory.CanvasRules) string {
	said := nameOf(c).one() + ": " + dealtWith(c, rules)
	if slices.Contains(c.States(rules), memory.StateErrorShown) {
		said += ", showed an error"
	}
	for _, state := range prose.CountRuns(slices.Sorted(slices.Values(c.CustomStates(rules)))) {
		said += ", " + wordsOf(strings.ToLower(state))
	}
	var on []*memory.Feedback
	for _, f := range feedback {
		if f.CanvasKey != nil && *f.CanvasKey == c.Key {
			on = append(on, f)
		}
	}
	if reactions := Reactions(on); reactions != "" {
		said += ", " + reactions
	}
	return said
}

// Reactions counts reactions by the sign of their score: "liked ×2, disliked". It is empty where there is none.
func Reactions(feedback []*memory.Feedback) string {
	var words []string
	for i, word := range [...]string{"liked", "neutral", "disliked"} {
		for _, f := range feedback {
			if cmp.Compare(f.Score, 0) == 1-i {
				words = append(words, word)
			}
		}
	}
	return strings.Join(prose.CountRuns(words), ", ")
}

// taking is how a person took a canvas, as far as it says something.
type taking int

const (
	untold    taking = iota // it was neither closed nor submitted
	quick                   // closed quickly, whenever it was shown
	stayed                  // kept longer at least once
	submitted               // a form that was submitted
)

// takingOf is how a canvas was taken, and for how long: of the presentations that were taken so the longest.
func takingOf(c *memory.Canvas, rules *memory.CanvasRules) (taking, time.Duration) {
	how, dwell := untold, time.Duration(0)
	for _, p := range c.Presentations() {
		this := untold
		switch {
		case p.Submitted:
			this = submitted
		case p.Quick(rules):
			this = quick
		case p.Ended:
			this = stayed
		}
		if this > how || this == how && p.Dwell > dwell {
			how, dwell = this, p.Dwell
		}
	}
	return how, dwell
}

func dealtWith(c *memory.Canvas, rules *memory.CanvasRules) string {
	how, dwell := takingOf(c, rules)
	said, most := "", ""
	if n := len(c.Presentations()); n > 1 {
		said, most = fmt.Sprintf("shown %d times, ", n), " at most"
	}
	switch how {
	case submitted:
		return said + "submitted after " + seconds(dwell)
	case stayed:
		return said + seconds(dwell) + most
	case quick:
		return said + "closed after " + seconds(dwell) + most
	}
	if slices.Contains(c.States(rules), memory.StateFormSubmitted) { // nobody knows when it was shown
		return said + "submitted"
	}
	return cmp.Or(strings.TrimSuffix(said, ", "), "shown")
}

// seconds is a length of time, cut rather than rounded, as in the explorer (numbers.ts), so that what is closed before 5 s never reads as 5 s.
func seconds(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Truncate(100*time.Millisecond).Seconds()), ".0") + " s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}
