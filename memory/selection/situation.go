package selection

import (
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/memory/ranking"
	"mneme/memory/stats"
)

// The constants of estimates.
const (
	// SimilarLimit is the number of similar episodes that an estimate looks at, the most similar.
	SimilarLimit = 50
	// shrinkage is how many observations weigh as much as the prior: the variance of one outcome over that of skill.
	// Outcomes (yes or no) vary by about 0.45, skill between agents, task types or situations by about 0.2: 0.45² / 0.2² ≈
	// 5.
	shrinkage = 5
)

// SimilarEpisode is an episode that resembles the situation, and how it turned out.
type SimilarEpisode struct {
	AgentKey   string
	TaskType   *string
	Quality    float64   // 0…1
	Similarity float64   // 0…1
	At         time.Time // when it started
}

// SimilarOf is an episode as evidence; ok is false where its outcome is not known.
func SimilarOf(e *memory.Episode, similarity float64) (similar SimilarEpisode, ok bool) {
	quality := e.Graded()
	if quality == nil {
		return SimilarEpisode{}, false
	}
	return SimilarEpisode{
		AgentKey: e.AgentKey, TaskType: e.TaskType, Quality: *quality, Similarity: stats.Unit(similarity), At: e.StartedAt,
	}, true
}

// Estimate is the quality that is to be expected of an agent in a situation, and where it comes from. It is
// a mixed model in closed form (Robinson, That BLUP is a good thing, Statistical Science 6(1), 1991; Efron
// & Morris, Data analysis using Stein's estimator, JASA 70, 1975): each level is shrunk towards the one
// before by as much as its evidence is worth, so that a few observations move little and none nothing. With
// K = 5 observations as the worth of what was believed before:
//
//	β(t)    = (Σ quality + K·μ) / (n + K): how well everyone does task type t, μ all task types
//	α(a)    = Σ r·(mean quality(a,t') − β(t')) / (Σ r + 1), with r = n/(n + K), over the other task types
//	          t': how much better the agent is than others are at the same work
//	Prior   = β(t) + α(a)
//	TaskType = (m·expertise + K·Prior) / (m + K), m the effective number of executions (see Standing)
//	Situation = Σ u·(quality − expected) / (Σ u + K) over all similar episodes: how hard it is for everyone
//	Own     = Σ u·(quality − expected − Situation) / (Σ u + K) over the agent's own similar episodes
//	score   = TaskType + Situation + Own, kept to 0…1
//
// A similar episode weighs u = similarity² · 0.5^(age/30 days), with the half-life of a recall, and what is expected of
// it is its agent's TaskType, for another task type the Prior there.
type Estimate struct {
	Prior, TaskType, Situation, Own float64
	// OwnEpisodes counts the agent's own similar episodes, OwnWeight is their Σ u, OwnQuality and
	// OwnExpected are weighted means over them.
	OwnEpisodes                        int
	OwnWeight, OwnQuality, OwnExpected float64
}

func (e *Estimate) value() float64 { return e.TaskType + e.Situation + e.Own }

// abilities is what estimates of one selection share.
type abilities struct {
	evidence  Evidence
	tasks     map[string][]memory.TaskRecord // by agent
	profiles  map[string]*memory.LearningProfile
	taskMeans map[string]float64 // β
	mean      float64            // μ
	situation float64
	own       map[string]*Estimate // the parts of Own, by agent
}

func (s Evidence) abilities(tasks map[string][]memory.TaskRecord) *abilities {
	a := &abilities{
		evidence: s, tasks: tasks, profiles: map[string]*memory.LearningProfile{},
		taskMeans: map[string]float64{}, own: map[string]*Estimate{},
	}
	for _, profile := range s.Profiles {
		a.profiles[profile.AgentKey] = profile
	}
	a.measureTasks()
	a.measureSituation()
	return a
}

// towards is the mean quality of some executions, shrunk towards a value.
func towards(of memory.TaskRecord, value float64) float64 {
	return (float64(of.QualityBillionths)/1e9 + shrinkage*value) / (float64(of.Total) + shrinkage)
}

func (a *abilities) measureTasks() {
	byTask, all := map[string]memory.TaskRecord{}, memory.TaskRecord{}
	for _, record := range a.evidence.Records {
		for _, task := range record.Tasks {
			of := byTask[task.TaskType]
			for _, sum := range []*memory.TaskRecord{&of, &all} {
				sum.Total, sum.QualityBillionths = sum.Total+task.Total, sum.QualityBillionths+task.QualityBillionths
			}
			byTask[task.TaskType] = of
		}
	}
	a.mean = towards(all, 0.5)
	for taskType, of := range byTask {
		a.taskMeans[taskType] = towards(of, a.mean)
	}
}

// taskMean is β.
func (a *abilities) taskMean(taskType string) float64 {
	if mean, known := a.taskMeans[taskType]; known {
		return mean
	}
	return a.mean
}

// prior is what is expected of an agent for a task type from its work on others.
func (a *abilities) prior(agent, taskType string) float64 {
	better, evidence := 0.0, 1.0
	for _, task := range a.tasks[agent] {
		if task.TaskType == taskType || task.Total == 0 {
			continue
		}
		worth := float64(task.Total) / (float64(task.Total) + shrinkage)
		better += worth * (float64(task.QualityBillionths)/1e9/float64(task.Total) - a.taskMean(task.TaskType))
		evidence += worth
	}
	return stats.Unit(a.taskMean(taskType) + better/evidence)
}

// atTask is what is expected of an agent for the selection's task type.
func (a *abilities) atTask(agent string) (prior, value float64) {
	prior = a.prior(agent, a.evidence.TaskType)
	profile := a.profiles[agent]
	if profile == nil {
		return prior, prior
	}
	standing := StandingOf(profile, a.evidence.Now)
	return prior, (standing.Effective*standing.Expertise + shrinkage*prior) / (standing.Effective + shrinkage)
}

// expected is what was to be expected of a similar episode.
func (a *abilities) expected(e SimilarEpisode) float64 {
	if e.TaskType == nil {
		return a.prior(e.AgentKey, "")
	}
	if *e.TaskType != a.evidence.TaskType {
		return a.prior(e.AgentKey, *e.TaskType)
	}
	_, value := a.atTask(e.AgentKey)
	return value
}

func (a *abilities) measureSituation() {
	surprise, weights := 0.0, 0.0
	for _, e := range a.evidence.Similar {
		weight := e.Similarity * e.Similarity * decay.Factor(e.At, a.evidence.Now, ranking.DefaultWeights.HalfLifeDays)
		if weight == 0 {
			continue
		}
		expected := a.expected(e)
		surprise += weight * (e.Quality - expected)
		weights += weight
		own := a.own[e.AgentKey]
		if own == nil {
			own = &Estimate{}
			a.own[e.AgentKey] = own
		}
		own.OwnEpisodes++
		own.OwnWeight += weight
		own.OwnQuality += weight * e.Quality
		own.OwnExpected += weight * expected
	}
	a.situation = surprise / (weights + shrinkage)
}

// estimate is what is expected of an agent in the situation.
func (a *abilities) estimate(agent string) *Estimate {
	e := &Estimate{Situation: a.situation}
	e.Prior, e.TaskType = a.atTask(agent)
	own := a.own[agent]
	if own == nil {
		return e
	}
	e.OwnEpisodes, e.OwnWeight = own.OwnEpisodes, own.OwnWeight
	e.OwnQuality, e.OwnExpected = own.OwnQuality/own.OwnWeight, own.OwnExpected/own.OwnWeight
	e.Own = (own.OwnQuality - own.OwnExpected - own.OwnWeight*a.situation) / (own.OwnWeight + shrinkage)
	return e
}
