package sqlite

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/sqlite/find"
	"mneme/store/storetest"
)

// With little data, little is looked at, or all would be.
func TestAgreement(t *testing.T) {
	t.Parallel()
	storetest.RunAgreement(t, func(t *testing.T) store.Backend {
		backend := openBackend(t, t.TempDir())
		if os.Getenv("MNEME_TEST_AGREEMENT") == "" {
			backend.bounds.Look = 150
		}
		return backend
	})
}

// Histories that are imported one after the other are not recorded in the order in which they began: what is recent among them is
// found all the same.
func TestRecallOfWhatWasRecordedInNoOrder(t *testing.T) {
	t.Parallel()
	const episodes = 600
	tenant := openWithout(t, t.TempDir())
	tenant.bounds.Look = 30
	var records []store.EpisodeRecord
	var reactions []store.FeedbackRecord
	for i := range episodes {
		hour := i * 7919 % episodes // each once, in no order
		e := memory.Episode{
			Key: fmt.Sprintf("e%03d", hour), Outcome: memory.OutcomeUnknown, Observation: "walrus", StartedAt: noon.Add(time.Duration(hour) * 10 * time.Hour),
			Embedding: []float32{float32(hour % 7 / 6), 1}, // one in seven is near
		}
		records = append(records, store.EpisodeRecord{InputHash: []byte{1}, Episode: e})
		if hour%2 == 0 {
			reactions = append(reactions, store.FeedbackRecord{InputHash: []byte{1}, Feedback: memory.Feedback{
				Key: "on " + e.Key, EpisodeKey: &e.Key, Reaction: memory.Reaction{Type: memory.FeedbackThumbsDown, Score: -1, CreatedAt: e.StartedAt},
			}})
		}
	}
	_, err := tenant.RecordEpisodes(t.Context(), records)
	require.NoError(t, err)
	_, err = tenant.RecordFeedback(t.Context(), reactions)
	require.NoError(t, err)
	first := func(query store.RecallQuery) (keys []string) {
		query.Limit, query.Top, query.Now = 5, 5, noon.Add(episodes*10*time.Hour)
		found, err := tenant.Candidates(t.Context(), query)
		require.NoError(t, err)
		assert.True(t, found.Approximate)
		for _, ranked := range ranking.Rank(found.Items, ranking.DefaultWeights, query.Now, 5) {
			keys = append(keys, ranked.Key)
		}
		return keys
	}
	assert.Equal(t, []string{"e599", "e597", "e595", "e593", "e591"}, first(store.RecallQuery{Text: "walrus"}))
	late := store.FeedbackRecord{InputHash: []byte{2}, Feedback: memory.Feedback{
		Key: "late", EpisodeKey: new("e599"), Reaction: memory.Reaction{Type: memory.FeedbackThumbsDown, Score: -1, CreatedAt: noon.Add(episodes * 11 * time.Hour)},
	}}
	_, err = tenant.RecordFeedback(t.Context(), []store.FeedbackRecord{late})
	require.NoError(t, err)
	then := noon.Add(episodes * 10 * time.Hour)
	assert.Equal(t, "e599", first(store.RecallQuery{Text: "walrus", AsOf: &then})[0], "what was disliked later was not yet")
	tenant.bounds.Begun, tenant.bounds.Vectors = 100, 30
	assert.Equal(t, []string{"e587", "e573", "e559", "e545", "e531"}, first(store.RecallQuery{Embedding: []float32{1, 0}}), "by vector of the nearest")
}

// What people liked is found however long ago it was, and however many were liked since.
func TestRecallKnowsWhatIsLifted(t *testing.T) {
	t.Parallel()
	const episodes = 2000
	tenant := openTenant(t, t.TempDir())
	tenant.bounds.Look = 20
	said := []string{"The walrus sings", "A walrus sleeps on the ice", "Where did the walrus go", "The harbour and a walrus, again"}
	records, reactions := make([]store.EpisodeRecord, episodes), []store.FeedbackRecord{}
	for i := range records {
		e := memory.Episode{
			Key: fmt.Sprintf("e%04d", i), Outcome: memory.OutcomeUnknown, Observation: fmt.Sprintf("%s number%d", said[i*7%4], i),
			StartedAt: noon.Add(time.Duration(i) * time.Hour),
		}
		records[i] = store.EpisodeRecord{InputHash: []byte{1}, Episode: e}
		if i%3 == 0 { // of whom few are what is asked for
			reactions = append(reactions, store.FeedbackRecord{InputHash: []byte{1}, Feedback: memory.Feedback{
				Key: "on " + e.Key, EpisodeKey: &e.Key, Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, CreatedAt: e.StartedAt},
			}})
		}
	}
	_, err := tenant.InputKey(t.Context()) // before what is hashed with it
	require.NoError(t, err)
	_, err = tenant.RecordEpisodes(t.Context(), records)
	require.NoError(t, err)
	_, err = tenant.RecordFeedback(t.Context(), reactions[:len(reactions)/2])
	require.NoError(t, err)
	usual := ranking.DefaultWeights
	require.Equal(t, firstOfAll(t, tenant, usual), firstOf(t, tenant, usual))
	_, err = tenant.RecordFeedback(t.Context(), reactions[len(reactions)/2:])
	require.NoError(t, err)
	require.Equal(t, firstOfAll(t, tenant, usual), firstOf(t, tenant, usual), "what was liked since")
	for _, reaction := range reactions[len(reactions)-5:] {
		require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindFeedback, reaction.Feedback.Key))
	}
	require.Equal(t, firstOfAll(t, tenant, usual), firstOf(t, tenant, usual), "what is not liked any more")

	old, fresh := record("old", "The walrus sings"), record("fresh", "walrus at the harbour")
	old.Episode.StartedAt, fresh.Episode.StartedAt = noon.AddDate(-9, 0, 0), noon.Add(episodes*time.Hour)
	tenant.mustRecord(t, old)
	_, err = tenant.RecordFeedback(t.Context(), []store.FeedbackRecord{{InputHash: []byte{1}, Feedback: memory.Feedback{
		Key: "on old", EpisodeKey: &old.Episode.Key, Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, CreatedAt: noon},
	}}})
	require.NoError(t, err)
	firstOf(t, tenant, usual)
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "old"))
	tenant.mustRecord(t, fresh)
	plain := ranking.Weights{Semantic: 0.7, Temporal: 0.3, HalfLifeDays: 30}
	require.Equal(t, "fresh", firstOfAll(t, tenant, plain)[0])
	require.Equal(t, "fresh", firstOf(t, tenant, plain)[0], "what got the number of one that was liked and deleted")
}

func firstOf(t *testing.T, tenant *Tenant, weights ranking.Weights) (keys []string) {
	t.Helper()
	query := store.RecallQuery{Text: "walrus at the harbour", Limit: 10, Top: 5, Now: noon.Add(2000 * time.Hour), Weights: weights}
	found, err := tenant.Candidates(t.Context(), query)
	require.NoError(t, err)
	for _, ranked := range ranking.Rank(found.Items, weights, query.Now, 5) {
		keys = append(keys, ranked.Key)
	}
	return keys
}

// firstOfAll looks at all.
func firstOfAll(t *testing.T, tenant *Tenant, weights ranking.Weights) []string {
	t.Helper()
	usual := tenant.bounds
	defer func() { tenant.bounds = usual }()
	tenant.bounds.Look = 1 << 20
	return firstOf(t, tenant, weights)
}

// Of the words of a situation only as many are looked for as the index has few entries of; what has them is told apart by the others, too.
func TestWordsThatAreNotLookedForTellMatchesApart(t *testing.T) {
	t.Parallel()
	tenant := bounded(t, 400, find.Bounds{Look: 10, Scored: 10, Entries: 120, Passed: 40, PassedLifted: 10}, func(i int) string {
		said := "The walrus"
		if i%4 == 0 { // a hundred
			said += " sings"
		}
		if i%4 == 1 || i%4 == 0 && i < 40 { // a few more
			said += " at the harbour"
		}
		return said
	})
	query := store.RecallQuery{Text: "does the walrus sing at the harbour", Limit: 5, Top: 5}
	keys, approximate := pool(t, tenant, query)
	assert.True(t, approximate)
	assert.Equal(t, []string{"e036", "e032", "e028", "e024", "e020"}, keys)
	found, err := tenant.Search(t.Context(), store.SearchQuery{Text: query.Text, Kinds: []memory.Kind{memory.KindEpisode}, Limit: 10})
	require.NoError(t, err)
	assert.Equal(t, "e000", found[0].Key)
	assert.Equal(t, "e036", found[9].Key)
}

func TestRecallOfAirlineTasks(t *testing.T) {
	t.Parallel()
	storetest.RunAirline(t, func(t *testing.T) store.Backend { return openBackend(t, t.TempDir()) })
}

// bounded opens a tenant with so many episodes that are alike but for their words, the newest last.
func bounded(t *testing.T, episodes int, bounds find.Bounds, say func(i int) string) *Tenant {
	t.Helper()
	tenant := openWithout(t, t.TempDir()) // which would find some that the words do not
	tenant.bounds = bounds
	records := make([]store.EpisodeRecord, episodes)
	for i := range records {
		records[i] = store.EpisodeRecord{InputHash: []byte{1}, Episode: memory.Episode{
			Key: fmt.Sprintf("e%03d", i), AgentKey: fmt.Sprintf("agent %d", i%10), Outcome: memory.OutcomeUnknown,
			Observation: say(i), StartedAt: noon.Add(time.Duration(i) * time.Hour), Embedding: []float32{1, float32(i)},
		}}
	}
	_, err := tenant.RecordEpisodes(t.Context(), records)
	require.NoError(t, err)
	return tenant
}

// What is read once for all requests, as all vectors are at the first recall after a start, is not counted as the first one's, nor
// what is looked through.
func TestALookCountsForNoRequest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const episodes = 300
	records := make([]store.EpisodeRecord, episodes)
	for i := range records {
		records[i] = store.EpisodeRecord{InputHash: []byte{1}, Episode: memory.Episode{
			Key: fmt.Sprintf("e%03d", i), Outcome: memory.OutcomeUnknown, Observation: fmt.Sprintf("The walrus number%d sings.", i), StartedAt: noon, Embedding: []float32{1, float32(i)},
		}}
	}
	_, err := openTenant(t, dir).RecordEpisodes(t.Context(), records)
	require.NoError(t, err)
	for name, ask := range map[string]func(ctx context.Context, tenant *Tenant) (int, error){
		"recall": func(ctx context.Context, tenant *Tenant) (int, error) {
			found, err := tenant.Candidates(ctx, store.RecallQuery{Text: "number7", Limit: 9, Now: noon})
			return len(found.Items), err
		},
		"recall by an embedding": func(ctx context.Context, tenant *Tenant) (int, error) {
			found, err := tenant.Candidates(ctx, store.RecallQuery{Embedding: []float32{1, 2}, Limit: 9, Now: noon})
			return len(found.Items), err
		},
		"search": func(ctx context.Context, tenant *Tenant) (int, error) {
			found, err := tenant.Search(ctx, store.SearchQuery{Text: "number7", Kinds: []memory.Kind{memory.KindEpisode}, Limit: 9})
			return len(found), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, budget, done := store.WithBudget(t.Context(), store.Limits{Records: episodes - 1})
			defer done()
			found, err := ask(ctx, openTenant(t, dir))
			require.NoError(t, err)
			assert.Positive(t, found)
			assert.NoError(t, budget.Err())
		})
	}
}

func pool(t *testing.T, tenant *Tenant, query store.RecallQuery) (keys []string, approximate bool) {
	t.Helper()
	query.Now = noon.Add(1000 * time.Hour)
	found, err := tenant.Candidates(t.Context(), query)
	require.NoError(t, err)
	for _, ranked := range ranking.Rank(found.Items, ranking.DefaultWeights, query.Now, 100) {
		keys = append(keys, ranked.Key)
	}
	return keys, found.Approximate
}

func TestRecallIsBounded(t *testing.T) {
	t.Parallel()
	tight := find.Bounds{Look: 10, Entries: 30, Passed: 40, PassedLifted: 10}
	t.Run("a word that too many have", func(t *testing.T) {
		tenant := bounded(t, 100, tight, func(int) string { return "walrus" })
		keys, approximate := pool(t, tenant, store.RecallQuery{Text: "walrus", Limit: 3, Top: 1})
		assert.Equal(t, []string{"e099"}, keys[:1])
		assert.True(t, approximate)
		keys, approximate = pool(t, tenant, store.RecallQuery{Text: "walrus", Limit: 100, Filter: store.EpisodeFilter{Agent: new("agent 7")}})
		assert.Equal(t, []string{"e097", "e087", "e077"}, keys, "of the thirty latest")
		assert.True(t, approximate)
	})
	t.Run("common words beside a rare one", func(t *testing.T) {
		tenant := bounded(t, 100, tight, func(i int) string { return []string{"walrus", "giraffe walrus"}[i/98] })
		keys, approximate := pool(t, tenant, store.RecallQuery{Text: "the walrus and the giraffe", Limit: 10})
		assert.Equal(t, []string{"e099", "e098"}, keys, "the common word is not searched for")
		assert.False(t, approximate)
	})
	t.Run("more that match than are looked at", func(t *testing.T) {
		tenant := bounded(t, 28, tight, func(int) string { return "walrus" })
		keys, approximate := pool(t, tenant, store.RecallQuery{Text: "walrus", Limit: 4, Top: 2})
		assert.Equal(t, []string{"e027", "e026"}, keys[:2])
		assert.True(t, approximate)
		keys, approximate = pool(t, tenant, store.RecallQuery{Text: "walrus", Limit: 4, Filter: store.EpisodeFilter{Agent: new("agent 3")}})
		assert.Equal(t, []string{"e023", "e013", "e003"}, keys, "a filter that few pass is asked first")
		assert.False(t, approximate)
		keys, approximate = pool(t, tenant, store.RecallQuery{Text: "walrus", Limit: 4, Filter: store.EpisodeFilter{Until: new(noon.Add(time.Hour))}})
		assert.Equal(t, []string{"e000"}, keys)
		assert.False(t, approximate)
	})
	t.Run("words beside many vectors", func(t *testing.T) {
		bounds := tight
		bounds.Vectors, bounds.Nearest, bounds.Newest, bounds.Lifted = 10, 15, 5, 5
		tenant := bounded(t, 50, bounds, func(i int) string { return []string{"walrus", "giraffe"}[min(i, 1)] })
		query := store.RecallQuery{Text: "walrus", Embedding: []float32{1, 20}, Limit: 10, Now: noon.Add(1000 * time.Hour)}
		found, err := tenant.Candidates(t.Context(), query)
		require.NoError(t, err)
		assert.True(t, found.Approximate)
		at := slices.IndexFunc(found.Items, func(c ranking.Candidate) bool { return c.Key == "e000" })
		require.GreaterOrEqual(t, at, 0, "what matches by words is found, however far off")
		assert.InDelta(t, matching.Cosine([]float32{1, 0}, query.Embedding), found.Items[at].Match.Meaning, 1e-6)
	})
	t.Run("nothing matches, and few pass", func(t *testing.T) {
		tenant := bounded(t, 50, tight, func(i int) string { return []string{"walrus", "giraffe"}[min(i, 1)] })
		unknown, success := memory.OutcomeUnknown, memory.OutcomeSuccess
		keys, approximate := pool(t, tenant, store.RecallQuery{Limit: 3, Top: 1, Filter: store.EpisodeFilter{Outcome: &unknown}})
		assert.Equal(t, []string{"e049"}, keys[:1])
		assert.False(t, approximate, "none is lifted, so none that is older ranks higher")
		keys, approximate = pool(t, tenant, store.RecallQuery{Limit: 3, Filter: store.EpisodeFilter{Outcome: &success}})
		assert.Empty(t, keys)
		assert.True(t, approximate, "the ten oldest were not looked at")
		keys, approximate = pool(t, tenant, store.RecallQuery{Limit: 20, Filter: store.EpisodeFilter{Agent: new("agent 3")}})
		assert.Equal(t, []string{"e043", "e033", "e023", "e013", "e003"}, keys, "others are not passed over for an agent's")
		assert.False(t, approximate)
	})
}

// Of a word that many have only the latest recorded are found, and of many vectors not all are compared: where few pass a filter, these are
// looked at without either.
func TestRecallLooksAtAllOfFew(t *testing.T) {
	t.Parallel()
	const episodes = 100
	tenant := bounded(t, episodes, find.Bounds{Look: 10, Few: 12, Entries: 30, Passed: 1000, PassedLifted: 10}, func(i int) string {
		return []string{"walrus", "giraffe"}[i/98]
	})
	var actions []store.CanvasActionRecord
	var reactions []store.FeedbackRecord
	for i := range episodes {
		key, at := fmt.Sprintf("e%03d", i), noon.Add(time.Duration(i)*time.Hour)
		shown, did := "docs", memory.CanvasPresent
		if i < 3 {
			shown, did = "charts", memory.CanvasSubmit
		}
		for n := range 2 { // that an episode has two is not twice
			actions = append(actions, store.CanvasActionRecord{
				Canvas: fmt.Sprintf("canvas %d of %s", n, key), Episode: &key, CanvasType: shown, Action: memory.CanvasAction{Action: did, At: at}, InputHash: []byte{1},
			})
		}
		reaction := memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, CreatedAt: at}
		if i < 2 {
			reaction = memory.Reaction{Type: memory.FeedbackRating, Rating: new(4), Score: 0.5, CreatedAt: at}
		}
		reactions = append(reactions, store.FeedbackRecord{InputHash: []byte{1}, Feedback: memory.Feedback{Key: "on " + key, EpisodeKey: &key, Reaction: reaction}})
	}
	_, err := tenant.RecordCanvasActions(t.Context(), actions)
	require.NoError(t, err)
	_, err = tenant.RecordFeedback(t.Context(), reactions)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		filter store.EpisodeFilter
		asOf   *time.Time
		want   []string
	}{
		"an agent":         {filter: store.EpisodeFilter{Agent: new("agent 7")}, want: []string{"e097", "e087", "e077", "e067", "e057", "e047", "e037", "e027", "e017", "e007"}},
		"a type of canvas": {filter: store.EpisodeFilter{CanvasType: new("charts")}, want: []string{"e002", "e001", "e000"}},
		"an action":        {filter: store.EpisodeFilter{CanvasAction: new(memory.CanvasSubmit)}, want: []string{"e002", "e001", "e000"}},
		"a type, and an action": {
			filter: store.EpisodeFilter{CanvasType: new("charts"), CanvasAction: new(memory.CanvasSubmit)}, want: []string{"e002", "e001", "e000"},
		},
		"a type without the action": {filter: store.EpisodeFilter{CanvasType: new("charts"), CanvasAction: new(memory.CanvasClose)}},
		"a type, early":             {filter: store.EpisodeFilter{CanvasType: new("charts")}, asOf: new(noon.Add(time.Hour)), want: []string{"e001", "e000"}},
		"feedback":                  {filter: store.EpisodeFilter{MaxFeedback: new(0.5)}, want: []string{"e001", "e000"}},
		"feedback of both bounds":   {filter: store.EpisodeFilter{MinFeedback: new(0.2), MaxFeedback: new(0.7)}, want: []string{"e001", "e000"}},
	} {
		for _, text := range []string{"walrus", ""} {
			now := noon.Add(1000 * time.Hour)
			found, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: text, Filter: test.filter, AsOf: test.asOf, Now: now, Limit: 20})
			require.NoError(t, err)
			var keys []string
			for _, ranked := range ranking.Rank(found.Items, ranking.DefaultWeights, now, 100) {
				keys = append(keys, ranked.Key)
			}
			assert.Equal(t, test.want, keys, "%s: %q", name, text)
			assert.False(t, found.Approximate, "%s: %q", name, text)
		}
	}
}

func TestSearchIsBounded(t *testing.T) {
	t.Parallel()
	tenant := bounded(t, 100, find.Bounds{Entries: 30, Scored: 1000}, func(int) string { return "walrus" })
	found, err := tenant.Search(t.Context(), store.SearchQuery{Text: "walrus", Kinds: []memory.Kind{memory.KindEpisode}, Limit: 1000})
	require.NoError(t, err)
	require.Len(t, found, 30)
	require.Equal(t, "e070", found[0].Key, "the latest")
}

// Of a word that very many have the latest recorded are found, and all the same what an old session, a memoir or a topic has of it.
func TestSearchOfFewThatPass(t *testing.T) {
	t.Parallel()
	tenant := openWithout(t, t.TempDir())
	tenant.bounds.Entries, tenant.bounds.Scored, tenant.bounds.Windows = 30, 20, 10
	var notes []store.ObservationRecord
	var corrections []store.CorrectionRecord
	receipt := memory.Receipt{Redactions: []memory.Redaction{}}
	for i := range 100 {
		at, of := noon.Add(time.Duration(i)*time.Hour), fmt.Sprintf("number %d", i/5)
		notes = append(notes, store.ObservationRecord{InputHash: []byte{1}, Observation: memory.Observation{
			Key: fmt.Sprintf("o%02d", i), SessionKey: &of, Content: "walrus", Importance: memory.ImportanceMedium, About: []string{}, Receipt: receipt, CreatedAt: at,
		}})
		corrections = append(corrections, store.CorrectionRecord{InputHash: []byte{1}, Correction: memory.Correction{
			Key: fmt.Sprintf("c%02d", i), Topic: of, Correction: "walrus", Importance: memory.ImportanceMedium, About: []string{}, Receipt: receipt, CreatedAt: at,
		}})
	}
	_, err := tenant.RecordObservations(t.Context(), notes)
	require.NoError(t, err)
	_, err = tenant.RecordCorrections(t.Context(), corrections)
	require.NoError(t, err)
	first := func(query store.SearchQuery) (keys []string) {
		query.Text, query.Limit = "walrus", 10
		found, err := tenant.Search(t.Context(), query)
		require.NoError(t, err)
		for _, match := range found {
			keys = append(keys, match.Key)
		}
		return keys
	}
	old := "number 1"
	want := []string{"o05", "o06", "o07", "o08", "o09"}
	assert.Equal(t, want, first(store.SearchQuery{Kinds: []memory.Kind{memory.KindObservation}, Session: &old}))
	assert.ElementsMatch(t, want, first(store.SearchQuery{Kinds: []memory.Kind{memory.KindObservation}, Session: &old, Neighbours: true}))
	assert.Equal(t, []string{"c05", "c06", "c07", "c08", "c09"}, first(store.SearchQuery{Kinds: []memory.Kind{memory.KindCorrection}, Topic: &old}))
}

// Of a session with more notes than are looked around it is told by their bags which have the words.
func TestSearchOfALongSessionOfBefore(t *testing.T) {
	t.Parallel()
	tenant := openWithout(t, t.TempDir())
	tenant.bounds.Entries, tenant.bounds.Scored, tenant.bounds.Windows = 30, 60, 5
	var notes []store.ObservationRecord
	for i := range 150 {
		of, said := "later", "walrus"
		if i < 60 {
			if of = "long ago"; i != 20 && i != 40 {
				said = "kettle"
			}
		}
		notes = append(notes, store.ObservationRecord{InputHash: []byte{1}, Observation: memory.Observation{
			Key: fmt.Sprintf("o%03d", i), SessionKey: &of, Content: said, Importance: memory.ImportanceMedium, About: []string{},
			Receipt: memory.Receipt{Redactions: []memory.Redaction{}}, CreatedAt: noon.Add(time.Duration(i) * time.Hour),
		}})
	}
	_, err := tenant.RecordObservations(t.Context(), notes)
	require.NoError(t, err)
	found, err := tenant.Search(t.Context(), store.SearchQuery{
		Text: "walrus", Kinds: []memory.Kind{memory.KindObservation}, Session: new("long ago"), Neighbours: true, Limit: 2,
	})
	require.NoError(t, err)
	var keys []string
	for _, match := range found {
		keys = append(keys, match.Key)
	}
	assert.ElementsMatch(t, []string{"o020", "o040"}, keys)
}

func TestRecallOfParaphrases(t *testing.T) {
	t.Parallel()
	storetest.RunParaphrases(t, func(t *testing.T, without bool) store.Backend {
		backend, err := Open(t.Context(), Options{Dir: t.TempDir(), WithoutVectors: without})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
		return backend
	})
}

// The concepts that have a label are found by it, however many have the words.
func TestSearchOfFewByALabel(t *testing.T) {
	t.Parallel()
	tenant := openWithout(t, t.TempDir()) // which would find it among the nearest
	tenant.bounds = find.Bounds{Entries: 30, Scored: 20, Windows: 20, Turns: 20}
	_, err := tenant.CreateMemoirs(t.Context(), []store.MemoirRecord{{Memoir: memory.Memoir{Key: "m", Name: "m", CreatedAt: noon}, InputHash: []byte{1}}})
	require.NoError(t, err)
	var concepts []store.ConceptRecord
	for i := range 100 {
		c := memory.Concept{
			Key: fmt.Sprintf("c%03d", i), MemoirKey: "m", Name: fmt.Sprintf("walrus number%d", i), Content: "It sleeps.", Labels: []string{"usual animals"},
			Revisions: []memory.ConceptRevision{}, Receipt: memory.Receipt{Redactions: []memory.Redaction{}}, CreatedAt: noon, UpdatedAt: noon,
		}
		switch i {
		case 3:
			c.Labels = []string{"odd animals", "usual animals"}
		case 4:
			c.Content = "Odd animals sleep." // without the label
		}
		concepts = append(concepts, store.ConceptRecord{Concept: c, InputHash: []byte{1}})
	}
	_, err = tenant.AddConcepts(t.Context(), concepts)
	require.NoError(t, err)
	for _, labels := range [][]string{{"odd animals"}, {"usual animals", "odd animals"}} {
		for _, memoir := range []*string{nil, new("m")} {
			found, err := tenant.Search(t.Context(), store.SearchQuery{Text: "walrus", Kinds: []memory.Kind{memory.KindConcept}, Memoir: memoir, Labels: labels, Limit: 10})
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, "c003", found[0].Key)
		}
	}
}

// Of episodes that a filter leaves, what has only words that are not looked for matches no more than without one, however few they are.
func TestAFilterAddsNoMatch(t *testing.T) {
	t.Parallel()
	for _, few := range []int{12, 0} {
		tenant := bounded(t, 100, find.Bounds{Look: 10, Few: few, Entries: 30, Passed: 1000, PassedLifted: 10}, func(i int) string {
			if i == 27 {
				return "giraffe"
			}
			return "walrus"
		})
		keys, _ := pool(t, tenant, store.RecallQuery{Text: "giraffe walrus", Filter: store.EpisodeFilter{Agent: new("agent 7")}, Now: noon.Add(1000 * time.Hour), Limit: 20})
		require.Len(t, keys, 1)
	}
}

// What people liked at an instant may have been disliked since, and is not among what is listed as liked.
func TestWhatWasLikedThenMayBeMissing(t *testing.T) {
	t.Parallel()
	tenant := bounded(t, 400, find.UsualBounds, func(int) string { return "walrus" })
	asOf := noon.Add(2000 * time.Hour)
	_, approximate := pool(t, tenant, store.RecallQuery{AsOf: &asOf, Now: asOf, Limit: 256, Top: 5})
	require.True(t, approximate)
	_, approximate = pool(t, tenant, store.RecallQuery{Now: asOf, Limit: 256, Top: 5})
	require.False(t, approximate)
	since := noon
	_, approximate = pool(t, tenant, store.RecallQuery{AsOf: &asOf, Now: asOf, Limit: 256, Top: 5, Filter: store.EpisodeFilter{Since: &since}})
	require.False(t, approximate, "all that pass are looked at")
}
