package store

import (
	"time"

	"mneme/memory"
	"mneme/memory/judging"
)

// VerdictRecord is a verdict to be written. SectionKey is memory.SectionKey of its run and section. Its
// Label is what a person said of it before; a client says that later.
//
// Record writes verdicts. A run and a section come into being with their first verdict; the run's StartedAt is the
// earliest At of its verdicts, in whatever order they come. ABOUT links that have been waiting for the run, the section
// or the verdict are made. An item's Err is ErrConflict where the key is taken by other content. A completed run takes
// verdicts too; history keeps what the run was when it was completed.
//
// Runs, sections, verdicts and patterns are nodes, which Traverser finds by memory.NodeID. Their links are
// IN_RUN from a section to its run, ON from a verdict to its section, and LEARNED_FROM from a pattern to the
// sections that it was learned from. Nothing of a section is stored but its key and its run's: all else
// follows from its verdicts (see memory.Section).
type VerdictRecord struct {
	memory.Verdict
	InputHash []byte `json:"inputHash,omitempty"`
}

// VerdictLabel is what a person says of a verdict: whether they would have approved.
//
// Record sets the label of a verdict and who gave it, also again: both are replaced, a nil LabelledBy by null. Err is
// ErrNotFound where there is no such verdict.
type VerdictLabel struct {
	Verdict    string
	Approve    bool
	LabelledBy *string
}

// RunCompletion ends a run.
type RunCompletion struct {
	Run   string
	At    time.Time
	Texts judging.Texts
}

// CompletedRun is what became of a completion.
type CompletedRun struct {
	Sections int // how many sections the run has
	// Patterns is how many patterns the run was folded into: 0 where it had been completed before.
	Patterns int
}

// VerdictQuery lists verdicts that meet every set condition, newest first by (At, key).
type VerdictQuery struct {
	Judge       *string
	Run         *string
	Section     *string // its key
	SectionType *string // the verdict's own
	Rejecting   bool    // those that do not approve
}

// Place is by At and key.
func (VerdictQuery) Place(v *memory.Verdict) Position { return Position{At: v.At, Key: v.Key} }

// AllRuns lists the runs, newest first by (StartedAt, key).
type AllRuns struct{}

// Place is by StartedAt and key.
func (AllRuns) Place(r *memory.Run) Position { return Position{At: r.StartedAt, Key: r.Key} }

// JudgementQuery lists what verdicts decided that meet every set condition, by (At, key), the oldest first, without
// their texts. It is not counted.
type JudgementQuery struct {
	Judge *string
	Since *time.Time // At ≥ Since
}

// Place is by At and key.
func (JudgementQuery) Place(j *memory.Judgement) Position { return Position{At: j.At, Key: j.Key} }

// PatternQuery lists patterns that meet every set condition, in the order of memory.BestPatternFirst.
type PatternQuery struct {
	Kind        *memory.PatternKind
	SectionType *string
	// Context is memory.ContextKey of the part of a context that patterns are of; that of no context, which is
	// all sections of a type, is the empty string.
	Context  *string
	MinRate  float64 // inclusive
	MinTotal int     // inclusive
}

// Place is by rate, total, which Position.Sequence is, and key.
func (PatternQuery) Place(p *memory.Pattern) Position {
	return Position{Value: new(p.Rate()), Sequence: p.Total, Key: p.Key}
}

// CandidateQuery lists the patterns of a section type that may be told for a context, in no order: the best of each
// kind in each context that reach the bound, at most a page's Limit of them; there is no next page. It is not counted.
type CandidateQuery struct {
	SectionType string
	Contexts    []string // each memory.ContextKey of a part
	Bounds      []CandidateBound
}

// Place is as of PatternQuery.
func (CandidateQuery) Place(p *memory.Pattern) Position { return PatternQuery{}.Place(p) }

// SectionsOf lists sections of runs, whole, ordered as memory.SectionsOf, without texts of verdicts. It is not counted.
type SectionsOf struct{ Runs []string }

// Place is by key.
func (SectionsOf) Place(s *memory.Section) Position { return Position{Key: s.Key} }

// ThresholdsOf lists the thresholds of judges, null ones too, whole and in the order of their keys. It is not counted.
type ThresholdsOf struct{ Judges []string }

// Place is by key.
func (ThresholdsOf) Place(t *memory.JudgeThreshold) Position { return Position{Key: t.Key()} }

// CandidateBound is what patterns of a kind must reach.
type CandidateBound struct {
	Kind     memory.PatternKind
	MinRate  float64 // inclusive
	MinTotal int     // inclusive
}
