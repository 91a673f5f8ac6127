package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// broken lists what clients of the old schema may rely on and the changed one does not keep.
func broken(old, changed *ast.Schema) []string {
	var found []string
	for name, before := range old.Types {
		after := changed.Types[name]
		if after == nil || after.Kind != before.Kind {
			found = append(found, name)
			continue
		}
		for _, lost := range lostNames(before, after) {
			found = append(found, name+"."+lost)
		}
		for _, field := range before.Fields {
			found = append(found, brokenField(name, field, after)...)
		}
		if before.Kind == ast.InputObject {
			found = append(found, newlyRequired(name, before.Fields, after.Fields)...)
		}
	}
	return found
}

// lostNames are enum values, interfaces and members of unions that are gone.
func lostNames(before, after *ast.Definition) []string {
	var lost []string
	for _, value := range before.EnumValues {
		if after.EnumValues.ForName(value.Name) == nil {
			lost = append(lost, value.Name)
		}
	}
	kept := map[string]bool{}
	for _, name := range append(append([]string{}, after.Interfaces...), after.Types...) {
		kept[name] = true
	}
	for _, name := range append(append([]string{}, before.Interfaces...), before.Types...) {
		if !kept[name] {
			lost = append(lost, name)
		}
	}
	return lost
}

func brokenField(owner string, before *ast.FieldDefinition, definition *ast.Definition) []string {
	place := owner + "." + before.Name
	after := definition.Fields.ForName(before.Name)
	switch {
	case after == nil:
		return []string{place}
	case definition.Kind == ast.InputObject:
		if !accepts(after.Type, before.Type) || before.DefaultValue.String() != after.DefaultValue.String() {
			return []string{place}
		}
		return nil
	case !accepts(before.Type, after.Type):
		return []string{place}
	}
	var found []string
	for _, argument := range before.Arguments {
		kept := after.Arguments.ForName(argument.Name)
		if kept == nil || !accepts(kept.Type, argument.Type) || kept.DefaultValue.String() != argument.DefaultValue.String() {
			found = append(found, place+"("+argument.Name+")")
		}
	}
	for _, argument := range after.Arguments {
		if before.Arguments.ForName(argument.Name) == nil && argument.Type.NonNull && argument.DefaultValue == nil {
			found = append(found, place+"("+argument.Name+")")
		}
	}
	return found
}

func newlyRequired(owner string, before, after ast.FieldList) []string {
	var found []string
	for _, field := range after {
		if before.ForName(field.Name) == nil && field.Type.NonNull && field.DefaultValue == nil {
			found = append(found, owner+"."+field.Name)
		}
	}
	return found
}

// accepts says whether every value of one type may stand where another is expected.
func accepts(expected, actual *ast.Type) bool {
	switch {
	case expected.NonNull && !actual.NonNull:
		return false
	case (expected.Elem == nil) != (actual.Elem == nil):
		return false
	case expected.Elem != nil:
		return accepts(expected.Elem, actual.Elem)
	default:
		return expected.NamedType == actual.NamedType
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	const base = `type Query { a(x: Int = 1, y: [Int!]): A  e: E }  type A implements N { id: ID!  l: [String!]! }
		interface N { id: ID! }  enum E { ONE TWO }  input I { a: Int  b: String! = "x" }`
	for name, test := range map[string]struct {
		schema string
		broken []string
	}{
		"nothing":              {base, nil},
		"more":                 {`type Query { a(x: Int = 1, y: [Int!], z: Int): A!  e: E  n: N }  type A implements N { id: ID!  l: [String!]!  m: Int }  interface N { id: ID! }  enum E { ONE TWO THREE }  input I { a: Int  b: String = "x"  c: Int }`, nil},
		"a type gone":          {`type Query { a(x: Int = 1, y: [Int!]): A  e: E }  type A implements N { id: ID!  l: [String!]! }  interface N { id: ID! }  enum E { ONE TWO }`, []string{"I"}},
		"a field and a value":  {`type Query { a(x: Int = 1, y: [Int!]): A  e: E }  type A implements N { id: ID! }  interface N { id: ID! }  enum E { ONE }  input I { a: Int  b: String! = "x" }`, []string{"A.l", "E.TWO"}},
		"nullability":          {`type Query { a(x: Int = 1, y: [Int!]!): A  e: E }  type A implements N { id: ID!  l: [String]! }  interface N { id: ID! }  enum E { ONE TWO }  input I { a: Int!  b: String! = "x" }`, []string{"Query.a(y)", "A.l", "I.a"}},
		"arguments":            {`type Query { a(x: Int = 2, r: Int!): A  e: E }  type A implements N { id: ID!  l: [String!]! }  interface N { id: ID! }  enum E { ONE TWO }  input I { a: Int  b: String! = "x"  c: Int! }`, []string{"Query.a(x)", "Query.a(y)", "Query.a(r)", "I.c"}},
		"kinds and interfaces": {`type Query { a(x: Int = 1, y: [Int!]): A  e: E }  type A { id: ID!  l: [String!]! }  interface N { id: ID! }  scalar E  input I { a: Int  b: String! = "x" }`, []string{"A.N", "E"}},
	} {
		t.Run(name, func(t *testing.T) {
			old := gqlparser.MustLoadSchema(&ast.Source{Input: base})
			changed := gqlparser.MustLoadSchema(&ast.Source{Input: test.schema})
			assert.ElementsMatch(t, test.broken, broken(old, changed))
		})
	}
}
