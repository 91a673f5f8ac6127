package neo4j

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// HoldSpans keeps spans of traces that are not episodes yet; see store.SpanStore. All writers lock in the
// order of the keys.
func (s *tenantStore) HoldSpans(ctx context.Context, spans []store.HeldSpan, at time.Time, room store.TraceRoom) (left []int, err error) {
	if len(spans) == 0 {
		return nil, nil
	}
	rows, sizes := make([]parameters, len(spans)), make([]int, len(spans))
	for i := range spans {
		if rows[i], sizes[i], err = spanRow(&spans[i], at); err != nil {
			return nil, err
		}
	}
	err = s.write(ctx, func(t *transaction) error {
		var fitting []int
		if fitting, left, err = t.fittingSpans(spans, sizes, room); err != nil || len(fitting) == 0 {
			return err
		}
		slices.SortFunc(fitting, func(a, b int) int {
			return cmp.Or(cmp.Compare(spans[a].Trace, spans[b].Trace), cmp.Compare(spans[a].Span.ID, spans[b].Span.ID))
		})
		chosen := make([]parameters, len(fitting))
		for i, index := range fitting {
			chosen[i] = rows[index]
		}
		return t.run(named("hold_spans"), parameters{"rows": chosen}, nil)
	})
	return left, err
}

// fittingSpans tells the new spans that there is room for from those that are left, by index.
func (t *transaction) fittingSpans(spans []store.HeldSpan, sizes []int, room store.TraceRoom) (fitting, left []int, err error) {
	used, known, err := t.roomUsed(spans)
	if err != nil {
		return nil, nil, err
	}
	for i := range spans {
		held := &spans[i]
		id := [2]string{held.Trace, held.Span.ID}
		switch {
		case known[id]:
		case room.Take(used[held.Trace], &held.Span, sizes[i]):
			known[id] = true
			fitting = append(fitting, i)
		default:
			left = append(left, i)
		}
	}
	return fitting, left, nil
}

// roomUsed tells how much is kept of the traces of spans, and which of these are held already.
func (t *transaction) roomUsed(spans []store.HeldSpan) (used map[string]*store.TraceRoom, known map[[2]string]bool, err error) {
	keys := map[string][]string{}
	for i := range spans {
		keys[spans[i].Trace] = append(keys[spans[i].Trace], spans[i].Span.ID)
	}
	rows := make([]parameters, 0, len(keys))
	for _, trace := range sortedKeys(keys) {
		rows = append(rows, parameters{"trace": trace, "keys": keys[trace]})
	}
	used, known = map[string]*store.TraceRoom{}, map[[2]string]bool{}
	err = t.run(named("trace_room"), parameters{"rows": rows}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		trace := f.text("trace")
		used[trace] = &store.TraceRoom{Spans: int(required[int64](f, "spans")), Bytes: int(required[int64](f, "bytes"))}
		for _, key := range list[string](f, "known") {
			known[[2]string{trace, key}] = true
		}
		return f.err
	})
	return used, known, err
}

func spanRow(held *store.HeldSpan, at time.Time) (row parameters, size int, err error) {
	data, err := memory.JSONOf(held)
	ends := 0
	if held.Span.Ends() {
		ends = 1
	}
	return parameters{
		"trace": held.Trace, "key": held.Span.ID, "ends": ends, "at": instant(at), "data": string(data), "bytes": len(data),
	}, len(data), err
}

// DueTraces tells the traces of which nothing has arrived for a while; see store.SpanStore.
func (s *tenantStore) DueTraces(ctx context.Context, query store.DueTraces) ([]store.DueTrace, error) {
	return read(ctx, s.backend, s.query(named("due_traces"), parameters{
		"ended": instant(query.EndedBefore), "silent": instant(query.SilentBefore), "retry": instant(query.RetryBefore), "limit": query.Limit,
	}), func(row *neo4j.Record) (store.DueTrace, error) {
		f := fieldsOf(row.AsMap())
		return store.DueTrace{Trace: f.text("trace"), Failures: int(required[int64](f, "failures"))}, f.err
	})
}

// PutOffTrace notes that a trace failed; see store.SpanStore.
func (s *tenantStore) PutOffTrace(ctx context.Context, trace string, failure store.TraceFailure) error {
	return s.write(ctx, func(t *transaction) error {
		return t.run(named("put_off_trace"), parameters{
			"trace": trace, "failures": failure.Failures, "retry": instant(failure.RetryAt), "reason": failure.Reason,
		}, nil)
	})
}

// DropTrace lets go of all that is held of a trace; see store.SpanStore.
func (s *tenantStore) DropTrace(ctx context.Context, trace string) (spans int, err error) {
	err = s.write(ctx, func(t *transaction) error {
		spans = 0
		return t.run(named("drop_trace"), parameters{"keys": []string{trace}}, func(row *neo4j.Record) error {
			n, err := column[int64]("spans")(row)
			spans = int(n)
			return err
		})
	})
	return spans, err
}

// HeldSpans reads what is held of a trace; see store.SpanStore. It asks how long the spans are first, because
// the driver fetches a thousand at once.
func (s *tenantStore) HeldSpans(ctx context.Context, trace string, most store.TraceRoom) ([]store.HeldSpan, error) {
	lengths := s.query(named("held_lengths"), parameters{"trace": trace, "limit": most.Spans})
	bytes, ends, last := 0, int64(0), ""
	_, err := read(ctx, s.backend, lengths, func(row *neo4j.Record) (struct{}, error) {
		f := fieldsOf(row.AsMap())
		if bytes += int(required[int64](f, "bytes")); bytes <= most.Bytes || last == "" {
			ends, last = required[int64](f, "ends"), f.text("key")
		}
		return struct{}{}, f.err
	})
	if err != nil || last == "" {
		return []store.HeldSpan{}, err
	}
	values := parameters{"trace": trace, "ends": ends, "last": last}
	return read(ctx, s.backend, s.query(named("held_spans"), values), decodeHeldSpan(trace))
}

func decodeHeldSpan(trace string) decoder[store.HeldSpan] {
	return func(row *neo4j.Record) (store.HeldSpan, error) {
		f := fieldsOf(row.AsMap())
		held := f.heldSpan(trace, f.text("key"))
		return held, f.err
	}
}

// heldSpan reads what is held of a span.
func (f *fields) heldSpan(trace, key string) (held store.HeldSpan) {
	f.of(store.KindSpan, memory.JoinKey(trace, key))
	f.check("data", held.Decode(trace, key, memory.JSON(f.text("data"))))
	return held
}

// ReleaseSpans lets go of spans that are part of an episode now; see store.SpanStore.
func (s *tenantStore) ReleaseSpans(ctx context.Context, trace string, spans []string) error {
	if len(spans) == 0 {
		return nil
	}
	return s.write(ctx, func(t *transaction) error {
		return t.run(named("release_spans"), parameters{"trace": trace, "keys": slices.Sorted(slices.Values(spans))}, nil)
	})
}
