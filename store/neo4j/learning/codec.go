// Package learning is what agents learn by: executions, the profiles that sum them up, and how a profile is read whole
// while others write it. A write locks profiles, counts into them, and moves executions between window and archive.
package learning

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"
	"strconv"

	"mneme/memory"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// profileProperties are what a profile's node holds: its counters, its window in parallel lists, the time
// of its latest execution, and its seals.
func profileProperties(tenant string, p *memory.LearningProfile) cypher.Parameters {
	return cypher.Parameters{
		"tenant": tenant, "key": memory.ProfileKey(p.AgentKey, p.TaskType), "agent": p.AgentKey, "taskType": p.TaskType,
		"total": p.Total, "successful": p.Successful, "qualityBillionths": p.QualityBillionths,
		"latencyMicros": p.LatencyMicros, "timed": p.Timed, "lastUpdated": bolt.Instant(p.LastUpdated()),
		"windowAt": p.Window.At, "windowQuality": p.Window.Quality, "windowKeys": p.Window.Keys,
		"windowSuccess": p.Window.Success, "windowLatencyMs": p.Window.LatencyMs,
		"countersSeal": countersSealOf(p), "seal": sealOf(p), "wholeSeal": wholeSealOf(p),
	}
}

// profileOf reads a profile without the columns of its window that a ranking does without.
func profileOf(f *bolt.Fields) *memory.LearningProfile {
	agent := f.Text("agent")
	p := countersOf(f, agent)
	p.AgentKey = agent
	p.Window.At, p.Window.Quality = bolt.List[int64](f, "windowAt"), bolt.List[float64](f, "windowQuality")
	checkSeal(f, "seal", sealOf(p))
	if f.Err == nil {
		f.Check("window", p.Check())
	}
	return p
}

// WholeProfileOf reads a profile with all columns.
func WholeProfileOf(f *bolt.Fields) *memory.LearningProfile {
	p := profileOf(f)
	p.Window.Keys, p.Window.Success = bolt.List[string](f, "windowKeys"), bolt.List[bool](f, "windowSuccess")
	p.Window.LatencyMs = bolt.List[float64](f, "windowLatencyMs")
	checkSeal(f, "wholeSeal", wholeSealOf(p))
	if f.Err == nil {
		f.Check("window", p.Check())
	}
	return p
}

// countersOf reads the counters of a profile of an agent and a task type.
func countersOf(f *bolt.Fields, agent string) *memory.LearningProfile {
	taskType := f.Text("taskType")
	if f.Err == nil {
		f.Of(memory.KindLearningProfile, memory.ProfileKey(agent, taskType))
	}
	p := &memory.LearningProfile{
		TaskType: taskType, Total: f.Integer("total"), Successful: f.Integer("successful"),
		QualityBillionths: bolt.Required[int64](f, "qualityBillionths"),
		LatencyMicros:     bolt.Required[int64](f, "latencyMicros"), Timed: f.Integer("timed"),
	}
	checkSeal(f, "countersSeal", countersSealOf(p))
	return p
}

// checkSeal compares a checksum with that of what was read.
func checkSeal(f *bolt.Fields, name string, seal int64) {
	if written := bolt.Required[int64](f, name); f.Err == nil && written != seal {
		f.Check(name, fmt.Errorf("%w: %d is not %d", errTorn, written, seal))
	}
	f.Torn()
}

// archivedProperties are what the node of an archived execution holds beside its key. One in the window has
// none of them: it is in its profile.
func archivedProperties(e *memory.Execution) cypher.Parameters {
	if !e.Archived {
		return cypher.Parameters{
			"at": nil, "success": nil, "quality": nil, "qualityBillionths": nil, "latencyMs": nil, "latencyMicros": nil,
		}
	}
	properties := cypher.Parameters{
		"at": bolt.Instant(e.At), "success": e.Success, "quality": e.Quality,
		"qualityBillionths": memory.QualityBillionths(e.Quality),
	}
	if e.LatencyMs != nil {
		properties["latencyMs"], properties["latencyMicros"] = *e.LatencyMs, memory.LatencyMicros(*e.LatencyMs)
	}
	return properties
}

// EndedEpisodeOf reads what the part ended gives of an episode.
func EndedEpisodeOf(f *bolt.Fields) *memory.Episode {
	return &memory.Episode{
		Key: f.Key(memory.KindEpisode), AgentKey: f.Text("agent"), TaskType: f.OptionalText("taskType"),
		Outcome: bolt.Word[memory.Outcome](f, "outcome"), Quality: f.OptionalNumber("quality"),
		StartedAt: f.Instant("startedAt"), EndedAt: f.OptionalInstant("endedAt"),
	}
}

// archivedDecoder reads rows of archived executions of a profile.
func archivedDecoder(agent, taskType string) bolt.Decoder[*memory.Execution] {
	return bolt.NodeIn("x", func(f *bolt.Fields) *memory.Execution { return ArchivedOf(f, agent, taskType) })
}

// ArchivedOf reads an archived execution of a profile. Where something is missing, it is on its way into the
// archive or out of it.
func ArchivedOf(f *bolt.Fields, agent, taskType string) *memory.Execution {
	e := &memory.Execution{
		Key: f.Key(memory.KindExecution), AgentKey: agent, TaskType: taskType, Success: bolt.Required[bool](f, "success"),
		Quality: bolt.Required[float64](f, "quality"), LatencyMs: bolt.Optional[float64](f, "latencyMs"), At: f.Instant("at"),
		Archived: true,
	}
	f.Torn()
	if f.Err == nil {
		f.Check("execution", e.Check())
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
