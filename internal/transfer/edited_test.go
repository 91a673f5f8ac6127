package transfer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/internal/testsecret"
	"mneme/memory"
	"mneme/service/boundary"
)

// everything is the lines of an export with something of every kind.
func everything(t *testing.T) []string {
	t.Helper()
	ctx := t.Context()
	svc := testsecret.Open(t)
	fill(ctx, t, svc)
	return strings.SplitAfter(strings.TrimSuffix(export(ctx, t, svc), "\n"), "\n")
}

// fieldsOf are the fields of a line, numbers as they stand there.
func fieldsOf(t *testing.T, kept []byte) (fields map[string]any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(kept))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&fields))
	return fields
}

// Whatever text of whatever line of an export a secret is put into, it is not kept, and no error repeats it.
func TestNoTextOfAnEditedExportKeepsASecret(t *testing.T) {
	t.Parallel()
	lines := everything(t)
	svc := testsecret.Open(t)
	load(t.Context(), t, svc, lines[0], importer.Options{})
	var planted bytes.Buffer
	planted.WriteString(lines[0])
	seen, places := map[memory.Kind]int{}, 0
	for _, line := range lines[1:] {
		var head exported
		require.NoError(t, json.Unmarshal([]byte(line), &head))
		if seen[head.Kind]++; seen[head.Kind] > 20 {
			continue
		}
		kept := fieldsOf(t, head.Kept)
		variants := testsecret.Planting(kept)
		if _, has := kept["key"]; has { // each becomes a record of its own
			for i, variant := range testsecret.Planting(kept) {
				if own, ok := variant.(map[string]any); ok {
					own["key"] = fmt.Sprint(own["key"], "'", i)
					variants = append(variants, own)
				}
			}
		}
		for _, variant := range variants {
			places++
			require.NoError(t, json.NewEncoder(&planted).Encode(map[string]any{"kind": head.Kind, "kept": variant}))
		}
	}
	report := load(t.Context(), t, svc, planted.String(), importer.Options{KeepGoing: true})
	for _, fault := range report.Faults {
		assert.NotContains(t, fault.Error(), testsecret.Planted)
	}
	assert.Greater(t, places, 500)
	assert.Greater(t, testsecret.KeptWithout(t, svc), 100, "what held the secret in a text is kept without it")
}

// What is taken out on the way back is in the receipt, as it is of what is new.
func TestWhatIsTakenOutOfAnEditedExportIsInTheReceipt(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	first, second := testsecret.Open(t), testsecret.Open(t)
	_, err := first.Knowledge.RecordObservation(ctx, boundary.RecordObservationInput{ID: ptr("o"), Content: "Seen <private>once</private>."})
	require.NoError(t, err)
	file := strings.Replace(export(ctx, t, first), "Seen", "Seen "+testsecret.Planted, 1)
	load(ctx, t, second, file, importer.Options{})
	kept, err := second.Knowledge.Observation(ctx, "o")
	require.NoError(t, err)
	assert.Equal(t, "Seen [secret:github-pat] [private].", kept.Content)
	assert.Equal(t, []memory.Redaction{{Kind: "github-pat", Count: 1}, {Kind: "private", Count: 1}}, kept.Receipt.Redactions)
	again := testsecret.Open(t)
	file = export(ctx, t, second)
	load(ctx, t, again, file, importer.Options{})
	assert.Equal(t, file, export(ctx, t, again))
}

func numbered(count int) (texts []string) {
	for i := range count {
		texts = append(texts, fmt.Sprint("number ", i))
	}
	return texts
}

func issues(count int) (issues []any) {
	for _, code := range numbered(count) {
		issues = append(issues, map[string]any{"code": code})
	}
	return issues
}

// Times of lines are read as everywhere, and what follows from a log may be longer than a caller's list.
func TestWhatLinesOfAnExportMaySay(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	svc := testsecret.Open(t)
	inputKey := everything(t)[0]
	var log []string
	for i := range boundary.MaxList + 1 {
		log = append(log, fmt.Sprintf(`{"type":"thought","data":"Thought %d.","at":"2026-01-01T00:00:00Z"}`, i))
	}
	thoughts, err := json.Marshal(numbered(boundary.MaxList + 1))
	require.NoError(t, err)
	file := inputKey + `{"kind":"episode","kept":{"key":"e","title":"T","agent":"a","observation":"Seen.","outcome":"UNKNOWN","insight":"I.","startedAt":"2026-01-01t00:00:00z","createdAt":"2026-01-01T00:00:00Z","concluded":false,"receipt":{"redactions":[]},
"thoughts":` + string(thoughts) + `,"events":[` + strings.Join(log, ",") + `]}}
{"kind":"observation","kept":{"key":"o","content":"Seen.","importance":"LOW","createdAt":"2016-12-31t23:59:60z","lastAccessedAt":"2026-01-01t00:00:00.5+01:00","receipt":{"redactions":[]}}}
`
	file = strings.Replace(file, "{\"redactions\":[]},\n", "{\"redactions\":[]},", 1)
	report := load(ctx, t, svc, file, importer.Options{})
	require.Empty(t, report.Faults)
	kept, err := svc.Knowledge.Observation(ctx, "o")
	require.NoError(t, err)
	assert.Equal(t, "2017-01-01T00:00:00Z", kept.CreatedAt.Format(time.RFC3339Nano))
	assert.Equal(t, "2025-12-31T23:00:00.5Z", kept.LastAccessedAt.Format(time.RFC3339Nano))
	episode, err := svc.Episodes.Get(ctx, "e", boundary.Include{})
	require.NoError(t, err)
	assert.Len(t, episode.Thoughts, boundary.MaxList+1)
}

// A record that no caller could have sent does not come in by an export either.
func TestWhatNoCallerCouldSendIsNotRestored(t *testing.T) {
	lines := everything(t)
	type edit = map[string]any
	deep := json.RawMessage(strings.Repeat("[", memory.InputJSON.Depth+1) + strings.Repeat("]", memory.InputJSON.Depth+1))
	many := json.RawMessage(manyKeys(memory.InputJSON.Keys + 1))
	vast := strings.Repeat("Seen. ", 20<<20/6)
	span := func(of edit) edit {
		span := edit{"id": "s", "kind": "agent", "name": "n", "startedAt": "2026-01-01T00:00:00Z", "endedAt": "2026-01-01T00:00:01Z"}
		for name, value := range of {
			span[name] = value
		}
		return span
	}
	spans := func(of edit) []any {
		return []any{edit{"type": "agent_span", "data": span(of), "at": "2026-01-01T00:00:00Z"}}
	}
	for name, tt := range map[string]struct {
		kind  memory.Kind
		set   edit
		field string
		code  memory.Code
	}{
		"a control character":       {"episode", edit{"key": "a\u0007b"}, "key", memory.CodeInvalidInput},
		"a long key":                {"observation", edit{"key": strings.Repeat("k", 600)}, "key", memory.CodeInvalidInput},
		"a private agent":           {"agent", edit{"key": "<private>x</private>"}, "key", memory.CodeInvalidInput},
		"an odd session":            {"episode", edit{"session": "a\u0000"}, "session", memory.CodeInvalidInput},
		"an odd cause":              {"episode", edit{"causedBy": []string{"x", "a\u0085"}}, "causedBy.1", memory.CodeInvalidInput},
		"its own cause":             {"episode", edit{"key": "e", "causedBy": []string{"e"}}, "causedBy", memory.CodeInvalidInput},
		"about something odd":       {"observation", edit{"about": []string{"episode:a\u0007"}}, "about.0", memory.CodeInvalidInput},
		"about no kind":             {"observation", edit{"about": []string{"episode:e", "s3cret:y"}}, "about.1", memory.CodeInvalidInput},
		"about no key":              {"correction", edit{"about": []string{"episode:"}}, "about.0", memory.CodeInvalidInput},
		"deep JSON":                 {"episode", edit{"metadata": deep}, "metadata", memory.CodeLimitExceeded},
		"deep JSON of a canvas":     {"canvas", edit{"actions": []any{edit{"action": "PRESENT", "at": "2026-01-01T00:00:00Z", "metadata": deep}}, "inputHashes": []any{nil}}, "actions.0.metadata", memory.CodeLimitExceeded},
		"many keys":                 {"verdict", edit{"plan": many}, "plan", memory.CodeLimitExceeded},
		"many keys of a log":        {"episode", edit{"events": []any{edit{"type": "x", "data": many, "at": "2026-01-01T00:00:00Z"}}}, "events.0.data", memory.CodeLimitExceeded},
		"many keys of a span":       {"episode", edit{"events": spans(edit{"given": many})}, "events.0.data.given", memory.CodeLimitExceeded},
		"no kind of span":           {"episode", edit{"events": []any{edit{"type": "x_span", "data": edit{"id": "s", "kind": "x", "name": "n", "startedAt": "2026-01-01T00:00:00Z", "endedAt": "2026-01-01T00:00:01Z"}, "at": "2026-01-01T00:00:00Z"}}}, "events.0.data.kind", memory.CodeInvalidInput},
		"a span before its start":   {"episode", edit{"events": spans(edit{"endedAt": "2025-01-01T00:00:00Z"})}, "events.0.data.endedAt", memory.CodeInvalidInput},
		"a held span's odd session": {"span", edit{"span": span(edit{"session": "\u0001"})}, "span.session", memory.CodeInvalidInput},
		"no observation":            {"episode", edit{"observation": ""}, "observation", memory.CodeInvalidInput},
		"a blank observation":       {"observation", edit{"content": " \n"}, "content", memory.CodeInvalidInput},
		"no step":                   {"episode", edit{"actions": []any{edit{"stepName": ""}}}, "actions.0.stepName", memory.CodeInvalidInput},
		"a vast text":               {"episode", edit{"observation": vast}, "observation", memory.CodeLimitExceeded},
		"a vast concept":            {"concept", edit{"content": vast}, "content", memory.CodeLimitExceeded},
		"a vast name":               {"agent", edit{"name": vast}, "name", memory.CodeLimitExceeded},
		"a vast thought":            {"episode", edit{"thoughts": []string{"x", vast}}, "thoughts.1", memory.CodeLimitExceeded},
		"negative tokens":           {"observation", edit{"receipt": edit{"tokensBefore": -1, "tokensAfter": 0, "redactions": []any{}}}, "receipt.tokensBefore", memory.CodeInvalidInput},
		"huge tokens":               {"episode", edit{"receipt": edit{"tokensBefore": 0, "tokensAfter": 1 << 40, "redactions": []any{}}}, "receipt.tokensAfter", memory.CodeInvalidInput},
		"a negative redaction":      {"concept", edit{"receipt": edit{"redactions": []any{edit{"kind": "private", "count": -1}}}}, "receipt.redactions.0.count", memory.CodeInvalidInput},
		"too many accesses":         {"observation", edit{"accessCount": 1 << 40}, "accessCount", memory.CodeInvalidInput},
		"a rating of nine":          {"feedback", edit{"type": "RATING", "rating": 9, "score": 1}, "rating", memory.CodeInvalidInput},
		"another score":             {"feedback", edit{"type": "RATING", "rating": 5, "score": -1}, "score", memory.CodeInvalidInput},
		"a judge of no judge":       {"verdict", edit{"status": "VALIDATION_FAIL", "judge": "j"}, "judge", memory.CodeInvalidInput},
		"a score beyond all":        {"verdict", edit{"score": 1e300}, "score", memory.CodeInvalidInput},
		"a pattern's other key":     {"pattern", edit{"key": "do/x/y"}, "key", memory.CodeInvalidInput},
		"no vector":                 {"episode", edit{"embedding": []float64{0, 0, 0}}, "embedding", memory.CodeInvalidInput},
		"an early action":           {"canvas", edit{"actions": []any{edit{"action": "PRESENT", "at": "1969-01-01T00:00:00Z"}}, "inputHashes": []any{nil}}, "actions.0.at", memory.CodeInvalidInput},
		"an odd action":             {"canvas", edit{"actions": []any{edit{"action": "s3cret", "at": "2026-01-01T00:00:00Z"}}, "inputHashes": []any{nil}}, "actions.0.action", memory.CodeInvalidInput},
		"a comma in a time":         {"episode", edit{"startedAt": "2026-01-01T00:00:00,5Z"}, "startedAt", memory.CodeInvalidInput},
		"a zone of 24 hours":        {"span", edit{"arrivedAt": "2026-01-01T00:00:00+24:00"}, "arrivedAt", memory.CodeInvalidInput},
		"an early arrival":          {"span", edit{"arrivedAt": "1969-01-01T00:00:00Z"}, "arrivedAt", memory.CodeInvalidInput},
		"an early run":              {"run", edit{"startedAt": "0001-01-02T00:00:00Z"}, "startedAt", memory.CodeInvalidInput},
		"an early event":            {"episode", edit{"events": []any{edit{"type": "x", "at": "1969-12-31T23:59:59Z"}}}, "events.0.at", memory.CodeInvalidInput},
		"a time of a log":           {"episode", edit{"events": []any{edit{"type": "x", "at": "2026-01-01T00:00:00Z"}, edit{"type": "x", "at": "s3cret"}}}, "events.1.at", memory.CodeInvalidInput},
		"no time":                   {"observation", edit{"createdAt": 4111111111}, "createdAt", memory.CodeInvalidInput},
		"no text":                   {"episode", edit{"observation": edit{"a": "s3cret"}}, "observation", memory.CodeInvalidInput},
		"no list":                   {"episode", edit{"actions": []any{edit{"stepName": []any{"s3cret"}}}}, "actions.0.stepName", memory.CodeInvalidInput},
		"no bytes":                  {"observation", edit{"inputHash": "s3cret!"}, "inputHash", memory.CodeInvalidInput},
		"an unknown field":          {"span", edit{"span": span(edit{"colour": 1})}, "span.colour", memory.CodeInvalidInput},
		"an end before the start":   {"episode", edit{"startedAt": "2026-01-01T00:00:01Z", "endedAt": "2026-01-01T00:00:00Z"}, "endedAt", memory.CodeInvalidInput},
		"more hits than all":        {"pattern", edit{"hits": 8, "total": 7}, "hits", memory.CodeInvalidInput},
		"too many labels":           {"concept", edit{"labels": numbered(boundary.MaxList + 1)}, "labels", memory.CodeLimitExceeded},
		"too many causes":           {"episode", edit{"causedBy": numbered(boundary.MaxList + 1)}, "causedBy", memory.CodeLimitExceeded},
		"too many thoughts":         {"episode", edit{"events": nil, "thoughts": numbered(boundary.MaxList + 1)}, "thoughts", memory.CodeLimitExceeded},
		"too many issues":           {"verdict", edit{"issues": issues(boundary.MaxList + 1)}, "issues", memory.CodeLimitExceeded},
		"no segment":                {"episode", edit{"segments": []any{edit{"kind": "s3cret", "text": "x", "startedAt": "2026-01-01T00:00:00Z"}}}, "segments.0.kind", memory.CodeInvalidInput},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc := testsecret.Open(t)
			number := 0
			var file strings.Builder
			for i, line := range lines {
				var head exported
				require.NoError(t, json.Unmarshal([]byte(line), &head))
				if head.Kind == tt.kind && number == 0 && !bytes.Contains(head.Kept, []byte("trace")) || head.Kind == "span" && tt.kind == "span" {
					kept := fieldsOf(t, head.Kept)
					for field, value := range tt.set {
						kept[field] = value
					}
					text, err := json.Marshal(map[string]any{"kind": tt.kind, "kept": kept})
					require.NoError(t, err)
					number, line = i+1, string(text)+"\n"
				}
				file.WriteString(line)
			}
			require.NotZero(t, number)
			report := load(t.Context(), t, svc, file.String(), importer.Options{KeepGoing: true})
			require.NotEmpty(t, report.Faults)
			fault := report.Faults[0]
			var known *memory.Error
			require.ErrorAs(t, fault.Err, &known)
			assert.Equal(t, number, fault.Line, "%v", fault.Err)
			assert.Equal(t, tt.code, known.Code, "%v", fault.Err)
			assert.Equal(t, tt.field, known.Field, "%v", fault.Err)
			assert.Less(t, len(fault.Error()), 200)
			assert.NotContains(t, fault.Error(), "s3cret")
		})
	}
}
