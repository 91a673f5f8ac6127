package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/memory/selection"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/storetest"
)

// crowdOfNotes is a crowd whose episodes are said again as observations, in sessions of ten.
func crowdOfNotes(t *testing.T, size int) (*Tenant, storetest.Crowd) {
	t.Helper()
	tenant, crowd := openTenant(t, t.TempDir()), storetest.Crowd{Size: size}
	require.NoError(t, crowd.Record(t.Context(), tenant, func(int) {}))
	var notes []store.ObservationRecord
	for i := range size {
		e := crowd.Episode(i).Episode
		notes = append(notes, store.ObservationRecord{InputHash: []byte{1}, Observation: memory.Observation{
			Key: fmt.Sprintf("note %d", i), SessionKey: e.SessionKey, Content: e.Observation, Importance: memory.ImportanceMedium,
			About: []string{}, Receipt: memory.Receipt{Redactions: []memory.Redaction{}}, CreatedAt: e.StartedAt,
		}})
	}
	_, err := tenant.RecordObservations(t.Context(), notes)
	require.NoError(t, err)
	return tenant, crowd
}

// With little data, little is looked at, or all would be.
func TestSearchAgreement(t *testing.T) {
	t.Parallel()
	tenant, crowd := crowdOfNotes(t, 1600)
	little, all := tenant.bounds, tenant.bounds
	little.Scored, little.Windows, little.Turns = 200, 50, 50
	all.Scored, all.Windows, all.Turns = 1<<20, 1<<20, 1<<20
	usual := func(i, words int) string {
		text, _ := crowd.Situation(i, words)
		return text
	}
	for name, text := range map[string]func(i int) string{
		"8 words":         func(i int) string { return usual(i, 8) },
		"30 words":        func(i int) string { return usual(i, 30) },
		"common words":    func(i int) string { return crowd.CommonSituation(i, 4) },
		"words of a time": func(i int) string { return usual(i, 8) + []string{" in July", " in October 2025", " on 7 March"}[i%3] },
		"words of one":    func(i int) string { return fmt.Sprintf("agent %d: ", i) + usual(i, 8) },
	} {
		for _, query := range []store.SearchQuery{
			{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 100},
			{Kinds: []memory.Kind{memory.KindEpisode, memory.KindObservation}, Limit: 100},
			{Kinds: []memory.Kind{memory.KindObservation}, Limit: 100, Neighbours: true},
		} {
			agreeing, wanted := 0, 0
			for i := range 10 {
				query.Text, tenant.bounds = text(i), all
				want, err := tenant.Search(t.Context(), query)
				require.NoError(t, err)
				tenant.bounds = little
				got, err := tenant.Search(t.Context(), query)
				require.NoError(t, err)
				got = got[:min(5, len(got))]
				for _, w := range want[:min(5, len(want))] {
					wanted++
					if slices.Contains(got, w) {
						agreeing++
					}
				}
			}
			t.Logf("%s, %v: %d of %d agree", name, query.Kinds, agreeing, wanted)
			assert.GreaterOrEqual(t, float64(agreeing), 0.99*float64(wanted), "%s, %v", name, query.Kinds)
		}
	}
}

// Where nothing but the match counts, as for the choice of an agent, many are nearly as good as one another.
func TestSimilarityAgreement(t *testing.T) {
	t.Parallel()
	tenant, crowd := openTenant(t, t.TempDir()), storetest.Crowd{Size: 3000}
	require.NoError(t, crowd.Record(t.Context(), tenant, func(int) {}))
	similar := func(query store.RecallQuery) (keys []string) {
		found, err := tenant.Candidates(t.Context(), query)
		require.NoError(t, err)
		for _, ranked := range ranking.Rank(found.Items, query.Weights, query.Now, query.Limit) {
			keys = append(keys, ranked.Key)
		}
		return keys
	}
	usual := tenant.bounds
	agreeing, wanted := 0, 0
	for i := range 10 {
		text, _ := crowd.Situation(i, 30)
		query := store.RecallQuery{
			Text: text, Now: storetest.CrowdNow, Limit: selection.SimilarLimit, Filter: store.EpisodeFilter{Outcome: new(memory.OutcomeFailure)},
			Weights: ranking.Weights{Semantic: 1, HalfLifeDays: 1, Feedback: ranking.FeedbackOff},
		}
		tenant.bounds.Look = 1 << 20
		want := similar(query)
		tenant.bounds = usual
		got := similar(query)
		for _, key := range want {
			wanted++
			if slices.Contains(got, key) {
				agreeing++
			}
		}
	}
	t.Logf("%d of %d agree", agreeing, wanted)
	assert.GreaterOrEqual(t, float64(agreeing), 0.99*float64(wanted))
}

// batchOfNotes are observations of a session, by key: of the first and the last few each has a time of its own, the others began
// a step after one another, or all together where that is nothing.
func batchOfNotes(t *testing.T, size int, step time.Duration) *Tenant {
	t.Helper()
	tenant := openTenant(t, t.TempDir())
	began := time.UnixMilli(1_700_000_000_000).UTC()
	var notes []store.ObservationRecord
	for i := range size {
		at := began.Add(time.Duration(i) * step)
		if i < 5 || i >= size-5 {
			at = began.Add(time.Duration(i-size/2) * time.Hour)
		}
		notes = append(notes, store.ObservationRecord{InputHash: []byte{1}, Observation: memory.Observation{
			Key: fmt.Sprintf("note %06d", i), SessionKey: new("s"), Content: fmt.Sprintf("the walrus swims in pool %d", i%7), Importance: memory.ImportanceMedium,
			About: []string{}, Receipt: memory.Receipt{Redactions: []memory.Redaction{}}, CreatedAt: at,
		}})
	}
	for part := range slices.Chunk(notes, 1000) {
		recorded, err := tenant.RecordObservations(t.Context(), part)
		require.NoError(t, err)
		for _, r := range recorded {
			require.NoError(t, r.Err)
		}
	}
	return tenant
}

// Observations that began together stand by their keys, as others by their times, and no fewer lend each other their words.
func TestNeighboursThatBeganTogether(t *testing.T) {
	t.Parallel()
	query := store.SearchQuery{Text: "walrus in pool 3", Kinds: []memory.Kind{memory.KindObservation}, Limit: 1000, Neighbours: true}
	together, apart := batchOfNotes(t, 200, 0), batchOfNotes(t, 200, time.Millisecond)
	found, err := together.Search(t.Context(), query)
	require.NoError(t, err)
	expected, err := apart.Search(t.Context(), query)
	require.NoError(t, err)
	require.Len(t, found, 200)
	require.Equal(t, expected, found)

	found, err = batchOfNotes(t, 10_000, 0).Search(t.Context(), query) // which took seconds, when they were sorted anew for each
	require.NoError(t, err)
	require.Len(t, found, 1000)
}

// When an observation is from stands in its row behind what it says: 20 searches that met 60 of a megabyte took five seconds to go through these.
func TestWhenALongObservationIsFromIsReadFromItsLink(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	for key, content := range map[string]string{"long": strings.Repeat("a refund was late. ", 500), "short": "a refund was late."} {
		_, err := tenant.RecordObservations(t.Context(), []store.ObservationRecord{{InputHash: []byte{1}, Observation: memory.Observation{
			Key: key, SessionKey: &key, Content: content, Importance: memory.ImportanceMedium,
			About: []string{}, Receipt: memory.Receipt{Redactions: []memory.Redaction{}}, CreatedAt: time.Date(2020, time.May, 7, 0, 0, 0, 0, time.UTC),
		}}})
		require.NoError(t, err)
	}
	near := func() map[string]float64 {
		found, err := tenant.Search(t.Context(), store.SearchQuery{
			Text: "refund in May 2020", Kinds: []memory.Kind{memory.KindObservation}, Limit: 10, Neighbours: true,
		})
		require.NoError(t, err)
		dates := map[string]float64{}
		for _, match := range found {
			dates[match.Key] = match.Parts.Date
		}
		return dates
	}
	require.Equal(t, map[string]float64{"long": 1, "short": 1}, near())
	require.NoError(t, tenant.file.Write(t.Context(), func(c *db.Conn) error { return c.Exec(`UPDATE observations SET created_at = 0`) }))
	require.Equal(t, map[string]float64{"long": 1, "short": 0}, near(), "of a short one the row is at hand")
}
