package search

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
	"mneme/store/vectors"
)

// ByMeaning finds passages by their vectors; see store.Passages.
func ByMeaning(ctx context.Context, c *db.Conn, question store.Question, asked *store.Among) ([]store.FoundPassage, bool, error) {
	all, err := amongKinds(c, asked)
	if err != nil {
		return nil, false, err
	}
	var found []scored
	some := false
	for i := range all {
		for _, source := range sourcesOf(all[i].kind, question) {
			n := nearest{among: &all[i], source: source, question: question.Vector(), most: asked.Limit}
			more, left, err := n.find(ctx, c)
			if err != nil {
				return nil, false, err
			}
			for _, p := range more { // one may have both that came with it and that of an endpoint
				if !slices.ContainsFunc(found, func(known scored) bool { return known.ID == p.ID }) {
					found = append(found, p)
				}
			}
			some = some || left
		}
	}
	first, _ := best(found, asked.Limit)
	return first, some, nil
}

// nearest looks for the nearest to a question.
type nearest struct {
	*among
	source
	question []float32
	most     int
}

// widerBy is how many times as many are looked at where too few of the nearest pass, and maxLooked how many at most.
const widerBy, maxLooked = 8, 16_000

// find answers the nearest that pass, and whether others may not have been compared.
func (n *nearest) find(ctx context.Context, c *db.Conn) (found []scored, left bool, err error) {
	in := memoryOf(c, n.source)
	latest, all, err := in.load(ctx, c, n.source)
	for most := n.most; err == nil; {
		near := in.vectors.Nearest(n.question, most, n.may)
		gone := 0
		found, gone, err = n.read(ctx, c, near, in, latest)
		switch {
		case err != nil || gone > 0: // without those it looks again
			continue
		case len(found) >= n.most || len(near) < most:
			return found, !all, nil
		}
		few, is, failed := n.few(ctx, c)
		if is || failed != nil {
			if failed == nil {
				found, _, failed = n.read(ctx, c, few, in, latest)
			}
			return found, false, failed
		}
		if most *= widerBy; most > maxLooked {
			return found, true, nil
		}
	}
	return nil, false, err
}

// may says whether the marks of a record let it pass.
func (n *nearest) may(marks *vectors.Marks, at time.Time) bool {
	for i, mark := range n.marks {
		if mark != 0 && marks[i] != mark && (i != 3 || !n.shared || marks[i] != passages.MarkText("")) {
			return false
		}
	}
	return (n.since == nil || !at.Before(*n.since)) && (n.until == nil || at.Before(*n.until))
}

// read reads those that pass, the nearest first. What is not there any more is taken out of memory, and counted.
func (n *nearest) read(ctx context.Context, c *db.Conn, near []vectors.Near, in *loaded, latest int64) (found []scored, gone int, err error) {
	ids, cosines := make([]int64, len(near)), make(map[int64]float64, len(near))
	for i, p := range near {
		ids[i], cosines[p.ID] = p.ID, p.Cosine
	}
	list := db.List("ids", ids)
	find := `SELECT w.value, ` + columns + ` FROM json_each(:ids) w` + n.found + n.join + tables + ` WHERE ` + n.SQL()
	found, err = db.AllWithin(ctx, c, find, func(r *db.Row) scored {
		id := r.Integer()
		return scored{readPassage(r), -cosines[id]}
	}, append(slices.Clone(n.Args), list)...)
	if err != nil || len(found) == len(near) {
		return found, 0, err
	}
	missing := `SELECT w.value FROM json_each(:ids) w WHERE w.value <= :latest AND NOT EXISTS (SELECT 1 FROM ` + n.table + ` s WHERE s.id = w.value)`
	lost, err := db.AllWithin(ctx, c, missing, (*db.Row).Integer, list, db.Arg("latest", latest))
	in.vectors.Remove(lost...)
	return found, len(lost), err
}

// maxFew is how many passages of what passes a filter are compared one by one.
const maxFew = 4000

// few compares all passages of the episodes that pass, where they are few: of what hardly any episode meets, the nearest of all may be far away.
func (n *nearest) few(ctx context.Context, c *db.Conn) (near []vectors.Near, is bool, err error) {
	if n.kind != memory.KindEpisode || len(n.Texts) == 0 {
		return nil, false, nil
	}
	find := `SELECT s.id, s.vector FROM (SELECT e.id FROM episodes e WHERE ` + n.whole.SQL() + ` LIMIT :most) e CROSS JOIN ` + n.table + ` s ON s.node = e.id LIMIT :most`
	code, read := vectors.Code(n.question), 0
	err = c.Search(ctx, find, func(r *db.Row) {
		read++
		if id, other := r.Integer(), n.code(r.Blob()); len(other) == len(code) {
			near = append(near, vectors.Near{ID: id, Cosine: vectors.Cosine(code, other)})
		}
	}, append(slices.Clone(n.whole.Args), db.Arg("most", maxFew))...)
	if err != nil || read == maxFew {
		return nil, false, err
	}
	slices.SortFunc(near, func(a, b vectors.Near) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(b.ID, a.ID)) })
	return near[:min(len(near), n.most)], true, nil
}
