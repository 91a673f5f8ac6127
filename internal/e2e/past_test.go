package e2e

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"mneme/memory"
)

// The size of a generated past, in the long form.
const (
	pastAgents     = 50
	pastTaskTypes  = 20
	pastExecutions = 10_000 // of which every fifth is an episode
	pastDeleted    = 60     // episodes
	pastRuns       = 500
	pastOpenRuns   = 50 // that are not completed
)

// past is a generated history of agents at work and of judged work, as the inputs that record it.
type past struct {
	executions, episodes []vars
	deleted              []string // ids of episodes
	verdicts             []vars
	labels               []vars
	completed            []string // ids of runs
	// known are the executions that there are in the end.
	known []memory.Execution
}

func newPast() *past {
	p := &past{}
	random := rand.New(rand.NewPCG(5, 10_000))
	for i := range sized(pastExecutions) {
		p.execute(random, i)
	}
	for i := range sized(pastRuns) {
		p.judge(random, i)
	}
	return p
}

// execute adds an execution. Agents differ in skill, and half of them change over time.
func (p *past) execute(random *rand.Rand, number int) {
	agent, taskType := random.IntN(pastAgents), random.IntN(pastTaskTypes)
	if random.IntN(4) > 0 { // a few do most of it, so that there is an archive
		agent, taskType = random.IntN(3), random.IntN(3)
	}
	at := now.Add(-time.Duration(random.Int64N(int64(60 * 24 * time.Hour)))).Truncate(time.Millisecond)
	skill := float64((agent*7+taskType*3)%10) / 10
	if agent%2 == 0 && at.After(daysAgo(10)) {
		skill = 1 - skill
	}
	quality := float64(int(1000*min(1, max(0, skill+random.NormFloat64()/5)))) / 1000
	e := memory.Execution{
		Key: fmt.Sprintf("x%05d", number), AgentKey: fmt.Sprintf("agent-%02d", agent), TaskType: fmt.Sprintf("task-%02d", taskType),
		Success: quality >= 0.5, Quality: quality, At: at,
	}
	if number%5 > 0 {
		p.executions = append(p.executions, vars{
			"id": e.Key, "agentId": e.AgentKey, "taskType": e.TaskType, "success": e.Success, "quality": quality,
			"latencyMs": random.IntN(9000), "at": at,
		})
		p.known = append(p.known, e)
		return
	}
	outcome := map[bool]string{true: "SUCCESS", false: "FAILURE"}[e.Success]
	p.episodes = append(p.episodes, vars{
		"id": e.Key, "agentId": e.AgentKey, "taskType": e.TaskType, "observation": fmt.Sprintf("A task of type %d.", taskType),
		"outcome": outcome, "quality": quality, "startedAt": at.Add(-time.Minute), "endedAt": at,
	})
	if len(p.deleted) < pastDeleted && number%3 == 0 {
		p.deleted = append(p.deleted, e.Key)
		return
	}
	e.Key = memory.EpisodeExecutionKey(e.Key)
	p.known = append(p.known, e)
}

// judge adds a run of four sections of up to three iterations each.
func (p *past) judge(random *rand.Rand, number int) {
	run, at := fmt.Sprintf("run-%03d", number), daysAgo(50).Add(time.Duration(number)*2*time.Hour)
	for i, kind := range []string{"intro", "verse", "chorus", "outro"} {
		for iteration := range 1 + random.IntN(3) {
			at = at.Add(time.Duration(1+random.IntN(5000)) * time.Millisecond)
			id := fmt.Sprintf("%s-%d-%d", run, i, iteration)
			v := vars{
				"id": id, "runId": run, "sectionId": fmt.Sprintf("%s_%d", kind, i), "sectionType": kind, "iteration": iteration,
				"context": vars{"energy": []string{"low", "medium", "high"}[random.IntN(3)]}, "at": at,
				"status": memory.VerdictStatuses[random.IntN(4)], "feedback": fmt.Sprintf("Iteration %d of %s.", iteration, id),
				"score": float64(random.IntN(101)) / 10, "patterns": []string{fmt.Sprintf("approach %d", random.IntN(6))},
			}
			if v["status"] != memory.VerdictValidationFail {
				v["judgeId"] = fmt.Sprintf("judge-%d", random.IntN(4))
			}
			if random.IntN(2) == 0 {
				code := fmt.Sprintf("ISSUE_%d", random.IntN(5))
				v["issues"] = []vars{{"code": code, "area": "AREA", "message": fmt.Sprintf("%s in %s", code, id)}}
			}
			p.verdicts = append(p.verdicts, v)
			if random.IntN(20) == 0 {
				p.labels = append(p.labels, vars{"verdictId": id, "approve": random.IntN(2) == 0})
			}
		}
	}
	if number >= sized(pastOpenRuns) {
		p.completed = append(p.completed, run)
	}
}

// score is expertise × confidence by the plain formula, from the executions themselves.
func (p *past) score(agent, taskType string) (score float64, total int) {
	var of []memory.Execution
	for _, e := range p.known {
		if e.AgentKey == agent && e.TaskType == taskType {
			of = append(of, e)
		}
	}
	slices.SortFunc(of, func(a, b memory.Execution) int { return memory.CompareExecutions(&b, &a) })
	weights, weighted := 0.0, 0.0
	for _, e := range of[:min(len(of), 100)] {
		days := now.Sub(e.At).Hours() / 24
		weight := math.Exp(-days / 7)
		if days <= 7 {
			weight *= 3
		}
		weights += weight
		weighted += weight * e.Quality
	}
	return weighted / weights * min(1, float64(len(of))/20), len(of)
}
