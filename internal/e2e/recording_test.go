package e2e

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// whole selects every field of an episode that stands by itself.
const whole = `
	id title agent { id name taskTypes } sessionId taskType observation thoughts actions { stepId stepName result }
	result outcome insight executionIds startedAt endedAt durationSeconds createdAt
	segments { kind text startedAt endedAt }
	events(first: 3) { edges { cursor node { sequence type data at } } nodes { sequence } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }
	canvasIds canvasActionCount
	canvasContext { id episode { id } sessionId canvasType componentType actions { action metadata at } states customStates dwellSeconds reward metadata createdAt }
	canvases { edges { cursor node { id } } nodes { id } pageInfo { hasNextPage } totalCount }
	feedbackIds aggregateFeedbackScore
	feedbackContext { id episode { id } canvas { id } type rating score corrections comment source agentExecutionId createdBy createdAt }
	feedback { edges { cursor node { id } } nodes { id } pageInfo { hasNextPage } totalCount }
	reward receipt { tokensBefore tokensAfter redactions { kind count } }
	causes { nodes { id } } causedBy { nodes { id } } previous { id } next { id } metadata`

func testRecordAndRead(t *testing.T, w *world) {
	w.do(t, "recordEpisode", "episode { id agent { name } }", vars{
		"id": "trip-1", "agentId": "ada", "agentName": "Ada", "title": "Change a booking", "sessionId": "monday",
		"taskType": "airline", "executionIds": []string{"exec-1"}, "observation": "A customer wants another flight.",
		"thoughts": []string{"Look at the policy."}, "actions": []vars{{"stepId": "1", "stepName": "search", "result": vars{"flights": 2}}},
		"result": "Changed.", "outcome": "SUCCESS", "insight": "The policy was read first.",
		"startedAt": "2026-06-01T12:00:00+02:00", "endedAt": "2026-06-01T10:01:30.5Z", "metadata": vars{"channel": "phone"}, "quality": 0.9,
	}, nil)
	w.canvas(t, vars{"canvasId": "chart", "episodeId": "trip-1", "sessionId": "monday", "canvasType": "charts", "componentType": "bar_chart"},
		vars{"action": "PRESENT", "metadata": vars{"rows": 3}}, vars{"action": "CLOSE", "at": after(30)})
	w.feedback(t, vars{"id": "like", "agentExecutionId": "exec-1", "canvasId": "canvas:chart", "type": "RATING", "rating": 4, "source": "CANVAS", "createdBy": "ann", "corrections": "Faster.", "comment": "Complete.", "at": after(40)})

	var data struct{ Episode map[string]any }
	w.ask(t, `query ($id: ID!) { episode(id: $id) { `+whole+` } }`, vars{"id": "trip-1"}, &data)
	e := data.Episode
	for field, expected := range map[string]any{
		"id": "episode:trip-1", "title": "Change a booking", "sessionId": "session:monday", "taskType": "airline",
		"observation": "A customer wants another flight.", "thoughts": []any{"Look at the policy."},
		"actions": []any{map[string]any{"stepId": "1", "stepName": "search", "result": map[string]any{"flights": 2.0}}},
		"result":  "Changed.", "outcome": "SUCCESS", "insight": "The policy was read first.", "executionIds": []any{"exec-1"},
		"startedAt": "2026-06-01T10:00:00.000Z", "endedAt": "2026-06-01T10:01:30.500Z", "durationSeconds": 90.5,
		"createdAt": "2026-06-01T12:00:00.000Z", "metadata": map[string]any{"channel": "phone"},
		"agent":     map[string]any{"id": "agent:ada", "name": "Ada", "taskTypes": []any{"airline"}},
		"canvasIds": []any{"canvas:chart"}, "canvasActionCount": 2.0, "feedbackIds": []any{"feedback:like"},
		"aggregateFeedbackScore": 0.5, "reward": 0.25, // 0.1 for the slow close, 0.3 × 0.5 for the rating
		"causes": map[string]any{"nodes": []any{}}, "causedBy": map[string]any{"nodes": []any{}}, "previous": nil, "next": nil,
		"canvasContext": []any{map[string]any{
			"id": "canvas:chart", "episode": map[string]any{"id": "episode:trip-1"}, "sessionId": "session:monday",
			"canvasType": "charts", "componentType": "bar_chart", "states": []any{"PRESENTED", "CLOSED_SLOWLY"},
			"actions": []any{
				map[string]any{"action": "PRESENT", "metadata": map[string]any{"rows": 3.0}, "at": "2026-06-01T11:00:00.000Z"},
				map[string]any{"action": "CLOSE", "metadata": nil, "at": "2026-06-01T11:00:30.000Z"},
			},
			"customStates": []any{}, "dwellSeconds": 30.0, "reward": 0.1, "metadata": map[string]any{"rows": 3.0}, "createdAt": "2026-06-01T11:00:00.000Z",
		}},
		"feedbackContext": []any{map[string]any{
			"id": "feedback:like", "episode": map[string]any{"id": "episode:trip-1"}, "canvas": map[string]any{"id": "canvas:chart"},
			"type": "RATING", "rating": 4.0, "score": 0.5, "corrections": "Faster.", "comment": "Complete.", "source": "CANVAS",
			"agentExecutionId": "exec-1", "createdBy": "ann", "createdAt": "2026-06-01T11:00:40.000Z",
		}},
	} {
		assert.Equal(t, expected, e[field], field)
	}
	for _, list := range []string{"canvases", "feedback"} {
		page, ok := e[list].(map[string]any)
		require.True(t, ok, list)
		assert.Equal(t, 1.0, page["totalCount"], list)
		assert.Len(t, page["edges"], 1, list)
	}
}

func testBatches(t *testing.T, w *world) {
	episode := func(id, observation string) vars {
		return vars{"id": id, "agentId": "ada", "observation": observation}
	}
	var payload struct{ Result batch }
	send := func() {
		w.do(t, "recordEpisodes", "result { succeeded failed ids errors { index code message field } }",
			vars{"episodes": []vars{episode("a", "One."), episode("b", "  "), episode("a", "Another."), episode("c", "Three.")}}, &payload)
	}
	for range 2 { // the same batch again is the same records
		payload.Result = batch{}
		send()
		result := payload.Result
		assert.Equal(t, 2, result.Succeeded)
		assert.Equal(t, 2, result.Failed)
		require.Len(t, result.IDs, 4)
		assert.Equal(t, "episode:a", *result.IDs[0])
		assert.Nil(t, result.IDs[1])
		assert.Nil(t, result.IDs[2])
		require.Len(t, result.Errors, 2)
		assert.Equal(t, []any{1, "INVALID_INPUT", 2, "CONFLICT"},
			[]any{result.Errors[0].Index, result.Errors[0].Code, result.Errors[1].Index, result.Errors[1].Code})
		assert.Contains(t, result.Errors[0].Field, "observation")
		assert.Equal(t, 2, w.count(t))
	}
}

func testCapture(t *testing.T, w *world) {
	event := func(minute int, kind string, data vars) vars {
		return vars{"type": kind, "data": data, "at": now.Add(time.Duration(minute-60) * time.Minute)}
	}
	run := vars{"runId": "run-7", "agentId": "ada", "workflowName": "refund", "sessionId": "tuesday", "events": []vars{
		event(0, "workflow_started", vars{"args": vars{"order": 17, "request": "Refund order 17"}}),
		event(1, "agent_thought", vars{"thought": "Check the order."}),
		event(2, "step_completed", vars{"step_id": "s1", "step_name": "look_up", "result": vars{"paid": true}}),
		event(3, "agent_message", vars{"role": "assistant", "content": "Your refund is on its way."}),
		event(4, "workflow_completed", vars{"result": "refunded"}),
	}}
	for range 2 { // a run that is sent again is the same run
		var payload struct {
			Unread  []string
			Episode struct {
				ID, Title, Observation, Outcome, TaskType, Result, Insight string
				Thoughts                                                   []string
				DurationSeconds                                            float64
				Actions                                                    []struct{ StepName string }
				Segments                                                   []struct{ Kind string }
				Events                                                     struct {
					TotalCount int
					Nodes      []struct {
						Sequence int
						Type     string
					}
				}
			}
		}
		w.do(t, "captureRun", `episode { id title observation outcome taskType result insight thoughts durationSeconds
			actions { stepName } segments { kind } events(first: 2) { totalCount nodes { sequence type } } } unread`, run, &payload)
		e := payload.Episode
		assert.Equal(t, "episode:run-7", e.ID)
		assert.Equal(t, "Refund order 17", e.Title)
		assert.Contains(t, e.Observation, "Workflow started with args:")
		assert.Equal(t, []string{"Check the order.", "Your refund is on its way."}, e.Thoughts)
		assert.Equal(t, "look_up", e.Actions[0].StepName)
		assert.Equal(t, []string{"SUCCESS", "refund", "refunded"}, []string{e.Outcome, e.TaskType, e.Result})
		assert.NotEmpty(t, e.Insight)
		assert.InDelta(t, 240, e.DurationSeconds, 1e-9)
		assert.NotEmpty(t, e.Segments)
		assert.Equal(t, 5, e.Events.TotalCount)
		assert.Equal(t, "agent_thought", e.Events.Nodes[1].Type)
		assert.Equal(t, []string{}, payload.Unread)
	}
	var noted struct{ Unread []string }
	w.do(t, "captureRun", "unread", vars{"runId": "run-8", "agentId": "ada", "events": []vars{
		event(0, "agent_thought", vars{"thougth": "Check the order."}), event(1, "workflow_complete", vars{"result": "refunded"}),
		event(2, "agent_thought", vars{"text": "It is on its way."}),
	}}, &noted)
	assert.Equal(t, []string{
		`event 0, and 1 event like it: the data of agent_thought have no "thought": no thought comes of it`,
		`event 1: the type "workflow_complete" is none that a run is read by: no thought, action or outcome comes of it`,
	}, noted.Unread)
}

// testRunsTold captures a run with what its log does not tell, and replays it.
func testRunsTold(t *testing.T, w *world) {
	w.episode(t, "first", "It began.", vars{"startedAt": after(-60)})
	w.episode(t, "later", "It went on.", vars{"startedAt": after(60)})
	w.memoir(t, "m")
	w.concept(t, "m", "refund", "Within 24 hours.")
	events := make([]vars, 250)
	for i := range events {
		events[i] = vars{"type": "agent_thought", "data": vars{"thought": fmt.Sprint("Thought ", i)}, "at": after(i)}
	}
	events[249] = vars{"type": "workflow_completed", "data": vars{"result": "done"}, "at": after(249)}
	run := vars{
		"runId": "told", "agentId": "ada", "workflowName": "refund", "events": events, "executionIds": []string{"x-1"},
		"insight": "It asked first.", "causedBy": []string{"first", "unborn"}, "conceptIds": []string{"concept:refund"},
		"embedding": []float64{0, 3, 4}, "metadata": vars{"ticket": 7}, "quality": 0.25,
	}
	var payload struct {
		Episode struct {
			ID, Insight  string
			ExecutionIDs []string
			Metadata     map[string]any
			Concepts     []named
			CausedBy     struct{ Nodes []struct{ ID string } }
		}
	}
	for range 2 {
		w.do(t, "captureRun", "episode { id insight executionIds metadata concepts { id name } causedBy { nodes { id } } }", run, &payload)
		assert.Equal(t, "It asked first.", payload.Episode.Insight)
		assert.Equal(t, []string{"x-1"}, payload.Episode.ExecutionIDs)
		assert.Equal(t, map[string]any{"ticket": 7.0}, payload.Episode.Metadata)
		assert.Equal(t, []named{{"concept:refund", "refund"}}, payload.Episode.Concepts)
		assert.Equal(t, []struct{ ID string }{{"episode:first"}}, payload.Episode.CausedBy.Nodes)
	}
	var hit struct {
		Recall struct {
			Hits []struct{ Episode struct{ ID string } }
		}
		Profile struct{ AvgQuality float64 }
	}
	w.ask(t, `{ recall(input: {situation: "zzz", topK: 1, embedding: [0, 3, 4]}) { hits { episode { id } } }
		profile: learningProfile(agentId: "ada", taskType: "refund") { avgQuality } }`, nil, &hit)
	assert.Equal(t, "episode:told", hit.Recall.Hits[0].Episode.ID)
	assert.InDelta(t, 0.25, hit.Profile.AvgQuality, 1e-9)

	capture := mutationOf("captureRun", "episode { id }")
	for field, more := range map[string]vars{
		"causedBy": {"causedBy": []string{"first", "later"}}, "insight": {"insight": strings.Repeat("x", 2<<20)},
		"quality": {"quality": 2}, "metadata": {"metadata": nestedLists(65)}, "embedding": {"embedding": []float64{1}},
		"executionIds": {"executionIds": make([]string, 1001)},
	} {
		other := vars{"runId": "never", "agentId": "ada", "events": events[:1]}
		maps.Copy(other, more)
		assert.Equal(t, field, w.refuse(t, capture, vars{"input": other}).Extensions.Field)
	}

	var numbers []int
	var page struct {
		Replay struct {
			Nodes    []struct{ Sequence int }
			PageInfo struct {
				HasNextPage bool
				EndCursor   *string
			}
			TotalCount int
		}
	}
	const replay = `query ($id: ID!, $after: String) { replay(episodeId: $id, first: 100, after: $after) {
		nodes { sequence type data at } pageInfo { hasNextPage endCursor } totalCount } }`
	for more := true; more; more = page.Replay.PageInfo.HasNextPage {
		w.ask(t, replay, vars{"id": "episode:told", "after": page.Replay.PageInfo.EndCursor}, &page)
		assert.Equal(t, 250, page.Replay.TotalCount)
		for _, event := range page.Replay.Nodes {
			numbers = append(numbers, event.Sequence)
		}
	}
	require.Len(t, numbers, 250)
	assert.IsIncreasing(t, numbers)
	w.ask(t, replay, vars{"id": "first", "after": nil}, &page)
	assert.Zero(t, page.Replay.TotalCount, "one that has no log")
	fault := w.refuse(t, replay, vars{"id": "nobody", "after": nil})
	assert.Equal(t, []any{"NOT_FOUND", "episodeId"}, []any{fault.Extensions.Code, fault.Extensions.Field})
}

// testRunsInParts sends a run in parts, the last first and some twice, and the same run at once.
func testRunsInParts(t *testing.T, w *world) {
	const events, each = 60, 7
	log := make([]vars, events)
	for i := range log {
		log[i] = vars{"type": "agent_thought", "data": vars{"thought": fmt.Sprint("<private>secret</private> thought ", i)}, "at": after(i)}
	}
	log[0] = vars{"type": "workflow_started", "data": vars{"args": vars{"order": "A-17"}}, "at": after(0)}
	log[events-1] = vars{"type": "workflow_failed", "data": vars{"error": "no seats"}, "at": after(events)}
	run := func(id string, more vars) vars {
		all := vars{"runId": id, "agentId": "ada", "workflowName": "refund", "sessionId": "s", "metadata": vars{"ticket": 7}}
		maps.Copy(all, more)
		return all
	}
	type told struct {
		Episode struct {
			Title, Observation, Outcome, Result, Insight, StartedAt, EndedAt string
			Thoughts                                                         []string
			Segments                                                         []struct{ Kind, Text string }
			Events                                                           struct{ TotalCount int }
		}
	}
	const own = "episode { title observation outcome result insight startedAt endedAt thoughts segments { kind text } events { totalCount } }"
	var whole, parts told
	w.do(t, "captureRun", own, run("whole", vars{"events": log}), &whole)
	capture := mutationOf("captureRun", "episode { id }")
	for from := events - each + 3; from > -each; from -= each {
		part := []vars{}
		for i := max(from, 0); i < min(from+each+2, events); i++ { // each overlaps the one before it
			event := vars{"sequence": i}
			maps.Copy(event, log[i])
			part = append(part, event)
		}
		parts = told{}
		w.do(t, "captureRun", own, run("parts", vars{"append": true, "events": part}), &parts)
		if from > 0 {
			assert.Equal(t, "UNKNOWN", parts.Episode.Outcome)
			assert.Empty(t, parts.Episode.Thoughts)
		}
		changed := vars{"sequence": max(from, 0), "type": "another", "at": after(0)}
		fault := w.refuse(t, capture, vars{"input": run("parts", vars{"append": true, "events": []vars{changed}})})
		assert.Equal(t, []any{"CONFLICT", "events.0.sequence"}, []any{fault.Extensions.Code, fault.Extensions.Field})
	}
	assert.Equal(t, whole, parts)
	assert.Equal(t, "FAILURE", parts.Episode.Outcome)
	assert.Equal(t, events, parts.Episode.Events.TotalCount)
	more := vars{"sequence": events, "type": "late", "at": after(events)}
	assert.Equal(t, "CONFLICT", w.refuse(t, capture, vars{"input": run("parts", vars{"append": true, "events": []vars{more}})}).Extensions.Code)

	w.do(t, "captureRun", "episode { id }", run("open", vars{"append": true, "events": []vars{more}}), nil)
	conclude := mutationOf("concludeEpisode", "episode { id }")
	missing := w.refuse(t, conclude, vars{"input": vars{"id": "open", "outcome": "SUCCESS"}})
	assert.Equal(t, "CONFLICT", missing.Extensions.Code)
	assert.Contains(t, missing.Message, "lacks the events 0 to 59")

	part := func(sequence int, kind string, data vars) (payload told) {
		w.do(t, "captureRun", own, run("interrupted", vars{"append": true, "events": []vars{{"sequence": sequence, "type": kind, "data": data, "at": after(sequence)}}}), &payload)
		return payload
	}
	begun := part(0, "workflow_started", vars{"args": "Migrate the orders"}).Episode
	assert.Equal(t, []any{"Migrate the orders", "Migrate the orders", "UNKNOWN"}, []any{begun.Title, begun.Observation, begun.Outcome}, "what began it")
	part(1, "agent_thought", vars{"thought": "A copy comes first"})
	broken := part(2, "workflow_interrupted", vars{"by": "Ctrl-C"}).Episode
	assert.Equal(t, "UNKNOWN", broken.Outcome)
	assert.Equal(t, []string{"A copy comes first"}, broken.Thoughts, "all so far")
	ended := part(3, "workflow_completed", vars{"result": "Migrated"}).Episode
	assert.Equal(t, []any{"SUCCESS", "Migrated"}, []any{ended.Outcome, ended.Result}, "it may go on")
}

func testConclude(t *testing.T, w *world) {
	w.episode(t, "open", "A long task.", nil)
	end := vars{"id": "episode:open", "outcome": "FAILURE", "result": "Ran out of time.", "insight": "Too slow.", "endedAt": now, "quality": 0.1}
	var payload struct {
		Episode struct {
			Outcome, Result, Insight, EndedAt string
			GivenQuality                      float64
			Quality                           struct{ Value float64 }
		}
	}
	const all = "episode { outcome result insight endedAt givenQuality quality { value } }"
	w.do(t, "concludeEpisode", all, end, &payload)
	assert.Equal(t, 0.1, payload.Episode.GivenQuality)
	assert.InDelta(t, 0.2, payload.Episode.Quality.Value, 1e-12, "the other number, of a failure of which nothing more is known")
	assert.Equal(t, "FAILURE", payload.Episode.Outcome)
	assert.Equal(t, "Ran out of time.", payload.Episode.Result)
	assert.Equal(t, "2026-06-01T12:00:00.000Z", payload.Episode.EndedAt)
	first := payload
	w.do(t, "concludeEpisode", all, end, &payload)
	assert.Equal(t, first, payload, "the same again")
	end["result"] = "Done."
	assert.Equal(t, "CONFLICT", w.refuse(t, mutationOf("concludeEpisode", "episode { id }"), vars{"input": end}).Extensions.Code)
}

func testDelete(t *testing.T, w *world) {
	w.episode(t, "cause", "First.", vars{"sessionId": "s"})
	w.episode(t, "effect", "Second.", vars{"causedBy": []string{"cause"}})
	w.canvas(t, vars{"canvasId": "c", "episodeId": "cause", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "f", "episodeId": "cause", "type": "THUMBS_UP"})
	var payload struct{ DeletedID string }
	w.do(t, "deleteEpisode", "deletedId", vars{"id": "cause"}, &payload)
	assert.Equal(t, "episode:cause", payload.DeletedID)

	var data struct {
		Nodes  []*struct{ ID string }
		Effect struct {
			CausedBy struct{ Nodes []struct{ ID string } }
		}
	}
	w.ask(t, `{ nodes(ids: ["episode:cause", "canvas:c", "feedback:f", "session:s", "agent:ada"]) { id }
		effect: episode(id: "effect") { causedBy { nodes { id } } } }`, nil, &data)
	for i := range 4 {
		assert.Nil(t, data.Nodes[i], i)
	}
	assert.NotNil(t, data.Nodes[4])
	assert.Empty(t, data.Effect.CausedBy.Nodes)
	assert.Equal(t, "NOT_FOUND", w.refuse(t, mutationOf("deleteEpisode", "deletedId"), vars{"input": vars{"id": "cause"}}).Extensions.Code)
}

// testBackfill records canvases and feedback of a session that no episode explains until later.
func testBackfill(t *testing.T, w *world) {
	early := now.Add(-26 * time.Hour) // more than a day before the episode
	w.canvas(t, vars{"canvasId": "old", "sessionId": "s", "canvasType": "docs", "at": early}, vars{"action": "PRESENT", "at": early})
	waiting := func() bool {
		var data struct {
			Node                   struct{ Waiting bool }
			Canvases, All, Settled struct {
				TotalCount int
				Nodes      []struct{ ID string }
			}
			Feedback struct{ Nodes []struct{ ID string } }
		}
		w.ask(t, `{ node(id: "canvas:old") { ... on Canvas { waiting } }
			canvases(waiting: true) { totalCount nodes { id } } settled: canvases(waiting: false) { totalCount } all: canvases { totalCount nodes { id } }
			feedback(waiting: true, first: 1) { nodes { id } } }`, nil, &data)
		assert.Equal(t, 1, data.All.TotalCount)
		assert.Equal(t, "canvas:old", data.All.Nodes[0].ID)
		assert.Equal(t, data.Node.Waiting, data.Canvases.TotalCount == 1)
		assert.Equal(t, data.Node.Waiting, data.Settled.TotalCount == 0)
		assert.Equal(t, data.Node.Waiting, len(data.Feedback.Nodes) == 1)
		return data.Node.Waiting
	}
	w.feedback(t, vars{"id": "old", "sessionId": "s", "type": "THUMBS_UP", "at": early})
	w.episode(t, "later", "The first of its session.", vars{"sessionId": "s"})

	read := func() (ids []string) {
		var data struct {
			Episode struct{ CanvasIDs, FeedbackIDs []string }
		}
		w.ask(t, `{ episode(id: "later") { canvasIds feedbackIds } }`, nil, &data)
		return append(data.Episode.CanvasIDs, data.Episode.FeedbackIDs...)
	}
	assert.Empty(t, read())
	assert.True(t, waiting())
	var payload struct{ LinkedCanvases, LinkedFeedback, Episodes int }
	w.do(t, "backfill", "linkedCanvases linkedFeedback episodes", vars{"sessionId": "session:s"}, &payload)
	assert.Equal(t, []int{1, 1, 1}, []int{payload.LinkedCanvases, payload.LinkedFeedback, payload.Episodes})
	assert.Equal(t, []string{"canvas:old", "feedback:old"}, read())
	assert.False(t, waiting())
	w.do(t, "backfill", "linkedCanvases linkedFeedback episodes", vars{}, &payload)
	assert.Zero(t, payload.LinkedCanvases+payload.LinkedFeedback+payload.Episodes)
}

// testWaiting sends what belongs to an episode before the episode.
func testWaiting(t *testing.T, w *world) {
	w.canvas(t, vars{"canvasId": "c", "episodeId": "late", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "f", "canvasId": "c", "type": "THUMBS_DOWN"})
	read := func() *struct{ ID string } {
		var data struct {
			Node struct {
				Waiting bool
				Episode *struct{ ID string }
			}
		}
		w.ask(t, `{ node(id: "feedback:f") { ... on Feedback { waiting episode { id } canvas { id } } } }`, nil, &data)
		assert.Equal(t, data.Node.Episode == nil, data.Node.Waiting)
		return data.Node.Episode
	}
	assert.Nil(t, read())
	w.episode(t, "late", "Recorded last.", nil)
	require.NotNil(t, read())
	assert.Equal(t, "episode:late", read().ID)
}

func testChangedVote(t *testing.T, w *world) {
	w.episode(t, "voted", "One person has an opinion.", nil)
	vote := func(id string, more vars) {
		input := vars{"id": id, "createdBy": "ann", "type": "THUMBS_UP"}
		maps.Copy(input, more)
		w.ask(t, mutationOf("submitFeedback", "feedback { id }"), vars{"input": input}, nil)
	}
	vote("up", vars{"episodeId": "voted", "at": "2026-03-01T12:00:00Z"})
	vote("down", vars{"type": "THUMBS_DOWN", "replaces": "feedback:up", "at": "2026-03-02T12:00:00Z"})
	var data struct {
		Episode struct {
			AggregateFeedbackScore float64
			Feedback               struct {
				TotalCount int
				Nodes      []struct {
					ID       string
					Replaces struct{ ID, ReplacedAt string }
				}
			}
		}
	}
	w.ask(t, `{ episode(id: "voted") { aggregateFeedbackScore feedback { totalCount nodes { id replaces { id replacedAt } } } } }`, nil, &data)
	assert.Equal(t, -1.0, data.Episode.AggregateFeedbackScore)
	assert.Equal(t, 1, data.Episode.Feedback.TotalCount)
	require.Len(t, data.Episode.Feedback.Nodes, 1)
	assert.Equal(t, "feedback:up", data.Episode.Feedback.Nodes[0].Replaces.ID)
	assert.Equal(t, "2026-03-02T12:00:00.000Z", data.Episode.Feedback.Nodes[0].Replaces.ReplacedAt)
	around := func(id string) string {
		return string(w.post(t, `{ neighbourhood(id: "`+id+`") { nodes { node { id } } edges { source target } } }`, nil).Data)
	}
	assert.NotContains(t, around("episode:voted"), "feedback:up")
	assert.Contains(t, around("episode:voted"), "feedback:down")
	assert.Contains(t, around("feedback:up"), "episode:voted")
	again := vars{"input": vars{"type": "THUMBS_UP", "replaces": "up", "createdBy": "ann"}}
	assert.Equal(t, "CONFLICT", w.refuse(t, mutationOf("submitFeedback", "feedback { id }"), again).Extensions.Code)
}

func testConcurrentFeedback(t *testing.T, w *world) {
	w.episode(t, "popular", "Everyone has an opinion.", nil)
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			answer := w.post(t, mutationOf("submitFeedback", "aggregateFeedbackScore feedback { id }"), vars{"input": vars{
				"id": fmt.Sprintf("f%d", i), "episodeId": "popular", "type": "RATING", "rating": i%5 + 1,
			}})
			assert.Empty(t, answer.Errors)
		})
	}
	all.Wait()
	var sum float64
	for i := range 64 {
		sum += float64(i%5)/2 - 1
	}
	var data struct {
		Episode struct {
			AggregateFeedbackScore float64
			Feedback               struct{ TotalCount int }
		}
	}
	w.ask(t, `{ episode(id: "popular") { aggregateFeedbackScore feedback { totalCount } } }`, nil, &data)
	assert.InDelta(t, sum/64, data.Episode.AggregateFeedbackScore, 1e-12)
	assert.Equal(t, 64, data.Episode.Feedback.TotalCount)
}

func testTenants(t *testing.T, w *world) {
	w.episode(t, "mine", "A secret.", nil)
	other := w.world()
	var data struct{ Episode *struct{ ID string } }
	other.ask(t, `{ episode(id: "mine") { id } }`, nil, &data)
	assert.Nil(t, data.Episode)
	assert.Zero(t, other.count(t))
	assert.Equal(t, 1, w.count(t))
}
