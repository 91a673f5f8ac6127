package summary

import (
	"strings"

	"mneme/memory/prose"
)

// MaxTitleRunes is the length of the titles that Title makes.
const MaxTitleRunes = 80

// untitled stands where there is nothing to make a title from.
const untitled = "Untitled episode"

// Title makes a title from an observation, for an episode recorded without one: its first line
// that says anything, cut between words at MaxTitleRunes. It is never empty.
func Title(observation string) string {
	for line := range strings.Lines(observation) {
		if title := prose.OneLine(line); title != "" {
			return prose.Shorten(title, MaxTitleRunes)
		}
	}
	return untitled
}
