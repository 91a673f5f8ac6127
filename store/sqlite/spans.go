package sqlite

import (
	"context"
	"database/sql/driver"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// HoldSpans keeps spans of traces that are not episodes yet, as far as there is room.
func (t *Tenant) HoldSpans(ctx context.Context, spans []store.HeldSpan, at time.Time, room store.TraceRoom) (left []int, err error) {
	if len(spans) == 0 {
		return nil, nil
	}
	err = t.file.Write(ctx, func(tx *db.Tx) error {
		used := map[string]*store.TraceRoom{}
		left = nil
		for i := range spans {
			if !holdWithin(tx, &spans[i], at, room, used) {
				left = append(left, i)
			}
		}
		return nil
	})
	return left, err
}

// holdWithin keeps a span that is held already or that there is room for; used is what is known of traces.
func holdWithin(tx *db.Tx, held *store.HeldSpan, at time.Time, room store.TraceRoom, used map[string]*store.TraceRoom) (fits bool) {
	const known = `SELECT user_id FROM spans WHERE trace = :trace AND span = :span`
	var user string
	if tx.One(known, func(r *db.Row) { user = r.Text() }, db.Arg("trace", held.Trace), db.Arg("span", held.Span.ID)) {
		return held.Fits([]string{user})
	}
	data, err := memory.JSONOf(held)
	tx.Fail(err)
	if used[held.Trace] == nil {
		used[held.Trace] = roomUsed(tx, held.Trace)
	}
	var beside []string
	if held.ByUserKey {
		beside = db.Rows(tx, `SELECT DISTINCT user_id FROM spans WHERE trace = :trace`, (*db.Row).Text, db.Arg("trace", held.Trace))
	}
	if fits = held.Fits(beside) && room.Take(used[held.Trace], &held.Span, len(data)); fits {
		addSpan(tx, held, at, data)
	}
	return fits
}

// roomUsed is what is kept of a trace, held or in its episode's log, told without reading what it says.
func roomUsed(tx *db.Tx, trace string) *store.TraceRoom {
	const sum = `SELECT count(*), coalesce(sum(bytes), 0) FROM (
		SELECT octet_length(data) AS bytes FROM spans WHERE trace = :trace UNION ALL
		SELECT octet_length(v.data) FROM nodes n JOIN events v ON v.episode = n.id WHERE n.kind = 'episode' AND n.key = :trace)`
	var used store.TraceRoom
	tx.One(sum, func(r *db.Row) { used.Spans, used.Bytes = r.Int(), r.Int() }, db.Arg("trace", trace))
	return &used
}

func addSpan(tx *db.Tx, held *store.HeldSpan, at time.Time, data memory.JSON) {
	const add = `INSERT INTO spans (trace, span, ends, arrived_at, user_id, data) VALUES (:trace, :span, :ends, :at, :user, :data) ON CONFLICT DO NOTHING`
	tx.Exec(add, db.Arg("trace", held.Trace), db.Arg("span", held.Span.ID), db.Arg("ends", held.Span.Ends()), db.Arg("at", at), db.Arg("user", held.Span.User), db.Arg("data", data))
}

// dueTraces selects the traces of which nothing has arrived for a while.
func dueTraces(query *store.DueTraces, _ *store.Page) (find string, w db.Conditions) {
	w.Args = []driver.NamedValue{
		db.Arg("retry", query.RetryBefore), db.Arg("ended", query.EndedBefore), db.Arg("silent", query.SilentBefore), db.Arg("set_back", query.SetBack),
	}
	return `SELECT trace, coalesce((SELECT f.failures FROM failing_traces f WHERE f.trace = spans.trace), 0) FROM spans
		WHERE trace NOT IN (SELECT trace FROM failing_traces WHERE retry_at > :retry) GROUP BY trace
		HAVING max(arrived_at) > :set_back OR max(arrived_at) <= CASE WHEN max(ends) OR EXISTS (
			SELECT 1 FROM nodes WHERE kind = 'episode' AND key = trace) THEN :ended ELSE :silent END
		ORDER BY max(arrived_at), trace LIMIT :limit`, w
}

func readDueTrace(r *db.Row) *store.DueTrace {
	return &store.DueTrace{Trace: r.Text(), Failures: r.Int()}
}

// putOffTrace notes that a trace failed.
func putOffTrace(tx *db.Tx, failure *store.TraceFailure) (created bool, err error) {
	const put = `INSERT INTO failing_traces (trace, failures, retry_at, reason)
		SELECT :trace, :failures, :retry, :reason WHERE EXISTS (SELECT 1 FROM spans WHERE trace = :trace)
		ON CONFLICT DO UPDATE SET failures = excluded.failures, retry_at = excluded.retry_at, reason = excluded.reason`
	tx.Exec(put, db.Arg("trace", failure.Trace), db.Arg("failures", failure.Failures), db.Arg("retry", failure.RetryAt), db.Arg("reason", failure.Reason))
	return false, nil
}

// spansOf says where the spans of a trace are.
func spansOf(query *store.SpansOf) (from string, w db.Conditions) {
	w.Add(`trace = :trace`, db.Arg("trace", query.Trace))
	return ` FROM spans`, w
}

// listSpans reads what is held of a trace. It looks how long the spans are first, and then reads so many.
func (t *Tenant) listSpans(ctx context.Context, query *store.SpansOf, page store.Page) (spans []*store.HeldSpan, more bool, err error) {
	const lengths = `SELECT octet_length(data), ends, span FROM spans WHERE trace = :trace ORDER BY ends DESC, span LIMIT :limit`
	const find = `SELECT span, data FROM spans WHERE trace = :trace AND (ends > :ends OR ends = :ends AND span <= :last) ORDER BY ends DESC, span`
	trace := db.Arg("trace", query.Trace)
	err = t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		fits, ends, last := query.Fits(page.Limit), false, ""
		more = false
		err = c.Search(ctx, lengths, func(r *db.Row) {
			if fits(r.Int()) {
				ends, last = r.Bool(), r.Text()
			} else {
				more = true
			}
		}, trace, db.Arg("limit", page.Limit+1))
		if err == nil {
			spans, err = db.AllWithin(ctx, c, find, func(r *db.Row) *store.HeldSpan { return new(readHeldSpan(r, query.Trace)) },
				trace, db.Arg("ends", ends), db.Arg("last", last))
		}
		return err
	})
	return spans, more, err
}

// readHeldSpan reads the id of a span that is held of a trace, and the span.
func readHeldSpan(r *db.Row, trace string) (held store.HeldSpan) {
	id := r.Text()
	r.Of(store.KindSpan, memory.JoinKey(trace, id))
	r.Check(held.Decode(trace, id, memory.JSON(r.Text())))
	return held
}

// ReleaseSpans deletes spans that are part of an episode now.
func (t *Tenant) ReleaseSpans(ctx context.Context, trace string, spans []string) error {
	if len(spans) == 0 {
		return nil
	}
	return t.file.Write(ctx, func(tx *db.Tx) error {
		for _, span := range spans {
			tx.Exec(`DELETE FROM spans WHERE trace = :trace AND span = :span`, db.Arg("trace", trace), db.Arg("span", span))
		}
		return nil
	})
}
