package selection

import (
	"cmp"
	"math"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/stats"
)

// Evidence is what agents are ranked by for a task type.
type Evidence struct {
	TaskType string
	Now      time.Time // or the instant that the ranking is as of
	// Profiles are those of the task type.
	Profiles []*memory.LearningProfile
	// Records are of the agents with a profile; of every agent where there is a situation, and to explore.
	Records []*memory.AgentRecord
	// Situation says that a situation was given; Similar are the episodes that resemble it, of any agent.
	Situation bool
	Similar   []SimilarEpisode
}

// AgentRanking is where an agent stands for a task type.
type AgentRanking struct {
	AgentKey string
	Rank     int // from 1
	// Score is expertise × confidence; with a situation the quality that is to be expected there, in 0…1.
	Score float64
	// Expertise and Confidence are the profile's, 0 without one.
	Expertise, Confidence float64
	Profile               *memory.LearningProfile // nil where the agent has none for the task type
	// Estimate is how the score came about where there is a situation, else nil.
	Estimate *Estimate
	Reasons  []string
}

// NoAgentsAvailable is the error for a task type that no agent can be chosen for.
func NoAgentsAvailable() *memory.Error {
	return &memory.Error{Code: memory.CodeNoAgentsAvailable, Field: "taskType", Message: "no agent has worked on tasks of this type"}
}

// NoAgentsKnown is the same where any agent would do, to explore, and there is none.
func NoAgentsKnown() *memory.Error {
	return &memory.Error{
		Code: memory.CodeNoAgentsAvailable, Field: "taskType", Message: "no agent is known yet; one comes into being with the first record that names it",
	}
}

// Rank ranks the agents that have a profile, the best first: by score, then by their success over
// all task types, then by key. Scores within a billionth of each other are equal.
func Rank(s Evidence) []AgentRanking {
	contenders := s.contenders(s.Profiles, s.Situation)
	slices.SortFunc(contenders, func(a, b *contender) int {
		return cmp.Or(
			cmp.Compare(billionths(b.value), billionths(a.value)),
			cmp.Compare(billionths(b.success), billionths(a.success)),
			cmp.Compare(a.ranking.AgentKey, b.ranking.AgentKey),
		)
	})
	ranking := make([]AgentRanking, len(contenders))
	for i, c := range contenders {
		c.ranking.Rank = i + 1
		c.ranking.Reasons = c.reasons(s)
		if next := i + 1; next < len(contenders) && billionths(c.value) == billionths(contenders[next].value) {
			c.ranking.Reasons = append(c.ranking.Reasons, c.tieReason(contenders[next]))
		}
		ranking[i] = c.ranking
	}
	return ranking
}

// contender is an agent on its way into a ranking.
type contender struct {
	ranking  AgentRanking
	standing Standing
	estimate *Estimate // nil where none is needed
	value    float64   // what is ranked by: the score before it is kept to 0…1
	success  float64   // share of successes over all task types, 0 where there is no execution
	overall  int       // executions over all task types
	// expected is the quality that is expected of it to explore, bound the most that it may be.
	expected, bound float64
}

// contenders judges profiles, with an estimate of each or without.
func (s Evidence) contenders(profiles []*memory.LearningProfile, estimated bool) []*contender {
	tasks := make(map[string][]memory.TaskRecord, len(s.Records))
	for _, record := range s.Records {
		tasks[record.AgentKey] = record.Tasks
	}
	var scale *abilities
	if estimated {
		scale = s.abilities(tasks)
	}
	return memory.Mapped(profiles, func(profile *memory.LearningProfile) *contender {
		standing := StandingOf(profile, s.Now)
		c := &contender{standing: standing, value: standing.Score, ranking: AgentRanking{
			AgentKey: profile.AgentKey, Profile: profile,
			Expertise: standing.Expertise, Confidence: profile.Confidence(),
		}}
		if estimated {
			c.estimate = scale.estimate(profile.AgentKey)
		}
		if s.Situation {
			c.ranking.Estimate, c.value = c.estimate, c.estimate.value()
		}
		c.ranking.Score = stats.Unit(c.value)
		c.success, c.overall = successOf(tasks[profile.AgentKey])
		return c
	})
}

// successOf is the share of successes over all task types, and of how many executions.
func successOf(tasks []memory.TaskRecord) (share float64, total int) {
	successful := 0
	for _, task := range tasks {
		successful += task.Successful
		total += task.Total
	}
	return memory.OrZero(stats.Mean(float64(successful), total)), total
}

// billionths is a number for comparing, so that sums of equal parts are equal.
func billionths(x float64) float64 { return math.Round(x * 1e9) }
