package gqlhttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/service"
	"mneme/store/sqlite"
)

// serve starts the endpoint over an empty memory.
func serve(t *testing.T, options gqlhttp.Options) http.Handler {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
	return gqlhttp.NewHandler(service.New(backend), options)
}

const (
	plainJSON    = "application/json"
	responseJSON = "application/graphql-response+json"
)

type request struct {
	method, url, contentType, body string
	accept                         []string
}

func send(handler http.Handler, r request) *httptest.ResponseRecorder {
	if r.method == "" {
		r.method = http.MethodPost
	}
	if r.url == "" {
		r.url = "/graphql"
	}
	sent := httptest.NewRequest(r.method, r.url, strings.NewReader(r.body))
	if r.contentType != "" {
		sent.Header.Set("Content-Type", r.contentType)
	}
	for _, media := range r.accept {
		sent.Header.Add("Accept", media)
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, sent)
	return recorder
}

func query(text string, variables map[string]any) string {
	body, _ := json.Marshal(map[string]any{"query": text, "variables": variables})
	return string(body)
}

// TestHTTP holds what the GraphQL-over-HTTP specification asks, and what its audit (npm graphql-http) checks.
func TestHTTP(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	get := func(parameters ...string) string {
		values := url.Values{}
		for i := 0; i < len(parameters); i += 2 {
			values.Set(parameters[i], parameters[i+1])
		}
		return "/graphql?" + values.Encode()
	}
	const ok, invalid, coercion = `{"query":"{ __typename }"}`, `{"query":"{ nothing }"}`, `{"query":"query ($id: ID!) { episode(id: $id) { id } }","variables":{"id":null}}`
	for name, test := range map[string]struct {
		request
		status int
		media  string
		data   string // "" where there must be no data key
		code   string // "" where there must be no errors
	}{
		"plain":                        {request{contentType: plainJSON, body: ok}, 200, plainJSON, `{"__typename":"Query"}`, ""},
		"with a charset":               {request{contentType: "application/json; charset=utf-8", body: ok}, 200, plainJSON, `{"__typename":"Query"}`, ""},
		"any answer":                   {request{contentType: plainJSON, accept: []string{"*/*"}, body: ok}, 200, plainJSON, `{"__typename":"Query"}`, ""},
		"the new media type":           {request{contentType: plainJSON, accept: []string{responseJSON}, body: ok}, 200, responseJSON, `{"__typename":"Query"}`, ""},
		"the better of two":            {request{contentType: plainJSON, accept: []string{"application/json;q=0.5, " + responseJSON}, body: ok}, 200, responseJSON, `{"__typename":"Query"}`, ""},
		"neither":                      {request{contentType: plainJSON, accept: []string{"text/html"}, body: ok}, 200, plainJSON, `{"__typename":"Query"}`, ""},
		"does not parse":               {request{contentType: plainJSON, body: `{"query":"{"}`}, 200, plainJSON, "", "INVALID_INPUT"},
		"does not parse, new":          {request{contentType: plainJSON, accept: []string{responseJSON}, body: `{"query":"{"}`}, 400, responseJSON, "", "INVALID_INPUT"},
		"is not valid":                 {request{contentType: plainJSON, body: invalid}, 200, plainJSON, "", "INVALID_INPUT"},
		"is not valid, new":            {request{contentType: plainJSON, accept: []string{responseJSON}, body: invalid}, 400, responseJSON, "", "INVALID_INPUT"},
		"a variable is not":            {request{contentType: plainJSON, body: coercion}, 200, plainJSON, "", "INVALID_INPUT"},
		"a variable is not, new":       {request{contentType: plainJSON, accept: []string{responseJSON}, body: coercion}, 400, responseJSON, "", "INVALID_INPUT"},
		"a field fails":                {request{contentType: plainJSON, accept: []string{responseJSON}, body: query(`{ episodes(first: -1) { totalCount } }`, nil)}, 200, responseJSON, `null`, "INVALID_INPUT"},
		"no body":                      {request{contentType: plainJSON}, 400, plainJSON, "", "INVALID_INPUT"},
		"no query":                     {request{contentType: plainJSON, body: `{"qeury":"{ __typename }"}`}, 400, plainJSON, "", "INVALID_INPUT"},
		"a query of no text":           {request{contentType: plainJSON, body: `{"query":{"a":1}}`}, 400, plainJSON, "", "INVALID_INPUT"},
		"variables of no object":       {request{contentType: plainJSON, body: `{"query":"{ __typename }","variables":[1]}`}, 400, plainJSON, "", "INVALID_INPUT"},
		"extensions of no object":      {request{contentType: plainJSON, body: `{"query":"{ __typename }","extensions":"x"}`}, 400, plainJSON, "", "INVALID_INPUT"},
		"nulls":                        {request{contentType: plainJSON, body: `{"query":"{ __typename }","variables":null,"operationName":null,"extensions":null}`}, 200, plainJSON, `{"__typename":"Query"}`, ""},
		"no JSON":                      {request{contentType: plainJSON, body: `{ "not a JSON`}, 400, plainJSON, "", "INVALID_INPUT"},
		"more than one JSON":           {request{contentType: plainJSON, body: ok + ok}, 400, plainJSON, "", "INVALID_INPUT"},
		"a batch":                      {request{contentType: plainJSON, body: "[" + ok + "]"}, 400, plainJSON, "", "INVALID_INPUT"},
		"invalid UTF-8":                {request{contentType: plainJSON, body: "{\"query\":\"{ __typename } # \xff\"}"}, 400, plainJSON, "", "INVALID_INPUT"},
		"no content type":              {request{body: ok}, 415, plainJSON, "", "INVALID_INPUT"},
		"a form":                       {request{contentType: "application/x-www-form-urlencoded", body: "query={__typename}"}, 415, plainJSON, "", "INVALID_INPUT"},
		"text, as a page can send":     {request{contentType: "text/plain", body: ok}, 415, plainJSON, "", "INVALID_INPUT"},
		"an unknown operation":         {request{contentType: plainJSON, body: `{"query":"query A { __typename }","operationName":"B"}`}, 200, plainJSON, "", "INVALID_INPUT"},
		"get":                          {request{method: "GET", url: get("query", "{ __typename }")}, 200, plainJSON, `{"__typename":"Query"}`, ""},
		"get with variables":           {request{method: "GET", url: get("query", "query ($id: ID!) { episode(id: $id) { id } }", "variables", `{"id":"x"}`)}, 200, plainJSON, `{"episode":null}`, ""},
		"get with no object":           {request{method: "GET", url: get("query", "{ __typename }", "variables", `[]`)}, 400, plainJSON, "", "INVALID_INPUT"},
		"get nothing":                  {request{method: "GET"}, 400, plainJSON, "", "INVALID_INPUT"},
		"get with invalid UTF-8":       {request{method: "GET", url: "/graphql?query=%ff"}, 400, plainJSON, "", "INVALID_INPUT"},
		"a mutation by get":            {request{method: "GET", url: get("query", `mutation { backfill(input: {}) { episodes } }`)}, 405, plainJSON, "", "INVALID_INPUT"},
		"put":                          {request{method: "PUT", contentType: plainJSON, body: ok}, 405, plainJSON, "", "INVALID_INPUT"},
		"options, from another origin": {request{method: "OPTIONS"}, 405, plainJSON, "", "INVALID_INPUT"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := send(handler, test.request)
			assert.Equal(t, test.status, answer.Code, answer.Body)
			assert.Equal(t, test.media+"; charset=utf-8", answer.Header().Get("Content-Type"))
			assert.Empty(t, answer.Header().Get("Access-Control-Allow-Origin"))
			var parsed map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &parsed), answer.Body)
			assert.Equal(t, test.data, string(parsed["data"]))
			if test.code == "" {
				assert.NotContains(t, parsed, "errors")
			} else {
				assert.Equal(t, test.code, firstFault(t, answer).Extensions["code"])
			}
		})
	}
}

func TestMethodsAreNamed(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	assert.Equal(t, "GET, POST", send(handler, request{method: "DELETE"}).Header().Get("Allow"))
	mutation := "/graphql?query=" + url.QueryEscape(`mutation { backfill(input: {}) { episodes } }`)
	assert.Equal(t, "POST", send(handler, request{method: "GET", url: mutation}).Header().Get("Allow"))
}

// TestFaultsRepeatNothing: a secret that was sent by mistake must not come back, or reach a log.
func TestFaultsRepeatNothing(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	for _, body := range []string{`{"query": s3cret`, `["s3cret"]`, `{"query":{"s3cret":1}}`, `{"query":"{ __typename }","variables":"s3cret"}`, "{\"query\":\"s3cret \xff\"}"} {
		answer := send(handler, request{contentType: plainJSON, body: body})
		assert.Equal(t, http.StatusBadRequest, answer.Code)
		assert.NotContains(t, answer.Body.String(), "s3cret")
	}
	long := query(`{ episodes(first: "`+strings.Repeat("s3cret", 1<<16)+`") { totalCount } }`, nil)
	assert.Less(t, send(handler, request{contentType: plainJSON, body: long}).Body.Len(), 1000)
}

type fault struct {
	Message    string
	Path       []any
	Extensions map[string]any
}

func firstFault(t *testing.T, answer *httptest.ResponseRecorder) fault {
	t.Helper()
	var parsed struct{ Errors []fault }
	require.NoError(t, json.Unmarshal(bytes.TrimSpace(answer.Body.Bytes()), &parsed))
	require.NotEmpty(t, parsed.Errors, answer.Body)
	return parsed.Errors[0]
}
