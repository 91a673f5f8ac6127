package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/lexical"
)

// searchForm is a search whose text depends on what filters it.
type searchForm struct{ Memoir, Labels, Session, Topic bool }

// Search finds records by their words; see store.Searcher. Mostly one round trip: more where so many
// records match equally well at the end of the answer that their order by id is not known yet.
func (s *tenantStore) Search(ctx context.Context, q store.SearchQuery) ([]store.SearchMatch, error) {
	terms := lexical.Terms(q.Text)
	words := searchText(s.tenant, q.Kinds, terms)
	if words == "" || q.Limit <= 0 {
		return []store.SearchMatch{}, nil
	}
	form := searchForm{Memoir: q.Memoir != nil, Labels: len(q.Labels) > 0, Session: q.Session != nil, Topic: q.Topic != nil}
	text, err := expand("search", form)
	if err != nil {
		return nil, err
	}
	for window := q.Limit + leastTies; ; window *= 4 {
		values := parameters{
			"text": words, "window": window, "memoir": q.Memoir, "labels": q.Labels, "session": q.Session, "topic": q.Topic,
			"options": parameters{},
		}
		if form == (searchForm{}) {
			values["options"] = parameters{"limit": window} // nothing is filtered out, so the index may stop there
		}
		found, err := one(ctx, s.backend, s.query("search", text, values), decodeSearch)
		if err != nil {
			return nil, err
		}
		if matches := found.matches; len(matches) < window || matches[window-1].Score < matches[q.Limit-1].Score {
			return found.ranked(terms, q.Limit), nil
		}
	}
}

// leastTies is how many more matches than asked for are read, to see whether equals follow.
const leastTies = 50

// searchResult is what a search's query answers.
type searchResult struct {
	bestScore float64
	bestTexts []string
	matches   []store.SearchMatch // Score still the index's own, best first
}

func decodeSearch(row *neo4j.Record) (searchResult, error) {
	var found searchResult
	best, _, err := neo4j.GetRecordValue[map[string]any](row, "best") // null where nothing matches
	if err != nil {
		return found, err
	}
	if best != nil {
		f := fieldsOf(best)
		found.bestScore, found.bestTexts = required[float64](f, "score"), list[string](f, "texts")
		if f.err != nil {
			return found, f.err
		}
	}
	f := fieldsOf(row.AsMap())
	labels := list[string](f, "labels")
	keys := parallel[string](f, "keys", len(labels))
	scores := parallel[float64](f, "scores", len(labels))
	found.matches = make([]store.SearchMatch, len(labels))
	for i, label := range labels {
		kind, known := kindsByLabel[label]
		if !known {
			return found, fmt.Errorf("labels holds %q", label)
		}
		found.matches[i] = store.SearchMatch{Kind: kind, Key: keys[i], Score: scores[i]}
	}
	return found, f.err
}

// kindsByLabel is the inverse of labels.
var kindsByLabel = func() map[string]memory.Kind {
	kinds := make(map[string]memory.Kind, len(labels))
	for kind, label := range maps.All(labels) {
		kinds[label] = kind
	}
	return kinds
}()

// ranked normalises the scores and puts equals in the order of their ids.
func (r searchResult) ranked(terms []lexical.Term, limit int) []store.SearchMatch {
	share := lexical.Share(terms, r.bestTexts...)
	for i := range r.matches {
		r.matches[i].Score = memory.LexicalScore(r.matches[i].Score, r.bestScore, share)
	}
	slices.SortFunc(r.matches, func(a, b store.SearchMatch) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
	})
	return r.matches[:min(limit, len(r.matches))]
}
