package selection

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/stats"
)

// Explore chooses an agent so that something is learnt: the one that could be the best for all that is known, among all
// agents of Evidence.Records, also those without a profile. ok is false where there is no agent at all.
//
//	bound = expected quality + √(2·ln(1 + N) / (1 + n))
//
// with n the agent's executions of the task type and N those of all agents: UCB1 (Auer, Cesa-Bianchi &
// Fischer, Finite-time analysis of the multiarmed bandit problem, 2002) with one execution added, so that
// of many untried agents the better ones come first. Expected quality is Estimate's: TaskType, with a
// situation the whole sum. Among equal bounds the seed decides; the same seed chooses the same.
func Explore(s Evidence, seed uint64) (choice AgentRanking, ok bool) {
	tried := 0
	for _, profile := range s.Profiles {
		tried += profile.Total
	}
	var best []*contender
	for _, c := range s.contenders(s.everyone(), true) {
		c.expected = stats.Unit(c.estimate.TaskType)
		if s.Situation {
			c.expected = c.ranking.Score
		}
		c.bound = c.expected + math.Sqrt(2*math.Log1p(float64(tried))/float64(1+c.ranking.Profile.Total))
		switch {
		case len(best) == 0 || billionths(c.bound) > billionths(best[0].bound):
			best = []*contender{c}
		case billionths(c.bound) == billionths(best[0].bound):
			best = append(best, c)
		}
	}
	if len(best) == 0 {
		return AgentRanking{}, false
	}
	chosen := best[rand.New(rand.NewPCG(seed, 0)).IntN(len(best))] //nolint:gosec // a choice, not a secret
	return chosen.explored(s, tried, len(best)), true
}

// explored is the ranking of one that was chosen among equal ones.
func (c *contender) explored(s Evidence, tried, equal int) AgentRanking {
	choice := c.ranking
	choice.Rank = 1
	choice.Reasons = c.reasons(s)
	if !s.Situation { // with one the reasons tell already
		choice.Reasons = append(choice.Reasons, c.workReason())
	}
	choice.Reasons = append(choice.Reasons, fmt.Sprintf(
		"chosen to explore: its quality is expected to be %.2f, and after %d of %s may be up to %.2f",
		c.expected, choice.Profile.Total, prose.Plural(tried, "execution"), min(1, c.bound)))
	if equal > 1 {
		choice.Reasons = append(choice.Reasons, fmt.Sprintf("drawn from %d agents that could reach as much", equal))
	}
	if choice.Profile.Total == 0 {
		choice.Profile = nil
	}
	return choice
}

// everyone is the profiles of all agents, an empty one where an agent has none, by agent.
func (s Evidence) everyone() []*memory.LearningProfile {
	all := slices.Clone(s.Profiles)
	for _, record := range s.Records {
		all = append(all, &memory.LearningProfile{AgentKey: record.AgentKey, TaskType: s.TaskType})
	}
	slices.SortStableFunc(all, func(a, b *memory.LearningProfile) int { return cmp.Compare(a.AgentKey, b.AgentKey) })
	return slices.CompactFunc(all, func(a, b *memory.LearningProfile) bool { return a.AgentKey == b.AgentKey })
}
