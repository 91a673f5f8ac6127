package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// HoldSpans keeps spans of traces that are not episodes yet, as far as there is room.
func (t *Tenant) HoldSpans(ctx context.Context, spans []store.HeldSpan, at time.Time, room store.TraceRoom) (left []int, err error) {
	if len(spans) == 0 {
		return nil, nil
	}
	err = t.write(ctx, func(c *conn) error {
		used := map[string]*store.TraceRoom{}
		left = nil
		for i := range spans {
			held, err := holdWithin(c, &spans[i], at, room, used)
			if err != nil {
				return err
			}
			if !held {
				left = append(left, i)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return left, nil
}

// holdWithin keeps a span that is held already or that there is room for; used is what is known of traces.
func holdWithin(c *conn, held *store.HeldSpan, at time.Time, room store.TraceRoom, used map[string]*store.TraceRoom) (fits bool, err error) {
	const known = `SELECT 1 FROM spans WHERE trace = :trace AND span = :span`
	if fits, err = c.one(known, func(*row) {}, arg("trace", held.Trace), arg("span", held.Span.ID)); fits || err != nil {
		return fits, err
	}
	data, err := memory.JSONOf(held)
	if err != nil {
		return false, err
	}
	if used[held.Trace] == nil {
		if used[held.Trace], err = roomUsed(c, held.Trace); err != nil {
			return false, err
		}
	}
	if !room.Take(used[held.Trace], &held.Span, len(data)) {
		return false, nil
	}
	return true, addSpan(c, held, at, data)
}

// roomUsed is what is kept of a trace, held or in its episode's log, told without reading what it says.
func roomUsed(c *conn, trace string) (*store.TraceRoom, error) {
	const sum = `SELECT count(*), coalesce(sum(bytes), 0) FROM (
		SELECT octet_length(data) AS bytes FROM spans WHERE trace = :trace UNION ALL
		SELECT octet_length(v.data) FROM nodes n JOIN events v ON v.episode = n.id WHERE n.kind = 'episode' AND n.key = :trace)`
	var used store.TraceRoom
	_, err := c.one(sum, func(r *row) { used.Spans, used.Bytes = r.int(), r.int() }, arg("trace", trace))
	return &used, err
}

func holdSpan(c *conn, held *store.HeldSpan, at time.Time) error {
	data, err := memory.JSONOf(held)
	if err != nil {
		return err
	}
	return addSpan(c, held, at, data)
}

func addSpan(c *conn, held *store.HeldSpan, at time.Time, data memory.JSON) error {
	const add = `INSERT INTO spans (trace, span, ends, arrived_at, data) VALUES (:trace, :span, :ends, :at, :data) ON CONFLICT DO NOTHING`
	return c.exec(add, arg("trace", held.Trace), arg("span", held.Span.ID), arg("ends", held.Span.Ends()), arg("at", at), arg("data", data))
}

// DueTraces tells the traces of which nothing has arrived for a while.
func (t *Tenant) DueTraces(ctx context.Context, query store.DueTraces) ([]store.DueTrace, error) {
	const find = `SELECT trace, coalesce((SELECT f.failures FROM failing_traces f WHERE f.trace = spans.trace), 0) FROM spans
		WHERE trace NOT IN (SELECT trace FROM failing_traces WHERE retry_at > :retry) GROUP BY trace
		HAVING max(arrived_at) <= CASE WHEN max(ends) OR EXISTS (
			SELECT 1 FROM nodes WHERE kind = 'episode' AND key = trace) THEN :ended ELSE :silent END
		ORDER BY max(arrived_at), trace LIMIT :limit`
	traces := []store.DueTrace{}
	err := t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			traces = append(traces, store.DueTrace{Trace: r.text(), Failures: r.int()})
			return nil
		}, arg("retry", query.RetryBefore), arg("ended", query.EndedBefore), arg("silent", query.SilentBefore), arg("limit", query.Limit))
	})
	return traces, err
}

// PutOffTrace notes that a trace failed.
func (t *Tenant) PutOffTrace(ctx context.Context, trace string, failure store.TraceFailure) error {
	const put = `INSERT INTO failing_traces (trace, failures, retry_at, reason)
		SELECT :trace, :failures, :retry, :reason WHERE EXISTS (SELECT 1 FROM spans WHERE trace = :trace)
		ON CONFLICT DO UPDATE SET failures = excluded.failures, retry_at = excluded.retry_at, reason = excluded.reason`
	return t.write(ctx, func(c *conn) error {
		return c.exec(put, arg("trace", trace), arg("failures", failure.Failures), arg("retry", failure.RetryAt), arg("reason", failure.Reason))
	})
}

// DropTrace lets go of all that is held of a trace.
func (t *Tenant) DropTrace(ctx context.Context, trace string) (spans int, err error) {
	err = t.erase(ctx, func(c *conn) error {
		if _, err := c.one(`SELECT count(*) FROM spans WHERE trace = :trace`, func(r *row) { spans = r.int() }, arg("trace", trace)); err != nil {
			return err
		}
		return c.exec(`DELETE FROM spans WHERE trace = :trace`, arg("trace", trace))
	})
	return spans, err
}

// HeldSpans reads what is held of a trace. It looks how long the spans are first, and then reads so many.
func (t *Tenant) HeldSpans(ctx context.Context, trace string, most store.TraceRoom) ([]store.HeldSpan, error) {
	const lengths = `SELECT octet_length(data), ends, span FROM spans WHERE trace = :trace ORDER BY ends DESC, span LIMIT :limit`
	const find = `SELECT span, data FROM spans WHERE trace = :trace AND (ends > :ends OR ends = :ends AND span <= :last) ORDER BY ends DESC, span`
	spans := []store.HeldSpan{}
	bytes, ends, last := 0, false, ""
	err := t.snapshot(ctx, func(c *conn) error {
		err := c.search(ctx, lengths, func(r *row) error {
			if bytes += r.int(); bytes <= most.Bytes || last == "" {
				ends, last = r.bool(), r.text()
			}
			return nil
		}, arg("trace", trace), arg("limit", most.Spans))
		if err != nil {
			return err
		}
		return c.search(ctx, find, func(r *row) error {
			held := readHeldSpan(r, trace)
			spans = keep(r, spans, held)
			return nil
		}, arg("trace", trace), arg("ends", ends), arg("last", last))
	})
	return spans, err
}

// readHeldSpan reads the id of a span that is held of a trace, and the span.
func readHeldSpan(r *row, trace string) (held store.HeldSpan) {
	id := r.text()
	r.of(store.KindSpan, memory.JoinKey(trace, id))
	r.check(held.Decode(trace, id, memory.JSON(r.text())))
	return held
}

// ReleaseSpans lets go of spans that are part of an episode now.
func (t *Tenant) ReleaseSpans(ctx context.Context, trace string, spans []string) error {
	if len(spans) == 0 {
		return nil
	}
	return t.write(ctx, func(c *conn) error {
		for _, span := range spans {
			if err := c.exec(`DELETE FROM spans WHERE trace = :trace AND span = :span`, arg("trace", trace), arg("span", span)); err != nil {
				return err
			}
		}
		return nil
	})
}
