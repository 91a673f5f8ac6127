package gqlhttp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/memory"
	"mneme/service"
	"mneme/store"
)

// broken is a store on which reading agents goes wrong.
type broken struct {
	store.Backend
	store.Store
	agents func(context.Context) ([]*memory.Agent, error)
}

func (b broken) Tenant(context.Context, string) (store.Store, error) { return b, nil }

func (b broken) Close(context.Context) error { return nil }

func (b broken) InputKey(context.Context) ([]byte, error) { return make([]byte, 32), nil }

func (b broken) List(ctx context.Context, _ any, _ store.Page) (any, bool, error) {
	agents, err := b.agents(ctx)
	return agents, false, err
}

func TestFaultsOfTheServer(t *testing.T) {
	for name, test := range map[string]struct {
		agents        func(context.Context) ([]*memory.Agent, error)
		code, message string
		logged        string // a part of the log; "" where nothing is logged
	}{
		"unforeseen": {
			func(context.Context) ([]*memory.Agent, error) { return nil, errors.New("disk s3cret is on fire") },
			"INTERNAL", "internal error", "on fire",
		},
		"a panic": {
			func(context.Context) ([]*memory.Agent, error) { panic("s3cret") },
			"INTERNAL", "internal error", "panic: s3cret",
		},
		"out of reach": {
			func(context.Context) ([]*memory.Agent, error) { return nil, store.ErrUnavailable },
			"UNAVAILABLE", "the store cannot be reached; try again", "",
		},
		"too slow": {
			func(ctx context.Context) ([]*memory.Agent, error) { <-ctx.Done(); return nil, ctx.Err() },
			"LIMIT_EXCEEDED", "the request took too long", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			handler := gqlhttp.NewHandler(service.New(broken{agents: test.agents}), gqlhttp.Options{
				Log: slog.New(slog.NewTextHandler(&log, nil)), Timeout: 50 * time.Millisecond,
			})
			answer := send(handler, request{contentType: plainJSON, body: query(`{ here: agents { nodes { id } } }`, nil)})
			assert.Equal(t, http.StatusOK, answer.Code)
			shown := firstFault(t, answer)
			assert.Equal(t, test.code, shown.Extensions["code"])
			assert.Equal(t, test.message, shown.Message)
			assert.Equal(t, []any{"here"}, shown.Path)
			assert.NotContains(t, answer.Body.String(), "s3cret")
			if test.logged == "" {
				assert.Empty(t, log.String())
				return
			}
			assert.Contains(t, log.String(), test.logged)
			require.NotEmpty(t, shown.Extensions["requestId"])
			assert.Contains(t, log.String(), shown.Extensions["requestId"])
		})
	}
}

// away is a store that cannot be reached from the start.
type away struct{ store.Backend }

func (away) Tenant(context.Context, string) (store.Store, error) { return nil, store.ErrUnavailable }

// TestSchemaIsThereWithoutAMemory: what asks for the schema alone is answered while there is no tenant to be bound.
func TestSchemaIsThereWithoutAMemory(t *testing.T) {
	handler := gqlhttp.NewHandler(service.New(away{}), gqlhttp.Options{Log: slog.New(slog.DiscardHandler)})
	answer := send(handler, request{contentType: plainJSON, body: query(`{ __typename __schema { queryType { name } } }`, nil)})
	assert.JSONEq(t, `{"data":{"__typename":"Query","__schema":{"queryType":{"name":"Query"}}}}`, answer.Body.String())
	for _, operation := range []string{`{ __typename ... on Query { agents { totalCount } } }`, `mutation { backfill(input: {}) { episodes } }`} {
		answer = send(handler, request{contentType: plainJSON, body: query(operation, nil)})
		shown := firstFault(t, answer)
		assert.Equal(t, "UNAVAILABLE", shown.Extensions["code"], operation)
		assert.Equal(t, "the store cannot be reached; try again", shown.Message, operation)
	}
}

// TestRequestIDIsTheOuterOne: an id that the request has already is the one that the client is told.
func TestRequestIDIsTheOuterOne(t *testing.T) {
	var log bytes.Buffer
	inner := gqlhttp.NewHandler(service.New(broken{agents: func(context.Context) ([]*memory.Agent, error) {
		return nil, errors.New("unforeseen")
	}}), gqlhttp.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	outer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "request-7")
		inner.ServeHTTP(w, r)
	})
	answer := send(outer, request{contentType: plainJSON, body: query(`{ agents { totalCount } }`, nil)})
	assert.Equal(t, "request-7", firstFault(t, answer).Extensions["requestId"])
	assert.Contains(t, log.String(), "request-7")
}

// TestGivenUp: a client that has gone away is not a fault of the server.
func TestGivenUp(t *testing.T) {
	var log bytes.Buffer
	gone, leave := context.WithCancel(t.Context())
	inner := gqlhttp.NewHandler(service.New(broken{agents: func(ctx context.Context) ([]*memory.Agent, error) {
		leave()
		return nil, context.Cause(ctx)
	}}), gqlhttp.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	outer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { inner.ServeHTTP(w, r.WithContext(gone)) })
	answer := send(outer, request{contentType: plainJSON, body: query(`{ agents { totalCount } }`, nil)})
	assert.Equal(t, "UNAVAILABLE", firstFault(t, answer).Extensions["code"])
	assert.Empty(t, log.String())
}

// TestFieldsAtFault: every way of sending a wrong value names its place in the same words.
func TestFieldsAtFault(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	for name, test := range map[string]struct {
		query     string
		variables map[string]any
		field     any
	}{
		"in a variable":          {`query ($at: DateTime) { episodes(filter: { since: $at }) { totalCount } }`, map[string]any{"at": "noon"}, "since"},
		"in an input":            {`query ($i: RecallInput!) { recall(input: $i) { lessons } }`, map[string]any{"i": map[string]any{"situation": "", "asOf": "noon"}}, "asOf"},
		"in the query":           {`{ recall(input: { situation: "", asOf: "noon" }) { lessons } }`, nil, "asOf"},
		"deep in an input":       {`query ($i: RecallInput!) { recall(input: $i) { lessons } }`, map[string]any{"i": map[string]any{"situation": "", "ranking": map[string]any{"canvasBoost": "much"}}}, "ranking.canvasBoost"},
		"in an argument":         {`query ($n: Int) { episodes(first: $n) { totalCount } }`, map[string]any{"n": "ten"}, "n"},
		"left out":               {`query ($i: RecallInput!) { recall(input: $i) { lessons } }`, map[string]any{"i": map[string]any{}}, "situation"},
		"of nothing in the data": {`{ nothing }`, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			shown := firstFault(t, send(handler, request{contentType: plainJSON, body: query(test.query, test.variables)}))
			assert.Equal(t, "INVALID_INPUT", shown.Extensions["code"])
			assert.Equal(t, test.field, shown.Extensions["field"], shown.Message)
		})
	}
}

// Errors of variables say where the value stands and what the schema wants there, and repeat nothing but names.
func TestFaultsOfVariables(t *testing.T) {
	const embedding = `query ($v: [Float!]) { recall(input: {situation: "", embedding: $v}) { lessons } }`
	const record = `mutation ($v: RecordEpisodeInput!) { recordEpisode(input: $v) { episode { id } } }`
	const conclude = `mutation ($v: Outcome!) { concludeEpisode(input: {id: "a", outcome: $v}) { episode { id } } }`
	const outcomes = "must be one of SUCCESS, FAILURE, UNKNOWN"
	for name, test := range map[string]struct{ query, value, field, message string }{
		"beyond 64 bits":        {embedding, `[1, 1e309]`, "v.1", "must be a finite number of 64 bits"},
		"one for a list":        {embedding, `1e309`, "v.0", "must be a finite number of 64 bits"},
		"null in a list":        {embedding, `[1, null]`, "v.1", "must be a finite number of 64 bits, not null"},
		"a number too large":    {`query ($v: Float) { observations(minWeight: $v) { totalCount } }`, `1e309`, "v", "must be a finite number of 64 bits"},
		"no whole number":       {`query ($v: Int) { episodes(first: $v) { totalCount } }`, `"s3cret"`, "v", "must be a whole number of 32 bits"},
		"an enum":               {conclude, `"s3cret"`, "v", outcomes},
		"an enum left out":      {conclude, ``, "v", "is missing; " + outcomes},
		"an enum that is null":  {conclude, `null`, "v", outcomes + ", not null"},
		"an enum that is true":  {conclude, `true`, "v", outcomes},
		"an enum in lower case": {conclude, `"success"`, "outcome", "must be SUCCESS or FAILURE"},
		"an enum in an input":   {record, `{"agentId": "a", "observation": "o", "outcome": "s3cret"}`, "outcome", outcomes},
		"an enum in a list": {`mutation ($v: [CanvasActionInput!]!) { recordCanvasActions(input: {actions: $v}) { result { succeeded } } }`,
			`[{"canvasId": "c", "canvasType": "t", "action": "s3cret"}]`, "v.0.action", "must be one of PRESENT, CLOSE, SUBMIT, UPDATE, EXECUTE"},
		"left out":              {record, `{"agentId": "a"}`, "observation", "is missing; must be a string"},
		"null":                  {record, `{"agentId": null, "observation": "o"}`, "agentId", "must be a string or a whole number, not null"},
		"left out deep":         {record, `{"agentId": "a", "observation": "o", "actions": [{"stepName": "s"}, {}]}`, "actions.1.stepName", "is missing; must be a string"},
		"of another type":       {record, `{"agentId": "a", "observation": {"s3cret": 1}}`, "observation", "must be a string"},
		"of another type, deep": {record, `{"agentId": "a", "observation": "o", "actions": [{"stepName": ["s3cret"]}]}`, "actions.0.stepName", "must be a string"},
		"no object":             {record, `{"agentId": "a", "observation": "o", "actions": ["s3cret"]}`, "actions.0", "must be an object of stepId, stepName, result"},
		"unknown":               {record, `{"agentId": "a", "observation": "o", "actions": [{"stepName": "s", "name": "s3cret"}]}`, "actions.0.name", "is not known here; there are stepId, stepName, result"},
		"unknown, not a name":   {record, `{"agentId": "a", "observation": "o", "actions": [{"stepName": "s", "my s3cret": 1}]}`, "actions.0", "is not known here; there are stepId, stepName, result"},
	} {
		t.Run(name, func(t *testing.T) {
			body := fmt.Sprintf(`{"query": %q, "variables": {"v": %s}}`, test.query, test.value)
			if test.value == "" {
				body = fmt.Sprintf(`{"query": %q}`, test.query)
			}
			answer := send(serve(t, gqlhttp.Options{}), request{contentType: plainJSON, body: body})
			fault := firstFault(t, answer)
			assert.Equal(t, test.field+": "+test.message, fault.Message)
			assert.Equal(t, map[string]any{"code": "INVALID_INPUT", "field": test.field}, fault.Extensions)
			assert.NotContains(t, answer.Body.String(), "s3cret")
		})
	}
}
