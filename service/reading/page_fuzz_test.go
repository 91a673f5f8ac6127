package reading

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

// FuzzCursor: a forged cursor is INVALID_INPUT or a possible place; a cursor that was given out comes back as it was.
func FuzzCursor(f *testing.F) {
	query := Fingerprint("observations")
	f.Add(Request{query: query}.cursor(store.Position{At: time.UnixMilli(5), Key: "a"}), "a/b", int64(1_700_000_000_123), 7, 0.5)
	f.Add(`"a":1e300,"v":null,"k":"\u0000","s":-1`, "ключ", int64(-5), 0, -1e300)
	f.Add(`"p":"TIME_FADES","w":253402300799999`, "\xff", int64(0), 1<<31, 0.0)
	f.Add(`"p":"never","a":-62135596800001,"q":"other"`, "", int64(253402300799999), 1, 1e-300)
	f.Fuzz(func(t *testing.T, forged, key string, at int64, sequence int, value float64) {
		for _, after := range []string{forged, base64.RawURLEncoding.EncodeToString([]byte(`{"q":"` + query + `",` + forged + `}`))} {
			got, err := PageRequest(PageInput{After: &after}, query, nil)
			if err != nil {
				known, ok := errors.AsType[*memory.Error](err)
				require.True(t, ok && known.Code == memory.CodeInvalidInput && known.Field == "after", "%q: %v", after, err)
				continue
			}
			requirePlace(t, got, after)
		}

		given := Request{query: query, WeighedAt: WeighedAt{Policy: decay.TimeFades, At: time.UnixMilli(5).UTC()}}
		position := store.Position{At: time.UnixMilli(at).UTC(), Key: strings.ToValidUTF8(key, ""), Sequence: sequence, Value: &value}
		if at <= earliest || at > latest || sequence < 0 || sequence > maxSequence || len(key) > maxCursorKey || value-value != 0 {
			t.Skip("none is given out for it")
		}
		after := given.cursor(position)
		got, err := PageRequest(PageInput{After: &after}, query, nil)
		require.NoError(t, err)
		assert.Equal(t, position, *got.Page.After)
		assert.Equal(t, given.WeighedAt, got.WeighedAt)
	})
}

// requirePlace requires that a store can go on from where a cursor says, and that another says the same.
func requirePlace(t *testing.T, got Request, cursor string) {
	place := got.Page.After
	require.True(t, place.At.Year() >= 1 && place.At.Year() <= 9999 && place.Sequence >= 0 && utf8.ValidString(place.Key), "%q: %+v", cursor, place)
	require.Equal(t, got.Policy == "", got.At.IsZero() && got.Policy == "", "%q: %+v", cursor, got.WeighedAt)
	if place.At.IsZero() {
		return // a cursor says so of no time at all
	}
	again := got.cursor(*place)
	same, err := PageRequest(PageInput{After: &again}, got.query, nil)
	require.NoError(t, err)
	require.Equal(t, place, same.Page.After)
	require.Equal(t, got.WeighedAt, same.WeighedAt)
}
