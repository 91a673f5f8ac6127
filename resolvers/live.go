package resolvers

import (
	"context"

	"mneme/graph/answering"
	"mneme/memory"
	"mneme/service/live"
)

// events are those of a subscription that could begin, which lets know why it ends.
func events[T any](ctx context.Context, stream *live.Stream[T], err error) (<-chan *T, error) {
	if err != nil {
		return nil, err
	}
	answering.Ends(ctx, stream.Err)
	return stream.Events(), nil
}

// told is the record of an event. An event of one that is gone is left out.
func told[T any](ctx context.Context, record *T, err error) (*T, error) {
	if record == nil && err == nil {
		answering.LeaveOut(ctx)
		err = &memory.Error{Code: memory.CodeNotFound, Message: "the record is gone"} // which no client sees
	}
	return record, err
}
