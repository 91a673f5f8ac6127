package selection_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/selection"
)

// similar is an episode of refund work that resembles the situation entirely, of now.
func similar(agent string, quality float64) selection.SimilarEpisode {
	return selection.SimilarEpisode{AgentKey: agent, TaskType: new("refund"), Quality: quality, Similarity: 1, At: memorytest.Monday}
}

func TestEstimateWorkedOut(t *testing.T) {
	t.Parallel()
	ada := refunds("ada", []memory.Execution{memorytest.Did("1", memorytest.Monday, 1), memorytest.Did("2", memorytest.Monday, 1), memorytest.Did("3", memorytest.Monday, 1), memorytest.Did("4", memorytest.Monday, 1), memorytest.Did("5", memorytest.Monday, 0)})
	evidence := selection.Evidence{
		TaskType: "refund", Now: memorytest.Monday, Situation: true, Profiles: []*memory.LearningProfile{ada},
		Records: []*memory.AgentRecord{record("ada", task("flights", 5, 5), task("refund", 4, 5)), record("eve", task("flights", 0, 5))},
	}
	// μ = (9 + 5·½)/(15 + 5) = 0.575; β(flights) = (5 + 5·0.575)/(10 + 5) = 0.525, β(refund) =
	// (4 + 5·0.575)/(5 + 5) = 0.6875. On flights ada is 0.475 above, which counts r = 5/10:
	// α = 0.5·0.475/(0.5 + 1). Five executions of one time are worth five: (5·0.8 + 5·prior)/10.
	prior := 0.6875 + 0.5*0.475/1.5
	atTask := (5*0.8 + 5*prior) / 10
	got := selection.Rank(evidence)[0]
	assert.InDelta(t, prior, got.Estimate.Prior, 1e-12)
	assert.InDelta(t, atTask, got.Estimate.TaskType, 1e-12)
	assert.InDelta(t, atTask, got.Score, 1e-12)
	assert.Equal(t, 0.8, got.Expertise)
	assert.Equal(t, 0.25, got.Confidence)
	assert.Contains(t, got.Reasons, "no past episode resembles the situation")

	// Five of its own of quality 0: everyone's share is Σ(0 − atTask)/(5 + 5), its own half of what is left.
	evidence.Similar = slices.Repeat([]selection.SimilarEpisode{similar("ada", 0)}, 5)
	got = selection.Rank(evidence)[0]
	assert.InDelta(t, -atTask/2, got.Estimate.Situation, 1e-12)
	assert.InDelta(t, -atTask/4, got.Estimate.Own, 1e-12)
	assert.InDelta(t, atTask/4, got.Score, 1e-12)
	assert.Equal(t, 5, got.Estimate.OwnEpisodes)
	assert.Equal(t, []string{
		"expertise 0.80 over 5 executions, 5 of them this week; confidence 0.25",
		"cold start: 5 of the 20 executions that full confidence needs",
		"all its work (10 executions) suggests 0.85 for this type of task, its record there makes that 0.82",
		"5 past episodes in similar situations (weight 5.0): quality 0.00 where 0.82 was to be expected",
		"expected quality here 0.21 = 0.82 − 0.41 for the situation − 0.21 for its own part in it",
	}, got.Reasons)
}

func TestASimilarEpisodeWeighsBySimilarityAndAge(t *testing.T) {
	t.Parallel()
	evidence := selection.Evidence{
		TaskType: "refund", Now: memorytest.Monday, Situation: true, Profiles: []*memory.LearningProfile{refunds("ada", daily("x", 20, 0.5, 0))},
	}
	weigh := func(similarity, ageDays float64) float64 {
		e := similar("ada", 1)
		e.Similarity, e.At = similarity, memorytest.Monday.Add(-memorytest.Days(ageDays))
		evidence.Similar = []selection.SimilarEpisode{e}
		return selection.Rank(evidence)[0].Estimate.OwnWeight
	}
	assert.InDelta(t, 1, weigh(1, 0), 1e-12)
	assert.InDelta(t, 0.25, weigh(0.5, 0), 1e-12)
	assert.InDelta(t, 0.5, weigh(1, 30), 1e-12)
	assert.InDelta(t, 1, weigh(1, -30), 1e-12)
	assert.Zero(t, weigh(0, 0))
}

func TestOneSimilarEpisodeMovesLittleAndManyMuch(t *testing.T) {
	t.Parallel()
	score := func(n int) float64 {
		evidence := selection.Evidence{
			TaskType: "refund", Now: memorytest.Monday, Situation: true,
			Profiles: []*memory.LearningProfile{refunds("ada", daily("x", 40, 0.5, 0)), refunds("eve", daily("x", 40, 0.5, 0))},
		}
		for range n {
			evidence.Similar = append(evidence.Similar, similar("ada", 1), similar("eve", 0.5))
		}
		ranking := selection.Rank(evidence)
		if n > 0 {
			assert.Equal(t, "ada", ranking[0].AgentKey)
		}
		return ranking[0].Score - ranking[1].Score
	}
	assert.Zero(t, score(0))
	assert.Less(t, score(1), 0.1)
	assert.Greater(t, score(25), 0.35)
}

func TestHardSituationsAreNotHeldAgainstThoseWhoTried(t *testing.T) {
	t.Parallel()
	evidence := selection.Evidence{
		TaskType: "refund", Now: memorytest.Monday, Situation: true,
		Profiles: []*memory.LearningProfile{refunds("tried", daily("x", 40, 0.8, 0)), refunds("never tried", daily("x", 40, 0.75, 0)), refunds("failed", daily("x", 40, 0.75, 0))},
	}
	for range 10 {
		evidence.Similar = append(evidence.Similar, similar("tried", 0.3), similar("failed", 0))
	}
	assert.Equal(t, "tried", selection.Rank(evidence)[0].AgentKey)
}

func TestSimilarOf(t *testing.T) {
	t.Parallel()
	e := &memory.Episode{Key: "e", AgentKey: "ada", TaskType: new("refund"), Outcome: memory.OutcomeFailure, StartedAt: memorytest.Monday}
	got, ok := selection.SimilarOf(e, 1.5)
	assert.True(t, ok)
	assert.Equal(t, selection.SimilarEpisode{AgentKey: "ada", TaskType: new("refund"), Similarity: 1, At: memorytest.Monday}, got)
	e.Outcome = memory.OutcomeUnknown
	_, ok = selection.SimilarOf(e, 1)
	assert.False(t, ok)
}

// office is a generated history whose truth is known: what quality to expect of each agent at each topic
// of each task type. Skill varies by spread between agents, between the task types of an agent and
// between the topics of a task type.
type office struct {
	random *rand.Rand
	truth  map[[3]int]float64 // agent, task type, topic
	done   []work
}

// work is one episode.
type work struct {
	agent, task, topic int
	quality            float64
	at                 time.Time
}

const (
	officeAgents, officeTasks, officeTopics = 8, 4, 4
	spread                                  = 0.15
)

func newOffice(seed uint64, episodes int) *office {
	o := &office{random: rand.New(rand.NewPCG(seed, 7)), truth: map[[3]int]float64{}}
	for agent := range officeAgents {
		ability := spread * o.random.NormFloat64()
		for task := range officeTasks {
			atTask := spread * o.random.NormFloat64()
			for topic := range officeTopics {
				o.truth[[3]int{agent, task, topic}] = min(1, max(0, 0.65-0.1*float64(task)+ability+atTask+spread*o.random.NormFloat64()))
			}
		}
	}
	for range episodes {
		o.work()
	}
	return o
}

// work lets an agent do something in the last 20 days. Some agents do more than others, and each mostly
// its own task type.
func (o *office) work() {
	w := work{agent: min(o.random.IntN(officeAgents), o.random.IntN(officeAgents)), topic: o.random.IntN(officeTopics)}
	if w.task = w.agent % officeTasks; o.random.Float64() < 0.6 {
		w.task = o.random.IntN(officeTasks)
	}
	if o.random.Float64() < o.truth[[3]int{w.agent, w.task, w.topic}] {
		w.quality = 1
	}
	w.at = memorytest.Monday.Add(-memorytest.Days(20 * o.random.Float64()))
	o.done = append(o.done, w)
}

func agentName(agent int) string { return fmt.Sprintf("agent %d", agent) }

func taskName(task int) string { return fmt.Sprintf("task %d", task) }

// selection is what is known when someone is sought for a topic of a task type.
func (o *office) selection(taskType, topic int) selection.Evidence {
	s := selection.Evidence{TaskType: taskName(taskType), Now: memorytest.Monday, Situation: true}
	byAgent := map[int]map[int][]memory.Execution{}
	for i, w := range o.done {
		if byAgent[w.agent] == nil {
			byAgent[w.agent] = map[int][]memory.Execution{}
		}
		byAgent[w.agent][w.task] = append(byAgent[w.agent][w.task], memorytest.Did(fmt.Sprintf("x%04d", i), w.at, w.quality))
		s.Similar = append(s.Similar, selection.SimilarEpisode{
			AgentKey: agentName(w.agent), TaskType: new(taskName(w.task)), Quality: w.quality,
			Similarity: resemblance(w.task == taskType, w.topic == topic), At: w.at,
		})
	}
	for agent, byTask := range byAgent {
		r := memory.AgentRecord{AgentKey: agentName(agent)}
		for task, executions := range byTask {
			p := refunds(r.AgentKey, executions)
			p.TaskType = taskName(task)
			r.Tasks = append(r.Tasks, memory.TaskRecord{TaskType: p.TaskType, Total: p.Total, Successful: p.Successful, QualityBillionths: p.QualityBillionths})
			if task == taskType {
				s.Profiles = append(s.Profiles, p)
			}
		}
		slices.SortFunc(r.Tasks, func(a, b memory.TaskRecord) int { return cmp.Compare(a.TaskType, b.TaskType) })
		s.Records = append(s.Records, &r)
	}
	slices.SortStableFunc(s.Similar, func(a, b selection.SimilarEpisode) int { return cmp.Compare(b.Similarity, a.Similarity) })
	s.Similar = s.Similar[:min(selection.SimilarLimit, len(s.Similar))]
	slices.SortFunc(s.Records, func(a, b *memory.AgentRecord) int { return cmp.Compare(a.AgentKey, b.AgentKey) })
	slices.SortFunc(s.Profiles, func(a, b *memory.LearningProfile) int { return cmp.Compare(a.AgentKey, b.AgentKey) })
	return s
}

// resemblance is how similar texts are that share a task type, a topic, or both.
func resemblance(task, topic bool) float64 {
	switch {
	case task && topic:
		return 0.8
	case task || topic:
		return 0.3
	}
	return 0.1
}

// bestOverall is the agent with the highest success over all task types, among those with a profile.
func bestOverall(s selection.Evidence) string {
	best, most := "", -1.0
	for _, p := range s.Profiles {
		for _, r := range s.Records {
			successful, total := 0, 0
			for _, task := range r.Tasks {
				successful, total = successful+task.Successful, total+task.Total
			}
			if rate := float64(successful) / float64(total); r.AgentKey == p.AgentKey && rate > most {
				best, most = r.AgentKey, rate
			}
		}
	}
	return best
}

// TestASituationPicksBetterAgents compares, over many generated histories, the true quality of the agents
// that are chosen with a situation, by the plain formula, and by success overall.
func TestASituationPicksBetterAgents(t *testing.T) {
	t.Parallel()
	for _, episodes := range []int{100, 300, 1000} {
		var situated, plain, overall, possible float64
		const histories = 40
		for seed := range uint64(histories) {
			o := newOffice(seed, episodes)
			for task := range officeTasks {
				topic := int(seed) % officeTopics
				truth := map[string]float64{}
				s := o.selection(task, topic)
				for agent := range officeAgents {
					truth[agentName(agent)] = o.truth[[3]int{agent, task, topic}]
				}
				best := 0.0
				for _, p := range s.Profiles {
					best = max(best, truth[p.AgentKey])
				}
				possible += best
				situated += truth[selection.Rank(s)[0].AgentKey]
				overall += truth[bestOverall(s)]
				s.Situation, s.Similar = false, nil
				plain += truth[selection.Rank(s)[0].AgentKey]
			}
		}
		const choices = histories * officeTasks
		t.Logf("%d episodes: chosen with the situation %.3f, plain %.3f, best overall %.3f, possible %.3f",
			episodes, situated/choices, plain/choices, overall/choices, possible/choices)
		assert.Greater(t, situated/choices, plain/choices+0.02, episodes)
		assert.Greater(t, situated/choices, overall/choices+0.02, episodes)
	}
}

func TestWithNoSituationItIsExactlyTheFormula(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		s := newOffice(seed, 200).selection(1, 1)
		s.Situation, s.Similar = false, nil
		for _, r := range selection.Rank(s) {
			assert.Equal(t, selection.StandingOf(r.Profile, memorytest.Monday).Score, r.Score)
			assert.Nil(t, r.Estimate)
		}
	}
}
