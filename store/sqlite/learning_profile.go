package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// profile is a learning profile as it is kept. Before its first save only its node is there.
type profile struct {
	memory.LearningProfile
	id int64
}

// A profile is p, the node of its agent a, the rest of its window w.
const (
	profileColumns = `SELECT p.id, coalesce(a.key, p.agent), p.task_type, p.total, p.successful, p.quality_billionths, p.latency_micros,
		p.timed, p.times, p.qualities`
	profileAgent = ` LEFT JOIN nodes a ON a.id = p.agent AND a.kind = 'agent'`
	wholeProfile = profileColumns + `, coalesce(w.keys, p.id), w.successes, w.latencies
		FROM profiles p` + profileAgent + ` LEFT JOIN windows w ON w.profile = p.id`
)

// readProfile reads profileColumns.
func readProfile(r *db.Row) *profile {
	p := &profile{id: r.Integer()}
	p.AgentKey, p.TaskType = r.Text(), r.Text()
	key := memory.ProfileKey(p.AgentKey, p.TaskType)
	if r.Err != nil {
		key, _ = keyOf(r.Conn, p.id) // what cannot be asked either is told without it
	}
	r.Of(memory.KindLearningProfile, key)
	p.Total, p.Successful, p.QualityBillionths = r.Int(), r.Int(), r.Integer()
	p.LatencyMicros, p.Timed = r.Integer(), r.Int()
	p.Window.At, p.Window.Quality = unpacked[int64](r), unpacked[float64](r)
	return p
}

// readWhole reads the columns that a window is written back with as well. Those may be null, which leaves
// the window as readProfile gives it.
func readWhole(r *db.Row) *profile {
	p := readColumns(r)
	r.Check(p.Check())
	return p
}

// readColumns is readWhole for columns that may not go together.
func readColumns(r *db.Row) *profile {
	p := readProfile(r)
	keys := r.OptionalText()
	p.Window.Success, p.Window.LatencyMs = unpacked[bool](r), unpacked[float64](r)
	if keys != nil {
		list, err := db.DecodeList[string](*keys)
		if err != nil {
			r.Fail("the keys of a window: %w", err)
		}
		p.Window.Keys = list
	}
	return p
}

// whole says whether the profile was read with all columns.
func (p *profile) whole() bool { return p.Window.Keys != nil }

// narrow is the profile as rankings read it.
func (p *profile) narrow() *memory.LearningProfile {
	p.Window.Keys, p.Window.Success, p.Window.LatencyMs = nil, nil, nil
	return &p.LearningProfile
}

// packed is a column of a window as it is kept.
func packed[T int64 | float64 | bool](column []T) []byte {
	bytes, err := binary.Append(nil, binary.LittleEndian, column)
	if err != nil {
		panic(err) // these types are of a fixed size
	}
	return bytes
}

// unpacked reads a column of a window, nil where it is null.
func unpacked[T int64 | float64 | bool](r *db.Row) []T {
	bytes := r.Blob()
	if bytes == nil {
		return nil
	}
	size := binary.Size(*new(T))
	column := make([]T, len(bytes)/size)
	if len(bytes)%size != 0 {
		r.Fail("column %d has %d bytes", r.Column-1, len(bytes))
		return column
	}
	if _, err := binary.Decode(bytes, binary.LittleEndian, column); err != nil {
		r.Fail("column %d: %w", r.Column-1, err)
	}
	return column
}

// findProfile reads a profile whole, nil where there is none.
func findProfile(c *db.Conn, agent, taskType string) (p *profile, err error) {
	const find = wholeProfile + ` WHERE p.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent) AND p.task_type = :task_type`
	read := func(r *db.Row) { p = readWhole(r) }
	_, err = c.One(find, read, db.Arg("agent", agent), db.Arg("task_type", taskType))
	var damaged *store.Damaged
	if c.Reads != nil || !errors.As(err, &damaged) {
		return p, err
	}
	// A write goes on with what can still be told.
	if err := rebuildProfile(c, p.id); err != nil {
		return nil, err
	}
	p = nil
	_, err = c.One(find, read, db.Arg("agent", agent), db.Arg("task_type", taskType))
	return p, err
}

// openProfile reads a profile whole, to be changed and saved. Where there is none it makes its node, with
// the time of its first execution.
func openProfile(c *db.Conn, agent, taskType string, at time.Time) (*profile, error) {
	p, err := findProfile(c, agent, taskType)
	if err != nil || p != nil {
		return p, err
	}
	if left, err := graph.NodeID(c, memory.KindLearningProfile, memory.ProfileKey(agent, taskType)); err != nil || left != 0 {
		if err == nil { // of which something is gone
			err = rebuildProfile(c, left)
		}
		if err != nil {
			return nil, err
		}
		if p, err = findProfile(c, agent, taskType); err != nil || p != nil {
			return p, err
		}
	}
	p = &profile{LearningProfile: memory.LearningProfile{AgentKey: agent, TaskType: taskType}}
	if p.id, err = graph.AddNode(c, memory.KindLearningProfile, memory.ProfileKey(agent, taskType)); err != nil {
		return nil, err
	}
	worker, err := graph.EnsureAgent(c, agent, nil) // also one that is gone
	if err != nil {
		return nil, err
	}
	return p, graph.AddEdge(c, p.id, graph.EdgeOf, worker, at)
}

// changed are the profiles that a write of many records changed, by key.
type changed map[string]*profile

// profileOf is openProfile for a profile that keepProfile takes.
func profileOf(c *db.Conn, e *memory.Execution) (*profile, error) {
	if known := db.Part[changed](c); known != nil {
		if p := (*known)[memory.ProfileKey(e.AgentKey, e.TaskType)]; p != nil {
			return p, nil
		}
	}
	return openProfile(c, e.AgentKey, e.TaskType, e.At)
}

// keepProfile saves a profile, in a batch when that is at its end.
func keepProfile(c *db.Conn, p *profile) error {
	known := db.Part[changed](c)
	if known == nil {
		return p.save(c)
	}
	if *known == nil {
		*known = changed{}
	}
	(*known)[memory.ProfileKey(p.AgentKey, p.TaskType)] = p
	return nil
}

// saveProfiles saves those that a batch has changed.
func saveProfiles(c *db.Conn) error {
	known := *db.Part[changed](c)
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if err := known[key].save(c); err != nil {
			return err
		}
	}
	return nil
}

// save writes the profile back.
func (p *profile) save(c *db.Conn) error {
	const save = `INSERT INTO profiles
		(id, agent, task_type, total, successful, quality_billionths, latency_micros, timed, latest_at, times, qualities) VALUES
		(:id, (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent), :task_type, :total, :successful,
		 :quality_billionths, :latency_micros, :timed, :latest_at, :times, :qualities)
		ON CONFLICT (id) DO UPDATE SET total = excluded.total, successful = excluded.successful,
			quality_billionths = excluded.quality_billionths, latency_micros = excluded.latency_micros,
			timed = excluded.timed, latest_at = excluded.latest_at, times = excluded.times, qualities = excluded.qualities`
	w := &p.Window
	err := c.Exec(save, db.Arg("id", p.id), db.Arg("agent", p.AgentKey), db.Arg("task_type", p.TaskType), db.Arg("total", p.Total),
		db.Arg("successful", p.Successful), db.Arg("quality_billionths", p.QualityBillionths),
		db.Arg("latency_micros", p.LatencyMicros), db.Arg("timed", p.Timed), db.Arg("latest_at", slices.Max(w.At)),
		db.Arg("times", packed(w.At)), db.Arg("qualities", packed(w.Quality)))
	if err != nil {
		return err
	}
	keys, err := db.EncodeList(w.Keys)
	if err != nil {
		return err
	}
	const saveRest = `INSERT INTO windows (profile, keys, successes, latencies) VALUES (:id, :keys, :successes, :latencies)
		ON CONFLICT (profile) DO UPDATE SET keys = excluded.keys, successes = excluded.successes, latencies = excluded.latencies`
	return c.Exec(saveRest, db.Arg("id", p.id), db.Arg("keys", keys), db.Arg("successes", packed(w.Success)),
		db.Arg("latencies", packed(w.LatencyMs)))
}

func archiveFields(e *memory.Execution) db.Columns {
	return db.Columns{{"at", &e.At}, {"success", &e.Success}, {"quality", &e.Quality}, {"latency_ms", &e.LatencyMs}}
}

// An archived execution is x; its agent and task type are its profile's.
var (
	archiveColumns = `x.key, ` + db.Selected("x", archiveFields(&memory.Execution{}))
	archiveScanner = db.ScannerOf(archiveFields)
	archiving      = db.Inserting("archive", archiveFields(&memory.Execution{}), "profile", "key")
	archiveOf      = `SELECT ` + archiveColumns + ` FROM archive x WHERE x.profile = :profile`
	latestFirst    = ` ORDER BY x.at DESC, x.key DESC LIMIT :limit`

	archivedBefore = archiveOf + ` AND (x.at, x.key) < (:at, :key)` + latestFirst
	archivedUntil  = archiveOf + ` AND x.at <= :as_of` + latestFirst
	archivedSince  = archiveOf + ` AND x.at > :as_of`
)

// readArchived reads archiveColumns.
func (p *profile) readArchived(r *db.Row) *memory.Execution {
	e := &memory.Execution{Key: r.Key(memory.KindExecution), AgentKey: p.AgentKey, TaskType: p.TaskType, Archived: true}
	archiveScanner.Scan(e, r)
	r.Check(e.Check())
	return e
}

// archive keeps an execution that is not in the window any more.
func (p *profile) archive(c *db.Conn, e *memory.Execution) error {
	return c.Put(archiving, archiveFields(e), db.Arg("profile", p.id), db.Arg("key", e.Key))
}

// unarchive forgets an execution that may be in the archive.
func (p *profile) unarchive(c *db.Conn, e *memory.Execution) error {
	return c.Exec(`DELETE FROM archive WHERE profile = :profile AND at = :at AND key = :key`,
		db.Arg("profile", p.id), db.Arg("at", e.At), db.Arg("key", e.Key))
}

// archivedBefore reads the latest of the archive that are older than a position.
func (p *profile) archivedBefore(ctx context.Context, c *db.Conn, at time.Time, key string, limit int) (found []*memory.Execution, err error) {
	err = c.Search(ctx, archivedBefore, func(r *db.Row) error {
		found = db.Keep(r, found, p.readArchived(r))
		return nil
	}, db.Arg("profile", p.id), db.Arg("at", at), db.Arg("key", key), db.Arg("limit", limit))
	return found, err
}

// latestArchived reads the latest of the archive that were known at an instant.
func (p *profile) latestArchived(c *db.Conn, asOf *time.Time, limit int) (found []*memory.Execution, err error) {
	err = c.Query(archivedUntil, func(r *db.Row) error {
		e := p.readArchived(r)
		if r.Err != nil && c.Reads == nil { // a write goes on without it
			r.Err = nil
			return nil
		}
		found = db.Keep(r, found, e)
		return nil
	}, db.Arg("profile", p.id), db.Arg("as_of", graph.AsOfOrEver(asOf)), db.Arg("limit", limit))
	return found, err
}

// undo takes out what came after an instant. The window is then what is left of it (see fillUp).
func (p *profile) undo(ctx context.Context, c *db.Conn, asOf time.Time) error {
	for _, e := range p.Executions() {
		if e.At.After(asOf) {
			p.Remove(*e)
		}
	}
	if len(p.Window.Keys) > 0 {
		return nil // what is archived is older
	}
	return c.Search(ctx, archivedSince, func(r *db.Row) error {
		if e := p.readArchived(r); r.Err == nil {
			p.Remove(*e)
		}
		r.Damaged()
		return nil
	}, db.Arg("profile", p.id), db.Arg("as_of", asOf))
}

// fillUp takes the latest that were archived at an instant into the window that undo left.
func (p *profile) fillUp(c *db.Conn, asOf time.Time) error {
	missing := min(p.Total, memory.WindowSize) - len(p.Window.Keys)
	if missing <= 0 {
		return nil
	}
	latest, err := p.latestArchived(c, &asOf, missing)
	for _, e := range latest {
		p.Refill(*e)
	}
	return err
}
