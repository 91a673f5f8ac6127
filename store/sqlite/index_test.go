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
	"mneme/store/sqlite/db"
	"mneme/store/storetest"
)

// requireWordsAgree checks that the index is whole, and that stems counts what is in it.
func requireWordsAgree(t require.TestingT, tenant *Tenant) {
	counted, entries := map[string]int64{}, map[string]int64{}
	gather := func(into map[string]int64) func(*db.Row) error {
		return func(r *db.Row) error {
			into[r.Text()] = r.Integer()
			return nil
		}
	}
	require.NoError(t, tenant.file.Write(context.Background(), func(c *db.Conn) error {
		for _, table := range []string{"words", "notes"} {
			if err := c.Script(fmt.Sprintf(`INSERT INTO %[1]s (%[1]s) VALUES ('integrity-check');
				CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary_of_%[1]s USING fts5vocab('main', '%[1]s', 'row')`, table)); err != nil {
				return err
			}
			if err := c.Query(`SELECT term, doc FROM temp.vocabulary_of_`+table, gather(entries)); err != nil {
				return err
			}
		}
		return c.Query(`SELECT iif(kind = 'episode', '', kind || '/') || stem, records FROM stems WHERE trim(stem) <> ''`, gather(counted))
	}))
	require.Equal(t, entries, counted)
}

func TestWordIndexFollowsTheEpisodes(t *testing.T) {
	t.Parallel()
	backend := openBackend(t, t.TempDir())
	run := 0
	rapid.Check(t, func(random *rapid.T) {
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
	t.Parallel()
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

// Whatever is damaged in the word index, it is found, and made anew of the records.
func TestDamagedWordIndexesAreMadeAnew(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"no bags":           `DELETE FROM bags`,
		"a bag":             `UPDATE bags SET bag = '2 delai walru' WHERE id = (SELECT min(id) FROM bags)`,
		"no bag at all":     `UPDATE bags SET bag = 'damaged' WHERE id = (SELECT max(id) FROM bags)`,
		"no table of bags":  `DROP TABLE bags`,
		"lengths":           `UPDATE stems SET records = records + 1 WHERE stem = ' '`,
		"no structure":      `DELETE FROM notes_data WHERE id = 10`,
		"no pages":          `DELETE FROM words_data WHERE id > 10; DELETE FROM notes_data WHERE id > 10`,
		"garbage for pages": `UPDATE words_data SET block = x'0102' WHERE id > 10`,
		"no data":           `DELETE FROM words_data`,
		"no settings":       `DELETE FROM words_config`,
		"no pages' places":  `DELETE FROM words_idx`,
		"no stems":          `DELETE FROM stems`,
		"no table of stems": `DROP TABLE stems`,
		"no table":          `DROP TABLE words`,
		"no table of pages": `DROP TABLE notes_data`,
		"nothing":           `DROP TABLE words; DROP TABLE notes; DROP TABLE stems; DROP TABLE bags`,

		"no passages":                   `DELETE FROM passages`,
		"no table of passages":          `DROP TABLE passages`,
		"no totals of passages":         `DELETE FROM passage_totals`,
		"no structure of passages":      `DELETE FROM passage_words_data WHERE id = 10`,
		"no pages of passages":          `DELETE FROM passage_words_data WHERE id > 10`,
		"garbage for pages of passages": `UPDATE passage_words_data SET block = x'0102' WHERE id > 10`,
		"no data of passages":           `DELETE FROM passage_words_data`,
		"no settings of passages":       `DELETE FROM passage_words_config`,
		"no sizes of passages":          `DELETE FROM passage_words_docsize`,
		"no table of pages of passages": `DROP TABLE passage_words_data`,
		"no table of sizes of passages": `DROP TABLE passage_words_docsize`,
		"nothing of passages":           `DROP TABLE passage_words; DROP TABLE passages; DROP TABLE passage_owners; DROP TABLE passage_totals`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			backend := openBackend(t, dir)
			tenant := bindTenant(t, backend)
			furnish(t, tenant)
			require.NoError(t, backend.Close(t.Context()))
			tamper(t, dir, sql)
			backend = openBackend(t, dir)
			if sql != `DELETE FROM words_idx` { // of so few pages FTS5 needs none
				found := examined(t, backend)
				assert.NotEmpty(t, found["schema"].Fault+found["word index"].Fault+found["passages"].Fault+found["integrity"].Fault)
			}
			tenant = bindTenant(t, backend)
			putRight(t, backend, tenant)
			requireWordsAgree(t, tenant)
			tenant.mustRecord(t, record("e9", "a delayed walrus"))
			requireWhole(t, examined(t, backend))
		})
	}
}
