package meaning

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/store/vectors"
)

type paraphrase struct {
	far              bool
	record, question string
}

// paraphrases are what agents did, and how people ask for it later.
func paraphrases(t *testing.T) (pairs []paraphrase) {
	t.Helper()
	text, err := os.ReadFile("testdata/paraphrases.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, fields, 3)
		pairs = append(pairs, paraphrase{fields[0] == "far", fields[1], fields[2]})
	}
	require.Len(t, pairs, 100)
	return pairs
}

// Of the hundred records the right one comes first, or among the first five, by vector alone.
func TestParaphrasesFindTheirRecord(t *testing.T) {
	t.Parallel()
	pairs := paraphrases(t)
	code := func(text string) []int8 {
		v := encode(t, text)
		return vectors.Code(v[:])
	}
	records := make([][]int8, len(pairs))
	for i, pair := range pairs {
		records[i] = code(pair.record)
	}
	first, fifth := map[bool]int{}, map[bool]int{}
	for i, pair := range pairs {
		question, before := code(pair.question), 0
		for j := range records {
			if j != i && vectors.Cosine(question, records[j]) >= vectors.Cosine(question, records[i]) {
				before++
			}
		}
		if before == 0 {
			first[pair.far]++
		}
		if before < 5 {
			fifth[pair.far]++
		}
	}
	t.Logf("first of a hundred: %d of 50 that share few words, %d of 50 that share some", first[true], first[false])
	t.Logf("among the first five: %d and %d", fifth[true], fifth[false])
	require.Equal(t, [4]int{25, 50, 42, 50}, [4]int{first[true], first[false], fifth[true], fifth[false]})
}
