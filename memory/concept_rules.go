package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Valid says whether the word is one of the closed set.
func (t RelationType) Valid() bool { return slices.Contains(RelationTypes, t) }

// SortedRelationTypes are all types by name.
func SortedRelationTypes() []RelationType { return slices.Sorted(slices.Values(RelationTypes)) }

// Check says what is wrong with a relation, or returns nil: its type is one of the closed set, and no
// concept relates to itself.
func (r *Relation) Check() error {
	switch {
	case !r.Type.Valid():
		return Invalid("type", "must be one of %s", strings.Join(Mapped(RelationTypes, func(t RelationType) string { return string(t) }), ", "))
	case r.SourceKey == r.TargetKey:
		return Invalid("targetId", "is the concept itself; a concept cannot relate to itself")
	}
	return nil
}

// Refine gives the concept as it is after a refinement: what it said becomes a revision dated with its
// UpdatedAt, content and labels are replaced where they are given (nil leaves them), and UpdatedAt is
// at. With purge nothing of what it said before is kept. changed is false, and the concept as it was, where it says
// what it said and no revision goes. It is LIMIT_EXCEEDED at id where its revisions would be longer than MaxRevised.
func (c *Concept) Refine(content *string, labels *[]string, purge bool, at time.Time) (refined Concept, changed bool, err error) {
	refined = *c
	refined.Content, refined.Labels = ValueOr(content, c.Content), ValueOr(labels, c.Labels)
	said := refined.Content == c.Content && slices.Equal(refined.Labels, c.Labels)
	switch {
	case said && !(purge && len(c.Revisions) > 0):
		return *c, false, nil
	case said:
		refined.Labels = c.Labels
	default:
		before := ConceptRevision{Content: c.Content, Labels: c.Labels, At: c.UpdatedAt}
		refined.Revisions = append(slices.Clip(slices.Clone(c.Revisions)), before)
		refined.UpdatedAt = at
	}
	if purge {
		refined.Revisions = nil
	}
	if !said && refined.revised() > MaxRevised {
		return *c, false, LimitExceeded("id", "is of a concept whose revisions fill the %d MiB that are kept of one: refine it with purge, which drops them, or add what is known now as a concept of its own", MaxRevised>>20)
	}
	return refined, true, nil
}

// MaxRevised is how many bytes the revisions of a concept have at most, of contents and labels and eachRevised beside
// them: whoever reads a concept reads them, too.
const (
	MaxRevised  = 4 << 20
	eachRevised = 64
)

// revised is how many bytes they have.
func (c *Concept) revised() (bytes int) {
	for i := range c.Revisions {
		bytes += len(c.Revisions[i].Content) + eachRevised
		for _, label := range c.Revisions[i].Labels {
			bytes += len(label)
		}
	}
	return bytes
}

// AsOf is what the concept said at an instant, with the revisions that were kept by then; nil where it was
// not known yet, or what it said then was purged. The receipt, which is one over all that was ever said, stays.
func (c *Concept) AsOf(at time.Time) *Concept {
	kept := c.UpdatedAt // since when what it said is kept
	if len(c.Revisions) > 0 {
		kept = c.Revisions[0].At
	}
	if c.CreatedAt.After(at) || kept.After(at) {
		return nil
	}
	said := len(c.Revisions) // the index of what it said then; past the end it is what it says
	if c.UpdatedAt.After(at) {
		said = 0
		for said+1 < len(c.Revisions) && !c.Revisions[said+1].At.After(at) {
			said++
		}
	}
	then := *c
	then.Revisions = c.Revisions[:said:said]
	if said < len(c.Revisions) {
		revision := c.Revisions[said]
		then.Content, then.Labels, then.UpdatedAt = revision.Content, revision.Labels, revision.At
	}
	return &then
}

// KnownConcepts are those that were known at an instant, as they were then; without an instant, all that there are.
func KnownConcepts(concepts []*Concept, at *time.Time) []*Concept {
	known := []*Concept{}
	for _, concept := range concepts {
		if concept != nil && at != nil {
			concept = concept.AsOf(*at)
		}
		if concept != nil {
			known = append(known, concept)
		}
	}
	return known
}

// SupersededBy is the key of the concept that took the place of another, by the other's relations; empty
// where none did. Where several did it is the latest linked, by (CreatedAt, key).
func SupersededBy(concept string, relations []*Relation) string {
	by := byAge(relations, func(r *Relation) bool { return r.Type == RelationSupersededBy && r.SourceKey == concept })
	if len(by) == 0 {
		return ""
	}
	return by[len(by)-1].TargetKey
}

// ContradictedBy is the keys of the concepts that contradict another, by the other's relations, in the
// order in which they were linked, then by key.
func ContradictedBy(concept string, relations []*Relation) []string {
	by := byAge(relations, func(r *Relation) bool { return r.Type == RelationContradicts && r.TargetKey == concept })
	return Mapped(by, func(r *Relation) string { return r.SourceKey })
}

// byAge are the relations that are as asked for, in the order in which they were linked, then by keys.
func byAge(relations []*Relation, asked func(*Relation) bool) []*Relation {
	found := slices.DeleteFunc(slices.Clone(relations), func(r *Relation) bool { return !asked(r) })
	slices.SortFunc(found, func(a, b *Relation) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.SourceKey, b.SourceKey), cmp.Compare(a.TargetKey, b.TargetKey))
	})
	return found
}

// ConceptNote is what a concept that no longer holds says of itself wherever it is shown: "Superseded by
// X. Contradicted by Y, Z." It is empty where it holds. The names are those of SupersededBy (empty for
// none) and ContradictedBy.
func ConceptNote(supersededBy string, contradictedBy []string) string {
	var notes []string
	if supersededBy != "" {
		notes = append(notes, fmt.Sprintf("Superseded by %s.", supersededBy))
	}
	if len(contradictedBy) > 0 {
		notes = append(notes, fmt.Sprintf("Contradicted by %s.", strings.Join(contradictedBy, ", ")))
	}
	return strings.Join(notes, " ")
}
