package neo4j

import (
	"maps"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store/linking"
)

// writeCanvases writes the canvases of a batch that changed, with their links and the feedback on them.
func (t *transaction) writeCanvases(b *canvasBatch) error {
	var rows []parameters
	var moved, appeared, joined []string
	c := newChanges()
	for key, after := range b.canvases {
		before := b.before.canvases[key]
		if before == nil {
			appeared = append(appeared, key)
			before = &canvasState{}
		}
		if len(after.Actions) == len(before.Actions) {
			continue // nothing was added
		}
		row := parameters{"key": key, "properties": after.properties()}
		if before.SessionKey == nil {
			row["joins"] = after.SessionKey
			if after.SessionKey != nil {
				joined = append(joined, *after.SessionKey)
			}
		}
		rows = append(rows, row)
		c.moves.Canvas(orNone(before.EpisodeKey), len(before.Actions), orNone(after.EpisodeKey), len(after.Actions))
		if c.relinkCanvas(before, after) {
			moved = append(moved, key)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := t.run(named("write_canvases"), parameters{"rows": rows}, nil); err != nil {
		return err
	}
	if err := t.arrive(c, appeared, joined, b.canvases); err != nil {
		return err
	}
	if err := t.follow(c, moved, b.canvases); err != nil {
		return err
	}
	return c.apply(t)
}

// relinkCanvas notes how a canvas's link or wait changes, and says whether its link does.
func (c *changes) relinkCanvas(before, after *canvasState) bool {
	wait, waited := after.waitsFor(), before.waitsFor()
	moves := !equal(before.EpisodeKey, after.EpisodeKey)
	if !moves && wait == waited {
		return false
	}
	c.canvases = append(c.canvases, parameters{"key": after.Key, "episode": after.EpisodeKey})
	if waited != (linking.Awaited{}) {
		c.markArrived(waited)
	}
	if wait != (linking.Awaited{}) {
		c.wait(labelCanvas, after.Key, wait)
	}
	return moves
}

// waitsFor is what a canvas without an episode waits for; the zero value where it has one, or
// neither names one nor is in a session.
func (c *canvasState) waitsFor() linking.Awaited {
	if c.EpisodeKey != nil {
		return linking.Awaited{}
	}
	return c.Leads()
}

// arrive ties feedback that has been waiting to the canvases that appeared, and what is said about
// those, or about the sessions that canvases joined, to them.
func (t *transaction) arrive(c *changes, appeared, joined []string, canvases map[string]*canvasState) error {
	arrived := arrivals{}
	for _, key := range appeared {
		arrived.add(memory.KindCanvas, key)
	}
	for _, key := range joined {
		arrived.add(memory.KindSession, key)
	}
	waiting, err := t.waitingFor(maps.Keys(arrived))
	if err != nil {
		return err
	}
	return t.linkWaiters(c, waiting, func(w waiter) string {
		if w.label == labelFeedback {
			return w.awaited.Key
		}
		return ""
	}, canvases)
}

// follow takes feedback along with the canvases that moved.
func (t *transaction) follow(c *changes, moved []string, canvases map[string]*canvasState) error {
	if len(moved) == 0 {
		return nil
	}
	return t.run(named("followers"), parameters{"canvases": moved}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		r := f.reaction()
		canvas := f.text("canvas")
		if f.err == nil {
			c.linkFeedback(r, canvases[canvas].EpisodeKey)
		}
		return f.err
	})
}

func (f *fields) reaction() reaction {
	return reaction{key: f.text("key"), episode: f.optionalText("episode"), score: f.sum("score")}
}

// placedReaction is a reaction with the kind of what leads it to its episode.
type placedReaction struct {
	reaction
	by memory.Kind
}

// reactions locks feedback and reads its links, by key.
func (t *transaction) reactions(keys []string) (map[string]placedReaction, error) {
	found, wanted := map[string]placedReaction{}, setOf(keys...).sorted()
	if len(wanted) == 0 {
		return found, nil
	}
	err := t.run(named("feedback_links"), parameters{"keys": wanted}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		r := placedReaction{reaction: f.reaction(), by: memory.Kind(f.text("way"))}
		found[r.key] = r
		return f.err
	})
	if err == nil && len(found) != len(wanted) {
		return nil, &raced{cause: errGone} // some went with its episode after we read of it
	}
	return found, err
}
