package search

import (
	"context"
	"encoding/json"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/vectors"
)

// besideInSession are the passages of an observation o and of those within reach of it in its session.
const besideInSession = `SELECT ` + columns + ` FROM (
		SELECT id FROM (SELECT x.id FROM observations o CROSS JOIN observations x ON x.session = o.session AND (x.created_at, x.id) <= (o.created_at, o.id)
			WHERE o.id = :id AND (:user IS NULL OR x.user_id = :user OR :shared AND x.user_id IS NULL) ORDER BY x.created_at DESC, x.id DESC LIMIT :reach + 1)
		UNION ALL SELECT id FROM (SELECT x.id FROM observations o CROSS JOIN observations x ON x.session = o.session AND (x.created_at, x.id) > (o.created_at, o.id)
			WHERE o.id = :id AND (:user IS NULL OR x.user_id = :user OR :shared AND x.user_id IS NULL) ORDER BY x.created_at, x.id LIMIT :reach)) b
	CROSS JOIN passages p ON p.node = b.id` + tables

// besideInRecord are the passages within twice the reach of some in their records.
const besideInRecord = `SELECT DISTINCT p.id, p.node, p.number FROM json_each(:of) w
	CROSS JOIN passages p ON p.node = w.value ->> 0 AND p.number BETWEEN (w.value ->> 1) - 2 * :reach AND (w.value ->> 1) + 2 * :reach`

// PassagesBeside reads what is around observations, and takes that of other records from memory; see store.Passages.
func (f Finder) PassagesBeside(ctx context.Context, of []store.FoundPassage, reach int, users store.UserFilter) (found []store.FoundPassage, err error) {
	if len(of) == 0 {
		return nil, nil
	}
	given := make(map[int64]bool, len(of))
	inSessions := map[int64]bool{} // the observations
	inRecords, records := [][2]int64{}, map[int64]store.FoundPassage{}
	for i := range of {
		if given[of[i].ID] = true; of[i].Session != "" {
			inSessions[of[i].Record] = true
		} else {
			inRecords, records[of[i].Record] = append(inRecords, [2]int64{of[i].Record, int64(of[i].Number)}), of[i]
		}
	}
	asked, _ := json.Marshal(inRecords) // numbers
	err = f.read(ctx, func(ctx context.Context, c *db.Conn) error {
		// By passage, as memory knows neither moves nor deletions; and the records of these.
		numbers, there := map[int64]int32{}, map[int64]bool{}
		err := c.Search(ctx, besideInRecord, func(r *db.Row) {
			id, record := r.Integer(), r.Integer()
			numbers[id], there[record] = int32(r.Integer()), true
		}, db.Arg("of", string(asked)), db.Arg("reach", reach))
		for record := range there {
			of := records[record]
			beside := memoryOf(c, builtIn(of.Kind)).vectors.Of(uint64(record), func(e *vectors.Entry) (is bool) {
				e.Number, is = numbers[e.ID]
				return is && !given[e.ID]
			})
			found = append(found, of.Beside(beside, db.Kept[memories](c).embeddings(of.Kind))...)
		}
		for id := range inSessions {
			if err != nil {
				break
			}
			var around []store.FoundPassage
			around, err = db.AllWithin(ctx, c, besideInSession, readPassage, db.Arg("id", id), db.Arg("reach", reach), db.Arg("user", users.User), db.Arg("shared", users.Shared))
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
