package recalling

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/memory/retrieval"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

const (
	// snippetRunes is how long a snippet is.
	snippetRunes = 200
	// leastCosine is the least similarity of a model's vectors by which a record comes into a search without the words.
	leastCosine = 0.5
)

// SearchHit is a record that matches a search, with where it does.
type SearchHit struct {
	Node    memory.Node `json:"-"`
	Snippet string      `json:"snippet"`
	Score   float64     `json:"score"`
	Reasons []string    `json:"reasons"` // why it matches; see retrieval.Question.Reasons
	Moments []Moment    `json:"moments"` // the passages that match best, at most three
	// HasWords is false where it is found by what it means alone; see retrieval.Match.
	HasWords bool `json:"-"`
}

// Concept is the record of a hit among concepts; nil where it is of another kind.
func (h SearchHit) Concept() *memory.Concept { return nodeAs[*memory.Concept](h.Node) }

// Observation is the record of a hit among observations; nil where it is of another kind.
func (h SearchHit) Observation() *memory.Observation { return nodeAs[*memory.Observation](h.Node) }

// Correction is the record of a hit among corrections; nil where it is of another kind.
func (h SearchHit) Correction() *memory.Correction { return nodeAs[*memory.Correction](h.Node) }

func nodeAs[T memory.Node](node memory.Node) T {
	record, _ := node.(T)
	return record
}

// SearchConcepts finds concepts by name, content and labels.
func (g *Retrieval) SearchConcepts(ctx context.Context, search boundary.ConceptSearch, input reading.PageInput) (*reading.Page[SearchHit], error) {
	b := g.t.Question(ctx)
	text, among := b.Text("query", search.Query), store.Among{
		Kinds: []memory.Kind{memory.KindConcept}, Memoir: b.OptionalKey(memory.KindMemoir, "memoirId", search.MemoirID), Labels: b.Labels("labels", search.Labels),
	}
	page, err := g.search(ctx, b, text, among, input, reading.Fingerprint("searchConcepts", search), boundary.Include{})
	if err == nil {
		err = g.t.NothingFor(ctx, len(page.Items), tenancy.Memoirs.Called("memoirId", search.MemoirID))
	}
	return page, err
}

// SearchCorrections finds corrections by topic, prediction, correction and context.
func (g *Retrieval) SearchCorrections(ctx context.Context, text string, topic *string, input reading.PageInput) (*reading.Page[SearchHit], error) {
	b := g.t.Question(ctx)
	text, among := b.Text("query", text), store.Among{Kinds: []memory.Kind{memory.KindCorrection}, Topic: b.OptionalName("topic", topic)}
	return g.search(ctx, b, text, among, input, reading.Fingerprint("searchCorrections", text, topic), boundary.Include{})
}

// Search finds records of the given kinds, or of all that have text, and ranks them together.
func (g *Retrieval) Search(ctx context.Context, text string, kinds []string, users boundary.UserFilter, input reading.PageInput, include boundary.Include) (*reading.Page[SearchHit], error) {
	b := g.t.Question(ctx)
	query, among := b.Text("query", text), store.Among{Kinds: b.Searchable("kinds", kinds), Filter: store.EpisodeFilter{UserFilter: b.Users(users)}}
	return g.search(ctx, b, query, among, input, reading.Fingerprint("search", text, kinds, users), include)
}

func (g *Retrieval) search(
	ctx context.Context, b *boundary.Boundary, text string, among store.Among, input reading.PageInput, fingerprint string, include boundary.Include,
) (*reading.Page[SearchHit], error) {
	if b.Err() != nil {
		return nil, b.Err()
	}
	r, err := reading.PageRequest(input, fingerprint, nil)
	if err != nil {
		return nil, err
	}
	if among.Weight != nil {
		r.WeighedAt = g.t.WeighingOf(r)
		among.Weight.Policy, among.Weight.Now = r.Policy, r.At
	}
	matched, err := Find(ctx, g.t, text, nil, among)
	if err != nil {
		return nil, faults.Of("the search", err)
	}
	records := slices.DeleteFunc(matched.Records(), func(r retrieval.Record) bool { // every vector of a model is a little like every other
		return r.Embedded && !r.HasWords() && r.Meaning < leastCosine
	})
	if err = g.lowerSuperseded(ctx, records); err == nil && among.Weight != nil {
		records, err = g.heavyEnough(ctx, records, among.Weight)
	}
	if err != nil {
		return nil, faults.Of("the search", err)
	}
	return g.hits(ctx, matched, records, r, include)
}

// lowerSuperseded gives concepts that others took the place of the score they have then, and ranks anew.
func (g *Retrieval) lowerSuperseded(ctx context.Context, matches []retrieval.Record) error {
	var concepts []string
	for _, match := range matches {
		if match.Kind == memory.KindConcept {
			concepts = append(concepts, match.Key)
		}
	}
	if len(concepts) == 0 {
		return nil
	}
	superseded, err := g.t.Store.Relations(ctx, store.RelationsOf{
		Concepts: concepts, Direction: memory.DirectionOut, Types: []memory.RelationType{memory.RelationSupersededBy},
	})
	if err != nil || len(superseded) == 0 {
		return err
	}
	for i, match := range matches {
		if match.Kind == memory.KindConcept && len(superseded[match.Key]) > 0 {
			matches[i].Score = ranking.SupersededScore(match.Score)
		}
	}
	slices.SortFunc(matches, func(a, b retrieval.Record) int { // best first
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
	})
	return nil
}

// hits reads a page of matches, which are ranked. What was deleted since it was found is passed over and the
// next taken, so that a page with more after it is full, if its texts are not too long, and has an end.
func (g *Retrieval) hits(ctx context.Context, found *Found, matches []retrieval.Record, r reading.Request, include boundary.Include) (*reading.Page[SearchHit], error) {
	total := len(matches)
	rest := matches[afterMatch(matches, r.Page.After):]
	var hits []SearchHit
	var places []int // of the hits among the matches, from 1
	for full := false; !full && len(hits) < r.Page.Limit && len(rest) > 0; {
		next := rest[:min(len(rest), r.Page.Limit-len(hits))]
		nodes, err := g.fittingNodes(ctx, memory.Mapped(next, func(m retrieval.Record) string { return memory.NodeID(m.Kind, m.Key) }), include)
		if err != nil {
			return nil, faults.Of("the search", err)
		}
		full, next = len(nodes) < len(next), next[:len(nodes)]
		rest = rest[len(next):]
		for i, match := range next {
			if nodes[i] == nil {
				full = false
				continue
			}
			if match.Kind == memory.KindObservation {
				g.t.Accesses.Note(match.Key)
			}
			moments := found.show(nodes[i], match.Moments)
			hits = append(hits, SearchHit{
				Node: nodes[i], Snippet: moments[0].Snippet, Score: match.Score, Moments: moments,
				Reasons: found.question.Reasons(&match), HasWords: match.HasWords(),
			})
			places = append(places, total-len(rest)-len(next)+i+1)
		}
	}
	count := func(context.Context) (int, error) { return total, nil }
	return reading.NewPage(r, hits, len(rest) > 0, count, func(i int) store.Position {
		return store.Position{Sequence: places[i], Key: hits[i].Node.ID()}
	}), nil
}

// afterMatch is the place of the first match after a position: behind the record that it names, or in the place of that
// where it is gone. Scores tell no place, as each write changes how rare words are, and with that those of all matches.
func afterMatch(matches []retrieval.Record, after *store.Position) int {
	if after == nil {
		return 0
	}
	place := slices.IndexFunc(matches, func(m retrieval.Record) bool { return memory.NodeID(m.Kind, m.Key) == after.Key })
	if place < 0 {
		return min(max(after.Sequence-1, 0), len(matches))
	}
	return place + 1
}

// SearchObservations finds observations; matches raise the score of their neighbours in the session. Each that is
// answered counts as accessed. All pages are weighed as of the first.
func (g *Retrieval) SearchObservations(ctx context.Context, search boundary.ObservationSearch, input reading.PageInput) (*reading.Page[SearchHit], error) {
	b := g.t.Question(ctx)
	text, among := b.Text("query", search.Query), store.Among{
		Kinds: []memory.Kind{memory.KindObservation}, Session: b.OptionalKey(memory.KindSession, "sessionId", search.SessionID),
		Filter: store.EpisodeFilter{UserFilter: b.Users(search.UserFilter)},
	}
	if b.Share("minWeight", search.MinWeight); search.MinWeight != nil {
		among.Weight = &store.Weighing{Least: *search.MinWeight}
	}
	return g.search(ctx, b, text, among, input, reading.Fingerprint("searchObservations", search), boundary.Include{})
}

// heavyEnough keeps the observations that weigh enough: some only stand next to one that does. It keeps no texts.
func (g *Retrieval) heavyEnough(ctx context.Context, records []retrieval.Record, w *store.Weighing) (heavy []retrieval.Record, err error) {
	keys := memory.Mapped(records, func(record retrieval.Record) string { return record.Key })
	err = reading.EachPart(ctx, keys, reading.ByKey[memory.Observation](g.t.Store), func(i int, observation *memory.Observation) {
		if observation != nil && w.Policy.Weight(observation, w.Now) >= w.Least {
			heavy = append(heavy, records[i])
		}
	})
	return heavy, err
}

// Moment is a passage of a record that matches what was looked for.
type Moment struct {
	memory.Passage
	Node    memory.Node `json:"-"`       // its record
	Snippet string      `json:"snippet"` // what it says, at most snippetRunes long, the words that match between "**" and "**"
	Score   float64     `json:"score"`   // how well it matches, 0 to 1
	Where   string      `json:"where"`   // in words: "step 14 (cancel_reservation)"
}

// StepName is the name of the step it is of, nil where it is of none.
func (m Moment) StepName() *string {
	if m.Step == "" {
		return nil
	}
	return &m.Step
}

// Inside says whether it is from the run itself: a thought, a step or an entry of the log.
func (m Moment) Inside() bool {
	return m.Part == memory.PartThought || m.Part == memory.PartAction || m.Part == memory.PartEvent
}

// SearchMoments finds passages of records of the given kinds, or of all with text, or those of a filter's episodes.
func (g *Retrieval) SearchMoments(ctx context.Context, text string, kinds []string, filter *boundary.EpisodeFilter, users boundary.UserFilter, input reading.PageInput, include boundary.Include) (*reading.Page[Moment], error) {
	b := g.t.Question(ctx)
	among := store.Among{Kinds: b.Searchable("kinds", kinds), Filter: store.EpisodeFilter{UserFilter: b.Users(users)}}
	query := b.Text("query", text)
	if filter != nil {
		of := *filter
		if of.UserID == nil {
			of.UserFilter = users
		}
		among.Kinds, among.Filter = []memory.Kind{memory.KindEpisode}, b.Filter(of, g.t.Clock())
	}
	if b.Err() != nil {
		return nil, b.Err()
	}
	r, err := reading.PageRequest(input, reading.Fingerprint("searchMoments", text, kinds, filter, users), nil)
	if err != nil {
		return nil, err
	}
	matched, err := Find(ctx, g.t, query, nil, among)
	if err != nil {
		return nil, faults.Of("the search", err)
	}
	from := 0
	if r.Page.After != nil {
		from = min(r.Page.After.Sequence, len(matched.moments))
	}
	found := matched.moments[from:min(from+r.Page.Limit, len(matched.moments))]
	nodes, err := g.fittingNodes(ctx, memory.Mapped(found, func(m retrieval.Moment) string { return memory.NodeID(m.Kind, m.Key) }), include)
	if err != nil {
		return nil, faults.Of("the search", err)
	}
	var shown []Moment
	var places []int
	for i, node := range nodes {
		if node != nil { // else it is gone
			shown, places = append(shown, matched.show(node, found[i:i+1])...), append(places, from+i+1)
		}
	}
	count := func(context.Context) (int, error) { return len(matched.moments), nil }
	return reading.NewPage(r, shown, from+len(nodes) < len(matched.moments), count, func(i int) store.Position {
		return store.Position{Sequence: places[i], Key: shown[i].Node.ID()}
	}), nil
}
