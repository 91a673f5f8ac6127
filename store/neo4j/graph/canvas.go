package graph

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// CanvasState is a canvas with what the store keeps beside it.
type CanvasState struct {
	linking.Canvas
	Hashes []string // of the inputs of its actions, "" for those without an id
}

// Properties are what the canvas's node holds, but for its link.
func (c *CanvasState) Properties() cypher.Parameters {
	return cypher.Parameters{
		"canvasType": c.CanvasType, "componentType": c.ComponentType, "session": c.SessionKey, "named": c.Named, "user": c.UserID,
		"createdAt":      bolt.Instant(c.CreatedAt()),
		"actionIds":      bolt.Texts(c.Actions, func(a memory.CanvasAction) string { return a.ID }),
		"actionKinds":    bolt.Texts(c.Actions, func(a memory.CanvasAction) string { return string(a.Action) }),
		"actionMetadata": bolt.Texts(c.Actions, func(a memory.CanvasAction) string { return string(a.Metadata) }),
		"actionTimes":    bolt.Instants(c.Actions, func(a memory.CanvasAction) time.Time { return a.At }),
		"actionHashes":   c.Hashes,
	}
}

// CanvasOf reads a canvas, with the actions up to an instant where one is given.
func CanvasOf(f *bolt.Fields, asOf *time.Time) *memory.Canvas {
	c := &memory.Canvas{
		Key: f.Key(memory.KindCanvas), EpisodeKey: f.OptionalText("episode"), SessionKey: f.OptionalText("session"),
		CanvasType: f.Text("canvasType"), ComponentType: f.OptionalText("componentType"), UserID: f.OptionalText("user"),
	}
	kinds := bolt.List[string](f, "actionKinds")
	ids := bolt.Parallel[string](f, "actionIds", len(kinds))
	metadata := bolt.Parallel[string](f, "actionMetadata", len(kinds))
	times := bolt.Parallel[time.Time](f, "actionTimes", len(kinds))
	c.Actions = make([]memory.CanvasAction, 0, len(kinds))
	for i, kind := range kinds {
		if asOf != nil && times[i].After(*asOf) {
			break // actions are in the order of time
		}
		f.Check("actionKinds", memory.CheckKeptWord(memory.CanvasActionKind(kind)))
		f.Check("actionMetadata", memory.CheckKeptJSON(bolt.OptionalJSON(metadata[i])))
		f.Check("actionTimes", memory.CheckKeptTime(times[i]))
		c.Actions = append(c.Actions, memory.CanvasAction{
			ID: ids[i], Action: memory.CanvasActionKind(kind), Metadata: bolt.OptionalJSON(metadata[i]), At: times[i].UTC(),
		})
	}
	return c
}

// CanvasStateOf reads a canvas with what the store keeps beside it.
func CanvasStateOf(f *bolt.Fields) *CanvasState {
	c := linking.Canvas{Canvas: *CanvasOf(f, nil), Named: f.OptionalText("named")}
	return &CanvasState{Canvas: c, Hashes: bolt.Parallel[string](f, "actionHashes", len(c.Actions))}
}

// Has says whether the canvas has an action of a record's id already, and whether that is the same.
func (c *CanvasState) Has(record *store.CanvasActionRecord) (known, same bool) {
	for i, a := range c.Actions {
		if a.ID == record.Action.ID {
			known, same = true, same || c.Hashes[i] == HashText(record.InputHash)
		}
	}
	return known, same
}

// Add puts an action after those of its time and before.
func (c *CanvasState) Add(action memory.CanvasAction, hash string) {
	i := len(c.Actions)
	for i > 0 && c.Actions[i-1].At.After(action.At) {
		i--
	}
	c.Actions = slices.Insert(c.Actions, i, action)
	c.Hashes = slices.Insert(c.Hashes, i, hash)
}

// WaitsFor is what a canvas without an episode waits for; the zero value where it has one, or
// neither names one nor is in a session.
func (c *CanvasState) WaitsFor() linking.Awaited {
	if c.EpisodeKey != nil {
		return linking.Awaited{}
	}
	return c.Leads()
}
