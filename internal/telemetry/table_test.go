package telemetry_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	io_prometheus_client "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/telemetry"
	"mneme/service/events"
	"mneme/store"
)

var update = flag.Bool("update", false, "write the table of docs/operations.md")

// TestMain sets a limit of memory, as a server has one. A test that set and reset it would do so beneath others.
func TestMain(m *testing.M) {
	debug.SetMemoryLimit(1 << 30)
	os.Exit(m.Run())
}

// scraped parses what Prometheus is answered, with the parser that Prometheus has.
func scraped(t *testing.T, handler http.Handler) map[string]*io_prometheus_client.MetricFamily {
	t.Helper()
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, answer.Code)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(answer.Body)
	require.NoError(t, err)
	return families
}

// everything is the metrics of signals of which every method was called.
func everything(t *testing.T) map[string]*io_prometheus_client.MetricFamily {
	t.Helper()
	s, err := telemetry.New(t.Context(), telemetry.Options{Version: "v0", Store: "sqlite", Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	backlog := new(atomic.Pointer[store.Backlog])
	backlog.Store(&store.Backlog{Traces: 2, Oldest: new(time.Now().Add(-time.Minute)), Compactions: 1, Vectors: 3})
	s.Watch(telemetry.Gauges{Pool: func() store.Pool { return store.Pool{Used: 1, Waiting: 2, Most: 8} }, Connections: func() int { return 5 }, Backlog: backlog})
	for _, status := range []int{200, 503} {
		_, request := s.Request(httptest.NewRequest(http.MethodPost, "/graphql", nil), "/graphql", true)
		request.End(status, false)
	}
	ctx, operation := s.Operation(t.Context(), telemetry.GraphQL)
	operation.Is("query", "recall")
	operation.Spans(2, 3, 1)
	operation.End()
	s.Begin(ctx, store.Read)(nil)
	s.Begin(ctx, store.Write)(store.ErrUnavailable)
	s.Statements(3)
	require.Error(t, s.Model(ctx, telemetry.Chat, "m", func(context.Context) error { return errors.New("broken") }))
	s.Retried(telemetry.Chat)
	s.Refused(telemetry.KeyLimit)
	s.Opened()
	s.Told()
	s.Ended(events.Slow)
	return scraped(t, s.Handler())
}

const operations = "../../docs/operations.md"

// TestTheTableOfMetrics holds the table in the documents to what a server answers.
func TestTheTableOfMetrics(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(operations)
	require.NoError(t, err)
	const begin, end = "<!-- the metrics, written by go test ./internal/telemetry -run Table -update -->\n\n", "\n<!-- end -->"
	before, rest, found := strings.Cut(string(page), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	want := before + begin + table(everything(t)) + end + after
	if *update {
		require.NoError(t, os.WriteFile(operations, []byte(want), 0o600))
		return
	}
	assert.Equal(t, want, string(page), "go test ./internal/telemetry -run Table -update writes it")
}

func table(families map[string]*io_prometheus_client.MetricFamily) string {
	var text strings.Builder
	text.WriteString("| metric | type | unit | labels | meaning |\n|---|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(families)) {
		family, labels := families[name], map[string]bool{}
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				labels["`"+label.GetName()+"`"] = true
			}
		}
		if name == "target_info" {
			labels = map[string]bool{"those of the resource": true}
		}
		unit := ""
		for _, known := range []string{"seconds", "bytes"} {
			if strings.HasSuffix(strings.TrimSuffix(name, "_total"), "_"+known) {
				unit = known
			}
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s | %s | %s |\n", name, strings.ToLower(family.GetType().String()), unit,
			strings.Join(slices.Sorted(maps.Keys(labels)), ", "), strings.TrimSuffix(family.GetHelp(), "."))
	}
	return text.String()
}

var (
	// named are the names of metrics in an expression, beside functions, labels and numbers.
	named    = regexp.MustCompile(`\b(?:mneme|http|db|gen_ai|go)_[a-z0-9_]+\b`)
	selected = regexp.MustCompile(`\{[^}]*\}|by \([^)]*\)`)
	suffixes = regexp.MustCompile(`_(?:bucket|sum|count)$`)
)

// TestWhatIsShownIsThere holds the dashboard and the rules of alerts to what a server answers, by name and by label.
func TestWhatIsShownIsThere(t *testing.T) {
	t.Parallel()
	families := everything(t)
	var expressions []string
	board, err := os.ReadFile("../../docs/grafana/mneme.json")
	require.NoError(t, err)
	var decoded struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(board, &decoded))
	for _, panel := range decoded.Panels {
		for _, target := range panel.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	require.Greater(t, len(expressions), 10)
	rules, err := os.ReadFile("../../docs/grafana/alerts.yml")
	require.NoError(t, err)
	for line := range strings.Lines(string(rules)) {
		if _, expression, ok := strings.Cut(line, "expr:"); ok {
			expressions = append(expressions, expression)
		}
	}
	for _, expression := range expressions {
		found := named.FindAllString(selected.ReplaceAllString(expression, ""), -1)
		assert.NotEmpty(t, found, expression)
		for _, name := range found {
			family := families[name]
			if family == nil {
				family = families[suffixes.ReplaceAllString(name, "")]
			}
			if !assert.NotNil(t, family, "%s in %s", name, expression) {
				continue
			}
			for _, label := range labelsIn(expression) {
				assert.Contains(t, fmt.Sprint(family.GetMetric()), label, "%s in %s", name, expression)
			}
		}
	}
}

var inBraces = regexp.MustCompile(`([a-z_]+)(?:=|!=|=~|!~)"`)

// labelsIn are the labels that an expression selects or sums up by.
func labelsIn(expression string) (labels []string) {
	for _, part := range selected.FindAllString(expression, -1) {
		if list, ok := strings.CutPrefix(part, "by ("); ok {
			for label := range strings.SplitSeq(strings.TrimSuffix(list, ")"), ",") {
				if label = strings.TrimSpace(label); label != "le" {
					labels = append(labels, label)
				}
			}
			continue
		}
		for _, match := range inBraces.FindAllStringSubmatch(part, -1) {
			labels = append(labels, match[1])
		}
	}
	return labels
}
