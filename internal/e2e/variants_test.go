package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testVariants: near-identical episodes are one hit, with their number, outcomes and what the successful did otherwise.
func testVariants(t *testing.T, w *world) {
	for i, steps := range []string{"get_order refund", "get_order get_order refund", "get_order ask_manager refund", "refund"} {
		actions := []vars{}
		for step := range strings.FieldsSeq(steps) {
			actions = append(actions, vars{"stepName": step})
		}
		outcome := "FAILURE"
		if i == 2 {
			outcome = "SUCCESS"
		}
		w.episode(t, fmt.Sprint("e", i), fmt.Sprintf("Mrs Okafor wants her money back for the parcel with order A-%d", i), vars{
			"taskType": "support", "outcome": outcome, "actions": actions, "startedAt": now.Add(-time.Duration(i) * time.Hour),
		})
	}
	w.episode(t, "sales", "Mrs Okafor wants her money back for the parcel with order A-0", vars{"taskType": "sales", "startedAt": now.AddDate(0, -2, 0)})
	w.feedback(t, vars{"episodeId": "e1", "type": "THUMBS_DOWN", "corrections": "Ask the manager first"})
	type variants struct {
		Times, Succeeded, Failed int
		Contrast                 *string
		Reasons                  []string
		Episode                  struct{ ID string }
		Siblings                 []struct {
			ID, Outcome     string
			FeedbackContext []struct{ Corrections string }
		}
	}
	ask := func(input vars) (hits []variants, lessons string) {
		input["situation"] = "wants money back for a parcel"
		var data struct {
			Recall struct {
				Hits    []variants
				Lessons string
			}
		}
		w.ask(t, `query ($input: RecallInput!) { recall(input: $input) { lessons hits { times succeeded failed contrast reasons episode { id }
			siblings { id outcome feedbackContext { corrections } } } } }`, vars{"input": input}, &data)
		return data.Recall.Hits, data.Recall.Lessons
	}
	hits, lessons := ask(vars{"topK": 2})
	require.Len(t, hits, 2)
	first := hits[0]
	assert.Equal(t, "episode:e2", first.Episode.ID, "the one that succeeded stands for all")
	assert.Equal(t, []int{4, 1, 3}, []int{first.Times, first.Succeeded, first.Failed})
	require.NotNil(t, first.Contrast)
	assert.Equal(t, "after get_order did ask_manager before refund", *first.Contrast)
	assert.Subset(t, first.Reasons, []string{"near-identical work was done 4 times, 1 succeeded, 3 failed", "what succeeded: " + *first.Contrast})
	require.Len(t, first.Siblings, 3)
	assert.Equal(t, "episode:e0", first.Siblings[0].ID)
	assert.Equal(t, "FAILURE", first.Siblings[0].Outcome)
	assert.Equal(t, "Ask the manager first", first.Siblings[2].FeedbackContext[0].Corrections, "disliked, so the last")
	assert.Equal(t, "episode:sales", hits[1].Episode.ID, "another type of task")
	assert.Equal(t, 1, hits[1].Times)
	assert.Nil(t, hits[1].Contrast)
	assert.Contains(t, lessons, "episode:e2; done 4 times, 1 succeeded, 3 failed\n")
	assert.Contains(t, lessons, "What succeeded: after get_order did ask_manager")
	assert.Contains(t, lessons, "⚠️ User correction: Ask the manager first\n")

	separate, _ := ask(vars{"variants": "SEPARATE"})
	require.Len(t, separate, 5)
	for _, hit := range separate {
		assert.Equal(t, 1, hit.Times)
		assert.Empty(t, hit.Siblings)
	}
	failed, _ := ask(vars{"outcome": "FAILURE"})
	require.Len(t, failed, 1)
	assert.Equal(t, "episode:e0", failed[0].Episode.ID)
	then, _ := ask(vars{"asOf": now.Add(-90 * time.Minute)})
	assert.Equal(t, 2, then[0].Times, "two began later")
	refused := w.refuse(t, `{ recall(input: { situation: "a", variants: SOME }) { note } }`, nil)
	assert.Contains(t, refused.Message, "SOME")

	var mcp struct {
		Hits []struct {
			ID       string
			Siblings []string
			Reasons  []string
		}
	}
	w.agent(t).call(t, "recall", vars{"situation": "wants money back for a parcel"}, &mcp)
	require.Len(t, mcp.Hits, 2)
	assert.Equal(t, []string{"episode:e0", "episode:e3", "episode:e1"}, mcp.Hits[0].Siblings)
	assert.Contains(t, mcp.Hits[0].Reasons, "what succeeded: "+*first.Contrast)
	w.agent(t).call(t, "recall", vars{"situation": "wants money back for a parcel", "variants": "SEPARATE"}, &mcp)
	assert.Len(t, mcp.Hits, 5)
}

// testVariants: thirty recalls give hits of as many tasks as there are hits, the first for all trials of its task.
func (a *airline) testVariants(t *testing.T) {
	for task := range 30 {
		hits := a.recall(t, map[string]any{"situation": a.instruction(t, task)})
		seen := map[int]bool{}
		for _, hit := range hits {
			assert.False(t, seen[hit.task(t)], "task %d comes twice", hit.task(t))
			seen[hit.task(t)] = true
		}
		assert.GreaterOrEqual(t, hits[0].Times, airlineTrials, "two tasks may have one instruction but for a word")
		assert.Len(t, seen, 5)
	}
}
