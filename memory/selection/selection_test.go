package selection_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/selection"
)

// refunds is an agent's profile for refunds.
func refunds(agent string, executions []memory.Execution) *memory.LearningProfile {
	p := memorytest.ProfileOf(executions...)
	p.AgentKey = agent
	return p
}

// record is what an agent has done in all: successes of a total of refunds, and of other work.
func record(agent string, tasks ...memory.TaskRecord) *memory.AgentRecord {
	return &memory.AgentRecord{AgentKey: agent, Tasks: tasks}
}

// task is successes of quality 1 among a total.
func task(taskType string, successful, total int) memory.TaskRecord {
	return memory.TaskRecord{TaskType: taskType, Total: total, Successful: successful, QualityBillionths: int64(successful) * 1e9}
}

func agentsOf(ranking []selection.AgentRanking) []string {
	agents := make([]string, len(ranking))
	for i, r := range ranking {
		agents[i] = r.AgentKey
	}
	return agents
}

func TestRankAgents(t *testing.T) {
	t.Parallel()
	ranking := selection.Rank(selection.Evidence{TaskType: "refund", Now: memorytest.Monday, Profiles: []*memory.LearningProfile{
		refunds("new star", daily("x", 10, 1, 0)),
		refunds("fallen", append(daily("old", 20, 0.9, 30), daily("new", 7, 0.2, 0)...)),
		refunds("steady", daily("x", 40, 0.8, 0)),
		refunds("beginner", daily("x", 1, 1, 0)),
	}})
	assert.Equal(t, []string{"steady", "new star", "fallen", "beginner"}, agentsOf(ranking))
	for i, r := range ranking {
		assert.Equal(t, i+1, r.Rank)
		assert.InDelta(t, r.Expertise*r.Confidence, r.Score, 1e-12)
		assert.Nil(t, r.Estimate)
	}
	assert.Equal(t, 0.5, ranking[1].Confidence)
	assert.Empty(t, selection.Rank(selection.Evidence{TaskType: "unknown", Now: memorytest.Monday}))
	assert.Equal(t, memory.CodeNoAgentsAvailable, selection.NoAgentsAvailable().Code)
}

func TestTiesBreakBySuccessOverAllTaskTypesThenByName(t *testing.T) {
	t.Parallel()
	same := daily("x", 20, 0.8, 0)
	ranking := selection.Rank(selection.Evidence{
		TaskType: "refund", Now: memorytest.Monday,
		Profiles: []*memory.LearningProfile{refunds("c", same), refunds("b", same), refunds("a", same), refunds("d", same)},
		Records: []*memory.AgentRecord{
			record("a", task("refund", 20, 20), task("flights", 0, 20)), record("b", task("refund", 20, 20), task("flights", 0, 20)),
			record("c", task("refund", 20, 20), task("flights", 10, 20)), record("d", task("refund", 20, 20), task("flights", 20, 20)),
		},
	})
	assert.Equal(t, []string{"d", "c", "a", "b"}, agentsOf(ranking))
	assert.Equal(t, "level with c; ahead by success over all task types, 1.00 of 40 executions to 0.75 of 40", ranking[0].Reasons[1])
	assert.Equal(t, "level with b also in success over all task types; by name", ranking[2].Reasons[1])
	assert.Len(t, ranking[3].Reasons, 1)
}

func TestReasonsOfARanking(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		executions []memory.Execution
		want       []string
	}{
		{
			append(daily("new", 8, 0.91, 0), daily("old", 26, 0.91, 8)...),
			[]string{"expertise 0.91 over 34 executions, 8 of them this week; confidence 1.0"},
		},
		{
			daily("x", 3, 1, 20),
			[]string{
				"expertise 1.00 over 3 executions, 0 of them this week; confidence 0.15",
				"cold start: 3 of the 20 executions that full confidence needs",
			},
		},
		{
			daily("x", 1, 0, 0),
			[]string{
				"expertise 0.00 over 1 execution, 1 of them this week; confidence 0.05",
				"cold start: 1 of the 20 executions that full confidence needs",
			},
		},
		{
			daily("x", 120, 0.5, 0),
			[]string{"expertise 0.50 over the latest 100 of 120 executions, 8 of them this week; confidence 1.0"},
		},
		{
			slices.Concat(daily("new", 5, 1, 0), daily("old", 20, 0, 10)),
			[]string{"expertise 0.87 over 25 executions, 5 of them this week; confidence 1.0", "quality went up this week"},
		},
		{
			slices.Concat(daily("new", 5, 0, 0), daily("old", 20, 1, 10)),
			[]string{"expertise 0.13 over 25 executions, 5 of them this week; confidence 1.0", "quality went down this week"},
		},
	} {
		ranking := selection.Rank(selection.Evidence{
			TaskType: "refund", Now: memorytest.Monday, Profiles: []*memory.LearningProfile{refunds("ada", test.executions)},
		})
		if assert.Equal(t, len(test.want), len(ranking[0].Reasons), ranking[0].Reasons) {
			for i := range test.want {
				assert.Equal(t, test.want[i], ranking[0].Reasons[i])
			}
		}
	}
}

// TestRankingIsThatOfThePlainFormula compares with every agent's plain score.
func TestRankingIsThatOfThePlainFormula(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(random *rapid.T) {
		s := selection.Evidence{TaskType: "refund", Now: memorytest.Monday.Add(memorytest.Days(45))}
		scores := map[string]float64{}
		for i := range rapid.IntRange(0, 6).Draw(random, "agents") {
			agent := fmt.Sprintf("a%d", i)
			executions := memorytest.DrawExecutions(random, 40)
			s.Profiles = append(s.Profiles, refunds(agent, executions))
			scores[agent] = plainExpertise(executions, s.Now) * min(1, float64(len(executions))/20)
		}
		ranking := selection.Rank(s)
		assert.Len(random, ranking, len(s.Profiles))
		for i, r := range ranking {
			assert.InDelta(random, scores[r.AgentKey], r.Score, 1e-9)
			if i > 0 {
				assert.GreaterOrEqual(random, ranking[i-1].Score+1e-9, r.Score)
			}
		}
	})
}

func TestExplore(t *testing.T) {
	t.Parallel()
	evidence := selection.Evidence{
		TaskType: "refund", Now: memorytest.Monday,
		Profiles: []*memory.LearningProfile{refunds("veteran", daily("x", 200, 0.7, 0)), refunds("tried", daily("x", 3, 0.7, 0))},
		Records: []*memory.AgentRecord{
			record("tried", task("refund", 3, 3)), record("veteran", task("refund", 140, 200)),
			record("idle"), record("good elsewhere", task("flights", 50, 50)), record("bad elsewhere", task("flights", 0, 50)),
		},
	}
	choice, ok := selection.Explore(evidence, 1)
	assert.True(t, ok)
	assert.Equal(t, "good elsewhere", choice.AgentKey, "of the untried the one that is better elsewhere")
	assert.Nil(t, choice.Profile)
	assert.Equal(t, 1, choice.Rank)
	assert.Zero(t, choice.Score)
	assert.Equal(t, "has not worked on this type of task yet", choice.Reasons[0])
	assert.Equal(t, "all its work (50 executions) suggests 0.94 for this type of task", choice.Reasons[1])
	assert.Regexp(t, `^chosen to explore: its quality is expected to be 0\.94, and after 0 of 203 executions may be up to 1\.00$`, choice.Reasons[2])

	evidence.Records = evidence.Records[:2]
	choice, _ = selection.Explore(evidence, 1)
	assert.Equal(t, "tried", choice.AgentKey, "of equally good ones the one less is known of")
	assert.NotNil(t, choice.Profile)
	assert.Regexp(t, `^all its work \(3 executions\) suggests 0\.\d\d for this type of task, its record there makes that 0\.\d\d$`, choice.Reasons[2])

	_, ok = selection.Explore(selection.Evidence{TaskType: "refund", Now: memorytest.Monday}, 1)
	assert.False(t, ok)
}

func TestExploreDrawsAmongEqualsByItsSeed(t *testing.T) {
	t.Parallel()
	evidence := selection.Evidence{TaskType: "new", Now: memorytest.Monday}
	for i := range 10 {
		evidence.Records = append(evidence.Records, record(fmt.Sprint("a", i)))
	}
	drawn := map[string]bool{}
	for seed := range uint64(50) {
		choice, _ := selection.Explore(evidence, seed)
		again, _ := selection.Explore(evidence, seed)
		assert.Equal(t, choice, again)
		drawn[choice.AgentKey] = true
		assert.Contains(t, choice.Reasons, "drawn from 10 agents that could reach as much")
	}
	assert.Greater(t, len(drawn), 5)
}

// TestExploringFindsTheBestAgent lets agents of known quality work as they are chosen.
func TestExploringFindsTheBestAgent(t *testing.T) {
	t.Parallel()
	truth := map[string]float64{"a": 0.3, "b": 0.5, "c": 0.9, "d": 0.6}
	profiles := map[string]*memory.LearningProfile{}
	for i := range 400 {
		evidence := selection.Evidence{TaskType: "refund", Now: memorytest.Monday.Add(memorytest.Days(float64(i) / 100))}
		for agent := range truth {
			if profiles[agent] != nil {
				evidence.Profiles = append(evidence.Profiles, profiles[agent])
			}
			evidence.Records = append(evidence.Records, record(agent))
		}
		choice, _ := selection.Explore(evidence, uint64(i))
		if profiles[choice.AgentKey] == nil {
			profiles[choice.AgentKey] = refunds(choice.AgentKey, nil)
		}
		profiles[choice.AgentKey].Add(new(memorytest.Did(fmt.Sprintf("x%03d", i), evidence.Now, truth[choice.AgentKey])))
	}
	for agent := range truth {
		assert.NotNil(t, profiles[agent], agent)
	}
	assert.Greater(t, profiles["c"].Total, profiles["d"].Total)
	assert.Greater(t, profiles["d"].Total, profiles["b"].Total)
	assert.Greater(t, profiles["b"].Total, profiles["a"].Total)
}

// BenchmarkRankAgents ranks 1,000 agents with 100 executions each.
func BenchmarkRankAgents(b *testing.B) {
	s := selection.Evidence{TaskType: "refund", Now: memorytest.Monday}
	for i := range 1000 {
		agent := fmt.Sprintf("a%03d", i)
		s.Profiles = append(s.Profiles, refunds(agent, daily(agent, 100, float64(i%97)/97, 0)))
		s.Records = append(s.Records, record(agent, task("refund", 50, 100), task("flights", 20, 40)))
	}
	for _, situation := range []bool{false, true} {
		s.Situation = situation
		b.Run(fmt.Sprintf("situation=%t", situation), func(b *testing.B) {
			for b.Loop() {
				selection.Rank(s)
			}
		})
	}
}
