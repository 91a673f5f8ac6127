package learning

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Profile is a learning profile as it is kept. Before its first save only its node is there.
type Profile struct {
	memory.LearningProfile
	ID int64
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
func readProfile(r *db.Row) *Profile {
	p := &Profile{ID: r.Integer()}
	p.AgentKey, p.TaskType = r.Text(), r.Text()
	key := memory.ProfileKey(p.AgentKey, p.TaskType)
	if r.Err != nil {
		key, _ = keyOf(r.Conn, p.ID) // what cannot be asked either is told without it
	}
	r.Of(memory.KindLearningProfile, key)
	p.Total, p.Successful, p.QualityBillionths = r.Int(), r.Int(), r.Integer()
	p.LatencyMicros, p.Timed = r.Integer(), r.Int()
	p.Window.At, p.Window.Quality = unpacked[int64](r), unpacked[float64](r)
	return p
}

// readWhole reads the columns that a window is written back with as well. Those may be null, which leaves
// the window as readProfile gives it.
func readWhole(r *db.Row) *Profile {
	p := readColumns(r)
	r.Check(p.Check())
	return p
}

// readColumns is readWhole for columns that may not go together.
func readColumns(r *db.Row) *Profile {
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
func (p *Profile) whole() bool { return p.Window.Keys != nil }

// narrow is the profile as rankings read it.
func (p *Profile) narrow() *memory.LearningProfile {
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
func findProfile(c *db.Conn, agent, taskType string) (p *Profile, err error) {
	const find = wholeProfile + ` WHERE p.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent) AND p.task_type = :task_type`
	_, err = c.One(find, func(r *db.Row) { p = readWhole(r) }, db.Arg("agent", agent), db.Arg("task_type", taskType))
	return p, err
}

// profileOf is findProfile for a write, which goes on with what can still be told of one that cannot be read.
func profileOf(tx *db.Tx, agent, taskType string) (p *Profile) {
	find := func() {
		found, err := findProfile(tx.Conn, agent, taskType)
		p = found
		tx.Fail(err)
	}
	if tx.Spare(find) != nil {
		Rebuild(tx, p.ID)
		find()
	}
	return p
}

// open reads a profile whole, to be changed and saved. Where there is none it makes its node, with
// the time of its first execution.
func open(tx *db.Tx, agent, taskType string, at time.Time) *Profile {
	p, key := profileOf(tx, agent, taskType), memory.ProfileKey(agent, taskType)
	if p == nil {
		if left := graph.NodeID(tx, memory.KindLearningProfile, key); left != 0 { // of which something is gone
			Rebuild(tx, left)
			p = profileOf(tx, agent, taskType)
		}
	}
	if p == nil {
		p = &Profile{LearningProfile: memory.LearningProfile{AgentKey: agent, TaskType: taskType}}
		p.ID = graph.AddNode(tx, memory.KindLearningProfile, key)
		graph.AddEdge(tx, p.ID, graph.EdgeOf, graph.EnsureAgent(tx, agent, nil), at) // also one that is gone
	}
	return p
}

// changed are the profiles that a write of many records changed, by key.
type changed map[string]*Profile

// ProfileFor opens the profile that an execution counts in; SaveProfile saves it.
func ProfileFor(tx *db.Tx, e *memory.Execution) *Profile {
	if known := db.Part[changed](tx); known != nil {
		if p := (*known)[memory.ProfileKey(e.AgentKey, e.TaskType)]; p != nil {
			return p
		}
	}
	return open(tx, e.AgentKey, e.TaskType, e.At)
}

// SaveProfile saves a profile, in a batch when that is at its end.
func SaveProfile(tx *db.Tx, p *Profile) {
	known := db.Part[changed](tx)
	if known == nil {
		p.save(tx)
		return
	}
	if *known == nil {
		*known = changed{}
	}
	(*known)[memory.ProfileKey(p.AgentKey, p.TaskType)] = p
}

// SaveChanged saves those that a batch has changed.
func SaveChanged(tx *db.Tx) {
	known := *db.Part[changed](tx)
	for _, key := range slices.Sorted(maps.Keys(known)) {
		known[key].save(tx)
	}
}

// save writes the profile back.
func (p *Profile) save(tx *db.Tx) {
	const save = `INSERT INTO profiles
		(id, agent, task_type, total, successful, quality_billionths, latency_micros, timed, latest_at, times, qualities) VALUES
		(:id, (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent), :task_type, :total, :successful,
		 :quality_billionths, :latency_micros, :timed, :latest_at, :times, :qualities)
		ON CONFLICT (id) DO UPDATE SET total = excluded.total, successful = excluded.successful,
			quality_billionths = excluded.quality_billionths, latency_micros = excluded.latency_micros,
			timed = excluded.timed, latest_at = excluded.latest_at, times = excluded.times, qualities = excluded.qualities`
	w := &p.Window
	tx.Exec(save, db.Arg("id", p.ID), db.Arg("agent", p.AgentKey), db.Arg("task_type", p.TaskType), db.Arg("total", p.Total),
		db.Arg("successful", p.Successful), db.Arg("quality_billionths", p.QualityBillionths),
		db.Arg("latency_micros", p.LatencyMicros), db.Arg("timed", p.Timed), db.Arg("latest_at", slices.Max(w.At)),
		db.Arg("times", packed(w.At)), db.Arg("qualities", packed(w.Quality)))
	keys, err := db.EncodeList(w.Keys)
	tx.Fail(err)
	const saveRest = `INSERT INTO windows (profile, keys, successes, latencies) VALUES (:id, :keys, :successes, :latencies)
		ON CONFLICT (profile) DO UPDATE SET keys = excluded.keys, successes = excluded.successes, latencies = excluded.latencies`
	tx.Exec(saveRest, db.Arg("id", p.ID), db.Arg("keys", keys), db.Arg("successes", packed(w.Success)),
		db.Arg("latencies", packed(w.LatencyMs)))
}
