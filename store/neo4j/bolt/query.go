package bolt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// Query is one statement that is a transaction of its own.
type Query struct {
	cypher.Statement
	Parameters cypher.Parameters
	Write      bool          // needs the leader of a cluster
	Within     time.Duration // after which the server gives up; 0 for what looks through all there is
}

// The times after which the server gives up what a request asks of it. A batch of writes may take longer.
const (
	ReadTime  = 30 * time.Second
	WriteTime = 2 * time.Minute
)

// Decoder makes a value of a row, or of a record within it. What is wrong stays with the fields.
type Decoder[T any] = func(row *Fields) T

// Read runs one statement with retries and gives those of its rows that can be read.
func Read[T any](ctx context.Context, b *Connection, q Query, decode Decoder[T]) ([]T, error) {
	rows, err := Rows(ctx, b, q, decode)
	if err != nil {
		return nil, err
	}
	return readable(ctx, rows), nil
}

// Rows runs one statement and gives its rows, again while the driver says that the same may succeed next time, and
// while what is read may be torn by writes.
func Rows[T any](ctx context.Context, b *Connection, q Query, decode Decoder[T]) ([]Row[T], error) {
	began, seen, paid := time.Now(), sightings{}, false
	for looks := 1; ; looks++ {
		rows, err := ask(ctx, b, q, decode, seen, paid)
		paid = raced(err) // who looks again at what may be torn
		passing := err != nil && neo4j.IsRetryable(err) && !tooMuch(err) && time.Since(began) <= retryTime
		if passing || paid && looks <= maxRaces {
			paused := pause(ctx, looks)
			if paused == nil {
				continue
			}
			err = errors.Join(paused, err)
		}
		if err != nil {
			return nil, fmt.Errorf("neo4j: %s: %w", q.Name, b.Fault(ctx, err))
		}
		return rows, nil
	}
}

// ask runs one statement as an auto-commit transaction, which is one exchange with the server where a
// managed one takes three: a third less of its processor, and a fifth less of ours.
func ask[T any](ctx context.Context, b *Connection, q Query, decode Decoder[T], seen sightings, paid bool) (rows []Row[T], err error) {
	if b.OnStatement != nil {
		b.OnStatement(q.Name, q.Text, q.Parameters)
	}
	done, err := b.Turns.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	end := store.Begin(ctx, b.Observer, q.Name)
	defer func() { end(err) }()
	mode, limits := neo4j.AccessModeRead, []func(*neo4j.TransactionConfig){}
	if q.Write {
		mode = neo4j.AccessModeWrite
	}
	if q.Within > 0 {
		limits = append(limits, neo4j.WithTxTimeout(q.Within))
	}
	session := b.session(ctx, mode)
	defer func() { err = errors.Join(err, session.Close(context.WithoutCancel(ctx))) }()
	text, values := cypher.Sendable(q.Statement, q.Parameters)
	result, err := session.Run(ctx, text, values, limits...)
	if err != nil {
		return nil, err
	}
	budget, fault := store.BudgetOf(ctx), error(nil)
	for record := (*neo4j.Record)(nil); result.NextRecord(ctx, &record); {
		row, err := rowOf(record, decode, seen)
		rows, fault = append(rows, row), cmp.Or(fault, err)
		if !paid {
			if err := budget.Read(row.Cost.Records, row.Cost.Texts); err != nil {
				return nil, err
			}
		}
	}
	return rows, cmp.Or(result.Err(), fault)
}

// retryTime is how long a statement is tried again that met a server on its way down or up, or another
// transaction; then the caller hears of it.
const retryTime = 10 * time.Second

// One runs a statement that answers exactly one row.
func One[T any](ctx context.Context, b *Connection, q Query, decode Decoder[T]) (T, error) {
	rows, err := Read(ctx, b, q, decode)
	switch {
	case err != nil:
		return *new(T), err
	case len(rows) != 1:
		return *new(T), fmt.Errorf("neo4j: %s: %d rows where one was expected", q.Name, len(rows))
	}
	return rows[0], nil
}

// Node is a decoder of the column n, which holds a node.
func Node[T any](decode Decoder[T]) Decoder[T] {
	return func(row *Fields) T { return In(row, "n", decode) }
}

// Column decodes a row to one of its values.
func Column[T any](name string) Decoder[T] {
	return func(row *Fields) T { return Required[T](row, name) }
}

// Whole decodes all there is to a map.
func Whole(row *Fields) map[string]any { return row.Node.Props }

// AnyColumn decodes a row to one of its values as it is.
func AnyColumn(name string) Decoder[any] {
	return func(row *Fields) any { return row.Node.Props[name] }
}

// Each hands the rows of a query to a function.
func (b *Connection) Each(ctx context.Context, q Query, do func(row *Fields)) error {
	_, err := Read(ctx, b, q, func(row *Fields) struct{} {
		do(row)
		return struct{}{}
	})
	return err
}

// Command runs a statement for what it does.
func (b *Connection) Command(ctx context.Context, q Query) error {
	return b.Each(ctx, q, func(*Fields) {})
}

// Cost is what a row takes of the budget of the request that it is read for: as one record, or as many as
// there are nodes in it.
type Cost struct {
	Records int64
	Texts   store.Texts
}

func (c *Cost) add(value any) {
	switch v := value.(type) {
	case string:
		c.Texts.Add(v)
	case []any:
		for _, element := range v {
			c.add(element)
		}
	case map[string]any:
		for _, element := range v {
			c.add(element)
		}
	case neo4j.Node:
		c.Records++
		c.add(v.Props)
	}
}
