package object

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"mneme/resolvers/loaders"
)

// List answers the elements of a list. Where they read something they do it at the same time, so that
// the loaders can gather what they ask for; where they do not, goroutines would only cost, and a panic is
// for the field that the list belongs to.
func List(ctx context.Context, length int, reads bool, element func(ctx context.Context, index int) graphql.Marshaler) graphql.Array {
	list := make(graphql.Array, length)
	put := func(i int) {
		ctx := graphql.WithFieldContext(ctx, &graphql.FieldContext{Index: &i})
		if reads {
			defer func() {
				if panicked := recover(); panicked != nil {
					graphql.AddError(ctx, graphql.Recover(ctx, panicked))
					list[i] = graphql.Null
				}
			}()
		}
		list[i] = element(ctx, i)
	}
	if reads {
		loaders.Together(ctx, length, put)
		return list
	}
	for i := range list {
		put(i)
	}
	return list
}
