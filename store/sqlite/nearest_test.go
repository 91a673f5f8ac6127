package sqlite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/meanings"
	"mneme/store/storetest"
)

// topicWords are of which texts are made that mean different things.
var topicWords = strings.Fields(`refund flight luggage airport ticket passenger delay weather storm winter snow mountain river forest animal dog cat horse
	bird fish whale ocean ship harbour captain sailor rope engine car bicycle road bridge city street house kitchen bread cheese wine dinner guest friend
	family mother child school teacher lesson book library letter poem music violin concert theatre actor film camera photo colour painting museum statue
	king war soldier peace treaty law judge court crime police prison money bank loan tax market price shop customer order invoice software server error
	database network password hospital doctor nurse illness medicine heart blood bone sport football goal tennis race winner medal garden flower tree`)

func topicText(random *rand.Rand) string {
	said := make([]string, 6)
	for i := range said {
		said[i] = topicWords[random.IntN(len(topicWords))]
	}
	return strings.Join(said, " ")
}

func nearestKeys(t *testing.T, tenant *Tenant, text string, most int) []string {
	t.Helper()
	v, ok := meaning.Encode(text)
	require.True(t, ok)
	var keys []string
	require.NoError(t, tenant.file.Snapshot(t.Context(), func(c *db.Conn) error {
		nearest, err := meanings.Nearest(t.Context(), c, meanings.Wanted{Kind: memory.KindObservation, Query: v, Most: most})
		require.NoError(t, err)
		for _, near := range nearest {
			_, err := c.One(`SELECT key FROM nodes WHERE id = :id`, func(r *db.Row) { keys = append(keys, r.Text()) }, db.Arg("id", near.Node))
			require.NoError(t, err)
		}
		return nil
	}))
	return keys
}

// Among more than are compared, signatures find the nearest.
func TestNearestBySignatures(t *testing.T) {
	t.Parallel()
	const size, queries, most = 12_000, 30, 20
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	random := rand.New(rand.NewPCG(1, 14))
	records, vectors := make([]store.ObservationRecord, size), make([]meaning.Code, size)
	for i := range records {
		text := topicText(random)
		records[i] = notice(fmt.Sprintf("o%05d", i), text)
		v, ok := meaning.Encode(text)
		require.True(t, ok)
		vectors[i] = v.Code()
	}
	tenant.mustObserve(t, records...)
	found, wanted := 0, 0
	for range queries {
		text := topicText(random)
		v, _ := meaning.Encode(text)
		asked := v.Code()
		places := make([]int, size)
		for i := range places {
			places[i] = i
		}
		slices.SortFunc(places, func(a, b int) int {
			if x, y := asked.Cosine(&vectors[a]), asked.Cosine(&vectors[b]); x != y {
				return map[bool]int{true: -1, false: 1}[x > y]
			}
			return b - a
		})
		got := nearestKeys(t, tenant, text, most)
		for _, place := range places[:most] {
			wanted++
			if slices.Contains(got, records[place].Observation.Key) {
				found++
			}
		}
	}
	t.Logf("recall@%d of signatures among %d: %.3f", most, size, float64(found)/float64(wanted))
	assert.GreaterOrEqual(t, float64(found), 0.95*float64(wanted))
}

// Where not all vectors are compared, one that is nearer may be missing, and a recall says so, however few match by words.
func TestRecallSaysThatOthersMayBeNear(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	random := rand.New(rand.NewPCG(2, 14))
	recalls := func() bool {
		found, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: "an orchestra for pupils", Limit: 256, Top: 5, Now: noon})
		require.NoError(t, err)
		require.NotEmpty(t, found.Items)
		return found.Approximate
	}
	record := func(from, to int) {
		var records []store.EpisodeRecord
		for i := from; i < to; i++ {
			e := record(fmt.Sprintf("e%05d", i), topicText(random)).Episode
			e.Insight = topicText(random)
			records = append(records, store.EpisodeRecord{InputHash: []byte{1}, Episode: e})
		}
		_, err := tenant.RecordEpisodes(t.Context(), records)
		require.NoError(t, err)
	}
	record(0, 100)
	assert.False(t, recalls())
	record(100, 1500)
	assert.True(t, recalls())
}

// What is in memory follows what is written, by whom ever.
func TestNearestFollowsWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant, other := openTenant(t, dir), openTenant(t, dir)
	_, err := tenant.InputKey(t.Context()) // before what is hashed with it
	require.NoError(t, err)
	assert.Empty(t, nearestKeys(t, tenant, "a ship at sea", 5))
	tenant.mustObserve(t, notice("ship", "The boat sailed over the ocean"), notice("tax", "The bank asked for a loan"))
	assert.Equal(t, []string{"ship"}, nearestKeys(t, tenant, "a ship at sea", 1))
	assert.Equal(t, []string{"ship"}, nearestKeys(t, other, "a ship at sea", 1))
	other.mustObserve(t, notice("sailor", "A ship at sea"))
	assert.Equal(t, []string{"sailor", "ship"}, nearestKeys(t, tenant, "a ship at sea", 2))
	require.NoError(t, storetest.Delete(t.Context(), other, memory.KindObservation, "sailor"))
	assert.Equal(t, []string{"ship"}, nearestKeys(t, tenant, "a ship at sea", 2), "also where the deleted one was nearer")
	assert.Equal(t, []string{"ship"}, nearestKeys(t, tenant, "a ship at sea", 2), "and was swept")
	other.mustObserve(t, notice("sailor", "A ship at sea, again"))
	assert.Equal(t, []string{"sailor", "ship"}, nearestKeys(t, tenant, "a ship at sea", 2))
}
