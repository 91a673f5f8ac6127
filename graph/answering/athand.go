package answering

import (
	"mneme/memory"
	"mneme/service"
)

// Needs says what a field of an episode is answered from, so that it can be read along with the episode.
func Needs(field string) service.Include {
	switch field {
	case "agent":
		return service.Include{Agent: true}
	case "canvasContext", "quality":
		return service.Include{Canvases: true}
	case "canvasIds":
		return service.Include{Canvases: true, CanvasIDs: true}
	case "feedbackContext":
		return service.Include{Feedback: true}
	case "feedbackIds":
		return service.Include{Feedback: true, FeedbackIDs: true}
	case "reward":
		return service.Include{Canvases: true, Feedback: true}
	default:
		return service.Include{}
	}
}

// computed says whether a field of a record other than an episode is computed of the record alone.
func computed(record any, field string) bool {
	switch record.(type) {
	case *memory.Observation:
		return field == "weight"
	case *memory.Canvas:
		return field == "states" || field == "customStates" || field == "reward"
	case *memory.LearningProfile:
		return field == "expertise" || field == "score" || field == "trend"
	}
	return false
}

// AtHand says whether a field with a resolver needs nothing but what came along with its record.
func AtHand(record any, field string) bool {
	episode, ok := record.(*memory.Episode)
	if !ok {
		return computed(record, field)
	}
	if episode == nil || episode.Context == nil || field == "quality" { // which is also of the agent's other episodes
		return false
	}
	needs, loaded := Needs(field), episode.Context
	return needs != service.Include{} &&
		(!needs.Agent || loaded.Agent != nil) &&
		(!needs.Canvases || loaded.Canvases != nil) &&
		(!needs.Feedback || loaded.Feedback != nil)
}
