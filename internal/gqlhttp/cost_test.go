package gqlhttp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/schema"
)

// TestPagesAreCounted: a page that is new cannot be forgotten.
func TestPagesAreCounted(t *testing.T) {
	t.Parallel()
	types, pages := schema.Load().Types, 0
	known := pricesOf(schema.Load())
	for _, of := range types {
		if of.Kind != ast.Object {
			continue
		}
		if total := of.Fields.ForName("totalCount"); total != nil && isPage(of) {
			pages++
			assert.Equal(t, totalWork, known[total].work, of.Name)
		}
		for _, field := range of.Fields {
			if isPage(types[field.Type.Name()]) && field.Arguments.ForName("first") == nil {
				assert.Equal(t, "path", field.Name, "how long is %s.%s?", of.Name, field.Name)
			}
		}
	}
	assert.Greater(t, pages, 10)
}

// TestWeightsAreOfFields: a field that is renamed keeps its weight.
func TestWeightsAreOfFields(t *testing.T) {
	t.Parallel()
	for name := range weights {
		of, field, _ := strings.Cut(name, ".")
		definition := schema.Load().Types[of]
		if assert.NotNil(t, definition, name) {
			assert.NotNil(t, definition.Fields.ForName(field), name)
		}
	}
}
