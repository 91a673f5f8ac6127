// Package find is recall and search: it asks the full-text index and that of vectors for what matches, by what a sample
// tells of the tenant, and hands over a pool that the ranking sorts. How much it looks at is bounded.
package find

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/settings"
	"mneme/store/neo4j/words"
)

// The bounds of a recall's work. Every look at an episode is a few accesses to the database.
const (
	// mostScanned is how many matches of the text index are looked at for those that pass a filter which the
	// index cannot apply.
	mostScanned = 2048
	// MostCompared is the number of episodes up to which vectors are compared one by one.
	MostCompared = 2000
	// mostLooked is how many of the newest episodes are looked at for those that pass a filter.
	mostLooked = 10_000
	// recentWindow is among how many of the newest that pass the best are sought beside the best of all, and
	// recentRange how many there may be in that time in all.
	recentWindow, recentRange = 500, 10_000
	// mostRecent is how many matches among these are looked at.
	mostRecent = 1024
	// knownThen is how many of the best matches are looked at for one that was known as of an instant.
	knownThen = 256
	// aside is the length of the heads beside the best by words and by vector.
	aside = 64
	// mostNeighbours is how many the vector index is asked for.
	mostNeighbours = 1000
	// scoresPerLookup is how many episodes one look-up of scores is about; Lucene takes 1,024 clauses.
	scoresPerLookup = 500
	// selective is the share of episodes below which a filter is applied by the index, at the price of
	// its slower way, rather than to the best matches of all.
	selective = 0.1
)

// Recaller recalls episodes of a tenant, and searches its records. It is safe for concurrent use.
type Recaller struct {
	*settings.Settings

	// ExactLimit is the number of episodes up to which vectors are compared one by one.
	ExactLimit int
	// sample tells of the tenant's episodes where there are many; sampling is held while another is taken.
	sample   atomic.Pointer[sample]
	sampling sync.Mutex
	written  atomic.Int64 // episodes that this process recorded
}

// CountWritten counts episodes that this process is to record: a sample serves until there are many.
func (s *Recaller) CountWritten(episodes int) { s.written.Add(int64(episodes)) }

// Candidates reads the pool; see store.Recaller. It takes one round trip, and a look at a sample now and then.
func (s *Recaller) Candidates(ctx context.Context, q store.RecallQuery) (store.Candidates, error) {
	plan, err := s.planRecall(ctx, q)
	if err != nil {
		return store.Candidates{}, err
	}
	found, err := bolt.One(ctx, s.Connection, s.Query(cypher.Rendered("recall", plan.form), plan.values), decodePool)
	if err != nil {
		return store.Candidates{}, err
	}
	return found.candidates(plan.terms), nil
}

// recallPlan is how the store goes about a recall.
type recallPlan struct {
	form   graph.EpisodeShape
	values cypher.Parameters
	terms  []lexical.Term // all of the situation's
}

func (s *Recaller) planRecall(ctx context.Context, q store.RecallQuery) (*recallPlan, error) {
	known, err := s.sampled(ctx)
	if err != nil {
		return nil, err
	}
	plan := &recallPlan{terms: lexical.Terms(q.Text), values: graph.FilterParameters(q.Filter)}
	plan.form = graph.EpisodeShape{AsOf: q.AsOf != nil, Filtered: q.AsOf != nil || q.Filter != (store.EpisodeFilter{}), Lexical: len(plan.terms) > 0}
	plan.form.Filter(q.Filter)
	plan.form.Fixed = "" // the text index finds what is marked, and each text of a recall costs much to plan
	look := newLook(s.TenantID, known, q)
	plan.compare(look, s.ExactLimit)
	if settings.CheckVector(q.Embedding) == nil {
		if err := s.planVector(ctx, plan, q); err != nil {
			return nil, err
		}
	}
	if plan.form.Lexical {
		plan.words(look, q)
	}
	if q.AsOf != nil {
		plan.values["asOf"] = bolt.Instant(*q.AsOf)
	}
	plan.values["limit"], plan.values["aside"], plan.values["batch"] = q.Limit, min(q.Limit, aside), scoresPerLookup
	return plan, nil
}

// planVector makes the recall compare vectors, where the tenant has any.
func (s *Recaller) planVector(ctx context.Context, plan *recallPlan, q store.RecallQuery) error {
	length, err := s.VectorLength(ctx)
	switch {
	case err != nil:
		return err
	case length == 0:
		return nil
	case length != len(q.Embedding):
		return store.ErrVectorLength
	}
	plan.form.Vector = true
	plan.values["embedding"], plan.values["vectorProperty"], plan.values["vectorIndex"] = q.Embedding, settings.VectorProperty(length), settings.VectorIndex(length)
	plan.values["neighbours"] = min(mostNeighbours, 2*q.Limit)
	if plan.form.Filtered {
		plan.values["neighbours"] = mostNeighbours
	}
	return nil
}

// scoreLookup is what is known of the episodes that pass a filter before any is read.
type scoreLookup struct {
	*sample
	v       words.Vocabulary
	marks   []string // that they have
	times   stretch  // that they started in
	bounded bool     // whether the stretch leaves any out

	inStretch, passing float64 // about how many there are in it, and with the marks
}

func newLook(tenant string, known *sample, q store.RecallQuery) *scoreLookup {
	v := words.VocabularyOf(tenant, memory.KindEpisode)
	l := &scoreLookup{sample: known, v: v, times: stretch{v.Second(graph.Earliest), v.Second(graph.Latest)}}
	for property, value := range map[string]*string{"agent": q.Filter.Agent, "session": q.Filter.Session, "taskType": q.Filter.TaskType} {
		if value != nil {
			l.marks = append(l.marks, v.Mark(property, *value))
		}
	}
	if q.Filter.Outcome != nil {
		l.marks = append(l.marks, v.Mark("outcome", string(*q.Filter.Outcome)))
	}
	if q.Filter.Since != nil {
		l.times.from, l.bounded = v.Second(*q.Filter.Since), true
	}
	until := q.Filter.Until
	if q.AsOf != nil && (until == nil || q.AsOf.Before(*until)) {
		until = q.AsOf
	}
	if until != nil {
		l.times.to, l.bounded = v.Second(*until), true
	}
	if known.share > 0 {
		inStretch, passing := known.passing(l.times, l.marks)
		l.inStretch, l.passing = float64(inStretch)/known.share, float64(passing)/known.share
	}
	return l
}

// required is what the index has to find beside words, as far as that costs it little.
func (l *scoreLookup) required() []string {
	required := l.marked()
	if l.bounded && l.inStretch <= recentRange {
		required = append(required, words.InRange(l.times.from, l.times.to))
	}
	return required
}

// compare says which of the episodes that pass the filter are read, to compare their vectors or where no word
// matches: all where they are few, else the newest, and the vector index finds the nearest.
func (p *recallPlan) compare(l *scoreLookup, most int) {
	few := l.passing <= float64(most)
	p.values["look"], p.values["compared"], p.values["all"] = mostLooked, most, few
	required, most := l.required(), 2*most+1
	if !few {
		p.values["compared"], most = aside, mostScanned
		if required = nil; len(l.marks) > 0 {
			required = l.recent(recentWindow)
		}
	}
	if p.form.Marked = l.share > 0 && len(required) > 0; p.form.Marked {
		p.values["marks"], p.values["look"] = "+"+strings.Join(required, " +"), most
	}
}

// words says what the text index is asked for.
func (p *recallPlan) words(l *scoreLookup, q store.RecallQuery) {
	chosen, common := l.choose(l.v, p.terms)
	stems := l.v.WordsOf(chosen)
	asked, required := words.AnyOf("words", stems...), l.required()
	scoring := asked
	if common { // of what half of the store has, the newest
		scoring = words.Within(asked, words.InRange(l.newest(l.times, l.marks, mostPostings, mostPostings), l.times.to))
	}
	p.values["words"], p.values["partial"] = scoring, common
	p.values["within"] = words.Within(scoring, required...)
	p.values["scan"], p.values["window"] = mostScanned, mostRecent
	p.values["reach"] = q.Limit + 1
	switch {
	case !p.form.Filtered:
	case l.share > 0 && l.passing < selective*l.all():
		p.values["reach"] = min(q.Limit, aside) // only for the best of the tenant
	case l.share > 0:
		p.values["reach"] = min(mostScanned, int(1.5*float64(q.Limit+1)*l.all()/l.passing))
	default:
		p.values["reach"] = max(q.Limit+1, mostScanned)
	}
	p.values["foremost"] = 4
	if q.AsOf != nil {
		p.values["foremost"] = knownThen
	}
	p.values["newestFirst"] = l.share == 0
	weights, now := q.Weights, q.Now
	if weights == (ranking.Weights{}) {
		weights = ranking.DefaultWeights
	}
	if now.IsZero() {
		now = time.Now()
	}
	if weights.Feedback == ranking.FeedbackOff {
		weights.PositiveBoost, weights.NegativePenalty = 0, 0
	}
	p.values["semantic"], p.values["temporal"] = weights.Semantic, weights.Temporal
	p.values["canvasBoost"], p.values["positiveBoost"], p.values["negativePenalty"] = weights.CanvasBoost, weights.PositiveBoost, weights.NegativePenalty
	p.values["now"], p.values["halfLife"] = now.UnixMilli(), weights.HalfLifeDays*float64((24*time.Hour).Milliseconds())
	p.values["recent"] = words.Within(asked, l.recent(recentWindow)...)
	p.values["boosted"] = nil
	if weights.CanvasBoost > 0 || weights.PositiveBoost > 0 {
		p.values["boosted"] = words.Within(words.AnyOf("boosted", stems...), required...)
	}
}

// recent is what the index has to find of about so many of the newest that pass.
func (l *scoreLookup) recent(window float64) []string {
	if l.share == 0 || l.passing <= window {
		return l.required()
	}
	return append(l.marked(), words.InRange(l.newest(l.times, l.marks, window, recentRange), l.times.to))
}

// marked asks for the marks.
func (l *scoreLookup) marked() []string {
	var required []string
	for _, mark := range l.marks {
		required = append(required, words.AnyOf("words", mark))
	}
	return required
}

// pool is what a recall's query answers.
type pool struct {
	bestScore float64 // 0 where none was found
	bestTexts []string
	items     []ranking.Candidate
	scores    []float64 // the index's own, of each
	more      bool
}

func decodePool(row *neo4j.Record) (pool, error) {
	values := row.AsMap()
	f := bolt.FieldsOf(values)
	items, scores := candidatesOf(f)
	p := pool{items: items, scores: scores, more: bolt.Required[bool](f, "more")}
	if score := bolt.Optional[float64](f, "bestScore"); score != nil {
		p.bestScore, p.bestTexts = *score, words.TextsOf(values["bestTexts"])
	}
	return p, f.Err
}

func candidatesOf(f *bolt.Fields) (items []ranking.Candidate, scores []float64) {
	keys := bolt.List[string](f, "keys")
	times := bolt.Parallel[int64](f, "times", len(keys))
	scores = bolt.Parallel[float64](f, "scores", len(keys))
	similarities := bolt.Parallel[float64](f, "similarities", len(keys))
	counted := bolt.Parallel[any](f, "aggregates", len(keys))
	items = make([]ranking.Candidate, len(keys))
	for i, key := range keys {
		items[i] = ranking.Candidate{
			Key: key, StartedAt: time.UnixMilli(times[i]).UTC(), Match: matching.Parts{Meaning: cosine(similarities[i])},
		}
		items[i].Match.Compared = items[i].Match.Meaning != 0
		items[i].CanvasActionCount, items[i].FeedbackSum, items[i].FeedbackCount = graph.Aggregates(counted[i])
	}
	return items, scores
}

// cosine undoes what Neo4j makes of it to have no number below 0.
func cosine(similarity float64) float64 { return 2*similarity - 1 }

// candidates normalises the scores.
func (p pool) candidates(terms []lexical.Term) store.Candidates {
	share := lexical.Share(terms, p.bestTexts...)
	answer := store.Candidates{Items: p.items, Approximate: p.more}
	for i := range answer.Items {
		match := &answer.Items[i].Match
		match.Words, match.Wordless = ranking.LexicalScore(p.scores[i], p.bestScore, share)/1.3, len(terms) == 0 // of a share, Semantic takes 1.3
		match.Own = match.Words
	}
	return answer
}
