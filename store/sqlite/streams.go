package sqlite

import (
	"cmp"
	"slices"
)

// pickHeads takes the heads of a recall from all that match: the best by words, the best by vector, and
// the newest.
func pickHeads(matches []*match, limit int) (picked []*match) {
	taken := make(map[int64]bool, 3*limit)
	take := func(head []*match) {
		for _, m := range head {
			if !taken[m.id] {
				taken[m.id] = true
				picked = append(picked, m)
			}
		}
	}
	take(best(matches, limit, func(m *match) float64 { return m.lexical }))
	take(best(matches, limit, func(m *match) float64 { return m.cosine }))
	slices.SortFunc(matches, func(a, b *match) int { return b.startedAt.Compare(a.startedAt) })
	take(matches[:min(limit, len(matches))])
	return picked
}

// best are the matches with the highest scores above 0, highest first.
func best(matches []*match, limit int, score func(*match) float64) (head []*match) {
	for _, m := range matches {
		if score(m) > 0 {
			head = append(head, m)
		}
	}
	slices.SortFunc(head, func(a, b *match) int { return cmp.Compare(score(b), score(a)) })
	return head[:min(limit, len(head))]
}
