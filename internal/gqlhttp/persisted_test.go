package gqlhttp_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/memory/access"
)

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func hashed(hash string) map[string]any {
	return map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": hash}}
}

// askAs sends a body of the members that are not nil, as a key of a tenant.
func askAs(t *testing.T, handler http.Handler, tenant, method string, members map[string]any) *httptest.ResponseRecorder {
	t.Helper()
	body, err := json.Marshal(members)
	require.NoError(t, err)
	sent := httptest.NewRequest(method, "/graphql", strings.NewReader(string(body)))
	if method == http.MethodGet {
		values := url.Values{}
		for name, value := range members {
			if text, ok := value.(string); ok {
				values.Set(name, text)
				continue
			}
			encoded, err := json.Marshal(value)
			require.NoError(t, err)
			values.Set(name, string(encoded))
		}
		sent = httptest.NewRequest(method, "/graphql?"+values.Encode(), nil)
	}
	sent.Header.Set("Content-Type", plainJSON)
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, sent.WithContext(access.With(t.Context(), access.Caller{Tenant: tenant, Role: access.Writer})))
	return answer
}

const typename, itsAnswer = "{ __typename }", `{"data":{"__typename":"Query"}}`

func TestPersistedQueries(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		handler := serve(t, gqlhttp.Options{})
		ask := func(members map[string]any) *httptest.ResponseRecorder {
			return askAs(t, handler, "acme", method, members)
		}
		unknown := ask(map[string]any{"extensions": hashed(sha(typename))})
		assert.Equal(t, http.StatusOK, unknown.Code)
		assert.Equal(t, "no-store", unknown.Header().Get("Cache-Control"), "no proxy may keep it from being known")
		assert.Equal(t, "PersistedQueryNotFound", firstFault(t, unknown).Message)
		assert.Equal(t, "PERSISTED_QUERY_NOT_FOUND", firstFault(t, unknown).Extensions["code"])

		assert.JSONEq(t, itsAnswer, ask(map[string]any{"query": typename, "extensions": hashed(sha(typename))}).Body.String())
		assert.JSONEq(t, itsAnswer, ask(map[string]any{"extensions": hashed(sha(typename))}).Body.String())
		assert.JSONEq(t, itsAnswer, ask(map[string]any{"query": "", "extensions": hashed(sha(typename))}).Body.String())

		variable := "query ($id: ID!) { episode(id: $id) { id } }"
		named := map[string]any{"query": variable, "variables": map[string]any{"id": "x"}, "extensions": hashed(sha(variable))}
		ask(named)
		delete(named, "query")
		assert.JSONEq(t, `{"data":{"episode":null}}`, ask(named).Body.String(), "variables are those of the query that is meant")
		other := askAs(t, handler, "other", method, map[string]any{"extensions": hashed(sha(typename))})
		assert.Equal(t, "PERSISTED_QUERY_NOT_FOUND", firstFault(t, other).Extensions["code"], "what one tenant registered is not there for another")
	}
}

// A hash means one text only, whoever says otherwise, and nothing that is no hash is looked up.
func TestForgedHashes(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	const forged = `{ agents { totalCount } }`
	for name, tt := range map[string]struct {
		members map[string]any
		field   string
	}{
		"of another query": {map[string]any{"query": forged, "extensions": hashed(sha(typename))}, "extensions.persistedQuery"},
		"upper case":       {map[string]any{"query": typename, "extensions": hashed(strings.ToUpper(sha(typename)))}, "extensions.persistedQuery"},
		"no hash":          {map[string]any{"query": typename, "extensions": hashed("")}, "extensions.persistedQuery"},
		"no object":        {map[string]any{"extensions": map[string]any{"persistedQuery": "x"}}, "extensions.persistedQuery"},
		"no version":       {map[string]any{"extensions": map[string]any{"persistedQuery": map[string]any{"sha256Hash": sha(typename)}}}, "extensions.persistedQuery"},
		"another version":  {map[string]any{"extensions": map[string]any{"persistedQuery": map[string]any{"version": 2, "sha256Hash": sha(typename)}}}, "extensions.persistedQuery"},
		"an id":            {map[string]any{"documentId": "x"}, "documentId"},
	} {
		refused := firstFault(t, askAs(t, handler, "acme", http.MethodPost, tt.members))
		assert.Equal(t, "INVALID_INPUT", refused.Extensions["code"], name)
		assert.Equal(t, tt.field, refused.Extensions["field"], name)
	}
	nothing := map[string]any{"persistedQuery": nil, "tracing": true}
	assert.JSONEq(t, itsAnswer, askAs(t, handler, "acme", http.MethodPost, map[string]any{"query": typename, "extensions": nothing}).Body.String())
	for _, hash := range []string{sha(typename), "abc", strings.Repeat("a", 1<<16)} {
		unknown := askAs(t, handler, "acme", http.MethodPost, map[string]any{"extensions": hashed(hash)})
		assert.Equal(t, "PERSISTED_QUERY_NOT_FOUND", firstFault(t, unknown).Extensions["code"], "no forged one was kept")
	}
}

// Who registers without end loses what was used longest ago, and a long text is answered, and not kept.
func TestPersistedQueriesAreBounded(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	register := func(text string) {
		assert.JSONEq(t, itsAnswer, askAs(t, handler, "many", http.MethodPost, map[string]any{"query": text, "extensions": hashed(sha(text))}).Body.String())
	}
	known := func(text string) bool {
		return askAs(t, handler, "many", http.MethodPost, map[string]any{"extensions": hashed(sha(text))}).Body.String() == itsAnswer
	}
	numbered := func(i int) string { return fmt.Sprintf("{ __typename } # %d", i) }
	for i := range 4001 {
		register(numbered(i))
	}
	assert.False(t, known(numbered(0)))
	assert.True(t, known(numbered(1)))
	longest := numbered(0) + strings.Repeat(" ", 16<<10)
	register(longest)
	assert.False(t, known(longest))
}

const heldList = `{"agents": "query A { agents { totalCount } }", "md5": "query B($id: ID!) { episode(id: $id) { id } }"}`

func TestOnlyTrustedDocuments(t *testing.T) {
	trusted, err := gqlhttp.ReadTrusted([]byte(heldList), []byte(`{"own": "query Own { memoirs { totalCount } }"}`))
	require.NoError(t, err)
	handler := serve(t, gqlhttp.Options{Trusted: trusted})
	const a, b = "query A { agents { totalCount } }", "query B($id: ID!) { episode(id: $id) { id } }"
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for name, members := range map[string]map[string]any{
			"by its name":            {"documentId": "agents"},
			"by its hash":            {"documentId": "sha256:" + sha(a)},
			"as clients of Apollo's": {"extensions": hashed(sha(a))},
			"by any name":            {"extensions": hashed("agents")},
			"as a text":              {"query": a},
			"as both":                {"query": a, "documentId": "agents", "extensions": hashed(sha(a))},
		} {
			assert.JSONEq(t, `{"data":{"agents":{"totalCount":0}}}`, askAs(t, handler, "acme", method, members).Body.String(), name)
		}
		assert.JSONEq(t, `{"data":{"episode":null}}`, askAs(t, handler, "acme", method, map[string]any{"documentId": "md5", "variables": map[string]any{"id": "x"}}).Body.String())
		assert.JSONEq(t, `{"data":{"memoirs":{"totalCount":0}}}`, askAs(t, handler, "acme", method, map[string]any{"query": "query Own { memoirs { totalCount } }"}).Body.String())
		for name, members := range map[string]map[string]any{
			"another":                   {"query": typename},
			"introspection":             {"query": "{ __schema { queryType { name } } }"},
			"a space more":              {"query": a + " "},
			"no such name":              {"documentId": "none"},
			"no such hash":              {"extensions": hashed(sha(typename))},
			"registered by its hash":    {"query": typename, "extensions": hashed(sha(typename))},
			"another behind a name":     {"query": typename, "documentId": "agents"},
			"another behind a hash":     {"query": typename, "extensions": hashed(sha(a))},
			"two names":                 {"documentId": "md5", "extensions": hashed(sha(a))},
			"a text and another's name": {"query": b, "documentId": "agents"},
		} {
			refused := askAs(t, handler, "acme", method, members)
			assert.Equal(t, http.StatusOK, refused.Code)
			assert.Equal(t, "FORBIDDEN", firstFault(t, refused).Extensions["code"], name)
			assert.Contains(t, firstFault(t, refused).Message, "MNEME_TRUSTED_DOCUMENTS", "what the playground shows")
		}
		assert.Equal(t, http.StatusBadRequest, askAs(t, handler, "acme", method, map[string]any{}).Code)
	}
	refused := send(handler, request{contentType: plainJSON, accept: []string{responseJSON}, body: query(typename, nil)})
	assert.Equal(t, http.StatusForbidden, refused.Code)
	events := send(handler, request{contentType: plainJSON, accept: []string{"text/event-stream"}, body: query("subscription { episodeRecorded { cursor } }", nil)})
	assert.Contains(t, events.Body.String(), `"code":"FORBIDDEN"`)
}

func TestListsThatCannotBeTrusted(t *testing.T) {
	for name, tt := range map[string]struct{ file, says string }{
		"no JSON":          {`{"a"`, "not a JSON object of texts"},
		"a list":           {`["{ __typename }"]`, "not a JSON object of texts"},
		"null":             {`null`, "not a JSON object of texts"},
		"numbers":          {`{"a": 1}`, "not a JSON object of texts"},
		"nothing":          {`{}`, "holds no documents"},
		"no text":          {`{"a": " "}`, `document "a": no operation provided`},
		"does not parse":   {`{"a": "query {"}`, `document "a": Expected Name`},
		"an unknown field": {`{"a": "{ __typename }", "b": "{ agents {\n nothing } }"}`, `document "b": Cannot query field "nothing" on type "AgentConnection". (line 2)`},
		"a type too many":  {`{"a": "query ($x: Nothing) { __typename }"}`, `Unknown type "Nothing"`},
		"too many aliases": {`{"a": "{ ` + strings.Repeat("__typename ", 40) + `}"}`, "more than 30 aliases"},
		"too long a name":  {`{"a": "{ ` + strings.Repeat("a", 257) + ` }"}`, "has more than 256 bytes"},
		"many of them":     {`{"a": "{ a }", "b": "{ b }", "c": "{ c }", "d": "{ d }", "e": "{ e }"}`, `document "a": Cannot query field "a"`},
	} {
		_, err := gqlhttp.ReadTrusted([]byte(tt.file))
		assert.ErrorContains(t, err, tt.says, name)
	}
}
