package e2e

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"mneme/schema"
)

// coverage remembers which fields of the schema were asked for.
type coverage struct {
	mu    sync.Mutex
	asked map[string]bool
}

func newCoverage() *coverage { return &coverage{asked: map[string]bool{}} }

// add reads a query; one that is invalid on purpose counts for nothing.
func (c *coverage) add(t *testing.T, query string) {
	t.Helper()
	if len(query) > 1<<16 {
		return
	}
	document, err := gqlparser.LoadQueryWithRules(schema.Load(), query, rules.NewDefaultRules())
	if err != nil {
		return
	}
	require.NotNil(t, document)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, operation := range document.Operations {
		c.selections(operation.SelectionSet)
	}
	for _, fragment := range document.Fragments {
		c.selections(fragment.SelectionSet)
	}
}

func (c *coverage) selections(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			c.asked[s.ObjectDefinition.Name+"."+s.Name] = true
			c.selections(s.SelectionSet)
		case *ast.InlineFragment:
			c.selections(s.SelectionSet)
		}
	}
}

// missing lists the fields that nobody asked for.
func (c *coverage) missing() []string {
	var missing []string
	for name, definition := range schema.Load().Types {
		if definition.Kind != ast.Object || strings.HasPrefix(name, "__") {
			continue
		}
		for _, field := range definition.Fields {
			place := name + "." + field.Name
			if !strings.HasPrefix(field.Name, "__") && !c.asked[place] {
				missing = append(missing, place)
			}
		}
	}
	slices.Sort(missing)
	return missing
}
