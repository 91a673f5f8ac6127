package store

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
)

// MemoirRecord is a memoir to be written.
//
// Record writes memoirs. An item's Err is ErrConflict where the key is taken by other content or
// the name by another memoir.
type MemoirRecord struct {
	memory.Memoir
	InputHash []byte `json:"inputHash,omitempty"`
}

// ConceptRecord is a concept to be written. Revisions are ignored.
//
// Record writes concepts into their memoirs, with CONTAINS from the memoir. Episodes that have been
// waiting to mention one are linked. An item's Err is ErrNotFound where there is no such memoir,
// ErrConflict where the key is taken by other content or the name by another concept of the memoir.
type ConceptRecord struct {
	memory.Concept
	InputHash []byte `json:"inputHash,omitempty"`
}

// ConceptRefinement changes what a concept says.
//
// Record keeps what the concept said as a revision dated with its UpdatedAt and sets the new. A refinement that changes
// nothing keeps no revision; one with Purge keeps none at all. An item's Err is ErrNotFound where there is no such
// concept, and the *memory.Error of memory.Concept.Refine where it keeps no more.
type ConceptRefinement struct {
	Key     string
	Content *string        // nil leaves it
	Labels  *[]string      // nil leaves them
	Purge   bool           // what it said before is dropped for good, with all revisions
	Receipt memory.Receipt // of what is new; it is added to the recorded one
	At      time.Time
}

// ConceptWriter builds concept graphs.
type ConceptWriter interface {
	// LinkConcepts links two concepts, of whatever memoirs; the same link again, also at the same time,
	// answers the existing one. ErrNotFound where one of the two does not exist, ErrInvalid for a self-loop.
	LinkConcepts(ctx context.Context, relation memory.Relation) (memory.Relation, error)
	// UnlinkConcepts removes a link (CreatedAt is ignored) and says whether there was one.
	UnlinkConcepts(ctx context.Context, relation memory.Relation) (removed bool, err error)
}

// RelationsOf asks for the relations of concepts.
type RelationsOf struct {
	Concepts  []string
	Direction memory.Direction
	Types     []memory.RelationType // nil means all
}

// MemoirsOf lists the memoirs by name, or the one of a name.
type MemoirsOf struct{ Name *string }

// Place is by name, which Position.Key is.
func (MemoirsOf) Place(m *memory.Memoir) Position { return Position{Key: m.Name} }

// ConceptsOf lists the concepts of a memoir by name.
type ConceptsOf struct{ Memoir string }

// Place is by name, which Position.Key is.
func (ConceptsOf) Place(c *memory.Concept) Position { return Position{Key: c.Name} }

// ConceptLinks reads how concepts hang together.
type ConceptLinks interface {
	// Relations returns the relations of each concept by key, ordered by (type, source, target), at most 1,000 for each.
	Relations(ctx context.Context, query RelationsOf) (map[string][]memory.Relation, error)
	// Mentioned returns the concepts that each episode mentions, by name and key, by episode key.
	Mentioned(ctx context.Context, episodes []string) (map[string][]*memory.Concept, error)
}

// ObservationRecord is an observation to be written, with the accesses counted so far. About names
// records that must exist, or come later: those unknown so far are linked when they come. One that is no global
// id of a record (see memory.SplitID) is the item's ErrInvalid.
//
// Record writes observations with ABOUT to their records and IN_SESSION to their session.
type ObservationRecord struct {
	memory.Observation
	InputHash []byte `json:"inputHash,omitempty"`
}

// Access is how often an observation was read since it was last told, and when last. Record adds it to the counts; it
// drops that of a record that is gone.
type Access struct {
	Key   string
	Count int
	At    time.Time
}

// ObservationQuery lists observations. Weight bounds and orders follow Policy at the instant Now.
type ObservationQuery struct {
	Policy    decay.Policy
	Now       time.Time
	MinWeight *float64 // inclusive
	MaxWeight *float64 // inclusive
	Order     memory.ObservationOrder
	UserFilter
}

// Place is by CreatedAt and key, or by weight, CreatedAt and key.
func (q ObservationQuery) Place(o *memory.Observation) Position {
	p := Position{At: o.CreatedAt, Key: o.Key}
	if q.Order != memory.LatestFirst {
		p.Value = new(q.Policy.Weight(o, q.Now))
	}
	return p
}

// Pruning removes observations lighter than MinWeight that are not pinned.
type Pruning struct {
	Policy    decay.Policy
	Now       time.Time
	MinWeight float64
	DryRun    bool
}

// Annotations keeps what agents noticed, and what people put right.
type Annotations interface {
	// CorrectionStats counts those created at or after an instant, or all.
	CorrectionStats(ctx context.Context, since *time.Time) (memory.CorrectionStats, error)
	// PruneObservations removes the observations that are lighter than MinWeight (strictly) and not pinned, with their
	// links, and says how many there are; with DryRun it removes none. Tombstones stay. It does so in parts, each a
	// transaction; where it is broken off it says how many are gone.
	PruneObservations(ctx context.Context, pruning Pruning) (int, error)
}

// CorrectionRecord is a correction to be written. About is as in ObservationRecord.
//
// Record writes corrections with ABOUT to their records.
type CorrectionRecord struct {
	memory.Correction
	InputHash []byte `json:"inputHash,omitempty"`
}

// CorrectionsOf lists corrections, of one topic where it is set, newest first by (CreatedAt, key).
type CorrectionsOf struct{ Topic *string }

// Place is by CreatedAt and key.
func (CorrectionsOf) Place(c *memory.Correction) Position {
	return Position{At: c.CreatedAt, Key: c.Key}
}

// Weighing asks for the observations that weigh at least so much, inclusive, by a policy at an instant.
type Weighing struct {
	Policy decay.Policy
	Now    time.Time
	Least  float64
}

// AdjacencyQuery asks for the neighbours of a set of records.
type AdjacencyQuery struct {
	Of        []string // global ids
	Relations []string // edge names such as RAN or PART_OF; nil means all
	Direction memory.Direction
	After     string // global id: only neighbours that sort after it
	Limit     int
}

// EdgeTypes are the types of all links there are, as an AdjacencyQuery and a Link name them.
var EdgeTypes = []string{
	"RAN", "IN_SESSION", "PRESENTED", "RECEIVED", "CAUSED_BY", "INFORMED_BY", "ON", "MENTIONS", "CONTAINS", "ABOUT",
	"PART_OF", "DEPENDS_ON", "RELATED_TO", "CONTRADICTS", "REFINES", "ALTERNATIVE_TO", "INSTANCE_OF", "SUPERSEDED_BY",
	"OF", "FROM", "IN_RUN", "LEARNED_FROM",
}

// Link is an edge between two records, by global ids.
type Link struct{ Source, Target, Type string }

// Traverser walks links over any kinds.
type Traverser interface {
	// Neighbours returns the distinct global ids of records linked to any of the given ones, in the order of their bytes,
	// at most Limit. It reads at most about Limit links of each given record, however many it has.
	Neighbours(ctx context.Context, query AdjacencyQuery) ([]string, error)
	// LinksBetween returns the links with one end in each of two sets, by (Source, Target, Type), at most
	// limit of them. It reads no other links of a record that has many.
	LinksBetween(ctx context.Context, a, b []string, relations []string, limit int) ([]Link, error)
	// Exist says which of the given global ids are records.
	Exist(ctx context.Context, ids []string) ([]bool, error)
}
