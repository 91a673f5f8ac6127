package fields

import "mneme/memory"

// Parts are the fields of records by a name, for schemas and for statements that name them one by one.
var Parts = map[string]List{}

// part describes a record, or the part of one that is written together.
func part[T any](of string, list func(*T) List) func(*T) List {
	Parts[of] = append(Parts[of], list(new(T))...)
	return list
}

// Agent are the fields of an agent.
var Agent = part("agent", func(a *memory.Agent) List {
	return List{{"key", Key{memory.KindAgent, &a.Key}}, {"name", &a.Name}}
})

// Episode are the fields by which episodes are found and ranked, which never change.
var Episode = part("episode", func(e *memory.Episode) List {
	return List{
		{"key", Key{memory.KindEpisode, &e.Key}}, {"agent", Link{&e.AgentKey}}, {"session", Link{Null(&e.SessionKey)}}, {"taskType", Null(&e.TaskType)}, {"user", Null(&e.UserID)}, {"startedAt", &e.StartedAt}, {"createdAt", &e.CreatedAt},
		{"concludedLater", &e.ConcludedLater},
	}
})

// Ending are the fields that a conclusion sets.
var Ending = part("episode", func(e *memory.Episode) List {
	return List{{"outcome", Word(&e.Outcome)}, {"concluded", &e.Concluded}, {"endedAt", Null(&e.EndedAt)}, {"quality", Null(&e.Quality)}, {"cost", Null(&e.Cost)}}
})

// Contents are what an episode says.
var Contents = part("contents", func(e *memory.Episode) List {
	return append(List{
		{"title", &e.Title}, {"observation", Said(&e.Observation)}, {"thoughts", &e.Thoughts}, Actions(&e.Actions)[0],
		{"result", Null(&e.Result)}, {"insight", &e.Insight}, {"executionIds", &e.ExecutionIDs}, {"segments", JSONIn(&e.Segments)}, {"metadata", &e.Metadata},
	}, Receipt(&e.Receipt)...)
})

// Actions are the actions of an episode.
func Actions(at *[]memory.Action) List {
	return List{{"actions", RowsIn(at, action, "actionNames", "actionResults", "actionIds")}}
}

func action(a *memory.Action) List {
	return List{{"stepName", &a.StepName}, {"result", &a.Result}, {"stepId", Null(&a.StepID)}}
}

// Log is the log of an episode.
func Log(events *[]memory.Event) List {
	return List{{"events", RowsIn(events, Event, "eventTypes", "eventData", "eventTimes")}}
}

// Event are the fields of an entry of a log.
var Event = part("event", func(e *memory.Event) List { return List{{"type", &e.Type}, {"data", &e.Data}, {"at", &e.At}} })

// Receipt are the fields of a receipt, which many records have.
var Receipt = part("receipt", func(r *memory.Receipt) List {
	return List{
		{"tokensBefore", &r.TokensBefore}, {"tokensAfter", &r.TokensAfter},
		{"redactions", RowsIn(&r.Redactions, redaction, "redactionKinds", "redactionCounts")},
	}
})

func redaction(r *memory.Redaction) List { return List{{"kind", &r.Kind}, {"count", &r.Count}} }

// Canvas are the fields of a canvas.
var Canvas = part("canvas", func(c *memory.Canvas) List {
	return List{
		{"key", Key{memory.KindCanvas, &c.Key}}, {"episode", Link{Null(&c.EpisodeKey)}}, {"session", Link{Null(&c.SessionKey)}},
		{"canvasType", &c.CanvasType}, {"componentType", Null(&c.ComponentType)}, {"user", Null(&c.UserID)},
	}
})

// CanvasActions are what was done on a canvas.
func CanvasActions(actions *[]memory.CanvasAction) List {
	return List{{"actions", RowsIn(actions, CanvasAction, "actionIds", "actionKinds", "actionMetadata", "actionTimes")}}
}

// CanvasAction are the fields of an action on a canvas.
var CanvasAction = part("canvasAction", func(a *memory.CanvasAction) List {
	return List{{"id", &a.ID}, {"action", Word(&a.Action)}, {"metadata", &a.Metadata}, {"at", &a.At}}
})

// Feedback are the fields of a feedback.
var Feedback = part("feedback", func(f *memory.Feedback) List {
	return append(List{
		{"key", Key{memory.KindFeedback, &f.Key}}, {"episode", Link{Null(&f.EpisodeKey)}}, {"canvas", Link{Null(&f.CanvasKey)}}, {"session", Link{Null(&f.SessionKey)}},
		{"type", Word(&f.Type)}, {"rating", Null(&f.Rating)}, {"score", &f.Score}, {"corrections", Null(&f.Corrections)}, {"comment", Null(&f.Comment)},
		{"source", Word(&f.Source)}, {"agentExecutionId", Null(&f.AgentExecutionID)}, {"createdBy", Null(&f.CreatedBy)}, {"user", Null(&f.UserID)},
		{"createdAt", &f.CreatedAt}, {"replaces", Null(&f.Replaces)}, {"replacedAt", Null(&f.ReplacedAt)},
	}, Receipt(&f.Receipt)...)
})

// Memoir are the fields of a memoir.
var Memoir = part("memoir", func(m *memory.Memoir) List {
	return List{{"key", Key{memory.KindMemoir, &m.Key}}, {"name", Said(&m.Name)}, {"description", Null(&m.Description)}, {"createdAt", &m.CreatedAt}}
})

// Concept are the fields that a concept keeps for good.
var Concept = part("concept", func(c *memory.Concept) List {
	return List{{"key", Key{memory.KindConcept, &c.Key}}, {"memoir", Link{&c.MemoirKey}}, {"name", Said(&c.Name)}, {"createdAt", &c.CreatedAt}}
})

// ConceptContent are those that a refinement changes.
var ConceptContent = part("concept", func(c *memory.Concept) List {
	return append(List{
		{"content", Said(&c.Content)}, {"labels", &c.Labels}, {"revisions", RowsIn(&c.Revisions, revision, "revisions")}, {"updatedAt", &c.UpdatedAt},
	}, Receipt(&c.Receipt)...)
})

// revision is one field, because a node holds no list of the labels of each.
func revision(r *memory.ConceptRevision) List { return List{{"revision", JSONOf(r)}} }

// Observation are the fields that an observation keeps for good.
var Observation = part("observation", func(o *memory.Observation) List {
	return append(List{
		{"key", Key{memory.KindObservation, &o.Key}}, {"session", Link{Null(&o.SessionKey)}}, {"content", Said(&o.Content)}, {"user", Null(&o.UserID)}, {"importance", Word(&o.Importance)}, {"createdAt", &o.CreatedAt},
	}, Receipt(&o.Receipt)...)
})

// ObservationUse are those that readings of an observation change.
var ObservationUse = part("observation", func(o *memory.Observation) List {
	return List{{"accessCount", &o.AccessCount}, {"lastAccessedAt", Null(&o.LastAccessedAt)}}
})

// Correction are the fields of a correction.
var Correction = part("correction", func(c *memory.Correction) List {
	return append(List{
		{"key", Key{memory.KindCorrection, &c.Key}}, {"topic", Said(&c.Topic)}, {"prediction", Said(&c.Prediction)}, {"correction", Said(&c.Correction)}, {"context", Null(&c.Context)},
		{"importance", Word(&c.Importance)}, {"createdBy", Null(&c.CreatedBy)}, {"createdAt", &c.CreatedAt},
	}, Receipt(&c.Receipt)...)
})

// Run are the fields of a run.
var Run = part("run", func(r *memory.Run) List {
	return List{{"key", Key{memory.KindRun, &r.Key}}, {"startedAt", &r.StartedAt}, {"completedAt", Null(&r.CompletedAt)}}
})

// Judgement are the fields that a judgement keeps for good.
var Judgement = part("judgement", func(j *memory.Judgement) List {
	return List{
		{"key", Key{memory.KindVerdict, &j.Key}}, {"run", Link{&j.RunKey}}, {"section", Link{&j.SectionKey}}, {"sectionType", &j.SectionType}, {"context", &j.Context}, {"judge", Null(&j.JudgeID)}, {"status", Word(&j.Status)}, {"score", Null(&j.Score)},
		{"iteration", &j.Iteration}, {"issues", JSONIn(&j.Issues)}, {"patterns", &j.Patterns}, {"at", &j.At}, {"threshold", Null(&j.Threshold)},
	}
})

// JudgementLabel are those that a person says of it later.
var JudgementLabel = part("judgement", func(j *memory.Judgement) List {
	return List{{"label", Null(&j.Label)}, {"labelledBy", Null(&j.LabelledBy)}}
})

// Verdict are what a verdict says beside its judgement.
var Verdict = part("verdict", func(v *memory.Verdict) List {
	return append(List{{"feedback", Null(&v.Feedback)}, {"strengths", &v.Strengths}, {"fixes", &v.Fixes}, {"plan", &v.Plan}}, Receipt(&v.Receipt)...)
})

// JudgeThreshold are the fields of a threshold of a judge.
var JudgeThreshold = part("judgeThreshold", func(t *memory.JudgeThreshold) List {
	return List{{"judge", &t.JudgeKey}, {"sectionType", Null(&t.SectionType)}, {"threshold", Null(&t.Threshold)}, {"at", &t.At}}
})

// Pattern are the fields that a pattern keeps for good.
var Pattern = part("pattern", func(p *memory.Pattern) List {
	return List{{"key", Key{memory.KindPattern, &p.Key}}, {"kind", Word(&p.Kind)}, {"issueCode", Null(&p.IssueCode)}, {"sectionType", &p.SectionType}, {"context", &p.Context}}
})

// PatternGains are those that runs change.
var PatternGains = part("pattern", func(p *memory.Pattern) List {
	return List{
		{"description", &p.Description}, {"saidAt", Null(&p.SaidAt)}, {"hits", &p.Hits}, {"total", &p.Total}, {"scored", &p.Scored},
		{"scoreSum", &p.ScoreSum}, {"recovered", &p.Recovered}, {"recoverySum", &p.RecoverySum}, {"lastSeen", &p.LastSeen},
		{"mined", &p.Mined}, {"common", &p.Common},
	}
})

// Execution are the fields of an execution.
var Execution = part("execution", func(e *memory.Execution) List {
	return List{{"at", &e.At}, {"success", &e.Success}, {"quality", &e.Quality}, {"latencyMs", Null(&e.LatencyMs)}}
})

// Profile are the counters of a learning profile, and ProfileWindow its latest executions.
var Profile = part("profile", func(p *memory.LearningProfile) List {
	return List{
		{"taskType", &p.TaskType}, {"total", &p.Total}, {"successful", &p.Successful}, {"qualityBillionths", &p.QualityBillionths},
		{"latencyMicros", &p.LatencyMicros}, {"timed", &p.Timed},
	}
})

// ProfileWindow is described with Profile.
var ProfileWindow = part("profile", func(p *memory.LearningProfile) List {
	return List{{"windowAt", &p.Window.At}, {"windowQuality", &p.Window.Quality}}
})
