package resolvers

import (
	"context"

	"mneme/graph/answering"
	"mneme/service"
)

// events are those of a subscription that could begin, which lets know why it ends.
func events[T any](ctx context.Context, stream *service.Stream[T], err error) (<-chan *T, error) {
	if err != nil {
		return nil, err
	}
	answering.Ends(ctx, stream.Err)
	return stream.Events(), nil
}
