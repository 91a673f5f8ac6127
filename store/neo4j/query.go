package neo4j

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// parameters are the values of a query, by name.
type parameters = map[string]any

// query is one statement that is a transaction of its own.
type query struct {
	name       string // for the round-trip hook and for errors
	text       string
	parameters parameters
	write      bool // needs the leader of a cluster
}

// decoder makes a value of a row.
type decoder[T any] func(row *neo4j.Record) (T, error)

// read runs one statement as a managed transaction, with retries, and gives its rows.
func read[T any](ctx context.Context, b *Backend, q query, decode decoder[T]) ([]T, error) {
	routing := neo4j.ExecuteQueryWithReadersRouting()
	if q.write {
		routing = neo4j.ExecuteQueryWithWritersRouting()
	}
	rows, err := neo4j.ExecuteQuery(ctx, b.driver, q.text, q.parameters, func() neo4j.ResultTransformer[[]T] {
		b.noteQuery(q.name)
		return &collector[T]{decode: decode, rows: []T{}}
	}, routing, neo4j.ExecuteQueryWithDatabase(b.database))
	if err != nil {
		return nil, fmt.Errorf("neo4j: %s: %w", q.name, b.fault(ctx, err))
	}
	return rows, nil
}

// one runs a statement that answers exactly one row.
func one[T any](ctx context.Context, b *Backend, q query, decode decoder[T]) (T, error) {
	rows, err := read(ctx, b, q, decode)
	switch {
	case err != nil:
		return *new(T), err
	case len(rows) != 1:
		return *new(T), fmt.Errorf("neo4j: %s: %d rows where one was expected", q.name, len(rows))
	}
	return rows[0], nil
}

// command runs a statement for what it does.
func (b *Backend) command(ctx context.Context, q query) error {
	_, err := read(ctx, b, q, func(*neo4j.Record) (struct{}, error) { return struct{}{}, nil })
	return err
}

func (b *Backend) noteQuery(name string) {
	if b.onQuery != nil {
		b.onQuery(name)
	}
}

// collector decodes rows as they arrive.
type collector[T any] struct {
	decode decoder[T]
	rows   []T
}

func (c *collector[T]) Accept(row *neo4j.Record) error {
	value, err := c.decode(row)
	if err != nil {
		return err
	}
	c.rows = append(c.rows, value)
	return nil
}

func (c *collector[T]) Complete([]string, neo4j.ResultSummary) ([]T, error) { return c.rows, nil }

// column decodes a row to one of its values, which may not be null.
func column[T neo4j.RecordValue](name string) decoder[T] {
	return func(row *neo4j.Record) (T, error) {
		value, isNil, err := neo4j.GetRecordValue[T](row, name)
		if err == nil && isNil {
			err = fmt.Errorf("%s is null", name)
		}
		return value, err
	}
}

// optionalColumn decodes a row to one of its values, the zero value for null.
func optionalColumn[T neo4j.RecordValue](name string) decoder[T] {
	return func(row *neo4j.Record) (T, error) {
		value, _, err := neo4j.GetRecordValue[T](row, name)
		return value, err
	}
}
