package search

import (
	"context"
	"slices"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/vectors"
)

// PassagesByMeaning compares the vectors in memory; see store.Passages.
func (f Finder) PassagesByMeaning(ctx context.Context, question store.Question, asked store.Among) (first []store.FoundPassage, more bool, err error) {
	err = f.read(ctx, func(ctx context.Context, c *db.Conn) error {
		all, err := amongKinds(c, &asked)
		var found []scored
		for i := range all {
			for _, source := range sourcesOf(all[i].kind, question) {
				n := nearest{among: &all[i], loaded: memoryOf(c, source), question: question.Vector(), most: asked.Limit}
				some, left, err := n.find(ctx, c)
				if err != nil {
					return err
				}
				for _, p := range some { // one may have both that came with it and that of an endpoint
					if !slices.ContainsFunc(found, func(known scored) bool { return known.ID == p.ID }) {
						found = append(found, p)
					}
				}
				more = more || left
			}
		}
		if first, _ = best(found, asked.Limit); err == nil {
			err = rank(ctx, c, first, &asked)
		}
		return err
	})
	return first, more, err
}

// nearest looks for the nearest to a question.
type nearest struct {
	*among
	*loaded
	question []float32
	most     int
}

// maxLooked is how many of the nearest are looked at, at most.
const maxLooked = 16_000

// find answers the nearest that pass, and whether others may not have been compared.
func (n *nearest) find(ctx context.Context, c *db.Conn) (found []scored, left bool, err error) {
	latest, all, err := n.load(ctx, c)
	look := n.most
	if n.join != `` {
		look *= widerBy
	}
	for ; err == nil; look *= widerBy {
		near := n.vectors.Nearest(n.question, look, []vectors.Limits{n.limits})
		if found, err = n.passing(ctx, c, near); err != nil || len(found) == n.most {
			return found, !all, err
		}
		lost, err := n.lost(ctx, c, near, latest)
		switch {
		case err != nil:
			return nil, false, err
		case len(lost) > 0: // without those it looks again
			n.vectors.Remove(lost...)
			look /= widerBy
			continue
		case len(near) < look || look*widerBy > maxLooked:
			return found, !all || len(near) == look, nil
		}
	}
	return nil, false, err
}

// passing reads the first that pass, one after the other until there are enough.
func (n *nearest) passing(ctx context.Context, c *db.Conn, near []vectors.Near) ([]scored, error) {
	ids, cosines := make([]int64, len(near)), make(map[int64]float64, len(near))
	for i, p := range near {
		ids[i], cosines[p.ID] = p.ID, p.Cosine
	}
	find := `SELECT w.value, ` + columns + ` FROM json_each(:ids) w` + n.found + n.join + tables + ` WHERE ` + n.SQL() + ` LIMIT :most`
	return db.AllWithin(ctx, c, find, func(r *db.Row) scored {
		id := r.Integer()
		return scored{readPassage(r), -cosines[id]}
	}, append(slices.Clone(n.Args), db.List("ids", ids), db.Arg("most", n.most))...)
}

// lost are those that are not there any more, of the ids up to the latest that the connection sees.
func (n *nearest) lost(ctx context.Context, c *db.Conn, near []vectors.Near, latest int64) ([]int64, error) {
	ids := make([]int64, len(near))
	for i, p := range near {
		ids[i] = p.ID
	}
	find := `SELECT w.value FROM json_each(:ids) w WHERE w.value <= :latest AND NOT EXISTS (SELECT 1 FROM ` + n.table + ` s WHERE s.id = w.value)`
	return db.AllWithin(ctx, c, find, (*db.Row).Integer, db.List("ids", ids), db.Arg("latest", latest))
}
