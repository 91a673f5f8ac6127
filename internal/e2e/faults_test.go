package e2e

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testBadInput sends input that must be refused with a code, a field, and nothing written.
func testBadInput(t *testing.T, w *world) {
	w.episode(t, "used", "Recorded.", vars{"outcome": "SUCCESS", "embedding": []float64{1, 0, 0}})
	w.episode(t, "open", "Not concluded.", nil)
	w.do(t, "concludeEpisode", "episode { id }", vars{"id": "open", "outcome": "SUCCESS"}, nil)
	w.canvas(t, vars{"canvasId": "c", "canvasType": "docs"}, vars{"id": "a1", "action": "PRESENT"})
	w.feedback(t, vars{"id": "f", "episodeId": "used", "type": "THUMBS_UP"})

	record, conclude, feedback := mutationOf("recordEpisode", "episode { id }"), mutationOf("concludeEpisode", "episode { id }"), mutationOf("submitFeedback", "feedback { id }")
	capture, actions := mutationOf("captureRun", "episode { id }"), mutationOf("recordEpisodes", "result { failed }")
	const recall = `query ($input: RecallInput!) { recall(input: $input) { hits { rank } } }`
	const list = `query ($filter: EpisodeFilter, $first: Int, $after: String) { episodes(filter: $filter, first: $first, after: $after) { nodes { id } } }`
	input := func(input vars) vars { return vars{"input": input} }
	episode := func(more vars) vars {
		all := vars{"agentId": "ada", "observation": "Something."}
		for key, value := range more {
			all[key] = value
		}
		return input(all)
	}
	for name, test := range map[string]struct {
		query       string
		variables   vars
		code, field string
	}{
		"rating 6":                     {feedback, input(vars{"episodeId": "used", "type": "RATING", "rating": 6}), "INVALID_INPUT", "rating"},
		"a rating of no number":        {feedback, input(vars{"episodeId": "used", "type": "RATING", "rating": "five"}), "INVALID_INPUT", "rating"},
		"a rating beyond 32 bits":      {feedback, input(vars{"episodeId": "used", "type": "RATING", "rating": 1 << 40}), "INVALID_INPUT", "rating"},
		"thumbs against stars":         {feedback, input(vars{"episodeId": "used", "type": "THUMBS_UP", "rating": 2}), "INVALID_INPUT", "rating"},
		"feedback on nothing":          {feedback, input(vars{"type": "THUMBS_UP"}), "INVALID_INPUT", "episodeId"},
		"a word that is no type":       {feedback, input(vars{"episodeId": "used", "type": "MEH"}), "INVALID_INPUT", "type"},
		"a word in lower case":         {feedback, input(vars{"episodeId": "used", "type": "thumbs_up"}), "INVALID_INPUT", "type"},
		"used feedback key":            {feedback, input(vars{"id": "f", "episodeId": "used", "type": "THUMBS_DOWN"}), "CONFLICT", "id"},
		"negative topK":                {recall, input(vars{"situation": "x", "topK": -1}), "INVALID_INPUT", "topK"},
		"topK 101":                     {recall, input(vars{"situation": "x", "topK": 101}), "INVALID_INPUT", "topK"},
		"timeRange with since":         {recall, input(vars{"situation": "x", "timeRange": "LAST_7D", "since": now}), "INVALID_INPUT", "timeRange"},
		"timeRange with since in list": {list, vars{"filter": vars{"timeRange": "LAST_7D", "since": now}}, "INVALID_INPUT", "timeRange"},
		"a recall of another length":   {recall, input(vars{"situation": "x", "embedding": []float64{1, 2}}), "INVALID_INPUT", "embedding"},
		"a negative weight":            {recall, input(vars{"situation": "x", "ranking": vars{"canvasBoost": -1}}), "INVALID_INPUT", "ranking.canvasBoost"},
		"first 101":                    {list, vars{"first": 101}, "INVALID_INPUT", "first"},
		"first below 0":                {list, vars{"first": -1}, "INVALID_INPUT", "first"},
		"no cursor":                    {list, vars{"after": "abc"}, "INVALID_INPUT", "after"},
		"a score out of range":         {list, vars{"filter": vars{"minFeedbackScore": 1.5}}, "INVALID_INPUT", "minFeedbackScore"},
		"used key, other content":      {record, episode(vars{"id": "used"}), "CONFLICT", "id"},
		"another length of vector":     {record, episode(vars{"embedding": []float64{1, 2}}), "INVALID_INPUT", "embedding"},
		"the zero vector":              {record, episode(vars{"embedding": []float64{0, 0, 0}}), "INVALID_INPUT", "embedding"},
		"no observation":               {record, input(vars{"agentId": "ada"}), "INVALID_INPUT", "observation"},
		"a blank observation":          {record, episode(vars{"observation": " \n"}), "INVALID_INPUT", "observation"},
		"an observation of 10 MB":      {record, episode(vars{"observation": strings.Repeat("word ", 2<<20)}), "LIMIT_EXCEEDED", "observation"},
		"a list of 1,001":              {record, episode(vars{"thoughts": make([]string, 1001)}), "LIMIT_EXCEEDED", "thoughts"},
		"JSON nested 65 deep":          {record, episode(vars{"metadata": nestedLists(65)}), "LIMIT_EXCEEDED", "metadata"},
		"a result nested 900 deep":     {record, episode(vars{"actions": []vars{{"stepName": "s", "result": nestedLists(900)}}}), "LIMIT_EXCEEDED", "actions.0.result"},
		"a body nested 9,000 deep":     {record, episode(vars{"metadata": nestedLists(9000)}), "LIMIT_EXCEEDED", ""},
		"JSON of 10,001 keys":          {record, episode(vars{"metadata": manyKeys(10_001)}), "LIMIT_EXCEEDED", "metadata"},
		"a key of 513 bytes":           {record, episode(vars{"id": strings.Repeat("k", 513)}), "INVALID_INPUT", "id"},
		"a key with a line feed":       {record, episode(vars{"id": "a\nb"}), "INVALID_INPUT", "id"},
		"no time":                      {record, episode(vars{"startedAt": "yesterday"}), "INVALID_INPUT", "startedAt"},
		"a time before 1970":           {record, episode(vars{"startedAt": "1969-12-31T23:59:59.999Z"}), "INVALID_INPUT", "startedAt"},
		"a time in the year 10000":     {record, episode(vars{"endedAt": "9999-12-31T23:59:59-01:00"}), "INVALID_INPUT", "endedAt"},
		"an event of the year 1":       {capture, input(vars{"runId": "r", "agentId": "ada", "events": []vars{{"type": "x", "at": "0001-01-01T00:00:00Z"}}}), "INVALID_INPUT", "events.0.at"},
		"a recall as of the year 1":    {recall, input(vars{"situation": "x", "asOf": "0001-01-01T00:00:00Z"}), "INVALID_INPUT", "asOf"},
		"a list since the year 1":      {list, vars{"filter": vars{"since": "0001-01-01T00:00:00Z"}}, "INVALID_INPUT", "since"},
		"a list until the year 1969":   {list, vars{"filter": vars{"until": "1969-01-01T00:00:00Z"}}, "INVALID_INPUT", "until"},
		"an end before the start":      {record, episode(vars{"startedAt": after(1), "endedAt": after(0)}), "INVALID_INPUT", "endedAt"},
		"quality above 1":              {record, episode(vars{"quality": 1.1}), "INVALID_INPUT", "quality"},
		"a cost below 0":               {record, episode(vars{"cost": -1}), "INVALID_INPUT", "cost"},
		"a number for a text":          {record, episode(vars{"title": 5}), "INVALID_INPUT", "title"},
		"an unknown input field":       {record, episode(vars{"colour": "red"}), "INVALID_INPUT", "colour"},
		"a fault deep inside":          {record, episode(vars{"actions": []vars{{"stepName": "ok"}, {"stepName": ""}}}), "INVALID_INPUT", "actions.1.stepName"},
		"a second conclusion":          {conclude, input(vars{"id": "open", "outcome": "FAILURE"}), "CONFLICT", "id"},
		"concluded when recorded":      {conclude, input(vars{"id": "used", "outcome": "FAILURE"}), "CONFLICT", "id"},
		"concluding nothing":           {conclude, input(vars{"id": "none", "outcome": "FAILURE"}), "NOT_FOUND", "id"},
		"a run without a log":          {capture, input(vars{"runId": "r", "agentId": "ada", "events": []vars{}}), "INVALID_INPUT", "events"},
		"a batch of 1,001":             {actions, input(vars{"episodes": make1001()}), "LIMIT_EXCEEDED", "episodes"},
		"no global id":                 {`query ($id: ID!) { node(id: $id) { id } }`, vars{"id": "run-123"}, "INVALID_INPUT", "id"},
	} {
		t.Run(name, func(t *testing.T) {
			refused := w.refuse(t, test.query, test.variables)
			assert.Equal(t, test.code, refused.Extensions.Code, refused.Message)
			assert.Equal(t, test.field, refused.Extensions.Field, refused.Message)
			assert.Less(t, len(refused.Message), 400)
		})
	}
	t.Run("invalid UTF-8", func(t *testing.T) {
		answer := w.send(t, []byte("{\"query\":\"mutation { recordEpisode(input: { agentId: \\\"a\\\", observation: \\\"\xff\\\" }) { episode { id } } }\"}"))
		assert.Equal(t, http.StatusBadRequest, answer.Status)
		require.Len(t, answer.Errors, 1)
		assert.Equal(t, "INVALID_INPUT", answer.Errors[0].Extensions.Code)
	})
	t.Run("20,000 times __typename", func(t *testing.T) {
		refused := w.refuse(t, "{"+strings.Repeat("__typename ", 20_000)+"}", nil)
		assert.Equal(t, "LIMIT_EXCEEDED", refused.Extensions.Code)
	})
	t.Run("nothing was written", func(t *testing.T) {
		assert.Equal(t, 2, w.count(t))
		var data struct {
			Agents  struct{ TotalCount int }
			Episode struct {
				Outcome                string
				AggregateFeedbackScore float64
				Feedback               struct{ TotalCount int }
			}
		}
		w.ask(t, `{ agents { totalCount } episode(id: "used") { outcome aggregateFeedbackScore feedback { totalCount } } }`, nil, &data)
		assert.Equal(t, 1, data.Agents.TotalCount)
		assert.Equal(t, "SUCCESS", data.Episode.Outcome)
		assert.Equal(t, 1, data.Episode.Feedback.TotalCount)
		assert.InDelta(t, 1, data.Episode.AggregateFeedbackScore, 1e-12)
	})
}

func make1001() []vars {
	episodes := make([]vars, 1001)
	for i := range episodes {
		episodes[i] = vars{"agentId": "ada", "observation": "x"}
	}
	return episodes
}

// testCursors takes cursors to queries that they do not belong to.
func testCursors(t *testing.T, w *world) {
	for _, id := range []string{"a", "b", "c"} {
		w.episode(t, id, "Page me.", nil)
	}
	var data struct {
		Episodes struct{ PageInfo struct{ EndCursor string } }
	}
	w.ask(t, `{ episodes(first: 1) { pageInfo { endCursor } } }`, nil, &data)
	cursor := vars{"after": data.Episodes.PageInfo.EndCursor}
	for name, list := range map[string]string{
		"another order":  "episodes(orderBy: STARTED_AT_ASC, after: $after)",
		"another filter": "episodes(filter: { agentId: \"ada\" }, after: $after)",
		"another list":   "agents(after: $after)",
	} {
		refused := w.refuse(t, "query ($after: String) { "+list+" { nodes { id } } }", cursor)
		assert.Equal(t, "INVALID_INPUT", refused.Extensions.Code, name)
		assert.Equal(t, "after", refused.Extensions.Field, name)
	}
	w.ask(t, `query ($after: String) { episodes(first: 0, after: $after) { nodes { id } pageInfo { startCursor } } }`, cursor, nil)
}

// nestedLists is a list in a list, so many of them.
func nestedLists(depth int) json.RawMessage {
	return json.RawMessage(strings.Repeat("[", depth) + strings.Repeat("]", depth))
}

func manyKeys(keys int) vars {
	object := vars{}
	for i := range keys {
		object[strconv.Itoa(i)] = i
	}
	return object
}
