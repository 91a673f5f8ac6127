package bolt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// Transaction is a write transaction of a tenant that is under way.
type Transaction struct {
	ctx context.Context // lives as long as one call, whose context it is
	tx  neo4j.ManagedTransaction
	*Tenant

	sightings sightings // in all attempts
}

// session begins a session that sees what all others have written.
func (b *Connection) session(ctx context.Context, mode neo4j.AccessMode) neo4j.SessionWithContext {
	return b.Driver.NewSession(ctx, neo4j.SessionConfig{
		AccessMode: mode, DatabaseName: b.Database, BookmarkManager: b.Driver.ExecuteQueryBookmarkManager(),
		NotificationsMinSeverity: notifications.DisabledLevel, // they tell of what no record has yet
	})
}

// ExecuteWrite runs work in a managed write transaction, as the driver's method of that name does, and again where it
// met another. Work may run several times, so it must change nothing outside the database before it returns nil.
func (s *Tenant) ExecuteWrite(ctx context.Context, work func(t *Transaction) error) error {
	seen := sightings{}
	for attempt := 1; ; attempt++ {
		err := s.attempt(ctx, seen, work)
		if !raced(err) || attempt > maxRaces {
			return s.Fault(ctx, err)
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

func (s *Tenant) attempt(ctx context.Context, seen sightings, work func(t *Transaction) error) (err error) {
	session := s.session(ctx, neo4j.AccessModeWrite)
	defer func() { err = errors.Join(err, session.Close(context.WithoutCancel(ctx))) }()
	committed := func(error) {}
	_, err = session.ExecuteWrite(ctx, func(tx neo4j.ManagedTransaction) (any, error) {
		committed(errNotCommitted)
		committed = func(error) {}
		err := work(&Transaction{ctx: ctx, tx: tx, Tenant: s, sightings: seen})
		if err == nil { // the driver commits now, and may call this again where it cannot
			committed = store.Begin(ctx, s.Observer, store.Commit)
		}
		return nil, err
	}, neo4j.WithTxTimeout(WriteTime))
	committed(err)
	return err
}

// errNotCommitted is the error of a commit that the driver tries again, which it does not tell.
var errNotCommitted = fmt.Errorf("%w: the server did not commit", store.ErrUnavailable)

// pause waits a random moment that grows with the attempts.
func pause(ctx context.Context, attempt int) error {
	most := min(100*time.Millisecond, time.Millisecond<<min(attempt, 10))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(rand.N(most)):
		return nil
	}
}

// Run sends a statement with the tenant among its parameters, and hands over its rows to a function, or to nobody.
func (t *Transaction) Run(asked cypher.Statement, values cypher.Parameters, each func(row *Fields)) (err error) {
	end := store.Begin(t.ctx, t.Observer, asked.Name)
	defer func() { end(err) }()
	all := cypher.Parameters{"tenant": t.TenantID}
	maps.Copy(all, values)
	text, all := cypher.Sendable(asked, all)
	result, err := t.tx.Run(t.ctx, text, all)
	for err == nil && result.Next(t.ctx) {
		if each != nil {
			f := FieldsOf(result.Record().AsMap())
			each(f)
			err = t.sightings.fault(f.Fault())
		}
	}
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("neo4j: %s: %w", asked.Name, asRaced(err))
	}
	return nil
}

// RowsOf sends a statement and decodes its rows.
func RowsOf[T any](t *Transaction, asked cypher.Statement, values cypher.Parameters, decode Decoder[T]) (all []T, err error) {
	err = t.Run(asked, values, func(row *Fields) { all = append(all, decode(row)) })
	return all, err
}

// FirstOf is RowsOf for at most one row; nothing where there is none.
func FirstOf[T any](t *Transaction, asked cypher.Statement, values cypher.Parameters, decode Decoder[T]) (first T, err error) {
	all, err := RowsOf(t, asked, values, decode)
	if err == nil && len(all) > 0 {
		first = all[0]
	}
	return first, err
}

// OthersOf is RowsOf for what is locked, and for a write that can do without the records that cannot be read, of which
// it tells.
func OthersOf[T any](t *Transaction, asked cypher.Statement, values cypher.Parameters, decode Decoder[T]) (all []T, err error) {
	err = t.Run(asked, values, func(row *Fields) {
		if value := decode(row); !row.LeaveOut() {
			all = append(all, value)
		}
		for _, damaged := range row.left {
			store.NoteDamage(t.ctx, damaged)
		}
		row.left = nil
	})
	return all, err
}

// withoutPanic does work for several callers on a goroutine of its own, where a panic would end the process: it is an
// error of the work instead.
func withoutPanic[T any](work func() (T, error)) (result T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("neo4j: panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return work()
}
