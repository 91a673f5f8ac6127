package passages

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/summary"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func told(all []memory.Passage) []string {
	lines := []string{}
	for _, p := range all {
		lines = append(lines, fmt.Sprintf("%s %d %s: %s", p.Part, p.Position, p.Step, strings.ReplaceAll(p.Text, "\n", " | ")))
	}
	return lines
}

func event(sequence int, kind, data string) memory.Event {
	return memory.Event{Sequence: sequence, Type: kind, Data: memory.JSON(data), At: noon.Add(time.Duration(sequence) * time.Minute)}
}

func TestOfEpisode(t *testing.T) {
	t.Parallel()
	e := &memory.Episode{
		Title: "Refund", Observation: "A customer wants money back", StartedAt: noon, Insight: "Ask for the order first.", Result: new("Refunded"),
		Thoughts: []string{"The policy decides.", "Look the order up."},
		Actions: []memory.Action{
			memorytest.Took("find_order", `{"arguments":{"user":"mia_li_3668"},"result":"{\"order\":{\"id\":\"A-7\",\"items\":[\"bag\",\"hat\"]},\"paid\":true}"}`),
			memorytest.Took("refund", `"Error: card expired"`), memorytest.Took("refund", `"Error: card expired"`), memorytest.Took("wait", ""),
		},
	}
	log := []memory.Event{
		event(0, "workflow_started", `{"args":{"text":"please help"}}`),
		event(1, "agent_thought", `{"thought":"The policy decides."}`),
		event(2, "agent_message", `{"role":"user","content":"My card has expired"}`),
		event(3, "step_completed", `{"step_id":"s1","step_name":"refund","result":"Error: card expired"}`),
		event(4, "message", `{"role":"tool","name":"find_order","tool_call_id":"c7","content":"{\"order\":{\"id\":\"A-7\",\"items\":[\"bag\",\"hat\"]},\"paid\":true}"}`),
		event(5, "heartbeat", `{"type":"tick","tokens":512,"done":false}`), event(6, "heartbeat", ""),
		event(7, "tool_called", `{"tool":"email","to":"mia@example.com"}`),
		event(8, "workflow_completed", `{"result":"Refunded"}`),
	}
	all, leftOut := OfEpisode(e, log)
	assert.Zero(t, leftOut)
	assert.Equal(t, []string{
		"TITLE 0 : Refund", "OBSERVATION 0 : A customer wants money back", "THOUGHT 0 : The policy decides.", "THOUGHT 1 : Look the order up.",
		"ACTION 0 find_order: find_order | user: mia_li_3668 | order: | id: A-7 | items: bag, hat | paid: true",
		"ACTION 1 refund: refund | Error: card expired", "ACTION 3 wait: wait", "RESULT 0 : Refunded", "INSIGHT 0 : Ask for the order first.",
		"EVENT 0 : text: please help", "EVENT 2 user: My card has expired", "EVENT 7 email: email | to: mia@example.com",
	}, told(all))
	assert.Equal(t, noon, all[0].At)
	assert.Equal(t, noon.Add(2*time.Minute), all[10].At)

	assert.Equal(t, []string{"EVENT 2 user: My card has expired", "EVENT 7 email: email | to: mia@example.com"}, told(OfEvents([]memory.Event{log[2], log[5], log[7]})))
}

func TestWhatIsMadeByRuleIsNotIndexed(t *testing.T) {
	t.Parallel()
	e := &memory.Episode{Observation: "\nA customer wants money back,\nall of it", Outcome: memory.OutcomeSuccess, StartedAt: noon}
	e.Title, e.Insight = summary.Title(e.Observation), summary.Insight(e)
	all, _ := OfEpisode(e, nil)
	assert.Equal(t, []string{"OBSERVATION 0 : A customer wants money back, | all of it"}, told(all))
	e.Title = "A customer  wants"
	again, _ := OfEpisode(e, nil)
	assert.Equal(t, all, again)
}

func TestALongRecordKeepsHeadAndTail(t *testing.T) {
	t.Parallel()
	e := &memory.Episode{Observation: "long", Insight: "end", StartedAt: noon}
	for i := range 3 * Most {
		e.Thoughts = append(e.Thoughts, fmt.Sprint("thought ", i))
	}
	all, leftOut := OfEpisode(e, nil)
	require.Len(t, all, Most)
	assert.Equal(t, 2*Most+2, leftOut)
	assert.Equal(t, "OBSERVATION 0 : long", told(all)[0])
	assert.Equal(t, "THOUGHT 998 : thought 998", told(all)[Most/2-1])
	assert.Equal(t, "THOUGHT 5001 : thought 5001", told(all)[Most/2])
	assert.Equal(t, "INSIGHT 0 : end", told(all)[Most-1])
}

func TestOtherRecords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		got  []memory.Passage
		want string
	}{
		"memoir":      {Of(&memory.Memoir{Name: "travel", Description: new("All of it"), CreatedAt: noon}), "travel | All of it"},
		"bare memoir": {Of(&memory.Memoir{Name: "travel", CreatedAt: noon}), "travel"},
		"concept":     {Of(&memory.Concept{Name: "refund", Content: "Money back", Labels: []string{"pay", "care"}, UpdatedAt: noon}), "refund | Money back | pay, care"},
		"observation": {Of(&memory.Observation{Content: "It rains", CreatedAt: noon}), "It rains"},
		"correction":  {Of(&memory.Correction{Topic: "price", Prediction: "39", Correction: "49", CreatedAt: noon}), "price | 39 | 49"},
		"feedback":    {Of(&memory.Feedback{Reaction: memory.Reaction{Corrections: new("Ask first"), CreatedAt: noon}}), "Ask first"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, []string{"CONTENT 0 : " + test.want}, told(test.got))
			assert.Equal(t, noon, test.got[0].At)
		})
	}
	assert.Empty(t, Of(&memory.Feedback{}))
}

func TestSplit(t *testing.T) {
	t.Parallel()
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	sizes := func(pieces []string) (sizes []int) {
		for _, piece := range pieces {
			sizes = append(sizes, len(strings.Fields(piece)))
		}
		return sizes
	}
	for name, test := range map[string]struct {
		text string
		want []int
	}{
		"nothing":               {" \n ", nil},
		"as long as may be":     {words(80), []int{80}},
		"one more":              {words(81), []int{41, 40}},
		"paragraphs":            {words(50) + "\n\n" + words(50), []int{50, 50}},
		"short paragraphs":      {strings.Repeat(words(15)+"\n \n", 6), []int{45, 45}},
		"lines":                 {words(60) + "\n" + words(30) + "\n" + words(30), []int{60, 60}},
		"sentences":             {strings.Repeat(words(29)+" end. ", 4), []int{60, 60}},
		"a sentence in a quote": {words(60) + " \"end!\") " + words(60), []int{61, 60}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, sizes(split(test.text))) })
	}
	for _, long := range []string{strings.Repeat("aGVsbG8gd29y", 5461), strings.Repeat("東京行きの列車", 3000)} {
		for _, piece := range split(long) {
			assert.LessOrEqual(t, len(piece), maxWords*wordBytes)
		}
	}
}

func TestSplitLosesNothing(t *testing.T) {
	t.Parallel()
	bare := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, text)
	}
	texts := rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string {
		pieces := []string{"a", "word", "naïve,", "end.", "why?) ", " ", " ", "\n", "\n\n", "\u00a0", "東京行き", "止まる。", strings.Repeat("x", 700)}
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 600).Draw(t, "pieces"), "")
	}))
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		pieces := split(text)
		assert.Equal(t, bare(text), bare(strings.Join(pieces, "")))
		assert.Equal(t, pieces, split(text))
		for _, piece := range pieces {
			assert.LessOrEqual(t, weigh(piece), maxWords)
			assert.NotEmpty(t, piece)
		}
	})
}
