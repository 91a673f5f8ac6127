package schema_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/schema"
)

func TestComposedSchemaIsCurrent(t *testing.T) {
	t.Parallel()
	committed, err := os.ReadFile("schema.graphql")
	require.NoError(t, err)
	assert.Equal(t, string(committed), schema.SDL(), "run `go generate ./schema`")
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
