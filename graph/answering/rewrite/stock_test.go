package rewrite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/demo"
	"mneme/internal/gqlhttp"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/keyring"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

// TestStockAnswersTheSame asks for every field of the schema, and for what is hard to answer, and compares the bytes
// with those of gqlgen's own code. The test runs itself for that, with the overlay that Generate keeps: compiling it
// takes as long as many tests, so that it is left to `make generate-check`, which has just made the overlay.
func TestStockAnswersTheSame(t *testing.T) {
	const overlay, memory, answers = "MNEME_TEST_STOCK_OVERLAY", "MNEME_TEST_STOCK_MEMORY", "MNEME_TEST_STOCK_ANSWERS"
	if file := os.Getenv(answers); file != "" {
		text, err := json.Marshal(answersOf(t, os.Getenv(memory), true))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o600))
		return
	}
	ours, stocks, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "answers.json")
	fill(t, ours)
	require.NoError(t, os.CopyFS(stocks, os.DirFS(ours)))
	got := answersOf(t, ours, false)
	if os.Getenv(overlay) == "" {
		t.Skip("`make generate-check` compares these answers with those of gqlgen's own code")
	}

	command := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-overlay", os.Getenv(overlay), "-run", "^"+t.Name()+"$", ".")
	command.Env = append(os.Environ(), memory+"="+stocks, answers+"="+file)
	said, err := command.CombinedOutput()
	require.NoError(t, err, string(said))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var want []exchange
	require.NoError(t, json.Unmarshal(text, &want))
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i].Query, got[i].Query)
		if stock, own := differing(want[i].Answer, got[i].Answer); stock != own {
			t.Errorf("%.200s…\ngqlgen's own code: …%s\nours: …%s", want[i].Query, stock, own)
		}
	}
}

// differing are the pieces of two texts around the first place where they differ, nothing where they are the same.
func differing(a, b string) (of, other string) {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	from := max(at-100, 0)
	return a[from:min(at+100, len(a))], b[from:min(at+100, len(b))]
}

// exchange is a query and its answer.
type exchange struct{ Query, Answer string }

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, folder string) (store.Backend, func() *service.Service) {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: folder})
	require.NoError(t, err)
	return backend, func() *service.Service {
		return service.New(backend, service.WithClock(func() time.Time { return now }))
	}
}

// fill makes a memory of all kinds of records.
func fill(t *testing.T, folder string) {
	t.Helper()
	backend, made := open(t, folder)
	svc := made()
	_, err := demo.Load(t.Context(), servicetest.Bind(t.Context(), t, svc), now)
	require.NoError(t, err)
	_, err = keyring.New(backend, slog.New(slog.DiscardHandler)).Create(t.Context(), keyring.CreateInput{Tenant: access.DefaultTenant, Role: access.Reader})
	require.NoError(t, err)
	require.NoError(t, svc.Close(context.Background()))
	require.NoError(t, backend.Close(context.Background()))
}

// answersOf sends all queries to a memory. Each has a service of its own, since what is read of observations is
// counted a while later.
func answersOf(t *testing.T, folder string, stock bool) []exchange {
	t.Helper()
	backend, made := open(t, folder)
	var exchanges []exchange
	ask := func(query string) string {
		svc := made()
		var spent service.Limits
		handler := gqlhttp.NewHandler(svc, gqlhttp.Options{
			MaxTokens: 1 << 20, MaxComplexity: 1 << 30, MaxAliases: 1 << 20,
			Budget: service.Limits{Records: 1 << 30, ReadBytes: 1 << 40, AnswerBytes: 1 << 40, Summed: 1 << 40},
			Spent:  func(s service.Limits) { spent = s },
			Keys:   keyring.New(backend, slog.New(slog.DiscardHandler)),
		})
		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		require.NoError(t, svc.Close(context.Background()))
		assert.True(t, spent.AnswerBytes == 0 || !stock, "gqlgen's own code does not count what it answers")
		exchanges = append(exchanges, exchange{query, recorder.Body.String()})
		return recorder.Body.String()
	}
	askEverything(t, ask)
	for _, query := range hard {
		ask(query)
	}
	require.NoError(t, backend.Close(context.Background()))
	return exchanges
}
