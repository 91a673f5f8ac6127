package neo4j

import (
	"context"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// HoldSpans keeps spans of traces that are not episodes yet; see store.SpanStore.
func (s *tenantStore) HoldSpans(ctx context.Context, spans []store.HeldSpan, at time.Time, room store.TraceRoom) (left []int, err error) {
	if len(spans) == 0 {
		return nil, nil
	}
	rows, sizes := make([]cypher.Parameters, len(spans)), make([]int, len(spans))
	for i := range spans {
		if rows[i], sizes[i], err = spanRow(&spans[i], at); err != nil {
			return nil, err
		}
	}
	err = s.write(ctx, func(t *transaction) error {
		traces, err := t.heldOf(spans)
		if err != nil {
			return err
		}
		var fitting []cypher.Parameters
		left = nil
		for i := range spans {
			held := &spans[i]
			trace := traces[held.Trace]
			user, again := trace.whose[held.Span.ID]
			switch {
			case again && !held.Fits([]string{user}), !again && !(held.Fits(trace.users) && room.Take(&trace.TraceRoom, &held.Span, sizes[i])):
				left = append(left, i)
			case !again:
				trace.whose[held.Span.ID], trace.users = held.Span.User, append(trace.users, held.Span.User)
				fitting = append(fitting, rows[i])
			}
		}
		if len(fitting) == 0 {
			return nil
		}
		return t.Run(cypher.Named("hold_spans"), cypher.Parameters{"rows": fitting}, nil)
	})
	return left, err
}

// heldTrace is how much is kept of a trace, of which users, and whose some spans of it are that are held already.
type heldTrace struct {
	store.TraceRoom
	users []string
	whose map[string]string
}

// heldOf tells what is kept of the traces of spans.
func (t *transaction) heldOf(spans []store.HeldSpan) (map[string]*heldTrace, error) {
	keys, traces := map[string][]string{}, map[string]*heldTrace{}
	for i := range spans {
		keys[spans[i].Trace] = append(keys[spans[i].Trace], spans[i].Span.ID)
	}
	rows := make([]cypher.Parameters, 0, len(keys))
	for _, trace := range slices.Sorted(maps.Keys(keys)) {
		rows = append(rows, cypher.Parameters{"trace": trace, "keys": keys[trace]})
	}
	return traces, t.Run(cypher.Named("trace_room"), cypher.Parameters{"rows": rows}, func(f *bolt.Fields) {
		traces[f.Text("trace")] = &heldTrace{
			store.TraceRoom{Spans: f.Integer("spans"), Bytes: f.Integer("bytes")}, bolt.List[string](f, "users"), f.Pairs("whose"),
		}
	})
}

func spanRow(held *store.HeldSpan, at time.Time) (row cypher.Parameters, size int, err error) {
	data, err := memory.JSONOf(held)
	ends := 0
	if held.Span.Ends() {
		ends = 1
	}
	return cypher.Parameters{
		"trace": held.Trace, "key": held.Span.ID, "ends": ends, "at": bolt.Instant(at), "user": held.Span.User, "data": string(data), "bytes": len(data),
	}, len(data), err
}

// dueTraces asks for the traces of which nothing has arrived for a while.
func (s *tenantStore) dueTraces(q store.DueTraces, p store.Page, _ bool) bolt.Query {
	return s.Query(cypher.Named("due_traces"), cypher.Parameters{
		"ended": bolt.Instant(q.EndedBefore), "silent": bolt.Instant(q.SilentBefore), "retry": bolt.Instant(q.RetryBefore), "setBack": bolt.Instant(q.SetBack), "limit": p.Limit + 1,
	})
}

func dueTraceOf(f *bolt.Fields) *store.DueTrace {
	return &store.DueTrace{Trace: f.Text("trace"), Failures: f.Integer("failures")}
}

// putOffTrace notes that a trace failed.
func (t *transaction) putOffTrace(failure *store.TraceFailure) error {
	return t.Run(cypher.Named("put_off_trace"), cypher.Parameters{
		"trace": failure.Trace, "failures": failure.Failures, "retry": bolt.Instant(failure.RetryAt), "reason": failure.Reason,
	}, nil)
}

// listSpans reads what is held of a trace. It asks for lengths first, as the driver fetches a thousand at once.
func (s *tenantStore) listSpans(ctx context.Context, q *store.SpansOf, limit int) (spans []*store.HeldSpan, more bool, err error) {
	lengths := s.Query(cypher.Named("held_lengths"), cypher.Parameters{"trace": q.Trace, "limit": limit + 1})
	fits, ends, last := q.Fits(limit), int64(0), ""
	err = s.Each(ctx, lengths, func(f *bolt.Fields) {
		if fits(f.Integer("bytes")) {
			ends, last = bolt.Required[int64](f, "ends"), f.Text("key")
		} else {
			more = true
		}
	})
	if err != nil || last == "" {
		return []*store.HeldSpan{}, false, err
	}
	values := cypher.Parameters{"trace": q.Trace, "ends": ends, "last": last}
	spans, err = bolt.Read(ctx, s.Connection, s.Query(cypher.Named("held_spans"), values), func(f *bolt.Fields) *store.HeldSpan {
		return new(heldSpanOf(f, q.Trace, f.Text("key")))
	})
	return spans, more, err
}

// heldSpanOf reads what is held of a span.
func heldSpanOf(f *bolt.Fields, trace, key string) (held store.HeldSpan) {
	f.Of(store.KindSpan, memory.JoinKey(trace, key))
	f.Check("data", held.Decode(trace, key, memory.JSON(f.Text("data"))))
	return held
}

// ReleaseSpans deletes spans that are part of an episode now; see store.SpanStore.
func (s *tenantStore) ReleaseSpans(ctx context.Context, trace string, spans []string) error {
	if len(spans) == 0 {
		return nil
	}
	return s.write(ctx, func(t *transaction) error {
		return t.Run(cypher.Named("release_spans"), cypher.Parameters{"trace": trace, "keys": slices.Sorted(slices.Values(spans))}, nil)
	})
}
