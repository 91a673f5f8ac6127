package neo4j

import (
	"cmp"
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

// aboutKinds are the kinds that a link from an annotation to what it is about leads from and to.
type aboutKinds struct{ Kind, Target memory.Kind }

// Label and TargetLabel are the labels of the two.
func (k aboutKinds) Label() string       { return labels[k.Kind] }
func (k aboutKinds) TargetLabel() string { return labels[k.Target] }

// linkAbout ties an annotation, which is an observation or a correction, to a record.
func (c *changes) linkAbout(annotation memory.Kind, key string, target memory.Kind, targetKey string) {
	kinds := aboutKinds{annotation, target}
	c.abouts[kinds] = append(c.abouts[kinds], parameters{"key": key, "target": targetKey})
}

// applyAbouts writes those links, in one statement for each pair of kinds there is.
func (c *changes) applyAbouts(t *transaction) error {
	for _, kinds := range slices.SortedFunc(maps.Keys(c.abouts), func(a, b aboutKinds) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Target, b.Target))
	}) {
		if err := t.run(rendered("link_about", kinds), parameters{
			"rows": c.abouts[kinds], "kind": string(awaitedRecord(kinds.Target, "").Kind),
		}, nil); err != nil {
			return err
		}
	}
	return nil
}

// linkArrived links what has been waiting for records that are there now: annotations on them, and episodes
// that mention them.
func (c *changes) linkArrived(waiting []waiter) {
	for _, w := range waiting {
		switch {
		case w.annotation() != "":
			c.linkAbout(w.annotation(), w.key, recordAwaited(w.awaited), w.awaited.Key)
		case w.label == labelEpisode && w.awaited.Kind == memory.KindConcept:
			c.mention(w.key, w.awaited.Key)
		default:
			continue // waits for something else of it
		}
		c.markArrived(w.awaited)
	}
}

// annotation is the kind of a waiter that is an annotation, "" for others.
func (w waiter) annotation() memory.Kind {
	switch w.label {
	case labelObservation:
		return memory.KindObservation
	case labelCorrection:
		return memory.KindCorrection
	}
	return ""
}

// arrivals are records that come into being, or are perhaps there already.
type arrivals map[linking.Awaited]struct{}

func (a arrivals) add(kind memory.Kind, key string) { a[awaitedRecord(kind, key)] = struct{}{} }

func (a arrivals) addOptional(kind memory.Kind, key *string) {
	if key != nil {
		a.add(kind, *key)
	}
}

// create runs a statement that creates records and tells, as the part waiting does, what has been waiting for
// those that arrive, and links that.
func (t *transaction) create(c *changes, creating statement, values parameters, arrived arrivals) error {
	values["awaited"] = awaitedRows(maps.Keys(arrived))
	waiting, err := rowsOf(t, creating, values, decodeWaiter)
	c.linkArrived(waiting)
	return err
}
