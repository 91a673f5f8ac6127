// Package resolvers answers the fields of the schema: each converts, calls one method of the service, and
// converts back. The selected fields decide what is read, so that an enriched episode is one read.
package resolvers

import (
	"github.com/99designs/gqlgen/graphql"

	"mneme/graph"
	"mneme/schema"
	"mneme/service"
)

// Resolver answers fields from a service.
type Resolver struct{ service *service.Service }

// NewSchema is the executable schema over a service.
func NewSchema(svc *service.Service) graphql.ExecutableSchema {
	return graph.NewExecutableSchema(graph.Config{
		Schema:    schema.Load(),
		Resolvers: &Resolver{service: svc},
	})
}
