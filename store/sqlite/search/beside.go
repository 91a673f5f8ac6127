package search

import (
	"context"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/vectors"
)

// besideInSession are the passages of an observation and of those within reach of it in its session.
const besideInSession = `SELECT ` + columns + ` FROM (
		SELECT id FROM (SELECT id FROM observations WHERE session = :session AND (created_at, id) <= (:at, :id) AND (:user IS NULL OR user_id = :user OR :shared AND user_id IS NULL)
			ORDER BY created_at DESC, id DESC LIMIT :reach + 1)
		UNION ALL SELECT id FROM (SELECT id FROM observations WHERE session = :session AND (created_at, id) > (:at, :id) AND (:user IS NULL OR user_id = :user OR :shared AND user_id IS NULL)
			ORDER BY created_at, id LIMIT :reach)) b
	CROSS JOIN passages p ON p.node = b.id` + tables

// besideInRecord is what counts of the passages within twice the reach of some in their records.
const besideInRecord = `SELECT p.id, p.node, p.number, p.at, p.text, p.code, p.embedding FROM (SELECT DISTINCT p.id
		FROM json_each(:ids) w CROSS JOIN passages f ON f.id = w.value
		CROSS JOIN passages p ON p.node = f.node AND p.number BETWEEN f.number - 2 * :reach AND f.number + 2 * :reach) b
	CROSS JOIN passages p ON p.id = b.id`

// PassagesBeside finds what stands beside passages; see store.Passages.
func (f Finder) PassagesBeside(ctx context.Context, of []store.FoundPassage, reach int, users store.UserFilter) (found []store.FoundPassage, err error) {
	if len(of) == 0 {
		return nil, nil
	}
	given := make(map[int64]bool, len(of))
	var inSessions, inRecords []int64
	records := map[int64]store.FoundPassage{}
	for i := range of {
		if given[of[i].ID] = true; of[i].Session != "" {
			inSessions = append(inSessions, of[i].ID)
		} else {
			inRecords, records[of[i].Record] = append(inRecords, of[i].ID), of[i]
		}
	}
	inRecord := func(r *db.Row) (p store.FoundPassage) {
		p.ID, p.Record, p.Number, p.At, p.Text = r.Integer(), r.Integer(), r.Int(), r.Time(), r.Text()
		p.Kind, p.Key, p.BuiltIn = records[p.Record].Kind, records[p.Record].Key, builtIn(r.Blob())
		if embedding := vectors.Vector(r.Blob()); embedding != nil {
			p.Embeddings = [][]float32{embedding}
		}
		return p
	}
	err = f.read(ctx, func(ctx context.Context, c *db.Conn) error {
		beside, err := db.AllWithin(ctx, c, besideInRecord, inRecord, db.List("ids", inRecords), db.Arg("reach", reach))
		if err != nil {
			return err
		}
		turns, err := turnsOf(ctx, c, inSessions)
		for _, t := range turns {
			if err != nil {
				break
			}
			var around []store.FoundPassage
			around, err = db.AllWithin(ctx, c, besideInSession, readPassage, db.Arg("session", t.session), db.Arg("at", t.at), db.Arg("id", t.id), db.Arg("reach", reach),
				db.Arg("user", users.User), db.Arg("shared", users.Shared))
			beside = append(beside, around...)
		}
		for _, p := range beside {
			if !given[p.ID] {
				given[p.ID] = true
				found = append(found, p)
			}
		}
		return err
	})
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
