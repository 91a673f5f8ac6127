package search

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

const (
	// besideInRecord are the passages within reach in a record.
	besideInRecord = `SELECT ` + columns + ` FROM (SELECT DISTINCT q.id FROM json_each(:of) w
			CROSS JOIN passages m ON m.id = w.value CROSS JOIN passages q ON q.node = m.node AND q.number BETWEEN m.number - :reach AND m.number + :reach) b
		CROSS JOIN passages p ON p.id = b.id` + tables

	// besideInSession are those of the observations within reach of one in its session.
	besideInSession = `SELECT ` + columns + ` FROM (
			SELECT id FROM (SELECT id FROM observations WHERE session = :session AND (created_at, id) < (:at, :id) AND (:user IS NULL OR user_id = :user OR :shared AND user_id IS NULL) 
				ORDER BY created_at DESC, id DESC LIMIT :reach)
			UNION ALL SELECT id FROM (SELECT id FROM observations WHERE session = :session AND (created_at, id) > (:at, :id) AND (:user IS NULL OR user_id = :user OR :shared AND user_id IS NULL) 
				ORDER BY created_at, id LIMIT :reach)) b
		CROSS JOIN passages p ON p.node = b.id` + tables
)

// Beside finds what stands beside passages; see store.Passages.
func Beside(ctx context.Context, c *db.Conn, of []store.FoundPassage, reach int, users store.UserFilter) (found []store.FoundPassage, err error) {
	given := make(map[int64]bool, len(of))
	var ids, observations []int64
	for i := range of {
		given[of[i].ID] = true
		ids = append(ids, of[i].ID)
		if of[i].Kind == memory.KindObservation {
			observations = append(observations, of[i].ID)
		}
	}
	take := func(some []store.FoundPassage) {
		for _, p := range some {
			if !given[p.ID] {
				given[p.ID] = true
				found = append(found, p)
			}
		}
	}
	beside, err := db.AllWithin(ctx, c, besideInRecord, readPassage, db.List("of", ids), db.Arg("reach", reach))
	if err != nil {
		return nil, err
	}
	take(beside)
	turns, err := turnsOf(ctx, c, observations)
	for _, t := range turns {
		if err != nil {
			break
		}
		beside, err = db.AllWithin(ctx, c, besideInSession, readPassage, db.Arg("session", t.session), db.Arg("at", t.at), db.Arg("id", t.id), db.Arg("reach", reach),
			db.Arg("user", users.User), db.Arg("shared", users.Shared))
		take(beside)
	}
	return found, err
}

// turn is where an observation stands in its session.
type turn struct{ id, session, at int64 }

// turnsOf are those of the observations that passages are from, each once.
func turnsOf(ctx context.Context, c *db.Conn, ids []int64) ([]turn, error) {
	const find = `SELECT DISTINCT x.id, x.session, x.created_at FROM json_each(:ids) w CROSS JOIN passages p ON p.id = w.value
		CROSS JOIN observations x ON x.id = p.node WHERE x.session IS NOT NULL`
	return db.AllWithin(ctx, c, find, func(r *db.Row) turn { return turn{r.Integer(), r.Integer(), r.Integer()} }, db.List("ids", ids))
}
