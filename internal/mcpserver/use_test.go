package mcpserver_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
)

type recalled struct {
	Hits []struct {
		ID, Outcome string
		Score       float64
		Reasons     []string
		Episode     *struct{ Observation string }

		Insight     string
		Canvases    []shownCanvas
		Feedback    []struct{ ID, CanvasID, Corrections string }
		CanvasIDs   []string
		FeedbackIDs []string
		Concepts    []struct{ ID, Name, Content string }
	}
	Lessons        string
	Corrections    []struct{ ID, Topic, Snippet string }
	CanvasInsights *struct{ ClosesQuickly, Engages, Submits []string }
}

type shownCanvas struct {
	ID, Canvas   string
	States       []string
	DwellSeconds *float64
	StateCount   int
}

// A whole episode of use, through MCP alone: recall, work, record, be corrected, recall again and see it.
func TestEpisodeOfUse(t *testing.T) {
	t.Parallel()
	everyDoor(t, func(t *testing.T, a *agent) {
		const situation = "A customer wants a refund for a kettle that leaks"
		var before recalled
		a.call(t, "recall", vars{"situation": situation}, &before)
		require.Empty(t, before.Hits)
		require.Empty(t, before.Lessons)

		var kept struct{ ID, Outcome, Insight string }
		a.call(t, "record_episode", vars{
			"id": "run-1", "agentId": "support", "taskType": "refund", "sessionId": "monday", "observation": situation,
			"actions": []vars{{"stepName": "read_policy"}, {"stepName": "issue_refund", "result": vars{"amount": 25}}},
		}, &kept)
		assert.Equal(t, "UNKNOWN", kept.Outcome)
		a.call(t, "record_canvas_actions", vars{"actions": []vars{
			{"canvasId": "form", "episodeId": "run-1", "canvasType": "forms", "action": "PRESENT"},
			{"canvasId": "form", "episodeId": "run-1", "canvasType": "forms", "action": "SUBMIT", "at": now.Add(30 * time.Second)},
		}}, nil)
		a.call(t, "conclude_episode", vars{"id": kept.ID, "outcome": "FAILURE", "result": "Refunded in money at once"}, &kept)
		assert.Equal(t, "FAILURE", kept.Outcome)

		a.call(t, "submit_feedback", vars{
			"episodeId": "run-1", "type": "THUMBS_DOWN", "corrections": "Offer a repair before the refund", "createdBy": "mia",
		}, nil)
		a.call(t, "feedback_record", vars{
			"topic": "refunds", "prediction": "A leaking kettle is refunded at once", "correction": "A repair is offered first",
			"importance": "HIGH", "aboutIds": []string{"episode:run-1"},
		}, nil)

		var after recalled
		a.call(t, "recall", vars{"situation": "refund for a leaking kettle"}, &after)
		require.Len(t, after.Hits, 1)
		assert.Equal(t, "episode:run-1", after.Hits[0].ID)
		assert.NotEmpty(t, after.Hits[0].Reasons)
		assert.Nil(t, after.Hits[0].Episode, "compact unless asked for")
		assert.Equal(t, []shownCanvas{{"canvas:form", "forms", []string{"PRESENTED", "FORM_SUBMITTED"}, new(30.0), 0}}, after.Hits[0].Canvases)
		require.Len(t, after.Hits[0].Feedback, 1)
		assert.Equal(t, "Offer a repair before the refund", after.Hits[0].Feedback[0].Corrections)
		assert.NotEmpty(t, after.Hits[0].Insight)
		assert.Equal(t, []string{"forms"}, after.CanvasInsights.Submits)
		assert.Contains(t, after.Lessons, "\nShown: form: submitted after 30 s\n")
		assert.Contains(t, after.Lessons, "Offer a repair before the refund")
		require.Len(t, after.Corrections, 1)
		assert.Equal(t, "refunds", after.Corrections[0].Topic)
		assert.Contains(t, after.Corrections[0].Snippet, "repair is offered first")

		a.call(t, "recall", vars{"situation": situation, "full": true}, &after)
		assert.Equal(t, situation, after.Hits[0].Episode.Observation)
		a.call(t, "recall", vars{"situation": situation, "includeFeedback": false}, &after)
		assert.NotContains(t, after.Lessons, "Offer a repair")
		var without recalled
		a.call(t, "recall", vars{"situation": situation, "includeFeedback": false, "includeCanvas": false}, &without)
		assert.Empty(t, without.Hits[0].Canvases)
		assert.Equal(t, []string{"canvas:form"}, without.Hits[0].CanvasIDs)
		assert.Empty(t, without.Hits[0].Feedback)
		assert.Len(t, without.Hits[0].FeedbackIDs, 1)
		assert.Nil(t, without.CanvasInsights)
		after.Corrections = nil
		a.call(t, "recall", vars{"situation": situation, "asOf": now.Add(-time.Hour)}, &after)
		assert.Empty(t, after.Corrections, "nobody had put it right then")

		prompt, err := a.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "lessons", Arguments: map[string]string{"situation": situation}})
		require.NoError(t, err)
		said, ok := prompt.Messages[0].Content.(*mcp.TextContent)
		require.True(t, ok)
		assert.Contains(t, said.Text, "Offer a repair before the refund")
		assert.Contains(t, said.Text, "repair is offered first")
		assert.Contains(t, a.read(t, "mneme://episode/run-1"), `"stepName":"issue_refund","result":{"amount":25}`)
	})
}

// As of a time a recall brings what had been put right by then, also where what came later matches better.
func TestRecallBringsTheCorrectionsOfThen(t *testing.T) {
	t.Parallel()
	clock := now
	a := inMemoryOf(t, memoryBy(t, func() time.Time { return clock }))
	correct := func(id, prediction string) {
		a.call(t, "feedback_record", vars{"id": id, "topic": "refunds", "prediction": prediction, "correction": "Ask first"}, nil)
	}
	correct("then", "A kettle that leaks was bought here, and comes back to us")
	clock = now.Add(time.Hour)
	for i := range reading.MaxPage / 2 {
		correct(fmt.Sprint("later", i), "Refund of a kettle that leaks")
	}
	var latest, then recalled
	a.call(t, "recall", vars{"situation": "refund of a kettle that leaks"}, &latest)
	require.Len(t, latest.Corrections, 3)
	a.call(t, "recall", vars{"situation": "refund of a kettle that leaks", "asOf": now}, &then)
	require.Len(t, then.Corrections, 1)
	require.Equal(t, "correction:then", then.Corrections[0].ID)
}

func TestLabelsAreShortLines(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "record_execution", vars{"agentId": "ann", "taskType": "refund", "success": true, "quality": 1}, nil)
	a.call(t, "record_observation", vars{"id": "long", "content": "Rain fell,\n" + strings.Repeat(" and then it rained again", 9)}, nil)
	label := func(id string) string {
		var found struct{ Nodes []struct{ Label string } }
		a.call(t, "neighbourhood", vars{"id": id}, &found)
		require.NotEmpty(t, found.Nodes)
		return found.Nodes[0].Label
	}
	require.Equal(t, "ann at refund: 1 execution", label("learningProfile:ann/refund"))
	require.Equal(t, "Rain fell, and then it rained again and then it rained again and then it rained again and then it rained again and then…", label("observation:long"))
}

// Of a canvas that was shown again and again a recall tells the last states, and how many there were.
func TestRecallTellsTheLastStates(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "record_episode", vars{"id": "e", "agentId": "ann", "observation": "Show the revenue"}, nil)
	var actions []vars
	for i := range 12 {
		action := map[bool]string{true: "PRESENT", false: "SUBMIT"}[i < 11]
		actions = append(actions, vars{"canvasId": "c", "episodeId": "e", "canvasType": "forms", "action": action, "at": now.Add(time.Duration(i) * time.Second)})
	}
	a.call(t, "record_canvas_actions", vars{"actions": actions}, nil)
	var found recalled
	a.call(t, "recall", vars{"situation": "show revenue", "variants": "SEPARATE"}, &found)
	require.Len(t, found.Hits, 1)
	require.Len(t, found.Hits[0].Canvases, 1)
	shown := found.Hits[0].Canvases[0]
	assert.Len(t, shown.States, 10)
	assert.Equal(t, "FORM_SUBMITTED", shown.States[9])
	assert.Equal(t, 12, shown.StateCount)
}

// A recall shows how canvases were taken, and concepts where it is asked for all.
func TestRecallInShortAndInFull(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "memoir_create", vars{"id": "m", "name": "m"}, nil)
	a.call(t, "memoir_add_concept", vars{"id": "axes", "memoirId": "m", "name": "Axes", "content": "Charts have names on their axes."}, nil)
	for i, dwell := range []int{30, 3} {
		key, component := fmt.Sprint("e", i), []string{"bar", "line"}[i]
		a.call(t, "record_episode", vars{"id": key, "agentId": "ann", "observation": "Show the revenue", "insight": "It was drawn.", "conceptIds": []string{"axes"}}, nil)
		for action, at := range map[string]time.Time{"PRESENT": now, "CLOSE": now.Add(time.Duration(dwell) * time.Second)} {
			a.call(t, "record_canvas_actions", vars{"actions": []vars{
				{"canvasId": key, "episodeId": key, "canvasType": "charts", "componentType": component, "action": action, "at": at},
			}}, nil)
		}
	}
	var short, full recalled
	a.call(t, "recall", vars{"situation": "show revenue", "variants": "SEPARATE"}, &short)
	require.Len(t, short.Hits, 2)
	assert.Equal(t, "It was drawn.", short.Hits[0].Insight)
	assert.Equal(t, []shownCanvas{{"canvas:e0", "charts/bar", []string{"PRESENTED", "CLOSED_SLOWLY"}, new(30.0), 0}}, short.Hits[0].Canvases)
	assert.Equal(t, []shownCanvas{{"canvas:e1", "charts/line", []string{"PRESENTED", "CLOSED_QUICKLY"}, new(3.0), 0}}, short.Hits[1].Canvases)
	assert.Equal(t, []string{"charts/line"}, short.CanvasInsights.ClosesQuickly)
	assert.Equal(t, []string{"charts/bar"}, short.CanvasInsights.Engages)
	assert.Empty(t, short.Hits[0].Concepts)
	assert.Contains(t, short.Lessons, "\n\nPeople here close line charts quickly and stay with bar charts.")

	a.call(t, "recall", vars{"situation": "show revenue", "variants": "SEPARATE", "full": true}, &full)
	for i, hit := range full.Hits {
		assert.Equal(t, "Show the revenue", hit.Episode.Observation)
		assert.Equal(t, short.Hits[i].Canvases, hit.Canvases)
		require.Len(t, hit.Concepts, 1)
		assert.Equal(t, "Charts have names on their axes.", hit.Concepts[0].Content)
	}
	full.Hits = nil
	a.call(t, "recall", vars{"situation": "show revenue", "variants": "SEPARATE", "full": true, "asOf": now.Add(-time.Hour)}, &full)
	assert.Empty(t, full.Hits)
}

func TestCorrections(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	for _, topic := range []string{"sizes", "sizes", "colours"} {
		a.call(t, "feedback_record", vars{"topic": topic, "prediction": "Shirts come in seven " + topic, "correction": "They come in five"}, nil)
	}
	type found struct {
		Found int
		Next  string
		Hits  []struct {
			Topic, Snippet string
			Correction     *struct{ Prediction, Correction string }
		}
	}
	var first, second found
	a.call(t, "feedback_search", vars{"query": "how many shirts", "first": 2}, &first)
	assert.Equal(t, 3, first.Found)
	require.Len(t, first.Hits, 2)
	assert.Nil(t, first.Hits[0].Correction)
	a.call(t, "feedback_search", vars{"query": "how many shirts", "first": 2, "after": first.Next, "full": true}, &second)
	require.Len(t, second.Hits, 1)
	assert.Empty(t, second.Next)
	assert.Equal(t, "They come in five", second.Hits[0].Correction.Correction)
	a.call(t, "feedback_search", vars{"query": "shirts", "topic": "colours"}, &first)
	assert.Equal(t, 1, first.Found)

	var stats struct {
		Total   int
		ByTopic []struct {
			Topic string
			Count int
		}
	}
	a.call(t, "feedback_stats", vars{}, &stats)
	assert.Equal(t, 3, stats.Total)
	assert.Equal(t, "sizes", stats.ByTopic[0].Topic)
	assert.Equal(t, 2, stats.ByTopic[0].Count)
	a.call(t, "feedback_stats", vars{"since": now.Add(time.Hour)}, &stats)
	assert.Zero(t, stats.Total)
}

func TestObservations(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	var kept struct {
		ID         string
		Weight     float64
		Redactions []struct{ Kind string }
	}
	a.call(t, "record_observation", vars{
		"id": "o1", "content": "The warehouse closes at noon on Fridays <private>says Bo</private>", "importance": "HIGH", "sessionId": "s",
	}, &kept)
	assert.Equal(t, 0.8, kept.Weight)
	require.Len(t, kept.Redactions, 1)
	a.call(t, "record_observation", vars{"id": "o2", "content": "The office closes at six"}, nil)

	var found struct {
		Found int
		Hits  []struct{ ID, Snippet string }
	}
	a.call(t, "search_observations", vars{"query": "when does the warehouse close"}, &found)
	assert.Equal(t, "observation:o1", found.Hits[0].ID)
	assert.Contains(t, found.Hits[0].Snippet, "**warehouse**")
	a.call(t, "search_observations", vars{"query": "closes", "minWeight": 0.6}, &found)
	assert.Equal(t, 1, found.Found)
	a.call(t, "search_observations", vars{"query": "closes", "sessionId": "s"}, &found)
	assert.Equal(t, 1, found.Found)

	var read struct {
		Observations []struct{ ID, Content, Importance string }
		Missing      []string
	}
	a.call(t, "get_observations", vars{"ids": []string{"o2", "nobody", "observation:o1"}}, &read)
	require.Len(t, read.Observations, 2)
	assert.Equal(t, "observation:o2", read.Observations[0].ID)
	assert.NotContains(t, read.Observations[1].Content, "Bo")
	assert.Equal(t, []string{"observation:nobody"}, read.Missing)
}

func TestMemoirs(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "memoir_create", vars{"id": "handbook", "name": "Handbook", "description": "What we know"}, nil)
	for _, name := range []string{"Fax orders", "Mail orders", "Orders"} {
		a.call(t, "memoir_add_concept", vars{"id": name[:3], "memoirId": "handbook", "name": name, "content": name + " are taken on weekdays"}, nil)
	}
	a.call(t, "memoir_link", vars{"sourceId": "Fax", "targetId": "concept:Mai", "type": "SUPERSEDED_BY"}, nil)
	a.call(t, "memoir_link", vars{"sourceId": "Fax", "targetId": "Ord", "type": "PART_OF"}, nil)
	var refined struct{ Revisions int }
	a.call(t, "memoir_refine", vars{"id": "Mai", "content": "Mail orders are taken every day", "labels": []string{"orders"}}, &refined)
	assert.Equal(t, 1, refined.Revisions)

	var found struct {
		Hits []struct{ ID, Name, Note string }
	}
	a.call(t, "memoir_search", vars{"query": "fax"}, &found)
	require.Len(t, found.Hits, 1)
	assert.Equal(t, "Superseded by Mail orders.", found.Hits[0].Note)
	a.call(t, "memoir_search", vars{"query": "orders", "labels": []string{"orders"}, "memoirId": "handbook"}, &found)
	require.Len(t, found.Hits, 1)
	assert.Equal(t, "concept:Mai", found.Hits[0].ID)

	var seen struct {
		Concept *struct {
			Content, Note string
			Revisions     []struct{ Content string }
		}
		Relations []struct{ Direction, Type, ID, Name string }
		Memoir    *struct{ Name string }
		Concepts  []struct{ Name, Note string }
		Next      string
	}
	a.call(t, "memoir_inspect", vars{"id": "Mai"}, &seen)
	assert.Equal(t, "Mail orders are taken every day", seen.Concept.Content)
	assert.Equal(t, "Mail orders are taken on weekdays", seen.Concept.Revisions[0].Content)
	require.Len(t, seen.Relations, 1)
	assert.Equal(t, "IN SUPERSEDED_BY concept:Fax Fax orders", seen.Relations[0].Direction+" "+seen.Relations[0].Type+" "+seen.Relations[0].ID+" "+seen.Relations[0].Name)
	a.call(t, "memoir_inspect", vars{"id": "memoir:handbook", "first": 2}, &seen)
	assert.Equal(t, "Handbook", seen.Memoir.Name)
	require.Len(t, seen.Concepts, 2)
	assert.Equal(t, "Superseded by Mail orders.", seen.Concepts[0].Note)
	a.call(t, "memoir_inspect", vars{"id": "memoir:handbook", "first": 2, "after": seen.Next}, &seen)
	require.Len(t, seen.Concepts, 1)
	assert.Equal(t, "Orders", seen.Concepts[0].Name)

	var list struct {
		Memoirs []struct{ ID, Description string }
	}
	a.call(t, "memoir_list", nil, &list)
	require.Len(t, list.Memoirs, 1)
	assert.Equal(t, "What we know", list.Memoirs[0].Description)

	var around struct {
		Nodes []struct {
			ID, Label, Note string
			Depth           int
		}
		Edges []struct{ Source, Target, Type string }
	}
	a.call(t, "neighbourhood", vars{"id": "concept:Ord", "depth": 2, "relations": []string{"PART_OF", "SUPERSEDED_BY"}}, &around)
	require.Len(t, around.Nodes, 3)
	assert.Equal(t, "Superseded by Mail orders.", around.Nodes[1].Note)
	assert.Len(t, around.Edges, 2)
	a.call(t, "neighbourhood", vars{"id": "concept:Ord", "direction": "OUT", "relations": []string{"PART_OF"}}, &around)
	assert.Len(t, around.Nodes, 1)
}

// What a person said is the label of what they gave, whether it corrects anything or not.
func TestLabelsOfFeedback(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "record_episode", vars{"id": "e", "agentId": "ada", "observation": "A toaster came back"}, nil)
	for id, said := range map[string]vars{"liked": {"comment": "Quick"}, "both": {"comment": "Quick", "corrections": "Ask first"}, "thumb": {}} {
		said["id"], said["episodeId"], said["type"] = id, "e", "THUMBS_UP"
		a.call(t, "submit_feedback", said, nil)
	}
	var around struct{ Nodes []struct{ ID, Label string } }
	a.call(t, "neighbourhood", vars{"id": "episode:e"}, &around)
	labels := map[string]string{}
	for _, node := range around.Nodes {
		labels[node.ID] = node.Label
	}
	assert.Equal(t, "THUMBS_UP: Quick", labels["feedback:liked"])
	assert.Equal(t, "THUMBS_UP: Ask first Quick", labels["feedback:both"])
	assert.Equal(t, "THUMBS_UP", labels["feedback:thumb"])
}

func TestCaptureRun(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	var kept struct {
		ID, Outcome string
		Unread      []string
	}
	log := vars{"runId": "r:1", "agentId": "ada", "workflowName": "billing", "events": []vars{
		{"type": "workflow_started", "data": vars{"args": vars{"invoice": 7}}, "at": "2026-05-01T10:00:00Z"},
		{"type": "step_completed", "data": vars{"step_id": "a", "step_name": "charge", "result": "ok"}, "at": "2026-05-01T10:00:05+02:00"},
		{"type": "workflow_completed", "data": vars{"result": "charged"}, "at": "2026-05-01T10:00:09Z"},
	}}
	for range 2 {
		a.call(t, "capture_run", log, &kept)
		assert.Equal(t, "episode:r:1", kept.ID)
		assert.Equal(t, "SUCCESS", kept.Outcome)
		assert.Empty(t, kept.Unread)
	}
	a.call(t, "capture_run", vars{"runId": "r:2", "agentId": "ada", "events": []vars{
		{"type": "tool_call", "data": vars{}, "at": "2026-05-01T10:00:00Z"},
		{"type": "workflow_complete", "data": vars{"result": "charged"}, "at": "2026-05-01T10:00:09Z"},
		{"type": "tool_call", "data": vars{}, "at": "2026-05-01T10:00:10Z"},
	}}, &kept)
	assert.Equal(t, "UNKNOWN", kept.Outcome)
	assert.Equal(t, []string{
		`event 0, and 1 event like it: the type "tool_call" is none that a run is read by: no thought, action or outcome comes of it`,
		`event 1: the type "workflow_complete" is none that a run is read by: no thought, action or outcome comes of it`,
	}, kept.Unread)
}

func TestCanvasActionsAreReportedEach(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	good := vars{"canvasId": "c", "canvasType": "docs", "action": "PRESENT", "sessionId": "s"}
	bad := vars{"canvasId": "", "canvasType": "docs", "action": "CLOSE"}
	var out struct {
		Recorded  int
		CanvasIDs []string
		Failed    []struct {
			Index       int
			Code, Field string
		}
	}
	a.call(t, "record_canvas_actions", vars{"actions": []vars{good, bad, good}}, &out)
	assert.Equal(t, 2, out.Recorded)
	assert.Equal(t, []string{"canvas:c"}, out.CanvasIDs)
	require.Len(t, out.Failed, 1)
	assert.Equal(t, 1, out.Failed[0].Index)
	assert.Equal(t, "canvasId", out.Failed[0].Field)
	f := a.refuse(t, "record_canvas_actions", vars{"actions": []vars{bad}})
	assert.Equal(t, "INVALID_INPUT", f.Code)
	assert.Equal(t, "actions.0.canvasId", f.Field)
	assert.Contains(t, f.Send, "The canvas, by id or key")
}

func TestChoosingAnAgent(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	type profile struct {
		ID, AgentID, Trend           string
		ExecutionsTotal              int
		Expertise, Confidence, Score float64
		ColdStart                    bool
	}
	var kept struct {
		ID      string
		Profile profile
	}
	ada := vars{"id": "x1", "agentId": "ada", "taskType": "refund", "success": true, "quality": 0.9, "latencyMs": 1200}
	for range 2 {
		a.call(t, "record_execution", ada, &kept)
		assert.Equal(t, "execution:x1", kept.ID)
		assert.Equal(t, 1, kept.Profile.ExecutionsTotal, "sent again it is the same")
	}
	assert.Equal(t, "learningProfile:ada/refund", kept.Profile.ID)
	assert.True(t, kept.Profile.ColdStart)
	a.call(t, "record_execution", vars{"agentId": "bob", "taskType": "refund", "success": false, "quality": 0.2, "at": now.Add(-time.Hour)}, nil)
	a.call(t, "record_episode", vars{"agentId": "eve", "taskType": "invoice", "observation": "An invoice is wrong", "outcome": "SUCCESS"}, nil)

	type chosen struct {
		AgentID                      string
		Rank                         int
		Score, Expertise, Confidence float64
		Profile                      *profile
		Reasons                      []string
	}
	var best chosen
	a.call(t, "select_agent", vars{"taskType": "refund"}, &best)
	assert.Equal(t, "agent:ada", best.AgentID)
	assert.Equal(t, 1, best.Rank)
	assert.InDelta(t, best.Expertise*best.Confidence, best.Score, 1e-9)
	assert.InDelta(t, best.Score, best.Profile.Score, 1e-9)
	assert.Contains(t, best.Reasons[0], "expertise 0.90 over 1 execution")
	var then chosen
	a.call(t, "select_agent", vars{"taskType": "refund", "asOf": now.Add(-time.Minute)}, &then)
	assert.Equal(t, "agent:bob", then.AgentID, "nobody else had done it")
	var here chosen
	a.call(t, "select_agent", vars{"taskType": "refund", "situation": "a wrong invoice"}, &here)
	assert.Greater(t, len(here.Reasons), len(best.Reasons), "they tell of the situation")
	var tried chosen
	a.call(t, "select_agent", vars{"taskType": "translate", "explore": true}, &tried)
	assert.Contains(t, []string{"agent:ada", "agent:bob", "agent:eve"}, tried.AgentID)
	assert.Nil(t, tried.Profile)
}

func TestJudgedWork(t *testing.T) {
	t.Parallel()
	svc := memoryOf(t)
	a := inMemoryOf(t, svc)
	var kept struct {
		ID, SectionID, Feedback string
		RevisionRequest         *struct {
			FocusAreas, SpecificFixes, Avoid []string
			ContextForPlanner                string
		}
		Redactions []struct{ Kind string }
	}
	rejected := vars{
		"id": "v1", "runId": "song", "sectionId": "verse", "sectionType": "verse", "context": vars{"energy": "high"}, "judgeId": "critic",
		"iteration": 0, "status": "SOFT_FAIL", "score": 5.5, "feedback": "Too busy <private>says Bo</private>", "strengths": []string{"the colours"},
		"fixes": []string{"Use fewer lanes"}, "issues": []vars{{"code": "OVERLAP", "area": "LANES", "message": "two on one group"}},
	}
	a.call(t, "record_verdict", rejected, &kept)
	assert.Equal(t, "verdict:v1", kept.ID)
	assert.Equal(t, "section:song/verse", kept.SectionID)
	require.NotNil(t, kept.RevisionRequest)
	assert.Equal(t, []string{"LANES"}, kept.RevisionRequest.FocusAreas)
	assert.Equal(t, []string{"Use fewer lanes"}, kept.RevisionRequest.SpecificFixes)
	assert.Equal(t, []string{"Keep: the colours"}, kept.RevisionRequest.Avoid)
	assert.NotContains(t, kept.RevisionRequest.ContextForPlanner, "Bo")
	assert.Len(t, kept.Redactions, 1)
	assert.Contains(t, kept.Feedback, "Feedback 1 (iteration 0")

	var told struct {
		PromptBlock                      string
		Warnings, Dos, Donts, PatternIDs []string
	}
	a.call(t, "guidance", vars{"runId": "song", "sectionId": "verse", "sectionType": "verse"}, &told)
	assert.Contains(t, told.PromptBlock, "# Iteration 2 - Refinement Feedback")
	assert.Empty(t, told.Warnings, "a section is not warned of itself")
	a.call(t, "guidance", vars{"runId": "song", "sectionId": "chorus", "sectionType": "chorus"}, &told)
	assert.Equal(t, []string{"⚠️ ISSUE: 'OVERLAP' occurred in verse: two on one group"}, told.Warnings)
	for tool, arguments := range map[string]vars{"guidance": {"sectionType": "chorus"}, "recall": {"situation": "a chorus"}} {
		arguments["maxTokens"] = 0
		assert.Equal(t, "maxTokens", a.refuse(t, tool, arguments).Field, tool)
	}

	kept.RevisionRequest, kept.Feedback = nil, ""
	for _, section := range []string{"verse", "bridge", "outro"} {
		a.call(t, "record_verdict", vars{
			"runId": "song", "sectionId": section, "sectionType": "verse", "judgeId": "critic", "iteration": 1, "status": "APPROVE",
			"score": 8.5, "patterns": []string{"a warm glow"},
		}, &kept)
		assert.Nil(t, kept.RevisionRequest)
		assert.Empty(t, kept.Feedback)
	}
	_, err := servicetest.Bind(t.Context(), t, svc).Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: "song"})
	require.NoError(t, err)
	a.call(t, "guidance", vars{"sectionType": "verse"}, &told)
	assert.Equal(t, []string{"DO: a warm glow (success rate: 100%, avg score: 8.5)"}, told.Dos)
	require.Len(t, told.PatternIDs, 1)
	assert.Contains(t, told.PatternIDs[0], "pattern:do/verse/")
}

// What a threshold on a judge's scores would decide is watched through MCP alone.
func TestJudgeThresholds(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	type tendencies struct {
		Says                                   []string
		Verdicts                               int
		ApprovalRate                           float64
		AverageScore, Kappa, ProposedThreshold *float64
	}
	ask := func(arguments vars) (told tendencies) {
		arguments["judgeId"] = "critic"
		a.call(t, "judge_tendencies", arguments, &told)
		return told
	}
	rule := func(id string) {
		a.call(t, "record_verdict", vars{
			"id": id, "runId": "song", "sectionId": id, "sectionType": "verse", "judgeId": "critic", "iteration": 0, "status": "SOFT_FAIL", "score": 7.5,
		}, nil)
	}
	rule("before")
	assert.Equal(t, []string{
		"1 verdict so far; 20 are needed to say", "0 verdicts with a score are labelled so far; 20 are needed to propose a threshold",
	}, ask(vars{}).Says)
	assert.Equal(t, tendencies{Says: ask(vars{}).Says, Verdicts: 1, AverageScore: new(7.5)}, ask(vars{}), "also in numbers")
	applied := ask(vars{"threshold": 7})
	require.Len(t, applied.Says, 3)
	assert.Contains(t, applied.Says[2], "a threshold of 7.0 is applied since ")
	rule("after")
	watched := ask(vars{})
	assert.Equal(t, "of 1 verdict recorded under a threshold it would approve 1 that were rejected, and reject 0 that were approved", watched.Says[3])
	assert.Len(t, ask(vars{"remove": true}).Says, 3, "what it would have decided is told on")
	assert.Equal(t, "threshold", a.refuse(t, "judge_tendencies", vars{"judgeId": "critic", "threshold": 7, "remove": true}).Field)
	assert.Equal(t, "sectionType", a.refuse(t, "judge_tendencies", vars{"judgeId": "critic", "sectionType": "verse"}).Field)
}

// What people say of verdicts comes through MCP, too, until a threshold can be proposed, applied and watched.
func TestAThresholdComesOfLabels(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	type recorded struct {
		Threshold         *float64
		ThresholdApproves *bool
	}
	var kept recorded
	rule := func(id, judge, status string, score float64) {
		kept = recorded{}
		a.call(t, "record_verdict", vars{
			"id": id, "runId": "song", "sectionId": id, "sectionType": "verse", "judgeId": judge, "iteration": 0, "status": status, "score": score,
		}, &kept)
	}
	var told struct {
		ProposedThreshold *float64
		Says              []string
	}
	label := func(id string, approve bool) {
		told.ProposedThreshold = nil
		a.call(t, "judge_tendencies", vars{"judgeId": "critic", "label": vars{"verdictId": id, "approve": approve, "labelledBy": "mia"}}, &told)
	}
	// The worked example of docs/judged-work.md: the judge approves from 8 on, people from 7 on, but for one verdict.
	for i, group := range []struct {
		n       int
		score   float64
		status  string
		approve int
	}{{6, 9, "APPROVE", 6}, {6, 7.5, "SOFT_FAIL", 5}, {2, 7, "SOFT_FAIL", 2}, {6, 5, "SOFT_FAIL", 0}} {
		for j := range group.n {
			id := fmt.Sprint(i, "-", j)
			rule(id, "critic", group.status, group.score)
			assert.Equal(t, recorded{}, kept, "nothing is on trial yet")
			assert.Nil(t, told.ProposedThreshold)
			label(id, j < group.approve)
		}
	}
	assert.Equal(t, new(7.0), told.ProposedThreshold)
	a.call(t, "judge_tendencies", vars{"judgeId": "critic", "threshold": told.ProposedThreshold}, nil)
	rule("after", "critic", "SOFT_FAIL", 7.2)
	assert.Equal(t, recorded{new(7.0), new(true)}, kept)

	rule("other", "another", "APPROVE", 9)
	assert.Equal(t, recorded{}, kept, "of another judge")
	for field, wrong := range map[string]vars{
		"label":           {"label": vars{"verdictId": "after", "approve": true}, "threshold": 7},
		"label.verdictId": {"label": vars{"verdictId": "other", "approve": true}},
		"label.approve":   {"label": vars{"verdictId": "after"}},
		"judgeId":         {"judgeId": "", "label": vars{"verdictId": "after", "approve": true}},
	} {
		if wrong["judgeId"] == nil {
			wrong["judgeId"] = "critic"
		}
		assert.Equal(t, field, a.refuse(t, "judge_tendencies", wrong).Field)
	}
	missing := a.refuse(t, "judge_tendencies", vars{"judgeId": "critic", "label": vars{"verdictId": "none", "approve": true}})
	assert.Equal(t, []string{"NOT_FOUND", "label.verdictId"}, []string{missing.Code, missing.Field})
	assert.NotContains(t, a.read(t, "mneme://verdict/other"), "label")
}

// A name is one in whichever spelling a client sends it.
func TestNamesInAnySpelling(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	names := []string{"caf\u00e9", "cafe\u0301"}
	for _, name := range names {
		a.call(t, "record_episode", vars{"agentId": name, "taskType": name, "observation": "Opened the " + name, "outcome": "SUCCESS"}, nil)
		a.call(t, "record_observation", vars{"id": name, "content": "It is open."}, nil)
	}
	for _, name := range names {
		var found recalled
		a.call(t, "recall", vars{"situation": "open", "agentId": name, "taskType": name}, &found)
		assert.Len(t, found.Hits, 2)
		var choice struct{ AgentID string }
		a.call(t, "select_agent", vars{"taskType": name}, &choice)
		assert.Equal(t, "agent:"+names[0], choice.AgentID)
		var noticed struct {
			Observations []struct{ ID string }
			Missing      []string
		}
		a.call(t, "get_observations", vars{"ids": []string{name}}, &noticed)
		assert.Len(t, noticed.Observations, 1)
		assert.Empty(t, noticed.Missing)
	}
}

// Feedback on what nobody knows looks like none that was lost: it says that it waits, and no more once it is linked.
func TestFeedbackThatWaitsSaysSo(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	var said struct{ EpisodeID, Note string }
	thumb := vars{"id": "f", "episodeId": "typo", "type": "THUMBS_UP"}
	a.call(t, "submit_feedback", thumb, &said)
	assert.Empty(t, said.EpisodeID)
	assert.Contains(t, said.Note, "It waits")
	a.call(t, "record_episode", vars{"id": "typo", "agentId": "ada", "observation": "A toaster came back"}, nil)
	said.Note = ""
	a.call(t, "submit_feedback", thumb, &said)
	assert.Equal(t, "episode:typo", said.EpisodeID)
	assert.Empty(t, said.Note)
}

// What waits is listed, kind by kind and page by page, until its episode is there.
func TestWhatWaitsIsListed(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	type listed struct {
		Waiting []struct{ ID, SessionID string }
		Next    string
	}
	list := func(arguments vars) (list listed) {
		a.call(t, "backfill", arguments, &list)
		return list
	}
	assert.Equal(t, listed{Waiting: []struct{ ID, SessionID string }{}}, list(vars{"waiting": "canvas"}))
	a.call(t, "record_canvas_actions", vars{"actions": []vars{
		{"canvasId": "c1", "sessionId": "s", "canvasType": "charts", "action": "PRESENT", "at": "2026-06-01T10:00:00Z"},
		{"canvasId": "c2", "episodeId": "e", "canvasType": "charts", "action": "PRESENT", "at": "2026-06-01T11:00:00Z"},
	}}, nil)
	a.call(t, "submit_feedback", vars{"id": "f", "canvasId": "c2", "type": "THUMBS_UP"}, nil)
	first := list(vars{"waiting": "canvas", "first": 1})
	assert.Equal(t, []struct{ ID, SessionID string }{{"canvas:c2", ""}}, first.Waiting)
	assert.Equal(t, listed{Waiting: []struct{ ID, SessionID string }{{"canvas:c1", "session:s"}}}, list(vars{"waiting": "canvas", "after": first.Next}))
	assert.Len(t, list(vars{"waiting": "feedback"}).Waiting, 1)
	a.call(t, "record_episode", vars{"id": "e", "agentId": "ada", "observation": "A toaster came back"}, nil)
	assert.Len(t, list(vars{"waiting": "canvas"}).Waiting, 1)
	assert.Empty(t, list(vars{"waiting": "feedback"}).Waiting)
	for field, wrong := range map[string]vars{"waiting": {"waiting": "episode"}, "sessionId": {"waiting": "canvas", "sessionId": "s"}, "first": {"waiting": "feedback", "first": -1}, "after": {"after": first.Next}} {
		assert.Equal(t, field, a.refuse(t, "backfill", wrong).Field)
	}
}

// All that an agent needs beside its episodes, with no call over another door.
func TestTheLoopThroughMCPAlone(t *testing.T) {
	t.Parallel()
	everyDoor(t, func(t *testing.T, a *agent) {
		a.call(t, "record_canvas_actions", vars{"actions": []vars{
			{"canvasId": "line", "sessionId": "s", "canvasType": "charts", "componentType": "line", "action": "PRESENT", "at": "2026-06-01T10:00:00Z"},
			{"canvasId": "line", "sessionId": "s", "canvasType": "charts", "componentType": "line", "action": "close", "at": "2026-06-01T10:00:03Z"},
		}}, nil)
		a.call(t, "record_episode", vars{
			"id": "e", "agentId": "ada", "sessionId": "s", "taskType": "report", "observation": "Revenue by region was asked for",
			"outcome": "success", "startedAt": "2026-06-01T11:00:00Z",
		}, nil)
		a.call(t, "submit_feedback", vars{"id": "f", "episodeId": "e", "type": "THUMBS_UP", "comment": "Revenue was right"}, nil)

		var insights struct{ ClosesQuickly, Engages, Submits []string }
		a.call(t, "canvas_insights", vars{"agentId": "agent:ada"}, &insights)
		assert.Equal(t, []string{"charts/line"}, insights.ClosesQuickly)
		a.call(t, "canvas_insights", vars{"agentId": "ada", "timeRange": "last_1d"}, &insights)
		assert.Equal(t, []string{"charts/line"}, insights.ClosesQuickly)

		var standing struct {
			Level, NextLevel string
			Parts            struct{ Completion, FeedbackQuality *float64 }
			Criteria         []struct {
				Name string
				Gap  float64
			}
		}
		a.call(t, "graduation", vars{"agentId": "ada"}, &standing)
		assert.Equal(t, "STUDENT", standing.Level)
		assert.Equal(t, "INTERN", standing.NextLevel)
		assert.Equal(t, new(1.0), standing.Parts.FeedbackQuality)
		assert.Equal(t, 9.0, standing.Criteria[0].Gap)

		var weighed struct{ Quality float64 }
		a.call(t, "graduation", vars{"agentId": "ada", "weights": vars{"completion": 0, "feedbackQuality": 1, "canvasSuccess": 1, "consistency": 0}}, &weighed)
		assert.Equal(t, 0.5, weighed.Quality, "liked, and closed quickly")
		assert.Equal(t, "weights.consistency", a.refuse(t, "graduation", vars{"agentId": "ada", "weights": vars{"consistency": -1}}).Field)

		for _, score := range []float64{4, 9} {
			status := "soft_fail"
			if score == 9 {
				status = "APPROVE"
			}
			a.call(t, "record_verdict", vars{
				"runId": "r", "sectionId": "intro", "sectionType": "text", "judgeId": "critic", "iteration": int(score), "status": status, "score": score,
				"patterns": []string{"figures first"}, "issues": []vars{},
			}, nil)
		}
		var completed struct{ Sections, PatternsUpdated int }
		a.call(t, "complete_run", vars{"runId": "r"}, &completed)
		assert.Equal(t, 1, completed.Sections)
		assert.Positive(t, completed.PatternsUpdated)
		a.call(t, "complete_run", vars{"runId": "run:r"}, &completed)
		assert.Zero(t, completed.PatternsUpdated, "once")

		var chart struct {
			Points []struct {
				At                        time.Time
				Episodes                  int
				SuccessRate, ApprovalRate *float64
			}
		}
		a.call(t, "trends", vars{"bucket": "week", "since": "2026-01-01T00:00:00Z"}, &chart)
		require.Len(t, chart.Points, 1, "weeks without anything are left out")
		assert.Equal(t, 1, chart.Points[0].Episodes)
		assert.Equal(t, new(1.0), chart.Points[0].SuccessRate)
		assert.Equal(t, new(0.5), chart.Points[0].ApprovalRate)

		var found struct {
			Hits  []struct{ ID, Label, Snippet string }
			Found int
		}
		a.call(t, "search", vars{"query": "revenue"}, &found)
		require.Equal(t, 2, found.Found)
		assert.ElementsMatch(t, []string{"episode:e", "feedback:f"}, []string{found.Hits[0].ID, found.Hits[1].ID})
		a.call(t, "search", vars{"query": "revenue", "kinds": []string{"Feedback"}}, &found)
		assert.Equal(t, 1, found.Found)
		assert.Equal(t, "kinds.0", a.refuse(t, "search", vars{"query": "x", "kinds": []string{"canvas"}}).Field)

		a.call(t, "forget_record", vars{"id": "feedback:f"}, nil)
		assert.Equal(t, "NOT_FOUND", a.refuse(t, "forget_record", vars{"id": "feedback:f"}).Code)
		a.call(t, "forget_record", vars{"id": "episode:e"}, nil)
		a.call(t, "search", vars{"query": "revenue"}, &found)
		assert.Zero(t, found.Found)
		a.call(t, "memoir_create", vars{"id": "m", "name": "M"}, nil)
		a.call(t, "memoir_add_concept", vars{"id": "c", "memoirId": "m", "name": "c", "content": "Known"}, nil)
		var gone struct{ Concepts int }
		a.call(t, "forget_record", vars{"id": "memoir:m"}, &gone)
		assert.Equal(t, 1, gone.Concepts)
		assert.Equal(t, "NOT_FOUND", a.refuse(t, "forget_record", vars{"id": "concept:c"}).Code)
		assert.Equal(t, "NOT_FOUND", a.refuse(t, "consolidate", vars{"agentId": "nobody"}).Code)
		for _, id := range []string{"agent:ada", "e", "", "pattern:p", "session:s"} {
			assert.Equal(t, "INVALID_INPUT", a.refuse(t, "forget_record", vars{"id": id}).Code, id)
		}
		assert.Equal(t, "NOT_FOUND", a.refuse(t, "graduation", vars{"agentId": "nobody"}).Code)
		assert.Equal(t, "NOT_FOUND", a.refuse(t, "canvas_insights", vars{"agentId": "nobody"}).Code)
		assert.Equal(t, "NOT_FOUND", a.refuse(t, "complete_run", vars{"runId": "none"}).Code)
	})
}

func TestConsolidationIsDryUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	for i := range 6 {
		a.call(t, "record_episode", vars{
			"agentId": "ada", "taskType": "report", "observation": "A report was asked for", "outcome": "FAILURE",
			"startedAt": now.Add(-time.Duration(20+i) * 24 * time.Hour).Format(time.RFC3339),
		}, nil)
	}
	var said struct {
		DryRun              bool
		ObservationsCreated int
		Patterns            []string
	}
	kept := func() int {
		var found struct{ Found int }
		a.call(t, "search", vars{"query": "report", "kinds": []string{"observation"}}, &found)
		return found.Found
	}
	a.call(t, "consolidate", vars{"agentId": "ada"}, &said)
	assert.True(t, said.DryRun)
	require.Positive(t, said.ObservationsCreated)
	assert.Zero(t, kept())
	a.call(t, "consolidate", vars{"agentId": "ada", "dryRun": false}, &said)
	assert.False(t, said.DryRun)
	assert.Equal(t, said.ObservationsCreated, kept())
}

func TestInspectingWithDepth(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "memoir_create", vars{"id": "m", "name": "M"}, nil)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		a.call(t, "memoir_add_concept", vars{"id": name, "memoirId": "m", "name": name, "content": "Known"}, nil)
	}
	for i, pair := range []string{"ab", "bc", "cd", "de"} {
		a.call(t, "memoir_link", vars{"sourceId": pair[:1], "targetId": pair[1:], "type": []string{"part_of", "Part_Of", "PART_OF", "depends_on"}[i]}, nil)
	}
	a.call(t, "record_episode", vars{"agentId": "ada", "observation": "Work", "conceptIds": []string{"a"}}, nil)
	type answer struct {
		Concept *struct{ ID string }
		Memoir  *struct{ ID string }
		Around  *struct {
			Nodes []struct {
				ID    string
				Depth int
			}
			Edges []struct{ Source, Target, Type string }
		}
		Next string
	}
	for depth := 1; depth <= 3; depth++ {
		var got answer
		a.call(t, "memoir_inspect", vars{"id": "a", "depth": depth}, &got)
		require.NotNil(t, got.Concept)
		assert.Len(t, got.Around.Nodes, depth+1, "concepts alone, itself first")
		assert.Len(t, got.Around.Edges, depth)
		assert.Equal(t, depth, got.Around.Nodes[depth].Depth)
	}
	var page answer
	a.call(t, "memoir_inspect", vars{"id": "memoir:m", "depth": 1, "first": 4}, &page)
	require.NotNil(t, page.Memoir)
	assert.Len(t, page.Around.Nodes, 4)
	require.NotEmpty(t, page.Next)
	a.call(t, "memoir_inspect", vars{"id": "memoir:m", "depth": 1, "first": 4, "after": page.Next}, &page)
	assert.Len(t, page.Around.Nodes, 2)
	var without answer
	a.call(t, "memoir_inspect", vars{"id": "a"}, &without)
	assert.Nil(t, without.Around)
	for _, depth := range []int{0, 4, -1} {
		assert.Equal(t, "depth", a.refuse(t, "memoir_inspect", vars{"id": "a", "depth": depth}).Field)
	}
	var around struct{ Nodes []struct{ ID string } }
	a.call(t, "neighbourhood", vars{"id": "concept:a", "relations": []string{"part_of"}, "direction": "out"}, &around)
	assert.Len(t, around.Nodes, 2)

	a.call(t, "feedback_record", vars{"topic": "t", "prediction": "Kettles leak", "correction": "They do not"}, nil)
	var corrections struct {
		Hits []struct{ CreatedAt time.Time }
	}
	a.call(t, "feedback_search", vars{"query": "kettles"}, &corrections)
	require.Len(t, corrections.Hits, 1)
	assert.Equal(t, now, corrections.Hits[0].CreatedAt)
}

// Where there are no alerts and no profiles, that is said to whoever asks for them.
func TestTrendsSayThatThereIsNone(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	for asked, want := range map[string][]string{
		"alerts": {"alerts", "points"}, "profiles": {"points", "profiles"},
	} {
		var answer map[string]any
		a.call(t, "trends", vars{asked: vars{}}, &answer)
		assert.ElementsMatch(t, want, slices.Collect(maps.Keys(answer)))
		assert.Equal(t, []any{}, answer[asked])
	}
}

// Hosts send lists, numbers and booleans as texts of JSON; days stand for times.
func TestArgumentsAsTexts(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "record_episode", vars{
		"id": "e", "agentId": "a", "observation": "A kettle leaks", "outcome": "SUCCESS", "startedAt": "2026-03-01",
		"actions": `[{"stepName":"read_policy","result":{"n":9007199254740993}}]`, "thoughts": `["look first"]`,
	}, nil)
	a.call(t, "record_canvas_actions", vars{"actions": `[{"canvasId":"c","canvasType":"forms","sessionId":"s","action":"PRESENT"}]`}, nil)
	a.call(t, "capture_run", vars{
		"runId": "r", "agentId": "a", "events": `[{"type":"workflow_started","data":{"args":"x"},"at":"2026-01-01T00:00:00Z"}]`,
	}, nil)
	a.call(t, "submit_feedback", vars{"sessionId": "s", "type": "RATING", "rating": "4"}, nil)
	var answer recalled
	a.call(t, "recall", vars{"situation": "kettle", "topK": "1", "includeCanvas": "false", "full": "true", "asOf": "2026-03-02"}, &answer)
	require.Len(t, answer.Hits, 1)
	assert.Equal(t, "A kettle leaks", answer.Hits[0].Episode.Observation)
	assert.Contains(t, a.read(t, "mneme://episode/e"), `"startedAt":"2026-03-01T00:00:00Z"`)
	assert.Contains(t, a.read(t, "mneme://episode/e"), `9007199254740993`)

	assert.Equal(t, "actions.0.canvasType", a.refuse(t, "record_canvas_actions", vars{
		"actions": []vars{{"canvasId": "c", "canvasType": "docs", "sessionId": "s", "action": "PRESENT"}},
	}).Field)
	assert.Equal(t, "outcome", a.refuse(t, "conclude_episode", vars{"id": "r", "outcome": "UNKNOWN"}).Field)
}

func TestSearchTellsWhatObservationsWeigh(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "record_observation", vars{"content": "Kettles leak at the lid", "importance": "MEDIUM"}, nil)
	var found struct {
		Hits []struct {
			Importance string
			Weight     *float64
		}
	}
	a.call(t, "search", vars{"query": "kettles"}, &found)
	require.Len(t, found.Hits, 1)
	assert.Equal(t, "MEDIUM", found.Hits[0].Importance)
	assert.InDelta(t, 0.5, *found.Hits[0].Weight, 1e-3)
}
