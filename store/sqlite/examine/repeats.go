package examine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

// repeated is a column that repeats what stands elsewhere, so that rows are found by an index.
type repeated struct {
	what string // for people
	// wrong finds the rows that say otherwise: their id, and what they should say.
	wrong func(ctx context.Context, c *db.Conn) (map[int64]string, error)
	// set writes that to a row, one statement after the other. Where there is none it is not known what to write.
	set []string
}

// repeats are those that no other part looks at, in the order in which they are mended.
var repeats = slices.Concat(lostOwners(), []repeated{
	{"verdicts of another run", found(`SELECT k.id, CAST(n.id AS TEXT) FROM verdicts k JOIN edges e ON e.source = k.section AND e.type = 'IN_RUN'
		JOIN nodes n ON n.id = e.target AND n.kind = 'run' WHERE k.run <> n.id`), []string{`UPDATE verdicts SET run = CAST(:value AS INTEGER) WHERE id = :id`}},
	{"runs with another key", otherKeys("runs"), []string{`UPDATE runs SET key = :value WHERE id = :id`}},
	{"verdicts with another key", otherKeys("verdicts"), []string{`UPDATE verdicts SET key = :value WHERE id = :id`}},
	{"patterns with another key", otherKeys("patterns"), []string{`UPDATE patterns SET key = :value WHERE id = :id`}},
	// An agent has one profile for a task type, and two may be in each other's place. So who changes the agent gets a task
	// type that nobody has, and so does who is where another belongs; then each gets its own.
	{"profiles of an agent that is gone", orphaned, []string{
		`INSERT INTO nodes (kind, key) VALUES ('agent', :value) ON CONFLICT DO NOTHING`,
		`INSERT INTO agents (id, name) SELECT id, key FROM nodes WHERE kind = 'agent' AND key = :value ON CONFLICT DO NOTHING`,
	}},
	{"profiles of another agent", profilesBy(0), []string{
		`UPDATE profiles SET agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :value), task_type = hex(randomblob(16)) WHERE id = :id`,
	}},
	{"profiles of another task type", profilesBy(1), []string{
		`UPDATE profiles SET task_type = hex(randomblob(16)) WHERE task_type = :value AND agent = (SELECT agent FROM profiles WHERE id = :id)`,
		`UPDATE profiles SET task_type = :value WHERE id = :id`,
	}},
	{"profiles of an agent that is not there", agentless, nil},
	{"patterns with another context", otherContexts, []string{`UPDATE patterns SET context_key = :value WHERE id = :id`}},
	{"episodes with other executions", otherExecutions, []string{
		`DELETE FROM episode_executions WHERE episode = :id AND :value IS NOT NULL`,
		`INSERT INTO episode_executions (key, episode) SELECT value, :id FROM json_each(:value) WHERE true ON CONFLICT DO NOTHING`,
	}},
})

// lostOwners are the columns of owners that lead to none, where a link leads to one.
func lostOwners() (lost []repeated) {
	for _, o := range repeatedOwners {
		if o.table != "profiles" { // whose keys say of which agent they are
			set := fmt.Sprintf(`UPDATE OR IGNORE %s SET %s = CAST(:value AS INTEGER) WHERE id = :id`, o.table, o.column) // a name may be taken
			lost = append(lost, repeated{o.table + " of another " + o.column, found(o.lost()), []string{set}})
		}
	}
	return lost
}

func found(find string) func(context.Context, *db.Conn) (map[int64]string, error) {
	return func(ctx context.Context, c *db.Conn) (map[int64]string, error) { return valuesOf(ctx, c, find) }
}

// otherKeys finds the rows of a table whose key is not that of their node.
func otherKeys(table string) func(context.Context, *db.Conn) (map[int64]string, error) {
	return found(`SELECT n.id, n.key FROM ` + table + ` x JOIN nodes n ON n.id = x.id WHERE x.key <> n.key`)
}

func valuesOf(ctx context.Context, c *db.Conn, find string) (map[int64]string, error) {
	found := map[int64]string{}
	return found, c.Search(ctx, find, func(r *db.Row) error {
		id := r.Integer()
		found[id], _ = db.Read[string](r)
		return nil
	})
}

// profilesBy finds the profiles of which a part of the key, the agent or the task type, is another than the column.
func profilesBy(part int) func(context.Context, *db.Conn) (map[int64]string, error) {
	return func(ctx context.Context, c *db.Conn) (map[int64]string, error) {
		found := map[int64]string{}
		return found, eachProfile(ctx, c, func(id int64, should, is []string, there bool) {
			if there && should[part] != is[part] {
				found[id] = should[part]
			}
		})
	}
}

// agentless finds the profiles whose key names an agent that is not there, where the column leads to another; orphaned
// those where that leads to none either.
var agentless, orphaned = profilesOfNone(false), profilesOfNone(true)

func profilesOfNone(lost bool) func(context.Context, *db.Conn) (map[int64]string, error) {
	return func(ctx context.Context, c *db.Conn) (map[int64]string, error) {
		found := map[int64]string{}
		return found, eachProfile(ctx, c, func(id int64, should, is []string, there bool) {
			if !there && lost == (is[0] == "") {
				found[id] = should[0]
			}
		})
	}
}

// eachProfile hands over the agent and the task type of each profile, as they should be by its key and as its columns
// are ("" for no agent), and whether that agent is there.
func eachProfile(ctx context.Context, c *db.Conn, each func(id int64, should, is []string, there bool)) error {
	agents, err := valuesOf(ctx, c, `SELECT id, key FROM nodes WHERE kind = 'agent'`)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, key := range agents {
		there[key] = true
	}
	return c.Search(ctx, `SELECT p.id, n.key, p.agent, p.task_type FROM profiles p JOIN nodes n ON n.id = p.id`, func(r *db.Row) error {
		id := r.Integer()
		key, _ := db.Read[string](r)
		agent := r.Integer()
		taskType, _ := db.Read[string](r)
		if should := memory.SplitKey(key); len(should) == 2 {
			each(id, should, []string{agents[agent], taskType}, there[should[0]])
		}
		return nil
	})
}

// otherContexts finds the patterns that are found by another context than theirs. What cannot be read another part
// finds.
func otherContexts(ctx context.Context, c *db.Conn) (map[int64]string, error) {
	found := map[int64]string{}
	return found, c.Search(ctx, `SELECT id, context_key, context FROM patterns`, func(r *db.Row) error {
		id := r.Integer()
		key, _ := db.Read[string](r)
		context := r.JSON()
		if should := memory.ContextKey(context); r.Err == nil && key != should {
			found[id] = should
		}
		r.Err = nil
		return nil
	})
}

// otherExecutions finds the episodes that are found by other executions than they say, with the list of theirs.
func otherExecutions(ctx context.Context, c *db.Conn) (map[int64]string, error) {
	return valuesOf(ctx, c, `SELECT c.episode, c.execution_ids FROM contents c JOIN episodes e ON e.id = c.episode WHERE json_valid(c.execution_ids) AND json_type(c.execution_ids) = 'array' AND (
		EXISTS (SELECT 1 FROM episode_executions x WHERE x.episode = c.episode AND x.key NOT IN (SELECT value FROM json_each(c.execution_ids) WHERE type = 'text'))
		OR EXISTS (SELECT value FROM json_each(c.execution_ids) WHERE type = 'text' EXCEPT SELECT x.key FROM episode_executions x WHERE x.episode = c.episode))`)
}

// repeats looks at what columns repeat.
func (e *examiner) repeats() (diagnosis, error) {
	var faults []string
	mendable, lost := false, false
	for _, column := range repeats {
		wrong, err := column.wrong(e.ctx, e.conn)
		if err != nil {
			return diagnosis{}, err
		}
		if len(wrong) > 0 {
			faults = append(faults, fmt.Sprintf("%d %s", len(wrong), column.what))
			mendable, lost = mendable || column.set != nil, lost || column.set == nil
		}
	}
	if len(faults) == 0 {
		return diagnosis{found: "columns that repeat others agree with them"}, nil
	}
	d := diagnosis{fault: "some records are found by what they do not say: " + strings.Join(faults, ", ")}
	var remedies []string
	if mendable {
		remedies = append(remedies, "Write it to these columns again.")
		d.mendFile = inWriter(mendRepeats)
	}
	if lost {
		remedies = append(remedies, "For what is not there: "+restore(e.path))
	}
	d.remedy = strings.Join(remedies, " ")
	return d, nil
}

// inWriter is a mending in one transaction that looks for long, and so ends with its context.
func inWriter(mend func(context.Context, *db.Conn) error) func(context.Context, *file.File) error {
	return func(ctx context.Context, f *file.File) error {
		return f.Write(ctx, func(c *db.Conn) error { return mend(ctx, c) })
	}
}

func mendRepeats(ctx context.Context, c *db.Conn) error {
	for _, column := range repeats {
		if column.set == nil {
			continue
		}
		wrong, err := column.wrong(ctx, c)
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(wrong)) {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, set := range column.set {
				if err := c.Exec(set, db.Arg("id", id), db.Arg("value", wrong[id])); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
