package neo4j

import (
	"fmt"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
)

// Two who record the first vector of a length at once both make its index.
func TestAnIndexThatAnotherMadeIsThere(t *testing.T) {
	there := &neo4j.Neo4jError{Code: "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"}
	require.True(t, definedMeanwhile(fmt.Errorf("schema: %w", there)))
	require.False(t, definedMeanwhile(&neo4j.Neo4jError{Code: "Neo.ClientError.Schema.IndexWithNameAlreadyExists"}))
	require.False(t, definedMeanwhile(nil))
}
