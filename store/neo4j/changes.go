package neo4j

import (
	"iter"
	"maps"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store/linking"
)

// What a record waits for is as package linking says, or another record.
const (
	theSession   = "session itself"
	theExecution = "execution itself" // other than what feedback gives the name of
)

// awaitedRecord is what waits for a record itself are kept under.
func awaitedRecord(kind memory.Kind, key string) linking.Awaited {
	switch kind {
	case memory.KindSession:
		kind = theSession
	case memory.KindExecution:
		kind = theExecution
	}
	return linking.Awaited{Kind: kind, Key: key}
}

// recordAwaited is the kind of the record that is awaited.
func recordAwaited(a linking.Awaited) memory.Kind {
	switch a.Kind {
	case theSession:
		return memory.KindSession
	case theExecution:
		return memory.KindExecution
	}
	return a.Kind
}

// awaitedRows are what records wait for as a parameter.
func awaitedRows(all iter.Seq[linking.Awaited]) []parameters {
	rows := []parameters{}
	for a := range all {
		rows = append(rows, parameters{"kind": string(a.Kind), "key": a.Key})
	}
	return rows
}

// changes collects what a write does to links, so that each kind of change is one statement.
type changes struct {
	moves                                          linking.Moves[string] // of what episodes count
	canvases, feedback, onCanvas, causes, mentions []parameters
	abouts                                         map[aboutKinds][]parameters
	waits                                          map[string][]parameters      // by the label of those that wait
	arrived                                        map[linking.Awaited]struct{} // what is perhaps not waited for any more
}

func newChanges() *changes {
	return &changes{
		abouts: map[aboutKinds][]parameters{}, waits: map[string][]parameters{}, arrived: map[linking.Awaited]struct{}{},
	}
}

// orNone is a key as package linking has it: "" where there is none.
func orNone(optional *string) string {
	if optional == nil {
		return ""
	}
	return *optional
}

// reaction is what the links of a feedback depend on.
type reaction struct {
	key     string
	episode *string
	score   float64
}

// linkFeedback gives a feedback its episode, or none, and moves its score.
func (c *changes) linkFeedback(f reaction, to *string) {
	if equal(f.episode, to) {
		return
	}
	c.feedback = append(c.feedback, parameters{"key": f.key, "episode": to})
	c.moves.Feedback(orNone(f.episode), orNone(to), f.score)
}

func (c *changes) putOnCanvas(feedback, canvas string) {
	c.onCanvas = append(c.onCanvas, parameters{"key": feedback, "canvas": canvas})
	c.markArrived(linking.Awaited{Kind: memory.KindCanvas, Key: canvas})
}

func (c *changes) linkCause(effect, cause string) {
	c.causes = append(c.causes, parameters{"key": effect, "cause": cause})
}

func (c *changes) mention(episode, concept string) {
	c.mentions = append(c.mentions, parameters{"key": episode, "concept": concept})
}

// wait lets a record, named by its label and key, wait.
func (c *changes) wait(label, key string, a linking.Awaited) {
	c.waits[label] = append(c.waits[label], parameters{"key": key, "kind": string(a.Kind), "awaited": a.Key})
}

func (c *changes) markArrived(a linking.Awaited) { c.arrived[a] = struct{}{} }

// apply writes the changes, in one statement for each kind there is.
func (c *changes) apply(t *transaction) error {
	for _, step := range []struct {
		linking statement
		rows    []parameters
	}{
		{named("link_canvases"), c.canvases},
		{named("link_feedback"), c.feedback},
		{named("put_on_canvas"), c.onCanvas},
		{named("link_causes"), c.causes},
		{named("link_mentions"), c.mentions},
	} {
		if len(step.rows) > 0 {
			if err := t.run(step.linking, parameters{"rows": step.rows}, nil); err != nil {
				return err
			}
		}
	}
	if err := c.applyAbouts(t); err != nil {
		return err
	}
	if err := c.applyWaits(t); err != nil {
		return err
	}
	return c.adjust(t)
}

var letWait = rendered("wait", waiterLabels)

func (c *changes) applyWaits(t *transaction) error {
	if len(c.waits) > 0 {
		if err := t.run(letWait, parameters{"waits": c.waits}, nil); err != nil {
			return err
		}
	}
	if len(c.arrived) == 0 {
		return nil
	}
	return t.run(named("drop_waiting"), parameters{"awaited": awaitedRows(maps.Keys(c.arrived))}, nil)
}

// adjust brings the aggregates up to date, the episodes in the order in which every writer locks them.
func (c *changes) adjust(t *transaction) error {
	var rows []parameters
	for key, more := range c.moves.Sums() {
		rows = append(rows, parameters{
			"key": key, "canvases": more.Canvases, "actions": more.Actions, "sum": more.Score, "count": more.Feedback,
		})
	}
	if len(rows) == 0 {
		return nil
	}
	adjusted, err := rowsOf(t, named("adjust"), parameters{"rows": rows, "unrated": unratedRank}, column[int64]("adjusted"))
	if err == nil && (len(adjusted) != 1 || adjusted[0] != int64(len(rows))) {
		return &raced{cause: errGone} // an episode was deleted after we read of it
	}
	return err
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// ends are records that are there, by global id, with the hashes of their inputs, "" for those that have
// none. They stay there until the transaction ends.
type ends map[string]string

func (e ends) has(id string) bool {
	_, found := e[id]
	return found
}

// add notes a record that is created.
func (e ends) add(kind memory.Kind, key string) { e[memory.NodeID(kind, key)] = "" }

// of are the keys of one kind.
func (e ends) of(kind memory.Kind) keySet { return setOf(sortedKeys(e.hashes(kind))...) }

// hashes are the hashes of one kind by key.
func (e ends) hashes(kind memory.Kind) map[string]string {
	hashes := map[string]string{}
	for id, hash := range e {
		if k, key, ok := memory.SplitID(id); ok && k == kind {
			hashes[key] = hash
		}
	}
	return hashes
}

// lockEnds locks records of any kind, there or not, and tells which are there.
func (t *transaction) lockEnds(keys map[memory.Kind]keySet) (ends, error) {
	known, wanted := ends{}, map[memory.Kind]string{}
	for kind, set := range keys {
		if len(set) > 0 {
			wanted[kind] = labels[kind]
		}
	}
	if len(wanted) == 0 {
		return known, nil
	}
	// for these kinds only: it takes long to plan for all
	return known, t.run(rendered("lock_ends", wanted), parameters{"keys": keyLists(keys)}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		for id, hash := range f.pairs("ends") {
			known[id] = hash
		}
		if f.integer("gone") > 0 {
			return &raced{cause: errGone}
		}
		return f.err
	})
}
