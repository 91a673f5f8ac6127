package sqlite

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

// requireWordsAgree checks that the index is whole, and that stems counts what is in it.
func requireWordsAgree(t require.TestingT, tenant *Tenant) {
	counted, entries := map[string]int64{}, map[string]int64{}
	gather := func(into map[string]int64) func(*row) error {
		return func(r *row) error {
			into[r.text()] = r.integer()
			return nil
		}
	}
	require.NoError(t, tenant.write(context.Background(), func(c *conn) error {
		for _, table := range []string{"words", "notes"} {
			if err := c.script(fmt.Sprintf(`INSERT INTO %[1]s (%[1]s) VALUES ('integrity-check');
				CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary_of_%[1]s USING fts5vocab('main', '%[1]s', 'row')`, table)); err != nil {
				return err
			}
			if err := c.query(`SELECT term, doc FROM temp.vocabulary_of_`+table, gather(entries)); err != nil {
				return err
			}
		}
		return c.query(`SELECT iif(kind = 'episode', '', kind || '/') || stem, records FROM stems WHERE stem <> ''`, gather(counted))
	}))
	require.Equal(t, entries, counted)
}

func TestWordIndexFollowsTheEpisodes(t *testing.T) {
	backend := openBackend(t, t.TempDir())
	run := 0
	rapid.Check(t, func(random *rapid.T) {
		run++
		bound, err := backend.Tenant(context.Background(), fmt.Sprint("t", run%4)) // few files, of which each goes on
		require.NoError(random, err)
		tenant, ok := bound.(*Tenant)
		require.True(random, ok)
		known := map[string]bool{}
		for range rapid.IntRange(1, 8).Draw(random, "steps") {
			key := fmt.Sprint(run, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(random, "key"))
			if known[key] {
				require.NoError(random, tenant.DeleteEpisode(context.Background(), key))
			} else {
				recordAndConclude(random, tenant, key)
			}
			known[key] = !known[key]
		}
		requireWordsAgree(random, tenant)
		maps.DeleteFunc(known, func(_ string, there bool) bool { return !there })
		for key := range known {
			require.NoError(random, tenant.DeleteEpisode(context.Background(), key))
		}
		requireWordsAgree(random, tenant)
		count, err := tenant.count(context.Background(), `SELECT count(*) FROM stems`, nil)
		require.NoError(random, err)
		require.Zero(random, count)
	})
}

func recordAndConclude(random *rapid.T, tenant *Tenant, key string) {
	r := record(key, rapid.String().Draw(random, "observation"))
	r.Episode.Title = rapid.SampledFrom([]string{"", "Flights", "flight, flight"}).Draw(random, "title")
	r.Episode.Outcome, r.Episode.Concluded = memory.OutcomeUnknown, false
	_, err := tenant.RecordEpisodes(context.Background(), []store.EpisodeRecord{r})
	require.NoError(random, err)
	if rapid.Bool().Draw(random, "concluded") {
		result := rapid.String().Draw(random, "result")
		require.NoError(random, tenant.ConcludeEpisode(context.Background(), store.EpisodeConclusion{
			Key: key, Outcome: memory.OutcomeSuccess, Result: &result, Insight: &result,
		}))
	}
}

// What a situation says is never query syntax, and finds the text that it is.
func TestSituationsAreNoQueries(t *testing.T) {
	tenant := openTenant(t, t.TempDir())
	for i, text := range []string{
		`"`, `' OR 1=1 --`, `title:walrus`, `NEAR(a b)`, `walrus*`, `^walrus`, `(walrus`, `{title observation}: walrus`,
		"a\x00b", "صה\"ل", `צה"ל`, "日本語", "NOT walrus AND", "3.5 e.g. o'hare x:y a,b 1,5;2",
	} {
		key := fmt.Sprint("e", i)
		tenant.mustRecord(t, record(key, text))
		found, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: text, Limit: 100})
		require.NoError(t, err, text)
		keys := []string{}
		for _, item := range found.Items {
			keys = append(keys, item.Key)
		}
		assert.Contains(t, keys, key, text)
	}
}
