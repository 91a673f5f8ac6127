// Package bolt is how statements reach Neo4j and records come back: reads and write transactions that are tried again,
// what waits to go together with others, the values in rows, and what of them cannot be read. It knows no kind of
// record.
package bolt

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// Connection is what statements are sent through. It is safe for concurrent use.
type Connection struct {
	Driver      neo4j.DriverWithContext
	Database    string
	Address     string // for errors, without credentials
	Turns       *store.Turns
	Observer    store.Observer                                        // nil for nobody
	OnStatement func(name, text string, parameters cypher.Parameters) // for tests that look at plans
}

// Tenant is a connection for what concerns one tenant, whose id is among the parameters of what is sent.
type Tenant struct {
	*Connection

	TenantID string
}

// Query is one that reads this tenant.
func (s *Tenant) Query(asked cypher.Statement, values cypher.Parameters) Query {
	if values == nil {
		values = cypher.Parameters{}
	}
	values["tenant"] = s.TenantID
	return Query{Statement: asked, Parameters: values, Within: ReadTime}
}

// WriteQuery is a query that writes to this tenant.
func (s *Tenant) WriteQuery(asked cypher.Statement, values cypher.Parameters) Query {
	q := s.Query(asked, values)
	q.Write = true
	return q
}

// Number runs a query that answers a number as n.
func (s *Tenant) Number(ctx context.Context, q Query) (int, error) {
	return One(ctx, s.Connection, q, Column[int]("n"))
}

// Fault puts an error of the driver in the words of the contract; the cause stays within reach.
func (b *Connection) Fault(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrTooMuch), ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	case tooMuch(err):
		return fmt.Errorf("%w: %v", store.ErrTooMuch, err) //nolint:errorlint // so that nobody tries the same again
	case unreachable(err):
		return fmt.Errorf("%w: Neo4j at %s: %w", store.ErrUnavailable, b.Address, err)
	}
	return err
}

// tooMuch says whether an error means that the server gave up a query for its time or its memory.
func tooMuch(err error) bool {
	var refused *neo4j.Neo4jError
	var limit *neo4j.TransactionExecutionLimit
	if errors.As(err, &limit) && len(limit.Errors) > 0 { // said at the commit, and tried again by the driver
		err = limit.Errors[len(limit.Errors)-1]
	}
	return errors.As(err, &refused) && (strings.HasPrefix(refused.Code, "Neo.ClientError.Transaction.TransactionTimedOut") ||
		refused.Code == "Neo.TransientError.General.MemoryPoolOutOfMemoryError")
}

// unreachable says whether an error means that no server was there to answer, or none that lets us in.
func unreachable(err error) bool {
	var connectivity *neo4j.ConnectivityError
	var limit *neo4j.TransactionExecutionLimit
	var refused *neo4j.Neo4jError
	return errors.As(err, &connectivity) || errors.As(err, &limit) ||
		errors.As(err, &refused) && (strings.HasPrefix(refused.Code, "Neo.ClientError.Security.") ||
			strings.HasPrefix(refused.Code, "Neo.ClientError.Database.") || refused.Code == "Neo.TransientError.General.DatabaseUnavailable")
}

// Raced is the error of a transaction that met another one on its way: a deadlock, a node that was
// deleted while we waited for its lock, a key taken in between, a record that was read while it was written. It runs
// again at once, so it hides from the driver, whose own retries begin with a second's pause.
type Raced struct{ Cause error }

func (r *Raced) Error() string { return "met another transaction: " + r.Cause.Error() }

// maxRaces is how often what met another transaction runs again.
const maxRaces = 50

func asRaced(err error) error {
	var fault *neo4j.Neo4jError
	if !errors.As(err, &fault) {
		return err
	}
	switch fault.Code {
	case "Neo.TransientError.General.MemoryPoolOutOfMemoryError": // the driver would try again
		return fmt.Errorf("%w: %v", store.ErrTooMuch, err) //nolint:errorlint // hidden from it
	case "Neo.TransientError.Transaction.DeadlockDetected",
		"Neo.ClientError.Statement.EntityNotFound",
		"Neo.ClientError.Schema.ConstraintValidationFailed":
		return &Raced{Cause: err}
	}
	return err
}
