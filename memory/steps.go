package memory

import (
	"fmt"
	"strings"
)

// stepsShown is how many steps a text names before it counts the rest.
const stepsShown = 20

// stepNames is the actions in words: "search ×2 → book". Steps repeated in a row are counted.
func stepNames(actions []Action) string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = oneLine(a.StepName)
	}
	runs := countRuns(names)
	if more := len(runs) - stepsShown; more > 0 {
		runs = append(runs[:stepsShown], fmt.Sprintf("%d more", more))
	}
	return strings.Join(runs, " → ")
}

// countRuns replaces a word that stands n times in a row by "word ×n".
func countRuns(words []string) []string {
	runs := make([]string, 0, len(words))
	for i := 0; i < len(words); {
		j := i + 1
		for j < len(words) && words[j] == words[i] {
			j++
		}
		if n := j - i; n > 1 {
			runs = append(runs, fmt.Sprintf("%s ×%d", words[i], n))
		} else {
			runs = append(runs, words[i])
		}
		i = j
	}
	return runs
}

// plural is "1 step" or "3 steps".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
