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
	all, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("recall", plan.form), plan.values), decodeRecalled)
	if err != nil {
		return store.Candidates{}, err
	}
	return plan.pool(all, &q), nil
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
	if plan.asked, err = s.ask(ctx, []memory.Kind{memory.KindEpisode}, q.Text); err != nil {
		return nil, err
	}
	plan.form = graph.EpisodeShape{AsOf: q.AsOf != nil, Filtered: q.AsOf != nil || q.Filter != (store.EpisodeFilter{}), Lexical: plan.asked.looked > 0}
	plan.form.Filter(q.Filter)
	plan.form.Fixed = "" // the text index finds what is marked, and each text of a recall costs much to plan
	look := newLook(s.TenantID, known, q)
	plan.compare(look, s.ExactLimit)
	if settings.CheckVector(q.Embedding) == nil {
		if err := s.planVector(ctx, plan, q); err != nil {
			return nil, err
		}
	}
	if q.AsOf != nil {
		graph.KnownBy(plan.values, *q.AsOf)
	}
	if len(q.Embedding) == 0 && len(plan.asked.vector) > 0 {
		if err := s.planMeaning(ctx, plan, look); err != nil {
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

// planMeaning looks for the episodes that are nearest by what they mean.
func (s *Recaller) planMeaning(ctx context.Context, plan *recallPlan, l *scoreLookup) (err error) {
	among := nearQuery{}
	own, err := s.own(ctx, memory.KindEpisode, l.all())
	if err != nil {
		return err
	}
	among.add(l.v, memory.KindEpisode, own, l.passing, float64(plan.asked.everywhere[memory.KindEpisode]), s.ExactLimit, l.required())
	plan.form.Meant, plan.beyond = true, len(among.indexes) > 0 && l.all() > mostOwn
	plan.values[meanings.Model] = meanings.Table
	plan.near, err = s.nearest(ctx, plan.asked, among, cypher.Rendered("recall_near", plan.form), maps.Clone(plan.values))
	plan.values["near"] = idsOf(plan.near)
	return err
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

// recalled is an episode that may matter; none where its key is "".
type recalled struct {
	ranking.Candidate
	bag, codes any
	more       bool // there are others than those that were answered
}

func decodeRecalled(row *neo4j.Record) (recalled, error) {
	values := row.AsMap()
	f := bolt.FieldsOf(values)
	r := recalled{bag: values["bag"], codes: values["codes"], more: bolt.Required[bool](f, "more")}
	key := f.OptionalText("key")
	if key == nil || f.Err != nil {
		return r, f.Err
	}
	r.Key, r.StartedAt = *key, time.UnixMilli(bolt.Required[int64](f, "at")).UTC()
	if similarity := f.OptionalNumber("similarity"); similarity != nil {
		r.Match.Meaning, r.Match.Compared = cosine(*similarity), true
	}
	r.CanvasActionCount, r.FeedbackSum, r.FeedbackCount = graph.Aggregates(values["aggregates"])
	return r, f.Err
}

// cosine undoes what Neo4j makes of it to have no number below 0.
func cosine(similarity float64) float64 { return 2*similarity - 1 }

// pool scores what was found, and keeps what matches, where anything does; of more than the pool may hold those that will be
// answered and those that tie with the last of them.
func (p *recallPlan) pool(all []recalled, q *store.RecallQuery) store.Candidates {
	dates, pool := matching.Dates(q.Text), store.Candidates{Items: make([]ranking.Candidate, 0, len(all)), Approximate: p.beyond}
	matches := false
	for i := range all {
		r := &all[i]
		if pool.Approximate = pool.Approximate || r.more; r.Key == "" {
			continue
		}
		own := p.asked.Alone(p.asked.document(r.bag, memory.KindEpisode))
		r.Match.Words, r.Match.Own, r.Match.Wordless, r.Match.Date = own, own, p.asked.Possible == 0, matching.Near(dates, r.StartedAt)
		matches = matches || isMatch(&r.Candidate)
	}
	matches = matches || len(p.near) > 0
	for i := range all {
		r := &all[i]
		if r.Key == "" {
			continue
		}
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
