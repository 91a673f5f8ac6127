package neo4j

import (
	"time"

	"mneme/memory"
	"mneme/store/linking"
)

// canvasState is a canvas with what the store keeps beside it.
type canvasState struct {
	linking.Canvas
	hashes []string // of the inputs of its actions, "" for those without an id
}

// properties are what the canvas's node holds, but for its link.
func (c *canvasState) properties() parameters {
	return parameters{
		"canvasType": c.CanvasType, "componentType": c.ComponentType, "session": c.SessionKey, "named": c.Named,
		"createdAt":      instant(c.CreatedAt()),
		"actionIds":      texts(c.Actions, func(a memory.CanvasAction) string { return a.ID }),
		"actionKinds":    texts(c.Actions, func(a memory.CanvasAction) string { return string(a.Action) }),
		"actionMetadata": texts(c.Actions, func(a memory.CanvasAction) string { return string(a.Metadata) }),
		"actionTimes":    instants(c.Actions, func(a memory.CanvasAction) time.Time { return a.At }),
		"actionHashes":   c.hashes,
	}
}

// canvas reads a canvas, with the actions up to an instant where one is given.
func (f *fields) canvas(asOf *time.Time) *memory.Canvas {
	c := &memory.Canvas{
		Key: f.key(memory.KindCanvas), EpisodeKey: f.optionalText("episode"), SessionKey: f.optionalText("session"),
		CanvasType: f.text("canvasType"), ComponentType: f.optionalText("componentType"),
	}
	kinds := list[string](f, "actionKinds")
	ids := parallel[string](f, "actionIds", len(kinds))
	metadata := parallel[string](f, "actionMetadata", len(kinds))
	times := parallel[time.Time](f, "actionTimes", len(kinds))
	c.Actions = make([]memory.CanvasAction, 0, len(kinds))
	for i, kind := range kinds {
		if asOf != nil && times[i].After(*asOf) {
			break // actions are in the order of time
		}
		f.check("actionKinds", memory.CheckKeptWord(memory.CanvasActionKind(kind)))
		f.check("actionMetadata", memory.CheckKeptJSON(jsonOf(metadata[i])))
		f.check("actionTimes", memory.CheckKeptTime(times[i]))
		c.Actions = append(c.Actions, memory.CanvasAction{
			ID: ids[i], Action: memory.CanvasActionKind(kind), Metadata: jsonOf(metadata[i]), At: times[i].UTC(),
		})
	}
	return c
}

// canvasState reads a canvas with what the store keeps beside it.
func (f *fields) canvasState() *canvasState {
	c := linking.Canvas{Canvas: *f.canvas(nil), Named: f.optionalText("named")}
	return &canvasState{Canvas: c, hashes: parallel[string](f, "actionHashes", len(c.Actions))}
}
