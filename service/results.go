package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
)

// Page is a page of a list that can grow, with a cursor for each item.
type Page[T any] struct {
	Items   []T
	Cursors []string // one per item; opaque, and valid only for the same query
	HasNext bool
	HasPrev bool // a cursor was given, so something precedes it
	// Total counts the whole list. It costs a query of its own and is called only when asked for.
	Total func(ctx context.Context) (int, error)
}

// BatchResult reports each item of a batch: IDs has an entry per item, nil where it failed.
type BatchResult struct {
	Succeeded int          `json:"succeeded"`
	Failed    int          `json:"failed"`
	IDs       []*string    `json:"ids"`
	Errors    []BatchError `json:"errors"`
	// Created says of each item whether it was not there before; one that was recorded in another call is not.
	Created []bool `json:"-"`
}

// New counts the items that were not there before.
func (r *BatchResult) New() int {
	count := 0
	for _, created := range r.Created {
		if created {
			count++
		}
	}
	return count
}

// BatchError is the fault of one item.
type BatchError struct {
	Index   int         `json:"index"`
	Code    memory.Code `json:"code"`
	Message string      `json:"message"`
	Field   *string     `json:"field,omitempty"`
	// Cause is not shown.
	Cause error `json:"-"`
}

// Recall is the ranked and explained answer to a situation.
type Recall struct {
	Hits []RecallHit
	// Approximate says that so much matched that one that ranks higher may be missing.
	Approximate bool
	// At is the instant the answer holds for: asOf, else the time of the call.
	At time.Time
}

// RecallHit is one experience, with why it is here.
type RecallHit struct {
	Episode *memory.Episode
	Rank    int // from 1
	Score   ranking.Score
	Reasons []string
}

// FeedbackReceipt is a feedback as recorded, and its episode's aggregate score including it; nil where
// its episode is not known yet.
type FeedbackReceipt struct {
	Feedback               *memory.Feedback
	AggregateFeedbackScore *float64
}

// BackfillResult counts what a backfill linked.
type BackfillResult struct {
	LinkedCanvases int `json:"linkedCanvases"`
	LinkedFeedback int `json:"linkedFeedback"`
	Episodes       int `json:"episodes"`
}
