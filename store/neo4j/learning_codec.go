package neo4j

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"
	"strconv"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
)

// profileProperties are what a profile's node holds: its counters, its window in parallel lists, the time
// of its latest execution, and its seals.
func profileProperties(tenant string, p *memory.LearningProfile) parameters {
	return parameters{
		"tenant": tenant, "key": memory.ProfileKey(p.AgentKey, p.TaskType), "agent": p.AgentKey, "taskType": p.TaskType,
		"total": p.Total, "successful": p.Successful, "qualityBillionths": p.QualityBillionths,
		"latencyMicros": p.LatencyMicros, "timed": p.Timed, "lastUpdated": instant(p.LastUpdated()),
		"windowAt": p.Window.At, "windowQuality": p.Window.Quality, "windowKeys": p.Window.Keys,
		"windowSuccess": p.Window.Success, "windowLatencyMs": p.Window.LatencyMs,
		"countersSeal": countersSealOf(p), "seal": sealOf(p), "wholeSeal": wholeSealOf(p),
	}
}

// profile reads a profile without the columns of its window that a ranking does without.
func (f *fields) profile() *memory.LearningProfile {
	agent := f.text("agent")
	p := f.counters(agent)
	p.AgentKey = agent
	p.Window.At, p.Window.Quality = list[int64](f, "windowAt"), list[float64](f, "windowQuality")
	f.sealed("seal", sealOf(p))
	if f.err == nil {
		f.check("window", p.Check())
	}
	return p
}

// wholeProfile reads a profile with all columns.
func (f *fields) wholeProfile() *memory.LearningProfile {
	p := f.profile()
	p.Window.Keys, p.Window.Success = list[string](f, "windowKeys"), list[bool](f, "windowSuccess")
	p.Window.LatencyMs = list[float64](f, "windowLatencyMs")
	f.sealed("wholeSeal", wholeSealOf(p))
	if f.err == nil {
		f.check("window", p.Check())
	}
	return p
}

// counters reads the counters of a profile of an agent and a task type.
func (f *fields) counters(agent string) *memory.LearningProfile {
	taskType := f.text("taskType")
	if f.err == nil {
		f.of(memory.KindLearningProfile, memory.ProfileKey(agent, taskType))
	}
	p := &memory.LearningProfile{
		TaskType: taskType, Total: f.integer("total"), Successful: f.integer("successful"),
		QualityBillionths: required[int64](f, "qualityBillionths"),
		LatencyMicros:     required[int64](f, "latencyMicros"), Timed: f.integer("timed"),
	}
	f.sealed("countersSeal", countersSealOf(p))
	return p
}

// sealed compares a checksum with that of what was read.
func (f *fields) sealed(name string, seal int64) {
	if written := required[int64](f, name); f.err == nil && written != seal {
		f.fail(name, fmt.Errorf("%w: %d is not %d", errTorn, written, seal))
	}
	f.torn()
}

// archivedProperties are what the node of an archived execution holds beside its key. One in the window has
// none of them: it is in its profile.
func archivedProperties(e *memory.Execution) parameters {
	if !e.Archived {
		return parameters{
			"at": nil, "success": nil, "quality": nil, "qualityBillionths": nil, "latencyMs": nil, "latencyMicros": nil,
		}
	}
	properties := parameters{
		"at": instant(e.At), "success": e.Success, "quality": e.Quality,
		"qualityBillionths": memory.QualityBillionths(e.Quality),
	}
	if e.LatencyMs != nil {
		properties["latencyMs"], properties["latencyMicros"] = *e.LatencyMs, memory.LatencyMicros(*e.LatencyMs)
	}
	return properties
}

// endedEpisode reads what the part ended gives of an episode.
func (f *fields) endedEpisode() *memory.Episode {
	return &memory.Episode{
		Key: f.key(memory.KindEpisode), AgentKey: f.text("agent"), TaskType: f.optionalText("taskType"),
		Outcome: word[memory.Outcome](f, "outcome"), Quality: f.optionalNumber("quality"),
		StartedAt: f.instant("startedAt"), EndedAt: f.optionalInstant("endedAt"),
	}
}

// archivedDecoder reads rows of archived executions of a profile.
func archivedDecoder(agent, taskType string) decoder[*memory.Execution] {
	return func(row *neo4j.Record) (*memory.Execution, error) {
		node, err := column[neo4j.Node]("x")(row)
		if err != nil {
			return nil, err
		}
		f := &fields{node: node}
		return f.archived(agent, taskType), f.err
	}
}

// archived reads an archived execution of a profile. Where something is missing, it is on its way into the
// archive or out of it.
func (f *fields) archived(agent, taskType string) *memory.Execution {
	e := &memory.Execution{
		Key: f.key(memory.KindExecution), AgentKey: agent, TaskType: taskType, Success: required[bool](f, "success"),
		Quality: required[float64](f, "quality"), LatencyMs: optional[float64](f, "latencyMs"), At: f.instant("at"),
		Archived: true,
	}
	f.torn()
	if f.err == nil {
		f.check("execution", e.Check())
	}
	return e
}

// Neo4j reads a node property by property while others write it. So a profile carries checksums of its
// properties, by which a reader knows that those it has are of one write: countersSeal, seal for what a
// ranking reads, and wholeSeal for the columns that it does without, each of which covers the one before.

var sealTable = crc64.MakeTable(crc64.ECMA)

// errTorn says that what was read is not of one write.
var errTorn = errors.New("a profile changed while it was read")

func countersSealOf(p *memory.LearningProfile) int64 {
	return checksum(appendCounters(nil, p))
}

func appendCounters(data []byte, p *memory.LearningProfile) []byte {
	for _, n := range []int64{int64(p.Total), int64(p.Successful), p.QualityBillionths, p.LatencyMicros, int64(p.Timed)} {
		data = binary.LittleEndian.AppendUint64(data, uint64(n))
	}
	return data
}

func sealOf(p *memory.LearningProfile) int64 {
	data := appendCounters(make([]byte, 0, 16*memory.WindowSize+40), p)
	for _, at := range p.Window.At {
		data = binary.LittleEndian.AppendUint64(data, uint64(at))
	}
	return checksum(appendNumbers(data, p.Window.Quality))
}

func wholeSealOf(p *memory.LearningProfile) int64 {
	data := binary.LittleEndian.AppendUint64(nil, uint64(sealOf(p)))
	for _, key := range p.Window.Keys {
		data = append(append(data, key...), 0)
	}
	for _, success := range p.Window.Success {
		data = strconv.AppendBool(data, success)
	}
	return checksum(appendNumbers(data, p.Window.LatencyMs))
}

func appendNumbers(data []byte, numbers []float64) []byte {
	for _, x := range numbers {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

func checksum(data []byte) int64 {
	return int64(crc64.Checksum(data, sealTable))
}

// whole reads again while what it reads is torn by writes. What it finds torn in the same way again and again
// is damaged.
func whole[T any](ctx context.Context, read func(context.Context) (T, error)) (T, error) {
	ctx = withSightings(ctx)
	for attempt := 0; ; attempt++ {
		value, err := read(ctx)
		var race *raced
		if !errors.As(err, &race) || attempt == maxRaces {
			return value, err
		}
		if err := pause(ctx, attempt); err != nil {
			return value, err
		}
	}
}
