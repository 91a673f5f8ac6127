// Package find is recall and search: it asks the full-text index and that of vectors for what matches, by what a sample
// tells of the tenant, and hands over a pool that the ranking sorts. How much it looks at is bounded.
package find

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/meanings"
	"mneme/store/neo4j/settings"
	"mneme/store/neo4j/words"
)

// The bounds of a recall's work. Every look at an episode is a few accesses to the database.
const (
	// mostScanned is how many episodes that pass the marks of a filter are looked at for those that pass the rest of it.
	mostScanned = 2048
	// MostCompared is the number of episodes up to which vectors are compared one by one.
	MostCompared = 2000
	// mostLooked is how many of the newest episodes are looked at for those that pass a filter.
	mostLooked = 10_000
	// recentWindow is among how many of the newest that pass those near by vector are sought beside the nearest of all, and
	// recentRange how many there may be in that time in all.
	recentWindow, recentRange = 500, 10_000
	// mostPromised is how many of what matches by words are scored, at least: those that may total the most.
	mostPromised = 300
	// aside is the length of the head of the newest by vector.
	aside = 64
	// mostAlone is how many times as many are compared one by one where the vector index would find others'.
	mostAlone = 5
	// wantedNeighbours is how many of the tenant's own the vector index is to find, and mostNeighbours how many it is asked for.
	wantedNeighbours, mostNeighbours = 2 * store.NearestMatches, 1000
	// mostOwn is how many of the tenant's own are compared where others' vectors hide them in the index.
	mostOwn = 50_000
	// leastOwn is how many of the tenant's own the index has to find at least, or they are taken to be hidden.
	leastOwn = 20
)

// Recaller recalls episodes of a tenant, and searches its records. It is safe for concurrent use.
type Recaller struct {
	*settings.Settings
	// ExactLimit is the number of episodes up to which vectors are compared one by one.
	ExactLimit int
	// Vectors says whether what records mean is kept and compared.
	Vectors bool

	samples sync.Map // *sampling by memory.Kind
	common  commonWords
	written atomic.Int64 // episodes that this process recorded
}

// CountWritten counts episodes that this process is to record: a sample serves until there are many.
func (s *Recaller) CountWritten(episodes int) { s.written.Add(int64(episodes)) }

// Candidates reads the pool; see store.Recaller. It takes a round trip to count the words, another for what matches, and a
// look at a sample now and then.
func (s *Recaller) Candidates(ctx context.Context, q store.RecallQuery) (store.Candidates, error) {
	ctx = store.Unmetered(ctx) // it keeps little of what it reads
	plan, err := s.planRecall(ctx, q)
	if err != nil {
		return store.Candidates{}, err
	}
	found, err := bolt.One(ctx, s.Connection, s.Query(cypher.Rendered("recall", plan.form), plan.values), decodeRecalled)
	if err != nil {
		return store.Candidates{}, err
	}
	return plan.pool(found, &q), nil
}

// recallPlan is how the store goes about a recall.
type recallPlan struct {
	form    graph.EpisodeShape
	values  cypher.Parameters
	asked   *question
	near    []near // by what they mean
	beyond  bool   // there are more than are compared where others' vectors hide them
	weights ranking.Weights
	now     time.Time
}

func (s *Recaller) planRecall(ctx context.Context, q store.RecallQuery) (*recallPlan, error) {
	known, err := s.sampled(ctx, memory.KindEpisode)
	if err != nil {
		return nil, err
	}
	plan := &recallPlan{values: graph.FilterParameters(q.Filter), weights: q.Weights, now: q.Now}
	if plan.weights == (ranking.Weights{}) {
		plan.weights = ranking.DefaultWeights
	}
	if plan.now.IsZero() {
		plan.now = time.Now()
	}
	plan.form = graph.EpisodeShape{AsOf: q.AsOf != nil, Filtered: q.AsOf != nil || q.Filter != (store.EpisodeFilter{})}
	plan.form.Filter(q.Filter)
	plan.form.Fixed = "" // the text index finds what is marked, and each text of a recall costs much to plan
	if q.AsOf != nil {
		graph.KnownBy(plan.values, *q.AsOf)
	}
	look := newLook(s.TenantID, known, q)
	meaning, err := s.planMeaning(ctx, plan, look, q)
	if err != nil {
		return nil, err
	}
	if plan.asked, err = s.ask(ctx, []memory.Kind{memory.KindEpisode}, q.Text, meaning); err != nil {
		return nil, err
	}
	plan.form.Meant, plan.form.Lexical = meaning != nil && len(plan.asked.vector) > 0, plan.asked.looked > 0
	plan.values["near"] = idsOf(plan.near)
	plan.compare(look, s.ExactLimit)
	if settings.CheckVector(q.Embedding) == nil {
		if err := s.planVector(ctx, plan, look, q); err != nil {
			return nil, err
		}
	}
	if plan.form.Lexical {
		if err := s.planWords(ctx, plan, look, q); err != nil {
			return nil, err
		}
	}
	plan.values["limit"], plan.values["aside"] = q.Limit, min(q.Limit, aside)
	return plan, nil
}

// planMeaning has the episodes that are nearest by what they mean come with the counts of words; nil where that is not compared.
// How many others have is known from when the sample was taken: where they have come to hide the tenant's own since, these
// are compared.
func (s *Recaller) planMeaning(ctx context.Context, plan *recallPlan, l *scoreLookup, q store.RecallQuery) (*beside, error) {
	vector, means := meanings.Asked(q.Text)
	if !s.Vectors || !means || len(q.Embedding) > 0 {
		return nil, nil
	}
	own, err := s.own(ctx, memory.KindEpisode, l.all())
	if err != nil {
		return nil, err
	}
	among := nearQuery{}
	among.add(l.v, memory.KindEpisode, own, l.passing, l.everywhere, s.ExactLimit, l.required())
	plan.beyond = len(among.indexes) > 0 && l.all() > mostOwn
	plan.values[meanings.Model] = meanings.Table
	values, asked := maps.Clone(plan.values), meanings.Ask(vector)
	among.give(values, vector)
	return &beside{vector, asked, cypher.Rendered("recall_near", plan.form), values, func(f *bolt.Fields) { plan.near = nearestOf(f, asked) }}, nil
}

// planVector makes the recall compare vectors, where the tenant has any.
func (s *Recaller) planVector(ctx context.Context, plan *recallPlan, l *scoreLookup, q store.RecallQuery) error {
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
	// as many as hold those that are wanted, if what passes is spread evenly among what all tenants have
	neighbours := 2 * float64(q.Limit) * max(1, l.everywhere/max(l.passing, 1))
	if plan.form.ByScore || plan.form.ByCanvas { // how many pass these is not known
		neighbours = mostNeighbours
	}
	plan.values["neighbours"] = int(min(neighbours, mostNeighbours))
	plan.values["wanted"], plan.values["mostOwn"] = min(q.Limit, max(2*cmp.Or(q.Top, q.Limit), leastOwn)), mostOwn
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

// planWords says what the text index is asked for, and what promises most: by about what it would total.
func (s *Recaller) planWords(ctx context.Context, plan *recallPlan, l *scoreLookup, q store.RecallQuery) error {
	asked, err := s.looks(ctx, plan.asked, map[memory.Kind][]string{memory.KindEpisode: l.required()})
	if err != nil {
		return err
	}
	weights := plan.weights
	if weights.Feedback == ranking.FeedbackOff {
		weights.PositiveBoost, weights.NegativePenalty = 0, 0
	}
	if plan.asked.some && (weights.CanvasBoost > 0 || weights.PositiveBoost > 0) { // and the best of those that rank higher, of any time
		boosted := words.Within(words.AnyOf("boosted", l.v.Word(plan.asked.Stems[0])), l.required()...)
		asked = append(asked, cypher.Parameters{"text": boosted, "most": mostScanned, "worth": asked[0]["worth"]})
	}
	plan.values["asked"], plan.values["some"], plan.values["promised"] = asked, plan.asked.some, max(mostPromised, q.Limit)
	plan.values["semantic"], plan.values["temporal"] = weights.Semantic, weights.Temporal
	plan.values["canvasBoost"], plan.values["positiveBoost"], plan.values["negativePenalty"] = weights.CanvasBoost, weights.PositiveBoost, weights.NegativePenalty
	plan.values["now"], plan.values["halfLife"] = plan.now.UnixMilli(), weights.HalfLifeDays*float64((24*time.Hour).Milliseconds())
	return nil
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

// recalled is an episode that may matter.
type recalled struct {
	ranking.Candidate
	bag, codes any
}

// recallFound is what a recall reads.
type recallFound struct {
	episodes []recalled
	more     bool // there are others than those that were answered
}

// decodeRecalled reads all episodes from one row: lists cost a fraction of a row each, on either side.
func decodeRecalled(row *neo4j.Record) (found recallFound, err error) {
	f := bolt.FieldsOf(row.AsMap())
	found.more = bolt.Required[bool](f, "more")
	keys := bolt.List[any](f, "keys")
	times, aggregates := bolt.Parallel[int64](f, "times", len(keys)), bolt.Parallel[any](f, "aggregates", len(keys))
	bags, codes, similarities := bolt.Parallel[any](f, "bags", len(keys)), bolt.List[any](f, "codes"), bolt.List[float64](f, "similarities")
	if f.Err != nil {
		return found, f.Err
	}
	for i := range keys {
		key, is := keys[i].(string)
		if !is {
			continue
		}
		r := recalled{bag: bags[i]}
		r.Key, r.StartedAt = key, time.UnixMilli(times[i]).UTC()
		if i < len(codes) {
			r.codes = codes[i]
		}
		if i < len(similarities) && similarities[i] >= 0 {
			r.Match.Meaning, r.Match.Compared = cosine(similarities[i]), true
		}
		r.CanvasActionCount, r.FeedbackSum, r.FeedbackCount = graph.Aggregates(aggregates[i])
		found.episodes = append(found.episodes, r)
	}
	return found, nil
}

// cosine undoes what Neo4j makes of it to have no number below 0.
func cosine(similarity float64) float64 { return 2*similarity - 1 }

// pool scores what was found, and keeps what matches, where anything does; of more than the pool may hold those that will be
// answered and those that tie with the last of them.
func (p *recallPlan) pool(found recallFound, q *store.RecallQuery) store.Candidates {
	all := found.episodes
	dates, pool := matching.Dates(q.Text), store.Candidates{Items: make([]ranking.Candidate, 0, len(all)), Approximate: p.beyond || found.more}
	matches := false
	for i := range all {
		r := &all[i]
		own := p.asked.Alone(p.asked.document(r.bag, memory.KindEpisode))
		r.Match.Words, r.Match.Own, r.Match.Wordless, r.Match.Date = own, own, p.asked.Possible == 0, matching.Near(dates, r.StartedAt)
		matches = matches || isMatch(&r.Candidate)
	}
	matches = matches || len(p.near) > 0
	for i := range all {
		r := &all[i]
		if matches && p.form.Meant {
			if meaning, compared := p.asked.means.Best(r.codes); compared {
				r.Match.Meaning, r.Match.Compared = meaning, true
			}
		}
		pool.Items = append(pool.Items, r.Candidate)
	}
	if matches {
		pool.Items = slices.DeleteFunc(pool.Items, func(c ranking.Candidate) bool { return !isMatch(&c) })
	}
	if len(pool.Items) > q.Limit {
		pool.Items = p.first(pool.Items, cmp.Or(q.Top, q.Limit))
	}
	return pool
}

func isMatch(c *ranking.Candidate) bool { return c.Match.Words > 0 || c.Match.Meaning > 0 }

// first are those that rank first, and those that tie with the last of them.
func (p *recallPlan) first(items []ranking.Candidate, top int) []ranking.Candidate {
	type place struct {
		matches bool
		total   float64
		at      int64
	}
	places := make(map[string]place, len(items))
	for i := range items {
		places[items[i].Key] = place{items[i].Semantic() > 0, p.weights.Score(items[i], p.now).Total, items[i].StartedAt.UnixMilli()}
	}
	compare := func(a, b ranking.Candidate) int {
		x, y := places[a.Key], places[b.Key]
		if x.matches != y.matches {
			if x.matches {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(y.at, x.at))
	}
	slices.SortFunc(items, compare)
	for top < len(items) && compare(items[top], items[top-1]) == 0 {
		top++
	}
	return items[:min(top, len(items))]
}
