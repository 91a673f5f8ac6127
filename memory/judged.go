package memory

import (
	"cmp"
	"slices"
	"time"
)

// Run is one piece of judged work, made of sections. It and its sections come into being with their first verdict.
type Run struct {
	Key         string     `json:"key"`
	StartedAt   time.Time  `json:"startedAt"`             // the At of its earliest verdict
	CompletedAt *time.Time `json:"completedAt,omitempty"` // null until it was folded into history
}

// ID is the global id, run:key.
func (r *Run) ID() string { return NodeID(KindRun, r.Key) }

// Section is a part of a run, improved in iterations until a judge approves. All that is said of it
// follows from its judgements.
type Section struct {
	Key        string // see SectionKey
	RunKey     string
	Judgements []Judgement // by (Iteration, At, Key); at least one
}

// SectionKey is the key of a run's section of that name.
func SectionKey(run, name string) string { return JoinKey(run, name) }

// ID is the global id, section:run/name with the parts escaped.
func (s *Section) ID() string { return NodeID(KindSection, s.Key) }

// RunID is the global id of the run.
func (s *Section) RunID() string { return NodeID(KindRun, s.RunKey) }

// Name is what the run calls the section.
func (s *Section) Name() string {
	parts := SplitKey(s.Key)
	return parts[len(parts)-1]
}

// SectionsOf sorts judgements, in whatever order, into the sections that they are of: by the earliest
// judgement, then by key.
func SectionsOf(judgements []Judgement) []*Section {
	byKey := map[string]*Section{}
	sections := []*Section{}
	for _, j := range judgements {
		section := byKey[j.SectionKey]
		if section == nil {
			section = &Section{Key: j.SectionKey, RunKey: j.RunKey}
			byKey[j.SectionKey] = section
			sections = append(sections, section)
		}
		section.Judgements = append(section.Judgements, j)
	}
	for _, section := range sections {
		slices.SortFunc(section.Judgements, ByIteration)
	}
	slices.SortFunc(sections, func(a, b *Section) int {
		return cmp.Or(a.StartedAt().Compare(b.StartedAt()), cmp.Compare(a.Key, b.Key))
	})
	return sections
}

// ByIteration is the order of judgements of a section.
func ByIteration(a, b Judgement) int {
	return cmp.Or(cmp.Compare(a.Iteration, b.Iteration), a.At.Compare(b.At), cmp.Compare(a.Key, b.Key))
}

// Final is the judgement that counts: of the highest iteration, the latest. Where a later one gives
// another section type or context, these are the section's.
func (s *Section) Final() *Judgement { return &s.Judgements[len(s.Judgements)-1] }

// StartedAt is the time of the earliest judgement.
func (s *Section) StartedAt() time.Time {
	return slices.MinFunc(s.Judgements, func(a, b Judgement) int { return a.At.Compare(b.At) }).At
}

// SectionType is what kind of section it is, such as chorus.
func (s *Section) SectionType() string { return s.Final().SectionType }

// Context is what the section was made under.
func (s *Section) Context() JSON { return s.Final().Context }

// FinalScore is the final judgement's, null where it gave none.
func (s *Section) FinalScore() *float64 { return s.Final().Score }

// Approved says whether the final judgement approves.
func (s *Section) Approved() bool { return s.Final().Status == VerdictApprove }

// Iterations is how many there were: the last, which are numbered from 0, plus 1.
func (s *Section) Iterations() int { return s.Final().Iteration + 1 }

// Issues is what the final judgement still names. What was repaired before is in Judgements.
func (s *Section) Issues() []Issue { return s.Final().Issues }

// Patterns is what the section used in the end.
func (s *Section) Patterns() []string { return s.Final().Patterns }
