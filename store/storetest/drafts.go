package storetest

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"mneme/memory"
	"mneme/store"
)

// day is when the tests take place.
var day = time.Date(2025, time.March, 1, 0, 0, 0, 0, time.UTC)

// at is the given minute of the day, with milliseconds, so that none is lost unnoticed.
func at(minute int) time.Time {
	return day.Add(time.Duration(minute)*time.Minute + 123*time.Millisecond)
}

// episodeDraft is an episode on its way to the store, described in words.
type episodeDraft struct{ store.EpisodeRecord }

// episode is a concluded episode of the agent "agent", with every list there and empty.
func episode(key string, startedAt time.Time) episodeDraft {
	return episodeDraft{store.EpisodeRecord{Episode: memory.Episode{
		Key:          key,
		Title:        "Title of " + key,
		AgentKey:     "agent",
		Observation:  "Observation of " + key,
		Thoughts:     []string{},
		Actions:      []memory.Action{},
		Outcome:      memory.OutcomeSuccess,
		Concluded:    true,
		Insight:      "Insight of " + key,
		ExecutionIDs: []string{},
		Segments:     []memory.Segment{},
		StartedAt:    startedAt,
		CreatedAt:    day, // when no episode starts
		Receipt:      memory.Receipt{Redactions: []memory.Redaction{}},
	}}}
}

func (d episodeDraft) by(agent string) episodeDraft     { d.Episode.AgentKey = agent; return d }
func (d episodeDraft) named(name string) episodeDraft   { d.AgentName = &name; return d }
func (d episodeDraft) in(session string) episodeDraft   { d.Episode.SessionKey = &session; return d }
func (d episodeDraft) until(end time.Time) episodeDraft { d.Episode.EndedAt = &end; return d }

// told leaves out when the work began: the episode is recorded at its end.
func (d episodeDraft) told() episodeDraft                 { d.Episode.CreatedAt = d.Episode.StartedAt; return d }
func (d episodeDraft) doing(taskType string) episodeDraft { d.Episode.TaskType = &taskType; return d }
func (d episodeDraft) forUser(user string) episodeDraft   { d.Episode.UserID = &user; return d }
func (d episodeDraft) titled(title string) episodeDraft   { d.Episode.Title = title; return d }
func (d episodeDraft) costing(cost float64) episodeDraft  { d.Episode.Cost = &cost; return d }
func (d episodeDraft) seeing(observation string) episodeDraft {
	d.Episode.Observation = observation
	return d
}
func (d episodeDraft) resulting(result string) episodeDraft   { d.Episode.Result = &result; return d }
func (d episodeDraft) learning(insight string) episodeDraft   { d.Episode.Insight = insight; return d }
func (d episodeDraft) ending(o memory.Outcome) episodeDraft   { d.Episode.Outcome = o; return d }
func (d episodeDraft) running(ids ...string) episodeDraft     { d.Episode.ExecutionIDs = ids; return d }
func (d episodeDraft) embedded(v ...float32) episodeDraft     { d.Episode.Embedding = v; return d }
func (d episodeDraft) causedBy(keys ...string) episodeDraft   { d.CausedBy = keys; return d }
func (d episodeDraft) informedBy(keys ...string) episodeDraft { d.InformedBy = keys; return d }
func (d episodeDraft) logging(e ...memory.Event) episodeDraft { d.Events = e; return d }
func (d episodeDraft) thinking(thoughts ...string) episodeDraft {
	d.Episode.Thoughts = thoughts
	return d
}

// unconcluded leaves the outcome to a conclusion.
func (d episodeDraft) unconcluded() episodeDraft {
	d.Episode.Outcome, d.Episode.Concluded = memory.OutcomeUnknown, false
	return d
}

// step adds a step with a result, nil for none.
func (d episodeDraft) step(name string, result memory.JSON) episodeDraft {
	d.Episode.Actions = append(d.Episode.Actions[:len(d.Episode.Actions):len(d.Episode.Actions)],
		memory.Action{StepName: name, Result: result})
	return d
}

// actionDraft is an action on a canvas on its way to the store.
type actionDraft struct{ store.CanvasActionRecord }

// action is an action on a canvas of the type "charts".
func action(canvas string, kind memory.CanvasActionKind, when time.Time) actionDraft {
	return actionDraft{store.CanvasActionRecord{
		Canvas: canvas, CanvasType: memory.CanvasCharts, Action: memory.CanvasAction{Action: kind, At: when},
	}}
}

// present shows a canvas.
func present(canvas string, when time.Time) actionDraft {
	return action(canvas, memory.CanvasPresent, when)
}

func (d actionDraft) forUser(user string) actionDraft     { d.User = &user; return d }
func (d actionDraft) of(episode string) actionDraft       { d.Episode = &episode; return d }
func (d actionDraft) in(session string) actionDraft       { d.Session = &session; return d }
func (d actionDraft) typed(canvasType string) actionDraft { d.CanvasType = canvasType; return d }
func (d actionDraft) component(name string) actionDraft   { d.ComponentType = &name; return d }
func (d actionDraft) id(id string) actionDraft            { d.Action.ID = id; return d }
func (d actionDraft) with(metadata string) actionDraft {
	d.Action.Metadata = memory.JSON(metadata)
	return d
}

// feedbackDraft is a feedback on its way to the store.
type feedbackDraft struct{ store.FeedbackRecord }

func reaction(key string, kind memory.FeedbackType, score float64, when time.Time) feedbackDraft {
	return feedbackDraft{store.FeedbackRecord{Feedback: memory.Feedback{
		Key:      key,
		Reaction: memory.Reaction{Type: kind, Score: score, Source: memory.SourceChat, CreatedAt: when},
		Receipt:  memory.Receipt{Redactions: []memory.Redaction{}},
	}}}
}

func thumbsUp(key string, when time.Time) feedbackDraft {
	return reaction(key, memory.FeedbackThumbsUp, 1, when)
}

func thumbsDown(key string, when time.Time) feedbackDraft {
	return reaction(key, memory.FeedbackThumbsDown, -1, when)
}

// rating is a rating of 1…5, scored −1…1.
func rating(key string, stars int, when time.Time) feedbackDraft {
	d := reaction(key, memory.FeedbackRating, float64(stars-3)/2, when)
	d.Feedback.Rating = &stars
	return d
}

func (d feedbackDraft) forUser(user string) feedbackDraft { d.UserID = &user; return d }
func (d feedbackDraft) on(episode string) feedbackDraft   { d.Feedback.EpisodeKey = &episode; return d }
func (d feedbackDraft) onCanvas(canvas string) feedbackDraft {
	d.Feedback.CanvasKey = &canvas
	return d
}
func (d feedbackDraft) in(session string) feedbackDraft  { d.Feedback.SessionKey = &session; return d }
func (d feedbackDraft) running(id string) feedbackDraft  { d.Feedback.AgentExecutionID = &id; return d }
func (d feedbackDraft) by(person string) feedbackDraft   { d.Feedback.CreatedBy = &person; return d }
func (d feedbackDraft) saying(text string) feedbackDraft { d.Feedback.Corrections = &text; return d }
func (d feedbackDraft) commenting(text string) feedbackDraft {
	d.Feedback.Comment = &text
	return d
}

func episodeRecords(drafts []episodeDraft) []store.EpisodeRecord {
	return hashed(drafts, func(d *episodeDraft) (*store.EpisodeRecord, *[]byte) { return &d.EpisodeRecord, &d.InputHash })
}

func actionRecords(drafts []actionDraft) []store.CanvasActionRecord {
	return hashed(drafts, func(d *actionDraft) (*store.CanvasActionRecord, *[]byte) { return &d.CanvasActionRecord, &d.InputHash })
}

func feedbackRecords(drafts []feedbackDraft) []store.FeedbackRecord {
	return hashed(drafts, func(d *feedbackDraft) (*store.FeedbackRecord, *[]byte) { return &d.FeedbackRecord, &d.InputHash })
}

// hashed are the records of drafts, each with the hash of what its draft says; record gives the two parts of a draft.
func hashed[D, R any](drafts []D, record func(*D) (*R, *[]byte)) []R {
	records := make([]R, len(drafts))
	for i, draft := range drafts {
		said := hash(draft)
		of, inputHash := record(&draft)
		*inputHash = said
		records[i] = *of
	}
	return records
}

// hash identifies the content of a draft, as the service's keyed hash does.
func hash(draft any) []byte {
	text, err := json.Marshal(draft)
	if err != nil {
		panic(err) // drafts hold nothing that has no JSON
	}
	sum := sha256.Sum256(text)
	return sum[:]
}
