package auth_test

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/auth"
	"mneme/internal/inbound"
	"mneme/memory"
	"mneme/memory/access"
)

var served = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })

// keys are those that were made, by what is presented.
type keys map[string]access.Caller

func (k keys) Find(_ context.Context, presented string) (access.Caller, error) {
	if presented == "while the store is away" {
		return access.Caller{}, &memory.Error{Code: memory.CodeUnavailable, Message: "try again"}
	}
	caller, known := k[presented]
	if !known {
		return caller, &memory.Error{Code: memory.CodeUnauthenticated, Message: "the key is not valid here"}
	}
	return caller, nil
}

func (k keys) Any(context.Context) (bool, error) { return len(k) > 0, nil }

var (
	acme = keys{"acme's key": {Tenant: "acme", Role: access.Reader, Name: "mneme_acme"}}
	// told answers who asks.
	told = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := access.Of(r.Context())
		_, _ = io.WriteString(w, caller.Tenant+" "+string(caller.Role)+" "+caller.Name)
	})
)

func TestDoor(t *testing.T) {
	const server = "default ADMIN MNEME_API_KEY"
	bearer := func(key string) http.Header { return http.Header{"Authorization": {"Bearer " + key}} }
	tests := map[string]struct {
		key    string
		keys   keys
		open   bool // to this machine
		host   string
		header http.Header
		status int
		says   string
	}{
		"bearer":                   {key: "s3cret", header: bearer("s3cret"), status: 200, says: server},
		"bearer in lower case":     {key: "s3cret", header: http.Header{"Authorization": {"bearer s3cret"}}, status: 200, says: server},
		"X-API-Key":                {key: "s3cret", header: http.Header{"X-Api-Key": {"s3cret"}}, status: 200, says: server},
		"none":                     {key: "s3cret", status: 401, says: "UNAUTHENTICATED"},
		"wrong":                    {key: "s3cret", header: bearer("s3cres"), status: 401, says: "UNAUTHENTICATED"},
		"a prefix":                 {key: "s3cret", header: bearer("s3c"), status: 401, says: "UNAUTHENTICATED"},
		"another scheme":           {key: "s3cret", header: http.Header{"Authorization": {"Basic s3cret"}}, status: 401, says: "UNAUTHENTICATED"},
		"bearer wins over X-API":   {key: "s3cret", header: http.Header{"Authorization": {"Bearer no"}, "X-Api-Key": {"s3cret"}}, status: 401, says: "UNAUTHENTICATED"},
		"no key matches empty key": {status: 401, says: "UNAUTHENTICATED"},
		"empty bearer, empty key":  {header: bearer(""), status: 401, says: "UNAUTHENTICATED"},

		"a key that was made":           {keys: acme, header: bearer("acme's key"), status: 200, says: "acme READER mneme_acme"},
		"a key beside the server's own": {key: "s3cret", keys: acme, header: bearer("acme's key"), status: 200, says: "acme READER mneme_acme"},
		"the server's own beside keys":  {key: "s3cret", keys: acme, header: bearer("s3cret"), status: 200, says: server},
		"unknown":                       {keys: acme, header: bearer("other's key"), status: 401, says: "UNAUTHENTICATED"},
		"the store is away":             {keys: acme, header: bearer("while the store is away"), status: 503, says: "UNAVAILABLE"},

		"this machine without any key":        {open: true, status: 200, says: "default ADMIN local"},
		"this machine, and what is no key":    {open: true, header: bearer("whatever"), status: 401, says: "UNAUTHENTICATED"},
		"another name without any key":        {open: true, host: "evil.example", status: 403, says: "FORBIDDEN"},
		"this machine once there is a key":    {open: true, keys: acme, status: 401, says: "UNAUTHENTICATED"},
		"this machine beside the server's":    {open: true, key: "s3cret", status: 401, says: "UNAUTHENTICATED"},
		"another name once there is a key":    {open: true, keys: acme, host: "mneme.example", header: bearer("acme's key"), status: 200, says: "acme READER mneme_acme"},
		"a wrong key on this machine, locked": {open: true, keys: acme, header: bearer("whatever"), status: 401, says: "UNAUTHENTICATED"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodPost, "/graphql", nil)
			request.Host = cmp.Or(tt.host, "localhost:8080")
			request.Header = tt.header
			answer := httptest.NewRecorder()
			log := slog.New(slog.DiscardHandler)
			door := &auth.Door{ServerKey: tt.key, Keys: tt.keys, OpenToThisMachine: tt.open, Wrong: auth.NewWrongKeys(nil, inbound.NewRateLimitedWarning(log, "wrong keys were presented", 10*time.Second)), Log: log}
			door.Guard(told).ServeHTTP(answer, request)

			require.Equal(t, tt.status, answer.Code)
			if tt.status == http.StatusOK {
				assert.Equal(t, tt.says, answer.Body.String())
				return
			}
			assert.NotContains(t, answer.Body.String(), "s3c", "an answer never repeats a key")
			assert.Equal(t, tt.says, codeOf(t, answer))
			if tt.status == http.StatusUnauthorized {
				assert.Equal(t, `Bearer realm="mneme"`, answer.Header().Get("WWW-Authenticate"))
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
		(&auth.Door{ServerKey: "k", Keys: keys{}}).Guard(served).ServeHTTP(answer, request)
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
