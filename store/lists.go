package store

import (
	"cmp"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/memory/ranking"
)

// Cut takes away what was read beyond a limit only to know whether more follows.
func Cut[T any](records []T, limit int) (page []T, more bool) {
	return memory.OrEmpty(records)[:min(len(records), limit)], len(records) > limit
}

// AddCandidates adds those of a list, once each and up to a limit, to candidates, and says whether more follow in it.
func AddCandidates(found, list []ranking.Candidate, limit int) (all []ranking.Candidate, more bool) {
	list, more = Cut(list, limit)
	for _, c := range list {
		if !slices.ContainsFunc(found, func(known ranking.Candidate) bool { return known.Key == c.Key }) {
			found = append(found, c)
		}
	}
	return found, more
}

// CutLinked sorts the episodes of each page by key, and cuts them.
func CutLinked(linked map[string]LinkedPage, limit int) {
	for key, page := range linked {
		slices.SortFunc(page.Episodes, func(a, b *memory.Episode) int { return cmp.Compare(a.Key, b.Key) })
		page.Episodes, page.More = Cut(page.Episodes, limit)
		linked[key] = page
	}
}

// FirstLinks are distinct links in the order of LinksBetween, at most so many.
func FirstLinks(links []Link, limit int) []Link {
	slices.SortFunc(links, func(a, b Link) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Type, b.Type))
	})
	links = slices.Compact(links)
	return links[:min(len(links), max(limit, 0))]
}

// RelationNames are the distinct names of known types of relations, in order; of all where they are nil.
func RelationNames(types []memory.RelationType) []string {
	known := memory.SortedRelationTypes()
	if types != nil {
		known = slices.DeleteFunc(known, func(t memory.RelationType) bool { return !slices.Contains(types, t) })
	}
	return memory.Mapped(known, func(t memory.RelationType) string { return string(t) })
}

// CheckAbout refuses ids that name no record: nothing could ever come that an annotation waits for.
func CheckAbout(ids []string) error {
	for i, id := range ids {
		if _, _, ok := memory.SplitID(id); !ok {
			return fmt.Errorf("%w: about %d is no id of a record", ErrInvalid, i)
		}
	}
	return nil
}
