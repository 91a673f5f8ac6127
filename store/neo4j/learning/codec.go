// Package learning keeps executions and the learning profiles that sum them up, and reads a profile whole while others
// write it. Package profiles says how they are counted.
package learning

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// profileProperties are what a profile's node holds: counters, window, the time of its latest execution, and seals.
func profileProperties(tenant string, p *memory.LearningProfile) cypher.Parameters {
	return bolt.Encode(cypher.Parameters{
		"tenant": tenant, "key": memory.ProfileKey(p.AgentKey, p.TaskType), "agent": p.AgentKey, "lastUpdated": bolt.Instant(p.LastUpdated()),
		"countersSeal": countersSealOf(p), "seal": sealOf(p),
	}, fields.Profile(p), fields.ProfileWindow(p))
}

// ProfileOf reads a profile.
func ProfileOf(f *bolt.Fields) *memory.LearningProfile {
	key, agent := f.Key(memory.KindLearningProfile), f.Text("agent")
	p := countersOf(f, agent)
	f.Scan(fields.ProfileWindow(p))
	f.Of(memory.KindLearningProfile, key) // its own properties may say otherwise
	if f.Err == nil && memory.ProfileKey(agent, p.TaskType) != key {
		f.Check("agent or taskType", errors.New("is another than in the key"))
	}
	checkSeal(f, "seal", sealOf(p))
	if f.Err == nil {
		f.Check("window", p.Check())
	}
	return p
}

// countersOf reads the counters of a profile of an agent and a task type.
func countersOf(f *bolt.Fields, agent string) *memory.LearningProfile {
	if taskType := f.Text("taskType"); f.Err == nil {
		f.Of(memory.KindLearningProfile, memory.ProfileKey(agent, taskType))
	}
	p := &memory.LearningProfile{AgentKey: agent}
	f.Scan(fields.Profile(p))
	checkSeal(f, "countersSeal", countersSealOf(p))
	return p
}

// checkSeal compares a checksum with that of what was read.
func checkSeal(f *bolt.Fields, name string, seal int64) {
	if written := bolt.Required[int64](f, name); f.Err == nil && written != seal {
		f.Check(name, fmt.Errorf("%w: %d is not %d", errTorn, written, seal))
	}
}

// executionProperties are what an execution's node holds.
func executionProperties(e *store.ExecutionRecord) cypher.Parameters {
	row := bolt.Encode(cypher.Parameters{
		"key": e.Key, "profile": memory.ProfileKey(e.AgentKey, e.TaskType), "inputHash": graph.HashText(e.InputHash),
		"qualityBillionths": memory.QualityBillionths(e.Quality),
	}, fields.Execution(&e.Execution))
	if e.LatencyMs != nil {
		row["latencyMicros"] = memory.LatencyMicros(*e.LatencyMs)
	}
	return row
}

// ExecutionOf reads an execution.
func ExecutionOf(f *bolt.Fields) *memory.Execution {
	e := &memory.Execution{Key: f.Key(memory.KindExecution)}
	var ok bool
	if e.AgentKey, e.TaskType, ok = memory.SplitProfileKey(f.Text("profile")); !ok {
		f.Check("profile", errors.New("is no key of a profile"))
	}
	f.Scan(fields.Execution(e))
	if f.Err == nil {
		f.Check("execution", e.Check())
	}
	return e
}

// Neo4j reads a node property by property while others write it. So a profile carries checksums of its
// properties, by which a reader knows that those it has are of one write: countersSeal, and seal for its window too.

var sealTable = crc64.MakeTable(crc64.ECMA)

// errTorn says that what was read is not of one write.
var errTorn = errors.New("a profile changed while it was read")

func countersSealOf(p *memory.LearningProfile) int64 { return checksum(counters(p)) }

func sealOf(p *memory.LearningProfile) int64 {
	return checksum(counters(p), p.Window.At, p.Window.Quality)
}

func counters(p *memory.LearningProfile) []int64 {
	return []int64{int64(p.Total), int64(p.Successful), p.QualityBillionths, p.LatencyMicros, int64(p.Timed)}
}

// checksum is that of lists of numbers.
func checksum(lists ...any) int64 {
	var data []byte
	for _, list := range lists {
		data, _ = binary.Append(data, binary.LittleEndian, list)
	}
	return int64(crc64.Checksum(data, sealTable))
}
