package bolt

import (
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

func (q Query) limits() []func(*neo4j.TransactionConfig) {
	if q.Within == 0 {
		return nil
	}
	return []func(*neo4j.TransactionConfig){neo4j.WithTxTimeout(q.Within)}
}

func (q Query) mode() neo4j.AccessMode {
	if q.Write {
		return neo4j.AccessModeWrite
	}
	return neo4j.AccessModeRead
}

// Decoder makes a value of a row.
type Decoder[T any] func(row *neo4j.Record) (T, error)

// Read runs one statement with retries and gives its rows.
func Read[T any](ctx context.Context, b *Connection, q Query, decode Decoder[T]) ([]T, error) {
	seen, look := sightings{}, 0
	rows, err := retry(ctx, func() ([]T, error) {
		if b.OnStatement != nil {
			b.OnStatement(q.Name, q.Text, q.Parameters)
		}
		if look++; look == maxReads {
			seen = nil
		}
		return ask(ctx, b, q, decode, &reading{sightings: sightingsOf(ctx), seen: seen})
	})
	if err != nil {
		return nil, fmt.Errorf("neo4j: %s: %w", q.Name, b.Fault(ctx, err))
	}
	return rows, nil
}

// ask runs one statement as an auto-commit transaction, which is one exchange with the server where a
// managed one takes three: a third less of its processor, and a fifth less of ours.
func ask[T any](ctx context.Context, b *Connection, q Query, decode Decoder[T], reading *reading) (rows []T, err error) {
	done, err := b.Turns.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	end := store.Begin(ctx, b.Observer, q.Name)
	defer func() { end(err) }()
	session := b.session(ctx, q.mode())
	defer func() { err = errors.Join(err, session.Close(context.WithoutCancel(ctx))) }()
	text, values := cypher.Sendable(q.Statement, q.Parameters)
	result, err := session.Run(ctx, text, values, q.limits()...)
	if err != nil {
		return nil, err
	}
	rows = []T{}
	budget := store.BudgetOf(ctx)
	for row := (*neo4j.Record)(nil); result.NextRecord(ctx, &row); {
		if err := charge(budget, row.Values); err != nil {
			return nil, err
		}
		value, err := decode(row)
		leave, err := reading.separate(err)
		if err != nil {
			return nil, &torn{err}
		}
		if !leave {
			rows = append(rows, value)
		}
	}
	if err := result.Err(); err != nil {
		return nil, err
	}
	return rows, reading.done(ctx)
}

// retryTime is how long a statement is tried again that met a server on its way down or up, or another
// transaction; then the caller hears of it.
const retryTime = 10 * time.Second

// maxReads is how often a statement is sent whose answer cannot be decoded.
const maxReads = 3

// torn is the error of a row that cannot be decoded. Neo4j reads the properties of a node one after the other and
// without a lock: what is written meanwhile may come partly as it was and partly as it is, such as lists of
// different lengths. The next look finds it whole, unless it is broken in the store.
type torn struct{ cause error }

func (t *torn) Error() string { return t.cause.Error() }

func (t *torn) Unwrap() error { return t.cause }

// isTornRead says whether an error may be gone when the same is read again.
func isTornRead(err error, attempt int) bool {
	var row *torn
	return errors.As(err, &row) && attempt+1 < maxReads
}

// retry calls again while the driver says that the same may succeed next time, and where an answer came torn.
func retry[T any](ctx context.Context, call func() (T, error)) (T, error) {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		value, err := call()
		passing := err != nil && neo4j.IsRetryable(err) && !tooMuch(err) && time.Since(began) <= retryTime
		if !passing && !isTornRead(err, attempt) {
			return value, err
		}
		if paused := pause(ctx, attempt); paused != nil {
			return value, errors.Join(paused, err)
		}
	}
}

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

// Command runs a statement for what it does.
func (b *Connection) Command(ctx context.Context, q Query) error {
	_, err := Read(ctx, b, q, func(*neo4j.Record) (struct{}, error) { return struct{}{}, nil })
	return err
}

// Decoded is a decoder of the columns of a row.
func Decoded[T any](decode func(*Fields) T) Decoder[T] {
	return func(row *neo4j.Record) (T, error) {
		f := FieldsOf(row.AsMap())
		value := decode(f)
		return value, f.Err
	}
}

// NodeIn is a decoder of a column that holds a node.
func NodeIn[T any](column string, decode func(*Fields) T) Decoder[T] {
	return func(row *neo4j.Record) (T, error) {
		node, err := Column[neo4j.Node](column)(row)
		f := &Fields{Node: node, Err: err}
		value := decode(f)
		return value, f.Err
	}
}

// Column decodes a row to one of its values, which may not be null.
func Column[T neo4j.RecordValue](name string) Decoder[T] {
	return func(row *neo4j.Record) (T, error) {
		value, isNil, err := neo4j.GetRecordValue[T](row, name)
		if err == nil && isNil {
			err = fmt.Errorf("%s is null", name)
		}
		return value, err
	}
}

// OptionalColumn decodes a row to one of its values, the zero value for null.
func OptionalColumn[T neo4j.RecordValue](name string) Decoder[T] {
	return func(row *neo4j.Record) (T, error) {
		value, _, err := neo4j.GetRecordValue[T](row, name)
		return value, err
	}
}

// AnyColumn decodes a row to one of its values as it is.
func AnyColumn(name string) Decoder[any] {
	return func(row *neo4j.Record) (any, error) {
		value, _ := row.Get(name)
		return value, nil
	}
}

// Each hands the rows of a query to a function.
func (b *Connection) Each(ctx context.Context, q Query, do func(*Fields)) error {
	_, err := Read(ctx, b, q, func(row *neo4j.Record) (struct{}, error) {
		f := FieldsOf(row.AsMap())
		do(f)
		return struct{}{}, f.Err
	})
	return err
}

// InBatches runs a statement that commits as it goes, for which it may not be in a transaction of ours.
func (b *Connection) InBatches(ctx context.Context, q Query) (err error) {
	end := store.Begin(ctx, b.Observer, q.Name)
	defer func() { end(err) }()
	session := b.session(ctx, neo4j.AccessModeWrite)
	defer func() { err = errors.Join(err, session.Close(context.WithoutCancel(ctx))) }()
	text, values := cypher.Sendable(q.Statement, q.Parameters)
	result, err := session.Run(ctx, text, values)
	if err == nil {
		_, err = result.Consume(ctx)
	}
	if err != nil {
		return fmt.Errorf("neo4j: %s: %w", q.Name, b.Fault(ctx, err))
	}
	return nil
}
