package resolvers

import (
	"context"
	"mneme/memory/access"
)

func (r *queryResolver) Viewer(ctx context.Context) (*access.Caller, error) {
	return new(access.Of(ctx)), nil
}
