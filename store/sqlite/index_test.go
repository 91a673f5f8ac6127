package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
	"mneme/store/storetest"
)

// requireWordsAgree checks that the passages are those of the records, and their index is whole.
func requireWordsAgree(t require.TestingT, tenant *Tenant) {
	require.NoError(t, tenant.file.Write(context.Background(), func(c *db.Tx) error {
		wrong, err := passages.CountWrong(context.Background(), c.Conn)
		require.Zero(t, wrong)
		return errors.Join(err, c.Conn.Script(`INSERT INTO passage_words (passage_words) VALUES ('integrity-check')`))
	}))
}

// saying are the keys of the episodes that have words of a text.
func (t *Tenant) saying(tb testing.TB, text string) []string {
	tb.Helper()
	found, _, err := t.PassagesByWords(tb.Context(), strings.Fields(lexical.Stems(text)), store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 100})
	require.NoError(tb, err)
	keys := []string{}
	for _, p := range found {
		keys = append(keys, p.Key)
	}
	return keys
}

func TestWordIndexFollowsTheEpisodes(t *testing.T) {
	t.Parallel()
	backend := openBackend(t, t.TempDir())
	run := 0
	storetest.Check(t, 100, func(random *rapid.T) {
		run++
		bound, err := backend.Tenant(context.Background(), fmt.Sprint("t", run%4)) // few files, of which each goes on
		require.NoError(random, err)
		tenant, ok := bound.(*Tenant)
		require.True(random, ok)
		_, err = tenant.InputKey(context.Background()) // before what is hashed with it
		require.NoError(random, err)
		known := map[string]bool{}
		for range rapid.IntRange(1, 8).Draw(random, "steps") {
			key := fmt.Sprint(run, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(random, "key"))
			if known[key] {
				require.NoError(random, storetest.Delete(context.Background(), tenant, memory.KindEpisode, key))
			} else {
				recordAndConclude(random, tenant, key)
			}
			known[key] = !known[key]
		}
		requireWordsAgree(random, tenant)
		maps.DeleteFunc(known, func(_ string, there bool) bool { return !there })
		for key := range known {
			require.NoError(random, storetest.Delete(context.Background(), tenant, memory.KindEpisode, key))
		}
		requireWordsAgree(random, tenant)
		count, err := tenant.count(context.Background(), `SELECT count(*) FROM passages`, nil)
		require.NoError(random, err)
		require.Zero(random, count)
	})
}

func recordAndConclude(random *rapid.T, tenant *Tenant, key string) {
	r := record(key, rapid.String().Draw(random, "observation"))
	r.Episode.Title = rapid.SampledFrom([]string{"", "Flights", "flight, flight"}).Draw(random, "title")
	r.Episode.Outcome, r.Episode.Concluded = memory.OutcomeUnknown, false
	_, err := store.Record(context.Background(), tenant, []store.EpisodeRecord{r})
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
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	for i, text := range []string{
		`"`, `' OR 1=1 --`, `title:walrus`, `NEAR(a b)`, `walrus*`, `^walrus`, `(walrus`, `{title observation}: walrus`,
		"a\x00b", "صה\"ل", `צה"ל`, "日本語", "NOT walrus AND", "3.5 e.g. o'hare x:y a,b 1,5;2",
	} {
		key := fmt.Sprint("e", i)
		tenant.mustRecord(t, record(key, text))
		if found := tenant.saying(t, text); lexical.Stems(text) != "" {
			assert.Contains(t, found, key, text)
		}
	}
}

// Whatever is damaged in passages and their index, it is found, and made anew of the records.
func TestDamagedPassagesAreMadeAnew(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"no passages":       `DELETE FROM passages`,
		"no table":          `DROP TABLE passages`,
		"no numbers":        `DELETE FROM passage_last`,
		"no structure":      `DELETE FROM passage_words_data WHERE id = 10`,
		"no pages":          `DELETE FROM passage_words_data WHERE id > 10`,
		"garbage for pages": `UPDATE passage_words_data SET block = x'0102' WHERE id > 10`,
		"no data":           `DELETE FROM passage_words_data`,
		"no settings":       `DELETE FROM passage_words_config`,
		"no sizes":          `DELETE FROM passage_words_docsize`,
		"no table of pages": `DROP TABLE passage_words_data`,
		"no table of sizes": `DROP TABLE passage_words_docsize`,
		"nothing":           `DROP TABLE passage_words; DROP TABLE passages; DROP TABLE passage_owners; DROP TABLE passage_last`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			backend := openBackend(t, dir)
			tenant := bindTenant(t, backend)
			furnish(t, tenant)
			require.NoError(t, backend.Close(t.Context()))
			tamper(t, dir, sql)
			backend = openBackend(t, dir)
			found := examined(t, backend)
			assert.NotEmpty(t, found["schema"].Fault+found["passages"].Fault+found["integrity"].Fault)
			tenant = bindTenant(t, backend)
			putRight(t, backend, tenant)
			requireWordsAgree(t, tenant)
			tenant.mustRecord(t, record("e9", "a delayed walrus"))
			requireWhole(t, examined(t, backend))
		})
	}
}
