package gqlhttp

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/graph/scalar"
	"mneme/service/reading"
)

// The cost of a query is how many fields its answer may hold, by estimate:
//
//	a field         1 + its work + its elements × the cost of what is selected in it
//	elements        `first`, `topK`, or as many as `ids`; where these are left out, what weights say, 20 for a page,
//	                10 for a list, since canvases, feedback and actions are usually few; 1 in a page, which counts them
//	work            what weights say; 5 for a totalCount, which takes a query of its own
//	introspection   1,000, whatever is selected in it
const (
	usualList         = 10
	totalWork         = 5
	introspectionCost = 1000
	// tooMuch is where sums stop, so that no query overflows them.
	tooMuch = 1 << 40
)

// cost is what a selection of fields amounts to.
type cost struct {
	fields int // in the answer, by estimate
	depth  int // levels of nested fields
	roots  int // fields of the first level
	again  int // bytes of the variables in arguments, each time that one is used but for the first
}

// costKey is where the statistics of an operation keep its cost.
const costKey = "cost"

// costOf is the cost of an operation that limits has passed.
func costOf(operation *graphql.OperationContext) cost {
	measured, _ := operation.Stats.GetExtension(costKey).(cost)
	return measured
}

// prices are the weights of the fields of a schema.
type prices map[*ast.FieldDefinition]weight

func pricesOf(schema *ast.Schema) prices {
	known := prices{}
	for _, of := range schema.Types {
		for _, field := range of.Fields {
			price, weighed := weights[of.Name+"."+field.Name]
			switch {
			case weighed:
			case field.Name == "totalCount" && isPage(of):
				price = weight{totalWork, 1}
			case field.Arguments.ForName("first") != nil:
				price = weight{0, reading.DefaultPage}
			case field.Type.Elem != nil && !isPage(of):
				price = weight{0, usualList}
			default:
				price = weight{0, 1}
			}
			known[field] = price
		}
	}
	return known
}

// isPage says whether a type is a page of a list.
func isPage(of *ast.Definition) bool { return of.Fields.ForName("pageInfo") != nil }

// meter adds up the cost of an operation. It measures a fragment once, however often that is used: gqlgen's own walk
// measures each use, which is exponential in fragments of fragments.
type meter struct {
	prices    prices
	variables map[string]any
	lengths   map[string]int // of variables
	fragments map[*ast.FragmentDefinition]cost
}

func measure(known prices, operation *ast.OperationDefinition, variables map[string]any) cost {
	m := meter{known, variables, map[string]int{}, map[*ast.FragmentDefinition]cost{}}
	once := 0 // as each is used, or the query would not be valid
	for name, value := range variables {
		m.lengths[name] = lengthOf(value)
		once += m.lengths[name]
	}
	sum := m.selections(operation.SelectionSet)
	sum.again -= once
	return sum
}

func (m *meter) selections(set ast.SelectionSet) cost {
	var sum cost
	for _, selection := range set {
		var one cost
		switch s := selection.(type) {
		case *ast.Field:
			one = m.field(s)
		case *ast.InlineFragment:
			one = m.selections(s.SelectionSet)
		case *ast.FragmentSpread:
			var known bool
			if one, known = m.fragments[s.Definition]; !known {
				one = m.selections(s.Definition.SelectionSet)
				m.fragments[s.Definition] = one
			}
		}
		sum = cost{min(sum.fields+one.fields, tooMuch), max(sum.depth, one.depth), sum.roots + one.roots, min(sum.again+one.again, tooMuch)}
	}
	return sum
}

func (m *meter) field(field *ast.Field) cost {
	if field.Name == "__schema" || field.Name == "__type" {
		return cost{fields: introspectionCost, depth: 1, roots: 1}
	}
	inside, price := m.selections(field.SelectionSet), m.prices[field.Definition]
	elements, again := max(price.elements, 1), inside.again
	for _, argument := range field.Arguments {
		again += m.used(argument.Value)
		elements = m.elements(argument.Name, argument.Value, elements)
	}
	return cost{min(1+price.work+elements*inside.fields, tooMuch), 1 + inside.depth, 1, min(again, tooMuch)}
}

// elements is how many an argument, or a field of one, asks for. What is no size counts as one element: the service
// refuses it.
func (m *meter) elements(name string, value *ast.Value, otherwise int) int {
	switch name {
	case "first", "topK", "ids":
		sent, err := value.Value(m.variables)
		if err != nil {
			return 1
		}
		return elementsOf(sent, otherwise)
	case "input":
		if value.Kind == ast.Variable {
			input, _ := m.variables[value.Raw].(map[string]any)
			return elementsOf(input["topK"], otherwise)
		}
		if topK := value.Children.ForName("topK"); topK != nil {
			return m.elements("topK", topK, otherwise)
		}
	}
	return otherwise
}

func elementsOf(sent any, otherwise int) int {
	if sent == nil {
		return otherwise
	}
	if list, ok := sent.([]any); ok {
		return len(list)
	}
	number, err := scalar.UnmarshalInt(sent)
	if err != nil {
		return 1
	}
	return min(max(number, 1), 1<<20) // so that products cannot overflow
}

// used is how long the variables in an argument are.
func (m *meter) used(value *ast.Value) int {
	if value.Kind == ast.Variable {
		return m.lengths[value.Raw]
	}
	sum := 0
	for _, child := range value.Children {
		sum += m.used(child.Value)
	}
	return sum
}

// lengthOf is about how many bytes a value takes as JSON.
func lengthOf(value any) int {
	length := 1
	switch v := value.(type) {
	case string:
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
