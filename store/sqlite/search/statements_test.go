package search

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/memory/retrieval"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

// finder finds in a new file in memory.
func finder(t *testing.T) (*db.Conn, Finder) {
	t.Helper()
	c, err := db.Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	require.NoError(t, schema.Own.Make(c))
	return c, Finder{func(_ context.Context, do func(*db.Conn) error) error { return do(c) }}
}

// What finds passages fits on a screen, whatever is asked for.
func TestStatementsAreShort(t *testing.T) {
	t.Parallel()
	c, f := finder(t)
	require.NoError(t, c.Script(`INSERT INTO nodes (id, kind, key) VALUES (1, 'agent', 'a'), (2, 'session', 's'), (3, 'memoir', 'm')`))
	at, number := time.Unix(0, 0), 1.0
	filter := store.EpisodeFilter{
		Agent: new("a"), Session: new("s"), TaskType: new("t"), UserFilter: store.UserFilter{User: new("u"), Shared: true}, Outcome: new(memory.OutcomeSuccess), CanvasType: new("form"),
		CanvasAction: new(memory.CanvasSubmit), MinFeedback: &number, MaxFeedback: &number, Since: &at, Until: &at,
	}
	weight := &store.Weighing{Policy: decay.UseFades, Now: at}
	builtIn := meaning.Vector{1}
	for _, among := range []store.Among{
		{Kinds: []memory.Kind{memory.KindEpisode}, Filter: filter}, {Kinds: []memory.Kind{memory.KindEpisode}, Filter: filter, AsOf: &at},
		{Kinds: []memory.Kind{memory.KindObservation}, Session: new("s"), Weight: weight}, {Kinds: []memory.Kind{memory.KindConcept}, Memoir: new("m"), Labels: []string{"l"}},
		{Kinds: []memory.Kind{memory.KindCorrection}, Topic: new("t")},
	} {
		among.Limit, among.ToRank = 10, true
		_, _, err := f.PassagesByWords(t.Context(), []string{"a", "b"}, among)
		require.NoError(t, err)
		for _, question := range []store.Question{{BuiltIn: &builtIn}, {Embedding: []float32{1, 2}}} {
			_, _, err = f.PassagesByMeaning(t.Context(), question, among)
			require.NoError(t, err)
		}
		_, err = f.PassagesBeside(t.Context(), []store.FoundPassage{{Kind: memory.KindObservation}}, 4, store.UserFilter{User: new("u"), Shared: true})
		require.NoError(t, err)
		_, err = f.Rarities(t.Context(), []string{"a"})
		require.NoError(t, err)
		require.NoError(t, rank(t.Context(), c, []store.FoundPassage{{Kind: memory.KindEpisode, Key: "e"}}, &among))
		_, _, err = f.NewestAndBoosted(t.Context(), among)
		require.NoError(t, err)
	}
	asked := c.Statements()
	assert.Greater(t, len(asked), 20)
	for _, sql := range asked {
		assert.LessOrEqual(t, len(sql), 2500, sql)
		assert.LessOrEqual(t, strings.Count(sql, "\n")+1, 40, sql)
	}
}

// A load that is cut off takes nothing in, so that the next one misses nothing and takes nothing in twice.
func TestALoadThatIsCutOffBeginsAnew(t *testing.T) {
	t.Parallel()
	c, f := finder(t)
	first, _ := passages.Range(memory.KindMemoir)
	say := func(number int64) {
		require.NoError(t, c.Script(fmt.Sprintf(`INSERT INTO nodes (id, kind, key) VALUES (%[1]d, 'memoir', 'm%[1]d');
			INSERT INTO passage_owners (node, first, second, third, fourth, at, left_out) VALUES (%[1]d, 0, 0, 0, 0, 0, 0);
			INSERT INTO passages (id, node, number, part, position, step, at, text) VALUES (%[2]d, %[1]d, 0, 'TEXT', 0, '', 0, 'walrus')`, number, first+number)))
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for number := range int64(3) {
		say(1 + number)
		_, err := f.Rarities(ended, []string{"walrus"})
		require.Error(t, err)
		told, err := f.Rarities(t.Context(), []string{"walrus"})
		require.NoError(t, err)
		there := int(1 + number)
		assert.Equal(t, []float64{retrieval.Rarity(there, there)}, told)
	}
}
