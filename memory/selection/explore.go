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
	scale := s.abilities(recordsByAgent(s.Records))
	tried := 0
	for _, profile := range s.Profiles {
		tried += profile.Total
	}
	var best []prospect
	for _, c := range s.contenders(s.everyone()) {
		p := s.prospect(c, scale.estimate(c.ranking.AgentKey), tried)
		switch {
		case len(best) == 0 || p.bound() > best[0].bound():
			best = []prospect{p}
		case p.bound() == best[0].bound():
			best = append(best, p)
		}
	}
	if len(best) == 0 {
		return AgentRanking{}, false
	}
	chosen := best[rand.New(rand.NewPCG(seed, 0)).IntN(len(best))] //nolint:gosec // a choice, not a secret
	return chosen.answer(s, tried, len(best)), true
}

// prospect is what a contender could reach.
type prospect struct {
	*contender
	estimate        *Estimate
	expected, bonus float64
}

func (s Evidence) prospect(c *contender, e *Estimate, tried int) prospect {
	p := prospect{contender: c, estimate: e, expected: stats.Unit(e.TaskType)}
	if s.Situation {
		p.expected = stats.Unit(e.value())
	}
	p.bonus = math.Sqrt(2 * math.Log1p(float64(tried)) / float64(1+c.ranking.Profile.Total))
	return p
}

func (p prospect) bound() float64 { return billionths(p.expected + p.bonus) }

// answer is the ranking of a prospect that was chosen among equal ones.
func (p prospect) answer(s Evidence, tried, equal int) AgentRanking {
	choice := p.ranking
	choice.Rank = 1
	choice.Reasons = p.reasons(s)
	if !s.Situation { // with one the reasons tell already
		choice.Reasons = append(choice.Reasons, p.workReason(p.estimate))
	}
	choice.Reasons = append(choice.Reasons, fmt.Sprintf(
		"chosen to explore: its quality is expected to be %.2f, and after %d of %s may be up to %.2f",
		p.expected, choice.Profile.Total, prose.Plural(tried, "execution"), min(1, p.expected+p.bonus)))
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
	known := map[string]bool{}
	for _, profile := range all {
		known[profile.AgentKey] = true
	}
	for _, record := range s.Records {
		if !known[record.AgentKey] {
			all = append(all, &memory.LearningProfile{AgentKey: record.AgentKey, TaskType: s.TaskType})
		}
	}
	slices.SortFunc(all, func(a, b *memory.LearningProfile) int { return cmp.Compare(a.AgentKey, b.AgentKey) })
	return all
}
