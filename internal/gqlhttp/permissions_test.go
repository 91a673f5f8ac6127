package gqlhttp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/internal/gqlhttp"
	"mneme/memory/access"
)

// TestRefusedOperationsDoNothing: one field that may not be asked for keeps the others of an operation from being done.
func TestRefusedOperationsDoNothing(t *testing.T) {
	reader := access.Caller{Tenant: "t-rules", Role: access.Reader}
	writer, nobody := access.Caller{Tenant: "t-rules", Role: access.Writer}, access.Caller{Tenant: "t-rules"}
	handler := serve(t, gqlhttp.Options{})
	ask := func(caller access.Caller, text string) string {
		sent := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(query(text, nil)))
		sent.Header.Set("Content-Type", plainJSON)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, sent.WithContext(access.With(t.Context(), caller)))
		return answer.Body.String()
	}
	const record = `recordObservation(input: {content: "c"}) { observation { id } }`
	for name, tt := range map[string]struct {
		caller access.Caller
		query  string
		says   string
	}{
		"a reader reads":               {reader, `{ agents { totalCount } }`, ""},
		"a reader sees the schema":     {reader, `{ __schema { queryType { name } } __typename }`, ""},
		"nobody sees the schema":       {nobody, `{ __typename }`, "__typename needs the role reader"},
		"nobody reads":                 {nobody, `{ agents { totalCount } }`, "agents needs the role reader"},
		"a reader records":             {reader, `mutation { ` + record + ` }`, "recordObservation needs the role writer, and this key has the role reader"},
		"by another name":              {reader, `mutation { agents: ` + record + ` }`, "recordObservation needs the role writer"},
		"in a fragment":                {reader, `mutation { ...f } fragment f on Mutation { ...g } fragment g on Mutation { ` + record + ` }`, "recordObservation needs"},
		"in an inline fragment":        {reader, `mutation { ... { ` + record + ` } }`, "recordObservation needs"},
		"left out by a directive":      {reader, `mutation { ` + strings.Replace(record, ") {", ") @skip(if: true) {", 1) + ` }`, "recordObservation needs"},
		"a writer deletes, after more": {writer, `mutation { ` + record + ` deleteAgent(input: {id: "a"}) { deletedId } }`, "deleteAgent needs the role admin"},
		"a writer prunes for show":     {writer, `mutation { prune(input: {minWeight: 1}) { candidates } }`, ""},
		"a writer prunes":              {writer, `mutation { prune(input: {minWeight: 1, dryRun: false}) { candidates } }`, "to prune for real needs the role admin"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := ask(tt.caller, tt.query)
			if tt.says == "" {
				assert.NotContains(t, answer, "FORBIDDEN")
				return
			}
			assert.Contains(t, answer, tt.says)
			assert.Contains(t, answer, `"code":"FORBIDDEN"`)
		})
	}
	assert.Contains(t, ask(reader, `{ observations { totalCount } }`), `"totalCount":0`, "what stood before a refused field was not done either")
}

func TestRefusalsHaveAStatus(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	for media, status := range map[string]int{plainJSON: http.StatusOK, responseJSON: http.StatusForbidden} {
		sent := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(query(`mutation { deleteAgent(input: {id: "a"}) { deletedId } }`, nil)))
		sent.Header.Set("Content-Type", plainJSON)
		sent.Header.Set("Accept", media)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, sent.WithContext(access.With(t.Context(), access.Caller{Tenant: "t-rules", Role: access.Writer})))
		assert.Equal(t, status, answer.Code, media)
		assert.NotContains(t, answer.Body.String(), `"data"`)
	}
}
