package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/lexical"
)

// match is an episode that may be a candidate.
type match struct {
	id        int64
	startedAt time.Time
	raw       float64 // of the word index
	lexical   float64
	cosine    float64
	passes    bool // the filter
}

// Candidates reads the pool of a recall, all of one state of the database.
func (t *Tenant) Candidates(ctx context.Context, query store.RecallQuery) (found store.Candidates, err error) {
	terms := lexical.Terms(query.Text)
	err = t.snapshot(ctx, func(c *conn) error {
		picked, more, err := pick(ctx, c, terms, &query)
		if err != nil {
			return err
		}
		found.Approximate = more
		found.Items, err = describe(c, picked, query.AsOf)
		return err
	})
	if err != nil {
		return store.Candidates{}, err
	}
	return found, nil
}

// pick takes the heads of what matches by words or by vector, and says whether there is more; where
// nothing matches, the newest of all.
func pick(ctx context.Context, c *conn, terms []lexical.Term, query *store.RecallQuery) (picked []*match, more bool, err error) {
	byWords, err := matchWords(ctx, c, terms, query)
	if err != nil {
		return nil, false, err
	}
	byVector, err := matchVectors(ctx, c, query)
	if err != nil {
		return nil, false, err
	}
	if matches := merge(byWords, byVector); len(matches) > 0 {
		picked := pickHeads(matches, query.Limit)
		return picked, len(picked) < len(matches), nil
	}
	newest, more, err := newestOfAll(ctx, c, query)
	addCosines(newest, byVector)
	return newest, more, err
}

// merge keeps what passes the filter and has either score above 0.
func merge(byWords, byVector []*match) []*match {
	matches := make([]*match, 0, len(byWords)+len(byVector))
	for _, m := range byWords {
		if m.passes {
			matches = append(matches, m)
		}
	}
	for _, v := range addCosines(matches, byVector) {
		if v.cosine > 0 {
			matches = append(matches, v)
		}
	}
	return matches
}

// addCosines tells matches their cosines, and answers the vectors of others.
func addCosines(matches, byVector []*match) (others []*match) {
	if len(byVector) == 0 {
		return nil
	}
	byID := make(map[int64]*match, len(matches))
	for _, m := range matches {
		byID[m.id] = m
	}
	for _, v := range byVector {
		if m := byID[v.id]; m != nil {
			m.cosine = v.cosine
		} else {
			others = append(others, v)
		}
	}
	return others
}

// newestOfAll is the head that is left where nothing matches.
func newestOfAll(ctx context.Context, c *conn, query *store.RecallQuery) (newest []*match, more bool, err error) {
	w := filtered(&query.Filter, query.AsOf)
	w.addKnown(query.AsOf)
	find := `SELECT e.id, e.started_at FROM episodes e WHERE ` + w.sql() + ` ORDER BY e.started_at DESC LIMIT :limit`
	err = c.search(ctx, find, func(r *row) error {
		newest = append(newest, &match{id: r.integer(), startedAt: r.time()})
		return nil
	}, append(w.args, arg("limit", query.Limit+1))...)
	if err != nil {
		return nil, false, err
	}
	newest, more = cut(newest, query.Limit)
	return newest, more, nil
}

// addKnown keeps what was known at an instant, and gives the parameter as_of.
func (w *conditions) addKnown(asOf *time.Time) {
	if asOf != nil {
		w.add(`e.known_at <= :as_of`, arg("as_of", asOf))
	}
}

const (
	describeFrom = ` FROM json_each(:ids) w CROSS JOIN episodes e ON e.id = w.value JOIN nodes n ON n.id = e.id`
	describeNow  = `SELECT e.id, n.key, ` + aggregatesNow + describeFrom
	describeThen = `SELECT e.id, n.key, ` + aggregatesThen + describeFrom
)

// describe reads what the ranking needs to know of the picked ones.
func describe(c *conn, picked []*match, asOf *time.Time) ([]memory.Candidate, error) {
	byID := make(map[int64]*match, len(picked))
	ids := make([]int64, len(picked))
	for i, m := range picked {
		byID[m.id] = m
		ids[i] = m.id
	}
	list, err := jsonOf(ids)
	if err != nil {
		return nil, err
	}
	items := make([]memory.Candidate, 0, len(picked))
	each := func(r *row) error {
		m := byID[r.integer()]
		items = append(items, memory.Candidate{
			Key: r.text(), StartedAt: m.startedAt, Lexical: m.lexical, Cosine: m.cosine,
			CanvasActionCount: r.int(), FeedbackSum: r.float(), FeedbackCount: r.int(),
		})
		return nil
	}
	if asOf == nil {
		return items, c.query(describeNow, each, arg("ids", list))
	}
	err = c.query(describeThen, each, arg("ids", list), arg("as_of", asOf))
	return items, err
}
