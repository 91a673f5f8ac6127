package app

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/internal/telemetry"
	"mneme/service/boundary"
)

// served is the handler of a server on SQLite with some episodes, whose metrics are taken or not.
func served(b *testing.B, measured bool) http.Handler {
	b.Helper()
	config, log := DefaultConfig(), slog.New(slog.DiscardHandler)
	config.Data = b.TempDir()
	a := &App{config: config, log: log, server: &http.Server{ReadHeaderTimeout: headerTimeout}}
	var err error
	if measured {
		a.signals, err = telemetry.New(b.Context(), telemetry.Options{Store: SQLite, Log: log})
		require.NoError(b, err)
	}
	a.Memory, err = open(b.Context(), config, log, watching{signals: a.signals})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, a.Memory.Close(context.Background())) })
	tenant, err := a.Service.Tenant(b.Context())
	require.NoError(b, err)
	var input boundary.RecordEpisodesInput
	for i := range 300 {
		input.Episodes = append(input.Episodes, boundary.RecordEpisodeInput{
			ID: new(fmt.Sprintf("e%d", i)), AgentID: "agent", Observation: fmt.Sprintf("a customer wants a refund for order %d that came late", i), Result: new("refunded"),
		})
	}
	for some := range slices.Chunk(input.Episodes, 100) {
		_, err := tenant.Episodes.RecordEpisodes(b.Context(), boundary.RecordEpisodesInput{Episodes: some})
		require.NoError(b, err)
	}
	return a.routes()
}

// BenchmarkSignals asks two servers in turns, one of which takes metrics, and tells how much longer that one takes by
// the medians. go test ./internal/app -run '^$' -bench Signals -benchtime 1000x
func BenchmarkSignals(b *testing.B) {
	handlers := map[bool]http.Handler{false: served(b, false), true: served(b, true)}
	for name, query := range map[string]string{
		"recall":     `{ recall(input: {situation: "a refund for a late order"}) { hits { rank episode { id } } } }`,
		"getEpisode": `{ episode(id: "e150") { id observation } }`,
	} {
		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			took := map[bool][]time.Duration{}
			ask := func(measured bool) {
				r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/graphql", strings.NewReader(string(body)))
				r.RemoteAddr = "127.0.0.1:1"
				r.Header.Set("Content-Type", "application/json")
				answer := httptest.NewRecorder()
				began := time.Now()
				handlers[measured].ServeHTTP(answer, r)
				took[measured] = append(took[measured], time.Since(began))
				if answer.Code != 200 || strings.Contains(answer.Body.String(), "errors") {
					b.Fatal(answer.Body.String())
				}
			}
			for i := 0; b.Loop(); i++ {
				ask(i%2 == 0)
				ask(i%2 != 0)
			}
			median := func(of []time.Duration) float64 {
				slices.Sort(of)
				return float64(of[len(of)/2])
			}
			b.ReportMetric(median(took[false])/1e3, "µs-without")
			b.ReportMetric(median(took[true])/1e3, "µs-with")
			b.ReportMetric(median(took[true])/median(took[false]), "ratio")
		})
	}
}
