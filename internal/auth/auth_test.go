package auth_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/auth"
)

var served = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })

func TestRequireKey(t *testing.T) {
	tests := map[string]struct {
		key    string
		header http.Header
		status int
	}{
		"bearer":                   {"s3cret", http.Header{"Authorization": {"Bearer s3cret"}}, 204},
		"bearer in lower case":     {"s3cret", http.Header{"Authorization": {"bearer s3cret"}}, 204},
		"X-API-Key":                {"s3cret", http.Header{"X-Api-Key": {"s3cret"}}, 204},
		"none":                     {"s3cret", nil, 401},
		"wrong":                    {"s3cret", http.Header{"Authorization": {"Bearer s3cres"}}, 401},
		"a prefix":                 {"s3cret", http.Header{"Authorization": {"Bearer s3c"}}, 401},
		"another scheme":           {"s3cret", http.Header{"Authorization": {"Basic s3cret"}}, 401},
		"bearer wins over X-API":   {"s3cret", http.Header{"Authorization": {"Bearer no"}, "X-Api-Key": {"s3cret"}}, 401},
		"no key matches empty key": {"", nil, 401},
		"empty bearer, empty key":  {"", http.Header{"Authorization": {"Bearer "}}, 401},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodPost, "/graphql", nil)
			request.Header = tt.header
			answer := httptest.NewRecorder()
			auth.RequireKey(tt.key, auth.NewWrongKeys(slog.New(slog.DiscardHandler), nil), served).ServeHTTP(answer, request)

			require.Equal(t, tt.status, answer.Code)
			if tt.status == http.StatusUnauthorized {
				assert.Equal(t, "UNAUTHENTICATED", codeOf(t, answer))
				assert.Equal(t, `Bearer realm="mneme"`, answer.Header().Get("WWW-Authenticate"))
				assert.NotContains(t, answer.Body.String(), "s3c", "an answer never repeats a key")
			}
		})
	}
}

func TestRequireLoopbackHost(t *testing.T) {
	tests := map[string]int{
		"localhost": 204, "localhost:8080": 204, "LOCALHOST:8080": 204, "api.localhost:8080": 204, "localhost.": 204,
		"127.0.0.1": 204, "127.0.0.1:8080": 204, "127.9.9.9:1": 204, "[::1]": 204, "[::1]:8080": 204, "[::ffff:127.0.0.1]:1": 204,
		"evil.example": 403, "evil.example:8080": 403, "localhost.evil.example": 403, "notlocalhost": 403,
		"10.0.0.1:8080": 403, "0.0.0.0:8080": 403, "[::]:8080": 403, "": 403, ":8080": 403,
	}
	for host, status := range tests {
		t.Run(host, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodGet, "/", nil)
			request.Host = host
			answer := httptest.NewRecorder()
			auth.RequireLoopbackHost(served).ServeHTTP(answer, request)

			require.Equal(t, status, answer.Code)
			if status == http.StatusForbidden {
				assert.Equal(t, "FORBIDDEN", codeOf(t, answer))
			}
		})
	}
}

func TestRefusalMediaType(t *testing.T) {
	for accept, want := range map[string]string{
		"":    "application/json; charset=utf-8",
		"*/*": "application/json; charset=utf-8",
		"application/graphql-response+json, application/json;q=0.9": "application/graphql-response+json; charset=utf-8",
	} {
		request := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		request.Header.Set("Accept", accept)
		answer := httptest.NewRecorder()
		auth.RequireKey("k", nil, served).ServeHTTP(answer, request)
		assert.Equal(t, want, answer.Header().Get("Content-Type"), "Accept: %s", accept)
	}
}

func codeOf(t *testing.T, answer *httptest.ResponseRecorder) string {
	t.Helper()
	var body struct {
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
		Data *json.RawMessage
	}
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &body))
	require.Len(t, body.Errors, 1)
	assert.NotEmpty(t, body.Errors[0].Message)
	assert.Nil(t, body.Data, "a request error has no data")
	return body.Errors[0].Extensions.Code
}
