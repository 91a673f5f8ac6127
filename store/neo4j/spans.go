package neo4j

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// HoldSpans keeps spans of traces that are not episodes yet; see store.SpanStore. All writers lock in the
// order of the keys.
func (s *tenantStore) HoldSpans(ctx context.Context, spans []store.HeldSpan, at time.Time) error {
	if len(spans) == 0 {
		return nil
	}
	sorted := slices.SortedStableFunc(slices.Values(spans), func(a, b store.HeldSpan) int {
		return cmp.Or(cmp.Compare(a.Trace, b.Trace), cmp.Compare(a.Span.ID, b.Span.ID))
	})
	rows := make([]parameters, len(sorted))
	for i := range sorted {
		row, err := spanRow(&sorted[i], at)
		if err != nil {
			return err
		}
		rows[i] = row
	}
	return s.write(ctx, func(t *transaction) error {
		return t.run("hold_spans", parameters{"rows": rows}, nil)
	})
}

func spanRow(held *store.HeldSpan, at time.Time) (parameters, error) {
	data, err := memory.JSONOf(held)
	ends := 0
	if held.Span.Ends() {
		ends = 1
	}
	return parameters{"trace": held.Trace, "key": held.Span.ID, "ends": ends, "at": instant(at), "data": string(data)}, err
}

// DueTraces tells the traces of which nothing has arrived for a while; see store.SpanStore.
func (s *tenantStore) DueTraces(ctx context.Context, query store.DueTraces) ([]string, error) {
	return read(ctx, s.backend, s.query("due_traces", statement("due_traces"), parameters{
		"ended": instant(query.EndedBefore), "silent": instant(query.SilentBefore), "limit": query.Limit,
	}), column[string]("trace"))
}

// HeldSpans reads what is held of a trace; see store.SpanStore.
func (s *tenantStore) HeldSpans(ctx context.Context, trace string) ([]store.HeldSpan, error) {
	return read(ctx, s.backend, s.query("held_spans", statement("held_spans"), parameters{"trace": trace}), decodeHeldSpan)
}

func decodeHeldSpan(row *neo4j.Record) (held store.HeldSpan, err error) {
	data, err := column[string]("data")(row)
	if err != nil {
		return held, err
	}
	if err := json.Unmarshal([]byte(data), &held); err != nil {
		return held, fmt.Errorf("a held span: %w", err)
	}
	return held, nil
}

// ReleaseSpans lets go of spans that are part of an episode now; see store.SpanStore.
func (s *tenantStore) ReleaseSpans(ctx context.Context, trace string, spans []string) error {
	if len(spans) == 0 {
		return nil
	}
	return s.write(ctx, func(t *transaction) error {
		return t.run("release_spans", parameters{"trace": trace, "keys": slices.Sorted(slices.Values(spans))}, nil)
	})
}
