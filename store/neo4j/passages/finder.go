package passages

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/nextsteps"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/settings"
	"mneme/store/vectors"
)

// Finder finds the passages of a tenant. It is safe for concurrent use.
type Finder struct {
	*settings.Settings
	// Made says which vectors are made and compared.
	Made Vectors

	kept memories
	// without is when the tenant had no embeddings, in milliseconds.
	without atomic.Int64
}

var _ store.Passages = (*Finder)(nil)

// The bounds of a look for what passes conditions that only records tell. Of the best passages by words so many times
// as many as are wanted are looked at first, mostly enough; then so many. Episodes come in order of time.
const (
	widerBy     = 8
	maxLooked   = 20_000
	maxEpisodes = 10_000
)

// Of the nearest to a vector so many are looked at first, and then so many, if too few pass. Beside many that words
// found only the best so many are read, which the answers hardly tell from all.
const (
	lookedNear = 400
	maxNear    = 5000
	leastNear  = 15
)

// PassagesByWords finds the best by words; see store.Passages.
func (f *Finder) PassagesByWords(ctx context.Context, stems []string, among store.Among) (found []store.FoundPassage, more bool, err error) {
	q := ask(f.TenantID, among)
	if len(q.clauses) == 0 || len(stems) == 0 {
		return []store.FoundPassage{}, false, nil
	}
	q.values["query"] = q.text(stems)
	for _, look := range q.looks(among.Limit + 1) {
		q.values["look"] = look
		if found, err = f.read(ctx, cypher.Rendered("passages_by_words", q.shape), q.values); err != nil || len(found) > among.Limit {
			break
		}
	}
	return found[:min(len(found), among.Limit)], len(found) > among.Limit, err
}

// PassagesBeside reads what is around observations, and takes that of other records from memory; see store.Passages.
func (f *Finder) PassagesBeside(ctx context.Context, of []store.FoundPassage, reach int, users store.UserFilter) ([]store.FoundPassage, error) {
	ids, turns := make([]int64, len(of)), map[string]cypher.Parameters{} // of an observation once
	inRecords := map[int64][]store.FoundPassage{}
	for i, p := range of {
		if ids[i] = p.ID; p.Session == "" {
			inRecords[p.Record] = append(inRecords[p.Record], p)
		} else {
			turns[p.Key] = cypher.Parameters{"session": p.Session, "at": bolt.Instant(p.At), "key": p.Key}
		}
	}
	beside := f.remembered(inRecords, 2*reach)
	if len(turns) == 0 || reach < 1 {
		return beside, nil
	}
	around, err := f.read(ctx, cypher.Rendered("passages_beside", shape{}), cypher.Parameters{"of": slices.Collect(maps.Values(turns)), "ids": ids, "reach": reach, "embedding": nil, "user": users.User, "shared": users.Shared})
	return append(beside, around...), err
}

// length is that of the tenant's embeddings. Where there are none it asks again: another server may write the first.
func (f *Finder) length(ctx context.Context) (int, error) {
	if f.KnownLength() == 0 && time.Since(time.UnixMilli(f.without.Load())) < lookTime {
		return 0, nil
	}
	length, err := f.VectorLength(ctx)
	if err == nil && length == 0 {
		f.without.Store(time.Now().UnixMilli())
	}
	return length, err
}

// scored is a passage with what it is sorted by.
type scored struct {
	store.FoundPassage
	score float64
}

// read reads passages, the best first.
func (f *Finder) read(ctx context.Context, asked cypher.Statement, values cypher.Parameters) ([]store.FoundPassage, error) {
	length, err := f.length(ctx)
	if err != nil {
		return nil, err
	}
	if length > 0 {
		values["embedding"] = settings.VectorProperty(length)
	}
	records, err := bolt.Read(ctx, f.Connection, f.Query(asked, values), passagesIn)
	all := slices.Concat(records...)
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return memory.Mapped(all, func(p scored) store.FoundPassage { return p.FoundPassage }), err
}

// passagesIn reads those of a record. What cannot be read is left out: the examination tells of it.
func passagesIn(f *bolt.Fields) (all []scored) {
	of := store.FoundPassage{Record: bolt.Required[int64](f, "record"), Kind: graph.KindOf(f.Text("label")), Key: f.Text("key")}
	if of.Kind == memory.KindObservation {
		of.Session, _ = f.Node.Props["session"].(string)
	}
	if c, err := candidateIn(f.Node.Props); err == nil && of.Kind == memory.KindEpisode {
		of.Episode = &c
	}
	for _, properties := range bolt.List[map[string]any](f, "passages") {
		p := bolt.FieldsOf(properties)
		if found := passageIn(p, of); p.Err == nil && (found.BuiltIn == nil || len(found.BuiltIn) == meaning.Dimensions) {
			all = append(all, scored{found, bolt.Required[float64](p, "score")})
		}
	}
	return all
}

// passageIn reads a passage of a record, the first with the embedding that came with that.
func passageIn(p *bolt.Fields, found store.FoundPassage) store.FoundPassage {
	found.ID, found.Number, found.Part, found.Position = bolt.Required[int64](p, "id"), p.Integer("number"), memory.Part(p.Text("part")), p.Integer("position")
	found.At, found.Text, found.Words = p.Instant("at"), p.Text("text"), lexical.Hashes(p.Text("words"))
	if step := p.OptionalText("step"); step != nil {
		found.Step = *step
	}
	if given := embeddingIn(p.Node.Props["given"]); given != nil {
		found.Embeddings = append(found.Embeddings, given)
	}
	if code := bolt.Optional[[]byte](p, "code"); code != nil && len(*code) > 0 {
		found.BuiltIn = vectors.Unit(*code)
	}
	if embedding := bolt.Optional[[]byte](p, "embedding"); embedding != nil && len(*embedding) > 0 {
		found.Embeddings = append(found.Embeddings, vectors.Vector(*embedding))
	}
	return found
}

// NewestAndBoosted finds episodes without a situation; see store.Passages.
func (f *Finder) NewestAndBoosted(ctx context.Context, among store.Among) (found []ranking.Candidate, more bool, err error) {
	q := ask(f.TenantID, among)
	q.values["look"], q.values["boosted"] = maxEpisodes, true
	newest := func(form graph.EpisodeShape) ([]ranking.Candidate, error) {
		return bolt.Read(ctx, f.Connection, f.Query(cypher.Rendered("newest", form), q.values), func(row *bolt.Fields) (c ranking.Candidate) {
			c, row.Err = candidateIn(row.Node.Props)
			return c
		})
	}
	own := among.Filter
	own.Shared = false
	q.Filter(own)
	looks := []string{q.Fixed}
	if among.Filter.Shared && q.Fixed == "user" { // first what is of the user, however many others there are
		looks = append(looks, "")
	}
	for _, q.Fixed = range append(looks, "boosted") {
		some, err := newest(q.EpisodeShape)
		if err != nil {
			return nil, false, err
		}
		var left bool
		found, left = store.AddCandidates(found, some, among.Limit)
		more = more || q.Fixed != "boosted" && left
	}
	return found, more, nil
}

// candidateIn reads what the ranking needs to know, where it was asked for.
func candidateIn(row map[string]any) (c ranking.Candidate, err error) {
	ranked, _ := row["ranked"].(map[string]any)
	f := bolt.FieldsOf(ranked)
	c.Key, c.StartedAt = f.Text("key"), f.Instant("startedAt")
	outcome, _ := f.Node.Props["outcome"].(string)
	c.Outcome = memory.Outcome(outcome)
	c.Corrected, _ = f.Node.Props["corrected"].(bool)
	c.TaskType, _ = f.Node.Props["taskType"].(string)
	c.About, _ = f.Node.Props["about"].(string)
	c.CanvasActionCount, c.FeedbackSum, c.FeedbackCount = graph.Aggregates(f.Node.Props["aggregates"])
	if leftOut := bolt.Optional[int](f, "leftOut"); leftOut != nil {
		c.LeftOut = *leftOut
	}
	for _, informed := range bolt.List[[]any](f, "informed") {
		outcome, _ := informed[0].(string)
		_, sum, count := graph.Aggregates(informed[1])
		c.Informed = c.Informed.With(memory.Outcome(outcome), sum, count)
	}
	return c, f.Err
}

// Trajectories reads the steps of episodes; see store.TrajectoriesOf.
func (f *Finder) Trajectories(ctx context.Context, of *store.TrajectoriesOf) ([]*nextsteps.Trajectory, error) {
	asked := memory.Mapped(*of, func(o store.TrajectoryOf) cypher.Parameters {
		return cypher.Parameters{"episode": o.Episode, "results": o.Results}
	})
	values := cypher.Parameters{"of": asked, "most": store.MaxStepsIn, "long": store.MaxStepResult, "step": capture.EventStepCompleted}
	return bolt.Read(ctx, f.Connection, f.Query(cypher.Named("trajectories"), values), trajectoryOf)
}

func trajectoryOf(f *bolt.Fields) *nextsteps.Trajectory {
	t := &nextsteps.Trajectory{Key: f.Key(memory.KindEpisode), Outcome: memory.Outcome(f.Text("outcome")), Steps: bolt.List[string](f, "steps")}
	_, t.FeedbackSum, _ = graph.Aggregates(f.Node.Props["aggregates"])
	for _, sequence := range bolt.List[int64](f, "logged") {
		t.Logged = append(t.Logged, int(sequence))
	}
	for _, result := range bolt.List[string](f, "results") {
		var kept memory.JSON
		if result != "" { // which stands for null in lists
			kept = memory.JSON(result)
		}
		t.Results = append(t.Results, kept)
	}
	return t
}
