package graph

import (
	"cmp"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Reaction is what the links of a feedback depend on.
type Reaction struct {
	key     string
	Episode *string
	score   float64
	ended   bool        // it was replaced, and counts no more
	by      memory.Kind // of what leads it to its episode, where it is locked
}

// PlaceFeedback links new feedback to the episode that was found for it, else by what it names first, or
// lets it wait for that.
func (c *Changes) PlaceFeedback(f *memory.Feedback, known *Locked, found map[string]string) {
	by := linking.Feedback(f)
	episode := cmp.Or(LookUp(found, f.Key), known.LeadTo(by))
	switch {
	case episode != nil:
		c.LinkFeedback(Reaction{key: f.Key, score: f.Score, ended: f.ReplacedAt != nil}, episode)
	case by.Waits():
		c.Wait(memory.KindFeedback, f.Key, by)
	}
	if f.CanvasKey != nil {
		canvas := linking.Awaited{Kind: memory.KindCanvas, Key: *f.CanvasKey}
		c.LinkOrWait(memory.KindFeedback, f.Key, "ON", canvas, known.Canvases[canvas.Key] != nil)
	}
}

// RelinkCanvas notes how a canvas's link or wait changes, and says whether its link does.
func (c *Changes) RelinkCanvas(before, after *CanvasState) bool {
	wait, waited := after.WaitsFor(), before.WaitsFor()
	moves := !bolt.Equal(before.EpisodeKey, after.EpisodeKey)
	if !moves && wait == waited {
		return false
	}
	c.canvases = append(c.canvases, cypher.Parameters{"key": after.Key, "episode": after.EpisodeKey})
	if waited != (linking.Awaited{}) {
		c.markArrived(waited)
	}
	if wait != (linking.Awaited{}) {
		c.Wait(memory.KindCanvas, after.Key, wait)
	}
	return moves
}

// Follow takes feedback along with the canvases that moved.
func Follow(t *bolt.Transaction, c *Changes, moved []string, canvases map[string]*CanvasState) error {
	if len(moved) == 0 {
		return nil
	}
	return t.Rows(cypher.Named("followers"), cypher.Parameters{"canvases": moved}, func(f *bolt.Fields) {
		r := reactionOf(f)
		canvas := f.Text("canvas")
		if f.Err == nil {
			c.LinkFeedback(r, canvases[canvas].EpisodeKey)
		}
	})
}

func reactionOf(f *bolt.Fields) Reaction {
	return Reaction{key: f.Text("key"), Episode: f.OptionalText("episode"), score: f.Sum("score"), ended: bolt.Required[bool](f, "ended")}
}

// LockFeedback locks feedback and reads its links, by key.
func LockFeedback(t *bolt.Transaction, keys []string) (map[string]Reaction, error) {
	found, wanted := map[string]Reaction{}, SetOf(keys...).Sorted()
	if len(wanted) == 0 {
		return found, nil
	}
	err := t.Rows(cypher.Named("feedback_links"), cypher.Parameters{"keys": wanted}, func(f *bolt.Fields) {
		r := reactionOf(f)
		r.by = memory.Kind(f.Text("way"))
		found[r.key] = r
	})
	if err == nil && len(found) != len(wanted) {
		return nil, &bolt.Raced{Cause: ErrGone} // some went with its episode after we read of it
	}
	return found, err
}
