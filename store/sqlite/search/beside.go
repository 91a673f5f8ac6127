package search

import (
	"context"
	"encoding/json"

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

// besideInRecord are the passages within twice the reach of some in their records.
const besideInRecord = `SELECT DISTINCT p.id, p.node FROM json_each(:of) w
	CROSS JOIN passages p ON p.node = w.value ->> 0 AND p.number BETWEEN (w.value ->> 1) - 2 * :reach AND (w.value ->> 1) + 2 * :reach`

// PassagesBeside reads what is around observations, and takes that of other records from memory; see store.Passages.
func (f Finder) PassagesBeside(ctx context.Context, of []store.FoundPassage, reach int, users store.UserFilter) (found []store.FoundPassage, err error) {
	if len(of) == 0 {
		return nil, nil
	}
	given := make(map[int64]bool, len(of))
	var inSessions []int64
	inRecords, records := [][2]int64{}, map[int64]store.FoundPassage{}
	for i := range of {
		if given[of[i].ID] = true; of[i].Session != "" {
			inSessions = append(inSessions, of[i].ID)
		} else {
			inRecords, records[of[i].Record] = append(inRecords, [2]int64{of[i].Record, int64(of[i].Number)}), of[i]
		}
	}
	asked, _ := json.Marshal(inRecords) // numbers
	err = f.read(ctx, func(ctx context.Context, c *db.Conn) error {
		there := map[int64]map[int64]bool{} // the ids of each record
		err := c.Search(ctx, besideInRecord, func(r *db.Row) {
			id, record := r.Integer(), r.Integer()
			if there[record] == nil {
				there[record] = map[int64]bool{}
			}
			there[record][id] = !given[id]
		}, db.Arg("of", string(asked)), db.Arg("reach", reach))
		for record, ids := range there {
			of := records[record]
			beside := memoryOf(c, builtIn(of.Kind)).vectors.Of(uint64(record), func(e *vectors.Entry) bool { return ids[e.ID] })
			found = append(found, of.Beside(beside, db.Kept[memories](c).embeddings(of.Kind))...)
		}
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
			for _, p := range around {
				if !given[p.ID] {
					given[p.ID] = true
					found = append(found, p)
				}
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
