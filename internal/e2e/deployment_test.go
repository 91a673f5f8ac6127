package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/internal/redact"
	"mneme/service"
)

// deployed is the same memory behind a service that is set up otherwise.
func (w *world) deployed(options ...service.Option) *world {
	options = append([]service.Option{service.WithClock(func() time.Time { return now }), service.WithRedaction(redact.Rules())}, options...)
	svc := service.New(w.backend, options...)
	return &world{tenant: w.tenant, suite: &suite{handler: gqlhttp.NewHandler(svc, gqlhttp.Options{}), service: svc, backend: w.backend, sent: w.sent, seen: w.seen}}
}

// testWithoutCanvasIntegration: a deployment may leave canvases and feedback out of recalls, and keeps their ids.
func testWithoutCanvasIntegration(t *testing.T, w *world) {
	w.episode(t, "e", "Show the revenue", vars{"outcome": "SUCCESS"})
	w.canvas(t, vars{"canvasId": "c", "episodeId": "e", "canvasType": "charts"}, vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(30)})
	w.feedback(t, vars{"id": "f", "episodeId": "e", "type": "THUMBS_UP", "comment": "Well done"})
	for _, with := range []bool{true, false} {
		of := w
		if !with {
			of = w.deployed(func(s *service.Settings) { s.CanvasIntegration = false })
		}
		var data struct {
			Recall struct {
				Hits []struct {
					Score   struct{ Canvas, Feedback float64 }
					Episode struct {
						CanvasIDs, FeedbackIDs         []string
						CanvasContext, FeedbackContext []struct{ ID string }
					}
				}
				Lessons string
			}
		}
		of.ask(t, `{ recall(input: { situation: "revenue" }) { lessons hits { score { canvas feedback } episode { canvasIds feedbackIds canvasContext { id } feedbackContext { id } } } } }`, nil, &data)
		require.Len(t, data.Recall.Hits, 1)
		hit := data.Recall.Hits[0]
		assert.Equal(t, []string{"canvas:c"}, hit.Episode.CanvasIDs)
		assert.Equal(t, []string{"feedback:f"}, hit.Episode.FeedbackIDs)
		assert.Equal(t, []bool{with, with}, []bool{hit.Score.Canvas > 0, hit.Score.Feedback > 0})
		assert.Equal(t, []bool{with, with}, []bool{len(hit.Episode.CanvasContext) > 0, len(hit.Episode.FeedbackContext) > 0})
		var told struct {
			Hits []struct {
				Canvases, Feedback     []struct{ ID string }
				CanvasIDs, FeedbackIDs []string
			}
			Lessons string
		}
		of.agent(t).call(t, "recall", vars{"situation": "revenue"}, &told)
		require.Len(t, told.Hits, 1)
		assert.Equal(t, []bool{with, with}, []bool{len(told.Hits[0].Canvases) == 1, len(told.Hits[0].Feedback) == 1})
		if !with {
			assert.Equal(t, []string{"canvas:c"}, told.Hits[0].CanvasIDs)
			assert.Equal(t, []string{"feedback:f"}, told.Hits[0].FeedbackIDs)
		}
		for _, lessons := range []string{data.Recall.Lessons, told.Lessons} {
			if with {
				assert.Contains(t, lessons, "chart: 30 s")
				assert.Contains(t, lessons, "Well done")
			} else {
				assert.NotContains(t, lessons, "30 s")
				assert.NotContains(t, lessons, "Well done")
			}
		}
	}
}

// testTwoTasksOfASession: what is shown between two tasks of a session goes to the second, which it was for. A thumb
// that names only the session stays with the first, of which it told; one that names the canvas goes where that is.
func testTwoTasksOfASession(t *testing.T, w *world) {
	clock := now
	a := w.deployed(service.WithClock(func() time.Time { return clock })).agent(t)
	type said struct {
		EpisodeID              string
		AggregateFeedbackScore *float64
	}
	task := func(id string) {
		clock = clock.Add(10 * time.Minute)
		a.call(t, "record_canvas_actions", vars{"actions": []vars{{"canvasId": id, "sessionId": "s", "canvasType": "charts", "action": "PRESENT"}}}, nil)
	}
	thumb := func(id string, more vars) (kept said) {
		clock = clock.Add(time.Minute)
		more["id"], more["sessionId"], more["type"] = id, "s", "THUMBS_UP"
		a.call(t, "submit_feedback", more, &kept)
		return kept
	}
	episode := func(id string) {
		clock = clock.Add(time.Minute)
		a.call(t, "record_episode", vars{"id": id, "agentId": "ada", "sessionId": "s", "observation": "The task " + id, "outcome": "SUCCESS"}, nil)
	}
	task("first")
	assert.Empty(t, thumb("early", vars{}).EpisodeID, "it waits for the first")
	episode("one")
	task("second")
	assert.Equal(t, said{"episode:one", new(1.0)}, thumb("between", vars{}), "until the task is recorded that it is on")
	assert.Equal(t, "episode:one", thumb("of the canvas", vars{"canvasId": "second"}).EpisodeID)
	episode("two")
	thumb("late", vars{}) // nothing of the third was shown so far
	task("third")
	episode("three")
	var data struct {
		One, Two struct{ CanvasIDs, FeedbackIDs []string }
	}
	w.ask(t, `{ one: episode(id: "one") { canvasIds feedbackIds } two: episode(id: "two") { canvasIds feedbackIds } }`, nil, &data)
	assert.Equal(t, []string{"canvas:first"}, data.One.CanvasIDs)
	assert.Equal(t, []string{"canvas:second"}, data.Two.CanvasIDs)
	assert.Equal(t, []string{"feedback:early"}, data.One.FeedbackIDs)
	assert.ElementsMatch(t, []string{"feedback:between", "feedback:of the canvas", "feedback:late"}, data.Two.FeedbackIDs)
}

// testFadingProfiles lists who gets worse, across agents, by both doors.
func testFadingProfiles(t *testing.T, w *world) {
	w.executed(t, "faded", "refund", 20, 0.9, daysAgo(30))
	w.executed(t, "faded", "refund", 7, 0.2, daysAgo(1))
	w.executed(t, "steady", "refund", 27, 0.8, daysAgo(1))
	w.executed(t, "cold", "tax", 8, 0.9, daysAgo(30))
	w.executed(t, "cold", "tax", 4, 0.3, daysAgo(1))
	var data struct {
		Down, Cold, Up struct{ Nodes []struct{ ID, Trend string } }
	}
	w.ask(t, `{
		down: learningProfiles(trend: DOWN) { nodes { id trend } }
		cold: learningProfiles(trend: DOWN, cold: true) { nodes { id trend } }
		up: learningProfiles(trend: UP) { nodes { id trend } }
	}`, nil, &data)
	assert.Equal(t, []struct{ ID, Trend string }{{"learningProfile:faded/refund", "DOWN"}, {"learningProfile:cold/tax", "DOWN"}}, data.Down.Nodes, "by task type and agent")
	assert.Equal(t, []struct{ ID, Trend string }{{"learningProfile:cold/tax", "DOWN"}}, data.Cold.Nodes)
	assert.Empty(t, data.Up.Nodes)
	var listed struct{ Profiles []struct{ ID, Trend string } }
	w.agent(t).call(t, "trends", vars{"profiles": vars{"trend": "DOWN", "cold": true}}, &listed)
	assert.Equal(t, data.Cold.Nodes, listed.Profiles)
}
