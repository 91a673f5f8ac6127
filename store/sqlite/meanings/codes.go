package meanings

import (
	"context"
	"iter"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
)

// Codes hands over the codes of revisions of records of a kind, each with its place in the list: from memory where they are
// there, as those of a revision never change, else as they are kept. It leaves out what is not there, and the function must
// not keep the codes.
func Codes(ctx context.Context, c *db.Conn, kind memory.Kind, revisions []int64, each func(i int, codes []Kept)) error {
	places := db.Kept[signatures](c).inMemory(kind, revisions, each)
	if len(places) == 0 {
		return nil
	}
	at, read := make(map[int64]int, len(places)), make([]int64, len(places))
	for i, place := range places {
		at[revisions[place]], read[i] = place, revisions[place]
	}
	list := db.JSONOf(read)
	const find = `SELECT m.revision, m.codes FROM json_each(:revisions) w CROSS JOIN meanings m ON m.revision = w.value`
	return c.Search(ctx, find, func(r *db.Row) error {
		place := at[r.Integer()]
		var codes []Kept
		for code := range codesIn(r.Blob()) {
			codes = append(codes, Kept{Code: code})
		}
		if len(codes) > 0 {
			each(place, codes)
		}
		return nil
	}, db.Arg("revisions", list))
}

// inMemory hands over the codes of the revisions that are in memory, and answers the places of the others.
func (s *signatures) inMemory(kind memory.Kind, revisions []int64, each func(i int, codes []Kept)) (others []int) {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	of := s.kinds[kind]
	for i, revision := range revisions {
		if codes := of.codesOf(revision); len(codes) > 0 {
			each(i, codes)
		} else {
			others = append(others, i)
		}
	}
	return others
}

// codesOf are the codes of a revision; none where not all of them are in memory.
func (s *signed) codesOf(revision int64) []Kept {
	if s == nil {
		return nil
	}
	read := len(s.signatures) - len(s.codes)
	from, found := slices.BinarySearch(s.revisions, revision)
	if !found || from < read {
		return nil
	}
	until := from + 1
	for until < len(s.revisions) && s.revisions[until] == revision {
		until++
	}
	return s.codes[from-read : until-read]
}

// Best is matching.Best of codes.
func Best(asked *meaning.Asked, codes []Kept) float64 {
	best := -1.0
	for i := range codes[:min(len(codes), matching.MostParts)] {
		best = max(best, asked.Cosine(&codes[i].Code))
	}
	return best
}

// revisionsOf are the revisions of what records mean, by the nodes of those that have one. An index has both, so that no codes are read.
func revisionsOf(ctx context.Context, c *db.Conn, nodes []int64) (map[int64]int64, error) {
	list := db.JSONOf(nodes)
	revisions := make(map[int64]int64, len(nodes))
	const find = `SELECT m.node, m.revision FROM json_each(:nodes) w CROSS JOIN meanings m ON m.node = w.value`
	return revisions, c.Search(ctx, find, func(r *db.Row) error {
		node := r.Integer()
		revisions[node] = r.Integer()
		return nil
	}, db.Arg("nodes", list))
}

// of hands over the codes of records of a kind, of those that have any.
func of(ctx context.Context, c *db.Conn, kind memory.Kind, nodes []int64, each func(node int64, codes []Kept)) error {
	found, err := revisionsOf(ctx, c, nodes)
	if err != nil {
		return err
	}
	there, revisions := make([]int64, 0, len(found)), make([]int64, 0, len(found))
	for node, revision := range found {
		there, revisions = append(there, node), append(revisions, revision)
	}
	return Codes(ctx, c, kind, revisions, func(i int, codes []Kept) { each(there[i], codes) })
}

// Of reads the vectors of records of a kind: for each that has any, that of the whole and then those of its lines.
func Of(ctx context.Context, c *db.Conn, kind memory.Kind, nodes []int64) (map[int64][][]float32, error) {
	vectors := make(map[int64][][]float32, len(nodes))
	err := of(ctx, c, kind, nodes, func(node int64, codes []Kept) {
		own := make([][]float32, len(codes))
		for i := range codes {
			v := codes[i].Code.Vector()
			own[i] = v[:]
		}
		vectors[node] = own
	})
	return vectors, err
}

// codesIn are the codes that are kept together: none of what is damaged.
func codesIn(kept []byte) iter.Seq[meaning.Code] {
	return func(yield func(meaning.Code) bool) {
		for part := range slices.Chunk(kept, meaning.Dimensions) {
			if code, err := meaning.CodeOf(part); err == nil && !yield(code) {
				return
			}
		}
	}
}
