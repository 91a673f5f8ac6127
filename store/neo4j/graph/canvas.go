package graph

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// CanvasProperties are what a canvas's node holds, but for its link to an episode.
func CanvasProperties(c *linking.CanvasChange) cypher.Parameters {
	actions := slices.Clone(c.Actions)
	for _, one := range c.Added {
		actions = append(actions, one.CanvasAction)
	}
	slices.SortStableFunc(actions, func(a, b memory.CanvasAction) int { return a.At.Compare(b.At) })
	return bolt.Encode(cypher.Parameters{
		"session": c.SessionKey, "named": c.Named, "createdAt": bolt.Instant(c.ShownAt),
		"actionHashes": bolt.Texts(actions, func(a memory.CanvasAction) string { return HashText(c.Hashes[a.ID]) }),
	}, fields.Canvas(&c.CanvasState.Canvas.Canvas).Own(), fields.CanvasActions(&actions))
}

// CanvasOf reads a canvas, with the actions up to an instant where one is given.
func CanvasOf(f *bolt.Fields, asOf *time.Time) *memory.Canvas {
	c := &memory.Canvas{}
	f.Scan(fields.Canvas(c), fields.CanvasActions(&c.Actions))
	for i, action := range c.Actions {
		if asOf != nil && action.At.After(*asOf) { // they are in the order of time
			c.Actions = c.Actions[:i]
			break
		}
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
