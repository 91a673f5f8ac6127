package selection_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/selection"
)

// rota is work of one type that two agents do, each time by who is chosen for it.
type rota struct {
	random *rand.Rand
	now    time.Time
	skill  map[string]float64 // the true share of successes
	done   map[string]*memory.LearningProfile
	latest []selection.SimilarEpisode
}

func newRota(seed uint64) *rota {
	r := &rota{
		random: rand.New(rand.NewPCG(seed, 1)), now: memorytest.Monday,
		skill: map[string]float64{"ada": 0.9, "eve": 0.55},
		done:  map[string]*memory.LearningProfile{"ada": refunds("ada", nil), "eve": refunds("eve", nil)},
	}
	r.work("ada")
	r.work("eve")
	return r
}

// work has an agent do a task, and records what came of it.
func (r *rota) work(agent string) {
	quality := 0.0
	if r.random.Float64() < r.skill[agent] {
		quality = 1
	}
	r.now = r.now.Add(time.Minute)
	r.done[agent].Add(new(memorytest.Did(fmt.Sprint(r.now.Unix()), r.now, quality)))
	r.latest = append(r.latest, selection.SimilarEpisode{AgentKey: agent, TaskType: new("refund"), Quality: quality, Similarity: 0.8, At: r.now})
	r.latest = r.latest[max(0, len(r.latest)-selection.SimilarLimit):]
}

// known is what agents are chosen by.
func (r *rota) known(situation bool) selection.Evidence {
	s := selection.Evidence{TaskType: "refund", Now: r.now, Situation: situation}
	for _, agent := range []string{"ada", "eve"} {
		p := r.done[agent]
		s.Profiles = append(s.Profiles, p)
		s.Records = append(s.Records, record(agent, task("refund", p.Successful, p.Total)))
	}
	if situation {
		s.Similar = r.latest
	}
	return s
}

// TestWhoNeverExploresMissesWhatChanged compares, over many generated histories, the true quality of the agents that
// are chosen by one question or another, before and after the better one of two has become the worse one.
func TestWhoNeverExploresMissesWhatChanged(t *testing.T) {
	t.Parallel()
	const tasks, histories = 500, 10
	best := func(s selection.Evidence, _ int) string { return selection.Rank(s)[0].AgentKey }
	explored := func(s selection.Evidence, i int) string {
		choice, _ := selection.Explore(s, uint64(i))
		return choice.AgentKey
	}
	mean := map[string][2]float64{}
	for _, way := range []struct {
		name      string
		situation bool
		choose    func(selection.Evidence, int) string
	}{
		{"the best", false, best},
		{"the best with a situation", true, best},
		{"explored each tenth time", false, func(s selection.Evidence, i int) string {
			if i%10 == 0 {
				return explored(s, i)
			}
			return best(s, i)
		}},
		{"explored each time", false, explored},
	} {
		var chosen [2]float64
		for seed := range uint64(histories) {
			r := newRota(seed)
			for half := range 2 {
				if half == 1 {
					r.skill = map[string]float64{"ada": 0.55, "eve": 0.9}
				}
				for i := range tasks {
					agent := way.choose(r.known(way.situation), i)
					chosen[half] += r.skill[agent] / (tasks * histories)
					r.work(agent)
				}
			}
		}
		mean[way.name] = chosen
		t.Logf("%s: %.3f before, %.3f after", way.name, chosen[0], chosen[1])
	}
	for _, name := range []string{"the best with a situation", "explored each tenth time", "explored each time"} {
		assert.Greater(t, mean[name][1], mean["the best"][1]+0.1, name)
	}
}
