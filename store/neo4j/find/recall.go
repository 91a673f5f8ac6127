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

// Candidates reads the pool; see store.Recaller. It takes a round trip to count the words, and at the same time one for what is near
// by what it means, another for what matches, and a look at a sample now and then.
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
	if err := s.askBoth(ctx, plan, look, q); err != nil {
		return nil, err
	}
	look.grown = s.growth(memory.KindEpisode, known, plan.asked.records[memory.KindEpisode])
	plan.form.Meant, plan.form.Lexical = len(plan.asked.vector) > 0, plan.asked.looked > 0
	plan.values["near"] = idsOf(plan.near)
	plan.compare(look, s.ExactLimit)
	if settings.CheckVector(q.Embedding) == nil {
		if err := s.planVector(ctx, plan, look, q); err != nil {
			return nil, err
		}
	}
	if plan.form.Lexical {
		plan.planWords(look, q)
	}
	plan.values["limit"], plan.values["aside"] = q.Limit, min(q.Limit, aside)
	return plan, nil
}

// askBoth chooses the words, and finds the episodes that are nearest by what they mean, where that is compared, at the same time.
func (s *Recaller) askBoth(ctx context.Context, plan *recallPlan, l *scoreLookup, q store.RecallQuery) error {
	text := sense{}
	if len(q.Embedding) == 0 {
		text = s.senseOf(q.Text)
	}
	nearest, err := s.beginNear(ctx, plan, l, text)
	if err != nil {
		return err
	}
	asked, err := s.ask(ctx, []memory.Kind{memory.KindEpisode}, q.Text, mostListed)
	found, failed := nearest()
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	asked.sense = text
	plan.asked, plan.near = asked, found
	return nil
}

// beginNear looks for the episodes that are nearest by what they mean, and pass the filter, while its caller goes on. How many others
// have is known from when the sample was taken: where they have come to hide the tenant's own since, these are compared.
func (s *Recaller) beginNear(ctx context.Context, plan *recallPlan, l *scoreLookup, text sense) (finish func() ([]near, error), err error) {
	own, err := s.own(ctx, memory.KindEpisode, l.all())
	if err != nil {
		return nil, err
	}
	among := nearQuery{}
	among.add(l.v, memory.KindEpisode, own, amount{l.passing, l.everywhere, true}, s.ExactLimit, l.required())
	plan.beyond = len(text.vector) > 0 && len(among.indexes) > 0 && l.all() > mostOwn
	plan.values[meanings.Model] = meanings.Table
	return s.beginNearest(ctx, text, among, cypher.Rendered("recall_near", plan.form), maps.Clone(plan.values)), nil
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
	since   bool     // whether it leaves out the oldest

	inStretch, passing float64 // about how many there are in it, and with the marks
	grown              float64 // how many more episodes there are since the sample was taken
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
