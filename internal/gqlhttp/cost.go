package gqlhttp

import (
	"encoding/json"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"mneme/service"
)

// The cost of a query is how many fields its answer may hold, by estimate:
//
//	a field                 1 + times × the cost of what is selected in it, and its base weight where it
//	                        works before it answers, see baseWeights
//	times, in a connection  `first`, 20 where it is left out, and so in a neighbourhood, 50 where it is left out
//	times, in nodes(ids)    the number of ids
//	times, in rankAgents    `first`, 1,000 where it is left out
//	times, in recall        `topK`, 5 where it is left out
//	times, in relations     100, of up to 1,000
//	times, in another list  10, since canvases, feedback and actions are usually few
//	times, otherwise        1
//	introspection           1,000, whatever is selected in it
const (
	usualList         = 10
	usualAgents       = 1000
	usualRelations    = 100
	introspectionCost = 1000
	// tooMuch is where sums stop, so that no query overflows them.
	tooMuch = 1 << 40
)

// baseWeights are what fields cost that read far more than they answer, by how much it usually is: a pool of
// candidates, a walk, a history summed up.
var baseWeights = map[string]int{
	"recall": 500, "search": 300, "searchConcepts": 200, "searchObservations": 300, "searchCorrections": 200, "guidance": 300,
	"rankAgents": 1000, "selectAgent": 1000, "taskTypeAlerts": 1000, "trends": 1000, "judgeTendencies": 500, "correctionStats": 500,
	"neighbourhood": 200, "path": 1000, "graduation": 500, "canvasInsights": 500, "totalCount": 5, "reward": 2,
	"consolidate": 5000, "prune": 1000, "backfill": 1000, "deleteAgent": 1000, "captureRun": 500,
}

// cost is what a selection of fields amounts to.
type cost struct {
	fields int // in the answer, by estimate
	depth  int // levels of nested fields
	roots  int // fields of the first level
}

// meter adds up the cost of an operation. A fragment is measured once however often it is used, so the
// work is linear in the length of the query.
type meter struct {
	variables map[string]any
	fragments map[spread]cost
}

// spread is a fragment in a place where its lists are counted, or are counted already.
type spread struct {
	fragment *ast.FragmentDefinition
	counted  bool
}

func measure(operation *ast.OperationDefinition, variables map[string]any) cost {
	m := meter{variables: variables}
	return m.selections(operation.SelectionSet, false)
}

// selections adds up a set. counted says that the size of the lists in it is part of its parent's cost.
func (m *meter) selections(set ast.SelectionSet, counted bool) cost {
	var sum cost
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			sum = sum.plus(m.field(s, counted))
		case *ast.InlineFragment:
			sum = sum.plus(m.selections(s.SelectionSet, counted))
		case *ast.FragmentSpread:
			sum = sum.plus(m.fragment(s.Definition, counted))
		}
	}
	return sum
}

func (m *meter) fragment(fragment *ast.FragmentDefinition, counted bool) cost {
	place := spread{fragment, counted}
	known, ok := m.fragments[place]
	if !ok {
		known = m.selections(fragment.SelectionSet, counted)
		if m.fragments == nil {
			m.fragments = map[spread]cost{}
		}
		m.fragments[place] = known
	}
	return known
}

func (m *meter) field(field *ast.Field, counted bool) cost {
	base := 1 + baseWeights[field.Name]
	switch {
	case len(field.SelectionSet) == 0:
		return cost{fields: base, depth: 1, roots: 1}
	case field.Name == "__schema" || field.Name == "__type":
		return cost{fields: introspectionCost, depth: 1, roots: 1}
	}
	times, countsLists := m.times(field, counted)
	inside := m.selections(field.SelectionSet, countsLists)
	return cost{fields: min(base+times*inside.fields, tooMuch), depth: 1 + inside.depth, roots: 1}
}

// times is how often the selections of a field may come, and whether that counts the lists right inside.
func (m *meter) times(field *ast.Field, counted bool) (times int, countsLists bool) {
	list := field.Definition.Type.Elem != nil
	switch {
	case field.Name == "rankAgents":
		return m.number(argument(field, "first"), usualAgents), false
	case field.Definition.Arguments.ForName("first") != nil:
		return m.number(argument(field, "first"), m.number(defaultOf(field, "first"), service.DefaultPage)), true
	case field.Name == "recall":
		return m.number(m.member(argument(field, "input"), "topK"), service.DefaultTopK), true
	case field.Name == "nodes" && argument(field, "ids") != nil:
		return m.length(argument(field, "ids")), false
	case field.Name == "relations":
		return usualRelations, false
	case list && !counted:
		return usualList, false
	default:
		return 1, false
	}
}

func (c cost) plus(other cost) cost {
	return cost{
		fields: min(c.fields+other.fields, tooMuch),
		depth:  max(c.depth, other.depth),
		roots:  c.roots + other.roots,
	}
}

func argument(field *ast.Field, name string) any {
	if found := field.Arguments.ForName(name); found != nil {
		return found.Value
	}
	return nil
}

// defaultOf is the value that the schema gives an argument that is left out, nil where it gives none.
func defaultOf(field *ast.Field, name string) any {
	if defined := field.Definition.Arguments.ForName(name).DefaultValue; defined != nil {
		return defined
	}
	return nil
}

// plain looks a literal or a variable up; lists and objects written in the query stay literals.
func (m *meter) plain(value any) any {
	literal, ok := value.(*ast.Value)
	if !ok {
		return value
	}
	switch literal.Kind {
	case ast.Variable:
		if sent, ok := m.variables[literal.Raw]; ok {
			return sent
		}
		return nil
	case ast.ListValue, ast.ObjectValue:
		return literal
	default:
		return literal.Raw
	}
}

// member is a field of an input object, nil where it is left out.
func (m *meter) member(object any, name string) any {
	switch o := m.plain(object).(type) {
	case *ast.Value:
		if found := o.Children.ForName(name); found != nil {
			return found
		}
	case map[string]any:
		return o[name]
	}
	return nil
}

// number is a size, or the given one where it is left out. What is no size costs as much as one: the
// service refuses it.
func (m *meter) number(value any, otherwise int) int {
	switch v := m.plain(value).(type) {
	case nil:
		return otherwise
	case string:
		if n, err := strconv.Atoi(v); err == nil {
			return size(n)
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return size(int(n))
		}
	case int64:
		return size(int(v))
	}
	return 1
}

// size keeps a number where products cannot overflow; the service refuses one outside 0…100.
func size(n int) int { return min(max(n, 1), 1<<20) }

func (m *meter) length(list any) int {
	switch l := m.plain(list).(type) {
	case *ast.Value:
		return len(l.Children)
	case []any:
		return len(l)
	}
	return 1
}
