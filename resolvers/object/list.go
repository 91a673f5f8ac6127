package object

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// List answers the elements of a list. Where they read something they do it at the same time, so that
// the loaders can gather what they ask for; where they do not, goroutines would only cost.
func List(ctx context.Context, length int, reads bool, element func(ctx context.Context, index int) graphql.Marshaler) graphql.Array {
	if reads {
		return graphql.MarshalSliceConcurrently(ctx, length, 0, false, element)
	}
	list := make(graphql.Array, length)
	for i := range list {
		field := &graphql.FieldContext{Index: &i}
		list[i] = element(graphql.WithFieldContext(ctx, field), i)
	}
	return list
}
