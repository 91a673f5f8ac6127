package storetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/lexical"
)

// benchmarkSize is the number of episodes that the benchmarks of reading find.
const benchmarkSize = 2000

// topics are what the benchmark's episodes are about, in turns.
var topics = []string{
	"a delayed flight and a missed connection", "a refund for a cancelled ticket", "an upgrade with a voucher",
	"lost luggage at the airport", "a change of the passenger's name", "a seat beside the window",
	"a wheelchair for a passenger", "insurance that covers an illness", "a certificate that has expired",
	"a complaint about the crew",
}

// RunBenchmarks measures what a memory does most: recording, reading an episode with its context,
// listing a page and recalling. Reads find 2,000 episodes, each with 3 canvases and 2 feedback.
func RunBenchmarks(b *testing.B, open func(b *testing.B) store.Backend) {
	backend := open(b)
	b.Run("Record", func(b *testing.B) { benchmarkRecord(b, backend, 1) })
	b.Run("RecordBatchOf100", func(b *testing.B) { benchmarkRecord(b, backend, 100) })
	b.Run("SubmitFeedback", func(b *testing.B) { benchmarkFeedback(b, backend) })

	b.Run("RecordCanvasAction", func(b *testing.B) { benchmarkCanvas(b, backend) })

	filled := bind(b, backend, randomTenant())
	fillForBenchmark(b, filled)
	b.Run("EnrichedEpisodeByID", func(b *testing.B) { benchmarkRead(b, filled.Store) })
	b.Run("ListPageOf20", func(b *testing.B) { benchmarkList(b, filled.Store) })
	b.Run("Recall", func(b *testing.B) { benchmarkRecall(b, filled.Store, nil) })
	b.Run("RecallWithVector", func(b *testing.B) { benchmarkRecall(b, filled.Store, benchmarkVector(3)) })
}

func benchmarkKey(i int) string { return fmt.Sprintf("e%06d", i) }

func benchmarkEpisode(i int) episodeDraft {
	topic := topics[i%len(topics)]
	return episode(benchmarkKey(i), at(i)).by(fmt.Sprintf("agent %d", i%7)).in(fmt.Sprintf("session %d", i/5)).
		doing("support").seeing(fmt.Sprintf("Customer %d asks about %s.", i, topic)).until(at(i+1)).
		resulting("Resolved: "+topic).thinking("look it up", "answer").embedded(benchmarkVector(i)...)
}

// benchmarkVector is a vector of a usual small model's length that differs by the number.
func benchmarkVector(i int) []float32 {
	v := make([]float32, 384)
	for j := range v {
		v[j] = float32((i*31+j*17)%101-50) / 50
	}
	return v
}

func fillForBenchmark(b *testing.B, m *tenant) {
	b.Helper()
	const batch = 200
	for first := 0; first < benchmarkSize; first += batch {
		var episodes []episodeDraft
		var shown []actionDraft
		var reactions []feedbackDraft
		for i := first; i < first+batch; i++ {
			key := benchmarkKey(i)
			episodes = append(episodes, benchmarkEpisode(i))
			for j := range 3 {
				canvas := fmt.Sprintf("%s-c%d", key, j)
				shown = append(shown, present(canvas, at(i)).of(key), action(canvas, memory.CanvasClose, at(i+1)))
			}
			reactions = append(reactions, thumbsUp(key+"-f0", at(i)).on(key), rating(key+"-f1", 1+i%5, at(i)).on(key))
		}
		m.record(episodes...)
		m.act(shown...)
		m.react(reactions...)
	}
}

func benchmarkRecord(b *testing.B, backend store.Backend, batch int) {
	m := bind(b, backend, randomTenant())
	next := 0
	for b.Loop() {
		drafts := make([]episodeDraft, batch)
		for i := range drafts {
			drafts[i] = benchmarkEpisode(next)
			next++
		}
		require.NoError(b, fault(store.Record(b.Context(), m, episodeRecords(drafts))))
	}
	b.ReportMetric(float64(next)/b.Elapsed().Seconds(), "episodes/s")
}

func benchmarkFeedback(b *testing.B, backend store.Backend) {
	m := bind(b, backend, randomTenant())
	m.record(episode("e1", at(0)))
	next := 0
	for b.Loop() {
		require.NoError(b, m.reactErr(thumbsUp(fmt.Sprintf("f%d", next), at(next)).on("e1")))
		next++
	}
}

// benchmarkCanvas shows a canvas in a session and closes it.
func benchmarkCanvas(b *testing.B, backend store.Backend) {
	m := bind(b, backend, randomTenant())
	m.record(episode("e1", at(0)).in("s"))
	next := 0
	for b.Loop() {
		key := fmt.Sprintf("c%d", next/2)
		draft := present(key, at(next)).in("s")
		if next%2 == 1 {
			draft = action(key, memory.CanvasClose, at(next))
		}
		m.act(draft)
		next++
	}
}

func benchmarkRead(b *testing.B, m store.Store) {
	parts := store.WithAgent | store.WithCanvases | store.WithFeedback
	next := 0
	for b.Loop() {
		found, err := m.Episodes(b.Context(), store.EpisodesByKey{Keys: []string{benchmarkKey(next % benchmarkSize)}, Parts: parts})
		require.NoError(b, err)
		require.Len(b, found[0].Context.Canvases, 3)
		next += 7
	}
}

func benchmarkList(b *testing.B, m store.Store) {
	query := store.EpisodeQuery{
		Filter: store.EpisodeFilter{Agent: new("agent 3")}, Parts: store.WithAgent | store.WithFeedback,
	}
	page := store.Page{Limit: 20}
	for b.Loop() {
		found, more, err := store.List(b.Context(), m, query, page)
		require.NoError(b, err)
		require.True(b, more)
		last := found[len(found)-1]
		page.After = new(query.Place(last))
		if last.StartedAt.Before(at(benchmarkSize / 2)) {
			page.After = nil
		}
	}
}

func benchmarkRecall(b *testing.B, m store.Store, vector []float32) {
	among := store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 100}
	stems := strings.Fields(lexical.Stems("The customer wants a refund because the flight was delayed"))
	for b.Loop() {
		found, _, err := m.PassagesByWords(b.Context(), stems, among)
		require.NoError(b, err)
		require.NotEmpty(b, found)
		if vector != nil {
			_, _, err = m.PassagesByMeaning(b.Context(), store.Question{Embedding: vector}, among)
			require.NoError(b, err)
		}
	}
}
