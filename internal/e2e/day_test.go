package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/internal/redact"
	"mneme/service"
)

// testDay is a whole day of an agent that has nothing but MCP, with no call that a person would have to make: what
// people do and say reaches it by the host that it works in.
func testDay(t *testing.T, w *world) {
	day := workday{agent: w.agent(t)}
	day.morning(t)
	day.recalls(t)
	day.judged(t)
	day.isGuided(t)
	day.replays(t)
	day.evening(t)
	day.forgets(t)
}

// workday is a day of the agent ada, in a session.
type workday struct{ agent }

func (workday) ago(minutes int) time.Time { return now.Add(-time.Duration(minutes) * time.Minute) }

const dayTask = "Show the revenue of the quarter to the board"

// morning: what is shown and said comes before the episode, which is recorded at the end and names only its session.
func (d workday) morning(t *testing.T) {
	shown := func(component, action string, at time.Time) vars {
		return vars{"canvasId": component, "sessionId": "day", "canvasType": "charts", "componentType": component, "action": action, "at": at}
	}
	d.call(t, "record_canvas_actions", vars{"actions": []vars{
		shown("line_chart", "PRESENT", d.ago(100)), shown("line_chart", "CLOSE", d.ago(100).Add(3*time.Second)),
		shown("bar_chart", "PRESENT", d.ago(90)), shown("bar_chart", "CLOSE", d.ago(90).Add(30*time.Second)),
	}}, nil)
	d.call(t, "submit_feedback", vars{"canvasId": "bar_chart", "sessionId": "day", "type": "THUMBS_UP", "createdBy": "mia", "at": d.ago(89)}, nil)
	d.call(t, "record_episode", vars{
		"id": "revenue-q1", "agentId": "ada", "sessionId": "day", "taskType": "report", "observation": dayTask,
		"actions": []vars{{"stepName": "read_sales"}, {"stepName": "draw_charts"}}, "result": "Shown", "outcome": "SUCCESS",
	}, nil)
}

// recalls: the next task is met with what people liked.
func (d workday) recalls(t *testing.T) {
	var found struct {
		Hits []struct {
			ID       string
			Canvases []struct {
				ID     string
				States []string
			}
			Feedback []struct{ Score float64 }
			Episode  struct {
				Quality struct{ Value, Completion, CanvasSuccess, FeedbackQuality float64 }
			}
		}
		Lessons        string
		CanvasInsights struct{ ClosesQuickly, Engages []string }
	}
	d.call(t, "recall", vars{"situation": "revenue of the second quarter for the board", "full": true}, &found)
	require.Len(t, found.Hits, 1)
	require.Len(t, found.Hits[0].Canvases, 2, "linked by its session alone")
	assert.Equal(t, []string{"PRESENTED", "CLOSED_SLOWLY"}, found.Hits[0].Canvases[0].States)
	require.Len(t, found.Hits[0].Feedback, 1)
	assert.Equal(t, []string{"charts/line_chart"}, found.CanvasInsights.ClosesQuickly)
	for _, part := range []string{"line chart: closed after 3 s", "bar chart: 30 s, liked", "People here close line charts quickly and stay with bar charts."} {
		assert.Contains(t, found.Lessons, part)
	}
	quality := found.Hits[0].Episode.Quality
	assert.Equal(t, []float64{1, 0.5, 1}, []float64{quality.Completion, quality.CanvasSuccess, quality.FeedbackQuality})
	assert.InDelta(t, 0.4+0.15+0.2+0.1, quality.Value, 1e-9)
}

// judged: a run of ten high-energy verses, of which seven fail, and ten calm ones that pass; the first in three rounds.
func (d workday) judged(t *testing.T) {
	verdict := func(section, energy string, iteration int, more vars) (answer struct {
		RevisionRequest struct{ SpecificFixes []string }
		Feedback        string
	}) {
		input := vars{
			"runId": "album", "sectionId": section, "sectionType": "verse", "context": vars{"energy": energy, "key": "C"}, "judgeId": "critic",
			"iteration": iteration, "status": "APPROVE", "score": 8.5, "patterns": []string{"short lines"},
		}
		for key, value := range more {
			input[key] = value
		}
		d.call(t, "record_verdict", input, &answer)
		return answer
	}
	fails := func(score float64) vars {
		return vars{
			"status": "SOFT_FAIL", "score": score, "feedback": "Too dense.", "fixes": []string{"Leave room for breath"},
			"issues": []vars{{"code": "DENSE", "area": "rhythm", "message": "leaves no room for breath"}},
		}
	}
	var block struct{ PromptBlock string }
	for i := range 2 {
		answer := verdict("loud_0", "high", i, fails(5+float64(i)))
		assert.Equal(t, []string{"Leave room for breath"}, answer.RevisionRequest.SpecificFixes)
		d.call(t, "guidance", vars{"runId": "album", "sectionId": "loud_0", "sectionType": "verse", "context": vars{"energy": "high"}}, &block)
		assert.Contains(t, block.PromptBlock, fmt.Sprintf("Iteration %d - Refinement Feedback", i+2))
		assert.Contains(t, block.PromptBlock, "Leave room for breath")
	}
	assert.Empty(t, verdict("loud_0", "high", 2, nil).Feedback, "it is approved")
	for i := 1; i < 10; i++ {
		if loud := fmt.Sprintf("loud_%d", i); i < 8 {
			verdict(loud, "high", 0, fails(4))
		} else {
			verdict(loud, "high", 0, nil)
		}
	}
	for i := range 10 {
		verdict(fmt.Sprintf("calm_%d", i), "calm", 0, vars{"patterns": []string{"long vowels"}})
	}
	var completed struct{ Sections, PatternsUpdated int }
	d.call(t, "complete_run", vars{"runId": "album"}, &completed)
	assert.Equal(t, 20, completed.Sections)
	assert.Positive(t, completed.PatternsUpdated)
}

// isGuided: the next run is told what failed and what worked in the narrowest context that has evidence.
func (d workday) isGuided(t *testing.T) {
	guided := func(energy string) (answer struct {
		PromptBlock string
		Dos, Donts  []string
	}) {
		d.call(t, "guidance", vars{"runId": "next-album", "sectionType": "verse", "context": vars{"energy": energy}}, &answer)
		return answer
	}
	loud, calm := guided("high"), guided("calm")
	require.NotEmpty(t, loud.Donts)
	assert.Contains(t, loud.Donts[0], "leaves no room for breath")
	assert.Contains(t, loud.Donts[0], "energy")
	assert.Contains(t, loud.PromptBlock, "Common Pitfalls to Avoid")
	assert.Empty(t, loud.Dos, "what worked in calm verses was never tried in loud ones")
	assert.Equal(t, []string{"DO long vowels (success rate: 100%, avg score: 8.5, where energy is calm)"}, calm.Dos)
	assert.Empty(t, calm.Donts, "calm verses never had it")
	assert.Contains(t, calm.PromptBlock, "Patterns That Work Well")
}

// replays: what a captured run did can be read again in order, a page at a time.
func (d workday) replays(t *testing.T) {
	d.call(t, "capture_run", vars{"runId": "flow", "agentId": "ada", "workflowName": "report", "events": []vars{
		{"type": "workflow_started", "data": vars{"args": vars{"quarter": 2}}, "at": d.ago(50)},
		{"type": "step_completed", "data": vars{"step_id": "1", "step_name": "read_sales", "result": "ok"}, "at": d.ago(49)},
		{"type": "workflow_completed", "data": vars{"result": "done"}, "at": d.ago(48)},
	}}, nil)
	var seen []string
	input := vars{"id": "episode:flow", "replay": true, "first": 2}
	for range 2 {
		var log struct {
			Events []struct {
				Sequence int
				Type     string
			}
			Next string
		}
		d.call(t, "neighbourhood", input, &log)
		for _, event := range log.Events {
			seen = append(seen, event.Type)
		}
		input["after"] = log.Next
	}
	assert.Equal(t, []string{"workflow_started", "step_completed", "workflow_completed"}, seen)
	refused, err := d.CallTool(t.Context(), &mcp.CallToolParams{Name: "neighbourhood", Arguments: vars{"id": "episode:none", "replay": true}})
	require.NoError(t, err)
	assert.True(t, refused.IsError)
	text, err := json.Marshal(refused.Content)
	require.NoError(t, err)
	assert.Contains(t, string(text), `\"field\":\"id\"`, "as the tool calls it")
}

// evening: a correction, a consolidation of what recurs, and what somebody should look at.
func (d workday) evening(t *testing.T) {
	d.call(t, "feedback_record", vars{
		"topic": "quarters", "prediction": "A quarter ends in December", "correction": "Here the year begins in April", "createdBy": "mia",
	}, nil)
	for i := range 3 {
		d.call(t, "record_episode", vars{
			"id": fmt.Sprintf("old-%d", i), "agentId": "ada", "taskType": "refund", "observation": "A refund is wanted",
			"outcome": "FAILURE", "startedAt": now.AddDate(0, 0, -60+i), "insight": "The receipt was missing",
		}, nil)
	}
	var summed struct {
		ObservationsCreated int
		Patterns            []string
	}
	d.call(t, "consolidate", vars{"agentId": "ada"}, &summed)
	assert.Contains(t, summed.Patterns, "ada: failure of refund", "dry unless asked")
	d.call(t, "consolidate", vars{"agentId": "ada", "dryRun": false}, &summed)
	assert.Positive(t, summed.ObservationsCreated)
	var said struct{ Hits []struct{ Snippet string } }
	d.call(t, "search_observations", vars{"query": "refund failed"}, &said)
	require.NotEmpty(t, said.Hits)

	var chart struct {
		Points   []struct{ Episodes int }
		Alerts   []struct{ Kind, Severity, Subject, Happened, Do string }
		Profiles []struct{ ID string }
	}
	d.call(t, "trends", vars{"alerts": vars{"severity": "WARNING"}, "profiles": vars{"cold": true}, "bucket": "WEEK"}, &chart)
	assert.NotEmpty(t, chart.Points)
	assert.Len(t, chart.Profiles, 2)
	for _, alert := range chart.Alerts {
		assert.NotEqual(t, "INFO", alert.Severity)
	}
}

// forgets: what is forgotten is gone from wherever it was found, and does not come back.
func (d workday) forgets(t *testing.T) {
	d.call(t, "memoir_create", vars{"id": "rules", "name": "Rules"}, nil)
	d.call(t, "memoir_add_concept", vars{"id": "q", "memoirId": "rules", "name": "Quarters", "content": "A quarter ends in walrus season."}, nil)
	d.call(t, "memoir_refine", vars{"id": "q", "content": "The year begins in April.", "purge": true}, nil)
	d.call(t, "forget_record", vars{"id": "episode:revenue-q1"}, nil)
	var found struct {
		Hits    []struct{ ID string }
		Lessons string
	}
	d.call(t, "recall", vars{"situation": dayTask}, &found)
	for _, hit := range found.Hits {
		assert.NotEqual(t, "episode:revenue-q1", hit.ID)
	}
	assert.NotContains(t, found.Lessons, "bar chart")
	for query, kind := range map[string]string{"revenue of the quarter to the board": "episode", "walrus": "concept"} {
		d.call(t, "search", vars{"query": query, "kinds": []string{kind}}, &found)
		for _, hit := range found.Hits {
			assert.NotContains(t, []string{"episode:revenue-q1", "concept:q"}, hit.ID, query)
		}
	}
}

// testAlerts: one list of what somebody should look at, of profiles, judges and history.
func testAlerts(t *testing.T, w *world) {
	w.executed(t, "faded", "refund", 20, 0.9, daysAgo(30))
	w.executed(t, "faded", "refund", 7, 0.2, daysAgo(1))
	w.executed(t, "new", "tax", 3, 0.4, daysAgo(1))
	for i := range 20 {
		w.do(t, "recordVerdict", "verdict { id }", vars{"runId": "r", "sectionId": fmt.Sprint(i), "sectionType": "intro", "judgeId": "kind", "iteration": 0, "status": "APPROVE", "score": 9, "at": daysAgo(2)}, nil)
	}
	for i := range 4 {
		w.do(t, "recordVerdict", "verdict { id }", vars{"runId": "r", "sectionId": fmt.Sprint("v", i), "sectionType": "verse", "judgeId": "strict", "iteration": 0, "status": "HARD_FAIL", "issues": []vars{{"code": "BASE", "message": "uses gtpl_base_* only"}}, "at": daysAgo(2)}, nil)
	}
	w.do(t, "completeRun", "sections", vars{"runId": "r"}, nil)
	type alert struct {
		Kind, Severity, Subject, Happened, Do string
		SubjectID                             *string
		Since                                 *time.Time
	}
	var data struct{ Alerts, Cold, Severe []alert }
	w.ask(t, `{
		alerts { kind severity subject subjectId happened do since }
		cold: alerts(kind: AGENT_COLD) { kind subject }
		severe: alerts(severity: CRITICAL) { kind severity }
	}`, nil, &data)
	var told []string
	for _, a := range data.Alerts {
		told = append(told, a.Severity+" "+a.Kind+" "+a.Subject)
		assert.NotEmpty(t, a.Do)
		assert.NotEmpty(t, a.Happened)
	}
	assert.Equal(t, []string{
		"CRITICAL AGENT_DECLINES agent faded at refund", "CRITICAL ISSUE_RECURS issue BASE of section type verse",
		"WARNING NO_GOOD_AGENT task type refund", "WARNING JUDGE_TOO_LENIENT judge kind",
		"INFO NO_GOOD_AGENT task type tax", "INFO AGENT_COLD agent new at tax",
	}, told)
	require.Len(t, data.Cold, 1)
	assert.Len(t, data.Severe, 2)
	assert.Equal(t, "learningProfile:faded/refund", *data.Alerts[0].SubjectID)
	assert.Equal(t, daysAgo(1).Format(time.DateOnly), data.Alerts[0].Since.Format(time.DateOnly))
	var chart struct {
		Alerts []alert
		Points []any
	}
	w.agent(t).call(t, "trends", vars{"alerts": vars{}}, &chart)
	assert.Equal(t, data.Alerts, chart.Alerts)
	assert.Empty(t, chart.Points, "nobody asked for a chart")
	assert.NotEmpty(t, w.post(t, `{ alerts(kind: BORED) { kind } }`, nil).Errors)
}

// meaningful gives texts about money a vector of their own, whatever their words.
type meaningful struct{}

func (meaningful) Embed(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = []float32{0, 1, 0.2}
		if strings.Contains(text, "refund") || strings.Contains(text, "money back") {
			vectors[i] = []float32{1, 0, 0.2}
		}
	}
	return vectors, nil
}

// testSearchByMeaning: with an embedder, a search finds episodes that have none of its words, and others by words.
func testSearchByMeaning(t *testing.T, w *world) {
	svc := service.New(w.backend, service.WithClock(func() time.Time { return now }), service.WithRedaction(redact.Rules()), func(s *service.Settings) { s.Embedder = meaningful{} })
	able := &world{tenant: w.tenant, suite: &suite{handler: gqlhttp.NewHandler(svc, gqlhttp.Options{}), service: svc, sent: w.sent, seen: w.seen}}
	able.episode(t, "refund", "The kettle leaks; a refund was paid", nil)
	able.episode(t, "song", "A song for the morning", nil)
	able.observe(t, "back", "The money is in the bank.", nil)
	tenant, err := svc.Tenant(service.WithTenant(t.Context(), w.tenant))
	require.NoError(t, err)
	_, err = tenant.Upkeep.Reindex(t.Context(), nil)
	require.NoError(t, err)
	var found struct {
		Hits []struct {
			ID    string
			Score float64
		}
		Found int
		Next  string
	}
	ids := func(w *world, input vars) (ids []string) {
		w.agent(t).call(t, "search", input, &found)
		for _, hit := range found.Hits {
			ids = append(ids, hit.ID)
		}
		return ids
	}
	assert.Equal(t, []string{"observation:back"}, ids(w, vars{"query": "they want their money back"}), "by words alone")
	assert.ElementsMatch(t, []string{"episode:refund", "observation:back"}, ids(able, vars{"query": "they want their money back"}))
	assert.Equal(t, 2, found.Found)
	assert.Equal(t, []string{"observation:back"}, ids(able, vars{"query": "they want their money back", "kinds": []string{"observation"}}))
	assert.Equal(t, []string{"episode:song"}, ids(able, vars{"query": "morning song", "kinds": []string{"episode"}}))
	first := ids(able, vars{"query": "they want their money back", "first": 1})
	again := ids(able, vars{"query": "they want their money back", "first": 1, "after": found.Next})
	assert.ElementsMatch(t, []string{"episode:refund", "observation:back"}, append(first, again...))
	assert.Empty(t, ids(able, vars{"query": ""}))
}
