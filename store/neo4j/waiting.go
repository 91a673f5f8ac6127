package neo4j

import (
	"maps"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// The labels of records that wait.
const (
	labelEpisode     = "Episode"
	labelCanvas      = "Canvas"
	labelFeedback    = "Feedback"
	labelObservation = "Observation"
	labelCorrection  = "Correction"
)

var waiterLabels = []string{labelEpisode, labelCanvas, labelFeedback, labelObservation, labelCorrection}

// waiter is a record that waits.
type waiter struct {
	label, key string
	awaited    awaited
	at         time.Time
}

// id tells a waiter from those of other kinds.
func (w waiter) id() string { return w.label + " " + w.key }

// waitingFor finds what waits for the given keys, by kind.
func (t *transaction) waitingFor(keys map[string][]string) ([]waiter, error) {
	rows := []parameters{}
	for kind, keys := range keys {
		for _, key := range keys {
			rows = append(rows, awaited{kind, key}.parameters())
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return rowsOf(t, named("waiting"), parameters{"awaited": rows}, decodeWaiter)
}

func decodeWaiter(row *neo4j.Record) (waiter, error) {
	f := fieldsOf(row.AsMap())
	return waiter{
		label: f.text("label"), key: f.text("key"), awaited: awaited{f.text("kind"), f.text("awaited")}, at: f.instant("at"),
	}, f.err
}

// linkFound gives canvases and feedback that have been waiting the episodes found for them, once they
// are locked and still have none, and takes the feedback on the canvases along.
func (t *transaction) linkFound(c *changes, canvases, feedback map[string]string) error {
	wanted := newScope()
	wanted.canvases.add(sortedKeys(canvases)...)
	known := &locked{}
	if len(canvases) > 0 {
		var err error
		if known, err = t.lock(wanted); err != nil {
			return err
		}
	}
	after := map[string]*canvasState{}
	for key, before := range known.canvases {
		if before.EpisodeKey != nil {
			continue
		}
		linked := *before
		linked.EpisodeKey = lookUp(canvases, key)
		after[key] = &linked
		c.countCanvas(nil, 0, linked.EpisodeKey, len(linked.Actions))
		c.relinkCanvas(before, &linked)
	}
	if err := t.follow(c, sortedKeys(after), after); err != nil {
		return err
	}
	reactions, err := t.reactions(sortedKeys(feedback))
	if err != nil {
		return err
	}
	for key, r := range reactions {
		if r.episode == nil {
			c.linkFeedback(r.reaction, lookUp(feedback, key))
		}
	}
	return nil
}

func sortedKeys[T any](values map[string]T) []string {
	return slices.Sorted(maps.Keys(values))
}
