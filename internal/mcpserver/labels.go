package mcpserver

import (
	"fmt"
	"strings"

	"mneme/memory"
)

// longestLabel is the most characters of a label.
const longestLabel = 120

// labelOf says in a few words what a record is.
func labelOf(node memory.Node) string {
	switch record := node.(type) {
	case *memory.Agent:
		return short(record.Name)
	case *memory.Episode:
		return short(fmt.Sprintf("%s (%s)", record.Title, strings.ToLower(string(record.Outcome))))
	case *memory.Canvas:
		return short(strings.TrimSuffix(record.CanvasType+"/"+orEmpty(record.ComponentType), "/"))
	case *memory.Feedback:
		return short(strings.TrimSuffix(string(record.Type)+": "+orEmpty(record.Corrections), ": "))
	case *memory.Memoir:
		return short(record.Name)
	case *memory.Concept:
		return short(record.Name)
	case *memory.Observation:
		return short(record.Content)
	case *memory.Correction:
		return short(record.Topic + ": " + record.Correction)
	case *memory.Execution:
		return short(fmt.Sprintf("%s (quality %.2f)", record.TaskType, record.Quality))
	case *memory.LearningProfile:
		return short(fmt.Sprintf("%s at %s: %d executions", record.AgentKey, record.TaskType, record.Total))
	case *memory.Run:
		return short(record.Key)
	case *memory.Section:
		return short(fmt.Sprintf("%s (%s)", record.Name(), record.SectionType()))
	case *memory.Verdict:
		return short(strings.TrimSuffix(string(record.Status)+": "+orEmpty(record.Feedback), ": "))
	case *memory.Pattern:
		return short(string(record.Kind) + " " + record.Description)
	default:
		return short(node.ID())
	}
}

// short brings a text to one line of at most longestLabel characters.
func short(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) <= longestLabel {
		return string(line)
	}
	return strings.TrimSpace(string(line[:longestLabel-1])) + "…"
}
