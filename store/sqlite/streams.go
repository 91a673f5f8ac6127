package sqlite

import (
	"cmp"
	"slices"

	"mneme/memory"
)

// pickStreams takes the first of the streams of a recall from all that match: the best by words, the
// best by vector, and the newest. It bounds what it did not take.
func pickStreams(matches []*match, limit int) (picked []*match, unseen memory.Unseen) {
	taken := make(map[int64]bool, 3*limit)
	take := func(stream []*match) {
		for _, m := range stream {
			if !taken[m.id] {
				taken[m.id] = true
				picked = append(picked, m)
			}
		}
	}
	score := func(of func(*match) float64) float64 {
		stream, more := best(matches, limit, of)
		take(stream)
		if !more {
			return 0
		}
		return of(stream[len(stream)-1])
	}
	unseen.Lexical = score(func(m *match) float64 { return m.lexical })
	unseen.Cosine = score(func(m *match) float64 { return m.cosine })
	slices.SortFunc(matches, func(a, b *match) int { return b.startedAt.Compare(a.startedAt) })
	newest, more := cut(matches, limit)
	take(newest)
	if more {
		unseen.StartedAt = newest[len(newest)-1].startedAt
	}
	unseen.Exhausted = len(picked) == len(matches)
	return picked, unseen
}

// best are the matches with the highest scores above 0, highest first, and whether more follow.
func best(matches []*match, limit int, score func(*match) float64) (stream []*match, more bool) {
	for _, m := range matches {
		if score(m) > 0 {
			stream = append(stream, m)
		}
	}
	slices.SortFunc(stream, func(a, b *match) int { return cmp.Compare(score(b), score(a)) })
	return cut(stream, limit)
}
