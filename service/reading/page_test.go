package reading

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

func TestCursorRoundTrip(t *testing.T) {
	t.Parallel()
	query := Fingerprint("episodes", store.EpisodeFilter{}, "FEEDBACK_DESC")
	half := 0.5
	for name, position := range map[string]store.Position{
		"by time":         {At: time.UnixMilli(1_700_000_000_123).UTC(), Key: "run-1"},
		"before 1970":     {At: time.UnixMilli(-5).UTC(), Key: "run-1"},
		"in the year 1":   {At: time.Time{}, Key: "run-1"},
		"at the epoch":    {At: time.UnixMilli(0).UTC(), Key: "run-1"},
		"by score":        {At: time.UnixMilli(1).UTC(), Value: &half, Key: "a:b/c"},
		"without a score": {At: time.UnixMilli(1).UTC(), Key: "ключ"},
		"by sequence":     {At: time.UnixMilli(0).UTC(), Sequence: 7},
	} {
		t.Run(name, func(t *testing.T) {
			text := Request{query: query}.cursor(position)
			got, err := PageRequest(PageInput{After: &text}, query, nil)
			require.NoError(t, err)
			require.Equal(t, position, *got.Page.After)
			require.Equal(t, DefaultPage, got.Page.Limit)
		})
	}
}

func TestPageInputIsChecked(t *testing.T) {
	t.Parallel()
	ours, theirs := Fingerprint("episodes"), Fingerprint("agents")
	foreign := Request{query: theirs}.cursor(store.Position{Key: "x"})
	garbage, notJSON, empty := "%%%", "bm90IGpzb24", ""
	early := Request{query: ours}.cursor(store.Position{At: time.UnixMilli(-1 << 60), Key: "x"})
	before := Request{query: ours}.cursor(store.Position{Sequence: -1})
	many, negative := MaxPage+1, -1
	for name, test := range map[string]struct {
		input PageInput
		field string
	}{
		"a cursor of another query": {PageInput{After: &foreign}, "after"},
		"not base64":                {PageInput{After: &garbage}, "after"},
		"not a cursor":              {PageInput{After: &notJSON}, "after"},
		"an empty cursor":           {PageInput{After: &empty}, "after"},
		"a time before all times":   {PageInput{After: &early}, "after"},
		"a place before the first":  {PageInput{After: &before}, "after"},
		"too many":                  {PageInput{First: &many}, "first"},
		"negative":                  {PageInput{First: &negative}, "first"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := PageRequest(test.input, ours, nil)
			var known *memory.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, memory.CodeInvalidInput, known.Code)
			require.Equal(t, test.field, known.Field)
		})
	}
}

func TestFingerprintTellsQueriesApart(t *testing.T) {
	t.Parallel()
	agent, other := "a", "b"
	require.Equal(t, Fingerprint("episodes", store.EpisodeFilter{Agent: &agent}), Fingerprint("episodes", store.EpisodeFilter{Agent: &agent}))
	require.NotEqual(t, Fingerprint("episodes", store.EpisodeFilter{Agent: &agent}), Fingerprint("episodes", store.EpisodeFilter{Agent: &other}))
	require.NotEqual(t, Fingerprint("episodes", store.EpisodeFilter{}, "STARTED_AT_ASC"), Fingerprint("episodes", store.EpisodeFilter{}, "STARTED_AT_DESC"))
}

func TestUntilInstantKeepsWhatWasKnownAtTheInstantItself(t *testing.T) {
	t.Parallel()
	instant := time.UnixMilli(1_700_000_000_123).UTC()
	position := UntilInstant(&instant)
	require.Equal(t, instant, position.At)
	require.Empty(t, position.Key, "every key follows the empty one")
	require.Nil(t, UntilInstant(nil))
}
