package events

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// settleLooks is how often records are looked for that a notice tells of and that are not there: they were deleted since, or
// are seen a moment later.
const settleLooks = 3

// Records reads the records of a kind that notices tell of, each at the place of its notice; nil where a notice is of
// another kind, and where the record is gone.
func Records[T any](
	ctx context.Context, notices []store.Notice, kind memory.Kind, read func(context.Context, []string) ([]*T, error),
) ([]*T, error) {
	told := make([]*T, len(notices))
	for look := range settleLooks {
		var places []int
		var keys []string
		for i, n := range notices {
			if n.Kind == kind && told[i] == nil {
				places, keys = append(places, i), append(keys, n.Key)
			}
		}
		if len(keys) == 0 {
			break
		}
		if look > 0 && !Settle(ctx) {
			return nil, ctx.Err()
		}
		found, err := read(ctx, keys)
		if err != nil {
			return nil, err
		}
		for i, record := range found {
			told[places[i]] = record
		}
	}
	return told, nil
}
