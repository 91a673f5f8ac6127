package demo

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"mneme/memory"
	"mneme/service"
)

// The size of the sample.
const (
	sampleDays     = 90
	sampleEpisodes = 200
)

// Sample is the made-up memory, in the order in which it is recorded.
type Sample struct {
	// Knowledge comes first: episodes mention its concepts.
	Knowledge Knowledge
	// What was shown, and what people said, comes before the episodes of its session, as it does where people work.
	Actions  []service.CanvasActionInput
	Feedback []service.SubmitFeedbackInput
	Episodes []service.RecordEpisodeInput
	Runs     []service.CaptureRunInput
	// Judged comes last.
	Judged Judged
}

// NewSample makes the sample whose last day is the one before the given instant. Apart from its times
// it is the same for every instant.
func NewSample(lastDay time.Time) *Sample {
	t := &generator{
		Sample: &Sample{}, models: map[string]string{},
		// Any seed will do; this one is kept so that keys and contents stay as they are.
		rand:   rand.New(rand.NewPCG(90, 200)),
		anchor: lastDay.UTC().Truncate(24 * time.Hour),
	}
	for session := 1; t.told < sampleEpisodes; session++ {
		t.addStory(session)
	}
	t.Knowledge, t.Judged = newKnowledge(t.anchor), newJudged(t.anchor)
	return t.Sample
}

// generator tells the stories one after the other.
type generator struct {
	*Sample
	rand   *rand.Rand
	anchor time.Time
	told   int               // episodes so far
	models map[string]string // by task the first that went well, which later ones went by
}

// session is a story while it is told.
type session struct {
	key   string
	words *strings.Replacer
	clock time.Time
	last  string // the key of the episode before
}

// addStory spreads the sessions over the days by how many episodes there are before them.
func (t *generator) addStory(number int) {
	day := sampleDays - t.told*sampleDays/sampleEpisodes
	start := t.anchor.AddDate(0, 0, -day).Add(t.between(8, 16, time.Hour))
	s := &session{key: fmt.Sprintf("demo-session-%03d", number), words: t.words(), clock: start}
	for _, part := range stories[(number-1)%len(stories)] {
		if t.told < sampleEpisodes {
			t.tellEpisode(s, part)
		}
	}
}

// words chooses one word for every slot, which holds for a whole story.
func (t *generator) words() *strings.Replacer {
	var pairs []string
	for _, name := range slotNames {
		pairs = append(pairs, "{"+name+"}", pick(t.rand, slots[name]))
	}
	return strings.NewReplacer(pairs...)
}

func (t *generator) tellEpisode(s *session, part part) {
	t.told++
	task := tasks[part.task]
	learned := float64(t.told) / sampleEpisodes
	ways, outcome := task.bad, memory.OutcomeFailure
	if t.rand.Float64() < task.early+(task.late-task.early)*learned {
		ways, outcome = task.good, memory.OutcomeSuccess
	}
	e := &episode{
		session: s, task: task, way: pick(t.rand, ways), outcome: outcome,
		key: fmt.Sprintf("demo-%s-%03d", task.name, t.told), ask: s.words.Replace(pick(t.rand, task.asks)),
		start: s.clock, end: s.clock.Add(t.between(5, 14, time.Minute)),
	}
	if part.after {
		e.cause = s.last
	}
	if model := t.models[task.name]; model != "" && t.told%3 == 0 {
		e.informedBy = []string{model}
	} else if model == "" && outcome == memory.OutcomeSuccess {
		t.models[task.name] = e.key
	}
	if t.told > sampleEpisodes-2 {
		e.outcome = memory.OutcomeUnknown // still being worked on
	}
	if task.captured {
		t.captureEpisode(e)
	} else {
		t.recordEpisode(e)
	}
	if e.outcome != memory.OutcomeUnknown {
		t.showCanvases(e)
		t.reactTo(e)
	}
	s.last, s.clock = e.key, e.end.Add(t.between(5, 45, time.Minute))
}

// episode is one piece of work before it is told in the form of an input.
type episode struct {
	*session
	task       task
	way        way
	outcome    memory.Outcome
	key, ask   string
	cause      string // the episode that made it necessary, empty where none did
	informedBy []string
	start, end time.Time
	canvases   []string // their keys
}

func (e *episode) text(template string) string { return e.words.Replace(template) }
func (e *episode) execution() string           { return strings.Replace(e.key, "demo-", "demo-execution-", 1) }

func (t *generator) recordEpisode(e *episode) {
	input := service.RecordEpisodeInput{
		ID: &e.key, AgentID: e.task.agent, SessionID: &e.session.key, TaskType: &e.task.name,
		ExecutionIDs: []string{e.execution()}, Observation: e.ask, StartedAt: &e.start, Outcome: &e.outcome, InformedBy: e.informedBy,
		Metadata: memory.JSON(`{"source":"demo"}`),
	}
	for _, concept := range mentioned[e.task.name] {
		input.ConceptIDs = append(input.ConceptIDs, noteKey(concept))
	}
	if e.cause != "" {
		input.CausedBy = []string{e.cause}
	}
	if e.outcome != memory.OutcomeUnknown {
		result, insight := e.text(e.way.result), e.text(e.way.insight)
		input.Result, input.Insight, input.EndedAt = &result, &insight, &e.end
		for i, step := range e.way.steps {
			if step.thought != "" {
				input.Thoughts = append(input.Thoughts, e.text(step.thought))
			}
			id := fmt.Sprint(i + 1)
			input.Actions = append(input.Actions, service.ActionInput{StepID: &id, StepName: step.name, Result: memory.JSON(e.text(step.result))})
		}
	}
	t.Episodes = append(t.Episodes, input)
}

// captureEpisode tells it as the log of a run, in which people are waited for now and then: a long
// pause is where an episode falls into segments.
func (t *generator) captureEpisode(e *episode) {
	if t.rand.Float64() < 0.3 {
		e.end = e.end.Add(t.between(40, 70, time.Minute))
	}
	log := service.CaptureRunInput{RunID: e.key, AgentID: e.task.agent, WorkflowName: &e.task.name, SessionID: &e.session.key}
	log.InformedBy = e.informedBy
	tell := func(at time.Time, kind string, data map[string]any) {
		log.Events = append(log.Events, service.EventInput{Type: kind, Data: jsonOf(data), At: at})
	}
	tell(e.start, "workflow_started", map[string]any{"args": map[string]any{"request": e.ask}})
	at := e.start
	for i, step := range e.way.steps {
		at = at.Add(t.between(10, 35, time.Second))
		if step.thought != "" {
			tell(at, "agent_thought", map[string]any{"thought": e.text(step.thought)})
		}
		at = at.Add(t.between(5, 20, time.Second))
		tell(at, "step_completed", map[string]any{
			"step_id": fmt.Sprint(i + 1), "step_name": step.name, "result": json.RawMessage(e.text(step.result)),
		})
	}
	switch e.outcome {
	case memory.OutcomeSuccess:
		tell(e.end, "workflow_completed", map[string]any{"result": e.text(e.way.result)})
	case memory.OutcomeFailure:
		tell(e.end, "workflow_failed", map[string]any{"error": e.text(e.way.result)})
	}
	t.Runs = append(t.Runs, log)
}

func (t *generator) between(from, to float64, unit time.Duration) time.Duration {
	amount := from + t.rand.Float64()*(to-from)
	return time.Duration(amount * float64(unit)).Round(time.Millisecond)
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func jsonOf(value any) memory.JSON {
	text, err := json.Marshal(value)
	if err != nil {
		panic("demo: the sample is not JSON: " + err.Error())
	}
	return text
}
