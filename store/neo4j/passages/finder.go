package passages

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/nextsteps"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/async"
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
	// Words is what all tenants of a database know of how rare words are.
	Words *Words
	// Made says which vectors are made and compared.
	Made Vectors

	kept memories
	// without is when the tenant had no embeddings, in milliseconds.
	without atomic.Int64
}

var _ store.Passages = (*Finder)(nil)

// The bounds of a look for what passes conditions that only records tell. Of the best passages so many times as many as
// are wanted are looked at first, mostly enough; then so many by words, and by meaning. Episodes come in order of time.
const (
	widerBy     = 8
	maxLooked   = 20_000
	maxNear     = 5000
	maxEpisodes = 10_000
)

// PassagesByWords finds the best by words; see store.Passages.
func (f *Finder) PassagesByWords(ctx context.Context, stems []string, among store.Among) (found []store.FoundPassage, more bool, err error) {
	q := ask(f.TenantID, among)
	if len(q.clauses) == 0 || len(stems) == 0 {
		return []store.FoundPassage{}, false, nil
	}
	q.values["query"] = q.text(stems)
	for _, look := range q.looks(among.Limit+1, maxLooked) {
		q.values["look"] = look
		if found, err = f.read(ctx, cypher.Rendered("passages_by_words", q.shape), q.values); err != nil || len(found) > among.Limit {
			break
		}
	}
	return found[:min(len(found), among.Limit)], len(found) > among.Limit, err
}

// PassagesBeside finds what stands around observations; see store.Passages.
func (f *Finder) PassagesBeside(ctx context.Context, of []store.FoundPassage, reach int, users store.UserFilter) ([]store.FoundPassage, error) {
	if len(of) == 0 || reach < 1 {
		return []store.FoundPassage{}, nil
	}
	ids, turns := make([]int64, len(of)), map[string]cypher.Parameters{} // of an observation once
	for i, p := range of {
		ids[i], turns[p.Key] = p.ID, cypher.Parameters{"session": p.Session, "at": bolt.Instant(p.At), "key": p.Key}
	}
	return f.read(ctx, cypher.Named("passages_beside"), cypher.Parameters{"of": slices.Collect(maps.Values(turns)), "ids": ids, "reach": reach, "embedding": nil, "user": users.User, "shared": users.Shared})
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

// read reads passages with the embeddings of their episodes.
func (f *Finder) read(ctx context.Context, asked cypher.Statement, values cypher.Parameters) ([]store.FoundPassage, error) {
	length, err := f.length(ctx)
	if err != nil {
		return nil, err
	}
	if length > 0 {
		values["embedding"] = settings.VectorProperty(length)
	}
	found, err := bolt.Read(ctx, f.Connection, f.Query(asked, values), decode)
	return slices.DeleteFunc(found, func(p store.FoundPassage) bool { return p.ID == unread }), err
}

// unread is in the place of the id of a passage that cannot be read, of which the examination tells.
const unread = -1

func decode(row *neo4j.Record) (found store.FoundPassage, err error) {
	f := bolt.FieldsOf(row.AsMap())
	passage, _ := f.Node.Props["passage"].(map[string]any)
	found.ID, found.Kind, found.Key = bolt.Required[int64](f, "id"), graph.KindOf[f.Text("label")], f.Text("key")
	found.Session, _ = f.Node.Props["session"].(string)
	if given := embeddingIn(f); given != nil {
		found.Embeddings = append(found.Embeddings, given)
	}
	p := bolt.FieldsOf(passage)
	found.Number, found.Part, found.Position = p.Integer("number"), memory.Part(p.Text("part")), p.Integer("position")
	found.At, found.Text = p.Instant("at"), p.Text("text")
	if step := p.OptionalText("step"); step != nil {
		found.Step = *step
	}
	if code := bolt.Optional[[]byte](p, "code"); code != nil && len(*code) > 0 {
		found.BuiltIn = vectors.Unit(*code)
	}
	if embedding := bolt.Optional[[]byte](p, "embedding"); embedding != nil && len(*embedding) > 0 {
		found.Embeddings = append(found.Embeddings, vectors.Vector(*embedding))
	}
	if p.Err != nil || found.BuiltIn != nil && len(found.BuiltIn) != meaning.Dimensions {
		found.ID = unread
	}
	return found, f.Err
}

// EpisodesToRank reads what ranking needs to know; see store.Passages.
func (f *Finder) EpisodesToRank(ctx context.Context, keys []string, among store.Among) ([]ranking.Candidate, error) {
	if len(keys) == 0 {
		return []ranking.Candidate{}, nil
	}
	inform := async.Begin(func() informing { return f.informed(ctx, keys, among.AsOf) })
	q := ask(f.TenantID, among)
	q.values["keys"], q.Episodes = keys, q.filtered
	found, err := bolt.Read(ctx, f.Connection, f.Query(cypher.Rendered("episodes_to_rank", q.shape), q.values), bolt.Decoded(candidateOf))
	ranking.Inform(found, inform().of)
	return found, cmp.Or(err, inform().err)
}

// informing is what became of what episodes informed, by key.
type informing struct {
	of  map[string]ranking.Evidence
	err error
}

func (f *Finder) informed(ctx context.Context, keys []string, asOf *time.Time) informing {
	informed, values := informing{of: map[string]ranking.Evidence{}}, cypher.Parameters{"keys": keys}
	if len(keys) == 0 {
		return informed
	}
	graph.ContextParameters(values, asOf)
	asked := f.Query(cypher.Rendered("informed", graph.EpisodeShape{AsOf: asOf != nil}), values)
	informed.err = f.Each(ctx, asked, func(row *bolt.Fields) {
		key, outcome := row.Text("key"), memory.Outcome(row.Text("outcome"))
		_, sum, count := graph.Aggregates(row.Node.Props["aggregates"])
		informed.of[key] = informed.of[key].With(outcome, sum, count)
	})
	return informed
}

// NewestAndBoosted finds episodes without a situation; see store.Passages.
func (f *Finder) NewestAndBoosted(ctx context.Context, among store.Among) (found []ranking.Candidate, more bool, err error) {
	q := ask(f.TenantID, among)
	q.values["look"], q.values["boosted"] = maxEpisodes, true
	newest := func(form graph.EpisodeShape) ([]ranking.Candidate, error) {
		return bolt.Read(ctx, f.Connection, f.Query(cypher.Rendered("newest", form), q.values), bolt.Decoded(candidateOf))
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
	informed := f.informed(ctx, ranking.Keys(found), among.AsOf)
	ranking.Inform(found, informed.of)
	return found, more, informed.err
}

func candidateOf(f *bolt.Fields) (c ranking.Candidate) {
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
	return c
}

// Trajectories reads the steps of episodes; see store.Passages.
func (f *Finder) Trajectories(ctx context.Context, of []store.TrajectoryOf) ([]nextsteps.Trajectory, error) {
	asked := make([]cypher.Parameters, len(of))
	for i, o := range of {
		asked[i] = cypher.Parameters{"episode": o.Episode, "results": o.Results}
	}
	values := cypher.Parameters{"of": asked, "most": store.MaxStepsIn, "long": store.MaxStepResult, "step": capture.EventStepCompleted}
	return bolt.Read(ctx, f.Connection, f.Query(cypher.Named("trajectories"), values), bolt.Decoded(trajectoryOf))
}

func trajectoryOf(f *bolt.Fields) nextsteps.Trajectory {
	t := nextsteps.Trajectory{Key: f.Key(memory.KindEpisode), Outcome: memory.Outcome(f.Text("outcome")), Steps: bolt.List[string](f, "steps")}
	_, t.FeedbackSum, _ = graph.Aggregates(f.Node.Props["aggregates"])
	for _, sequence := range bolt.List[int64](f, "logged") {
		t.Logged = append(t.Logged, int(sequence))
	}
	for _, result := range bolt.List[string](f, "results") {
		t.Results = append(t.Results, bolt.OptionalJSON(result))
	}
	return t
}
