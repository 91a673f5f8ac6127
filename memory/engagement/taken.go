package engagement

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
)

// Taken says what a canvas was and how people took it: "line chart: closed after 3 s", "bar chart: 30 s, liked". Of a
// form it tells the fields that were shown and what was submitted, and of an error its text. It counts the feedback on
// the canvas. The rules' own states are named as words: EXPORTED_PDF is "exported pdf".
func Taken(c *memory.Canvas, feedback []*memory.Feedback, rules *memory.CanvasRules) string {
	said := nameOf(c).one() + ": " + dealtWith(c, rules)
	said += form(c)
	for _, fault := range prose.CountRuns(faults(c)) {
		said += ", showed an error: " + prose.Shorten(fault, metadataRunes)
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

// metadataRunes is how much is told of what a form held, and of an error.
const metadataRunes = 160

// form tells what a form was shown with and what was submitted, as far as its metadata says.
func form(c *memory.Canvas) (said string) {
	var submitted memory.JSON
	for _, a := range c.Actions {
		if a.Action == memory.CanvasSubmit {
			submitted = a.Metadata
		}
	}
	if c.CanvasType != memory.CanvasForms && submitted == nil {
		return ""
	}
	if shown := metadataText(c.Metadata()); shown != "" && !slices.Equal(c.Metadata(), submitted) {
		said += ", shown with " + shown
	}
	if filled := metadataText(submitted); filled != "" {
		said += ", submitted with " + filled
	}
	return said
}

// metadataText tells the values of metadata but an error, by name: "completed: name, address; year: 2024".
func metadataText(metadata memory.JSON) string {
	fields, _ := memory.JSONFields(metadata)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name == "error" {
			continue
		}
		value := memory.JSONText(fields[name])
		var list []string
		if json.Unmarshal(fields[name], &list) == nil {
			value = strings.Join(list, ", ")
		}
		parts = append(parts, name+": "+prose.OneLine(value))
	}
	return prose.Shorten(strings.Join(parts, "; "), metadataRunes)
}

// faults are the errors that a canvas showed, in words.
func faults(c *memory.Canvas) (texts []string) {
	for i := range c.Actions {
		if fault := c.Actions[i].Fault(); fault != nil {
			texts = append(texts, prose.OneLine(memory.JSONText(fault)))
		}
	}
	return texts
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
	gaveUp                  // a form that was kept longer, and closed after an error
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
		case p.Ended && p.Failed && c.CanvasType == memory.CanvasForms:
			this = gaveUp
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
	case gaveUp:
		return said + "given up after " + seconds(dwell) + most
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

// seconds cuts a length of time, as in the explorer (numbers.ts), so that what closes before 5 s never reads as 5 s.
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
