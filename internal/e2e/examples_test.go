package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/internal/redact"
	"mneme/memory"
	"mneme/service"
)

func testScores(t *testing.T, w *world) {
	for rating, score := range map[int]float64{1: -1, 2: -0.5, 3: 0, 4: 0.5, 5: 1} {
		id := fmt.Sprintf("rated-%d", rating)
		w.episode(t, id, "Rate me.", nil)
		var payload struct {
			Feedback               struct{ Score float64 }
			AggregateFeedbackScore *float64
		}
		w.do(t, "submitFeedback", "feedback { score } aggregateFeedbackScore", vars{"episodeId": id, "type": "RATING", "rating": rating}, &payload)
		assert.InDelta(t, score, payload.Feedback.Score, 1e-12)
		assert.InDelta(t, score, *payload.AggregateFeedbackScore, 1e-12)
	}
	w.episode(t, "both", "Rate me twice.", nil)
	w.feedback(t, vars{"episodeId": "both", "type": "THUMBS_UP"})
	var payload struct{ AggregateFeedbackScore float64 }
	w.do(t, "submitFeedback", "aggregateFeedbackScore", vars{"episodeId": "both", "type": "RATING", "rating": 4}, &payload)
	assert.InDelta(t, 0.75, payload.AggregateFeedbackScore, 1e-12)
}

func testCanvasStates(t *testing.T, w *world) {
	w.episode(t, "e", "Show things.", nil)
	show := func(id, kind string, actions ...vars) {
		w.canvas(t, vars{"canvasId": id, "episodeId": "e", "canvasType": kind}, actions...)
	}
	show("sheet", "sheets", vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(2)})
	show("five", "docs", vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(5)})
	show("tax", "forms", vars{"action": "PRESENT"}, vars{"action": "SUBMIT", "at": after(60), "metadata": vars{"completed": []string{"name", "address"}}})
	show("broken", "terminal", vars{"action": "PRESENT"}, vars{"action": "EXECUTE", "at": after(1), "metadata": vars{"error": "exit 1"}})

	type canvas struct {
		ID       string
		States   []string
		Reward   float64
		Metadata map[string]any
		Actions  []struct{ Metadata map[string]any }
	}
	var data struct {
		Episode struct {
			Reward        float64
			CanvasContext []canvas
		}
	}
	w.ask(t, `{ episode(id: "e") { reward canvasContext { id states reward metadata actions { metadata } } } }`, nil, &data)
	byID := map[string]canvas{}
	for _, c := range data.Episode.CanvasContext {
		byID[c.ID] = c
	}
	for id, expect := range map[string]struct {
		states []string
		reward float64
	}{
		"canvas:sheet":  {[]string{"PRESENTED", "CLOSED_QUICKLY"}, -0.2},
		"canvas:five":   {[]string{"PRESENTED", "CLOSED_SLOWLY"}, 0.1},
		"canvas:tax":    {[]string{"PRESENTED", "FORM_SUBMITTED"}, 0.5},
		"canvas:broken": {[]string{"PRESENTED", "ERROR_SHOWN"}, 0},
	} {
		assert.Equal(t, expect.states, byID[id].States, id)
		assert.InDelta(t, expect.reward, byID[id].Reward, 1e-12, id)
	}
	assert.InDelta(t, 0.4, data.Episode.Reward, 1e-12)
	require.Len(t, byID["canvas:tax"].Actions, 2)
	assert.Equal(t, map[string]any{"completed": []any{"name", "address"}}, byID["canvas:tax"].Actions[1].Metadata)
	assert.Equal(t, map[string]any{"completed": []any{"name", "address"}}, byID["canvas:tax"].Metadata)
}

// testCanvasRules: what was recorded under some rules is read by others, through every door, and back.
func testCanvasRules(t *testing.T, w *world) {
	rules := memory.DefaultCanvasRules()
	rules.QuickClose, rules.FeedbackReward = 3*time.Second, 1
	rules.Rewards[memory.StateClosedSlowly] = 0.25
	rules.States = []memory.CustomState{{Name: "EXPORTED", Key: "exported", Value: memory.JSON("true"), Reward: 0.5}}
	svc := service.New(w.backend, service.WithClock(func() time.Time { return now }), service.WithRedaction(redact.Rules()), func(s *service.Settings) { s.CanvasRules = rules })
	patient := &world{tenant: w.tenant, suite: &suite{handler: gqlhttp.NewHandler(svc, gqlhttp.Options{}), service: svc, sent: w.sent, seen: w.seen}}

	w.episode(t, "e", "Show the figures.", vars{"outcome": "FAILURE", "endedAt": now.Add(-time.Hour)})
	w.canvas(t, vars{"canvasId": "line", "episodeId": "e", "canvasType": "charts", "componentType": "line"},
		vars{"action": "PRESENT"}, vars{"action": "UPDATE", "at": after(1), "metadata": vars{"exported": true}}, vars{"action": "CLOSE", "at": after(3)})
	w.feedback(t, vars{"canvasId": "line", "type": "RATING", "rating": 4})

	type seen struct {
		Episode struct {
			Reward        float64
			Quality       struct{ CanvasSuccess float64 }
			CanvasContext []struct {
				States, CustomStates []string
				Reward               float64
			}
		}
		Agent struct {
			Graduation     struct{ Quality float64 }
			CanvasInsights struct{ ClosesQuickly, Engages []string }
		}
		Recall struct{ Lessons string }
	}
	read := func(w *world) (answer seen) {
		w.ask(t, `{
			episode(id: "e") { reward quality { canvasSuccess } canvasContext { states customStates reward } }
			agent(id: "ada") { graduation { quality } canvasInsights { closesQuickly engages } }
			recall(input: { situation: "show the figures" }) { lessons }
		}`, nil, &answer)
		return answer
	}
	usual := read(w)
	assert.Equal(t, []string{"PRESENTED", "CLOSED_QUICKLY"}, usual.Episode.CanvasContext[0].States)
	assert.Empty(t, usual.Episode.CanvasContext[0].CustomStates)
	assert.InDelta(t, -0.2, usual.Episode.CanvasContext[0].Reward, 1e-12)
	assert.InDelta(t, -0.2+0.3*0.5, usual.Episode.Reward, 1e-12)
	assert.InDelta(t, 0, usual.Episode.Quality.CanvasSuccess, 0)
	assert.Equal(t, []string{"charts/line"}, usual.Agent.CanvasInsights.ClosesQuickly)
	assert.Contains(t, usual.Recall.Lessons, "line chart: closed after 3 s, liked")

	changed := read(patient)
	assert.Equal(t, []string{"PRESENTED", "CLOSED_SLOWLY"}, changed.Episode.CanvasContext[0].States)
	assert.Equal(t, []string{"EXPORTED"}, changed.Episode.CanvasContext[0].CustomStates)
	assert.InDelta(t, 0.75, changed.Episode.CanvasContext[0].Reward, 1e-12)
	assert.InDelta(t, 0.75+0.5, changed.Episode.Reward, 1e-12)
	assert.InDelta(t, 1, changed.Episode.Quality.CanvasSuccess, 0)
	assert.Greater(t, changed.Agent.Graduation.Quality, usual.Agent.Graduation.Quality)
	assert.Equal(t, []string{"charts/line"}, changed.Agent.CanvasInsights.Engages)
	assert.Contains(t, changed.Recall.Lessons, "line chart: 3 s, exported, liked")

	var hits struct {
		Hits []struct {
			Canvases []struct{ States, CustomStates []string }
		}
	}
	patient.agent(t).call(t, "recall", vars{"situation": "show the figures"}, &hits)
	assert.Equal(t, []string{"EXPORTED"}, hits.Hits[0].Canvases[0].CustomStates)
	assert.Equal(t, usual, read(w), "nothing of it is kept")
}

// testCanvasInsights: a bar chart viewed for 30 s and liked beats a line chart closed after 3 s.
func testCanvasInsights(t *testing.T, w *world) {
	w.episode(t, "e", "Show the figures.", nil)
	w.canvas(t, vars{"canvasId": "bar", "episodeId": "e", "canvasType": "charts", "componentType": "bar_chart"}, vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(30)})
	w.canvas(t, vars{"canvasId": "line", "episodeId": "e", "canvasType": "charts", "componentType": "line_chart"}, vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(3)})
	w.canvas(t, vars{"canvasId": "form", "episodeId": "e", "canvasType": "forms"}, vars{"action": "PRESENT"}, vars{"action": "SUBMIT", "at": after(10)})
	w.feedback(t, vars{"canvasId": "bar", "type": "THUMBS_UP"})

	type insights struct {
		ClosesQuickly, Engages, Submits []string
		ByType                          []struct {
			CanvasType             string
			ComponentType          *string
			Presentations, Submits int
			MeanReward             float64
			MeanDwellSeconds       *float64
			MeanFeedback           *float64
		}
	}
	const fields = `{ closesQuickly engages submits byType { canvasType componentType presentations meanDwellSeconds submits meanReward meanFeedback } }`
	var data struct {
		Agent  struct{ CanvasInsights insights }
		Recall struct{ CanvasInsights insights }
	}
	w.ask(t, `{ agent(id: "ada") { canvasInsights(timeRange: LAST_7D) `+fields+` }
		recall(input: { situation: "figures" }) { canvasInsights `+fields+` } }`, nil, &data)
	assert.Equal(t, data.Agent.CanvasInsights, data.Recall.CanvasInsights)
	found := data.Agent.CanvasInsights
	assert.Equal(t, []string{"forms", "charts/bar_chart"}, found.Engages, "a submission ends the dwell")
	assert.Equal(t, []string{"charts/line_chart"}, found.ClosesQuickly)
	assert.Equal(t, []string{"forms"}, found.Submits)
	require.Len(t, found.ByType, 3)
	for _, kind := range found.ByType {
		assert.Equal(t, 1, kind.Presentations)
		switch {
		case kind.ComponentType == nil:
			assert.InDelta(t, 0.5, kind.MeanReward, 1e-9)
			assert.InDelta(t, 10, *kind.MeanDwellSeconds, 1e-9)
		case *kind.ComponentType == "bar_chart":
			assert.InDelta(t, 30, *kind.MeanDwellSeconds, 1e-9)
			assert.InDelta(t, 1, *kind.MeanFeedback, 1e-9)
			assert.InDelta(t, 0.1, kind.MeanReward, 1e-9)
		default:
			assert.Nil(t, kind.MeanFeedback)
			assert.InDelta(t, -0.2, kind.MeanReward, 1e-9)
		}
	}
}

func testRedaction(t *testing.T, w *world) {
	var payload struct {
		Episode struct {
			Observation string
			Receipt     struct {
				TokensBefore, TokensAfter int
				Redactions                []struct {
					Kind  string
					Count int
				}
			}
		}
	}
	w.do(t, "recordEpisode", "episode { observation receipt { tokensBefore tokensAfter redactions { kind count } } }",
		vars{"agentId": "ada", "observation": "My name is <private>Ann Smith</private> and I want a refund."}, &payload)
	assert.NotContains(t, payload.Episode.Observation, "Smith")
	assert.Contains(t, payload.Episode.Observation, "refund")
	receipt := payload.Episode.Receipt
	assert.Less(t, receipt.TokensAfter, receipt.TokensBefore)
	require.NotEmpty(t, receipt.Redactions)
	assert.Equal(t, "private", receipt.Redactions[0].Kind)
	assert.Equal(t, 1, receipt.Redactions[0].Count)
}

// testExactJSON keeps numbers digit by digit, and any Unicode.
func testExactJSON(t *testing.T, w *world) {
	const sent = `{"z":[1.10,12345678901234567890123,-0.0,1e400],"a":{"π":"\u2028 <&> 🎷","null":null}}`
	body := []byte(`{"query":"mutation ($m: JSON) { recordEpisode(input: { id: \"e\", agentId: \"ada\", observation: \"x\", metadata: $m }) { episode { metadata } } }","variables":{"m":` + sent + `}}`)
	answer := w.send(t, body)
	require.Empty(t, answer.Errors)
	assert.Equal(t, `{"recordEpisode":{"episode":{"metadata":{"a":{"null":null,"π":"\u2028 <&> 🎷"},"z":[1.10,12345678901234567890123,-0.0,1e400]}}}}`, string(answer.Data))

	var data struct {
		RecordEpisode struct {
			Episode struct{ Metadata map[string]any }
		}
	}
	w.ask(t, `mutation { recordEpisode(input: { agentId: "ada", observation: "x", metadata: { list: [1, 2.5, "a", true, null, { b: ENUM }, [], { c: [[]] }] } }) { episode { metadata } } }`, nil, &data)
	assert.Equal(t, []any{1.0, 2.5, "a", true, nil, map[string]any{"b": "ENUM"}, []any{}, map[string]any{"c": []any{[]any{}}}}, data.RecordEpisode.Episode.Metadata["list"])
}
