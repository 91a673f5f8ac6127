package matching_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory/matching"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	at := time.Date(2023, time.May, 9, 12, 0, 0, 0, time.UTC)
	dates := func(query string) []matching.Date { return matching.Dates(query) }
	for name, test := range map[string]struct {
		parts   matching.Parts
		dates   []matching.Date
		speaker string
		want    []string
	}{
		"nothing":             {},
		"its words":           {matching.Parts{Match: matching.Match{Words: 0.62, Own: 0.62}}, nil, "", []string{"has the words: .62"}},
		"all words":           {matching.Parts{Match: matching.Match{Words: 1, Own: 1}}, nil, "", []string{"has the words: 1"}},
		"beside them":         {matching.Parts{Match: matching.Match{Words: 0.4}}, nil, "", []string{"said next to it"}},
		"some, and beside":    {matching.Parts{Match: matching.Match{Words: 0.4, Own: 0.1}}, nil, "", []string{"has the words: .10", "said next to it"}},
		"hardly a word":       {matching.Parts{Match: matching.Match{Words: 0.01, Own: 0.01}}, nil, "", nil},
		"its meaning":         {matching.Parts{Meaning: 0.71, Compared: true}, nil, "", []string{"means the same: .71"}},
		"about its meaning":   {matching.Parts{Meaning: 0.38, Compared: true}, nil, "", []string{"means something like it: .38"}},
		"another meaning":     {matching.Parts{Meaning: 0.29, Compared: true}, nil, "", nil},
		"a meaning not asked": {matching.Parts{Meaning: 0.71}, nil, "", nil},
		"the month":           {matching.Parts{Date: 1}, dates("in May 2023"), "", []string{"in May 2023"}},
		"the day":             {matching.Parts{Date: 1}, dates("on 9 May"), "", []string{"on 9 May"}},
		"the year":            {matching.Parts{Date: 1}, dates("in 2023"), "", []string{"in 2023"}},
		"days after":          {matching.Parts{Date: 0.9}, dates("on 7 May 2023"), "", []string{"2 days after 7 May 2023"}},
		"a day before":        {matching.Parts{Date: 0.9}, dates("on 10 May 2023"), "", []string{"1 day before 10 May 2023"}},
		"the nearest of two":  {matching.Parts{Date: 1}, dates("in March or on 9 May"), "", []string{"on 9 May"}},
		"two weeks after":     {matching.Parts{}, dates("on 26 April 2023"), "", []string{"13 days after 26 April 2023"}},
		"more than two weeks": {matching.Parts{}, dates("on 20 April 2023"), "", nil},
		"long after":          {matching.Parts{}, dates("in March 2023"), "", nil},
		"the speaker":         {matching.Parts{Speaker: 1}, nil, "Ann", []string{"said by Ann"}},
		"all, in their order": {
			matching.Parts{Match: matching.Match{Words: 0.6, Own: 0.2}, Meaning: 0.5, Compared: true, Date: 1, Speaker: 1}, dates("in 2023"), "Ann",
			[]string{"has the words: .20", "said next to it", "means the same: .50", "in 2023", "said by Ann"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, matching.Reasons(test.parts, test.dates, at, test.speaker))
		})
	}
}

func TestHasWords(t *testing.T) {
	t.Parallel()
	assert.True(t, matching.HasWords(matching.Parts{Match: matching.Match{Words: 0.05, Own: 0.05}}))
	assert.True(t, matching.HasWords(matching.Parts{Match: matching.Match{Words: 0.4}}), "said next to it")
	assert.False(t, matching.HasWords(matching.Parts{Match: matching.Match{Words: 0.04, Own: 0.04}, Meaning: 0.9, Compared: true}))
}

func TestIsClear(t *testing.T) {
	t.Parallel()
	assert.True(t, matching.IsClear(matching.Parts{Match: matching.Match{Words: 0.05, Own: 0.05}}))
	assert.True(t, matching.IsClear(matching.Parts{Meaning: 0.5, Compared: true}))
	assert.True(t, matching.IsClear(matching.Parts{Meaning: 0.1, Compared: true, Wordless: true}), "there is nothing else to go by")
	assert.False(t, matching.IsClear(matching.Parts{Match: matching.Match{Words: 0.04}, Meaning: 0.49, Compared: true}))
	assert.True(t, matching.IsClear(matching.Parts{Date: 0.25}))
	assert.False(t, matching.IsClear(matching.Parts{Date: 0.2}), "every record is a little near to every time")
	assert.False(t, matching.IsClear(matching.Parts{}))
}

func TestIsFaint(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, 0.4, matching.LeastBeside(0.5), 1e-12)
	assert.InDelta(t, 0.36, matching.LeastBeside(0.45), 1e-12)
	assert.Zero(t, matching.LeastBeside(0.44), "nothing is near, so all that is like it may be meant")
	assert.InDelta(t, 0.5, matching.LeastBeside(0.95), 1e-12, "what means the same is not faint")
	for name, test := range map[string]struct {
		parts matching.Parts
		want  bool
	}{
		"less":                      {matching.Parts{Meaning: 0.39, Compared: true}, true},
		"as much":                   {matching.Parts{Meaning: 0.4, Compared: true}, false},
		"less, with words":          {matching.Parts{Match: matching.Match{Own: 0.05, Words: 0.05}, Meaning: 0.1, Compared: true}, false},
		"less, in the month":        {matching.Parts{Meaning: 0.1, Compared: true, Date: 1}, false},
		"without a vector":          {matching.Parts{}, false},
		"far from the month":        {matching.Parts{Meaning: 0.1, Compared: true, Date: 0.2}, true},
		"of a query without words":  {matching.Parts{Meaning: 0.1, Compared: true, Wordless: true}, false},
		"less, with a word of many": {matching.Parts{Match: matching.Match{Own: 0.04, Words: 0.04}, Meaning: 0.3, Compared: true}, true},
	} {
		assert.Equal(t, test.want, matching.IsFaint(test.parts, 0.4), name)
	}
}
