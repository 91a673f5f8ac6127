package sqlite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/storetest"
)

// crowd makes episodes of which every third is the agent victimzz's, by a name and an only word of its own that
// end alike: indexes write a word without what it shares with the one before it. Some are long enough to overflow.
func crowd(random *rand.Rand, many int) (episodes []store.EpisodeRecord, reactions []store.FeedbackRecord) {
	for i := range many {
		agent, ending := "a", "stays"
		if i%3 == 0 {
			agent, ending = "victimzz", "victimzz"
		}
		word := fmt.Sprintf("%x%s", random.Uint32(), ending)
		r := work(word, "deploy", noon.Add(time.Duration(random.IntN(1000))*time.Minute))
		e := &r.Episode
		e.AgentKey, e.Observation, e.Title = agent, "a service was late and "+word, word
		if i%50 == 0 {
			e.Result = new(strings.Repeat(word+" it was said at length ", 400))
		}
		episodes = append(episodes, r)
		if i%5 == 0 {
			reactions = append(reactions, store.FeedbackRecord{Feedback: memory.Feedback{
				Key: "f" + word, EpisodeKey: new(word),
				Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, Corrections: new("not " + word), CreatedAt: noon},
			}})
		}
	}
	return episodes, reactions
}

func recordCrowd(t *testing.T, tenant *Tenant, seed uint64, many int) []store.EpisodeRecord {
	t.Helper()
	episodes, reactions := crowd(rand.New(rand.NewPCG(seed, seed)), many)
	for len(episodes) > 0 {
		part := episodes[:min(500, len(episodes))]
		episodes = episodes[len(part):]
		tenant.mustRecord(t, part...)
	}
	_, err := store.Record(t.Context(), tenant, reactions)
	require.NoError(t, err)
	all, _ := crowd(rand.New(rand.NewPCG(seed, seed)), many)
	return all
}

// Pages that are rebuilt keep copies between their cells; it takes thousands of records to see one.
func TestOneOfThousandsIsInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	recordCrowd(t, tenant, 1, 3000)
	count, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
	require.NoError(t, err)
	require.Equal(t, 1000, count)
	requireGone(t, tenant, []string{"victimzz"})
	requireWordsAgree(t, tenant)
}

func TestEpisodesDeletedOneByOneAreInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	var gone []string
	for i, r := range recordCrowd(t, tenant, 7, 3000) {
		if i%75 == 0 {
			require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, r.Episode.Key))
			gone = append(gone, r.Episode.Key)
		}
	}
	requireGone(t, tenant, gone)
	requireWordsAgree(t, tenant)
}
