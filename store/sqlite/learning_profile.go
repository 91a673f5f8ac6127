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
func readProfile(r *row) *profile {
	p := &profile{id: r.integer()}
	p.AgentKey, p.TaskType = r.text(), r.text()
	key := memory.ProfileKey(p.AgentKey, p.TaskType)
	if r.err != nil {
		key, _ = keyOf(r.conn, p.id) // what cannot be asked either is told without it
	}
	r.of(memory.KindLearningProfile, key)
	p.Total, p.Successful, p.QualityBillionths = r.int(), r.int(), r.integer()
	p.LatencyMicros, p.Timed = r.integer(), r.int()
	p.Window.At, p.Window.Quality = unpacked[int64](r), unpacked[float64](r)
	return p
}

// readWhole reads the columns that a window is written back with as well. Those may be null, which leaves
// the window as readProfile gives it.
func readWhole(r *row) *profile {
	p := readColumns(r)
	r.check(p.Check())
	return p
}

// readColumns is readWhole for columns that may not go together.
func readColumns(r *row) *profile {
	p := readProfile(r)
	keys := r.optionalText()
	p.Window.Success, p.Window.LatencyMs = unpacked[bool](r), unpacked[float64](r)
	if keys != nil {
		list, err := decodeList[string](*keys)
		if err != nil {
			r.fail("the keys of a window: %w", err)
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
func unpacked[T int64 | float64 | bool](r *row) []T {
	bytes := r.blob()
	if bytes == nil {
		return nil
	}
	size := binary.Size(*new(T))
	column := make([]T, len(bytes)/size)
	if len(bytes)%size != 0 {
		r.fail("column %d has %d bytes", r.column-1, len(bytes))
		return column
	}
	if _, err := binary.Decode(bytes, binary.LittleEndian, column); err != nil {
		r.fail("column %d: %w", r.column-1, err)
	}
	return column
}

// findProfile reads a profile whole, nil where there is none.
func findProfile(c *conn, agent, taskType string) (p *profile, err error) {
	const find = wholeProfile + ` WHERE p.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent) AND p.task_type = :task_type`
	read := func(r *row) { p = readWhole(r) }
	_, err = c.one(find, read, arg("agent", agent), arg("task_type", taskType))
	var damaged *store.Damaged
	if c.reads != nil || !errors.As(err, &damaged) {
		return p, err
	}
	// A write goes on with what can still be told.
	if err := rebuildProfile(c, p.id); err != nil {
		return nil, err
	}
	p = nil
	_, err = c.one(find, read, arg("agent", agent), arg("task_type", taskType))
	return p, err
}

// openProfile reads a profile whole, to be changed and saved. Where there is none it makes its node, with
// the time of its first execution.
func openProfile(c *conn, agent, taskType string, at time.Time) (*profile, error) {
	p, err := findProfile(c, agent, taskType)
	if err != nil || p != nil {
		return p, err
	}
	if left, err := nodeID(c, memory.KindLearningProfile, memory.ProfileKey(agent, taskType)); err != nil || left != 0 {
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
	if p.id, err = addNode(c, memory.KindLearningProfile, memory.ProfileKey(agent, taskType)); err != nil {
		return nil, err
	}
	worker, err := ensureAgent(c, agent, nil) // also one that is gone
	if err != nil {
		return nil, err
	}
	return p, addEdge(c, p.id, edgeOf, worker, at)
}

// changed are the profiles that a write of many records changed, by key.
type changed map[string]*profile

// profileOf is openProfile for a profile that keepProfile takes.
func profileOf(c *conn, e *memory.Execution) (*profile, error) {
	if known := partOf[changed](c); known != nil {
		if p := (*known)[memory.ProfileKey(e.AgentKey, e.TaskType)]; p != nil {
			return p, nil
		}
	}
	return openProfile(c, e.AgentKey, e.TaskType, e.At)
}

// keepProfile saves a profile, in a batch when that is at its end.
func keepProfile(c *conn, p *profile) error {
	known := partOf[changed](c)
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
func saveProfiles(c *conn) error {
	known := *partOf[changed](c)
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if err := known[key].save(c); err != nil {
			return err
		}
	}
	return nil
}

// save writes the profile back.
func (p *profile) save(c *conn) error {
	const save = `INSERT INTO profiles
		(id, agent, task_type, total, successful, quality_billionths, latency_micros, timed, latest_at, times, qualities) VALUES
		(:id, (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent), :task_type, :total, :successful,
		 :quality_billionths, :latency_micros, :timed, :latest_at, :times, :qualities)
		ON CONFLICT (id) DO UPDATE SET total = excluded.total, successful = excluded.successful,
			quality_billionths = excluded.quality_billionths, latency_micros = excluded.latency_micros,
			timed = excluded.timed, latest_at = excluded.latest_at, times = excluded.times, qualities = excluded.qualities`
	w := &p.Window
	err := c.exec(save, arg("id", p.id), arg("agent", p.AgentKey), arg("task_type", p.TaskType), arg("total", p.Total),
		arg("successful", p.Successful), arg("quality_billionths", p.QualityBillionths),
		arg("latency_micros", p.LatencyMicros), arg("timed", p.Timed), arg("latest_at", slices.Max(w.At)),
		arg("times", packed(w.At)), arg("qualities", packed(w.Quality)))
	if err != nil {
		return err
	}
	keys, err := encodeList(w.Keys)
	if err != nil {
		return err
	}
	const saveRest = `INSERT INTO windows (profile, keys, successes, latencies) VALUES (:id, :keys, :successes, :latencies)
		ON CONFLICT (profile) DO UPDATE SET keys = excluded.keys, successes = excluded.successes, latencies = excluded.latencies`
	return c.exec(saveRest, arg("id", p.id), arg("keys", keys), arg("successes", packed(w.Success)),
		arg("latencies", packed(w.LatencyMs)))
}

func archiveFields(e *memory.Execution) []column {
	return []column{{"at", &e.At}, {"success", &e.Success}, {"quality", &e.Quality}, {"latency_ms", &e.LatencyMs}}
}

// An archived execution is x; its agent and task type are its profile's.
var (
	archiveColumns = `x.key, ` + selected("x", archiveFields(&memory.Execution{}))
	archiveScanner = scannerOf(archiveFields)
	archiving      = inserting("archive", archiveFields(&memory.Execution{}), "profile", "key")
	archiveOf      = `SELECT ` + archiveColumns + ` FROM archive x WHERE x.profile = :profile`
	latestFirst    = ` ORDER BY x.at DESC, x.key DESC LIMIT :limit`

	archivedBefore = archiveOf + ` AND (x.at, x.key) < (:at, :key)` + latestFirst
	archivedUntil  = archiveOf + ` AND x.at <= :as_of` + latestFirst
	archivedSince  = archiveOf + ` AND x.at > :as_of`
)

// readArchived reads archiveColumns.
func (p *profile) readArchived(r *row) *memory.Execution {
	e := &memory.Execution{Key: r.key(memory.KindExecution), AgentKey: p.AgentKey, TaskType: p.TaskType, Archived: true}
	archiveScanner.scan(e, r)
	r.check(e.Check())
	return e
}

// archive keeps an execution that is not in the window any more.
func (p *profile) archive(c *conn, e *memory.Execution) error {
	return c.put(archiving, archiveFields(e), arg("profile", p.id), arg("key", e.Key))
}

// unarchive forgets an execution that may be in the archive.
func (p *profile) unarchive(c *conn, e *memory.Execution) error {
	return c.exec(`DELETE FROM archive WHERE profile = :profile AND at = :at AND key = :key`,
		arg("profile", p.id), arg("at", e.At), arg("key", e.Key))
}

// archivedBefore reads the latest of the archive that are older than a position.
func (p *profile) archivedBefore(ctx context.Context, c *conn, at time.Time, key string, limit int) (found []*memory.Execution, err error) {
	err = c.search(ctx, archivedBefore, func(r *row) error {
		found = keep(r, found, p.readArchived(r))
		return nil
	}, arg("profile", p.id), arg("at", at), arg("key", key), arg("limit", limit))
	return found, err
}

// latestArchived reads the latest of the archive that were known at an instant.
func (p *profile) latestArchived(c *conn, asOf *time.Time, limit int) (found []*memory.Execution, err error) {
	err = c.query(archivedUntil, func(r *row) error {
		e := p.readArchived(r)
		if r.err != nil && c.reads == nil { // a write goes on without it
			r.err = nil
			return nil
		}
		found = keep(r, found, e)
		return nil
	}, arg("profile", p.id), arg("as_of", asOfOrEver(asOf)), arg("limit", limit))
	return found, err
}

// undo takes out what came after an instant. The window is then what is left of it (see fillUp).
func (p *profile) undo(ctx context.Context, c *conn, asOf time.Time) error {
	for _, e := range p.Executions() {
		if e.At.After(asOf) {
			p.Remove(*e)
		}
	}
	if len(p.Window.Keys) > 0 {
		return nil // what is archived is older
	}
	return c.search(ctx, archivedSince, func(r *row) error {
		if e := p.readArchived(r); r.err == nil {
			p.Remove(*e)
		}
		r.damaged()
		return nil
	}, arg("profile", p.id), arg("as_of", asOf))
}

// fillUp takes the latest that were archived at an instant into the window that undo left.
func (p *profile) fillUp(c *conn, asOf time.Time) error {
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
