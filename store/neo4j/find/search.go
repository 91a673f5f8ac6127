package find

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/words"
)

// Search finds records by their words; see store.Searcher. Mostly one round trip: a few more where so many
// records match equally well at the end of the answer that their order by id is not known yet.
func (s *Recaller) Search(ctx context.Context, q store.SearchQuery) ([]store.SearchMatch, error) {
	terms := lexical.Terms(q.Text)
	best, text := s.searchTexts(q, terms)
	if text == "" || q.Limit <= 0 {
		return []store.SearchMatch{}, nil
	}
	for window := q.Limit + leastTies; ; window *= 4 {
		found, err := bolt.One(ctx, s.Connection, s.Query(cypher.Named("search"), cypher.Parameters{
			"best": best, "text": text, "window": window, "memoir": q.Memoir, "labels": append([]string{}, q.Labels...),
			"session": q.Session, "topic": q.Topic,
		}), decodeSearch)
		if err != nil {
			return nil, err
		}
		matches := found.matches
		if found.looked < window || window >= mostTies || len(matches) > q.Limit && matches[len(matches)-1].Score < matches[q.Limit-1].Score {
			return found.ranked(terms, q.Limit), nil
		}
	}
}

// searchTexts asks for the best match of some kinds, and for those that pass the filters; "" where there are no
// words, or no kind that has text. A filter asks for records of the one kind that has its property.
func (s *Recaller) searchTexts(q store.SearchQuery, terms []lexical.Term) (best, text string) {
	telling := lexical.Distinctive(terms, nil)
	var stems, filtered []string
	for _, kind := range slices.Compact(slices.Sorted(slices.Values(q.Kinds))) {
		if len(words.Sayings[kind]) == 0 || len(telling) == 0 {
			continue
		}
		v := words.VocabularyOf(s.TenantID, kind)
		ofKind := v.WordsOf(telling)
		stems = append(stems, ofKind...)
		if required, filters := v.SearchMarks(kind, q); filters {
			filtered = append(filtered, "("+words.Within(words.AnyOf("words", ofKind...), required...)+")")
		}
	}
	best = words.AnyOf("words", stems...)
	if q.Memoir == nil && len(q.Labels) == 0 && q.Session == nil && q.Topic == nil {
		return best, best
	}
	return best, strings.Join(filtered, " ")
}

// leastTies is how many more matches than asked for are read, to see whether equals follow; and mostTies how many
// are read at most, before some of them are taken.
const (
	leastTies = 50
	mostTies  = 3200
)

// searchResult is what a search's query answers.
type searchResult struct {
	bestScore float64
	bestTexts []string
	matches   []store.SearchMatch // Score still the index's own, best first
	looked    int                 // how many the index found, with those that only seemed to pass
}

func decodeSearch(row *neo4j.Record) (searchResult, error) {
	var found searchResult
	best, _, err := neo4j.GetRecordValue[map[string]any](row, "best") // null where nothing matches
	if err != nil {
		return found, err
	}
	if best != nil {
		f := bolt.FieldsOf(best)
		found.bestScore, found.bestTexts = bolt.Required[float64](f, "score"), words.TextsOf(best["texts"])
		if f.Err != nil {
			return found, f.Err
		}
	}
	f := bolt.FieldsOf(row.AsMap())
	found.looked = f.Integer("looked")
	labels := bolt.List[string](f, "labels")
	keys := bolt.Parallel[string](f, "keys", len(labels))
	scores := bolt.Parallel[float64](f, "scores", len(labels))
	found.matches = make([]store.SearchMatch, len(labels))
	for i, label := range labels {
		kind, known := kindsByLabel[label]
		if !known {
			return found, fmt.Errorf("labels holds %q", label)
		}
		found.matches[i] = store.SearchMatch{Kind: kind, Key: keys[i], Score: scores[i]}
	}
	return found, f.Err
}

// kindsByLabel is the inverse of labels.
var kindsByLabel = func() map[string]memory.Kind {
	kinds := make(map[string]memory.Kind, len(graph.Labels))
	for kind, label := range maps.All(graph.Labels) {
		kinds[label] = kind
	}
	return kinds
}()

// ranked normalises the scores and puts equals in the order of their ids.
func (r searchResult) ranked(terms []lexical.Term, limit int) []store.SearchMatch {
	share := lexical.Share(terms, r.bestTexts...)
	for i := range r.matches {
		r.matches[i].Score = ranking.LexicalScore(r.matches[i].Score, r.bestScore, share)
		r.matches[i].Parts.Words = r.matches[i].Score
	}
	slices.SortFunc(r.matches, func(a, b store.SearchMatch) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
	})
	return r.matches[:min(limit, len(r.matches))]
}
