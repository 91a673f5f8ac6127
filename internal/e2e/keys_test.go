package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/access"
)

type shownKey struct {
	Prefix, Role, State, CreatedAt string
	Name, ExpiresAt, RevokedAt     *string
}

const keyFields = "prefix role name userId createdAt expiresAt revokedAt state"

// testKeys lets admins of two tenants make, list and revoke keys: each their own tenant's only.
func testKeys(t *testing.T, w *world) {
	ask := func(tenant string, role access.Role, query string, variables vars) response {
		w.seen.add(t, query)
		body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
		require.NoError(t, err)
		request := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
		request.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		w.handler.ServeHTTP(recorder, request.WithContext(access.With(t.Context(), access.Caller{Tenant: tenant, Role: role, Name: "test"})))
		var answer response
		require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &answer))
		return answer
	}
	list := func(tenant string) (keys []shownKey) {
		answer := ask(tenant, access.Admin, `{ keys(first: 500) { `+keyFields+` } }`, nil)
		require.Empty(t, answer.Errors)
		var data struct{ Keys []shownKey }
		require.NoError(t, json.Unmarshal(answer.Data, &data))
		return data.Keys
	}
	ours, theirs := w.tenant, w.suite.world().tenant
	const create = `mutation ($input: CreateKeyInput!) { createKey(input: $input) { key { ` + keyFields + ` } secret warning } }`
	const revoke = `mutation ($prefix: ID!) { revokeKey(input: {prefix: $prefix}) { key { ` + keyFields + ` } } }`
	assert.Empty(t, list(ours))

	made := map[string]struct {
		Key    shownKey
		Secret string
	}{}
	for _, tenant := range []string{ours, theirs} {
		answer := ask(tenant, access.Admin, create, vars{"input": vars{"role": "WRITER", "name": "the bot", "expiresAt": "2100-01-01T00:00:00Z"}})
		require.Empty(t, answer.Errors)
		var data struct {
			CreateKey struct {
				Key     shownKey
				Secret  string
				Warning *string
			}
		}
		require.NoError(t, json.Unmarshal(answer.Data, &data))
		assert.Nil(t, data.CreateKey.Warning, "who asked with a key can make the next")
		made[tenant] = struct {
			Key    shownKey
			Secret string
		}{data.CreateKey.Key, data.CreateKey.Secret}
		assert.True(t, strings.HasPrefix(data.CreateKey.Secret, data.CreateKey.Key.Prefix+"_"))
		assert.Equal(t, []string{"WRITER", "GOOD", "the bot"}, []string{data.CreateKey.Key.Role, data.CreateKey.Key.State, *data.CreateKey.Key.Name})
		assert.Equal(t, []shownKey{data.CreateKey.Key}, list(tenant), "without the key itself")
	}

	forged := ask(ours, access.Admin, revoke, vars{"prefix": made[theirs].Key.Prefix})
	require.Len(t, forged.Errors, 1)
	unknown := ask(ours, access.Admin, revoke, vars{"prefix": "mneme_aaaaaaaa"})
	unknown.Errors[0].Message = strings.Replace(unknown.Errors[0].Message, "mneme_aaaaaaaa", made[theirs].Key.Prefix, 1) // which each is told as it was sent
	assert.Equal(t, unknown.Errors, forged.Errors, "another tenant's is as one that there is not")
	assert.Equal(t, "NOT_FOUND", forged.Errors[0].Extensions.Code)
	assert.Equal(t, "GOOD", list(theirs)[0].State)

	for range 2 {
		require.Empty(t, ask(ours, access.Admin, revoke, vars{"prefix": made[ours].Key.Prefix}).Errors)
		assert.Equal(t, "REVOKED", list(ours)[0].State)
	}
	for name, refused := range map[string]response{
		"a writer lists":   ask(ours, access.Writer, `{ keys { prefix } }`, nil),
		"a writer makes":   ask(ours, access.Writer, create, vars{"input": vars{"role": "READER"}}),
		"a writer revokes": ask(ours, access.Writer, revoke, vars{"prefix": made[ours].Key.Prefix}),
	} {
		require.Len(t, refused.Errors, 1, name)
		assert.Equal(t, "FORBIDDEN", refused.Errors[0].Extensions.Code, name)
	}
	for field, answer := range map[string]response{
		"name":      ask(ours, access.Admin, create, vars{"input": vars{"role": "READER", "name": "two\nlines"}}),
		"expiresAt": ask(ours, access.Admin, create, vars{"input": vars{"role": "READER", "expiresAt": "2001-01-01T00:00:00Z"}}),
		"prefix":    ask(ours, access.Admin, revoke, vars{"prefix": "mneme"}),
		"first":     ask(ours, access.Admin, `{ keys(first: 501) { prefix } }`, nil),
	} {
		require.Len(t, answer.Errors, 1, field)
		assert.Equal(t, "INVALID_INPUT", answer.Errors[0].Extensions.Code, field)
		assert.Equal(t, field, answer.Errors[0].Extensions.Field)
	}
	require.Empty(t, ask(ours, access.Admin, create, vars{"input": vars{"role": "READER"}}).Errors)
	only := ask(ours, access.Admin, `{ keys(first: 1) { role name } }`, nil)
	assert.JSONEq(t, `{"keys": [{"role": "READER", "name": null}]}`, string(only.Data), "the newest first")
}
