package neo4j

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/cypher"
	"mneme/store/storetest"
)

// noticeless is a driver whose writes tell of no records: without the part of statements that makes notices, and
// without the marks of records.
type noticeless struct{ neo4j.DriverWithContext }

type noticelessSession struct{ neo4j.SessionWithContext }

type noticelessTransaction struct{ neo4j.ManagedTransaction }

func (d noticeless) NewSession(ctx context.Context, config neo4j.SessionConfig) neo4j.SessionWithContext {
	return noticelessSession{d.DriverWithContext.NewSession(ctx, config)}
}

func (s noticelessSession) ExecuteWrite(
	ctx context.Context, work neo4j.ManagedTransactionWork, settings ...func(*neo4j.TransactionConfig),
) (any, error) {
	return s.SessionWithContext.ExecuteWrite(ctx, func(tx neo4j.ManagedTransaction) (any, error) { return work(noticelessTransaction{tx}) }, settings...)
}

func (t noticelessTransaction) Run(ctx context.Context, text string, values map[string]any) (neo4j.ResultWithContext, error) {
	if before, rest, tells := strings.Cut(text, "CALL () {\n  WITH $notice AS notice"); tells {
		_, after, _ := strings.Cut(rest, "\n}\n")
		text = before + after
	}
	for name, value := range values {
		if name != "notice" {
			unmark(value)
		}
	}
	return t.ManagedTransaction.Run(ctx, text, values)
}

// unmark takes the marks of records out of parameters.
func unmark(value any) {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "notice")
		for of := range maps.Values(value) {
			unmark(of)
		}
	case []map[string]any:
		for _, of := range value {
			unmark(of)
		}
	case []any:
		for _, of := range value {
			unmark(of)
		}
	}
}

// withAndWithout are two backends, of which the second writes no events, and a tenant of each.
func withAndWithout(t testing.TB) (backends [2]*Backend, tenants [2]*tenantStore) {
	t.Helper()
	for i := range backends {
		backends[i] = mustConnect(t)
		if i == 1 {
			backends[i].connection.Driver = noticeless{backends[i].connection.Driver}
		}
		tenants[i] = storeOf(freshStore(t, backends[i]))
	}
	return backends, tenants
}

// writesOfEvents are kinds of writes that tell of what they record, each of keys of its own.
var writesOfEvents = []struct {
	name  string
	write func(t testing.TB, s *tenantStore, key string)
}{
	{"one episode", func(t testing.TB, s *tenantStore, key string) {
		t.Helper()
		mustRecord(t, s, draft(key, func(r *store.EpisodeRecord) { r.Episode.TaskType = new("refund") }))
	}},
	{"one feedback", func(t testing.TB, s *tenantStore, key string) {
		t.Helper()
		recorded, err := store.Record(t.Context(), s, []store.FeedbackRecord{{InputHash: []byte(key), Feedback: memory.Feedback{
			Key: key, SessionKey: new("session"),
			Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
		}}})
		require.NoError(t, err)
		require.NoError(t, recorded[0].Err)
	}},
	{"100 episodes", func(t testing.TB, s *tenantStore, key string) {
		t.Helper()
		records := make([]store.EpisodeRecord, 100)
		for i := range records {
			records[i] = draft(fmt.Sprintf("%s-%d", key, i))
		}
		mustRecord(t, s, records...)
	}},
}

// Events cost a write no statement and no round trip.
func TestEventsCostNoRoundTrip(t *testing.T) {
	backends, tenants := withAndWithout(t)
	for _, kind := range writesOfEvents {
		var sent [2][]string
		for i, backend := range backends {
			kind.write(t, tenants[i], "first")
			backend.connection.Observer = storetest.Told(func(name string) { sent[i] = append(sent[i], name) })
			kind.write(t, tenants[i], "second")
			backend.connection.Observer = nil
		}
		require.Equal(t, sent[1], sent[0], kind.name)
		require.NotEmpty(t, sent[0])
	}
	notices := func(s *tenantStore) int64 {
		return runCypher[int64](t, backends[0], "MATCH (n:Notice {tenant: $tenant}) RETURN count(n)", cypher.Parameters{"tenant": s.TenantID})[0]
	}
	require.Positive(t, notices(tenants[0]))
	require.Zero(t, notices(tenants[1]), "or they would be compared with themselves")
}

// BenchmarkEvents measures what events cost a write: pairs of a write with and one without, in turns, so that what else
// keeps the machine busy meets both. -benchtime 200x makes 200 pairs.
func BenchmarkEvents(b *testing.B) {
	_, tenants := withAndWithout(b)
	for _, kind := range writesOfEvents {
		b.Run(kind.name, func(b *testing.B) {
			run, runs := [2][]time.Duration{}, 0
			once := func(which int) {
				begun := time.Now()
				kind.write(b, tenants[which], fmt.Sprintf("%s %d", kind.name, runs))
				runs++
				run[which] = append(run[which], time.Since(begun))
			}
			for range 5 { // both plan their statements
				once(0)
				once(1)
			}
			run = [2][]time.Duration{}
			for pair := 0; b.Loop(); pair++ {
				once(pair % 2)
				once(1 - pair%2)
			}
			ratios := make([]float64, len(run[0]))
			for i := range ratios {
				ratios[i] = float64(run[0][i]) / float64(run[1][i])
			}
			slices.Sort(ratios)
			middle := func(all []time.Duration) float64 {
				return slices.Sorted(slices.Values(all))[len(all)/2].Seconds() * 1000
			}
			b.ReportMetric(middle(run[0]), "ms/with")
			b.ReportMetric(middle(run[1]), "ms/without")
			b.ReportMetric(ratios[len(ratios)/2], "median-ratio")
			b.ReportMetric(ratios[len(ratios)/4], "lower-quartile")
			b.ReportMetric(ratios[len(ratios)*3/4], "upper-quartile")
		})
	}
}
