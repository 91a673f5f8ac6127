package neo4j

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
)

// Search finds records by their words; see store.Searcher. Mostly one round trip: a few more where so many
// records match equally well at the end of the answer that their order by id is not known yet.
func (s *tenantStore) Search(ctx context.Context, q store.SearchQuery) ([]store.SearchMatch, error) {
	terms := lexical.Terms(q.Text)
	best, text := s.searchTexts(q, terms)
	if text == "" || q.Limit <= 0 {
		return []store.SearchMatch{}, nil
	}
	for window := q.Limit + leastTies; ; window *= 4 {
		found, err := one(ctx, s.backend, s.query(named("search"), parameters{
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
func (s *tenantStore) searchTexts(q store.SearchQuery, terms []lexical.Term) (best, text string) {
	telling := lexical.Distinctive(terms, nil)
	var words, filtered []string
	for _, kind := range slices.Compact(slices.Sorted(slices.Values(q.Kinds))) {
		if len(sayings[kind]) == 0 || len(telling) == 0 {
			continue
		}
		v := vocabularyOf(s.tenant, kind)
		ofKind := v.wordsOf(telling)
		words = append(words, ofKind...)
		if required, filters := v.searchMarks(kind, q); filters {
			filtered = append(filtered, "("+within(anyOf("words", ofKind...), required...)+")")
		}
	}
	best = anyOf("words", words...)
	if q.Memoir == nil && len(q.Labels) == 0 && q.Session == nil && q.Topic == nil {
		return best, best
	}
	return best, strings.Join(filtered, " ")
}

// searchMarks are the marks that a search's filters ask of one kind; ok is false where they ask what the
// records of the kind do not have.
func (v vocabulary) searchMarks(kind memory.Kind, q store.SearchQuery) (required []string, ok bool) {
	for property, values := range map[string][]string{
		"memoir": textsOf(q.Memoir), "labels": q.Labels, "session": textsOf(q.Session), "topic": textsOf(q.Topic),
	} {
		if len(values) > 0 && (!slices.Contains(marked[kind], property) || property == "session" && kind == memory.KindEpisode) {
			return nil, false
		}
		for _, value := range values {
			required = append(required, anyOf("words", v.mark(property, value)))
		}
	}
	return required, true
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
		f := fieldsOf(best)
		found.bestScore, found.bestTexts = required[float64](f, "score"), textsOf(best["texts"])
		if f.err != nil {
			return found, f.err
		}
	}
	f := fieldsOf(row.AsMap())
	found.looked = f.integer("looked")
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
		r.matches[i].Score = ranking.LexicalScore(r.matches[i].Score, r.bestScore, share)
	}
	slices.SortFunc(r.matches, func(a, b store.SearchMatch) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(memory.NodeID(a.Kind, a.Key), memory.NodeID(b.Kind, b.Key)))
	})
	return r.matches[:min(limit, len(r.matches))]
}

// The texts of queries for the full-text index. What is required in them decides what is found and, with the
// weight 0, adds nothing to a score.

// anyOf asks for the records that have any of some words in a field of the index; "" where there are none. Every
// word is quoted, so that nothing in it is query syntax.
func anyOf(field string, words ...string) string {
	if len(words) == 0 {
		return ""
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = `"` + quotes.Replace(word) + `"`
	}
	return field + ":(" + strings.Join(quoted, " ") + ")"
}

// within requires something beside what scores.
func within(scores string, required ...string) string {
	if len(required) == 0 {
		return scores
	}
	return "+" + scores + " +" + strings.Join(required, "^0 +") + "^0"
}

// inRange asks for words of the index from one to another in the order of their bytes, both included. They are of the
// kind that a vocabulary makes, with nothing in them that is query syntax.
func inRange(from, to string) string { return "words:[" + from + " TO " + to + "]" }

// wordsOf gives the words of some terms in a vocabulary.
func (v vocabulary) wordsOf(terms []lexical.Term) []string {
	words := make([]string, len(terms))
	for i, term := range terms {
		words[i] = v.word(term.Stem)
	}
	return words
}

var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
