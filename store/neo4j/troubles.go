package neo4j

import (
	"context"
	"errors"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

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
