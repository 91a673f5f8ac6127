package gqlhttp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
)

// TestBodiesAreBoundedBeforeTheyAreBuilt: a body of a few bytes for each object takes a hundred times as many, built.
func TestBodiesAreBoundedBeforeTheyAreBuilt(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	objects := func(n int) string { return "[" + strings.Repeat(`{"":0},`, n) + "0]" }
	for name, test := range map[string]struct{ body, says string }{
		"too many objects":       {`{"query":"{ __typename }","variables":{"x":` + objects(200_000) + `}}`, "2000000 values"},
		"too many in extensions": {`{"query":"{ __typename }","extensions":{"x":` + objects(200_000) + `}}`, "2000000 values"},
		"too many beside":        {`{"query":"{ __typename }","x":` + objects(200_000) + `}`, "2000000 values"},
		"a long name":            {`{"query":"{ __typename }","variables":{"` + strings.Repeat("s3cret", 200) + `":0}}`, "1024 bytes"},
		"too deep":               {`{"query":"{ __typename }","variables":{"x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}}`, "1000 levels"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := send(handler, request{contentType: plainJSON, body: test.body})
			assert.Equal(t, http.StatusRequestEntityTooLarge, answer.Code)
			shown := firstFault(t, answer)
			assert.Equal(t, "LIMIT_EXCEEDED", shown.Extensions["code"])
			assert.Contains(t, shown.Message, test.says)
			assert.NotContains(t, answer.Body.String(), "s3cret")
		})
	}
}

// TestUndeclaredVariablesAreNotBuilt counts what is allocated, which was several times for each object.
func TestUndeclaredVariablesAreNotBuilt(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	body := `{"query":"query ($id: ID!) { episode(id: $id) { id } }","variables":{"x":[` + strings.Repeat(`{"":0},`, 100_000) + `0],"id":"e","y":{"id":1}}}`
	allocations := testing.AllocsPerRun(1, func() {
		answer := send(handler, request{contentType: plainJSON, body: body})
		require.JSONEq(t, `{"data":{"episode":null}}`, answer.Body.String())
	})
	assert.Less(t, allocations, 10_000.0)
}

// whole is a request with a variable of the type Int.
func whole(first string) string {
	return `{"query":"query ($first: Int) { episodes(first: $first) { edges { node { id } } } }","variables":{"first":` + first + `}}`
}

// A number that is not whole is not called a string.
func TestNumbersThatAreNotWhole(t *testing.T) {
	for _, first := range []string{"1.5", "1e300", `"many"`} {
		fault := firstFault(t, send(serve(t, gqlhttp.Options{}), request{contentType: plainJSON, body: whole(first)}))
		assert.Equal(t, "first: must be a whole number of 32 bits", fault.Message, first)
		assert.Equal(t, "first", fault.Extensions["field"])
	}
}

// TestNumbersInVariables: within JSON numbers stand as they were written.
func TestNumbersInVariables(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	const (
		capture = `mutation ($input: CaptureRunInput!) { captureRun(input: $input) { episode { metadata events { edges { node { sequence data } } } } } }`
		free    = `{"price":5.00000000000000000001,"tiny":1e-400,"version":1.0,"versions":[1.0,{"sequence":2.0}]}`
	)
	variables := `{"input":{"runId":"r","agentId":"a","append":true,"metadata":` + free + `,"events":{"sequence":0,"type":"workflow_failed","data":` + free +
		`,"at":"2026-03-01T12:00:00Z"}}}`
	for range 2 { // the second time the query is known, and the same run
		answer := send(handler, request{contentType: plainJSON, body: `{"query":"` + capture + `","variables":` + variables + `}`})
		assert.Contains(t, answer.Body.String(), `"metadata":`+free)
		assert.Contains(t, answer.Body.String(), `"sequence":0,"data":`+free)
	}
	one := `query A($x: Int) { episodes(first: $x) { totalCount } } mutation B($x: CaptureRunInput!) { captureRun(input: $x) { episode { id } } }`
	answer := send(handler, request{contentType: plainJSON, body: `{"query":"` + one + `","operationName":"A","variables":{"x":1}}`})
	assert.JSONEq(t, `{"data":{"episodes":{"totalCount":1}}}`, answer.Body.String(), "the types are those of the operation that is asked for")
}

// One that names no operation of several is told what to name.
func TestOperationsThatAreNotNamed(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	for _, body := range []string{
		`{"query":"query A { __typename } query B { __typename }"}`, `{"query":"query A { __typename } query B { __typename }","operationName":""}`,
	} {
		fault := firstFault(t, send(handler, request{contentType: plainJSON, body: body}))
		assert.Equal(t, "operationName: must name one of the operations, unless there is just one", fault.Message)
		assert.Equal(t, "operationName", fault.Extensions["field"])
	}
}

// TestWhatIsReadOfABody: of two with one name the later counts, and what nobody asked for is left aside.
func TestWhatIsReadOfABody(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	for name, test := range map[string]struct {
		body string
		data string // "" where it is refused
	}{
		"twice":              {`{"query":"{ nothing }","query":"{ __typename }"}`, `{"data":{"__typename":"Query"}}`},
		"in escapes":         {`{"q\u0075ery":"{ __typename }"}`, `{"data":{"__typename":"Query"}}`},
		"with more":          {` {"query":"{ __typename }" , "x":{"query":1}, "y":[{}]} `, `{"data":{"__typename":"Query"}}`},
		"variables of a two": {`{"query":"query A($id: ID!) { episode(id: $id) { id } } query B { __typename }","operationName":"A","variables":{"id":"e"}}`, `{"data":{"episode":null}}`},
		"variables of none":  {`{"query":"query ($id: ID!) { episode(id: $id) { id } }"}`, ""},
		"a whole number":     {whole("1"), `{"data":{"episodes":{"edges":[]}}}`},
		"half a number":      {whole("1.5"), ""},
		"many digits":        {whole("1e300"), ""},
		"a name of a number": {`{"query":"{ __typename }","operationName":7}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer := send(handler, request{contentType: plainJSON, body: test.body})
			if test.data == "" {
				assert.Equal(t, "INVALID_INPUT", firstFault(t, answer).Extensions["code"])
				return
			}
			assert.JSONEq(t, test.data, answer.Body.String())
		})
	}
}

// TestLongMessagesAreNotLookedThrough: to look a whole text through for secrets that is not shown anyway takes seconds.
func TestLongMessagesAreNotLookedThrough(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	body := query(`query ($first: Int) { episodes(first: $first) { totalCount } }`, map[string]any{"first": strings.Repeat("s3cret", 1<<16)})
	answer := send(handler, request{contentType: plainJSON, body: body})
	shown := firstFault(t, answer)
	assert.Equal(t, "INVALID_INPUT", shown.Extensions["code"])
	assert.NotEmpty(t, shown.Message)
	assert.Less(t, answer.Body.Len(), 1000)
}
