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

// Followers is the feedback that goes where its canvas goes, of some canvases.
func (t Links) Followers(canvases []string) ([]linking.FeedbackLink, error) {
	return bolt.RowsOf(t.Transaction, cypher.Named("followers"), cypher.Parameters{"canvases": canvases}, feedbackLinkOf)
}

// feedbackLinkOf reads what the links of a feedback depend on.
func feedbackLinkOf(f *bolt.Fields) linking.FeedbackLink {
	return linking.FeedbackLink{
		Key: f.Text("key"), Canvas: linking.OrNone(f.OptionalText("canvas")), User: linking.OrNone(f.OptionalText("user")), Episode: f.OptionalText("episode"),
		Score: f.Sum("score"), Ended: bolt.Required[bool](f, "ended"), By: memory.Kind(f.Text("way")),
	}
}

// FeedbackLinks locks feedback and reads its links.
func (t Links) FeedbackLinks(keys []string) ([]linking.FeedbackLink, error) {
	found, err := bolt.RowsOf(t.Transaction, cypher.Named("feedback_links"), cypher.Parameters{"keys": keys}, feedbackLinkOf)
	if err == nil && len(found) != len(keys) {
		return nil, &bolt.Raced{Cause: ErrGone} // some went with its episode after we read of it
	}
	return found, err
}

// CanvasProperties are what a canvas's node holds, but for its link to an episode.
func CanvasProperties(c *linking.CanvasChange) cypher.Parameters {
	actions := slices.Concat(c.Actions, c.Added)
	slices.SortStableFunc(actions, func(a, b memory.CanvasAction) int { return a.At.Compare(b.At) })
	return bolt.Encode(cypher.Parameters{
		"session": c.SessionKey, "named": c.Named, "createdAt": bolt.Instant(c.ShownAt),
		"actionHashes": memory.Mapped(actions, func(a memory.CanvasAction) string { return HashText(c.Hashes[a.ID]) }),
	}, fields.Canvas(&c.Canvas).Own(), fields.CanvasActions(&actions))
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
	c := &linking.CanvasState{Canvas: *CanvasOf(f, nil), Named: f.OptionalText("named"), Hashes: map[string][]byte{}}
	c.Count, c.Bytes, c.ShownAt = len(c.Actions), c.Shown(), c.CreatedAt()
	for i, hash := range bolt.Parallel[string](f, "actionHashes", len(c.Actions)) {
		if id := c.Actions[i].ID; id != "" {
			c.Hashes[id] = HashOf(hash)
		}
	}
	return c
}
