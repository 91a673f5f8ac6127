package storetest

import (
	"slices"
	"testing"
	"time"

	"mneme/memory"
	"mneme/store"
)

// RunLearning runs the part of the suite that is about executions and profiles, and about what the episodes' own
// writes do to it. The function open is as for Run.
func RunLearning(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open: open}
	runGroups(t, []group{
		{"Executions", s.executions},
		{"Windows", s.windows},
		{"Profiles", s.profiles},
		{"EpisodesAsExecutions", s.episodesAsExecutions},
		{"AgentRecords", s.agentRecords},
		{"EpisodeOutcomes", s.episodeOutcomes},
		{"LearningLinks", s.learningLinks},
		{"LearningAsOf", s.learningAsOf},
		{"LearningLaws", s.learningLaws},
		{"LearningTogether", s.learningTogether},
	})
}

// executionDraft is an execution on its way to the store.
type executionDraft struct{ store.ExecutionRecord }

// execution is a success of the agent "agent" at refunds, of quality 1.
func execution(key string, when time.Time) executionDraft {
	return executionDraft{store.ExecutionRecord{Execution: memory.Execution{
		Key: key, AgentKey: "agent", TaskType: "refund", Success: true, Quality: 1, At: when,
	}}}
}

func (d executionDraft) by(agent string) executionDraft { d.Execution.AgentKey = agent; return d }
func (d executionDraft) doing(taskType string) executionDraft {
	d.Execution.TaskType = taskType
	return d
}
func (d executionDraft) worth(quality float64) executionDraft {
	d.Execution.Quality = quality
	return d
}
func (d executionDraft) failing() executionDraft {
	d.Execution.Success, d.Execution.Quality = false, 0
	return d
}
func (d executionDraft) taking(ms float64) executionDraft { d.Execution.LatencyMs = &ms; return d }

// read is what a read gives of an execution that is in the window.
func (d executionDraft) read() *memory.Execution { return &d.Execution }

func executionRecords(drafts []executionDraft) []store.ExecutionRecord {
	return hashed(drafts, func(d *executionDraft) (*store.ExecutionRecord, *[]byte) { return &d.ExecutionRecord, &d.InputHash })
}

// graded is an episode with a quality of its own.
func (d episodeDraft) graded(quality float64) episodeDraft { d.Episode.Quality = &quality; return d }

// executed records executions in one batch and gives what became of each.
func (m *tenant) executed(drafts ...executionDraft) []store.Recorded {
	m.t.Helper()
	recorded, err := store.Record(m.ctx(), m, executionRecords(drafts))
	m.NoError(err)
	m.Len(recorded, len(drafts))
	for i, draft := range drafts {
		m.Equal(draft.Execution.Key, recorded[i].Key)
	}
	return recorded
}

// execute records new executions in one batch.
func (m *tenant) execute(drafts ...executionDraft) {
	m.t.Helper()
	m.allCreated(m.executed(drafts...))
}

// executionsAt records n executions "x000", "x001" …, one a minute, of qualities 0, 0.01 … 0.99 in turns.
func (m *tenant) executionsAt(n int) []executionDraft {
	m.t.Helper()
	drafts := make([]executionDraft, n)
	for i := range drafts {
		drafts[i] = execution(benchmarkKey(i), at(i)).worth(float64(i%100) / 100).taking(float64(i) + 0.5)
	}
	m.execute(drafts...)
	return drafts
}

// execution reads one, nil where there is none.
func (m *tenant) execution(key string) *memory.Execution {
	m.t.Helper()
	found, err := store.Get[memory.Execution](m.ctx(), m, []string{key})
	m.NoError(err)
	m.Len(found, 1)
	return found[0]
}

// profilesOf reads profiles.
func (m *tenant) profilesOf(filter store.ProfilesOf) []*memory.LearningProfile {
	m.t.Helper()
	found, err := store.All(m.ctx(), m, filter)
	m.NoError(err)
	m.NotNil(found)
	return found
}

// profile reads the one of an agent and a task type, nil where there is none.
func (m *tenant) profile(agent, taskType string, asOf *time.Time) *memory.LearningProfile {
	m.t.Helper()
	found := m.profilesOf(store.ProfilesOf{Agents: []string{agent}, TaskTypes: []string{taskType}, AsOf: asOf})
	if len(found) == 0 {
		return nil
	}
	m.Len(found, 1)
	return found[0]
}

// executionsOf walks all executions of a profile that are in the window, or archived.
func (m *tenant) executionsOf(agent, taskType string, archived bool, asOf *time.Time) []*memory.Execution {
	m.t.Helper()
	query := store.ExecutionsOf{Agent: agent, TaskType: taskType, Archived: archived, AsOf: asOf}
	return walk(m, 7, func(page store.Page) ([]*memory.Execution, bool, error) {
		return store.List(m.ctx(), m, query, page)
	}, func(e *memory.Execution) store.Position {
		return store.Position{At: e.At, Key: e.Key}
	})
}

func executionKeys(executions []*memory.Execution) []string {
	keys := make([]string, len(executions))
	for i, e := range executions {
		keys[i] = e.Key
	}
	return keys
}

// records reads what agents have done; nil agents are all.
func (m *tenant) records(agents []string, asOf *time.Time) []memory.AgentRecord {
	m.t.Helper()
	found, err := store.All(m.ctx(), m, store.AgentRecordsOf{Agents: agents, AsOf: asOf})
	m.NoError(err)
	m.NotNil(found)
	return memory.Mapped(found, func(r *memory.AgentRecord) memory.AgentRecord { return *r })
}

// profileOf is the profile of executions as a read gives it: those of the agent and task type that were
// known at the instant.
func profileOf(executions []memory.Execution, agent, taskType string, asOf *time.Time) *memory.LearningProfile {
	var known []*memory.Execution
	for _, e := range knownOf(executions, agent, taskType, asOf) {
		known = append(known, &e)
	}
	p := memory.SumUp(agent, taskType, known)
	if p.AsOf = asOf; p.Total == 0 {
		return nil
	}
	return p
}

// knownOf is the executions of a profile at an instant, the oldest first.
func knownOf(executions []memory.Execution, agent, taskType string, asOf *time.Time) []memory.Execution {
	known := []memory.Execution{}
	for _, e := range executions {
		if e.AgentKey == agent && e.TaskType == taskType && before(e.At, asOf) {
			known = append(known, e)
		}
	}
	slices.SortFunc(known, func(a, b memory.Execution) int { return memory.CompareExecutions(&a, &b) })
	return known
}

// requireProfile compares a profile, and the lists of its executions, with those of plain executions.
func (m *tenant) requireProfile(executions []memory.Execution, agent, taskType string, asOf *time.Time) {
	m.t.Helper()
	m.Equal(profileOf(executions, agent, taskType, asOf), m.profile(agent, taskType, asOf), "as of %v", asOf)
	known := knownOf(executions, agent, taskType, asOf)
	slices.Reverse(known)
	live, archived := []*memory.Execution{}, []*memory.Execution{}
	for i := range known {
		if known[i].Archived = i >= memory.WindowSize; known[i].Archived {
			archived = append(archived, &known[i])
		} else {
			live = append(live, &known[i])
		}
	}
	m.Equal(live, m.executionsOf(agent, taskType, false, asOf), "as of %v", asOf)
	m.Equal(archived, m.executionsOf(agent, taskType, true, asOf), "as of %v", asOf)
}

// plain is what drafts hold.
func plain(drafts []executionDraft) []memory.Execution {
	executions := make([]memory.Execution, len(drafts))
	for i, draft := range drafts {
		executions[i] = draft.Execution
	}
	return executions
}
