package graph

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// What a record waits for is as package linking says, or another record.
const (
	theSession   = "session itself"
	theExecution = "execution itself" // other than what feedback gives the name of
)

// AwaitedKey is what waits for a record itself are kept under.
func AwaitedKey(kind memory.Kind, key string) linking.Awaited {
	switch kind {
	case memory.KindSession:
		kind = theSession
	case memory.KindExecution:
		kind = theExecution
	}
	return linking.Awaited{Kind: kind, Key: key}
}

// KindOfAwaited is the kind of the record that is awaited.
func KindOfAwaited(a linking.Awaited) memory.Kind {
	switch a.Kind {
	case theSession:
		return memory.KindSession
	case theExecution:
		return memory.KindExecution
	case linking.Informed:
		return memory.KindEpisode
	}
	return a.Kind
}

// awaitedRows are what records wait for as a parameter.
func awaitedRows(all iter.Seq[linking.Awaited]) []cypher.Parameters {
	rows := []cypher.Parameters{}
	for a := range all {
		rows = append(rows, cypher.Parameters{"kind": string(a.Kind), "key": a.Key})
	}
	return rows
}

// Changes collects what a write does to links, so that each kind of change is one statement.
type Changes struct {
	Moves              linking.Moves[string] // of what episodes count
	canvases, feedback []cypher.Parameters   // with their episodes
	links              map[linkShape][]cypher.Parameters
	waits              map[string][]cypher.Parameters // by the label of those that wait
	created, arrived   map[linking.Awaited]struct{}   // what comes into being, and what is perhaps not waited for any more
}

// NewChanges is a collection without any change.
func NewChanges() *Changes {
	return &Changes{
		links: map[linkShape][]cypher.Parameters{}, waits: map[string][]cypher.Parameters{},
		created: map[linking.Awaited]struct{}{}, arrived: map[linking.Awaited]struct{}{},
	}
}

// linkShape is a type of links by which records name others, and what waits for those.
type linkShape struct {
	Type    string
	Kind    memory.Kind // of the record that names
	Awaited memory.Kind
}

// Target is the kind of what is named, Label and TargetLabel are the labels of the two.
func (s linkShape) Target() memory.Kind { return KindOfAwaited(linking.Awaited{Kind: s.Awaited}) }
func (s linkShape) Label() string       { return Labels[s.Kind] }
func (s linkShape) TargetLabel() string { return Labels[s.Target()] }

// OrNone is a key as package linking has it: "" where there is none.
func OrNone(optional *string) string {
	if optional == nil {
		return ""
	}
	return *optional
}

// LinkFeedback gives a feedback its episode, or none, and moves its score.
func (c *Changes) LinkFeedback(f Reaction, to *string) {
	if bolt.Equal(f.Episode, to) {
		return
	}
	c.feedback = append(c.feedback, cypher.Parameters{"key": f.key, "episode": to})
	if !f.ended {
		c.Moves.Feedback(OrNone(f.Episode), OrNone(to), f.score)
	}
}

// Arrive notes a record that comes into being, or is perhaps there already.
func (c *Changes) Arrive(kind memory.Kind, key string) { c.created[AwaitedKey(kind, key)] = struct{}{} }

// ArriveOptional notes a record where there is one.
func (c *Changes) ArriveOptional(kind memory.Kind, key *string) {
	if key != nil {
		c.Arrive(kind, *key)
	}
}

// Link ties a record to one that it names and that is there.
func (c *Changes) Link(kind memory.Kind, key, link string, to linking.Awaited) {
	shape := linkShape{link, kind, to.Kind}
	c.links[shape] = append(c.links[shape], cypher.Parameters{"key": key, "target": to.Key})
}

// Wait lets a record wait.
func (c *Changes) Wait(kind memory.Kind, key string, a linking.Awaited) {
	c.waits[Labels[kind]] = append(c.waits[Labels[kind]], cypher.Parameters{"key": key, "kind": string(a.Kind), "awaited": a.Key})
}

// LinkOrWait ties a record to one that it names where that is there, and else lets it wait.
func (c *Changes) LinkOrWait(kind memory.Kind, key, link string, to linking.Awaited, there bool) {
	if there {
		c.Link(kind, key, link, to)
	} else {
		c.Wait(kind, key, to)
	}
}

func (c *Changes) markArrived(a linking.Awaited) { c.arrived[a] = struct{}{} }

// Apply writes the changes, in one statement for each kind there is.
func (c *Changes) Apply(t *bolt.Transaction) error {
	type step struct {
		linking cypher.Statement
		rows    []cypher.Parameters
	}
	steps := []step{{cypher.Named("link_canvases"), c.canvases}, {cypher.Named("link_feedback"), c.feedback}}
	for _, shape := range slices.SortedFunc(maps.Keys(c.links), func(a, b linkShape) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Awaited, b.Awaited))
	}) {
		steps = append(steps, step{cypher.Rendered("link_named", shape), c.links[shape]})
	}
	for _, s := range steps {
		if len(s.rows) > 0 {
			if err := t.Run(s.linking, cypher.Parameters{"rows": s.rows}, nil); err != nil {
				return err
			}
		}
	}
	if err := c.applyWaits(t); err != nil {
		return err
	}
	return c.adjust(t)
}

var letWait = cypher.Rendered("wait", LabelsOf(memory.KindEpisode, memory.KindCanvas, memory.KindFeedback, memory.KindObservation, memory.KindCorrection))

func (c *Changes) applyWaits(t *bolt.Transaction) error {
	if len(c.waits) > 0 {
		if err := t.Run(letWait, cypher.Parameters{"waits": c.waits}, nil); err != nil {
			return err
		}
	}
	if len(c.arrived) == 0 {
		return nil
	}
	return t.Run(cypher.Named("drop_waiting"), cypher.Parameters{"awaited": awaitedRows(maps.Keys(c.arrived))}, nil)
}

// adjust brings the aggregates up to date, the episodes in the order in which every writer locks them.
func (c *Changes) adjust(t *bolt.Transaction) error {
	var rows []cypher.Parameters
	for key, more := range c.Moves.Sums() {
		rows = append(rows, cypher.Parameters{
			"key": key, "canvases": more.Canvases, "actions": more.Actions, "sum": more.Score, "count": more.Feedback,
		})
	}
	if len(rows) == 0 {
		return nil
	}
	adjusted, err := bolt.RowsOf(t, cypher.Named("adjust"), cypher.Parameters{"rows": rows, "unrated": UnratedRank}, bolt.Column[int64]("adjusted"))
	if err == nil && (len(adjusted) != 1 || adjusted[0] != int64(len(rows))) {
		return &bolt.Raced{Cause: ErrGone} // an episode was deleted after we read of it
	}
	return err
}

// Ends are records that are there, by global id, with the hashes of their inputs, "" for those that have
// none. They stay there until the transaction ends.
type Ends map[string]string

// Has says whether the record of a global id is there.
func (e Ends) Has(id string) bool {
	_, found := e[id]
	return found
}

// Add notes a record that is created.
func (e Ends) Add(kind memory.Kind, key string) { e[memory.NodeID(kind, key)] = "" }

// Hashes are the hashes of one kind by key.
func (e Ends) Hashes(kind memory.Kind) map[string]string {
	hashes := map[string]string{}
	for id, hash := range e {
		if k, key, ok := memory.SplitID(id); ok && k == kind {
			hashes[key] = hash
		}
	}
	return hashes
}

// LockEnds locks records of any kind, there or not, and tells which are there.
func LockEnds(t *bolt.Transaction, keys map[memory.Kind]KeySet) (Ends, error) {
	known, wanted := Ends{}, map[memory.Kind]string{}
	for kind, set := range keys {
		if len(set) > 0 {
			wanted[kind] = Labels[kind]
		}
	}
	if len(wanted) == 0 {
		return known, nil
	}
	// for these kinds only: it takes long to plan for all
	return known, t.Run(cypher.Rendered("lock_ends", wanted), cypher.Parameters{"keys": KeyLists(keys)}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		for id, hash := range f.Pairs("ends") {
			known[id] = hash
		}
		if f.Integer("gone") > 0 {
			return &bolt.Raced{Cause: ErrGone}
		}
		return f.Err
	})
}
