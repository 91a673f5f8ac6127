package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type hit struct {
	Rank    int
	Score   struct{ Semantic, Temporal, Canvas, Feedback, Total float64 }
	Reasons []string
	Episode struct {
		ID                             string
		Agent                          struct{ Name string }
		CanvasContext, FeedbackContext []struct{ ID string }
		CanvasIDs, FeedbackIDs         []string
		AggregateFeedbackScore         *float64
		CanvasActionCount              int
		Reward                         float64
		Canvases, Feedback             struct{ TotalCount int }
	}
}

// recalled asks for experiences and reads all there is to a hit.
func (w *world) recalled(t *testing.T, input vars) []hit {
	t.Helper()
	var data struct {
		Recall struct {
			Approximate bool
			Hits        []hit
		}
	}
	w.ask(t, `query ($input: RecallInput!) { recall(input: $input) { approximate hits {
		rank score { semantic temporal canvas feedback total } reasons
		episode { id agent { name } canvasContext { id } feedbackContext { id } canvasIds feedbackIds aggregateFeedbackScore canvasActionCount reward
			canvases { totalCount } feedback { totalCount } } } } }`, vars{"input": input}, &data)
	assert.False(t, data.Recall.Approximate, "of so few all are ranked")
	return data.Recall.Hits
}

func ids(hits []hit) []string {
	found := make([]string, len(hits))
	for i, h := range hits {
		found[i] = strings.TrimPrefix(h.Episode.ID, "episode:")
	}
	return found
}

// testRanking is the worked example: all words found (0.7), a canvas (0.1) and liked (0.2) make 1.0.
func testRanking(t *testing.T, w *world) {
	w.episode(t, "liked", "Customer wants refund", nil)
	w.canvas(t, vars{"canvasId": "c", "episodeId": "liked", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"episodeId": "liked", "type": "THUMBS_UP"})
	w.episode(t, "disliked", "Customer wants refund", nil)
	w.feedback(t, vars{"episodeId": "disliked", "type": "THUMBS_DOWN"})
	w.episode(t, "old", "Customer wants refund", vars{"startedAt": now.Add(-30 * 24 * time.Hour)})
	w.episode(t, "other", "Weather in Paris", nil)

	hits := w.recalled(t, vars{"situation": "customer wants refund", "variants": "SEPARATE", "ranking": vars{"temporalWeight": 0}})
	require.Equal(t, []string{"liked", "old", "disliked"}, ids(hits))
	best := hits[0]
	assert.Equal(t, 1, best.Rank)
	assert.InDelta(t, 1, best.Score.Semantic, 1e-5)
	assert.InDelta(t, 0.1, best.Score.Canvas, 1e-9)
	assert.InDelta(t, 0.2, best.Score.Feedback, 1e-9)
	assert.InDelta(t, 1.0, best.Score.Total, 1e-5)
	assert.NotEmpty(t, best.Reasons)
	assert.InDelta(t, 0.4, hits[2].Score.Total, 1e-5)
	assert.InDelta(t, 0.5, hits[1].Score.Temporal, 1e-9)

	off := w.recalled(t, vars{"situation": "customer wants refund", "variants": "SEPARATE", "ranking": vars{"temporalWeight": 0, "feedback": "OFF", "canvasBoost": 0}})
	for _, h := range off {
		assert.InDelta(t, 0.7, h.Score.Total, 1e-5, h.Episode.ID)
	}
	smoothed := w.recalled(t, vars{"situation": "customer wants refund", "variants": "SEPARATE", "ranking": vars{"temporalWeight": 0, "feedback": "SMOOTHED"}})
	assert.InDelta(t, 0.2/6, smoothed[0].Score.Feedback, 1e-9)
	assert.Equal(t, []string{"liked"}, ids(w.recalled(t, vars{"situation": "customer wants refund", "topK": 1})))
	for _, nothing := range []string{"", "???", "xylophone \u202e🎷 \"AND*"} { // no word known: the most recent, where those are wanted
		recent := ids(w.recalled(t, vars{"situation": nothing, "variants": "SEPARATE", "topK": 3, "ranking": vars{"feedback": "OFF"}, "fallback": "RECENT"}))
		assert.Len(t, recent, 3)
		assert.NotContains(t, recent, "old", nothing)
	}
}

func testRecallFilters(t *testing.T, w *world) {
	w.episode(t, "sheet", "Plan the budget", vars{"agentId": "bea", "taskType": "finance", "outcome": "SUCCESS"})
	w.canvas(t, vars{"canvasId": "sheet", "episodeId": "sheet", "canvasType": "sheets"}, vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(9)})
	w.canvas(t, vars{"canvasId": "form", "episodeId": "sheet", "canvasType": "forms"}, vars{"action": "SUBMIT"})
	w.feedback(t, vars{"episodeId": "sheet", "type": "RATING", "rating": 4})
	w.episode(t, "plain", "Plan the budget", vars{"outcome": "FAILURE"})
	w.episode(t, "aged", "Plan the budget", vars{"startedAt": now.Add(-31 * 24 * time.Hour)})

	for name, expect := range map[string]struct {
		filter vars
		ids    []string
	}{
		"canvas type":              {vars{"canvasType": "sheets"}, []string{"sheet"}},
		"canvas action":            {vars{"canvasAction": "SUBMIT"}, []string{"sheet"}},
		"both on one canvas":       {vars{"canvasType": "sheets", "canvasAction": "SUBMIT"}, []string{}},
		"both":                     {vars{"canvasType": "forms", "canvasAction": "SUBMIT"}, []string{"sheet"}},
		"thirty days":              {vars{"timeRange": "LAST_30D"}, []string{"plain", "sheet"}},
		"ninety days":              {vars{"timeRange": "LAST_90D"}, []string{"aged", "plain", "sheet"}},
		"since, inclusive":         {vars{"since": now.Add(-time.Hour)}, []string{"plain", "sheet"}},
		"until, exclusive":         {vars{"until": now.Add(-time.Hour)}, []string{"aged"}},
		"agent":                    {vars{"agentId": "agent:bea"}, []string{"sheet"}},
		"task type":                {vars{"taskType": "finance"}, []string{"sheet"}},
		"outcome":                  {vars{"outcome": "FAILURE"}, []string{"plain"}},
		"score, without null":      {vars{"minFeedbackScore": -1}, []string{"sheet"}},
		"score above all there is": {vars{"minFeedbackScore": 0.6}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			filter := vars{"situation": "plan the budget", "variants": "SEPARATE"}
			for key, value := range expect.filter {
				filter[key] = value
			}
			assert.ElementsMatch(t, expect.ids, ids(w.recalled(t, filter)))
			delete(filter, "situation")
			delete(filter, "variants")
			var data struct {
				Episodes struct {
					TotalCount int
					Nodes      []struct{ ID string }
				}
			}
			w.ask(t, `query ($filter: EpisodeFilter) { episodes(filter: $filter) { totalCount nodes { id } } }`, vars{"filter": filter}, &data)
			assert.Equal(t, len(expect.ids), data.Episodes.TotalCount)
			assert.Len(t, data.Episodes.Nodes, len(expect.ids))
		})
	}
	var data struct {
		Episodes struct{ Nodes []struct{ ID string } }
	}
	w.ask(t, `{ episodes(filter: { sessionId: "none", maxFeedbackScore: 0.4 }) { nodes { id } } }`, nil, &data)
	assert.Empty(t, data.Episodes.Nodes)
}

// testRecallContexts asks with and without canvases and feedback.
func testRecallContexts(t *testing.T, w *world) {
	w.episode(t, "e", "Plan the budget", nil)
	w.canvas(t, vars{"canvasId": "c", "episodeId": "e", "canvasType": "sheets"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "f", "episodeId": "e", "type": "THUMBS_UP"})
	for _, test := range []struct {
		input              vars
		canvases, feedback int
	}{
		{vars{}, 1, 1},
		{vars{"includeCanvas": true, "includeFeedback": nil}, 1, 1},
		{vars{"includeCanvas": false}, 0, 1},
		{vars{"includeFeedback": false}, 1, 0},
		{vars{"includeCanvas": false, "includeFeedback": false}, 0, 0},
	} {
		test.input["situation"] = "budget"
		h := w.recalled(t, test.input)[0]
		assert.Len(t, h.Episode.CanvasContext, test.canvases)
		assert.Len(t, h.Episode.FeedbackContext, test.feedback)
		assert.Equal(t, []string{"canvas:c"}, h.Episode.CanvasIDs, "ids stay")
		assert.Equal(t, []string{"feedback:f"}, h.Episode.FeedbackIDs, "ids stay")
		assert.InDelta(t, 0.3, h.Episode.Reward, 1e-9)
	}
}

// testRecallAsOf asks what was known at earlier times.
func testRecallAsOf(t *testing.T, w *world) {
	w.episode(t, "e", "Plan the budget", vars{"startedAt": after(0), "endedAt": after(100)})
	w.episode(t, "effect", "Something that followed", vars{"startedAt": after(50), "causedBy": []string{"e"}})
	w.canvas(t, vars{"canvasId": "c", "episodeId": "e", "canvasType": "sheets"}, vars{"action": "PRESENT", "at": after(150)}, vars{"action": "CLOSE", "at": after(250)})
	w.feedback(t, vars{"id": "f", "episodeId": "e", "canvasId": "c", "type": "THUMBS_DOWN", "at": after(200)})

	recall := func(seconds int) []hit {
		return w.recalled(t, vars{"situation": "plan the budget", "asOf": after(seconds)})
	}
	assert.NotContains(t, ids(recall(99)), "e", "known when it ended")
	for _, test := range []struct {
		seconds, canvases, actions, feedback int
		reward                               float64
	}{{100, 0, 0, 0, 0}, {150, 1, 1, 0, 0}, {200, 1, 1, 1, -0.3}, {250, 1, 2, 1, -0.2}} {
		hits := recall(test.seconds)
		require.Equal(t, []string{"e"}, ids(hits))
		e := hits[0].Episode
		assert.Len(t, e.CanvasContext, test.canvases, test.seconds)
		assert.Len(t, e.FeedbackContext, test.feedback, test.seconds)
		assert.Equal(t, test.canvases, e.Canvases.TotalCount, test.seconds)
		assert.Equal(t, test.feedback, e.Feedback.TotalCount, test.seconds)
		assert.Equal(t, test.actions, e.CanvasActionCount, test.seconds)
		assert.Equal(t, test.feedback == 0, e.AggregateFeedbackScore == nil, test.seconds)
		assert.InDelta(t, test.reward, e.Reward, 1e-9, test.seconds)
	}

	// What is read on from a hit is of that time too.
	var data struct {
		Recall struct {
			Hits []struct {
				Episode struct {
					Causes struct {
						Nodes []struct {
							ID            string
							CanvasContext []struct{ ID string }
							CausedBy      struct {
								TotalCount int
								Nodes      []struct {
									AggregateFeedbackScore *float64
									CanvasIDs, FeedbackIDs []string
								}
							}
						}
					}
					FeedbackContext []struct {
						Canvas  struct{ Actions []struct{ Action string } }
						Episode struct{ CanvasActionCount int }
					}
				}
			}
		}
	}
	w.ask(t, `query ($at: DateTime) { recall(input: { situation: "plan the budget", asOf: $at }) { hits { episode {
		causes { nodes { id canvasContext { id } causedBy { totalCount nodes { aggregateFeedbackScore canvasIds feedbackIds } } } }
		feedbackContext { canvas { actions { action } } episode { canvasActionCount } } } } } }`, vars{"at": after(200)}, &data)
	e := data.Recall.Hits[0].Episode
	require.Len(t, e.Causes.Nodes, 1)
	effect := e.Causes.Nodes[0]
	assert.Equal(t, "episode:effect", effect.ID)
	assert.Equal(t, 1, effect.CausedBy.TotalCount)
	assert.Equal(t, []string{"canvas:c"}, effect.CausedBy.Nodes[0].CanvasIDs)
	assert.Len(t, e.FeedbackContext[0].Canvas.Actions, 1)
	assert.Equal(t, 1, e.FeedbackContext[0].Episode.CanvasActionCount)
}

func testLessons(t *testing.T, w *world) {
	w.episode(t, "bad", "Customer wants a refund", vars{"outcome": "FAILURE", "actions": []vars{{"stepName": "refuse"}}, "result": "Refused.", "insight": "The policy allowed it."})
	w.feedback(t, vars{"episodeId": "bad", "type": "THUMBS_DOWN", "corrections": "Refund within 24 hours.", "comment": "Unkind."})
	w.feedback(t, vars{"episodeId": "bad", "type": "THUMBS_UP", "comment": "Quick."})
	w.canvas(t, vars{"canvasId": "c", "episodeId": "bad", "canvasType": "docs"}, vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(20)})
	ask := func(selection string) string {
		var data struct {
			Recall struct {
				Lessons        string
				CanvasInsights struct{ Engages []string }
			}
		}
		w.ask(t, `{ recall(input: { situation: "a customer wants a refund" }) { `+selection+` } }`, nil, &data)
		return data.Recall.Lessons + strings.Join(data.Recall.CanvasInsights.Engages, ",")
	}
	lessons := ask("lessons")
	for _, part := range []string{
		"What went wrong in similar situations:", "Episode from 2026-06-01", "Observation: Customer wants a refund",
		"Actions: refuse", "Result: Refused.", "Key insight: The policy allowed it.", "Refund within 24 hours.",
		"Shown: document: 20 s", "User disliked: Unkind.", "User liked: Quick.",
	} {
		assert.Contains(t, lessons, part)
	}
	assert.Less(t, len(ask("lessons(maxTokens: 40)")), 4*40+1)
	for _, query := range []string{`{ recall(input: { situation: "a" }) { lessons(maxTokens: 0) } }`, `{ guidance(sectionType: "a") { promptBlock(maxTokens: -1) } }`} {
		refused := w.refuse(t, query, nil)
		assert.Equal(t, "maxTokens: must be a whole number above 0", refused.Message)
		assert.Equal(t, "INVALID_INPUT", refused.Extensions.Code)
	}
	assert.Equal(t, "docs", ask("canvasInsights { engages }"))
}

// testLessonsOfCanvases: what was shown and how it was taken, over five episodes that are variants of one.
func testLessonsOfCanvases(t *testing.T, w *world) {
	for i, dwell := range []int{30, 3, 3, 3, 3} {
		key, component, insight := fmt.Sprint("e", i), "line_chart", "Lines were drawn."
		if i == 0 {
			component, insight = "bar_chart", "Bars were drawn."
		}
		w.episode(t, key, "Show the revenue of the quarter", vars{"outcome": "SUCCESS", "actions": []vars{{"stepName": "draw"}}, "insight": insight})
		w.canvas(t, vars{"canvasId": key, "episodeId": key, "canvasType": "charts", "componentType": component}, vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(dwell)})
	}
	w.feedback(t, vars{"episodeId": "e0", "canvasId": "e0", "type": "THUMBS_UP", "corrections": "Keep the table."})
	ask := func(situation, more string) string {
		var data struct{ Recall struct{ Lessons string } }
		w.ask(t, `query ($s: String!) { recall(input: { situation: $s`+more+` }) { lessons } }`, vars{"s": situation}, &data)
		return data.Recall.Lessons
	}
	lessons := ask("revenue of a quarter", "")
	assert.True(t, strings.HasPrefix(lessons, "Lessons from past similar situations:\n"), lessons)
	assert.Contains(t, lessons, "; done 5 times, 5 succeeded\nObservation: Show the revenue of the quarter\nActions: draw\nKey insight: Bars were drawn.\n"+
		"Shown: line chart: closed after 3 s (4 times); bar chart: 30 s, liked\nUser remark: Keep the table.\n")
	assert.Equal(t, 1, strings.Count(lessons, "Episode from"))
	const end = "\n\nPeople here close line charts quickly and stay with bar charts."
	assert.True(t, strings.HasSuffix(lessons, end), lessons)
	assert.NotContains(t, ask("revenue of a quarter", ", includeCanvas: false"), "chart")
	assert.Contains(t, ask("revenue of a quarter", ", includeCanvas: false"), "User remark: Keep the table.")
	none := ask("xylophone", ", fallback: RECENT")
	assert.True(t, strings.HasPrefix(none, "Lessons from the latest situations; none matches this one:\n"), none)
	assert.True(t, strings.HasSuffix(none, end), none)
}
