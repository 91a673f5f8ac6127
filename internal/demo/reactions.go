package demo

import (
	"fmt"
	"time"

	"mneme/memory"
	"mneme/service"
)

// showCanvases tells how the canvases of an episode were met, one after the other.
func (t *generator) showCanvases(e *episode) {
	at := e.start.Add(t.between(30, 60, time.Second))
	for i, show := range e.way.shows {
		c := canvas{generator: t, episode: e, show: show, key: fmt.Sprintf("%s-canvas-%d", e.key, i+1)}
		dwell := t.between(show.shortest, show.longest, time.Second)
		c.act(memory.CanvasPresent, show.present, at)
		for n, then := range show.then {
			moment := at.Add(dwell * time.Duration(n+1) / time.Duration(len(show.then)+1)).Round(time.Millisecond)
			c.act(memory.CanvasActionKind(then.action), then.metadata, moment)
		}
		c.act(memory.CanvasClose, "", at.Add(dwell))
		e.canvases = append(e.canvases, c.key)
		at = at.Add(dwell).Add(t.between(2, 8, time.Second))
	}
}

// canvas names its session only: its episode is recorded at the end, and takes along what was shown.
type canvas struct {
	*generator
	*episode
	show    show
	key     string
	actions int
}

func (c *canvas) act(kind memory.CanvasActionKind, metadata string, at time.Time) {
	c.actions++
	id := fmt.Sprint(c.actions)
	action := service.CanvasActionInput{
		ID: &id, CanvasID: c.key, SessionID: &c.session.key,
		CanvasType: c.show.canvasType, Action: kind, At: &at,
	}
	if c.show.component != "" {
		action.ComponentType = &c.show.component
	}
	if metadata != "" {
		action.Metadata = memory.JSON(c.text(metadata))
	}
	c.Actions = append(c.Actions, action)
}

// reactTo tells what people said, if they did: they complain more readily than they praise.
func (t *generator) reactTo(e *episode) {
	willing := 0.4
	if e.outcome == memory.OutcomeFailure {
		willing = 0.7
	}
	at := e.end
	for n := 1; n <= 2 && t.rand.Float64() < willing; n++ {
		at = at.Add(t.between(20, 240, time.Second))
		t.Feedback = append(t.Feedback, t.feedback(e, n, at))
		willing /= 3
	}
}

func (t *generator) feedback(e *episode, n int, at time.Time) service.SubmitFeedbackInput {
	id, by := fmt.Sprintf("%s-feedback-%d", e.key, n), pick(t.rand, people)
	input := service.SubmitFeedbackInput{ID: &id, CreatedBy: &by, At: &at}
	liked := t.rand.Float64() < e.way.liked
	switch {
	case t.rand.Float64() < 0.4:
		rating := 1 + t.rand.IntN(2)
		if liked {
			rating += 3
		}
		input.Type, input.Rating = memory.FeedbackRating, &rating
	case liked:
		input.Type = memory.FeedbackThumbsUp
	default:
		input.Type = memory.FeedbackThumbsDown
	}
	if !liked || t.rand.Float64() < 0.15 {
		corrections := e.text(pick(t.rand, e.way.corrections))
		input.Corrections = &corrections
	}
	t.address(e, &input)
	return input
}

// address says what the feedback is on, in one of the ways there are; most of it is given in a conversation that has no
// episode yet.
func (t *generator) address(e *episode, input *service.SubmitFeedbackInput) {
	source := memory.SourceChat
	switch chance := t.rand.Float64(); {
	case chance < 0.5 && len(e.canvases) > 0:
		canvas := pick(t.rand, e.canvases)
		source, input.CanvasID = memory.SourceCanvas, &canvas
	case chance < 0.7 && !e.task.captured:
		execution := e.execution()
		source, input.AgentExecutionID = memory.SourceWorkflow, &execution
	case chance < 0.9:
		input.SessionID = &e.session.key
	default:
		input.EpisodeID = &e.key
	}
	input.Source = &source
}
