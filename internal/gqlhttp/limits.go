package gqlhttp

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/memory"
)

// limits refuses a query that would cost too much, before anything is read. Parsing and validation are
// bounded by the parser's own limit on tokens.
type limits struct{ options Options }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = limits{}

// ExtensionName names the extension to gqlgen.
func (limits) ExtensionName() string { return "Limits" }

// Validate accepts every schema.
func (limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext checks an operation whose query is valid.
func (l limits) MutateOperationContext(_ context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	tally := count(operation.Doc)
	if tally.introspects && l.options.WithoutIntrospection {
		return asRequestError(&memory.Error{Code: memory.CodeForbidden, Message: "this server does not describe its schema"})
	}
	cost := measure(operation.Operation, operation.Variables)
	for _, limit := range []struct {
		what     string
		is, most int
		remedy   string
	}{
		{"aliases", tally.aliases, l.options.MaxAliases, "send several requests"},
		{"directives", tally.directives, l.options.MaxDirectives, "write another query"},
		{"root fields", cost.roots, l.options.MaxRootFields, "send several requests"},
		{"levels of fields", cost.depth, l.options.MaxDepth, "read on from the ids"},
		{"fields in the answer by estimate", cost.fields, l.options.MaxComplexity, "ask for smaller pages"},
	} {
		if limit.is > limit.most {
			return asRequestError(&memory.Error{
				Code:    memory.CodeLimitExceeded,
				Message: exceeded(limit.what, limit.most, limit.remedy),
			})
		}
	}
	return nil
}

// asRequestError makes an error of the whole request, with no place in the answer.
func asRequestError(err *memory.Error) *gqlerror.Error {
	return &gqlerror.Error{Err: err, Message: err.Message}
}

// tally is what can be counted in the text of a query.
type tally struct {
	aliases, directives int
	introspects         bool
}

// count reads a whole document once: operations and fragments, each where it is written.
func count(doc *ast.QueryDocument) tally {
	var t tally
	for _, operation := range doc.Operations {
		t.directives += len(operation.Directives)
		t.selections(operation.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		t.directives += len(fragment.Directives)
		t.selections(fragment.SelectionSet)
	}
	return t
}

func (t *tally) selections(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Alias != s.Name {
				t.aliases++
			}
			t.introspects = t.introspects || s.Name == "__schema" || s.Name == "__type"
			t.directives += len(s.Directives)
			t.selections(s.SelectionSet)
		case *ast.InlineFragment:
			t.directives += len(s.Directives)
			t.selections(s.SelectionSet)
		case *ast.FragmentSpread:
			t.directives += len(s.Directives)
		}
	}
}
