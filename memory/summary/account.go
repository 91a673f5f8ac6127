package summary

import (
	"fmt"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// The bounds of an account, in runes: a model reads it whole, and a long run says little more at length.
const (
	MaxText        = 2000 // of the observation and of the result
	accountedStep  = 300  // of a step's result and of a thought
	accountedSteps = 30   // steps, half of them the first and half the last
	MaxSources     = 5    // episodes, the newest
)

// Account tells an episode in plain text, for a model to read: what it was about, what was thought and
// done, and how it ended. It is bounded, and the same for the same episode.
func Account(e *memory.Episode) string {
	lines := []string{"Situation: " + prose.Shorten(e.Observation, MaxText)}
	if last := len(e.Thoughts) - 1; last >= 0 {
		lines = append(lines, "Last thought: "+prose.Shorten(prose.OneLine(e.Thoughts[last]), accountedStep))
	}
	for i, action := range e.Actions {
		if skipped := len(e.Actions) - accountedSteps; skipped > 0 && i >= accountedSteps/2 && i < accountedSteps/2+skipped {
			if i == accountedSteps/2 {
				lines = append(lines, fmt.Sprintf("(%s left out)", prose.Plural(skipped, "step")))
			}
			continue
		}
		line := fmt.Sprintf("Step %d, %s", i+1, prose.OneLine(action.StepName))
		if given := prose.OneLine(memory.JSONText(action.Result)); given != "" {
			line += ": " + prose.Shorten(given, accountedStep)
		}
		lines = append(lines, line)
	}
	if e.Result != nil && prose.OneLine(*e.Result) != "" {
		lines = append(lines, "Result: "+prose.Shorten(*e.Result, MaxText))
	}
	return strings.Join(append(lines, "Outcome: "+strings.ToLower(string(e.Outcome))), "\n")
}

// Accounts tells episodes in short, the first of the given ones, with what people corrected in them and said of them.
func Accounts(episodes []*memory.Episode) string {
	var told []string
	for _, e := range episodes[:min(len(episodes), MaxSources)] {
		lines := []string{"Episode: " + prose.Shorten(prose.OneLine(e.Observation), accountedStep), "Insight: " + prose.Shorten(prose.OneLine(e.Insight), accountedStep)}
		if e.Context != nil {
			for _, f := range e.Context.Feedback {
				lines = append(lines, quoted("Correction", f.Corrections)...)
				lines = append(lines, quoted("Comment", f.Comment)...)
			}
		}
		told = append(told, strings.Join(lines, "\n"))
	}
	return strings.Join(told, "\n\n")
}

// quoted is a line of what a person said, none where that is blank.
func quoted(label string, text *string) []string {
	if text == nil || prose.OneLine(*text) == "" {
		return nil
	}
	return []string{label + ": " + prose.Shorten(prose.OneLine(*text), accountedStep)}
}
