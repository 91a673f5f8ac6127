package neo4j

import (
	"fmt"

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
