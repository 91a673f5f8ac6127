package service

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/prose"
	"mneme/memory/ranking"
	"mneme/memory/summary"
	"mneme/store"
	"mneme/store/lexical"
)

// The bounds of a search: how many matches it pages through, and how long a snippet is.
const (
	maxMatches   = 1000
	snippetRunes = 200
)

// Tells says whether a text has words by which something can be found, other than those that any text has, such as "the".
func Tells(text string) bool { return len(lexical.Terms(text)) > 0 }

// SearchHit is a record that matches a search, with where it does.
type SearchHit struct {
	Node    memory.Node
	Snippet string
	Score   float64
	Reasons []string // why it matches; see matching.Reasons
	// HasWords is false where it is found by what it means alone; see matching.HasWords.
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
	query := store.SearchQuery{
		Text: b.text("query", search.Query), Kinds: []memory.Kind{memory.KindConcept},
		Memoir: b.optionalKey(memory.KindMemoir, "memoirId", search.MemoirID), Labels: b.labels("labels", search.Labels),
	}
	page, err := g.search(ctx, b, query, input, fingerprint("searchConcepts", search))
	if err == nil {
		err = g.nothingFor(ctx, len(page.Items), calledMemoir("memoirId", search.MemoirID))
	}
	return page, err
}

// SearchCorrections finds corrections by topic, prediction, correction and context.
func (g *Retrieval) SearchCorrections(ctx context.Context, text string, topic *string, input PageInput) (*Page[SearchHit], error) {
	b := g.question(ctx)
	query := store.SearchQuery{
		Text: b.text("query", text), Kinds: []memory.Kind{memory.KindCorrection}, Topic: b.optionalName("topic", topic),
	}
	return g.search(ctx, b, query, input, fingerprint("searchCorrections", text, topic))
}

// Search finds records of the given kinds, or of all that have text, and ranks them together.
func (g *Retrieval) Search(ctx context.Context, text string, kinds []string, input PageInput) (*Page[SearchHit], error) {
	b := g.question(ctx)
	query := store.SearchQuery{Text: b.text("query", text), Kinds: b.searchable("kinds", kinds)}
	return g.search(ctx, b, query, input, fingerprint("search", text, kinds))
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

func (g *Retrieval) search(ctx context.Context, b *boundary, query store.SearchQuery, input PageInput, fingerprint string) (*Page[SearchHit], error) {
	if b.err != nil {
		return nil, b.err
	}
	r, err := pageRequest(input, fingerprint, nil)
	if err != nil {
		return nil, err
	}
	query.Limit = maxMatches
	matches, err := g.store.Search(ctx, query)
	if err == nil && (r.first || r.meaning) {
		matches, r.meaning, err = g.withMeaning(ctx, query, matches, r.meaning)
	}
	if err == nil {
		err = g.lowerSuperseded(ctx, matches)
	}
	if err != nil {
		return nil, fault("the search", err)
	}
	return g.hits(ctx, query.Text, matches, r)
}

// The bounds of what a search finds by its meaning.
const (
	// meaningMatches is how many episodes are looked for by their vectors.
	meaningMatches = 100
	// leastCosine is the least similarity of embeddings by which an episode comes into a search of all kinds: unlike words, every
	// vector is a little like every other. A recall, which asks for episodes only, ranks all of them.
	leastCosine = 0.5
)

// errNoMeaning ends a search of which earlier pages were ranked by meaning, too: those that follow would be of another order.
var errNoMeaning = &memory.Error{
	Code:    memory.CodeUnavailable,
	Message: "the pages before were ranked by meaning, too, and the model for that does not answer; try again, or search from the first page on",
}

// withMeaning adds the episodes whose embeddings are like that of the text, where there is an embedder, and says whether it
// could. Their cosine takes the place of that of the built-in vectors, which all other records keep. Where it cannot be had,
// what the store found is the answer, unless it must take part.
func (g *Retrieval) withMeaning(ctx context.Context, query store.SearchQuery, matches []store.SearchMatch, must bool) ([]store.SearchMatch, bool, error) {
	if !slices.Contains(query.Kinds, memory.KindEpisode) || query.Text == "" {
		return matches, false, nil
	}
	vectors := g.embed(ctx, []string{query.Text})
	if vectors == nil || vectors[0] == nil {
		if must {
			return nil, false, errNoMeaning
		}
		return matches, false, nil
	}
	pool, err := g.store.Candidates(ctx, store.RecallQuery{Embedding: vectors[0], Weights: bySimilarity, Now: g.clock(), Limit: meaningMatches})
	switch {
	case err == nil:
	case must || ctx.Err() != nil:
		return nil, false, err
	default:
		g.log.WarnContext(ctx, "the search by meaning failed; going on with what the words found", "error", err)
		return matches, false, nil
	}
	at := map[string]int{}
	for i, match := range matches {
		if match.Kind == memory.KindEpisode {
			at[match.Key] = i
		}
	}
	for _, c := range pool.Items {
		if c.Match.Meaning < leastCosine {
			continue
		}
		i, known := at[c.Key]
		if !known {
			i, matches = len(matches), append(matches, store.SearchMatch{Kind: memory.KindEpisode, Key: c.Key})
		}
		match := &matches[i]
		match.Parts.Meaning, match.Parts.Compared = c.Match.Meaning, true
		match.Score = match.Parts.Score()
	}
	slices.SortFunc(matches, bestMatchFirst)
	return matches[:min(len(matches), maxMatches)], true, nil
}

// lowerSuperseded gives concepts that others took the place of the score they have then, and ranks anew.
func (g *Retrieval) lowerSuperseded(ctx context.Context, matches []store.SearchMatch) error {
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

func bestMatchFirst(a, b store.SearchMatch) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
}

// hits reads a page of matches, which are ranked. What was deleted since it was found is passed over and the
// next taken, so that a page with more after it is full and has an end.
func (g *Retrieval) hits(ctx context.Context, text string, matches []store.SearchMatch, r request) (*Page[SearchHit], error) {
	total := len(matches)
	rest := matches[afterMatch(matches, r.page.After):]
	marks, dates, names := lexical.Matcher(text), matching.Dates(text), matching.NamesIn(text)
	var hits []SearchHit
	for len(hits) < r.page.Limit && len(rest) > 0 {
		next := rest[:min(len(rest), r.page.Limit-len(hits))]
		rest = rest[len(next):]
		nodes, err := g.matched(ctx, next)
		if err != nil {
			return nil, fault("the search", err)
		}
		for i, match := range next {
			if nodes[i] == nil {
				continue
			}
			if match.Kind == memory.KindObservation {
				g.accesses.note(match.Key)
			}
			at, speaker := saidBy(nodes[i], names)
			hits = append(hits, SearchHit{
				Node: nodes[i], Snippet: prose.Snippet(textOf(nodes[i]), marks, snippetRunes), Score: match.Score,
				Reasons: matching.Reasons(match.Parts, dates, at, speaker), HasWords: matching.HasWords(match.Parts),
				place: total - len(rest) - len(next) + i + 1,
			})
		}
	}
	count := func(context.Context) (int, error) { return total, nil }
	return newPage(r, hits, len(rest) > 0, count, func(h SearchHit) store.Position {
		return store.Position{Sequence: h.place, Key: h.Node.ID()}
	}), nil
}

// matched reads the records of matches, nil where one is gone.
func (g *Retrieval) matched(ctx context.Context, matches []store.SearchMatch) ([]memory.Node, error) {
	ids := make([]string, len(matches))
	for i, match := range matches {
		ids[i] = memory.NodeID(match.Kind, match.Key)
	}
	return g.nodesOf(ctx, ids)
}

// afterMatch is the place of the first match after a position: behind the record that it names, or in the place of that
// where it is gone. Scores tell no place, as each write changes how rare words are, and with that those of all matches.
func afterMatch(matches []store.SearchMatch, after *store.Position) int {
	if after == nil {
		return 0
	}
	place := slices.IndexFunc(matches, func(m store.SearchMatch) bool { return memory.NodeID(m.Kind, m.Key) == after.Key })
	if place < 0 {
		return min(max(after.Sequence-1, 0), len(matches))
	}
	return place + 1
}

// saidBy is when a record is from, and whom of those that a query names it is from.
func saidBy(node memory.Node, names matching.Names) (at time.Time, speaker string) {
	switch record := node.(type) {
	case *memory.Episode:
		_, speaker = names.Speaker(record.Observation, record.AgentKey)
		return record.StartedAt, speaker
	case *memory.Observation:
		_, speaker = names.Speaker(record.Content, "")
		return record.CreatedAt, speaker
	case *memory.Concept:
		return record.CreatedAt, ""
	case *memory.Correction:
		return record.CreatedAt, ""
	case *memory.Memoir:
		return record.CreatedAt, ""
	case *memory.Feedback:
		return record.CreatedAt, ""
	}
	return time.Time{}, ""
}

// textOf is what a search looks at in a record.
func textOf(node memory.Node) string {
	switch record := node.(type) {
	case *memory.Episode:
		text := record.Observation + " " + valueOr(record.Result, "") + " " + record.Insight
		if record.Title != summary.Title(record.Observation) {
			text = record.Title + ": " + text
		}
		return text
	case *memory.Concept:
		return strings.Join(append([]string{record.Name + ": " + record.Content}, record.Labels...), " · ")
	case *memory.Observation:
		return record.Content
	case *memory.Correction:
		return record.Topic + ": " + record.Prediction + " → " + record.Correction + " " + valueOr(record.Context, "")
	case *memory.Memoir:
		return record.Name + ": " + valueOr(record.Description, "")
	case *memory.Feedback:
		return strings.TrimSpace(valueOr(record.Corrections, "") + " " + valueOr(record.Comment, ""))
	default:
		return node.ID()
	}
}

// ObservationSearch asks for observations by their words and what they mean.
type ObservationSearch struct {
	Query     string   `json:"query" jsonschema:"What to look for, in plain words."`
	MinWeight *float64 `json:"minWeight,omitempty" jsonschema:"Only those that weigh at least this, 0 to 1."`
	SessionID *string  `json:"sessionId,omitempty" jsonschema:"Only those of this conversation, by id or key."`
}

// SearchObservations finds observations; those that match raise the score of their neighbours in the session. Each that is answered counts as accessed. All pages are weighed as of the first.
func (g *Retrieval) SearchObservations(ctx context.Context, search ObservationSearch, input PageInput) (*Page[SearchHit], error) {
	b := g.question(ctx)
	query := store.SearchQuery{
		Text: b.text("query", search.Query), Kinds: []memory.Kind{memory.KindObservation},
		Session: b.optionalKey(memory.KindSession, "sessionId", search.SessionID), Neighbours: true, Limit: maxMatches,
	}
	b.share("minWeight", search.MinWeight)
	if b.err != nil {
		return nil, b.err
	}
	r, err := pageRequest(input, fingerprint("searchObservations", search), nil)
	if err != nil {
		return nil, err
	}
	matches, err := g.store.Search(ctx, query)
	if err == nil && search.MinWeight != nil {
		r.weighedAt = g.weighingOf(r)
		matches, err = g.heavyEnough(ctx, query, matches, r.weighedAt, *search.MinWeight)
	}
	if err != nil {
		return nil, fault("the search", err)
	}
	return g.hits(ctx, query.Text, matches, r)
}

// heavyEnough keeps the observations that weigh at least so much. They may be few among those that match, so that those of them that have the
// words are looked for apart; the others of them stand next to a lighter one. Of what they say it keeps nothing.
func (g *Retrieval) heavyEnough(ctx context.Context, query store.SearchQuery, matches []store.SearchMatch, w weighedAt, minWeight float64) ([]store.SearchMatch, error) {
	query.Weighing = &store.Weighing{Policy: w.policy, Now: w.at, Least: minWeight}
	apart, err := g.store.Search(ctx, query)
	if err != nil {
		return nil, err
	}
	matches = bestOfBoth(matches, apart)
	keys := make([]string, len(matches))
	for i, match := range matches {
		keys[i] = match.Key
	}
	if err := store.BudgetOf(ctx).Sum().Add(len(keys)); err != nil {
		return nil, err
	}
	heavy := matches[:0]
	err = eachPart(ctx, keys, g.store.Observations, func(i int, observation *memory.Observation) {
		if observation != nil && w.policy.Weight(observation, w.at) >= minWeight {
			heavy = append(heavy, matches[i])
		}
	})
	return heavy[:min(len(heavy), maxMatches)], err
}

// bestOfBoth are the observations of two searches, the best first, each once and by its better score.
func bestOfBoth(a, b []store.SearchMatch) []store.SearchMatch {
	all, seen := slices.Concat(a, b), map[string]bool{}
	slices.SortFunc(all, func(a, b store.SearchMatch) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	return slices.DeleteFunc(all, func(m store.SearchMatch) bool {
		before := seen[m.Key]
		seen[m.Key] = true
		return before
	})
}
