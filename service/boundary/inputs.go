package boundary

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/graduation"
	"mneme/memory/prose"
	"mneme/memory/ranking"
	"mneme/memory/selection"
	"mneme/memory/trends"
	"mneme/store"
)

// The inputs of the use cases, for every front end: GraphQL binds them, imports and MCP read them as JSON. The
// `jsonschema` tags tell models a tool's arguments. Ids are bare or global (kind:key). A nil pointer is an argument
// left out.

// ActionInput is one step an agent took and what came of it.
type ActionInput struct {
	StepID   *string     `json:"stepId,omitempty" jsonschema:"The caller's own name for the step."`
	StepName string      `json:"stepName" jsonschema:"What was done, such as a tool's name."`
	Result   memory.JSON `json:"result,omitempty" jsonschema:"What came of the step, as JSON."`
}

// RecordEpisodeInput is an episode as its agent tells it.
type RecordEpisodeInput struct {
	ID          *string         `json:"id,omitempty" jsonschema:"Its key; one is made by default."`
	AgentID     string          `json:"agentId" jsonschema:"Who did the work, by id or key; a new one comes into being."`
	AgentName   *string         `json:"agentName,omitempty" jsonschema:"The agent's name for people."`
	Title       *string         `json:"title,omitempty" jsonschema:"A short name; made by default."`
	SessionID   *string         `json:"sessionId,omitempty" jsonschema:"Its conversation, by id or key."`
	TaskType    *string         `json:"taskType,omitempty" jsonschema:"The kind of task, such as refund_request."`
	Observation string          `json:"observation" jsonschema:"The situation, as a similar one would be described; recall goes by it."`
	Thoughts    []string        `json:"thoughts,omitempty" jsonschema:"What the agent thought, in order."`
	Actions     []ActionInput   `json:"actions,omitempty" jsonschema:"What the agent did, in order."`
	Result      *string         `json:"result,omitempty" jsonschema:"What came of it."`
	Outcome     *memory.Outcome `json:"outcome,omitempty" jsonschema:"How it ended; UNKNOWN by default."`
	StartedAt   *time.Time      `json:"startedAt,omitempty" jsonschema:"When it began, such as 2026-06-01T12:00:00Z; now by default."`
	EndedAt     *time.Time      `json:"endedAt,omitempty" jsonschema:"When it ended, not before it began."`
	EpisodeExtras
}

// RecordEpisodesInput is a batch of episodes, applied in order.
type RecordEpisodesInput struct {
	Episodes []RecordEpisodeInput `json:"episodes"`
}

// EventInput is one entry of a run's log.
type EventInput struct {
	Sequence *int        `json:"sequence,omitempty" jsonschema:"Its place in the log, from 0; needed with append."`
	Type     string      `json:"type" jsonschema:"What happened. These are understood, others are kept: workflow_started {args}, agent_message {role, content}, agent_thought {thought}, step_completed {step_id, step_name, result}, task_completed, workflow_completed {result}, workflow_failed {error}."`
	Data     memory.JSON `json:"data,omitempty" jsonschema:"What belongs to it, as a JSON object."`
	At       time.Time   `json:"at" jsonschema:"When it happened."`
}

// EpisodeExtras is what a caller may say of an episode that its log does not tell.
type EpisodeExtras struct {
	UserID       *string     `json:"userId,omitempty" jsonschema:"For whom it was."`
	ExecutionIDs []string    `json:"executionIds,omitempty" jsonschema:"Your names for what it covers; feedback may name one."`
	Insight      *string     `json:"insight,omitempty" jsonschema:"Why it worked or failed, in a sentence; made by default."`
	CausedBy     []string    `json:"causedBy,omitempty" jsonschema:"Its causes, by id or key."`
	InformedBy   []string    `json:"informedBy,omitempty" jsonschema:"What it recalled and went by, by id or key; what helped ranks higher."`
	ConceptIDs   []string    `json:"conceptIds,omitempty" jsonschema:"The concepts it mentions."`
	Embedding    []float64   `json:"embedding,omitempty" jsonschema:"A vector."`
	Metadata     memory.JSON `json:"metadata,omitempty" jsonschema:"Any more, as JSON."`
	Quality      *float64    `json:"quality,omitempty" jsonschema:"How good it was, 0 to 1."`
	Cost         *float64    `json:"cost,omitempty" jsonschema:"What it cost, in your currency."`
}

// CaptureRunInput is the log of a finished run, which becomes the episode of that key.
type CaptureRunInput struct {
	RunID        string       `json:"runId" jsonschema:"The run's key, which the episode gets, 1 to 512 bytes."`
	AgentID      string       `json:"agentId" jsonschema:"Who did the work, by id or key."`
	WorkflowName *string      `json:"workflowName,omitempty" jsonschema:"The workflow's name, which becomes the task type."`
	SessionID    *string      `json:"sessionId,omitempty" jsonschema:"Its conversation, by id or key."`
	Events       []EventInput `json:"events" jsonschema:"The log, in order, with workflow_completed or workflow_failed at its end."`
	Append       bool         `json:"append,omitempty" jsonschema:"The events are a part of a log, parts in any order; the same again is ignored."`
	EpisodeExtras
}

// ConcludeEpisodeInput is the end of an episode recorded before its outcome was known.
type ConcludeEpisodeInput struct {
	ID      string         `json:"id" jsonschema:"The episode, by id or key, as record_episode answered it."`
	Outcome memory.Outcome `json:"outcome" jsonschema:"How it ended: SUCCESS or FAILURE."`
	Result  *string        `json:"result,omitempty" jsonschema:"What came of it; stays by default."`
	Insight *string        `json:"insight,omitempty" jsonschema:"Why it worked or failed."`
	Quality *float64       `json:"quality,omitempty" jsonschema:"How good the work was, 0 to 1."`
	Cost    *float64       `json:"cost,omitempty" jsonschema:"What it cost."`
	EndedAt *time.Time     `json:"endedAt,omitempty" jsonschema:"When it ended, not before it began."`
}

// DeleteInput names the record to be deleted. On a dry run, as of the other inputs, it is only told what would be.
type DeleteInput struct {
	ID     string `json:"id" jsonschema:"The record, by global id, such as episode:run-7."`
	DryRun bool   `json:"-"`
}

// DeleteEpisodesInput says which episodes to delete, by at least one condition.
type DeleteEpisodesInput struct {
	Filter EpisodeFilter `json:"filter"`
	DryRun *bool         `json:"dryRun,omitempty"` // nil is true: they are only counted
}

// CanvasActionInput is one thing that happened to a canvas.
type CanvasActionInput struct {
	ID            *string                 `json:"id,omitempty" jsonschema:"Your name for the action; with it the same may be sent again."`
	CanvasID      string                  `json:"canvasId" jsonschema:"The canvas, by id or key; one that nobody knew comes into being."`
	EpisodeID     *string                 `json:"episodeId,omitempty" jsonschema:"The episode in which it was shown, by id or key."`
	SessionID     *string                 `json:"sessionId,omitempty" jsonschema:"The conversation in which it was shown, by id or key."`
	UserID        *string                 `json:"userId,omitempty" jsonschema:"For whom; by default as its episode."`
	CanvasType    string                  `json:"canvasType" jsonschema:"What it is: generic, docs, email, sheets, orchestration, terminal, coding, charts, forms, markdown, or a word of your own."`
	ComponentType *string                 `json:"componentType,omitempty" jsonschema:"Which component of that type, such as line_chart."`
	Action        memory.CanvasActionKind `json:"action" jsonschema:"What happened to it."`
	Metadata      memory.JSON             `json:"metadata,omitempty" jsonschema:"What belongs to the action, as a JSON object; one with error says that it showed an error."`
	At            *time.Time              `json:"at,omitempty" jsonschema:"When it happened; now by default."`
}

// RecordCanvasActionsInput is a batch of canvas actions, applied in order.
type RecordCanvasActionsInput struct {
	Actions []CanvasActionInput `json:"actions" jsonschema:"What happened, in order, 1 to 1,000."`
}

// BackfillInput says in which session to link what has no episode yet; nil means all.
type BackfillInput struct {
	SessionID *string `json:"sessionId,omitempty" jsonschema:"Only of this session, by id or key; of all by default."`
}

// UserFilter keeps what is for a user and, with IncludeShared, what is for nobody in particular; without a user, all.
type UserFilter struct {
	UserID        *string `json:"userId,omitempty" jsonschema:"Only for this user."`
	IncludeShared bool    `json:"includeShared,omitempty" jsonschema:"Also for nobody."`
}

// EpisodeFilter keeps the episodes that meet every set condition.
type EpisodeFilter struct {
	WorkFilter
	SessionID        *string  `json:"sessionId,omitempty"`
	MaxFeedbackScore *float64 `json:"maxFeedbackScore,omitempty"`
}

// WorkFilter says which past work is looked at, in lists and recalls alike.
type WorkFilter struct {
	AgentID  *string `json:"agentId,omitempty" jsonschema:"Only what this agent did, by id or key."`
	TaskType *string `json:"taskType,omitempty" jsonschema:"Only of exactly this task type."`
	UserFilter
	Outcome          *memory.Outcome          `json:"outcome,omitempty" jsonschema:"Only what ended so."`
	CanvasType       *string                  `json:"canvasType,omitempty" jsonschema:"Only what showed a canvas of exactly this type."`
	CanvasAction     *memory.CanvasActionKind `json:"canvasAction,omitempty" jsonschema:"Only what showed a canvas on which this happened."`
	MinFeedbackScore *float64                 `json:"minFeedbackScore,omitempty" jsonschema:"Only with a mean feedback score of at least this, -1 to 1."`
	TimeRange        *memory.TimeRange        `json:"timeRange,omitempty" jsonschema:"Only what began in this range back from now; not together with since."`
	Since            *time.Time               `json:"since,omitempty" jsonschema:"Only what began then or later."`
	Until            *time.Time               `json:"until,omitempty" jsonschema:"Only what began before then."`
}

// RankingInput changes the constants of a recall's ranking; a nil leaves the default.
type RankingInput struct {
	SemanticWeight  *float64              `json:"semanticWeight,omitempty" jsonschema:"The weight of how well it matches; 0.7."`
	TemporalWeight  *float64              `json:"temporalWeight,omitempty" jsonschema:"The weight of how recent it is; 0.3."`
	HalfLifeDays    *float64              `json:"halfLifeDays,omitempty" jsonschema:"The age in days that counts half as recent, above 0; 30."`
	CanvasBoost     *float64              `json:"canvasBoost,omitempty" jsonschema:"What canvas interactions add; 0.1."`
	PositiveBoost   *float64              `json:"positiveBoost,omitempty" jsonschema:"What liked work gets; 0.2."`
	NegativePenalty *float64              `json:"negativePenalty,omitempty" jsonschema:"What disliked work loses; 0.3."`
	Feedback        *ranking.FeedbackMode `json:"feedback,omitempty" jsonschema:"How feedback counts: wholly, less where it is little, or not."`
	CreditWeight    *float64              `json:"creditWeight,omitempty" jsonschema:"The weight of credit; 0.1."`
}

// RecallInput asks for the experiences that matter in a situation.
type RecallInput struct {
	Situation string `json:"situation" jsonschema:"The task or situation at hand, in plain words."`
	WorkFilter
	TopK            *int          `json:"topK,omitempty" jsonschema:"How many episodes are wanted, 1 to 100; 5 by default."`
	IncludeCanvas   *bool         `json:"includeCanvas,omitempty" jsonschema:"False leaves of canvases only their ids."`
	IncludeFeedback *bool         `json:"includeFeedback,omitempty" jsonschema:"False leaves out what people said."`
	Embedding       []float64     `json:"embedding,omitempty" jsonschema:"A vector of the situation, as long as the recorded ones."`
	Ranking         *RankingInput `json:"ranking,omitempty" jsonschema:"Changes the constants of the ranking."`
	AsOf            *time.Time    `json:"asOf,omitempty" jsonschema:"Answers as of this instant: only what was known then."`
	Fallback        *Fallback     `json:"fallback,omitempty" jsonschema:"NONE, or RECENT: the latest where nothing is alike."`
	Variants        *Variants     `json:"variants,omitempty" jsonschema:"GROUPED, or SEPARATE: near-identical episodes are not one hit."`
}

// NextStepsInput is where an agent stands in the middle of a run, and which past episodes may tell what comes next.
type NextStepsInput struct {
	Situation  string         `json:"situation"`
	LastStep   *string        `json:"lastStep,omitempty"`
	StepsSoFar []string       `json:"stepsSoFar,omitempty"`
	Filter     *EpisodeFilter `json:"filter,omitempty"`
	TopK       *int           `json:"topK,omitempty"`
}

// Fallback is what a recall answers where nothing is like the situation.
type Fallback string

// The closed set of fallbacks.
const (
	FallbackNone   Fallback = "NONE"
	FallbackRecent Fallback = "RECENT"
)

// Variants is how near-identical episodes stand in a recall.
type Variants string

// The closed set of variants: near-identical episodes are one hit, or each is one.
const (
	VariantsGrouped  Variants = "GROUPED"
	VariantsSeparate Variants = "SEPARATE"
)

// Include says what to read along with episodes, so that one query fetches it all. Of the canvases and the feedback
// that a recall leaves out it gives the ids, where those are asked for.
type Include struct {
	Agent, Canvases, Feedback bool
	CanvasIDs, FeedbackIDs    bool
	// HeadOnly leaves out what the episodes say, but for their titles.
	HeadOnly bool
	// Lists says that their thoughts, actions, segments or metadata are answered, and not only read.
	Lists bool
	// Cautions adds to a recall what went wrong in such situations.
	Cautions bool
	// Corrections adds to a recall the corrections that match, and Patterns what consolidation found to recur.
	Corrections, Patterns bool
}

// IssueInput is a fault that a verdict names.
type IssueInput struct {
	Code    string  `json:"code" jsonschema:"What kind of fault, such as LANE_OVERLAP; issues are counted by it."`
	Area    *string `json:"area,omitempty" jsonschema:"What it is about, such as TIMING."`
	Message *string `json:"message,omitempty" jsonschema:"The fault in words."`
	Fix     *string `json:"fix,omitempty" jsonschema:"What to do about it."`
}

// RecordVerdictInput is how a judge, or a check by rule, decided on an iteration of a run's section.
type RecordVerdictInput struct {
	ID          *string              `json:"id,omitempty" jsonschema:"Its key; one is made by default."`
	RunID       string               `json:"runId" jsonschema:"The run, by id or key; a new one comes into being."`
	SectionID   string               `json:"sectionId" jsonschema:"What the run calls the section, such as verse_1, or its global id; a new one comes into being."`
	SectionType string               `json:"sectionType" jsonschema:"What kind of section it is, such as chorus; history is learned by it."`
	Context     memory.JSON          `json:"context,omitempty" jsonschema:"Under what it was made, as JSON such as {\"energy\": \"high\"}; history is learned by its parts."`
	JudgeID     *string              `json:"judgeId,omitempty" jsonschema:"Who judged; left out with VALIDATION_FAIL, which no judge gave."`
	Iteration   int                  `json:"iteration" jsonschema:"The number of the iteration, from 0."`
	Status      memory.VerdictStatus `json:"status" jsonschema:"Good enough, worth another iteration, wrong, or failed by a check by rule."`
	Score       *float64             `json:"score,omitempty" jsonschema:"How good it was, on the judge's own scale; 8 or more counts as a success."`
	Feedback    *string              `json:"feedback,omitempty" jsonschema:"What the judge has to say."`
	Issues      []IssueInput         `json:"issues,omitempty" jsonschema:"The faults."`
	Strengths   []string             `json:"strengths,omitempty" jsonschema:"What was good and is to be kept."`
	Fixes       []string             `json:"fixes,omitempty" jsonschema:"What is to be done."`
	Patterns    []string             `json:"patterns,omitempty" jsonschema:"The approaches that it used, in the same words each time."`
	Plan        memory.JSON          `json:"plan,omitempty" jsonschema:"What was judged, as JSON."`
	At          *time.Time           `json:"at,omitempty" jsonschema:"When it was decided, such as 2026-06-01T12:00:00Z; now by default."`
}

// RecordVerdictsInput is a batch of verdicts, applied in order.
type RecordVerdictsInput struct {
	Verdicts []RecordVerdictInput `json:"verdicts"`
}

// LabelVerdictInput says whether a person would have approved.
type LabelVerdictInput struct {
	VerdictID  string  `json:"verdictId" jsonschema:"The judge's verdict, by id or key."`
	Approve    bool    `json:"approve" jsonschema:"Whether they would have approved."`
	LabelledBy *string `json:"labelledBy,omitempty" jsonschema:"Who."`
	JudgeID    *string `json:"-"` // whose verdict it must be, where that is given
}

// ApplyJudgeThresholdInput says from which score on a judge's verdicts would approve.
type ApplyJudgeThresholdInput struct {
	JudgeID     string   `json:"judgeId"`
	SectionType *string  `json:"sectionType,omitempty"` // null for all types for which none of their own is set
	Threshold   *float64 `json:"threshold,omitempty"`   // null takes it away
}

// CompleteRunInput names the run that is done.
type CompleteRunInput struct {
	RunID string `json:"runId" jsonschema:"The run, by id or key, as record_verdict names it."`
}

// VerdictFilter keeps the verdicts that meet every set condition.
type VerdictFilter struct {
	JudgeID     *string     `json:"judgeId,omitempty"`
	RunID       *string     `json:"runId,omitempty"`
	SectionType *string     `json:"sectionType,omitempty"`
	Context     memory.JSON `json:"context,omitempty"`   // made under all of its pairs
	Disagreed   bool        `json:"disagreed,omitempty"` // a person said otherwise
}

// PatternFilter keeps the patterns that meet every set condition.
type PatternFilter struct {
	Kind        *memory.PatternKind `json:"kind,omitempty"`
	SectionType *string             `json:"sectionType,omitempty"`
	Context     memory.JSON         `json:"context,omitempty"`    // of exactly this part of a context
	WholeTypes  bool                `json:"wholeTypes,omitempty"` // of all sections of a type, instead of a part of a context
}

// GuidanceInput asks what to know before a section is made, or made better.
type GuidanceInput struct {
	RunID       *string     `json:"runId,omitempty" jsonschema:"The run, by id or key; nothing is said of a run by default."`
	SectionID   *string     `json:"sectionId,omitempty" jsonschema:"What the run calls the section, with the runId, or its global id; left out where it has no name yet."`
	SectionType string      `json:"sectionType" jsonschema:"What kind of section it is, exactly as record_verdict names it."`
	Context     memory.JSON `json:"context,omitempty" jsonschema:"Under what it is made, as JSON; history is told of its parts, or of any by default."`
}

// TrendsInput asks for a chart: of the episodes of an agent and of a task type, and of the verdicts of a
// judge, of sections of a type and of those whose context has all pairs of another; nil means all.
type TrendsInput struct {
	AgentID     *string       `json:"agentId,omitempty" jsonschema:"Only this agent's episodes, by id or key."`
	TaskType    *string       `json:"taskType,omitempty" jsonschema:"Only episodes of exactly this task type."`
	JudgeID     *string       `json:"judgeId,omitempty" jsonschema:"Only this judge's verdicts."`
	SectionType *string       `json:"sectionType,omitempty" jsonschema:"Only verdicts on sections of this type."`
	Context     memory.JSON   `json:"context,omitempty" jsonschema:"Only verdicts on sections whose context has these pairs."`
	Since       *time.Time    `json:"since,omitempty" jsonschema:"Where the chart begins; with the first record by default."`
	Bucket      trends.Bucket `json:"-"`
}

// SubmitFeedbackInput is a person's reaction. At least one of the ids says to what, or what it replaces does.
type SubmitFeedbackInput struct {
	ID               *string                `json:"id,omitempty" jsonschema:"The key to record it under; one is made by default."`
	EpisodeID        *string                `json:"episodeId,omitempty" jsonschema:"The episode it is on, by id or key."`
	CanvasID         *string                `json:"canvasId,omitempty" jsonschema:"The canvas it is on, by id or key."`
	SessionID        *string                `json:"sessionId,omitempty" jsonschema:"The conversation it was given in, by id or key."`
	UserID           *string                `json:"userId,omitempty" jsonschema:"For whom; by default as its episode."`
	AgentExecutionID *string                `json:"agentExecutionId,omitempty" jsonschema:"An execution it is on, as an episode's executionIds name it."`
	Type             memory.FeedbackType    `json:"type" jsonschema:"The form of the reaction."`
	Rating           *int                   `json:"rating,omitempty" jsonschema:"1 (worst) to 5 (best), with RATING, or beside a thumb that it does not contradict."`
	Corrections      *string                `json:"corrections,omitempty" jsonschema:"What the person would have had done instead, in their words."`
	Comment          *string                `json:"comment,omitempty" jsonschema:"What the person liked or disliked, in their words; what they would have had done instead belongs in corrections."`
	Source           *memory.FeedbackSource `json:"source,omitempty" jsonschema:"Where the person reacted; left out, CANVAS with a canvasId, else CHAT."`
	CreatedBy        *string                `json:"createdBy,omitempty" jsonschema:"Who it was."`
	At               *time.Time             `json:"at,omitempty" jsonschema:"When it was; now by default."`
	Replaces         *string                `json:"replaces,omitempty" jsonschema:"An earlier feedback, by id or key, that counts no more, such as a changed vote; needs the same createdBy, or an admin."`
}

// RecordExecutionInput is one piece of work of an agent, and how well it went.
type RecordExecutionInput struct {
	ID        *string    `json:"id,omitempty" jsonschema:"The key to record it under, not beginning with episode:; one is made by default."`
	AgentID   string     `json:"agentId" jsonschema:"Who did the work, by id or key; one that nobody knew comes into being."`
	TaskType  string     `json:"taskType" jsonschema:"What type of task it was, such as refund_request."`
	Success   bool       `json:"success" jsonschema:"Whether it succeeded."`
	Quality   float64    `json:"quality" jsonschema:"How good the work was, 0 to 1."`
	LatencyMs *float64   `json:"latencyMs,omitempty" jsonschema:"How long it took, in milliseconds, 0 to 1e11."`
	At        *time.Time `json:"at,omitempty" jsonschema:"When it was done, such as 2026-06-01T12:00:00Z; now by default."`
}

// RecordExecutionsInput is a batch of executions, applied in order.
type RecordExecutionsInput struct {
	Executions []RecordExecutionInput `json:"executions"`
}

// SelectionInput asks which agents are good at a type of task; without a situation, or if it is blank, by type alone.
type SelectionInput struct {
	TaskType  string     `json:"taskType" jsonschema:"The type of task, exactly as record_episode and record_execution name it; one that an agent has done, or explore to be given any agent."`
	Situation *string    `json:"situation,omitempty" jsonschema:"The task at hand in plain words: what came of similar ones refines the choice."`
	AsOf      *time.Time `json:"asOf,omitempty" jsonschema:"Answers as of this instant: only what was known then."`
}

// Parts is what a store is asked to read along.
func (i Include) Parts() store.Parts {
	var parts store.Parts
	if i.Agent {
		parts |= store.WithAgent
	}
	if i.Canvases {
		parts |= store.WithCanvases
	}
	if i.Feedback {
		parts |= store.WithFeedback
	}
	if i.HeadOnly {
		parts |= store.HeadOnly
	}
	return parts
}

// ConceptSearch asks for concepts by their words and what they mean.
type ConceptSearch struct {
	Query    string   `json:"query" jsonschema:"What to look for, in plain words."`
	MemoirID *string  `json:"memoirId,omitempty" jsonschema:"Only in this memoir, by id or key."`
	Labels   []string `json:"labels,omitempty" jsonschema:"Only concepts that have all of these labels."`
}

// ObservationSearch asks for observations by their words and what they mean.
type ObservationSearch struct {
	Query     string   `json:"query" jsonschema:"What to look for, in plain words."`
	MinWeight *float64 `json:"minWeight,omitempty" jsonschema:"Only those that weigh at least this, 0 to 1."`
	SessionID *string  `json:"sessionId,omitempty" jsonschema:"Only those of this conversation, by id or key."`
	UserFilter
}

// ProfileFilter keeps the profiles that meet every set condition.
type ProfileFilter struct {
	TaskType *string          `json:"taskType,omitempty"`
	Trend    *selection.Trend `json:"trend,omitempty"` // which way the quality goes now
	Cold     *bool            `json:"cold,omitempty"`  // whether there are too few executions for full confidence
}

// AlertsInput keeps the alerts that meet every set condition.
type AlertsInput struct {
	Kind     *alerts.Kind     `json:"kind,omitempty" jsonschema:"Only alerts of this kind."`
	Severity *alerts.Severity `json:"severity,omitempty" jsonschema:"Only alerts that are as severe, or more."`
}

// Keeps says whether an alert meets the conditions.
func (in AlertsInput) Keeps(alert alerts.Alert) bool {
	return (in.Kind == nil || alert.Kind == *in.Kind) &&
		(in.Severity == nil || slices.Index(alerts.Severities, alert.Severity) <= slices.Index(alerts.Severities, *in.Severity))
}

// Check refuses a kind or a severity that there is not.
func (in AlertsInput) Check() error {
	if in.Kind != nil && !slices.Contains(alerts.Kinds, *in.Kind) {
		return memory.Invalid("kind", "must be %s", prose.Listed(alerts.Kinds, "or"))
	}
	if in.Severity != nil && !slices.Contains(alerts.Severities, *in.Severity) {
		return memory.Invalid("severity", "must be CRITICAL, WARNING or INFO")
	}
	return nil
}

// GraduationWeights change how much each part counts in the quality of an episode; a nil leaves the default.
type GraduationWeights struct {
	Completion      *float64 `json:"completion,omitempty" jsonschema:"Of whether it succeeded; 0.4."`
	CanvasSuccess   *float64 `json:"canvasSuccess,omitempty" jsonschema:"Of the share of its canvases with a reward above 0; 0.3."`
	FeedbackQuality *float64 `json:"feedbackQuality,omitempty" jsonschema:"Of what people thought of it; 0.2."`
	Consistency     *float64 `json:"consistency,omitempty" jsonschema:"Of how evenly the agent succeeds; 0.1."`
}

// Over lays the weights over the default ones.
func (w *GraduationWeights) Over(d graduation.Weights) (graduation.Weights, error) {
	if w == nil {
		return d, nil
	}
	weights := graduation.Weights{
		Completion: memory.ValueOr(w.Completion, d.Completion), CanvasSuccess: memory.ValueOr(w.CanvasSuccess, d.CanvasSuccess),
		FeedbackQuality: memory.ValueOr(w.FeedbackQuality, d.FeedbackQuality), Consistency: memory.ValueOr(w.Consistency, d.Consistency),
	}
	return weights, weights.Check()
}

// DeleteFeedbackInput names one feedback, or the person whose feedback and corrections are to be deleted.
type DeleteFeedbackInput struct {
	ID        *string `json:"id,omitempty"`
	CreatedBy *string `json:"createdBy,omitempty"`
	DryRun    bool    `json:"-"`
}
