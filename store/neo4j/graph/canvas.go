package graph

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// CanvasProperties are what a canvas's node holds, but for its link to an episode.
func CanvasProperties(c *linking.CanvasChange) cypher.Parameters {
	added := make([]memory.CanvasAction, len(c.Added))
	for i, one := range c.Added {
		added[i] = one.CanvasAction
	}
	actions := linking.Insert(slices.Clone(c.Actions), added, func(a memory.CanvasAction) time.Time { return a.At })
	return cypher.Parameters{
		"canvasType": c.CanvasType, "componentType": c.ComponentType, "session": c.SessionKey, "named": c.Named, "user": c.UserID,
		"createdAt":      bolt.Instant(c.ShownAt),
		"actionIds":      bolt.Texts(actions, func(a memory.CanvasAction) string { return a.ID }),
		"actionKinds":    bolt.Texts(actions, func(a memory.CanvasAction) string { return string(a.Action) }),
		"actionMetadata": bolt.Texts(actions, func(a memory.CanvasAction) string { return string(a.Metadata) }),
		"actionTimes":    bolt.Instants(actions, func(a memory.CanvasAction) time.Time { return a.At }),
		"actionHashes":   bolt.Texts(actions, func(a memory.CanvasAction) string { return HashText(c.Hashes[a.ID]) }),
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
func CanvasStateOf(f *bolt.Fields) *linking.CanvasState {
	c := &linking.CanvasState{Canvas: linking.Canvas{Canvas: *CanvasOf(f, nil), Named: f.OptionalText("named")}, Hashes: map[string][]byte{}}
	c.Count, c.Bytes, c.ShownAt = len(c.Actions), c.Shown(), c.CreatedAt()
	for i, hash := range bolt.Parallel[string](f, "actionHashes", len(c.Actions)) {
		if id := c.Actions[i].ID; id != "" {
			c.Hashes[id] = HashOf(hash)
		}
	}
	return c
}
