package neo4j

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store/linking"
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
	awaited    linking.Awaited
	at         time.Time
}

// id tells a waiter from those of other kinds.
func (w waiter) id() string { return w.label + " " + w.key }

// waitingFor finds what waits for the given.
func (t *transaction) waitingFor(awaited iter.Seq[linking.Awaited]) ([]waiter, error) {
	rows := awaitedRows(awaited)
	if len(rows) == 0 {
		return nil, nil
	}
	return rowsOf(t, named("waiting"), parameters{"awaited": rows}, decodeWaiter)
}

func decodeWaiter(row *neo4j.Record) (waiter, error) {
	f := fieldsOf(row.AsMap())
	return waiter{
		label: f.text("label"), key: f.text("key"), awaited: linking.Awaited{Kind: memory.Kind(f.text("kind")), Key: f.text("awaited")}, at: f.instant("at"),
	}, f.err
}

// linkWaiters links waiters with the records that were found for them: an episode, or a canvas of those shown. One is
// found by its key, "" where none is. Annotations and mentions need nothing found: they wait for the record itself.
func (t *transaction) linkWaiters(c *changes, waiting []waiter, found func(w waiter) string, shown map[string]*canvasState) error {
	c.linkArrived(waiting)
	canvases, feedback, onCanvas := map[string]string{}, map[string]string{}, map[string]string{}
	for _, w := range waiting {
		record := found(w)
		switch {
		case record == "":
			continue
		case w.label == labelCanvas:
			canvases[w.key] = record
		case w.label == labelFeedback && w.awaited.Kind == memory.KindCanvas:
			onCanvas[w.key] = record
			c.putOnCanvas(w.key, record)
		case w.label == labelFeedback:
			feedback[w.key] = record
		case w.label == labelEpisode && w.awaited.Kind == memory.KindEpisode:
			c.linkCause(w.key, record)
		}
		c.markArrived(w.awaited)
	}
	if err := t.linkFound(c, canvases, feedback); err != nil {
		return err
	}
	reactions, err := t.reactions(sortedKeys(onCanvas))
	if err != nil {
		return err
	}
	for key, r := range reactions {
		if canvas := shown[onCanvas[key]]; r.by == memory.KindCanvas && canvas != nil {
			c.linkFeedback(r.reaction, canvas.EpisodeKey)
		}
	}
	return nil
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
		c.moves.Canvas("", 0, *linked.EpisodeKey, len(linked.Actions))
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
