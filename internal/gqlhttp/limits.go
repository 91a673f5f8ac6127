package gqlhttp

import (
	"context"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"

	"mneme/memory"
)

// limits refuses a query that would cost too much, before the work is done that it would cost: what its
// text shows before it is validated, since that takes the square of repeated fields; what depends on the
// operation and its variables before anything is read.
type limits struct {
	options Options
	schema  priced
	known   queryCache // what is in here has passed
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
} = limits{}

// ExtensionName names the extension to gqlgen.
func (limits) ExtensionName() string { return "Limits" }

// Validate accepts every schema.
func (limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters checks the text of a query that is new, and writes what it takes as Int in digits.
func (l limits) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	document, known := l.known.Get(ctx, params.Query)
	if !known {
		if refused := l.words(params.Query); refused != nil {
			return asRequestError(refused)
		}
		var err error
		if document, err = parser.ParseQueryWithTokenLimit(&ast.Source{Input: params.Query}, l.options.MaxTokens); err != nil {
			return nil //nolint:nilerr // the executor parses it again, and says what is wrong
		}
		if refused := l.tallied(document); refused != nil {
			return refused
		}
	}
	if operation := document.Operations.ForName(params.OperationName); operation != nil {
		whole{l.schema.Schema()}.variables(operation, params.Variables)
	}
	return nil
}

// tallied refuses a document by what stands in it.
func (l limits) tallied(document *ast.QueryDocument) *gqlerror.Error {
	tally := count(document)
	if tally.introspects && l.options.WithoutIntrospection {
		return asRequestError(&memory.Error{Code: memory.CodeForbidden, Message: "this server does not describe its schema"})
	}
	return within(
		bound{"aliases and repeated fields", tally.aliases, l.options.MaxAliases, "send several requests"},
		bound{"directives", tally.directives, l.options.MaxDirectives, "write another query"},
	)
}

// words refuses names that are longer than any should be, as to suggest another for one that nothing has takes the product
// of both their lengths, and numbers that the parser cannot represent.
func (l limits) words(query string) *memory.Error {
	tokens := lexer.New(&ast.Source{Input: query})
	for range l.options.MaxTokens + 1 { // of which the last may be the end
		token, err := tokens.ReadToken()
		switch {
		case err != nil || token.Kind == lexer.EOF:
			return nil //nolint:nilerr // what is wrong the parser says
		case token.Kind == lexer.Name && len(token.Value) > l.options.MaxName:
			return memory.LimitExceeded("", "a name in the query has more than %d bytes", l.options.MaxName)
		case token.Kind == lexer.Int && !fits(strconv.ParseInt(token.Value, 10, 64)), token.Kind == lexer.Float && !fits(strconv.ParseFloat(token.Value, 64)):
			return memory.Invalid("", "a number in the query takes more than 64 bits; send it in a variable, or as a text")
		}
	}
	return nil
}

func fits[T any](_ T, err error) bool { return err == nil }

// declared are the variables of all operations of a query; none where it cannot be read.
func (l limits) declared(ctx context.Context, query string) map[string]bool {
	document, known := l.known.Get(ctx, query)
	if !known {
		var err error
		if document, err = parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, l.options.MaxTokens); err != nil {
			return nil
		}
	}
	names := map[string]bool{}
	for _, operation := range document.Operations {
		for _, variable := range operation.VariableDefinitions {
			names[variable.Variable] = true
		}
	}
	return names
}

// MutateOperationContext checks an operation of a valid query.
func (l limits) MutateOperationContext(ctx context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	cost := measure(ctx, l.schema, operation.Operation, operation.Variables)
	operation.Stats.SetExtension(costKey, cost)
	return within(
		bound{"root fields", cost.roots, l.options.MaxRootFields, "send several requests"},
		bound{"levels of fields", cost.depth, l.options.MaxDepth, "read on from the ids"},
		bound{"fields in the answer by estimate", cost.fields, l.options.MaxComplexity, "ask for smaller pages"},
		bound{"bytes of variables that it uses again", cost.again, l.options.MaxAgain, "send several requests"},
	)
}

// bound is a limit, and what stands against it.
type bound struct {
	what     string
	is, most int
	remedy   string
}

// within names the first bound that is passed.
func within(bounds ...bound) *gqlerror.Error {
	for _, b := range bounds {
		if b.is > b.most {
			return asRequestError(&memory.Error{Code: memory.CodeLimitExceeded, Message: exceeded(b.what, b.most, b.remedy)})
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
	// aliases counts fields that are renamed, and those that stand in their selection a second time.
	aliases     int
	directives  int
	introspects bool
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
	names := make(map[string]bool, len(set))
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Alias != s.Name || names[s.Alias] {
				t.aliases++
			}
			names[s.Alias] = true
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
