package neo4j

import (
	"cmp"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store/linking"
)

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
