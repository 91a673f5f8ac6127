package neo4j

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
)

// parameters are the values of a query, by name.
type parameters = map[string]any

// query is one statement that is a transaction of its own.
type query struct {
	statement
	parameters parameters
	write      bool          // needs the leader of a cluster
	within     time.Duration // after which the server gives up; 0 for what looks through all there is
}

// The times after which the server gives up what a request asks of it. A batch of writes may take longer.
const (
	readTime  = 30 * time.Second
	writeTime = 2 * time.Minute
)

func (q query) limits() []func(*neo4j.TransactionConfig) {
	if q.within == 0 {
		return nil
	}
	return []func(*neo4j.TransactionConfig){neo4j.WithTxTimeout(q.within)}
}

func (q query) mode() neo4j.AccessMode {
	if q.write {
		return neo4j.AccessModeWrite
	}
	return neo4j.AccessModeRead
}

// decoder makes a value of a row.
type decoder[T any] func(row *neo4j.Record) (T, error)

// read runs one statement with retries and gives its rows.
func read[T any](ctx context.Context, b *Backend, q query, decode decoder[T]) ([]T, error) {
	seen, look := sightings{}, 0
	rows, err := retry(ctx, func() ([]T, error) {
		b.noteQuery(q.name)
		if b.onStatement != nil {
			b.onStatement(q.name, q.text, q.parameters)
		}
		if look++; look == maxReads {
			seen = nil
		}
		return ask(ctx, b, q, decode, &reading{sightings: sightingsOf(ctx), seen: seen})
	})
	if err != nil {
		return nil, fmt.Errorf("neo4j: %s: %w", q.name, b.fault(ctx, err))
	}
	return rows, nil
}

// ask runs one statement as an auto-commit transaction, which is one exchange with the server where a
// managed one takes three: a third less of its processor, and a fifth less of ours.
func ask[T any](ctx context.Context, b *Backend, q query, decode decoder[T], reading *reading) (rows []T, err error) {
	done, err := b.turns.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	session := b.session(ctx, q.mode())
	defer func() { err = errors.Join(err, session.Close(context.WithoutCancel(ctx))) }()
	text, values := sendable(q.statement, q.parameters)
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

// page cuts a list that was read one longer than its limit, and says whether it was.
func page[T any](records []T, limit int, err error) ([]T, bool, error) {
	if err != nil || len(records) <= limit {
		return records, false, err
	}
	return records[:limit], true, nil
}

// wholePage reads a page by a list that reads one record more than a limit. Where some cannot be read it reads
// further, so that a page is full as long as there are others.
func wholePage[T any](ctx context.Context, limit int, list func(context.Context, int) ([]T, error)) ([]T, bool, error) {
	for most := limit; ; most = 2*most + 1 {
		within, left := countLeft(ctx)
		records, err := list(within, most)
		if err != nil || *left == 0 || len(records) > limit || len(records)+*left <= most {
			return page(records, limit, err)
		}
	}
}

// comparablePart is the beginning of a text up to which Neo4j compares it, as a parameter, in the order of
// bytes: from U+E000 on it goes by UTF-16, which puts the characters beyond U+FFFF first. Its indexes are
// in the order of bytes throughout.
func comparablePart(text string) string {
	if end := strings.IndexFunc(text, func(c rune) bool { return c >= 0xE000 }); end >= 0 {
		return text[:end]
	}
	return text
}

// pageInBytes reads a page of a list whose equals come in the order of the bytes of their keys. Where Neo4j
// compares the key of the page before otherwise, it is asked for what follows the comparable part, and for
// more of it until what lies between the two is behind. list reads one more than a page's limit.
func pageInBytes[T any](
	ctx context.Context, p store.Page, list func(context.Context, store.Page) ([]T, error), position func(T) store.Position,
) ([]T, bool, error) {
	if p.After == nil || comparablePart(p.After.Key) == p.After.Key {
		return wholePage(ctx, p.Limit, func(ctx context.Context, limit int) ([]T, error) {
			return list(ctx, store.Page{After: p.After, Limit: limit})
		})
	}
	from := *p.After
	from.Key = comparablePart(from.Key)
	for limit := p.Limit; ; limit = 2*limit + 1 {
		within, left := countLeft(ctx)
		records, err := list(within, store.Page{After: &from, Limit: limit})
		if err != nil {
			return nil, false, err
		}
		all := len(records)+*left <= limit
		records = slices.DeleteFunc(records, func(record T) bool { return !follows(position(record), *p.After) })
		if all || len(records) > p.Limit {
			return page(records, p.Limit, nil)
		}
	}
}

// follows says whether what does not come before a position comes after it.
func follows(at, position store.Position) bool {
	return !at.At.Equal(position.At) || !equal(at.Value, position.Value) || at.Key > position.Key
}
