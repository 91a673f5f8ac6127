package service

import (
	"context"

	"mneme/store"
)

// Limits are what one request may take while it is answered.
type Limits = store.Limits

// Budget counts what one request has taken so far.
type Budget = store.Budget

// ErrNoRoom ends a request that needs more memory than there is now.
var ErrNoRoom = store.ErrNoRoom

// MostSummed is how many records a request of a client may have gone through for several sums of them: about two
// seconds' work.
const MostSummed = 200_000

// WithBudget gives a context a budget: what is read for it is counted, and the context ends when the budget is used up.
// Consolidating, completing a run, pruning, linking and deleting are not counted, since they keep little of what they
// read and have bounds of their own; sums over a history count against Limits.Summed. Call the returned function when
// the request is done.
func WithBudget(ctx context.Context, limits Limits) (context.Context, *Budget, context.CancelFunc) {
	return store.WithBudget(ctx, limits)
}

// BudgetOf is the context's budget, nil where it has none; a nil one can be asked, and counts nothing.
func BudgetOf(ctx context.Context) *Budget { return store.BudgetOf(ctx) }
