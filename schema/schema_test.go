package schema_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/schema"
)

func TestComposedSchemaIsCurrent(t *testing.T) {
	t.Parallel()
	committed, err := os.ReadFile("schema.graphql")
	require.NoError(t, err)
	assert.Equal(t, string(committed), schema.SDL(), "run `go generate ./schema`")
}

// TestNothingThatClientsRelyOnIsTaken compares with baseline.graphql, the schema that was published last. A
// release copies schema.graphql over it; a change that breaks clients needs a major version, and a new baseline.
func TestNothingThatClientsRelyOnIsTaken(t *testing.T) {
	t.Parallel()
	published, err := os.ReadFile("baseline.graphql")
	require.NoError(t, err)
	old, err := gqlparser.LoadSchema(&ast.Source{Name: "baseline.graphql", Input: string(published)})
	require.NoError(t, err)
	assert.Empty(t, broken(old, schema.Load()))
}

func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	for name, definition := range schema.Load().Types {
		if definition.BuiltIn || strings.HasPrefix(name, "__") {
			continue
		}
		assert.NotEmpty(t, definition.Description, name)
		for _, value := range definition.EnumValues {
			assert.NotEmpty(t, value.Description, name+"."+value.Name)
		}
		for _, field := range definition.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			assert.NotEmpty(t, field.Description, name+"."+field.Name)
			for _, argument := range field.Arguments {
				assert.NotEmpty(t, argument.Description, name+"."+field.Name+"("+argument.Name+")")
			}
		}
	}
}

// TestWhatServerCannotDoIsNotOffered: an answer comes in one piece.
func TestWhatServerCannotDoIsNotOffered(t *testing.T) {
	t.Parallel()
	assert.NotContains(t, schema.Load().Directives, "defer")
	assert.NotContains(t, schema.SDL(), "@defer")
}
