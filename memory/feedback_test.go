package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/memorytest"
)

func TestFeedbackScore(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind   memory.FeedbackType
		rating *int
		want   float64
	}{
		"thumbs up":   {memory.FeedbackThumbsUp, nil, 1},
		"thumbs down": {memory.FeedbackThumbsDown, nil, -1},
		"rating 1":    {memory.FeedbackRating, new(1), -1},
		"rating 2":    {memory.FeedbackRating, new(2), -0.5},
		"rating 3":    {memory.FeedbackRating, new(3), 0},
		"rating 4":    {memory.FeedbackRating, new(4), 0.5},
		"rating 5":    {memory.FeedbackRating, new(5), 1},

		"thumbs up, 5 stars":   {memory.FeedbackThumbsUp, new(5), 1},
		"thumbs up, 4 stars":   {memory.FeedbackThumbsUp, new(4), 1},
		"thumbs up, 3 stars":   {memory.FeedbackThumbsUp, new(3), 1},
		"thumbs down, 3 stars": {memory.FeedbackThumbsDown, new(3), -1},
		"thumbs down, 2 stars": {memory.FeedbackThumbsDown, new(2), -1},
		"thumbs down, 1 star":  {memory.FeedbackThumbsDown, new(1), -1},
	} {
		t.Run(name, func(t *testing.T) {
			score, err := memory.FeedbackScore(test.kind, test.rating)
			require.NoError(t, err)
			assert.Equal(t, test.want, score)
		})
	}
}

func TestFeedbackScoreRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind   memory.FeedbackType
		rating *int
		field  string
	}{
		"rating 0":              {memory.FeedbackRating, new(0), "rating"},
		"rating 6":              {memory.FeedbackRating, new(6), "rating"},
		"rating -1":             {memory.FeedbackRating, new(-1), "rating"},
		"a rating without one":  {memory.FeedbackRating, nil, "rating"},
		"thumbs up, 2 stars":    {memory.FeedbackThumbsUp, new(2), "rating"},
		"thumbs up, 1 star":     {memory.FeedbackThumbsUp, new(1), "rating"},
		"thumbs down, 4 stars":  {memory.FeedbackThumbsDown, new(4), "rating"},
		"thumbs down, 5 stars":  {memory.FeedbackThumbsDown, new(5), "rating"},
		"thumbs up, 6 stars":    {memory.FeedbackThumbsUp, new(6), "rating"},
		"thumbs down, no star":  {memory.FeedbackThumbsDown, new(0), "rating"},
		"an unknown type":       {"STARS", new(3), "type"},
		"a type of lower case":  {"thumbs_up", nil, "type"},
		"a type that is nobody": {"", nil, "type"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := memory.FeedbackScore(test.kind, test.rating)
			memorytest.RequireInvalid(t, test.field, err)
		})
	}
}

func TestAggregateIsTheMeanAndNullWithoutFeedback(t *testing.T) {
	t.Parallel()
	assert.Nil(t, (&memory.Episode{}).AggregateFeedbackScore())
	assert.Equal(t, 0.0, *(&memory.Episode{FeedbackSum: 0, FeedbackCount: 2}).AggregateFeedbackScore())
	assert.Equal(t, -0.25, *(&memory.Episode{FeedbackSum: -1, FeedbackCount: 4}).AggregateFeedbackScore())
}
