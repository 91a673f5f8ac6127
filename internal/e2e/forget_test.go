package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/internal/transfer"
)

func testDeleteAgent(t *testing.T, w *world) {
	w.episode(t, "one", "First.", vars{"agentId": "eve", "sessionId": "s"})
	w.episode(t, "two", "Second.", vars{"agentId": "eve"})
	w.episode(t, "other", "Third.", nil)
	w.canvas(t, vars{"canvasId": "c", "episodeId": "one", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "f", "episodeId": "one", "type": "THUMBS_UP"})
	var payload struct {
		DeletedID string
		Episodes  int
	}
	w.do(t, "deleteAgent", "deletedId episodes", vars{"id": "agent:eve"}, &payload)
	assert.Equal(t, "agent:eve", payload.DeletedID)
	assert.Equal(t, 2, payload.Episodes)
	var data struct {
		Nodes []*struct{ ID string }
	}
	w.ask(t, `{ nodes(ids: ["agent:eve", "episode:one", "episode:two", "canvas:c", "feedback:f", "session:s", "episode:other"]) { id } }`, nil, &data)
	for i := range 6 {
		assert.Nil(t, data.Nodes[i], i)
	}
	assert.NotNil(t, data.Nodes[6])
	assert.Equal(t, "NOT_FOUND", w.refuse(t, mutationOf("deleteAgent", "deletedId"), vars{"input": vars{"id": "eve"}}).Extensions.Code)
}

func testDeleteFeedback(t *testing.T, w *world) {
	w.episode(t, "e", "First.", nil)
	w.feedback(t, vars{"id": "up", "episodeId": "e", "type": "THUMBS_UP"})
	w.feedback(t, vars{"id": "down", "episodeId": "e", "type": "THUMBS_DOWN"})
	w.feedback(t, vars{"id": "zoe", "episodeId": "e", "type": "THUMBS_DOWN", "createdBy": "zoe"})
	score := func() *float64 {
		var data struct {
			Episode struct{ AggregateFeedbackScore *float64 }
		}
		w.ask(t, `{ episode(id: "e") { aggregateFeedbackScore } }`, nil, &data)
		return data.Episode.AggregateFeedbackScore
	}
	var payload struct{ Deleted int }
	w.do(t, "deleteFeedback", "deleted", vars{"id": "feedback:down"}, &payload)
	assert.Equal(t, 1, payload.Deleted)
	assert.Equal(t, new(0.0), score())
	w.do(t, "deleteFeedback", "deleted", vars{"createdBy": "zoe"}, &payload)
	assert.Equal(t, 1, payload.Deleted)
	assert.Equal(t, new(1.0), score())
	w.do(t, "deleteFeedback", "deleted", vars{"createdBy": "nobody"}, &payload)
	assert.Zero(t, payload.Deleted)
	for _, input := range []vars{{}, {"id": "up", "createdBy": "zoe"}} {
		assert.Equal(t, "INVALID_INPUT", w.refuse(t, mutationOf("deleteFeedback", "deleted"), vars{"input": input}).Extensions.Code)
	}
	assert.Equal(t, "NOT_FOUND", w.refuse(t, mutationOf("deleteFeedback", "deleted"), vars{"input": vars{"id": "down"}}).Extensions.Code)
}

// Whatever is deleted by its id is gone from reads, searches and recall at once, and an import of an older export
// leaves it out.
func testDeleteRecords(t *testing.T, w *world) {
	fill := func() {
		w.episode(t, "walrus", "The walrus came back.", vars{"taskType": "zoo", "outcome": "SUCCESS", "conceptIds": []string{"walrus"}})
		w.episode(t, "stays", "The seal came back.", vars{"outcome": "SUCCESS"})
		w.canvas(t, vars{"canvasId": "walrus", "episodeId": "stays", "canvasType": "docs"}, vars{"action": "PRESENT"}, vars{"action": "SUBMIT"})
		w.feedback(t, vars{"id": "up", "canvasId": "walrus", "type": "THUMBS_UP"})
		w.memoir(t, "zoo")
		w.memoir(t, "walrus")
		w.concept(t, "walrus", "inside", "Where a walrus lives.")
		w.concept(t, "zoo", "walrus", "What a walrus eats.")
		w.concept(t, "zoo", "seal", "What a seal eats.")
		w.link(t, "walrus", "RELATED_TO", "seal")
		w.observe(t, "walrus", "A walrus sleeps.", nil)
		w.correct(t, "walrus", "walrus", "It flies.", "It swims.", nil)
	}
	fill()
	before := w.exported(t)
	for _, mutation := range []string{"deleteEpisode", "deleteCanvas", "deleteConcept", "deleteObservation", "deleteCorrection", "deleteMemoir"} {
		kind := strings.ToLower(strings.TrimPrefix(mutation, "delete"))
		var payload struct {
			DeletedID string
			Concepts  *int
		}
		selection := "deletedId"
		if mutation == "deleteMemoir" {
			selection += " concepts"
		}
		w.do(t, mutation, selection, vars{"id": "walrus"}, &payload)
		if mutation == "deleteMemoir" {
			assert.Equal(t, new(1), payload.Concepts)
		}
		assert.Equal(t, kind+":walrus", payload.DeletedID)
		assert.Equal(t, "NOT_FOUND", w.refuse(t, mutationOf(mutation, "deletedId"), vars{"input": vars{"id": kind + ":walrus"}}).Extensions.Code)
		assert.Equal(t, "INVALID_INPUT", w.refuse(t, mutationOf(mutation, "deletedId"), vars{"input": vars{"id": ""}}).Extensions.Code)
	}
	gone := func() {
		t.Helper()
		var data struct {
			Nodes  []*struct{ ID string }
			Search struct {
				Nodes []struct{ Snippet string }
			}
			Recall struct {
				Hits []struct{ Episode struct{ ID string } }
			}
			Concept         struct{ Relations []struct{ Type string } }
			Episode         struct{ CanvasActionCount int }
			LearningProfile *struct{ ID string }
			Feedback        struct {
				Canvas  *struct{ ID string }
				Episode struct{ ID string }
			}
		}
		w.ask(t, `{
			nodes(ids: ["episode:walrus", "canvas:walrus", "concept:walrus", "concept:inside", "observation:walrus", "correction:walrus", "memoir:walrus", "feedback:up"]) { id }
			search(query: "walrus") { nodes { snippet } }
			recall(input: {situation: "walrus came back"}) { hits { episode { id } } }
			concept(id: "seal") { relations { type } }
			episode(id: "stays") { canvasActionCount }
			learningProfile(agentId: "ada", taskType: "zoo") { id }
			feedback: node(id: "feedback:up") { ... on Feedback { canvas { id } episode { id } } }
		}`, nil, &data)
		for i := range 7 {
			assert.Nil(t, data.Nodes[i], i)
		}
		require.NotNil(t, data.Nodes[7])
		for _, hit := range data.Search.Nodes {
			assert.NotContains(t, hit.Snippet, "**", "what is left may mean something like it")
		}
		for _, hit := range data.Recall.Hits {
			assert.Equal(t, "episode:stays", hit.Episode.ID)
		}
		assert.Empty(t, data.Concept.Relations)
		assert.Zero(t, data.Episode.CanvasActionCount)
		assert.Nil(t, data.LearningProfile)
		assert.Nil(t, data.Feedback.Canvas)
		assert.Equal(t, "episode:stays", data.Feedback.Episode.ID, "people said it of the episode too")
	}
	gone()
	after := w.exported(t)
	assert.NotContains(t, after, "walrus")
	report := w.imported(t, before)
	assert.Empty(t, report.Imported)
	assert.Equal(t, 8, report.Forgotten, "each record, a concept of the memoir and a relation")
	gone()
	assert.Equal(t, after, w.exported(t))
}

func testDeleteEpisodes(t *testing.T, w *world) {
	const many = 120
	var inputs []vars
	for i := range many {
		inputs = append(inputs, vars{
			"id": fmt.Sprintf("trial %d", i), "agentId": "ada", "sessionId": "trial", "taskType": "trial", "outcome": "SUCCESS",
			"observation": "A trial.", "startedAt": now.Add(-time.Duration(i) * time.Minute),
		})
	}
	w.do(t, "recordEpisodes", "result { succeeded }", vars{"episodes": inputs}, nil)
	w.episode(t, "stays", "No trial.", nil)
	var payload struct {
		Candidates, Deleted int
		DryRun              bool
	}
	const selection = "candidates deleted dryRun"
	type result struct {
		Candidates, Deleted int
		DryRun              bool
	}
	trial := vars{"sessionId": "session:trial", "outcome": "SUCCESS"}
	w.do(t, "deleteEpisodes", selection, vars{"filter": trial}, &payload)
	assert.Equal(t, result{many, 0, true}, result(payload))
	assert.Equal(t, many+1, w.count(t), "nothing happens unasked")
	w.do(t, "deleteEpisodes", selection, vars{"filter": trial, "dryRun": false}, &payload)
	assert.Equal(t, result{many, many, false}, result(payload))
	assert.Equal(t, 1, w.count(t))
	w.do(t, "deleteEpisodes", selection, vars{"filter": trial, "dryRun": false}, &payload)
	assert.Equal(t, result{0, 0, false}, result(payload))
	for field, filter := range map[string]vars{
		"filter": {}, "timeRange": {"timeRange": "LAST_1D", "since": now}, "minFeedbackScore": {"minFeedbackScore": 2},
	} {
		refused := w.refuse(t, mutationOf("deleteEpisodes", selection), vars{"input": vars{"filter": filter, "dryRun": false}})
		assert.Equal(t, "INVALID_INPUT", refused.Extensions.Code)
		assert.Contains(t, refused.Extensions.Field, field)
	}
	assert.Equal(t, 1, w.count(t))
	w.do(t, "recordEpisode", "episode { id }", inputs[0], nil)
	assert.Equal(t, 2, w.count(t), "who records it again means it")
}

// What was purged is nowhere, and what was pruned or deleted is not said again.
func testLetGoForGood(t *testing.T, w *world) {
	w.memoir(t, "zoo")
	w.concept(t, "zoo", "animal", "A walrus.")
	var refined struct {
		Concept struct {
			Content   string
			Revisions []struct{ Content string }
		}
	}
	const selection = "concept { content revisions { content } }"
	w.do(t, "refineConcept", selection, vars{"id": "animal", "content": "A big walrus."}, &refined)
	assert.Len(t, refined.Concept.Revisions, 1)
	w.do(t, "refineConcept", selection, vars{"id": "animal", "content": "A seal.", "purge": true}, &refined)
	assert.Empty(t, refined.Concept.Revisions)
	assert.Equal(t, "A seal.", refined.Concept.Content)
	assert.NotContains(t, w.exported(t), "walrus")

	failures := func(name string) {
		for i := range 4 {
			w.episode(t, fmt.Sprint(name, i), "A refund.", vars{
				"outcome": "FAILURE", "taskType": "refund", "startedAt": now.AddDate(0, 0, -20-i), "insight": "It failed.",
			})
		}
	}
	failures("e")
	var said struct{ ObservationsCreated int }
	consolidate := func(dry bool) int {
		t.Helper()
		w.do(t, "consolidate", "observationsCreated", vars{"dryRun": dry}, &said)
		return said.ObservationsCreated
	}
	require.Positive(t, consolidate(false))
	var kept struct {
		Observations struct{ Nodes []struct{ ID string } }
	}
	w.ask(t, `{ observations { nodes { id } } }`, nil, &kept)
	for i, observation := range kept.Observations.Nodes {
		if i == 0 {
			w.do(t, "deleteObservation", "deletedId", vars{"id": observation.ID}, nil)
		}
	}
	w.do(t, "prune", "deleted", vars{"minWeight": 1, "dryRun": false}, nil)
	assert.Zero(t, consolidate(true), "nor is it announced")
	assert.Zero(t, consolidate(false))
	w.do(t, "deleteAgent", "deletedId", vars{"id": "ada"}, nil)
	failures("anew")
	assert.Positive(t, consolidate(true), "a name that is used again is worked with like any other")
	assert.Positive(t, consolidate(false))
	assert.Zero(t, consolidate(false))
	assert.Equal(t, "NOT_FOUND", w.refuse(t, mutationOf("consolidate", "lastAgentId"), vars{"input": vars{"agentId": "nobody"}}).Extensions.Code)
}

// exported is a tenant's export.
func (w *world) exported(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	_, err := transfer.Export(t.Context(), w.bound(t), &out, nil)
	require.NoError(t, err)
	return out.String()
}

// imported takes an export in again.
func (w *world) imported(t *testing.T, export string) importer.Report {
	t.Helper()
	report, err := importer.Import(t.Context(), w.bound(t), strings.NewReader(export), importer.Options{Format: importer.JSONL})
	require.NoError(t, err)
	return report
}

// A judge's text that names a person can be deleted, and so can all of a run, and an execution.
func testDeleteJudged(t *testing.T, w *world) {
	w.do(t, "recordExecution", "execution { id }", vars{"id": "x", "agentId": "ada", "taskType": "zoo", "success": true, "quality": 1}, nil)
	w.episode(t, "e", "The walrus came back.", vars{"taskType": "zoo", "outcome": "SUCCESS"})
	for _, id := range []string{"v1", "v2", "v3", "v4"} {
		w.do(t, "recordVerdict", "verdict { id }", vars{
			"id": id, "runId": "r", "sectionId": map[string]string{"v1": "a", "v2": "a", "v3": "b", "v4": "c"}[id], "sectionType": "song", "iteration": 0,
			"status": "SOFT_FAIL", "judgeId": "j", "feedback": "Zoezz sang too low.", "issues": []vars{{"code": "LOW", "message": "Zoezz is too low"}},
		}, nil)
	}
	w.do(t, "completeRun", "sections", vars{"runId": "r"}, nil)
	require.Contains(t, w.exported(t), "Zoezz")
	for _, step := range []struct{ mutation, id string }{
		{"deleteVerdict", "v1"}, {"deleteSection", "section:r/b"}, {"deleteRun", "r"}, {"deleteExecution", "execution:x"},
	} {
		w.do(t, step.mutation, "deletedId", vars{"id": step.id}, nil)
		assert.Equal(t, "NOT_FOUND", w.refuse(t, mutationOf(step.mutation, "deletedId"), vars{"input": vars{"id": step.id}}).Extensions.Code, step.id)
	}
	assert.NotContains(t, w.exported(t), "Zoezz", "nor in what patterns say")
	refused := w.refuse(t, mutationOf("deleteExecution", "deletedId"), vars{"input": vars{"id": "execution:episode:e"}})
	assert.Equal(t, "INVALID_INPUT", refused.Extensions.Code)
	assert.Contains(t, refused.Message, "delete episode:e")
	var data struct {
		Nodes           []*struct{ ID string }
		LearningProfile *struct{ ExecutionsTotal int }
		Runs            struct{ TotalCount int }
	}
	w.ask(t, `{
		nodes(ids: ["verdict:v1", "verdict:v2", "verdict:v4", "section:r/c", "run:r", "execution:x"]) { id }
		learningProfile(agentId: "ada", taskType: "zoo") { executionsTotal } runs { totalCount }
	}`, nil, &data)
	for i, node := range data.Nodes {
		assert.Nil(t, node, i)
	}
	assert.Zero(t, data.Runs.TotalCount)
	require.NotNil(t, data.LearningProfile)
	assert.Equal(t, 1, data.LearningProfile.ExecutionsTotal, "the episode's stays")
}
