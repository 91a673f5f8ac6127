package service

import (
	"context"

	"mneme/store"
)

// Limits are what one request may take while it is answered.
type Limits = store.Limits

// Budget counts it.
type Budget = store.Budget

// ErrNoRoom ends a request that needs more memory than there is now.
var ErrNoRoom = store.ErrNoRoom

// MostSummed is how many records a request of a client may have gone through for several sums of them: about two
// seconds' work.
const MostSummed = 200_000

// WithBudget gives a context a budget that all is counted against that is read for it, and that ends the
// context when it is used up. What consolidates, completes, prunes, links or deletes is not counted: it keeps
// little of what it reads, and has bounds of its own; what sums up a history has a limit of its own, Limits.Summed. The returned function must be called
// when the request is done.
func WithBudget(ctx context.Context, limits Limits) (context.Context, *Budget, context.CancelFunc) {
	return store.WithBudget(ctx, limits)
}

// BudgetOf is the context's budget, nil where it has none; a nil one can be asked, and counts nothing.
func BudgetOf(ctx context.Context) *Budget { return store.BudgetOf(ctx) }
