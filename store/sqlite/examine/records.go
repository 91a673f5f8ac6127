package examine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// nodes counts the records. Of which something is gone reading them tells.
func (e *examiner) nodes() (diagnosis, error) {
	all, err := e.count(`SELECT count(*) FROM nodes`)
	return diagnosis{found: fmt.Sprintf("%d records", all)}, err
}

// The aggregates of an episode x, as they follow from its canvases and its feedback.
const (
	actionsOf   = `(SELECT count(*) FROM edges p JOIN canvas_actions a ON a.canvas = p.target WHERE p.source = x.id AND p.type = 'PRESENTED')`
	scoresOf    = `(SELECT total(f.score) FROM edges r JOIN feedback f ON f.id = r.target WHERE r.source = x.id AND r.type = 'RECEIVED')`
	reactionsOf = `(SELECT count(*) FROM edges r WHERE r.source = x.id AND r.type = 'RECEIVED')`
	agentOf     = `(SELECT o.agent FROM edges p JOIN episodes o ON o.id = p.source WHERE p.target = v.id AND p.type = 'PRESENTED')`

	waits = `NOT EXISTS (SELECT 1 FROM edges p WHERE p.target = f.id AND p.type = 'RECEIVED')`

	logged    = `(SELECT count(*), coalesce(sum(octet_length(x.type) + coalesce(octet_length(x.data), 0)), 0), coalesce(max(x.seq), -1) FROM events x WHERE x.episode = l.episode)`
	mislogged = `(l.events, l.bytes, l.last) IS NOT ` + logged

	miscounted = `canvas_action_count <> ` + actionsOf + ` OR feedback_count <> ` + reactionsOf + ` OR feedback_sum <> ` + scoresOf
)

// counters looks at what is counted ahead of reading.
func (e *examiner) counters() (diagnosis, error) {
	episodes, err := e.count(`SELECT count(*) FROM episodes x WHERE ` + miscounted)
	if err != nil {
		return diagnosis{}, err
	}
	canvases, err := e.count(`SELECT count(*) FROM canvases v WHERE v.agent IS NOT ` + agentOf)
	if err != nil {
		return diagnosis{}, err
	}
	logs, err := e.count(`SELECT count(*) FROM logs l WHERE ` + mislogged)
	if err != nil {
		return diagnosis{}, err
	}
	feedback, err := e.count(`SELECT count(*) FROM feedback f WHERE f.waiting <> ` + waits)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: "sums agree with what they are of"}
	if episodes+canvases+logs+feedback > 0 {
		d.found = ""
		d.fault = fmt.Sprintf("%d episodes have wrong counts or sums, %d canvases another agent than their episode, %d logs another length", episodes, canvases, logs)
		if feedback > 0 {
			d.fault += fmt.Sprintf(", %d feedback waits by its row and not by its link, or the other way round", feedback)
		}
		d.remedy = "Count again."
		d.mend = db.Scripts(
			`INSERT OR REPLACE INTO lift_changes (episode) SELECT x.id FROM episodes x WHERE `+miscounted,
			`UPDATE episodes AS x SET canvas_action_count = `+actionsOf+`, feedback_count = `+reactionsOf+`, feedback_sum = `+scoresOf+` WHERE `+miscounted,
			`UPDATE canvases AS v SET agent = `+agentOf+` WHERE v.agent IS NOT `+agentOf,
			`UPDATE feedback AS f SET waiting = `+waits+` WHERE f.waiting <> `+waits,
			`UPDATE logs AS l SET (events, bytes, last) = `+logged+` WHERE `+mislogged)
	}
	return d, nil
}

// references looks for rows that lead to rows which are not there, by the foreign keys of the schema.
func (e *examiner) references() (diagnosis, error) {
	dangling := map[string]int{}
	err := e.conn.Search(e.ctx, `PRAGMA foreign_key_check`, func(r *db.Row) error {
		dangling[r.Text()]++
		return nil
	})
	if err != nil || len(dangling) == 0 {
		return diagnosis{found: "all lead to something"}, err
	}
	var lines []string
	for _, table := range slices.Sorted(maps.Keys(dangling)) {
		lines = append(lines, fmt.Sprintf("%d in %s", dangling[table], table))
	}
	return diagnosis{
		fault: "some lead to nothing: " + strings.Join(lines, ", "),
		remedy: "Put a backup in place, or remove the links and parts of records of which the other end is gone, and the records whose owner is gone. " +
			"An import of an earlier export brings these back.",
		mendFile: inWriter(e.records.removeDangling),
	}, nil
}

// foreignKey is a column that leads to a row of another table, by its id.
type foreignKey struct {
	table, column, to string
	// part says that a row goes with the one that it leads to; else it leads to an owner of its record.
	part bool
}

func foreignKeys(c *db.Conn) (found []foreignKey, err error) {
	const read = `SELECT m.name, f."from", f."table", f.on_delete = 'CASCADE' FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' ORDER BY 1, 2`
	err = c.Query(read, func(r *db.Row) error {
		found = append(found, foreignKey{r.Text(), r.Text(), r.Text(), r.Bool()})
		return nil
	})
	return found, err
}

// removeDangling removes what leads to nothing: links first, which deleting records follows, then the records without
// their owners, then what is left of others.
func (r Records) removeDangling(ctx context.Context, c *db.Conn) error {
	keys, err := foreignKeys(c)
	if err != nil {
		return err
	}
	parts := func(of func(foreignKey) bool) error {
		for _, key := range keys {
			if !key.part || !of(key) {
				continue
			}
			remove := fmt.Sprintf(`DELETE FROM %s WHERE NOT EXISTS (SELECT 1 FROM %s o WHERE o.id = %[1]s.%[3]s)`, key.table, key.to, key.column)
			if err := c.Exec(remove); err != nil {
				return err
			}
		}
		return nil
	}
	isLink := func(key foreignKey) bool { return key.table == "edges" || key.table == "waiting" }
	if err := parts(isLink); err != nil {
		return err
	}
	// What a canvas repeats follows from its episode.
	if err := c.Exec(`UPDATE canvases AS v SET agent = ` + agentOf + ` WHERE v.agent IS NOT ` + agentOf); err != nil {
		return err
	}
	for _, key := range keys {
		if key.part {
			continue
		}
		if err := key.discardOwned(ctx, c, r.Discard); err != nil {
			return err
		}
	}
	return parts(func(key foreignKey) bool { return !isLink(key) })
}

// discardOwned removes the records whose owner is gone.
func (k foreignKey) discardOwned(ctx context.Context, c *db.Conn, discard func(context.Context, *db.Conn, *store.Damaged) error) error {
	var found []*store.Damaged
	find := fmt.Sprintf(`SELECT n.kind, n.key FROM %s x JOIN nodes n ON n.id = x.id
		WHERE x.%s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM nodes o WHERE o.id = x.%[2]s)`, k.table, k.column)
	err := c.Search(ctx, find, func(r *db.Row) error {
		kind, _ := db.Read[string](r)
		key, _ := db.Read[string](r)
		found = append(found, &store.Damaged{Kind: memory.Kind(kind), Key: key})
		return nil
	})
	if err != nil {
		return err
	}
	for _, damaged := range found {
		if err := discard(ctx, c, damaged); err != nil {
			return err
		}
	}
	return nil
}

// traces looks for traces that cannot be made episodes.
func (e *examiner) traces() (diagnosis, error) {
	held, err := e.count(`SELECT count(DISTINCT trace) FROM spans`)
	if err != nil {
		return diagnosis{}, err
	}
	var failing store.FailingTraces
	const find = `SELECT trace, failures, reason FROM failing_traces WHERE failures >= :many ORDER BY trace`
	err = e.conn.Search(e.ctx, find, func(r *db.Row) error {
		failing.Add(r.Text(), r.Int(), r.Text())
		return nil
	}, db.Arg("many", store.ManyFailures))
	d := diagnosis{found: fmt.Sprintf("%d traces are held", held)}
	if d.fault, d.remedy = failing.Fault(); d.fault != "" {
		d.mend = db.Scripts(`DELETE FROM failing_traces`)
	}
	return d, err
}
