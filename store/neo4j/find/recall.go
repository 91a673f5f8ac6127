// Package find is recall and search: it asks the full-text index and that of vectors for what matches, by what a sample
// tells of the tenant, and hands over a pool that the ranking sorts. How much it looks at is bounded.
package find

import (
	"cmp"
	"context"
	"maps"
	"math"
	"sync"
	"sync/atomic"
	"time"

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
	// mostScanned is how many episodes that pass the marks of a filter are looked at for those that pass the rest of it.
	mostScanned = 2048
	// MostCompared is the number of episodes up to which vectors are compared one by one.
	MostCompared = 2000
	// mostLooked is how many of the newest episodes are looked at for those that pass a filter.
	mostLooked = 10_000
	// recentWindow is among how many of the newest that pass those near by vector are sought beside the nearest of all, and
	// recentRange how many there may be in that time in all.
	recentWindow, recentRange = 500, 10_000
	// aside is the length of the head of the newest by vector.
	aside = 64
	// mostAlone is how many times as many are compared one by one where the vector index would find others'.
	mostAlone = 5
	// wantedNeighbours is how many of the tenant's own the vector index is to find, and mostNeighbours how many it is asked for.
	wantedNeighbours, mostNeighbours = store.NearestMatches * 3 / 2, 1000
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

// Candidates reads the pool; see store.Recaller. It takes a round trip to count the words and another for what matches; at the same time
// two for what is near by what it means; and a look at a sample now and then.
func (s *Recaller) Candidates(ctx context.Context, q store.RecallQuery) (store.Candidates, error) {
	ctx = store.Unmetered(ctx) // it keeps little of what it reads
	known, err := s.sampled(ctx, memory.KindEpisode)
	if err != nil {
		return store.Candidates{}, err
	}
	plan, look := s.planRecall(known, q)
	nearest, err := s.beginNear(ctx, plan, look)
	if err != nil {
		return store.Candidates{}, err
	}
	found, err := s.matching(ctx, plan, look, q)
	near, failed := nearest()
	if err := cmp.Or(err, failed); err != nil {
		return store.Candidates{}, err
	}
	return plan.pool(found.with(near), &q), nil
}

// recallPlan is how the store goes about a recall.
type recallPlan struct {
	form    graph.EpisodeShape
	values  cypher.Parameters
	terms   []lexical.Term // of the situation, that may be chosen
	text    sense          // what the situation means, where it has words to be compared by, too
	asked   *question
	beyond  bool // not all are compared: an index of vectors finds about the nearest
	weights ranking.Weights
	boosts  bool // by canvases or by what people said
	now     time.Time
}

func (s *Recaller) planRecall(known *sample, q store.RecallQuery) (*recallPlan, *scoreLookup) {
	plan := &recallPlan{values: graph.FilterParameters(q.Filter), terms: considered(q.Text), weights: q.Weights, now: q.Now}
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
	if len(q.Embedding) == 0 && len(plan.terms) > 0 {
		plan.text = s.senseOf(q.Text)
	}
	plan.weigh()
	plan.form.Meant = len(plan.text.vector) > 0
	return plan, newLook(s.TenantID, known, q)
}

// beginNear finds the episodes that are nearest by what they mean, and pass the filter, while its caller goes on. How many others
// have is known from when the sample was taken: where they have come to hide the tenant's own since, these are compared.
func (s *Recaller) beginNear(ctx context.Context, plan *recallPlan, l *scoreLookup) (finish func() ([]recalled, error), err error) {
	if !plan.form.Meant {
		return func() ([]recalled, error) { return nil, nil }, nil
	}
	own, err := s.own(ctx, memory.KindEpisode, l.all())
	if err != nil {
		return nil, err
	}
	among := nearQuery{}
	among.add(l.v, memory.KindEpisode, own, amount{l.passing, l.everywhere, true}, s.ExactLimit, l.required())
	plan.beyond = len(among.indexes) > 0
	values, text := maps.Clone(plan.values), plan.text
	nearby, ofThem := cypher.Rendered("recall_near", plan.form), cypher.Rendered("recall_of", plan.form)
	return begin(func() ([]recalled, error) {
		near, err := s.nearest(ctx, text, among, nearby, values)
		if err != nil || len(near) == 0 {
			return nil, err
		}
		values["near"] = idsOf(near)
		return bolt.One(ctx, s.Connection, s.Query(ofThem, values), decodeRecalled)
	}), nil
}

// matching finds what matches by words, or by the vector that a caller gives, or where nothing does, the newest.
func (s *Recaller) matching(ctx context.Context, plan *recallPlan, look *scoreLookup, q store.RecallQuery) (found recallFound, err error) {
	if plan.asked, err = s.ask(ctx, []memory.Kind{memory.KindEpisode}, plan.terms, mostListed); err != nil {
		return found, err
	}
	plan.asked.dates = matching.Dates(q.Text)
	if err := s.nameTimes(ctx, plan.asked, memory.KindEpisode); err != nil {
		return found, err
	}
	look.grown = s.growth(memory.KindEpisode, look.sample, plan.asked.records[memory.KindEpisode])
	plan.form.Lexical = plan.asked.looked > 0
	plan.compare(look, s.ExactLimit)
	if settings.CheckVector(q.Embedding) == nil {
		if err := s.planVector(ctx, plan, look, q); err != nil {
			return found, err
		}
	}
	if plan.form.Lexical {
		plan.planWords(look, q)
	}
	plan.values["limit"], plan.values["aside"], plan.values["newest"] = q.Limit, min(q.Limit, aside), max(q.Limit, mostFurther)
	return bolt.One(ctx, s.Connection, s.Query(cypher.Rendered("recall", plan.form), plan.values), decodeFound)
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
	marks   []anyMark // that they have
	times   stretch   // that they started in
	bounded bool      // whether the stretch leaves any out
	since   bool      // whether it leaves out the oldest

	inStretch, passing float64 // about how many there are in it, and with the marks
	grown              float64 // how many more episodes there are since the sample was taken
}

func newLook(tenant string, known *sample, q store.RecallQuery) *scoreLookup {
	v := words.VocabularyOf(tenant, memory.KindEpisode)
	l := &scoreLookup{sample: known, v: v, times: stretch{v.Second(graph.Earliest), v.Second(graph.Latest)}}
	for property, value := range map[string]*string{"agent": q.Filter.Agent, "session": q.Filter.Session, "taskType": q.Filter.TaskType} {
		if value != nil {
			l.marks = append(l.marks, anyMark{v.Mark(property, *value)})
		}
	}
	if outcomes := graph.Outcomes(q.Filter); outcomes != nil {
		l.marks = append(l.marks, bolt.Texts(outcomes, func(outcome string) string { return v.Mark("outcome", outcome) }))
	}
	if q.Filter.Since != nil {
		l.times.from, l.bounded, l.since = v.Second(*q.Filter.Since), true, true
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

// mostPassing is how many may pass the filter: the sample tells that only about.
func (l *scoreLookup) mostPassing() float64 {
	seen := l.passing * l.share
	return (seen + 3 + 2*math.Sqrt(seen)) / l.share
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
		p.values["marks"], p.values["look"] = words.All(required...), most
	}
}
