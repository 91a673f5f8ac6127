package e2e

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refuse makes a call that must fail, and gives its error as a model reads it.
func (a agent) refuse(t *testing.T, tool string, input vars) (f struct{ Code, Field, Message string }) {
	t.Helper()
	result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: input})
	require.NoError(t, err)
	require.True(t, result.IsError, result.Content)
	require.Len(t, result.Content, 1)
	content, ok := result.Content[0].(*mcp.TextContent)
	require.True(t, ok)
	require.NoError(t, json.Unmarshal([]byte(content.Text), &f))
	return f
}

// testLogsByMCP takes a log in parts, out of order, and concludes it by hand where its end never comes.
func testLogsByMCP(t *testing.T, w *world) {
	a := w.agent(t)
	event := func(sequence int, kind string, data vars) vars {
		return vars{"sequence": sequence, "type": kind, "data": data, "at": after(sequence)}
	}
	var kept struct{ ID, Outcome string }
	part := func(run string, events ...vars) {
		t.Helper()
		a.call(t, "capture_run", vars{"runId": run, "agentId": "ada", "workflowName": "report", "append": true, "events": events}, &kept)
	}
	log := []vars{
		event(0, "workflow_started", vars{"args": vars{"quarter": 2}}),
		event(1, "step_completed", vars{"step_id": "1", "step_name": "read_sales", "result": "ok"}),
		event(2, "step_completed", vars{"step_id": "2", "step_name": "draw_charts", "result": "ok"}),
		event(3, "workflow_completed", vars{"result": "done"}),
	}
	part("run", log[3], log[1])
	assert.Equal(t, "UNKNOWN", kept.Outcome, "its end is there, and not all before it")
	part("run", log[1])
	other := vars{"runId": "run", "agentId": "ada", "workflowName": "report", "append": true, "events": []vars{event(1, "step_completed", vars{"step_id": "9"})}}
	assert.Equal(t, "CONFLICT", a.refuse(t, "capture_run", other).Code)
	missing := a.refuse(t, "conclude_episode", vars{"id": "run", "outcome": "SUCCESS"})
	assert.Equal(t, "CONFLICT", missing.Code)
	assert.Contains(t, missing.Message, "0")
	assert.Contains(t, missing.Message, "2")
	part("run", log[0])
	part("run", log[2], log[3])
	assert.Equal(t, "SUCCESS", kept.Outcome)
	var replayed struct {
		Events []struct {
			Sequence int
			Type     string
		}
		Next string
	}
	a.call(t, "neighbourhood", vars{"id": kept.ID, "replay": true}, &replayed)
	require.Len(t, replayed.Events, len(log))
	for i, event := range replayed.Events {
		assert.Equal(t, i, event.Sequence)
		assert.Equal(t, log[i]["type"], event.Type)
	}
	part("broken", log[0], log[1])
	a.call(t, "conclude_episode", vars{"id": "broken", "outcome": "FAILURE", "result": "It was stopped", "cost": 0.75}, &kept)
	assert.Equal(t, "FAILURE", kept.Outcome)
	assert.Equal(t, "cost", a.refuse(t, "record_episode", vars{"agentId": "ada", "observation": "o", "cost": -1}).Field)
	var chart struct{ Points []struct{ Cost float64 } }
	a.call(t, "trends", vars{"agentId": "ada"}, &chart)
	require.Len(t, chart.Points, 1)
	assert.Equal(t, 0.75, chart.Points[0].Cost)
	assert.Equal(t, "CONFLICT", a.refuse(t, "capture_run", vars{
		"runId": "broken", "agentId": "ada", "workflowName": "report", "append": true, "events": []vars{log[2]},
	}).Code, "it is over")
}

// testThresholdsByMCP labels verdicts until a threshold is proposed, and watches it.
func testThresholdsByMCP(t *testing.T, w *world) {
	a := w.agent(t)
	var kept struct {
		Threshold         *float64
		ThresholdApproves *bool
	}
	rule := func(id, status string, score float64) {
		a.call(t, "record_verdict", vars{
			"id": id, "runId": "song", "sectionId": id, "sectionType": "verse", "judgeId": "critic", "iteration": 0, "status": status, "score": score,
		}, &kept)
	}
	var told struct {
		ProposedThreshold *float64
		Says              []string
	}
	for i := range 20 { // people would take what the judge rejects at 7
		status, score := "APPROVE", 9.0
		if i >= 8 {
			status, score = "SOFT_FAIL", 7
		}
		if i >= 14 {
			score = 5
		}
		id := fmt.Sprint("v", i)
		rule(id, status, score)
		a.call(t, "judge_tendencies", vars{"judgeId": "critic", "label": vars{"verdictId": id, "approve": score >= 7}}, &told)
	}
	require.Equal(t, new(7.0), told.ProposedThreshold)
	assert.Nil(t, kept.Threshold)
	a.call(t, "judge_tendencies", vars{"judgeId": "critic", "threshold": 7}, nil)
	rule("after", "SOFT_FAIL", 7.5)
	assert.Equal(t, []any{new(7.0), new(true)}, []any{kept.Threshold, kept.ThresholdApproves})
	a.call(t, "judge_tendencies", vars{"judgeId": "critic"}, &told)
	assert.Contains(t, told.Says[len(told.Says)-1], "of 1 verdict recorded under a threshold")
	var data struct{ Node struct{ Label bool } }
	w.ask(t, `{ node(id: "verdict:v0") { ... on Verdict { label } } }`, nil, &data)
	assert.True(t, data.Node.Label, "as by the other doors")
}

// testMinedPlansByMCP completes runs whose verdicts name no approach, and is guided by what their plans show.
func testMinedPlansByMCP(t *testing.T, w *world) {
	a := w.agent(t)
	for _, run := range []string{"one", "two", "three"} {
		for iteration, plan := range []vars{{"lanes": []vars{{"template": "pulse"}}, "key": "A"}, {"lanes": []vars{{"template": "glow"}}, "key": "A"}} {
			a.call(t, "record_verdict", vars{
				"runId": run, "sectionId": "verse", "sectionType": "verse", "judgeId": "critic", "iteration": iteration,
				"status": []string{"SOFT_FAIL", "APPROVE"}[iteration], "score": 8, "plan": plan,
			}, nil)
		}
		a.call(t, "complete_run", vars{"runId": run}, nil)
	}
	var told struct{ Dos []string }
	a.call(t, "guidance", vars{"sectionType": "verse"}, &told)
	assert.Equal(t, []string{"DO set lanes[].template to glow (mined from plans; success rate: 100%, avg score: 8.0)"}, told.Dos)
}

// testMonitoringByMCP asks how an agent and its judges do, and what waits.
func testMonitoringByMCP(t *testing.T, w *world) {
	a := w.agent(t)
	shown := func(canvas, action string, seconds int, of vars) vars {
		action = fmt.Sprint(action)
		out := vars{"canvasId": canvas, "canvasType": "charts", "componentType": canvas, "action": action, "at": after(seconds)}
		for key, value := range of {
			out[key] = value
		}
		return out
	}
	a.call(t, "record_canvas_actions", vars{"actions": []vars{
		shown("line", "PRESENT", 0, vars{"episodeId": "e"}), shown("line", "CLOSE", 3, vars{"episodeId": "e"}),
		shown("bar", "PRESENT", 10, vars{"sessionId": "later"}),
	}}, nil)
	for field, wrong := range map[string]vars{
		"episodeId": {"episodeId": "agent:x", "type": "THUMBS_UP"}, "canvasId": {"canvasId": "episode:x", "type": "THUMBS_UP"},
	} {
		refused := a.refuse(t, "submit_feedback", wrong)
		assert.Equal(t, []string{"INVALID_INPUT", field}, []string{refused.Code, refused.Field})
	}
	wrong := a.refuse(t, "record_canvas_actions", vars{"actions": []vars{shown("pie", "PRESENT", 0, vars{"episodeId": "agent:x"})}})
	assert.Equal(t, []string{"INVALID_INPUT", "actions.0.episodeId"}, []string{wrong.Code, wrong.Field})
	var waiting struct{ Waiting []struct{ ID string } }
	a.call(t, "backfill", vars{"waiting": "canvas"}, &waiting)
	assert.Equal(t, []struct{ ID string }{{"canvas:bar"}, {"canvas:line"}}, waiting.Waiting)
	a.call(t, "record_episode", vars{"id": "e", "agentId": "ada", "taskType": "report", "observation": "The revenue was asked for", "outcome": "SUCCESS"}, nil)
	a.call(t, "backfill", vars{"waiting": "canvas"}, &waiting)
	assert.Equal(t, []struct{ ID string }{{"canvas:bar"}}, waiting.Waiting)
	a.call(t, "submit_feedback", vars{"episodeId": "e", "type": "THUMBS_UP"}, nil)

	var weighed struct{ Quality float64 }
	a.call(t, "graduation", vars{"agentId": "ada", "weights": vars{"completion": 0, "feedbackQuality": 1, "canvasSuccess": 1, "consistency": 0}}, &weighed)
	assert.InDelta(t, 0.5, weighed.Quality, 1e-9, "liked, and closed quickly")
	var taken struct{ ClosesQuickly []string }
	a.call(t, "canvas_insights", vars{"agentId": "ada"}, &taken)
	assert.Equal(t, []string{"charts/line"}, taken.ClosesQuickly)

	for i, energy := range []string{"high", "high", "calm"} {
		a.call(t, "record_verdict", vars{
			"runId": "r", "sectionId": fmt.Sprint(i), "sectionType": "verse", "context": vars{"energy": energy, "key": "A"}, "judgeId": "critic",
			"iteration": 0, "status": []string{"APPROVE", "SOFT_FAIL", "APPROVE"}[i], "score": 5 + i,
		}, nil)
	}
	var chart struct {
		Points []struct{ ApprovalRate, JudgeScore *float64 }
	}
	rates := map[string]float64{}
	for name, of := range map[string]vars{
		"verse": {"sectionType": "verse"}, "high": {"sectionType": "verse", "context": vars{"energy": "high"}}, "calm": {"context": vars{"energy": "calm", "key": "A"}},
	} {
		a.call(t, "trends", of, &chart)
		require.Len(t, chart.Points, 1, name)
		rates[name] = *chart.Points[0].ApprovalRate
	}
	assert.InDeltaMapValues(t, map[string]float64{"verse": 2.0 / 3, "high": 0.5, "calm": 1}, rates, 1e-9)
	chart.Points = nil
	a.call(t, "trends", vars{"sectionType": "outro"}, &chart)
	for _, point := range chart.Points {
		assert.Nil(t, point.ApprovalRate)
	}
}

// testKnowledgeByMCP walks around a concept, finds a way, and reads when something was put right.
func testKnowledgeByMCP(t *testing.T, w *world) {
	a := w.agent(t)
	a.call(t, "memoir_create", vars{"id": "m", "name": "M"}, nil)
	for _, name := range []string{"a", "b", "c", "d"} {
		a.call(t, "memoir_add_concept", vars{"id": name, "memoirId": "m", "name": name, "content": "Known"}, nil)
	}
	for i, pair := range []string{"ab", "bc", "cd"} {
		a.call(t, "memoir_link", vars{"sourceId": pair[:1], "targetId": pair[1:], "type": []string{"part_of", "Part_Of", "depends_on"}[i]}, nil)
	}
	var seen struct {
		Around struct {
			Nodes []struct {
				ID    string
				Depth int
			}
			Edges []struct{ Source, Target, Type string }
		}
	}
	for depth := 1; depth <= 3; depth++ {
		a.call(t, "memoir_inspect", vars{"id": "a", "depth": depth}, &seen)
		assert.Len(t, seen.Around.Nodes, 1+depth)
		assert.Len(t, seen.Around.Edges, depth)
	}
	ways := func(of vars) int {
		var way struct {
			Nodes []struct {
				ID    string
				Depth int
			}
		}
		of["id"], of["to"] = "concept:d", "concept:a"
		a.call(t, "neighbourhood", of, &way)
		for i, node := range way.Nodes {
			assert.Equal(t, i, node.Depth)
		}
		return len(way.Nodes)
	}
	assert.Equal(t, 3, ways(vars{}), "by the memoir that has both")
	assert.Equal(t, 4, ways(vars{"relations": []string{"part_of", "DEPENDS_ON"}}))
	assert.Zero(t, ways(vars{"relations": []string{"PART_OF"}}))
	assert.Zero(t, ways(vars{"depth": 1}))
	for field, wrong := range map[string]vars{
		"to": {"to": "concept:none"}, "id": {"id": "concept:none", "to": "concept:a"}, "depth": {"to": "concept:b", "depth": 9},
		"first": {"to": "concept:b", "first": 5}, "direction": {"to": "concept:b", "direction": "OUT"}, "replay": {"to": "concept:b", "replay": true},
	} {
		if wrong["id"] == nil {
			wrong["id"] = "concept:a"
		}
		assert.Equal(t, field, a.refuse(t, "neighbourhood", wrong).Field)
	}
	assert.Equal(t, "depth", a.refuse(t, "memoir_inspect", vars{"id": "a", "depth": 4}).Field)
	a.call(t, "feedback_record", vars{"topic": "sizes", "prediction": "Shirts come in seven sizes", "correction": "They come in five"}, nil)
	var found struct{ Hits []struct{ CreatedAt string } }
	a.call(t, "feedback_search", vars{"query": "shirts"}, &found)
	require.Len(t, found.Hits, 1)
	assert.NotEmpty(t, found.Hits[0].CreatedAt)
}

// testForgettingByMCP forgets a record of each kind, which an import does not bring back.
func testForgettingByMCP(t *testing.T, w *world) {
	a := w.agent(t)
	a.call(t, "record_episode", vars{"id": "e", "agentId": "ada", "observation": "A toaster came back", "outcome": "FAILURE"}, nil)
	a.call(t, "record_episode", vars{"id": "kept", "agentId": "ada", "observation": "A kettle came back", "outcome": "SUCCESS"}, nil)
	a.call(t, "record_canvas_actions", vars{"actions": []vars{{"canvasId": "c", "episodeId": "kept", "canvasType": "docs", "action": "PRESENT"}}}, nil)
	a.call(t, "submit_feedback", vars{"id": "f", "episodeId": "kept", "type": "THUMBS_UP"}, nil)
	for _, memoir := range []string{"m", "n"} {
		a.call(t, "memoir_create", vars{"id": memoir, "name": memoir}, nil)
		a.call(t, "memoir_add_concept", vars{"id": memoir + "1", "memoirId": memoir, "name": memoir, "content": "Known"}, nil)
	}
	a.call(t, "record_observation", vars{"id": "o", "content": "The office closes at six"}, nil)
	a.call(t, "feedback_record", vars{"id": "r", "topic": "t", "prediction": "p", "correction": "c"}, nil)
	before := w.exported(t)
	forgotten := []string{"episode:e", "canvas:c", "feedback:f", "memoir:m", "concept:n1", "observation:o", "correction:r"}
	for _, id := range forgotten {
		a.call(t, "forget_record", vars{"id": id}, nil)
	}
	w.imported(t, before)
	for _, id := range append(forgotten, "concept:m1") {
		var data struct{ Node *struct{ ID string } }
		w.ask(t, `query ($id: ID!) { node(id: $id) { id } }`, vars{"id": id}, &data)
		assert.Nil(t, data.Node, id)
		assert.Equal(t, "NOT_FOUND", a.refuse(t, "neighbourhood", vars{"id": id}).Code, id)
	}
	var data struct{ Node *struct{ ID string } }
	w.ask(t, `{ node(id: "memoir:n") { id } }`, nil, &data)
	assert.NotNil(t, data.Node)
}
