package find

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store/neo4j/graph"
)

// lookOf is a look at a tenant of so many episodes, one a second, of which every nth has the mark of a filter; one in 16 is sampled.
func lookOf(all, every int) *scoreLookup {
	taken := &sample{share: 1.0 / 16, indexed: float64(all)}
	l := &scoreLookup{sample: taken, v: "v", times: stretch{"v=000000", "v=999999"}}
	for i := 0; i < all; i += 16 {
		seen := seenRecord{second: fmt.Sprintf("v=%06d", i)}
		if every > 0 && i/16%every == 0 {
			seen.marks = []string{"v#mark"}
		}
		taken.seen = append(taken.seen, seen)
	}
	if every > 0 {
		l.marks = []anyMark{{"v#mark"}}
	}
	inStretch, passing := taken.passing(l.times, l.marks)
	l.inStretch, l.passing = float64(inStretch)/taken.share, float64(passing)/taken.share
	return l
}

// grown is a look at a tenant that has so many more by now.
func grown(l *scoreLookup, more float64) *scoreLookup {
	l.grown = more
	return l
}

// unseen is that look where none of the sample passes.
func unseen(l *scoreLookup, more float64) *scoreLookup {
	l.passing = 0
	return grown(l, more)
}

func TestMarksThatARecordHas(t *testing.T) {
	has := []string{"v#agent", "v#failed"}
	for _, wanted := range [][]anyMark{nil, {{"v#agent"}}, {{"v#succeeded", "v#failed"}}, {{"v#agent"}, {"v#failed", "v#succeeded"}}} {
		require.True(t, hasAll(has, wanted), wanted)
	}
	for _, wanted := range [][]anyMark{{{}}, {{"v#succeeded"}}, {{"v#failed"}, {"v#other", "v#succeeded"}}} {
		require.False(t, hasAll(has, wanted), wanted)
	}
}

func TestHeads(t *testing.T) {
	const marked = ` +words:("v#mark")^0`
	for _, tt := range []struct {
		name   string
		look   *scoreLookup
		having int // episodes that have the word, of all
		all    int
		form   graph.EpisodeShape
		boosts bool
		want   []string // how many of each, and what is required of them
		cut    bool
	}{
		{"no more than are ranked match", lookOf(20_000, 0), 249, 20_000, graph.EpisodeShape{}, true, []string{"600"}, false},
		{"no more matched when they were counted, which may be before", lookOf(20_000, 0), 600, 20_000, graph.EpisodeShape{}, true, []string{
			"600", "2048 +words:[v=010000 TO v=999999]^0", `600 +boosted:("v_lima")^0`,
		}, false},
		{"nothing is known of many", &scoreLookup{sample: &sample{}, v: "v"}, 1900, 1900, graph.EpisodeShape{}, true, []string{"1900"}, false},
		{"very many, of which nothing is known", &scoreLookup{sample: &sample{}, v: "v"}, 20_000, 20_000, graph.EpisodeShape{}, true, []string{"10000"}, false},
		{"nobody that was seen passes, and many may", unseen(lookOf(20_000, 0), 1000), 20_000, 20_000, graph.EpisodeShape{}, false, []string{"1048"}, false},
		{"many came since", grown(lookOf(16_000, 0), 1000), 17_000, 17_000, graph.EpisodeShape{}, false, []string{"600", "2048 +words:[v=013952 TO v=999999]^0"}, false},
		{"as many as are counted at most", lookOf(16_000, 0), 10_000, 16_000, graph.EpisodeShape{ByScore: true}, false, []string{
			"10000", "2048 +words:[v=012720 TO v=999999]^0",
		}, true},
		{"no more pass than are looked through for as many as match", lookOf(8000, 0), 1200, 8000, graph.EpisodeShape{}, true, []string{
			"1200", `1200 +boosted:("v_lima")^0`,
		}, false},
		{"of more, the newest", lookOf(40_000, 0), 12_000, 40_000, graph.EpisodeShape{}, true, []string{
			"600", "2048 +words:[v=033168 TO v=999999]^0", `600 +boosted:("v_lima")^0`,
		}, false},
		{"of which few match", lookOf(40_000, 0), 1200, 40_000, graph.EpisodeShape{}, false, []string{
			"600", "2048 +words:[v=030000 TO v=999999]^0",
		}, false},
		{"few can pass", lookOf(20_000, 100), 20_000, 20_000, graph.EpisodeShape{}, true, []string{"600" + marked}, false},
		{"all match", lookOf(16_000, 0), 16_000, 16_000, graph.EpisodeShape{}, true, []string{
			"600", "2048 +words:[v=013952 TO v=999999]^0", `600 +boosted:("v_lima")^0`,
		}, false},
		{"one in ten match", lookOf(16_000, 0), 1600, 16_000, graph.EpisodeShape{}, false, []string{
			"600", "2048 +words:[v=006000 TO v=999999]^0",
		}, false},
		{"those that pass are not as the others", lookOf(16_000, 10), 1600, 16_000, graph.EpisodeShape{}, false, []string{
			"1600" + marked,
		}, false},
		{"what the index cannot tell", lookOf(16_000, 0), 11_000, 16_000, graph.EpisodeShape{ByScore: true}, false, []string{
			"10000", "2048 +words:[v=013008 TO v=999999]^0",
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := &recallPlan{asked: bestOf(terms("lima"), tt.having, tt.all), form: tt.form, weights: ranking.DefaultWeights}
			plan.asked.common = min(1, float64(tt.having)/float64(tt.all))
			heads, cut := plan.heads(tt.look, mostPromised+1, tt.boosts)
			best, found := plan.asked.best("v", memory.KindEpisode, tt.look.indexed), []string{}
			for _, head := range heads {
				required := strings.TrimPrefix(strings.TrimPrefix(fmt.Sprint(head["text"]), "+"), best)
				found = append(found, fmt.Sprint(head["most"], required))
			}
			require.Equal(t, tt.want, found)
			require.Equal(t, tt.cut, cut)
		})
	}
}
