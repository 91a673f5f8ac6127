package neo4j

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
)

// fault puts an error of the driver in the words of the contract; the cause stays within reach.
func (b *Backend) fault(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrTooMuch), ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	case tooMuch(err):
		return fmt.Errorf("%w: %v", store.ErrTooMuch, err) //nolint:errorlint // so that nobody tries the same again
	case unreachable(err):
		return fmt.Errorf("%w: Neo4j at %s: %w", store.ErrUnavailable, b.address, err)
	}
	return err
}

// tooMuch says whether an error means that the server gave up a query for its time or its memory.
func tooMuch(err error) bool {
	var refused *neo4j.Neo4jError
	return errors.As(err, &refused) && (strings.HasPrefix(refused.Code, "Neo.ClientError.Transaction.TransactionTimedOut") ||
		refused.Code == "Neo.TransientError.General.MemoryPoolOutOfMemoryError")
}

// definedMeanwhile says whether an error means that another made an index or a constraint while we looked whether it is
// there: IF NOT EXISTS looks first and makes it then.
func definedMeanwhile(err error) bool {
	var refused *neo4j.Neo4jError
	return errors.As(err, &refused) && refused.Code == "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
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

// raced is the error of a transaction that met another one on its way: a deadlock, a node that was
// deleted while we waited for its lock, a key taken in between. It runs again at once, so it hides
// from the driver, whose own retries begin with a second's pause.
type raced struct {
	cause error
	// record is what was found torn: where it stays so, nothing else is writing it and it is damaged.
	record *store.Damaged
}

func (r *raced) Error() string { return "met another transaction: " + r.cause.Error() }

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
		return &raced{cause: err}
	}
	return err
}

// Trouble is what keeps a Neo4j from being used.
type Trouble struct {
	Kind TroubleKind
	Says string // the server's own words, "" where it said none
}

// TroubleKind tells apart what a person can do something about.
type TroubleKind int

// The kinds of trouble.
const (
	OtherTrouble     TroubleKind = iota
	NoAnswer                     // no server answers at the address
	WrongPassword                // or an unknown user
	TooManyPasswords             // so many wrong ones that the server wants a pause
	NoSuchDatabase
	Refusal // the server answers and refuses for another reason, which it says
)

var troubleCodes = map[string]TroubleKind{
	"Neo.ClientError.Security.Unauthorized":            WrongPassword,
	"Neo.ClientError.Security.AuthenticationRateLimit": TooManyPasswords,
	"Neo.ClientError.Database.DatabaseNotFound":        NoSuchDatabase,
}

// TroubleOf finds in an error of Open what the trouble is.
func TroubleOf(err error) Trouble {
	var answer *neo4j.Neo4jError
	var connection *neo4j.ConnectivityError
	switch {
	case errors.As(err, &answer):
		if kind, known := troubleCodes[answer.Code]; known {
			return Trouble{Kind: kind, Says: answer.Msg}
		}
		return Trouble{Kind: Refusal, Says: answer.Msg}
	case errors.As(err, &connection), errors.Is(err, context.DeadlineExceeded):
		return Trouble{Kind: NoAnswer}
	}
	return Trouble{}
}
