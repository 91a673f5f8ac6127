package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
)

// repeated is a column that repeats what stands elsewhere, so that rows are found by an index.
type repeated struct {
	what string // for people
	// wrong finds the rows that say otherwise: their id, and what they should say.
	wrong func(ctx context.Context, c *conn) (map[int64]string, error)
	// set writes that to a row.
	set string
}

// repeats are those that no other part looks at.
var repeats = []repeated{
	{"runs with another key", otherKeys("runs"), `UPDATE runs SET key = :value WHERE id = :id`},
	{"verdicts with another key", otherKeys("verdicts"), `UPDATE verdicts SET key = :value WHERE id = :id`},
	{"patterns with another key", otherKeys("patterns"), `UPDATE patterns SET key = :value WHERE id = :id`},
	{"profiles of another task type", profilesBy(1), `UPDATE profiles SET task_type = :value WHERE id = :id`},
	{"profiles of another agent", profilesBy(0), `UPDATE profiles SET agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :value) WHERE id = :id`},
	{"patterns with another context", otherContexts, `UPDATE patterns SET context_key = :value WHERE id = :id`},
	{"episodes with other executions", otherExecutions, `INSERT INTO executions (key, episode) SELECT value, :id FROM json_each(:value) WHERE true ON CONFLICT DO NOTHING`},
}

// otherKeys finds the rows of a table whose key is not that of their node.
func otherKeys(table string) func(context.Context, *conn) (map[int64]string, error) {
	return func(ctx context.Context, c *conn) (map[int64]string, error) {
		return valuesOf(ctx, c, `SELECT n.id, n.key FROM `+table+` x JOIN nodes n ON n.id = x.id WHERE x.key <> n.key`)
	}
}

func valuesOf(ctx context.Context, c *conn, find string) (map[int64]string, error) {
	found := map[int64]string{}
	return found, c.search(ctx, find, func(r *row) error {
		id := r.integer()
		found[id], _ = read[string](r)
		return nil
	})
}

// profilesBy finds the profiles of which a part of the key, the agent or the task type, is another than the column.
func profilesBy(part int) func(context.Context, *conn) (map[int64]string, error) {
	return func(ctx context.Context, c *conn) (map[int64]string, error) {
		found := map[int64]string{}
		const find = `SELECT p.id, n.key, a.kind, a.key, p.task_type FROM profiles p JOIN nodes n ON n.id = p.id LEFT JOIN nodes a ON a.id = p.agent`
		return found, c.search(ctx, find, func(r *row) error {
			id := r.integer()
			key, _ := read[string](r)
			kind, _ := read[string](r)
			agent, _ := read[string](r)
			taskType, _ := read[string](r)
			should := memory.SplitKey(key)
			is := []string{agent, taskType}
			if len(should) == 2 && (should[part] != is[part] || part == 0 && kind != string(memory.KindAgent)) {
				found[id] = should[part]
			}
			return nil
		})
	}
}

// otherContexts finds the patterns that are found by another context than theirs. What cannot be read another part
// finds.
func otherContexts(ctx context.Context, c *conn) (map[int64]string, error) {
	found := map[int64]string{}
	return found, c.search(ctx, `SELECT id, context_key, context FROM patterns`, func(r *row) error {
		id := r.integer()
		key, _ := read[string](r)
		context := r.json()
		if should := memory.ContextKey(context); r.err == nil && key != should {
			found[id] = should
		}
		r.err = nil
		return nil
	})
}

// otherExecutions finds the episodes that are found by other executions than they say, with the list of theirs.
func otherExecutions(ctx context.Context, c *conn) (map[int64]string, error) {
	return valuesOf(ctx, c, `SELECT c.episode, c.execution_ids FROM contents c WHERE json_valid(c.execution_ids) AND json_type(c.execution_ids) = 'array' AND (
		EXISTS (SELECT 1 FROM executions x WHERE x.episode = c.episode AND x.key NOT IN (SELECT value FROM json_each(c.execution_ids) WHERE type = 'text'))
		OR EXISTS (SELECT value FROM json_each(c.execution_ids) WHERE type = 'text' EXCEPT SELECT x.key FROM executions x WHERE x.episode = c.episode))`)
}

// repeats looks at what columns repeat.
func (e *examiner) repeats() (diagnosis, error) {
	var faults []string
	for _, column := range repeats {
		wrong, err := column.wrong(e.ctx, e.conn)
		if err != nil {
			return diagnosis{}, err
		}
		if len(wrong) > 0 {
			faults = append(faults, fmt.Sprintf("%d %s", len(wrong), column.what))
		}
	}
	if len(faults) == 0 {
		return diagnosis{found: "columns that repeat others agree with them"}, nil
	}
	return diagnosis{
		fault: "some records are found by what they do not say: " + strings.Join(faults, ", "), remedy: "Write it to these columns again.", mend: mendRepeats,
	}, nil
}

func mendRepeats(c *conn) error {
	for _, column := range repeats {
		wrong, err := column.wrong(context.Background(), c)
		if err != nil {
			return err
		}
		for id, value := range wrong {
			if strings.Contains(column.set, "INTO executions") {
				if err := c.exec(`DELETE FROM executions WHERE episode = :id`, arg("id", id)); err != nil {
					return err
				}
			}
			if err := c.exec(column.set, arg("id", id), arg("value", value)); err != nil {
				return err
			}
		}
	}
	return nil
}

// missummed are the profiles whose sums are not those of their executions, of those that can be read.
func missummed(ctx context.Context, c *conn) (found []int64, err error) {
	latest, err := latestOf(ctx, c)
	if err != nil {
		return nil, err
	}
	err = c.search(ctx, wholeProfile, func(r *row) error {
		p := readWhole(r)
		if r.err != nil {
			r.err = nil
			return nil //nolint:nilerr // what cannot be read another part finds
		}
		executions := p.Executions()
		archive := []*memory.Execution{}
		if err := c.query(archiveOf, func(r *row) error {
			e := p.readArchived(r)
			if r.err == nil {
				archive = append(archive, e)
			}
			r.err = nil
			return nil
		}, arg("profile", p.id)); err != nil {
			return err
		}
		sum := memory.LearningProfile{}
		for _, e := range slices.Concat(archive, executions) {
			sum.Add(*e)
		}
		if len(executions) == 0 || sum.Successful != p.Successful || sum.QualityBillionths != p.QualityBillionths || sum.LatencyMicros != p.LatencyMicros ||
			sum.Timed != p.Timed || latest[p.id] != slices.Max(p.Window.At) {
			found = append(found, p.id)
		}
		return nil
	})
	return found, err
}

func latestOf(ctx context.Context, c *conn) (map[int64]int64, error) {
	latest := map[int64]int64{}
	return latest, c.search(ctx, `SELECT id, latest_at FROM profiles`, func(r *row) error {
		id := r.integer()
		latest[id] = r.integer()
		return nil
	})
}
