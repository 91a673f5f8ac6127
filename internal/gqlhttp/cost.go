package gqlhttp

import (
	"context"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/graph/scalar"
	"mneme/service"
)

// The cost of a query is how many fields its answer may hold, by estimate:
//
//	a field              1 + times × the cost of what is selected in it, or what weights.go says of it
//	times, for a page    `first`, 20 where it is left out
//	times, for a list    10, since canvases, feedback and actions are usually few; 1 in a page, which counts it
//	times, otherwise     1
//	introspection        1,000, whatever is selected in it
const (
	usualList         = 10
	usualAgents       = 1000
	usualRelations    = 100
	introspectionCost = 1000
	// tooMuch is where sums stop, so that no query overflows them.
	tooMuch = 1 << 40
)

// cost is what a selection of fields amounts to.
type cost struct {
	fields int // in the answer, by estimate
	depth  int // levels of nested fields
	roots  int // fields of the first level
	again  int // bytes of the variables in arguments; in the end of those alone that are used again, each time that they are
}

// costKey is where the statistics of an operation keep its cost.
const costKey = "cost"

// costOf is the cost of an operation that limits has passed.
func costOf(operation *graphql.OperationContext) cost {
	measured, _ := operation.Stats.GetExtension(costKey).(cost)
	return measured
}

// priced is a schema with its fields that weights may say something of: those of others are not asked for.
type priced struct {
	graphql.ExecutableSchema
	weighed map[*ast.FieldDefinition]bool
}

func newPriced(schema graphql.ExecutableSchema) priced {
	p := priced{schema, map[*ast.FieldDefinition]bool{}}
	for _, of := range schema.Schema().Types {
		for _, field := range of.Fields {
			if len(field.Arguments) > 0 {
				p.weighed[field] = true // it may depend on them
			} else if _, weighed := schema.Complexity(context.Background(), of.Name, field.Name, 0, nil); weighed {
				p.weighed[field] = true
			}
		}
	}
	return p
}

// meter adds up the cost of an operation. A fragment is measured once however often it is used, so the
// work is linear in the length of the query, where gqlgen's own goes through each use anew.
type meter struct {
	ctx       context.Context
	schema    priced
	variables map[string]any
	sizes     map[string]int // of the variables that are used
	fragments map[*ast.FragmentDefinition]cost
}

func measure(ctx context.Context, schema priced, operation *ast.OperationDefinition, variables map[string]any) cost {
	m := meter{ctx: ctx, schema: schema, variables: variables}
	sum := m.selections(operation.SelectionSet)
	for _, size := range m.sizes {
		sum.again -= size // for the first time
	}
	return sum
}

func (m *meter) selections(set ast.SelectionSet) cost {
	var sum cost
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			sum = sum.plus(m.field(s))
		case *ast.InlineFragment:
			sum = sum.plus(m.selections(s.SelectionSet))
		case *ast.FragmentSpread:
			sum = sum.plus(m.fragment(s.Definition))
		}
	}
	return sum
}

func (m *meter) fragment(fragment *ast.FragmentDefinition) cost {
	known, ok := m.fragments[fragment]
	if !ok {
		known = m.selections(fragment.SelectionSet)
		if m.fragments == nil {
			m.fragments = map[*ast.FragmentDefinition]cost{}
		}
		m.fragments[fragment] = known
	}
	return known
}

func (m *meter) field(field *ast.Field) cost {
	if field.Name == "__schema" || field.Name == "__type" {
		return cost{fields: introspectionCost, depth: 1, roots: 1}
	}
	inside := m.selections(field.SelectionSet)
	fields, weighed := 0, m.schema.weighed[field.Definition]
	var arguments map[string]any
	if weighed {
		arguments = field.ArgumentMap(m.variables)
		fields, weighed = m.schema.Complexity(m.ctx, field.ObjectDefinition.Name, field.Name, inside.fields, arguments)
	}
	if !weighed {
		fields = 1 + times(field, arguments)*inside.fields
	}
	again := inside.again
	for _, argument := range field.Arguments {
		again += m.used(argument.Value)
	}
	return cost{fields: min(fields, tooMuch), depth: 1 + inside.depth, roots: 1, again: min(again, tooMuch)}
}

// used is how long the variables in an argument are.
func (m *meter) used(value *ast.Value) int {
	if value.Kind != ast.Variable {
		sum := 0
		for _, child := range value.Children {
			sum += m.used(child.Value)
		}
		return sum
	}
	size, known := m.sizes[value.Raw]
	if !known {
		if m.sizes == nil {
			m.sizes = map[string]int{}
		}
		size = lengthOf(m.variables[value.Raw])
		m.sizes[value.Raw] = size
	}
	return size
}

// lengthOf is about how many bytes a value takes as JSON.
func lengthOf(value any) int {
	length := 1
	switch v := value.(type) {
	case string:
		length += len(v)
	case json.Number:
		length += len(v)
	case []any:
		for _, item := range v {
			length += lengthOf(item)
		}
	case map[string]any:
		for name, item := range v {
			length += len(name) + lengthOf(item)
		}
	}
	return length
}

// times is how often the selections of a field may come, by its type.
func times(field *ast.Field, arguments map[string]any) int {
	switch {
	case field.Definition.Arguments.ForName("first") != nil:
		return sizeOf(arguments["first"])
	case field.Definition.Type.Elem != nil && !isPage(field.ObjectDefinition):
		return usualList
	default:
		return 1
	}
}

// isPage says whether a type is a page of a list.
func isPage(of *ast.Definition) bool { return of.Fields.ForName("pageInfo") != nil }

func (c cost) plus(other cost) cost {
	return cost{
		fields: min(c.fields+other.fields, tooMuch),
		depth:  max(c.depth, other.depth),
		roots:  c.roots + other.roots,
		again:  min(c.again+other.again, tooMuch),
	}
}

// sizeOf is the size of a page. What is no size costs as much as one: the service refuses it.
func sizeOf(first any) int {
	if first == nil {
		return service.DefaultPage
	}
	number, err := scalar.UnmarshalInt(first)
	if err != nil {
		return 1
	}
	return size(&number, service.DefaultPage)
}

// size keeps a number where products cannot overflow; the service refuses one outside 0…100.
func size(number *int, otherwise int) int {
	if number == nil {
		return otherwise
	}
	return min(max(*number, 1), 1<<20)
}
