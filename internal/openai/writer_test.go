package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/openai"
)

// serve answers every request with a status and a body, and keeps what was asked.
func serve(t *testing.T, status int, body string) (*openai.Writer, *[]string) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ := io.ReadAll(r.Body)
		asked = append(asked, r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(got))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	client, err := openai.NewWriter(openai.Options{URL: server.URL + "/v1", Model: "small", Key: "k1", Backoff: time.Millisecond})
	require.NoError(t, err)
	return client, &asked
}

func TestWrite(t *testing.T) {
	t.Parallel()
	client, asked := serve(t, 200, `{"choices":[{"message":{"role":"assistant","content":" It worked. "},"finish_reason":"stop"}]}`)
	text, err := client.Write(t.Context(), "Say why.", "The run")
	require.NoError(t, err)
	assert.Equal(t, "It worked.", text)
	require.Len(t, *asked, 1)
	head, body, _ := strings.Cut((*asked)[0], "{")
	assert.Equal(t, "/v1/chat/completions Bearer k1 ", head)
	var sent struct {
		Model       string
		Temperature *float64
		Messages    []struct{ Role, Content string }
	}
	require.NoError(t, json.Unmarshal([]byte("{"+body), &sent))
	assert.Equal(t, "small", sent.Model)
	assert.Equal(t, 0.0, *sent.Temperature)
	assert.Equal(t, []struct{ Role, Content string }{{"system", "Say why."}, {"user", "The run"}}, sent.Messages)
}

func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status   int
		body     string
		fault    string
		attempts int
	}{
		"no choice":    {200, `{"choices":[]}`, "answered nothing", 1},
		"empty":        {200, `{"choices":[{"message":{"content":"  "},"finish_reason":"stop"}]}`, "empty text", 1},
		"broken off":   {200, `{"choices":[{"message":{"content":"It"},"finish_reason":"length"}]}`, "breaks off", 1},
		"not JSON":     {200, `<html>`, "not what the protocol says", 1},
		"wrong key":    {401, `{"error":{"code":"invalid_api_key","message":"k1 is wrong"}}`, "401 Unauthorized (invalid_api_key)", 1},
		"out of order": {503, ``, "503 Service Unavailable", 3},
	} {
		t.Run(name, func(t *testing.T) {
			client, asked := serve(t, test.status, test.body)
			_, err := client.Write(t.Context(), "Say why.", "The run")
			require.ErrorContains(t, err, test.fault)
			assert.NotContains(t, err.Error(), "k1")
			assert.Len(t, *asked, test.attempts)
		})
	}
}

func TestOptionsOfAWriter(t *testing.T) {
	t.Parallel()
	_, err := openai.NewWriter(openai.Options{URL: "localhost:11434", Model: "m"})
	require.ErrorContains(t, err, "must be an http or https URL")
	_, err = openai.NewWriter(openai.Options{URL: "http://localhost:11434"})
	require.ErrorContains(t, err, "no name")
}
