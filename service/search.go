package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/memory/retrieval"
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
	Node    memory.Node
	Snippet string
	Score   float64
	Reasons []string // why it matches; see retrieval.Question.Reasons
	Moments []Moment // the passages that match best, at most three
	// HasWords is false where it is found by what it means alone; see retrieval.Match.
	HasWords bool

	place int // among the matches, from 1
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

// ConceptSearch asks for concepts by their words and what they mean.
type ConceptSearch struct {
	Query    string   `json:"query" jsonschema:"What to look for, in plain words."`
	MemoirID *string  `json:"memoirId,omitempty" jsonschema:"Only in this memoir, by id or key."`
	Labels   []string `json:"labels,omitempty" jsonschema:"Only concepts that have all of these labels."` // concepts that have all of these
}

// SearchConcepts finds concepts by name, content and labels.
func (g *Retrieval) SearchConcepts(ctx context.Context, search ConceptSearch, input PageInput) (*Page[SearchHit], error) {
	b := g.question(ctx)
	text, among := b.text("query", search.Query), store.Among{
		Kinds: []memory.Kind{memory.KindConcept}, Memoir: b.optionalKey(memory.KindMemoir, "memoirId", search.MemoirID), Labels: b.labels("labels", search.Labels),
	}
	page, err := g.search(ctx, b, text, among, input, fingerprint("searchConcepts", search), Include{})
	if err == nil {
		err = g.nothingFor(ctx, len(page.Items), calledMemoir("memoirId", search.MemoirID))
	}
	return page, err
}

// SearchCorrections finds corrections by topic, prediction, correction and context.
func (g *Retrieval) SearchCorrections(ctx context.Context, text string, topic *string, input PageInput) (*Page[SearchHit], error) {
	b := g.question(ctx)
	text, among := b.text("query", text), store.Among{Kinds: []memory.Kind{memory.KindCorrection}, Topic: b.optionalName("topic", topic)}
	return g.search(ctx, b, text, among, input, fingerprint("searchCorrections", text, topic), Include{})
}

// Search finds records of the given kinds, or of all that have text, and ranks them together.
func (g *Retrieval) Search(ctx context.Context, text string, kinds []string, users UserFilter, input PageInput, include Include) (*Page[SearchHit], error) {
	b := g.question(ctx)
	query, among := b.text("query", text), store.Among{Kinds: b.searchable("kinds", kinds), Filter: store.EpisodeFilter{UserFilter: b.users(users)}}
	return g.search(ctx, b, query, among, input, fingerprint("search", text, kinds, users), include)
}

// searchableKinds are those that have text.
var searchableKinds = []memory.Kind{
	memory.KindEpisode, memory.KindConcept, memory.KindObservation, memory.KindCorrection, memory.KindMemoir, memory.KindFeedback,
}

func (b *boundary) searchable(field string, names []string) []memory.Kind {
	if len(names) == 0 || !b.list(field, len(names)) {
		return searchableKinds
	}
	kinds := make([]memory.Kind, 0, len(names))
	for i, name := range names {
		if !slices.Contains(searchableKinds, memory.Kind(name)) {
			b.fail(memory.Invalid(at(field, i), "is no kind that has text; there are %s", strings.Join(memory.KindNames(searchableKinds), ", ")))
		}
		kinds = append(kinds, memory.Kind(name))
	}
	return kinds
}

func (g *Retrieval) search(
	ctx context.Context, b *boundary, text string, among store.Among, input PageInput, fingerprint string, include Include,
) (*Page[SearchHit], error) {
	if b.err != nil {
		return nil, b.err
	}
	r, err := pageRequest(input, fingerprint, nil)
	if err != nil {
		return nil, err
	}
	matched, err := g.find(ctx, g.store, text, nil, among)
	if err != nil {
		return nil, fault("the search", err)
	}
	records := matched.records()
	records = slices.DeleteFunc(records, func(r retrieval.Record) bool { // every vector of a model is a little like every other
		return r.Embedded && !r.HasWords() && r.Meaning < leastCosine
	})
	if err := g.lowerSuperseded(ctx, records); err != nil {
		return nil, fault("the search", err)
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
	superseded, err := g.store.Relations(ctx, store.RelationsOf{
		Concepts: concepts, Direction: store.Out, Types: []memory.RelationType{memory.RelationSupersededBy},
	})
	if err != nil || len(superseded) == 0 {
		return err
	}
	for i, match := range matches {
		if match.Kind == memory.KindConcept && len(superseded[match.Key]) > 0 {
			matches[i].Score = ranking.SupersededScore(match.Score)
		}
	}
	slices.SortFunc(matches, bestMatchFirst)
	return nil
}

func bestMatchFirst(a, b retrieval.Record) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
}

// hits reads a page of matches, which are ranked. What was deleted since it was found is passed over and the
// next taken, so that a page with more after it is full, if its texts are not too long, and has an end.
func (g *Retrieval) hits(ctx context.Context, found *found, matches []retrieval.Record, r request, include Include) (*Page[SearchHit], error) {
	total := len(matches)
	rest := matches[afterMatch(matches, r.page.After):]
	var hits []SearchHit
	for full := false; !full && len(hits) < r.page.Limit && len(rest) > 0; {
		next := rest[:min(len(rest), r.page.Limit-len(hits))]
		nodes, err := g.fittingNodes(ctx, idsOf(next, func(m *retrieval.Record) string { return memory.NodeID(m.Kind, m.Key) }), include)
		if err != nil {
			return nil, fault("the search", err)
		}
		full, next = len(nodes) < len(next), next[:len(nodes)]
		rest = rest[len(next):]
		for i, match := range next {
			if nodes[i] == nil {
				full = false
				continue
			}
			if match.Kind == memory.KindObservation {
				g.accesses.note(match.Key)
			}
			moments := found.show(nodes[i], match.Moments)
			hits = append(hits, SearchHit{
				Node: nodes[i], Snippet: moments[0].Snippet, Score: match.Score, Moments: moments,
				Reasons: found.question.Reasons(&match), HasWords: match.HasWords(), place: total - len(rest) - len(next) + i + 1,
			})
		}
	}
	count := func(context.Context) (int, error) { return total, nil }
	return newPage(r, hits, len(rest) > 0, count, func(h SearchHit) store.Position {
		return store.Position{Sequence: h.place, Key: h.Node.ID()}
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

// ObservationSearch asks for observations by their words and what they mean.
type ObservationSearch struct {
	Query     string   `json:"query" jsonschema:"What to look for, in plain words."`
	MinWeight *float64 `json:"minWeight,omitempty" jsonschema:"Only those that weigh at least this, 0 to 1."`
	SessionID *string  `json:"sessionId,omitempty" jsonschema:"Only those of this conversation, by id or key."`
	UserFilter
}

// SearchObservations finds observations; those that match raise the score of their neighbours in the session. Each that is answered counts as accessed. All pages are weighed as of the first.
func (g *Retrieval) SearchObservations(ctx context.Context, search ObservationSearch, input PageInput) (*Page[SearchHit], error) {
	b := g.question(ctx)
	text, among := b.text("query", search.Query), store.Among{
		Kinds: []memory.Kind{memory.KindObservation}, Session: b.optionalKey(memory.KindSession, "sessionId", search.SessionID),
		Filter: store.EpisodeFilter{UserFilter: b.users(search.UserFilter)},
	}
	b.share("minWeight", search.MinWeight)
	if b.err != nil {
		return nil, b.err
	}
	r, err := pageRequest(input, fingerprint("searchObservations", search), nil)
	if err != nil {
		return nil, err
	}
	if search.MinWeight != nil {
		r.weighedAt = g.weighingOf(r)
		among.Weight = &store.Weighing{Policy: r.policy, Now: r.at, Least: *search.MinWeight}
	}
	matched, err := g.find(ctx, g.store, text, nil, among)
	if err != nil {
		return nil, fault("the search", err)
	}
	records := matched.records()
	if among.Weight != nil {
		if records, err = g.heavyEnough(ctx, records, among.Weight); err != nil {
			return nil, fault("the search", err)
		}
	}
	return g.hits(ctx, matched, records, r, Include{})
}

// heavyEnough keeps the observations that weigh enough: some only stand next to one that does. Of what they say it keeps nothing.
func (g *Retrieval) heavyEnough(ctx context.Context, records []retrieval.Record, w *store.Weighing) (heavy []retrieval.Record, err error) {
	keys := memory.Mapped(records, func(record retrieval.Record) string { return record.Key })
	err = eachPart(ctx, keys, reading[memory.Observation](g.store), func(i int, observation *memory.Observation) {
		if observation != nil && w.Policy.Weight(observation, w.Now) >= w.Least {
			heavy = append(heavy, records[i])
		}
	})
	return heavy, err
}

// Moment is a passage of a record that matches what was looked for.
type Moment struct {
	memory.Passage
	Node    memory.Node // its record
	Snippet string      // what it says, at most snippetRunes long, the words that match between "**" and "**"
	Score   float64     // how well it matches, 0 to 1
	Where   string      // in words: "step 14 (cancel_reservation)"
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

// SearchMoments finds passages of records of the given kinds, or of all that have text: with a filter, of those episodes that meet it.
func (g *Retrieval) SearchMoments(ctx context.Context, text string, kinds []string, filter *EpisodeFilter, users UserFilter, input PageInput, include Include) (*Page[Moment], error) {
	b := g.question(ctx)
	among := store.Among{Kinds: b.searchable("kinds", kinds), Filter: store.EpisodeFilter{UserFilter: b.users(users)}}
	query := b.text("query", text)
	if filter != nil {
		of := *filter
		if of.UserID == nil {
			of.UserFilter = users
		}
		among.Kinds, among.Filter = []memory.Kind{memory.KindEpisode}, b.filter(of, g.clock())
	}
	if b.err != nil {
		return nil, b.err
	}
	r, err := pageRequest(input, fingerprint("searchMoments", text, kinds, filter, users), nil)
	if err != nil {
		return nil, err
	}
	matched, err := g.find(ctx, g.store, query, nil, among)
	if err != nil {
		return nil, fault("the search", err)
	}
	from := 0
	if r.page.After != nil {
		from = min(r.page.After.Sequence, len(matched.moments))
	}
	found := matched.moments[from:min(from+r.page.Limit, len(matched.moments))]
	nodes, err := g.fittingNodes(ctx, idsOf(found, func(m *retrieval.Moment) string { return memory.NodeID(m.Kind, m.Key) }), include)
	if err != nil {
		return nil, fault("the search", err)
	}
	var shown []Moment
	var places []int
	for i, node := range nodes {
		if node != nil { // else it is gone
			shown, places = append(shown, matched.show(node, found[i:i+1])...), append(places, from+i+1)
		}
	}
	count := func(context.Context) (int, error) { return len(matched.moments), nil }
	next := 0
	return newPage(r, shown, from+len(nodes) < len(matched.moments), count, func(m Moment) store.Position {
		next++
		return store.Position{Sequence: places[next-1], Key: m.Node.ID()}
	}), nil
}
