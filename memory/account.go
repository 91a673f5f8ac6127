package memory

import (
	"fmt"
	"strings"
)

// The bounds of an account, in runes: a model reads it whole, and a long run says little more at length.
const (
	accountedText    = 2000 // of the observation and of the result
	accountedStep    = 300  // of a step's result and of a thought
	accountedSteps   = 30   // steps, half of them the first and half the last
	accountedSources = 5    // episodes, the newest
)

// Account tells an episode in plain text, for a model to read: what it was about, what was thought and
// done, and how it ended. It is bounded, and the same for the same episode.
func Account(e *Episode) string {
	lines := []string{"Situation: " + shorten(e.Observation, accountedText)}
	if last := len(e.Thoughts) - 1; last >= 0 {
		lines = append(lines, "Last thought: "+shorten(oneLine(e.Thoughts[last]), accountedStep))
	}
	for i, action := range e.Actions {
		if skipped := len(e.Actions) - accountedSteps; skipped > 0 && i >= accountedSteps/2 && i < accountedSteps/2+skipped {
			if i == accountedSteps/2 {
				lines = append(lines, fmt.Sprintf("(%s left out)", plural(skipped, "step")))
			}
			continue
		}
		line := fmt.Sprintf("Step %d, %s", i+1, oneLine(action.StepName))
		if given := oneLine(textOf(action.Result)); given != "" {
			line += ": " + shorten(given, accountedStep)
		}
		lines = append(lines, line)
	}
	if e.Result != nil && oneLine(*e.Result) != "" {
		lines = append(lines, "Result: "+shorten(*e.Result, accountedText))
	}
	return strings.Join(append(lines, "Outcome: "+strings.ToLower(string(e.Outcome))), "\n")
}

// AccountOfEpisodes tells episodes in short, the first of the given ones, with what people corrected in them.
func AccountOfEpisodes(episodes []*Episode) string {
	var told []string
	for _, e := range episodes[:min(len(episodes), accountedSources)] {
		lines := []string{"Episode: " + shorten(oneLine(e.Observation), accountedStep), "Insight: " + shorten(oneLine(e.Insight), accountedStep)}
		if e.Context != nil {
			for _, f := range e.Context.Feedback {
				if f.Corrections != nil && oneLine(*f.Corrections) != "" {
					lines = append(lines, "Correction: "+shorten(oneLine(*f.Corrections), accountedStep))
				}
			}
		}
		told = append(told, strings.Join(lines, "\n"))
	}
	return strings.Join(told, "\n\n")
}
