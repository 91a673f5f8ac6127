package graph

import (
	"iter"
	"maps"

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
	Moves                                                    linking.Moves[string] // of what episodes count
	canvases, feedback, onCanvas, causes, informed, mentions []cypher.Parameters
	abouts                                                   map[aboutKinds][]cypher.Parameters
	waits                                                    map[string][]cypher.Parameters // by the label of those that wait
	arrived                                                  map[linking.Awaited]struct{}   // what is perhaps not waited for any more
}

// NewChanges is a collection without any change.
func NewChanges() *Changes {
	return &Changes{
		abouts: map[aboutKinds][]cypher.Parameters{}, waits: map[string][]cypher.Parameters{}, arrived: map[linking.Awaited]struct{}{},
	}
}

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

func (c *Changes) putOnCanvas(feedback, canvas string) {
	c.onCanvas = append(c.onCanvas, cypher.Parameters{"key": feedback, "canvas": canvas})
	c.markArrived(linking.Awaited{Kind: memory.KindCanvas, Key: canvas})
}

// LinkCause links an episode with one that caused it.
func (c *Changes) LinkCause(effect, cause string) {
	c.causes = append(c.causes, cypher.Parameters{"key": effect, "cause": cause})
}

// LinkInformed links an episode with one that informed it.
func (c *Changes) LinkInformed(effect, informing string) {
	c.informed = append(c.informed, cypher.Parameters{"key": effect, "cause": informing})
}

// namedLink is a type of links between episodes, and what is waited for under it.
type namedLink struct{ Type, Awaited string }

var (
	linkCauses   = cypher.Rendered("link_causes", namedLink{"CAUSED_BY", string(memory.KindEpisode)})
	linkInformed = cypher.Rendered("link_causes", namedLink{"INFORMED_BY", string(linking.Informed)})
)

// Mention links an episode with a concept that it mentions.
func (c *Changes) Mention(episode, concept string) {
	c.mentions = append(c.mentions, cypher.Parameters{"key": episode, "concept": concept})
}

// Wait lets a record, named by its label and key, wait.
func (c *Changes) Wait(label, key string, a linking.Awaited) {
	c.waits[label] = append(c.waits[label], cypher.Parameters{"key": key, "kind": string(a.Kind), "awaited": a.Key})
}

func (c *Changes) markArrived(a linking.Awaited) { c.arrived[a] = struct{}{} }

// Apply writes the changes, in one statement for each kind there is.
func (c *Changes) Apply(t *bolt.Transaction) error {
	for _, step := range []struct {
		linking cypher.Statement
		rows    []cypher.Parameters
	}{
		{cypher.Named("link_canvases"), c.canvases},
		{cypher.Named("link_feedback"), c.feedback},
		{cypher.Named("put_on_canvas"), c.onCanvas},
		{linkCauses, c.causes},
		{linkInformed, c.informed},
		{cypher.Named("link_mentions"), c.mentions},
	} {
		if len(step.rows) > 0 {
			if err := t.Run(step.linking, cypher.Parameters{"rows": step.rows}, nil); err != nil {
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

var letWait = cypher.Rendered("wait", waiterLabels)

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

// Of are the keys of one kind.
func (e Ends) Of(kind memory.Kind) KeySet {
	return SetOf(SortedKeys(e.Hashes(kind))...)
}

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
