package gqlhttp

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/boundary"
)

// A client sends the same few queries over and over; parsing and validating one costs more than
// answering it. Long ones are not kept, so that nobody can fill the memory with them.
const (
	cachedQueries = 1000
	// persistedQueries is of how many automatic persisted queries the texts are kept, those that were used last.
	persistedQueries = 4000
	longestKept      = 16 << 10 // in bytes
)

// maxQuery is the longest query in bytes, without its variables, which a text of boundary.MaxText fits in.
const maxQuery = 2 * boundary.MaxText

// documents finds the document that a request means, and parses and validates it once for all that follows.
type documents struct {
	schema    *ast.Schema
	options   Options
	rules     *rules.Rules
	parsed    *lru.LRU[*ast.QueryDocument]
	persisted extension.AutomaticPersistedQuery
}

func newDocuments(schema *ast.Schema, options Options) documents {
	return documents{schema, options, rules.NewDefaultRules(), lru.New[*ast.QueryDocument](cachedQueries), extension.AutomaticPersistedQuery{Cache: persisted{lru.New[string](persistedQueries)}}}
}

// find puts the text of the document that a request names in its parameters, and answers the document.
func (d documents) find(ctx context.Context, params *graphql.RawParams) (*ast.QueryDocument, gqlerror.List) {
	if fault := d.name(ctx, params); fault != nil {
		return nil, gqlerror.List{asRequestError(fault)}
	}
	if document, known := d.parsed.Get(ctx, params.Query); known {
		return document, nil
	}
	document, faults := d.parse(params.Query)
	if faults == nil && len(params.Query) <= longestKept {
		d.parsed.Add(ctx, params.Query, document)
	}
	return document, faults
}

// parse reads a text that is a valid document of the schema, within the limits of texts.
func (d documents) parse(text string) (*ast.QueryDocument, gqlerror.List) {
	if len(text) > maxQuery { // of which the parser takes many times as much
		return nil, gqlerror.List{asRequestError(memory.LimitExceeded("query", "has more than %d bytes; send long values in variables", maxQuery))}
	}
	document, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, d.options.MaxTokens)
	if err != nil {
		fault := gqlerror.WrapIfUnwrapped(err)
		errcode.Set(fault, errcode.ParseFailed)
		return nil, gqlerror.List{fault}
	}
	if fault := checkText(document, d.options); fault != nil {
		return nil, gqlerror.List{fault}
	}
	faults := validator.ValidateWithRules(d.schema, document, d.rules)
	if faults == nil && len(document.Operations) == 0 {
		faults = gqlerror.List{gqlerror.Errorf("no operation provided")}
	}
	for _, fault := range faults {
		errcode.Set(fault, errcode.ValidationFailed)
	}
	return document, faults
}

// name finds the text of a query that is sent, named, or both. Its errors are INVALID_INPUT, PERSISTED_QUERY_NOT_FOUND,
// and FORBIDDEN where others than trusted documents are not answered.
func (d documents) name(ctx context.Context, params *graphql.RawParams) *memory.Error {
	if strings.TrimSpace(params.Query) == "" {
		params.Query = ""
	}
	id, _ := params.Extensions[documentID].(string)
	switch {
	case d.options.Trusted != nil:
		return d.options.Trusted.name(params, id)
	case id != "":
		return memory.Invalid(documentID, "names a document, and this server has no list of documents; send the query")
	}
	// the extension keeps statistics in the context of an operation
	refused := d.persisted.MutateOperationParameters(graphql.WithOperationContext(ctx, &graphql.OperationContext{}), params)
	switch {
	case refused != nil && refused.Extensions["code"] == string(codeNotPersisted):
		return &memory.Error{Code: codeNotPersisted, Message: refused.Message}
	case refused != nil:
		return memory.Invalid("extensions.persistedQuery", "%s", refused.Message)
	case params.Query == "":
		return memory.Invalid("query", "is missing")
	}
	return nil
}

// documentID is the parameter that names a trusted document, also where parameters are extensions.
const documentID = "documentId"

// executor executes operations whose documents mneme finds, so that no text is parsed twice.
type executor struct {
	graphql.GraphExecutor
	httpTransport
	variables func(*ast.QueryDocument) map[string]any // those of a document; nil for those of the parameters
}

// CreateOperationContext makes an operation of the document that the parameters name.
func (e executor) CreateOperationContext(ctx context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	document, faults := e.documents.find(ctx, params)
	if faults != nil {
		return &graphql.OperationContext{Headers: params.Headers}, faults
	}
	if e.variables != nil {
		params.Variables = e.variables(document)
	}
	operation, faults := e.GraphExecutor.CreateOperationContext(context.WithValue(ctx, documentKey{}, document), params)
	for i, fault := range faults {
		if ofVariable(fault) {
			faults[i] = asRequestError(refusedVariable(e.documents.schema, operation.Operation, fault))
		}
	}
	return operation, faults
}

type documentKey struct{}

// found is a cache for gqlgen's executor that answers the document of the context.
type found struct{}

// Get answers the document.
func (found) Get(ctx context.Context, _ string) (*ast.QueryDocument, bool) {
	document, ok := ctx.Value(documentKey{}).(*ast.QueryDocument)
	return document, ok
}

// Add keeps nothing.
func (found) Add(context.Context, string, *ast.QueryDocument) {}

// codeNotPersisted tells clients of automatic persisted queries to send the text, too. It is their protocol's code.
const codeNotPersisted memory.Code = "PERSISTED_QUERY_NOT_FOUND"

// persisted keeps the texts of automatic persisted queries in memory. A tenant finds its own alone.
type persisted struct{ texts *lru.LRU[string] }

// Get answers the text of a hash that the context's tenant registered.
func (p persisted) Get(ctx context.Context, hash string) (string, bool) {
	return p.texts.Get(ctx, access.Of(ctx).Tenant+" "+hash)
}

// Add keeps a text for the context's tenant unless it is long: such a one is answered only where it is sent.
func (p persisted) Add(ctx context.Context, hash, text string) {
	if len(text) <= longestKept {
		p.texts.Add(ctx, access.Of(ctx).Tenant+" "+hash, text)
	}
}
