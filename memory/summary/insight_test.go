package summary_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/summary"
)

func TestWriteInsight(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		episode memory.Episode
		want    string
	}{
		"succeeded": {
			memory.Episode{
				Outcome: memory.OutcomeSuccess, Result: new("Booked"),
				Actions: []memory.Action{memorytest.Took("search", `[]`), memorytest.Took("search", `[1]`), memorytest.Took("book", `{"id":7}`)},
			},
			`Succeeded after 3 steps. The last step (book) gave: {"id":7}. Result: Booked. Steps: search ×2 → book.`,
		},
		"failed at the last step": {
			memory.Episode{
				Outcome: memory.OutcomeFailure,
				Actions: []memory.Action{memorytest.Took("get_user", `{"id":7}`), memorytest.Took("book", `"Error: gift card balance is not enough"`)},
			},
			"Failed after 2 steps. The first result that reads like an error came at step 2 (book): " +
				"Error: gift card balance is not enough. Steps: get_user → book.",
		},
		"went on after an error": {
			memory.Episode{
				Outcome: memory.OutcomeSuccess,
				Actions: []memory.Action{memorytest.Took("book", `{"error":"no seats"}`), memorytest.Took("book", `"Booked."`)},
			},
			"Succeeded after 2 steps. The first result that reads like an error came at step 1 (book): no seats. " +
				"The last step (book) gave: Booked. Steps: book ×2.",
		},
		"a tool with its arguments": {
			memory.Episode{
				Outcome: memory.OutcomeFailure,
				Actions: []memory.Action{
					memorytest.Took("find", `{"arguments":{"id":7},"result":"Error: user not found"}`),
					memorytest.Took("transfer", `{"arguments":{"summary":"long"},"result":"Transfer successful"}`),
				},
			},
			"Failed after 2 steps. The first result that reads like an error came at step 1 (find): Error: user not found. " +
				"The last step (transfer) gave: Transfer successful. Steps: find → transfer.",
		},
		"a tool that gave nothing": {
			memory.Episode{Outcome: memory.OutcomeSuccess, Actions: []memory.Action{memorytest.Took("refund", `{"arguments":{"order":"A-1"}}`)}},
			"Succeeded after 1 step. Steps: refund.",
		},
		"a tool that failed": {
			memory.Episode{Outcome: memory.OutcomeFailure, Actions: []memory.Action{memorytest.Took("refund", `{"arguments":{"order":"A-1"},"error":"timed out"}`)}},
			"Failed after 1 step. The first result that reads like an error came at step 1 (refund): timed out. Steps: refund.",
		},
		"a long log, of which the middle may be left out": {
			memory.Episode{
				Outcome: memory.OutcomeFailure,
				Actions: append(slices.Repeat([]memory.Action{memorytest.Took("poll", `0`)}, summary.MaxSteps-1), memorytest.Took("book", `"Error: full"`)),
			},
			"Failed after at least 1000 steps. The first result that reads like an error came after step 500 (book): Error: full. " +
				"Steps: poll ×999 → book.",
		},
		"no steps": {
			memory.Episode{Outcome: memory.OutcomeFailure, Result: new("The user left!")},
			"Failed; no steps were recorded. Result: The user left!",
		},
		"nothing known":   {memory.Episode{Outcome: memory.OutcomeUnknown, Result: new(" \n")}, "Outcome unknown; no steps were recorded."},
		"an empty record": {memory.Episode{}, "Outcome unknown; no steps were recorded."},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, summary.Insight(&test.episode))
		})
	}
}

func TestWriteInsightKnowsErrorsByTheirLook(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]bool{
		`"Error: flight not available"`:       true,
		`"  error"`:                           true,
		`"Traceback (most recent call last)"`: true,
		`"FAILED: 3 tests"`:                   true,
		`{"error":{"code":500}}`:              true,
		`{"errors":["x"]}`:                    true,
		`{"success":false,"reason":"late"}`:   true,
		`{"status":"Failed"}`:                 true,
		`{"error":null}`:                      false,
		`{"error":"","errors":[]}`:            false,
		`{"success":true,"status":"ok"}`:      false,
		`"Errorless run"`:                     false,
		`"The error was found"`:               false,
		`["error"]`:                           false,
		`299.0`:                               false,
		``:                                    false,
	} {
		insight := summary.Insight(&memory.Episode{Actions: []memory.Action{memorytest.Took("step", result)}})
		assert.Equal(t, want, strings.Contains(insight, "reads like an error"), "%s in %s", result, insight)
	}
}

func TestWriteInsightStaysShort(t *testing.T) {
	t.Parallel()
	actions := []memory.Action{}
	for i := range 200 {
		actions = append(actions, memorytest.Took(strings.Repeat("s", i%7+1), `"`+strings.Repeat("lang ", 1000)+`"`))
	}
	insight := summary.Insight(&memory.Episode{Actions: actions, Result: new(strings.Repeat("ü", 9000))})
	assert.Less(t, utf8.RuneCountInString(insight), 1000)
	assert.Contains(t, insight, "→ 180 more.")
}

func TestWriteInsightNeverInvents(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-z]{5,9}`)
	own := "succeeded failed outcome unknown after step steps the first result that reads like an error came at last gave no were recorded "
	rapid.Check(t, func(t *rapid.T) {
		e := memory.Episode{Outcome: memory.OutcomeSuccess, Result: new(word.Draw(t, "result"))}
		said := own + *e.Result
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			name, result := word.Draw(t, "name"), word.Draw(t, "result")
			e.Actions = append(e.Actions, memorytest.Took(name, `"`+result+`"`))
			said += " " + name + " " + result
		}
		for _, w := range strings.FieldsFunc(strings.ToLower(summary.Insight(&e)), func(r rune) bool { return r < 'a' || r > 'z' }) {
			assert.Contains(t, said, w)
		}
	})
}
