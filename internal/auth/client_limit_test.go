package auth_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/auth"
	"mneme/internal/inbound"
)

func TestClientLimit(t *testing.T) {
	proxies, err := inbound.ParseProxies("10.0.0.1")
	require.NoError(t, err)
	var log bytes.Buffer
	entered, leave := make(chan struct{}), make(chan struct{})
	handler := auth.NewClientLimit(2, proxies, inbound.NewRateLimitedWarning(slog.New(slog.NewTextHandler(&log, nil)), "too many", time.Hour)).
		Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			entered <- struct{}{}
			<-leave
		}))
	answers := make(chan *httptest.ResponseRecorder)
	ask := func(peer, client string) {
		request := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		request.RemoteAddr = peer + ":1"
		request.Header.Set("X-Forwarded-For", client)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		answers <- answer
	}
	for range 2 {
		go ask("10.0.0.1", "203.0.113.1")
		<-entered
	}
	go ask("10.0.0.1", "1.1.1.1, 203.0.113.1") // what the client says of itself does not count
	refused := <-answers
	assert.Equal(t, http.StatusTooManyRequests, refused.Code)
	assert.Equal(t, "LIMIT_EXCEEDED", codeOf(t, refused))
	assert.Contains(t, log.String(), "client=203.0.113.1")
	for range 3 { // this machine asks as it pleases, and so does another client
		go ask("127.0.0.1", "")
		<-entered
	}
	go ask("10.0.0.1", "203.0.113.2")
	<-entered
	for range 6 {
		leave <- struct{}{}
		assert.Equal(t, http.StatusOK, (<-answers).Code)
	}
	go ask("10.0.0.1", "203.0.113.1")
	<-entered
	leave <- struct{}{}
	assert.Equal(t, http.StatusOK, (<-answers).Code, "the place was given back")
}

func TestOrigins(t *testing.T) {
	handler := auth.Origins(served, "https://explorer.example")
	for name, test := range map[string]struct {
		method  string
		headers map[string]string
		status  int
	}{
		"a program":                    {"GET", nil, 204},
		"a program that posts":         {"POST", nil, 204},
		"the address bar":              {"GET", map[string]string{"Sec-Fetch-Site": "none"}, 204},
		"our own page":                 {"GET", map[string]string{"Sec-Fetch-Site": "same-origin"}, 204},
		"our own page, older browser":  {"POST", map[string]string{"Origin": "http://example.com"}, 204},
		"another site reads":           {"GET", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"another site looks":           {"HEAD", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"another site asks whether":    {"OPTIONS", map[string]string{"Origin": "https://evil.example"}, 403},
		"another site posts":           {"POST", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"a neighbour":                  {"GET", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		"another site, older browser":  {"GET", map[string]string{"Origin": "https://evil.example"}, 403},
		"a page without a name":        {"GET", map[string]string{"Origin": "null"}, 403},
		"an allowed one":               {"GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://explorer.example"}, 204},
		"an allowed one, older":        {"POST", map[string]string{"Origin": "https://explorer.example"}, 204},
		"an allowed name, another one": {"GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "http://explorer.example"}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(test.method, "/graphql?query={__typename}", nil)
			for name, value := range test.headers {
				request.Header.Set(name, value)
			}
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request)
			require.Equal(t, test.status, answer.Code)
			if test.status == http.StatusForbidden && test.method != "HEAD" {
				assert.Equal(t, "FORBIDDEN", codeOf(t, answer))
			}
		})
	}
}
