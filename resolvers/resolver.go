// Package resolvers answers the fields of the schema: each converts, calls one method of the service, and
// converts back. The selected fields decide what is read, so that an enriched episode is one read.
package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"mneme/graph"
	"mneme/graph/answering"
	"mneme/schema"
	"mneme/service"
	"mneme/service/keyring"
)

// Resolver answers fields from the tenant that the response is bound to (see answering.With), and those of keys from
// the keys of the deployment.
type Resolver struct{ keys *keyring.Keyring }

// tenant is whose memory a response is made of.
func tenant(ctx context.Context) *service.Tenant { return answering.Tenant(ctx) }

// loaders read what several fields of a response ask for at once.
func loaders(ctx context.Context) *answering.Loaders { return answering.From(ctx) }

// NewSchema is the executable schema. Without keys the fields that deal with them are UNAVAILABLE.
func NewSchema(keys *keyring.Keyring) graphql.ExecutableSchema {
	return graph.NewExecutableSchema(graph.Config{Schema: schema.Load(), Resolvers: &Resolver{keys}})
}
