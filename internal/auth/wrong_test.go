package auth

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/inbound"
	"mneme/service/keyring"
)

// tried is a server with a key, the waits that it held answers for, and its log.
func tried(t *testing.T) (ask func(address, key string) int, waits *[]time.Duration, log *bytes.Buffer, keys *WrongKeys) {
	t.Helper()
	log, waits = new(bytes.Buffer), new([]time.Duration)
	proxies, err := inbound.ParseProxies("10.0.0.1")
	require.NoError(t, err)
	keys = NewWrongKeys(proxies, inbound.NewRateLimitedWarning(slog.New(slog.NewTextHandler(log, nil)), "wrong keys were presented", 10*time.Second))
	at := time.Now()
	keys.clients.now = func() time.Time { return at }
	keys.wait = func(d time.Duration) { *waits = append(*waits, d) }
	handler := (&Door{ServerKey: "right", Keys: keyring.New(nil, slog.New(slog.DiscardHandler)), Wrong: keys}).Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	ask = func(address, key string) int {
		request := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		request.RemoteAddr = "10.0.0.1:80"
		request.Header.Set("X-Forwarded-For", address)
		request.Header.Set("X-API-Key", key)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		return answer.Code
	}
	return ask, waits, log, keys
}

func TestWrongKeysAreSlowed(t *testing.T) {
	ask, waits, log, _ := tried(t)
	for range 10 {
		assert.Equal(t, 401, ask("203.0.113.1", "s3cret"))
	}
	assert.Empty(t, *waits, "whoever mistypes a key is not punished")
	for range 5 {
		assert.Equal(t, 401, ask("203.0.113.1", "s3cret"))
	}
	assert.Equal(t, []time.Duration{time.Second, 2 * time.Second, 2 * time.Second, 2 * time.Second, 2 * time.Second}, *waits)
	assert.Equal(t, 200, ask("203.0.113.1", "right"))
	assert.Equal(t, 401, ask("203.0.113.2", "s3cret"))
	assert.Equal(t, 401, ask("203.0.113.1", ""), "no key is no try")
	assert.Len(t, *waits, 5, "neither who has the key nor others are slowed")

	assert.Equal(t, 1, strings.Count(log.String(), "\n"), "the log cannot be flooded")
	assert.Contains(t, log.String(), "level=WARN")
	assert.Contains(t, log.String(), "client=203.0.113.1")
	assert.NotContains(t, log.String(), "s3cret")
}

func TestWrongKeysAreForgotten(t *testing.T) {
	ask, waits, _, keys := tried(t)
	now := keys.clients.now()
	for range 20 {
		ask("203.0.113.1", "wrong")
	}
	keys.clients.now = func() time.Time { return now.Add(time.Minute) }
	*waits = nil
	ask("203.0.113.1", "wrong")
	assert.Empty(t, *waits)
	for i := range 100_000 {
		ask(fmt.Sprintf("2001:db8:%x:%x::1", i>>16, i&0xffff), "wrong")
	}
	assert.Equal(t, wrongKeyClients, keys.clients.callers.Len(), "as many are remembered as the memory has room for")
}

func TestFewAnswersWait(t *testing.T) {
	ask, waits, _, keys := tried(t)
	for range waitingAtOnce {
		keys.waiting <- struct{}{}
	}
	for range 20 {
		assert.Equal(t, 401, ask("203.0.113.1", "wrong"))
	}
	assert.Empty(t, *waits)
}
