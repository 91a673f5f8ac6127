package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testCredit: a memory that helped the runs that used it ranks higher, one that misled them lower; the reasons say so.
func testCredit(t *testing.T, w *world) {
	const situation = "A customer was charged twice"
	for _, id := range []string{"helpful", "plain", "misleading"} {
		w.episode(t, id, situation, vars{"startedAt": now.Add(-48 * time.Hour), "endedAt": now.Add(-47 * time.Hour)})
	}
	agent := w.agent(t)
	for i := range 6 {
		outcome := map[bool]string{true: "SUCCESS", false: "FAILURE"}
		run := func(id, informing string, well bool) vars {
			return vars{"id": id, "agentId": "ada", "observation": "Work of another sort", "outcome": outcome[well],
				"startedAt": after(i), "informedBy": []string{informing, "episode:never recorded"}}
		}
		w.do(t, "recordEpisode", "episode { id }", run(fmt.Sprint("good-", i), "episode:helpful", i > 0), nil)
		agent.call(t, "record_episode", run(fmt.Sprint("bad-", i), "misleading", false), nil)
	}
	log := func(id, end string) vars {
		return vars{"runId": id, "agentId": "ada", "informedBy": []string{"helpful"}, "events": []vars{{"type": end, "data": vars{}, "at": after(10)}}}
	}
	w.do(t, "captureRun", "episode { id }", log("captured", "workflow_completed"), nil)
	agent.call(t, "capture_run", log("captured by MCP", "workflow_completed"), nil)
	w.feedback(t, vars{"episodeId": "captured by MCP", "type": "THUMBS_DOWN", "at": after(20)}) // so it counts 0

	var data struct {
		Recall, Then, Without struct {
			Hits []struct {
				Reasons []string
				Episode struct{ ID string }
				Score   struct{ Credit float64 }
			}
		}
		Episode struct {
			Informed struct {
				TotalCount int
				Nodes      []struct {
					InformedBy struct{ Nodes []struct{ ID string } }
				}
			}
		}
	}
	w.ask(t, `query ($situation: String!, $then: DateTime!) {
		recall(input: {situation: $situation, variants: SEPARATE, topK: 3}) { hits { reasons episode { id } score { credit } } }
		then: recall(input: {situation: $situation, variants: SEPARATE, topK: 3, asOf: $then}) { hits { reasons episode { id } score { credit } } }
		without: recall(input: {situation: $situation, variants: SEPARATE, topK: 3, ranking: {creditWeight: 0}}) { hits { reasons episode { id } score { credit } } }
		episode(id: "helpful") { informed(first: 2) { totalCount nodes { informedBy { nodes { id } } } } }
	}`, vars{"situation": situation, "then": after(0)}, &data)
	require.Len(t, data.Recall.Hits, 3)
	for i, want := range []struct {
		id     string
		credit float64
		reason string
	}{
		{"episode:helpful", 0.1 * 5 / 13, "helped 6 of 8 runs (+0.04)"}, {"episode:plain", 0, ""}, {"episode:misleading", -0.1 * 6 / 11, "helped 0 of 6 runs (-0.05)"},
	} {
		got := data.Recall.Hits[i]
		assert.Equal(t, want.id, got.Episode.ID)
		assert.InDelta(t, want.credit, got.Score.Credit, 1e-9)
		if want.reason != "" {
			assert.Contains(t, got.Reasons, want.reason)
		}
		assert.Zero(t, data.Without.Hits[i].Score.Credit)
	}
	for _, got := range data.Then.Hits { // one run of each was known
		assert.InDelta(t, map[string]float64{"episode:helpful": -0.1 / 6, "episode:misleading": -0.1 / 6}[got.Episode.ID], got.Score.Credit, 1e-9)
	}
	assert.Equal(t, 8, data.Episode.Informed.TotalCount)
	require.Len(t, data.Episode.Informed.Nodes, 2)
	assert.Equal(t, "episode:helpful", data.Episode.Informed.Nodes[0].InformedBy.Nodes[0].ID)

	var told struct {
		Note string
		Hits []struct {
			ID    string
			Parts struct{ Credit float64 }
		}
	}
	agent.call(t, "recall", vars{"situation": situation, "topK": 1, "full": true}, &told)
	assert.Contains(t, told.Note, "informedBy")
	assert.Equal(t, "episode:helpful", told.Hits[0].ID)
	assert.InDelta(t, 0.1*5/13, told.Hits[0].Parts.Credit, 1e-9)
	agent.call(t, "neighbourhood", vars{"id": "episode:helpful", "relations": []string{"INFORMED_BY"}}, nil)

	refused := w.refuse(t, mutationOf("recordEpisode", "episode { id }"), vars{"input": vars{"id": "self", "agentId": "ada", "observation": "x", "informedBy": []string{"self"}}})
	assert.Equal(t, "informedBy", refused.Extensions.Field)
	w.do(t, "deleteEpisode", "deletedId", vars{"id": "good-1"}, nil)
	var less struct {
		Episode struct{ Informed struct{ TotalCount int } }
	}
	w.ask(t, `{ episode(id: "helpful") { informed { totalCount } } }`, nil, &less)
	assert.Equal(t, 7, less.Episode.Informed.TotalCount)
}
