package meaning

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// tokens are those of a text, unknown ones too.
func tokens(text string) (ids []int) {
	load().pieces.split(text, func(id int) { ids = append(ids, id) })
	return ids
}

// lines reads a file that scripts/meaning wrote.
func lines(t *testing.T, name string, each func(line []byte)) (count int) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	require.NoError(t, err)
	defer file.Close()
	packed, err := gzip.NewReader(file)
	require.NoError(t, err)
	scanner := bufio.NewScanner(packed)
	for scanner.Scan() {
		each(scanner.Bytes())
		count++
	}
	require.NoError(t, scanner.Err())
	return count
}

func TestTokensAreThoseOfTheLibrary(t *testing.T) {
	t.Parallel()
	count := lines(t, "texts.jsonl.gz", func(line []byte) {
		var text string
		var want []int
		require.NoError(t, json.Unmarshal(line, &[]any{&text, &want}))
		if got := tokens(text); !slices.Equal(got, want) {
			t.Errorf("%q\n got %v\nwant %v", text, got, want)
		}
	})
	require.Greater(t, count, 3000)
}

// Every character of Unicode, between two letters. Some hundred, of rare scripts, are of another category in the
// versions of Unicode that the library and Go have; a newer Go may differ in some more.
func TestCharactersAreThoseOfTheLibrary(t *testing.T) {
	t.Parallel()
	differ, seen := 0, 0
	lines(t, "characters.jsonl.gz", func(line []byte) {
		var first, last rune
		var want []int
		require.NoError(t, json.Unmarshal(line, &[]any{&first, &last, &want}))
		for r := first; r <= last; r++ {
			seen++
			if got := tokens("q" + string(r) + "q"); !slices.Equal(got, want) {
				require.Greater(t, r, rune(0x500), "%q: got %v, want %v", r, got, want)
				differ++
			}
		}
	})
	t.Logf("%d of %d differ", differ, seen)
	require.EqualValues(t, utf8.MaxRune+1-2048, seen, "all but the surrogates")
	require.Less(t, differ, 1000)
}

func TestWordsThatAreTooLongAreUnknown(t *testing.T) {
	t.Parallel()
	require.NotContains(t, tokens(strings.Repeat("a", 100)), unknown)
	require.Equal(t, []int{unknown}, tokens(strings.Repeat("a", 101)))
	require.Equal(t, []int{unknown}, tokens(strings.Repeat("a", 1<<20)))
}

func TestBytesThatAreNoTextAreLeftOut(t *testing.T) {
	t.Parallel()
	require.Equal(t, tokens("refund"), tokens("re\xff\xc3fu\x00nd\xe2\x82"))
}
