package gqlhttp

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"golang.org/x/sync/semaphore"

	"mneme/graph/answering"
	"mneme/resolvers"
	"mneme/service"
	"mneme/service/faults"
)

// NewHandler serves the schema over a service: queries by POST and GET, mutations by POST, subscriptions by WebSocket
// and as server-sent events.
func NewHandler(svc *service.Service, options Options) http.Handler {
	options = options.withDefaults()
	errors, schema := presenter{log: options.Log, redacted: svc.Redacted}, resolvers.NewSchema(options.Keys)
	server := handler.New(schema)
	over := httpTransport{options, newDocuments(schema.Schema(), options), errors}
	server.AddTransport(newSocket(over))
	server.AddTransport(over)
	server.SetQueryCache(found{})
	server.SetErrorPresenter(errors.present)
	server.SetRecoverFunc(errors.recovered)
	server.Use(limits{options, Rules(), pricesOf(schema.Schema())})
	server.Use(extension.Introspection{})
	server.AroundOperations(live{svc, options, errors, semaphore.NewWeighted(maxMade)}.operation)
	server.AroundResponses(func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		var tenant *service.Tenant
		if asksMemory(ctx) {
			var err error
			if tenant, err = svc.Tenant(ctx); err != nil {
				return &graphql.Response{Errors: gqlerror.List{errors.present(ctx, err)}}
			}
		}
		var unread faults.Unreadable
		var unknown faults.Unknown
		response := next(answering.With(unknown.Within(unread.Within(ctx)), tenant, options.Gathering))
		errors.leftOut(ctx, response, unread.Errors())
		if names := unknown.Names(); response != nil && len(names) > 0 {
			response.Extensions = map[string]any{"unknown": names}
		}
		return response
	})
	server.AroundRootFields(func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
			ctx = answering.Anew(ctx) // what was read before this mutation may be stale
		}
		return next(ctx)
	})
	return server
}

// asksMemory says whether an operation asks for more than the schema itself, which is there without a memory. Over a
// WebSocket what could not be read as an operation is answered here, too.
func asksMemory(ctx context.Context) bool {
	operation := graphql.GetOperationContext(ctx)
	return operation.Operation != nil && slices.ContainsFunc(graphql.CollectFields(operation, operation.Operation.SelectionSet, nil),
		func(field graphql.CollectedField) bool { return !strings.HasPrefix(field.Name, "__") })
}
