package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// EachJudgement hands out judgements as they are read, oldest first.
func (t *Tenant) EachJudgement(ctx context.Context, query store.JudgementQuery, each func(*memory.Judgement) error) error {
	w := judgementsOf(&query)
	return t.read(ctx, func(c *conn) error {
		return c.search(ctx, judgementsOldestFirst(w), func(r *row) error {
			judgement := readJudgement(r)
			if r.err != nil {
				r.damaged()
				return r.fault()
			}
			return each(judgement)
		}, w.args...)
	})
}

func judgementsOldestFirst(w conditions) string {
	return `SELECT ` + judgementColumns + ` FROM verdicts k` + judgementTables + ` WHERE ` + w.sql() + ` ORDER BY k.at, k.key`
}

func judgementsOf(query *store.JudgementQuery) (w conditions) {
	if query.Judge != nil {
		w.add(`k.judge = :judge`, arg("judge", query.Judge))
	}
	if query.Since != nil {
		w.add(`k.at >= :since`, arg("since", query.Since))
	}
	return w
}

// It hops from one judge to the next in the index, so that its cost is that of the judges and not of the
// verdicts.
const distinctJudges = `WITH RECURSIVE judges (judge) AS (
		SELECT min(judge) FROM verdicts
		UNION ALL
		SELECT (SELECT min(k.judge) FROM verdicts k WHERE k.judge > j.judge) FROM judges j WHERE j.judge IS NOT NULL
	) SELECT judge FROM judges WHERE judge IS NOT NULL ORDER BY judge`

// Judges reads the judges there are.
func (t *Tenant) Judges(ctx context.Context) ([]string, error) {
	judges := []string{}
	err := t.read(ctx, func(c *conn) error {
		return c.query(distinctJudges, func(r *row) error {
			if judge := r.text(); !r.unreadable() {
				judges = append(judges, judge)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return judges, nil
}
