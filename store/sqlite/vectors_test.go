package sqlite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/vectors"
	"mneme/store/storetest"
)

// manyNumbers is a length of vectors of which guesses are not far off.
const manyNumbers = 1536

// nearTo is a vector of about a cosine with one whose numbers are of any direction.
func nearTo(random *rand.Rand, other []float32, cosine float64) []float32 {
	v := make([]float32, len(other))
	for i := range v {
		v[i] = float32(cosine*float64(other[i]) + math.Sqrt(1-cosine*cosine)*random.NormFloat64())
	}
	return v
}

// By vector all match a little, so an old one that people liked may be above all that are newer, of which more were liked than come in for that;
// whether all are gone through, those of an agent, or the nearest.
func TestWhatIsLiftedLongAgoIsFoundByVector(t *testing.T) {
	t.Parallel()
	const episodes, liked = 60, 30
	random := rand.New(rand.NewPCG(2, 3))
	asked := direction(random, manyNumbers, 0, 1)
	records, reactions := make([]store.EpisodeRecord, episodes), []store.FeedbackRecord{}
	for i := range records {
		e := memory.Episode{Key: fmt.Sprintf("e%03d", i), AgentKey: "agent", Outcome: memory.OutcomeUnknown, StartedAt: noon.Add(time.Duration(900+i) * time.Hour)}
		switch {
		case i == 0:
			e.StartedAt, e.Embedding = noon.AddDate(-1, 0, 0), nearTo(random, asked, 0.9)
		case i < episodes-liked:
			e.Embedding = nearTo(random, asked, 0.7)
		default:
			e.Embedding = nearTo(random, asked, 0.3) // further off than being liked makes up for
		}
		records[i] = store.EpisodeRecord{InputHash: []byte{1}, Episode: e}
		if i == 0 || i >= episodes-liked {
			reactions = append(reactions, store.FeedbackRecord{InputHash: []byte{1}, Feedback: memory.Feedback{
				Key: "on " + e.Key, EpisodeKey: &e.Key, Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, CreatedAt: e.StartedAt},
			}})
		}
	}
	tenant := openWithout(t, t.TempDir())
	_, err := tenant.RecordEpisodes(t.Context(), records)
	require.NoError(t, err)
	_, err = tenant.RecordFeedback(t.Context(), reactions)
	require.NoError(t, err)
	for _, nearest := range []int{episodes, 35} {
		for _, filter := range []store.EpisodeFilter{{}, {Agent: new("agent")}} {
			tenant.bounds.Look, tenant.bounds.Vectors, tenant.bounds.Nearest, tenant.bounds.Newest, tenant.bounds.Lifted = 5, 5, nearest, 5, 5
			keys, _ := pool(t, tenant, store.RecallQuery{Embedding: asked, Limit: 5, Top: 5, Filter: filter})
			assert.Equal(t, "e000", keys[0], "of %d, of an agent: %t", nearest, filter.Agent != nil)
		}
	}
}

// What is not near at all is not answered beside what is, so it may not keep that from being looked at, however new it is.
func TestWhatIsNotNearIsNotLookedAtFirst(t *testing.T) {
	t.Parallel()
	const episodes, old = 60, 10
	random := rand.New(rand.NewPCG(2, 3))
	asked := direction(random, manyNumbers, 0, 1)
	records := make([]store.EpisodeRecord, episodes)
	for i := range records {
		e := memory.Episode{Key: fmt.Sprintf("e%03d", i), Outcome: memory.OutcomeUnknown, StartedAt: noon.Add(time.Duration(900+i) * time.Hour), Embedding: nearTo(random, asked, -0.5)}
		if i < old {
			e.StartedAt, e.Embedding = e.StartedAt.AddDate(-1, 0, 0), nearTo(random, asked, 0.2)
		}
		records[i] = store.EpisodeRecord{InputHash: []byte{1}, Episode: e}
	}
	tenant := openWithout(t, t.TempDir())
	_, err := tenant.RecordEpisodes(t.Context(), records)
	require.NoError(t, err)
	tenant.bounds.Vectors, tenant.bounds.Nearest, tenant.bounds.Newest = 20, 30, 30
	keys, _ := pool(t, tenant, store.RecallQuery{Embedding: asked, Limit: 5, Top: 5})
	require.GreaterOrEqual(t, len(keys), 5)
	for _, key := range keys[:5] {
		assert.Less(t, key, "e010")
	}
}

// direction is a vector of a length around what all have in common, where later numbers say less if decay is under 1.
func direction(random *rand.Rand, length int, common, decay float64) []float32 {
	v := make([]float32, length)
	for i := range v {
		v[i] = float32(common*math.Sin(float64(i)) + random.NormFloat64()*math.Pow(decay, float64(i)))
	}
	return v
}

// embedded are so many episodes an hour apart with vectors of a kind, of which a tenth were liked and a twentieth disliked; order says which is
// recorded when.
type embedded struct {
	tenant   *Tenant
	episodes []memory.Episode
	all      []ranking.Candidate // in the order of their hours
}

const embeddedLength = 128

func recordEmbedded(t *testing.T, size int, common, decay float64, order func(i int) int) *embedded {
	t.Helper()
	e := &embedded{tenant: openWithout(t, t.TempDir()), episodes: make([]memory.Episode, size), all: make([]ranking.Candidate, size)}
	_, err := e.tenant.InputKey(t.Context()) // before what is hashed with it
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(uint64(size), 7))
	feedback := make([]*store.FeedbackRecord, size)
	for i := range e.episodes {
		at := noon.Add(time.Duration(i) * time.Hour)
		e.episodes[i] = memory.Episode{
			Key: fmt.Sprintf("e%05d", i), AgentKey: fmt.Sprintf("agent %d", i%100), Outcome: []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure}[i%2],
			StartedAt: at, Embedding: direction(random, embeddedLength, common, decay),
		}
		e.all[i] = ranking.Candidate{Key: e.episodes[i].Key, StartedAt: at}
		reaction := memory.Reaction{CreatedAt: at}
		switch chance := random.IntN(20); {
		case chance < 2:
			reaction.Type, reaction.Score = memory.FeedbackThumbsUp, 1
		case chance < 3:
			reaction.Type, reaction.Score = memory.FeedbackThumbsDown, -1
		default:
			continue
		}
		e.all[i].FeedbackSum, e.all[i].FeedbackCount = reaction.Score, 1
		feedback[i] = &store.FeedbackRecord{InputHash: []byte{1}, Feedback: memory.Feedback{Key: "on " + e.all[i].Key, EpisodeKey: &e.episodes[i].Key, Reaction: reaction}}
	}
	var records []store.EpisodeRecord
	var reactions []store.FeedbackRecord
	for i := range size {
		at := order(i)
		if records = append(records, store.EpisodeRecord{InputHash: []byte{1}, Episode: e.episodes[at]}); feedback[at] != nil {
			reactions = append(reactions, *feedback[at])
		}
	}
	for part := range slices.Chunk(records, 1000) {
		_, err := e.tenant.RecordEpisodes(t.Context(), part)
		require.NoError(t, err)
	}
	_, err = e.tenant.RecordFeedback(t.Context(), reactions)
	require.NoError(t, err)
	return e
}

// agreed is how many of the first five of recalls are those of ranking all that pass, of how many, and how many the pools missed of these.
func (e *embedded) agreed(t *testing.T, query store.RecallQuery, passes func(i int) bool, common, decay float64) (right, of int) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 9))
	for range 20 {
		query.Embedding = direction(random, embeddedLength, common, decay)
		query.Limit, query.Top, query.Now = 32, 5, e.all[len(e.all)-1].StartedAt.Add(time.Hour)
		var all []ranking.Candidate
		for i, c := range e.all {
			if passes(i) {
				c.Match = matching.Parts{Meaning: matching.Cosine(e.episodes[i].Embedding, query.Embedding), Compared: true, Wordless: true}
				all = append(all, c)
			}
		}
		found, err := e.tenant.Candidates(t.Context(), query)
		require.NoError(t, err)
		got := map[string]ranking.Candidate{}
		for _, ranked := range ranking.Rank(found.Items, ranking.DefaultWeights, query.Now, 5) {
			got[ranked.Key] = ranked.Candidate
		}
		for _, wanted := range ranking.Rank(all, ranking.DefaultWeights, query.Now, 5) {
			of++
			if hit, is := got[wanted.Key]; is {
				right++
				require.InDelta(t, wanted.Match.Meaning, hit.Match.Meaning, 1e-6, "what is answered was compared")
			}
		}
	}
	return right, of
}

// Of many vectors recalls find by guesses what comparing and ranking all would, whatever vectors are like, whatever passes, and in whatever
// order they were recorded.
func TestRecallByVectorAgrees(t *testing.T) {
	t.Parallel()
	const size = 6000
	for name, kind := range map[string]struct {
		common, decay float64
		order         func(i int) int
	}{
		"numbers of any direction":                      {0, 1, func(i int) int { return i }},
		"much in common, and few numbers that say most": {1, 0.97, func(i int) int { return i }},
		"recorded in no order":                          {0.5, 1, func(i int) int { return i * 3571 % size }},
	} {
		t.Run(name, func(t *testing.T) {
			e := recordEmbedded(t, size, kind.common, kind.decay, kind.order)
			e.tenant.bounds.Vectors, e.tenant.bounds.Nearest, e.tenant.bounds.Newest, e.tenant.bounds.Lifted = 100, 600, 100, 200
			success, then := memory.OutcomeSuccess, noon.Add(size/3*time.Hour)
			for what, asked := range map[string]struct {
				query  store.RecallQuery
				passes func(i int) bool
			}{
				"all":                      {store.RecallQuery{}, func(int) bool { return true }},
				"a filter that half pass":  {store.RecallQuery{Filter: store.EpisodeFilter{Outcome: &success}}, func(i int) bool { return i%2 == 0 }},
				"a filter that few pass":   {store.RecallQuery{Filter: store.EpisodeFilter{Agent: new("agent 7")}}, func(i int) bool { return i%100 == 7 }},
				"a filter of a score":      {store.RecallQuery{Filter: store.EpisodeFilter{MinFeedback: new(0.5)}}, func(i int) bool { return e.all[i].FeedbackSum > 0 }},
				"what had begun long ago":  {store.RecallQuery{AsOf: &then}, func(i int) bool { return !e.all[i].StartedAt.After(then) }},
				"until a third of the way": {store.RecallQuery{Filter: store.EpisodeFilter{Until: &then}}, func(i int) bool { return e.all[i].StartedAt.Before(then) }},
			} {
				right, of := e.agreed(t, asked.query, asked.passes, kind.common, kind.decay)
				t.Logf("%s: %d of %d", what, right, of)
				assert.GreaterOrEqual(t, float64(right), 0.98*float64(of), what)
			}
		})
	}
}

// What is in memory follows what is written, by whom ever.
func TestVectorsFollowWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant, other := openTenant(t, dir), openTenant(t, dir)
	tenant.bounds.Vectors, tenant.bounds.Nearest, tenant.bounds.Newest = 3, 3, 1
	_, err := tenant.InputKey(t.Context()) // before what is hashed with it
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(5, 5))
	asked := direction(random, embeddedLength, 0, 1)
	record := func(key string, day int, vector []float32) {
		t.Helper()
		episode := memory.Episode{Key: key, Outcome: memory.OutcomeUnknown, StartedAt: noon.AddDate(0, 0, day), Embedding: vector}
		results, err := other.RecordEpisodes(t.Context(), []store.EpisodeRecord{{InputHash: []byte(key), Episode: episode}})
		require.NoError(t, err)
		require.NoError(t, results[0].Err)
	}
	near := func(most float64) []float32 {
		v := slices.Clone(asked)
		for i := range v {
			v[i] += float32(most * random.NormFloat64())
		}
		return v
	}
	nearest := func() (keys []string) {
		t.Helper()
		query := store.RecallQuery{Embedding: asked, Limit: 2, Top: 2, Now: noon, Weights: ranking.Weights{Semantic: 1, HalfLifeDays: 30}}
		found, err := tenant.Candidates(t.Context(), query)
		require.NoError(t, err)
		for _, ranked := range ranking.Rank(found.Items, query.Weights, noon, 2) {
			keys = append(keys, ranked.Key)
		}
		return keys
	}
	assert.Empty(t, nearest(), "of nothing")
	for i := range 40 {
		record(fmt.Sprintf("far%02d", i), -i, direction(random, embeddedLength, 0, 1))
	}
	record("near", -50, near(0.5))
	assert.Equal(t, "near", nearest()[0])
	record("nearer", -60, near(0.2))
	assert.Equal(t, []string{"nearer", "near"}, nearest(), "what came since")
	require.NoError(t, storetest.Delete(t.Context(), other, memory.KindEpisode, "nearer"))
	assert.Equal(t, "near", nearest()[0], "what was deleted since")
	record("nearest", -60, near(0.1))
	assert.Equal(t, []string{"nearest", "near"}, nearest(), "under a number that was free again, or not")
	require.NoError(t, other.ConcludeEpisode(t.Context(), store.EpisodeConclusion{Key: "far07", Outcome: memory.OutcomeSuccess, Embedding: near(0.3)}))
	assert.Equal(t, []string{"nearest", "far07"}, nearest(), "what changed since")
	require.NoError(t, other.ConcludeEpisode(t.Context(), store.EpisodeConclusion{Key: "near", Outcome: memory.OutcomeSuccess, Embedding: near(0.05)}))
	require.NoError(t, storetest.Delete(t.Context(), other, memory.KindEpisode, "far03"))
	record("latest", -70, direction(random, embeddedLength, 0, 1))
	assert.Equal(t, []string{"near", "nearest"}, nearest(), "several at once")
	many := make([]store.EpisodeRecord, 1100)
	for i := range many {
		episode := memory.Episode{Key: fmt.Sprintf("many%04d", i), Outcome: memory.OutcomeUnknown, StartedAt: noon, Embedding: direction(random, embeddedLength, 1, 1)}
		many[i] = store.EpisodeRecord{InputHash: []byte(episode.Key), Episode: episode}
	}
	many[700].Episode.Embedding = asked
	_, err = other.RecordEpisodes(t.Context(), many)
	require.NoError(t, err)
	assert.Equal(t, []string{"many0700", "near"}, nearest(), "more than there was")
}

// Where few of the nearest pass a filter that no index lists, ever more are gone through, which several recalls of one request add up.
func TestWhatIsGoneThroughByVectorIsSummed(t *testing.T) {
	t.Parallel()
	e := recordEmbedded(t, 300, 0, 1, func(i int) int { return i })
	e.tenant.bounds.Vectors, e.tenant.bounds.Nearest, e.tenant.bounds.Newest, e.tenant.bounds.Lifted, e.tenant.bounds.Passed = 10, 10, 10, 10, 200
	ctx, budget, done := store.WithBudget(t.Context(), store.Limits{Summed: 250})
	defer done()
	unknown := memory.OutcomeUnknown
	query := store.RecallQuery{Embedding: e.episodes[0].Embedding, Limit: 9, Now: noon, Filter: store.EpisodeFilter{Outcome: &unknown}}
	found, err := e.tenant.Candidates(ctx, query)
	require.NoError(t, err)
	assert.Empty(t, found.Items)
	assert.True(t, found.Approximate, "not all were gone through")
	_, err = e.tenant.Candidates(ctx, query)
	require.Error(t, err)
	assert.ErrorContains(t, budget.Err(), "more than 250 records for its sums")
}

// What was deleted stays in memory, and is not answered, until most of what a recall looks at is gone; then all is read anew.
func TestVectorsThatWereDeletedAreLeftOut(t *testing.T) {
	t.Parallel()
	const size, stay = 300, 60
	e := recordEmbedded(t, size, 0, 1, func(i int) int { return i })
	e.tenant.bounds.Vectors, e.tenant.bounds.Nearest, e.tenant.bounds.Newest, e.tenant.bounds.Lifted = 20, 100, 5, 5
	query := store.RecallQuery{Embedding: e.episodes[0].Embedding, Limit: 20, Top: 5, Now: noon, Weights: ranking.Weights{Semantic: 1, HalfLifeDays: 30}}
	recall := func() (keys []string) {
		found, err := e.tenant.Candidates(t.Context(), query)
		require.NoError(t, err)
		for _, item := range found.Items {
			keys = append(keys, item.Key)
		}
		return keys
	}
	inMemory := func() (size int) {
		require.NoError(t, e.tenant.file.Snapshot(t.Context(), func(c *db.Conn) error {
			guesses, err := vectors.Compare(t.Context(), c, query.Embedding)
			size = guesses.Size()
			return err
		}))
		return size
	}
	require.Contains(t, recall(), e.episodes[0].Key)
	for _, episode := range e.episodes[:size-stay] {
		require.NoError(t, storetest.Delete(t.Context(), e.tenant, memory.KindEpisode, episode.Key))
	}
	require.Equal(t, size, inMemory())
	got := recall()
	require.GreaterOrEqual(t, len(got), 5)
	for _, key := range got {
		assert.GreaterOrEqual(t, key, e.episodes[size-stay].Key)
	}
	assert.Equal(t, stay, inMemory())
}
