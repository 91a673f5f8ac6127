package find

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/words"
)

// The bounds of a search's work.
const (
	// mostScored is how many records a search scores by their words, each by itself.
	mostScored = 4000
	// mostWindows is how many turns it looks around.
	mostWindows = 300
)

// Search finds records by their words; see store.Searcher. Two round trips, and one more for observations that lend one
// another their words.
func (s *Recaller) Search(ctx context.Context, query store.SearchQuery) ([]store.SearchMatch, error) {
	ctx = store.Unmetered(ctx) // it keeps little of what it reads
	asked, err := s.ask(ctx, query.Kinds, query.Text)
	if err != nil || asked.looked == 0 || query.Limit <= 0 {
		return []store.SearchMatch{}, err
	}
	passing := s.passing(asked.kinds, query)
	required, turns := passing[memory.KindObservation]
	if turns = turns && query.Neighbours; turns {
		delete(passing, memory.KindObservation)
	}
	all, err := s.alone(ctx, asked, query, passing)
	if err == nil && turns {
		var inSessions []found
		inSessions, err = s.inSessions(ctx, asked, query, map[memory.Kind][]string{memory.KindObservation: required})
		all = append(all, inSessions...)
	}
	if err != nil {
		return nil, err
	}
	lift(all, query.Text)
	matches := make([]store.SearchMatch, min(query.Limit, len(all)))
	for i := range matches {
		matches[i] = store.SearchMatch{Kind: all[i].kind, Key: all[i].key, Score: all[i].parts.Score(), Parts: all[i].parts}
	}
	return matches, nil
}

// passing are the kinds that a search's filters let pass, with what the index has to find beside words.
func (s *Recaller) passing(kinds []memory.Kind, query store.SearchQuery) map[memory.Kind][]string {
	passing := map[memory.Kind][]string{}
	for _, kind := range kinds {
		if required, fits := words.VocabularyOf(s.TenantID, kind).SearchMarks(kind, query); fits {
			passing[kind] = required
		}
	}
	return passing
}

// searchValues are what a search's filters compare with: marks may stand for another value.
func searchValues(query store.SearchQuery, asked []cypher.Parameters) cypher.Parameters {
	return cypher.Parameters{
		"asked": asked, "memoir": query.Memoir, "labels": append([]string{}, query.Labels...), "session": query.Session, "topic": query.Topic,
		"opening": opening,
	}
}

// alone scores the records that promise most, each by itself.
func (s *Recaller) alone(ctx context.Context, q *question, query store.SearchQuery, passing map[memory.Kind][]string) ([]found, error) {
	asked, err := s.looks(ctx, q, passing)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	values := searchValues(query, asked)
	values["most"] = mostScored
	all, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("search"), values), decodeSaid)
	matched := make([]found, 0, len(all))
	for _, record := range all {
		if own := q.Alone(q.document(record.bag, record.kind)); own > 0 {
			matched = append(matched, found{record, matching.Parts{Match: matching.Match{Words: own, Own: own}}})
		}
	}
	return matched, err
}

// bestFirst sorts by score, equals by their ids.
func bestFirst(all []found) {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.parts.Score(), a.parts.Score()), cmp.Compare(memory.NodeID(a.kind, a.key), memory.NodeID(b.kind, b.key)))
	})
}

// kindsByLabel is the inverse of labels.
var kindsByLabel = func() map[string]memory.Kind {
	kinds := make(map[string]memory.Kind, len(graph.Labels))
	for kind, label := range maps.All(graph.Labels) {
		kinds[label] = kind
	}
	return kinds
}()
