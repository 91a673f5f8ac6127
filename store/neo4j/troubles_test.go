package neo4j

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
)

func TestTroubleOf(t *testing.T) {
	answered := func(code string) error {
		return fmt.Errorf("neo4j: version: %w", &neo4j.Neo4jError{Code: code, Msg: "So there"})
	}
	for name, test := range map[string]struct {
		err  error
		want Trouble
	}{
		"wrong password":     {answered("Neo.ClientError.Security.Unauthorized"), Trouble{Unauthorized, "So there"}},
		"too many passwords": {answered("Neo.ClientError.Security.AuthenticationRateLimit"), Trouble{TooManyAttempts, "So there"}},
		"no such database":   {answered("Neo.ClientError.Database.DatabaseNotFound"), Trouble{NoSuchDatabase, "So there"}},
		"no right":           {answered("Neo.ClientError.Security.Forbidden"), Trouble{"Neo.ClientError.Security.Forbidden", "So there"}},
		"in time":            {fmt.Errorf("neo4j: %w", context.DeadlineExceeded), Trouble{Code: NoAnswer}},
		"another":            {errors.New("server of another kind"), Trouble{}},
	} {
		require.Equal(t, test.want, TroubleOf(test.err), name)
	}
}
