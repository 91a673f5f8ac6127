package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// advised is what a recall tells an agent to do and to avoid.
type advised struct {
	Hits, Cautions []hit
	Lessons        string
}

func (w *world) advised(t *testing.T, input vars) advised {
	t.Helper()
	var data struct{ Recall advised }
	const shown = `{ rank score { semantic feedback } reasons moments { snippet } episode { id } }`
	w.ask(t, `query ($input: RecallInput!) { recall(input: $input) { hits `+shown+` cautions `+shown+` lessons(maxTokens: 2000) } }`, vars{"input": input}, &data)
	return data.Recall
}

// testCautions: six praised proposals of last month, and yesterday's with a rating of 2 and a correction.
func testCautions(t *testing.T, w *world) {
	proposal := func(id string, days int, steps ...string) {
		actions := []vars{}
		for _, step := range steps {
			actions = append(actions, vars{"stepName": step})
		}
		w.episode(t, id, "Write a proposal of the pro plan for a customer", vars{
			"taskType": "proposal", "outcome": "SUCCESS", "startedAt": now.AddDate(0, 0, -days), "actions": actions, "insight": "Insight of " + id + ".",
		})
	}
	for i := range 6 {
		id := fmt.Sprint("praised", i)
		proposal(id, 30+i, "read_prices", "write")
		w.feedback(t, vars{"episodeId": id, "type": "THUMBS_UP"})
		w.canvas(t, vars{"canvasId": id, "episodeId": id, "canvasType": "docs"}, vars{"action": "PRESENT"})
	}
	proposal("yesterday", 1, "write")
	w.feedback(t, vars{"episodeId": "yesterday", "type": "RATING", "rating": 2, "corrections": "The pro plan is 49 since yesterday"})
	w.episode(t, "weather", "Tell the weather in Paris", vars{"outcome": "FAILURE"})

	told := w.advised(t, vars{"situation": "a proposal of the pro plan for a customer", "variants": "SEPARATE"})
	assert.NotContains(t, ids(told.Hits), "yesterday", "what to copy")
	require.Equal(t, []string{"yesterday"}, ids(told.Cautions))
	caution := told.Cautions[0]
	assert.Equal(t, 1, caution.Rank)
	assert.InDelta(t, told.Hits[4].Score.Semantic, caution.Score.Semantic, 0.01)
	assert.InDelta(t, -0.3, caution.Score.Feedback, 1e-9)
	assert.Contains(t, caution.Reasons, "a person put it right: The pro plan is 49 since yesterday")
	assert.Regexp(t, "^instead, episode:praised\\d, which succeeded, did read_prices before write$", caution.Reasons[len(caution.Reasons)-1])
	_, wrong, found := strings.Cut(told.Lessons, "\nWhat went wrong in similar situations:\n")
	require.True(t, found, told.Lessons)
	for _, part := range []string{"Actions: write\n", "⚠️ User correction: The pro plan is 49 since yesterday\n", "Instead: episode:praised"} {
		assert.Contains(t, wrong, part)
	}
	assert.Empty(t, w.advised(t, vars{"situation": "a proposal of the pro plan for a customer", "asOf": now.AddDate(0, 0, -2)}).Cautions, "it was not there")
	assert.NotContains(t, w.advised(t, vars{"situation": "a proposal of the pro plan", "includeFeedback": false}).Lessons, "49 since")

	var mcp struct {
		Cautions []struct {
			ID      string
			Reasons []string
		}
		Lessons string
	}
	w.agent(t).call(t, "recall", vars{"situation": "a proposal of the pro plan for a customer"}, &mcp)
	require.Len(t, mcp.Cautions, 1)
	assert.Equal(t, "episode:yesterday", mcp.Cautions[0].ID)
	assert.Contains(t, mcp.Cautions[0].Reasons, "a person put it right: The pro plan is 49 since yesterday")
	assert.Contains(t, mcp.Lessons, "What went wrong in similar situations:")
}

// testFailuresNobodyRated: a failure is a caution, and no hit that failed passes for an example.
func testFailuresNobodyRated(t *testing.T, w *world) {
	for i := range 3 {
		w.episode(t, fmt.Sprint("failed", i), "Cancel the flight of a passenger", vars{
			"outcome": "FAILURE", "startedAt": now.Add(-time.Duration(i+1) * time.Hour), "insight": fmt.Sprintf("Why %d.", i), "actions": []vars{
				{"stepName": "get_user", "result": vars{"error": "timeout"}}, {"stepName": "get_user", "result": "Ada"},
				{"stepName": "cancel", "result": "Error: the fare cannot be cancelled"},
			},
		})
	}
	w.episode(t, "succeeded", "Cancel the flight of another passenger", vars{
		"outcome": "SUCCESS", "startedAt": now.Add(-50 * time.Hour), "actions": []vars{{"stepName": "get_user"}, {"stepName": "read_fare"}, {"stepName": "refuse"}},
	})
	told := w.advised(t, vars{"situation": "cancel the flight of a passenger", "variants": "SEPARATE"})
	assert.Len(t, told.Hits, 4)
	assert.Equal(t, []string{"failed0", "failed1"}, ids(told.Cautions), "two at most, the newer among equals")
	for _, hit := range told.Hits {
		failed := strings.HasPrefix(hit.Episode.ID, "episode:failed")
		assert.Equal(t, failed, strings.Contains(strings.Join(hit.Reasons, "\n"), "it failed: what to avoid, no example"), hit.Reasons)
	}
	assert.Subset(t, told.Cautions[0].Reasons, []string{
		"the step that failed: cancel (step 3): Error: the fare cannot be cancelled.",
		"instead, episode:succeeded, which succeeded, after get_user did read_fare → refuse instead of cancel",
	})
	examples, wrong, _ := strings.Cut(told.Lessons, "\nWhat went wrong in similar situations:\n")
	assert.Equal(t, 1, strings.Count(examples, "Episode from"), told.Lessons)
	assert.Equal(t, 3, strings.Count(wrong, "(failure)"), told.Lessons)
	assert.Contains(t, wrong, "Failed step: cancel (step 3): Error: the fare cannot be cancelled.\nInstead: episode:succeeded, which succeeded, after get_user did read_fare → refuse")
	assert.Empty(t, w.advised(t, vars{"situation": "xylophone"}).Cautions, "nothing is like it")
	assert.Empty(t, w.advised(t, vars{"situation": "cancel the flight", "outcome": "SUCCESS"}).Cautions)
}

// testNothingAlike: where nothing is like the situation, nothing comes, and the answer says so.
func testNothingAlike(t *testing.T, w *world) {
	type answer struct {
		Hits    []struct{ Episode struct{ ID string } }
		Lessons string
		Note    *string
	}
	ask := func(situation string, more vars) answer {
		input := vars{"situation": situation}
		for key, value := range more {
			input[key] = value
		}
		var data struct{ Recall answer }
		w.ask(t, `query ($input: RecallInput!) { recall(input: $input) { hits { episode { id } } lessons note } }`, vars{"input": input}, &data)
		return data.Recall
	}
	assert.Equal(t, "Nothing is remembered that passes these filters.", *ask("refund", nil).Note)
	w.episode(t, "e", "Refund a ticket", vars{"outcome": "SUCCESS", "insight": "Read the fare."})
	for situation, says := range map[string]string{"xylophone": "Nothing remembered is like this situation;", "what is that?": "These are common words only,"} {
		none := ask(situation, nil)
		assert.Empty(t, none.Hits)
		assert.Empty(t, none.Lessons)
		require.NotNil(t, none.Note)
		assert.Contains(t, *none.Note, says)
		recent := ask(situation, vars{"fallback": "RECENT"})
		assert.Len(t, recent.Hits, 1)
		assert.Nil(t, recent.Note)
		assert.True(t, strings.HasPrefix(recent.Lessons, "Lessons from the latest situations; none matches this one:\n"), recent.Lessons)

		var mcp struct {
			Hits          []struct{}
			Lessons, Note string
		}
		w.agent(t).call(t, "recall", vars{"situation": situation}, &mcp)
		assert.Empty(t, mcp.Hits)
		assert.Contains(t, mcp.Note, says)
		mcp.Note = ""
		w.agent(t).call(t, "recall", vars{"situation": situation, "fallback": "RECENT"}, &mcp)
		assert.Len(t, mcp.Hits, 1)
		assert.Empty(t, mcp.Note)
	}
	assert.Len(t, ask("", nil).Hits, 1, "nothing was asked for")
	assert.Len(t, ask("refund", nil).Hits, 1)
}

// testLessonsToCite: each lesson names its episode's id, and none repeats its steps as an insight.
func testLessonsToCite(t *testing.T, w *world) {
	w.episode(t, "told", "Refund a ticket", vars{"outcome": "SUCCESS", "insight": "The fare decides.", "actions": []vars{{"stepName": "refund"}}})
	w.episode(t, "untold", "Refund a bus ticket", vars{"outcome": "SUCCESS", "actions": []vars{{"stepName": "refund"}, {"stepName": "tell"}}})
	lessons := w.advised(t, vars{"situation": "refund a ticket"}).Lessons
	assert.Contains(t, lessons, "(success), episode:told\n")
	assert.Contains(t, lessons, "(success), episode:untold\n")
	assert.Contains(t, lessons, "Key insight: The fare decides.")
	assert.Equal(t, 1, strings.Count(lessons, "Key insight:"), lessons)
}

// testCorrectionsOfARecall: corrections that match come with GraphQL's recall as with MCP's.
func testCorrectionsOfARecall(t *testing.T, w *world) {
	w.correct(t, "k", "refunds", "A basic fare is never refunded.", "Within 24 hours it is.", vars{"importance": "HIGH"})
	w.correct(t, "other", "charts", "Lines.", "Bars.", nil)
	var data struct {
		Recall struct {
			Corrections []struct{ Correction correction }
		}
	}
	const query = `query ($input: RecallInput!) { recall(input: $input) { corrections { score snippet correction { id } } } }`
	w.ask(t, query, vars{"input": vars{"situation": "the basic fare is to be refunded"}}, &data)
	require.Len(t, data.Recall.Corrections, 1)
	assert.Equal(t, "correction:k", data.Recall.Corrections[0].Correction.ID)
	for _, without := range []vars{{"includeFeedback": false}, {"asOf": now.AddDate(0, 0, -2)}} {
		without["situation"] = "the basic fare is to be refunded"
		w.ask(t, query, vars{"input": without}, &data)
		assert.Empty(t, data.Recall.Corrections, without)
	}
	var mcp struct{ Corrections []struct{ ID string } }
	w.agent(t).call(t, "recall", vars{"situation": "the basic fare is to be refunded"}, &mcp)
	require.Len(t, mcp.Corrections, 1)
	assert.Equal(t, "correction:k", mcp.Corrections[0].ID)
}

// testPatternsOfARecall: what consolidation found comes with the recall and in its lessons.
func testPatternsOfARecall(t *testing.T, w *world) {
	for i := range 4 {
		w.episode(t, fmt.Sprint("e", i), "A refund is asked for", vars{"taskType": "refund_request", "outcome": "FAILURE", "startedAt": now.AddDate(0, 0, -10-i), "insight": "Why."})
	}
	w.episode(t, "weather", "Tell the weather in Paris", vars{"outcome": "SUCCESS"})
	w.observe(t, "mine", "A refund request is urgent.", nil)
	w.do(t, "consolidate", "observationsCreated", vars{"dryRun": false}, nil)
	ask := func(situation string, more vars) (patterns []string, lessons string) {
		var data struct {
			Recall struct {
				Patterns []struct{ Observation struct{ ID, Content string } }
				Lessons  string
			}
		}
		input := vars{"situation": situation}
		for key, value := range more {
			input[key] = value
		}
		w.ask(t, `query ($input: RecallInput!) { recall(input: $input) { patterns { score observation { id content } } lessons } }`, vars{"input": input}, &data)
		for _, pattern := range data.Recall.Patterns {
			patterns = append(patterns, pattern.Observation.Content)
		}
		return patterns, data.Recall.Lessons
	}
	patterns, lessons := ask("a refund request", nil)
	require.Len(t, patterns, 1)
	assert.Contains(t, patterns[0], "refund_request")
	assert.Contains(t, lessons, "\nWhat recurs:\n- "+patterns[0])
	patterns, lessons = ask("weather in Paris", nil)
	assert.Empty(t, patterns)
	assert.NotContains(t, lessons, "What recurs")
	patterns, _ = ask("a refund request", vars{"asOf": now.AddDate(0, 0, -1)})
	assert.Empty(t, patterns, "it was not known")
	patterns, _ = ask("a refund request", vars{"agentId": "ada"})
	assert.Len(t, patterns, 1)

	var mcp struct{ Patterns []string }
	w.agent(t).call(t, "recall", vars{"situation": "a refund request"}, &mcp)
	assert.Len(t, mcp.Patterns, 1)
}

// testFormsToFillAgain: a form's fields, which were filled, and an error's text are told; closing after it is leaving.
func testFormsToFillAgain(t *testing.T, w *world) {
	w.episode(t, "filled", "Fill in the tax form", vars{"outcome": "SUCCESS", "insight": "Ask first."})
	w.canvas(t, vars{"canvasId": "filled", "episodeId": "filled", "canvasType": "forms", "componentType": "tax"},
		vars{"action": "PRESENT", "metadata": vars{"fields": []string{"name", "iban"}}}, vars{"action": "SUBMIT", "at": after(40), "metadata": vars{"completed": []string{"name"}}})
	for i := range 2 {
		key := fmt.Sprint("refused", i)
		w.episode(t, key, "Fill in the bank form", vars{"outcome": "FAILURE", "insight": "Count " + key})
		w.canvas(t, vars{"canvasId": key, "episodeId": key, "canvasType": "forms", "componentType": "bank"},
			vars{"action": "PRESENT"}, vars{"action": "EXECUTE", "at": after(9), "metadata": vars{"error": "tax id has 10 digits"}}, vars{"action": "CLOSE", "at": after(30)})
	}
	filled := "tax form: submitted after 40 s, shown with fields: name, iban, submitted with completed: name"
	refused := "bank form: given up after 30 s, showed an error: tax id has 10 digits"
	lessons := w.advised(t, vars{"situation": "fill in a form"}).Lessons
	assert.Contains(t, lessons, "Shown: "+filled+"\n")
	assert.Contains(t, lessons, "Shown: "+refused+" (2 times)")
	assert.NotContains(t, lessons, "stay with bank forms")
	var mcp struct {
		Hits []struct{ Canvases []struct{ Taken string } }
	}
	w.agent(t).call(t, "recall", vars{"situation": "fill in a form", "variants": "SEPARATE"}, &mcp)
	taken := map[string]int{}
	for _, hit := range mcp.Hits {
		taken[hit.Canvases[0].Taken]++
	}
	assert.Equal(t, map[string]int{filled: 1, refused: 2}, taken)
}
