package gqlhttp

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/resolvers"
	"mneme/resolvers/loaders"
	"mneme/service"
)

// NewHandler serves the schema over a service: queries by POST and GET, mutations by POST.
func NewHandler(svc *service.Service, options Options) http.Handler {
	options = options.withDefaults()
	errors, cache := presenter{log: options.Log, redacted: svc.Redacted}, newQueryCache()

	limits := limits{options: options, known: cache}
	server := handler.New(resolvers.NewSchema(svc))
	server.AddTransport(transport{options: options, limits: limits, errors: errors})
	server.SetQueryCache(cache)
	server.SetParserTokenLimit(options.MaxTokens)
	server.SetDisableSuggestion(options.WithoutSuggestions)
	server.SetErrorPresenter(errors.present)
	server.SetRecoverFunc(errors.recovered)
	server.Use(limits)
	server.Use(extension.Introspection{}) // limits refuses it where it is not wanted
	server.AroundResponses(func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		var unread service.Unreadable
		response := next(loaders.With(unread.Within(ctx), svc))
		errors.leftOut(ctx, response, unread.Errors())
		return response
	})
	server.AroundRootFields(func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
			ctx = loaders.With(ctx, svc) // what was read before this mutation may be stale
		}
		return loaders.Work(ctx, next)
	})
	return server
}
