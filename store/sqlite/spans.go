package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store"
)

// HoldSpans keeps spans of traces that are not episodes yet.
func (t *Tenant) HoldSpans(ctx context.Context, spans []store.HeldSpan, at time.Time) error {
	if len(spans) == 0 {
		return nil
	}
	return t.write(ctx, func(c *conn) error {
		for i := range spans {
			if err := holdSpan(c, &spans[i], at); err != nil {
				return err
			}
		}
		return nil
	})
}

func holdSpan(c *conn, held *store.HeldSpan, at time.Time) error {
	data, err := memory.JSONOf(held)
	if err != nil {
		return err
	}
	const add = `INSERT INTO spans (trace, span, ends, arrived_at, data) VALUES (:trace, :span, :ends, :at, :data) ON CONFLICT DO NOTHING`
	return c.exec(add, arg("trace", held.Trace), arg("span", held.Span.ID), arg("ends", held.Span.Ends()), arg("at", at), arg("data", data))
}

// DueTraces tells the traces of which nothing has arrived for a while.
func (t *Tenant) DueTraces(ctx context.Context, query store.DueTraces) ([]string, error) {
	const find = `SELECT trace FROM spans GROUP BY trace
		HAVING max(arrived_at) <= CASE WHEN max(ends) OR EXISTS (
			SELECT 1 FROM nodes WHERE kind = 'episode' AND key = trace) THEN :ended ELSE :silent END
		ORDER BY max(arrived_at), trace LIMIT :limit`
	traces := []string{}
	err := t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			traces = append(traces, r.text())
			return nil
		}, arg("ended", query.EndedBefore), arg("silent", query.SilentBefore), arg("limit", query.Limit))
	})
	return traces, err
}

// HeldSpans reads what is held of a trace.
func (t *Tenant) HeldSpans(ctx context.Context, trace string) ([]store.HeldSpan, error) {
	spans := []store.HeldSpan{}
	err := t.read(ctx, func(c *conn) error {
		return c.search(ctx, `SELECT data FROM spans WHERE trace = :trace ORDER BY span`, func(r *row) error {
			held, err := heldSpan(r)
			spans = append(spans, held)
			return err
		}, arg("trace", trace))
	})
	return spans, err
}

func heldSpan(r *row) (held store.HeldSpan, err error) {
	if err := json.Unmarshal(r.json(), &held); err != nil {
		return held, fmt.Errorf("sqlite: a held span: %w", err)
	}
	return held, nil
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
