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
	"mneme/store/neo4j/meanings"
	"mneme/store/neo4j/words"
)

// The bounds of a search's work.
const (
	// furtherScored is how many more records of each kind a search scores by their words than are asked for: the best as the text index has them.
	furtherScored = 200
	// mostWindows is how many turns it looks around.
	mostWindows = 300
)

// Search finds records by their words; see store.Searcher. Two round trips, and one more where meanings
// are compared, and for observations that lend one another their words.
func (s *Recaller) Search(ctx context.Context, query store.SearchQuery) ([]store.SearchMatch, error) {
	ctx = store.Unmetered(ctx) // it keeps little of what it reads
	most := mostListed
	if query.Neighbours { // all that have a word lend it to those around them
		most = mostEntries
	}
	asked, err := s.ask(ctx, query.Kinds, query.Text, most, nil)
	if err != nil || asked.Possible == 0 || query.Limit <= 0 {
		return []store.SearchMatch{}, err
	}
	passing := s.passing(asked.kinds, query)
	meant, err := s.nearestPassing(ctx, asked, query, passing)
	if err != nil {
		return nil, err
	}
	all, err := s.score(ctx, asked, query, passing, meant)
	if err != nil {
		return nil, err
	}
	isNear := map[string]bool{}
	for _, n := range meant {
		isNear[memory.NodeID(n.kind, n.key)] = true
	}
	all = slices.DeleteFunc(all, func(f found) bool { return f.parts.Words <= 0 && !isNear[memory.NodeID(f.kind, f.key)] })
	lift(all, asked, query.Text, isNear)
	matches := make([]store.SearchMatch, min(query.Limit, len(all)))
	for i := range matches {
		matches[i] = store.SearchMatch{Kind: all[i].kind, Key: all[i].key, Score: all[i].parts.Score(), Parts: all[i].parts}
	}
	return matches, nil
}

// nearestPassing are the records that pass a search's filters and are nearest to what its text means.
func (s *Recaller) nearestPassing(ctx context.Context, asked *question, query store.SearchQuery, passing map[memory.Kind][]string) ([]near, error) {
	among := nearQuery{}
	for _, kind := range asked.kinds {
		if required, passes := passing[kind]; passes && asked.records[kind] > 0 {
			own, err := s.own(ctx, kind, float64(asked.records[kind]))
			if err != nil {
				return nil, err
			}
			all := amount{float64(asked.records[kind]), float64(asked.everywhere[kind]), len(required) == 0}
			among.add(words.VocabularyOf(s.TenantID, kind), kind, own, all, s.ExactLimit, required)
		}
	}
	return s.nearest(ctx, asked, among, cypher.Named("search_near"), searchValues(query))
}

// score scores the records that promise most by their words, and those that are near: turns that lend one another theirs
// within their sessions, and all others each by itself.
func (s *Recaller) score(ctx context.Context, asked *question, query store.SearchQuery, passing map[memory.Kind][]string, meant []near) ([]found, error) {
	required, turns := passing[memory.KindObservation]
	if !turns || !query.Neighbours {
		return s.alone(ctx, asked, query, passing, meant)
	}
	others := maps.Clone(passing)
	delete(others, memory.KindObservation)
	all, err := s.alone(ctx, asked, query, others, slices.DeleteFunc(slices.Clone(meant), isTurn))
	if err != nil {
		return nil, err
	}
	inSessions, err := s.inSessions(ctx, asked, query, required, slices.DeleteFunc(slices.Clone(meant), func(n near) bool { return !isTurn(n) }))
	return append(all, inSessions...), err
}

func isTurn(n near) bool { return n.kind == memory.KindObservation }

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
func searchValues(query store.SearchQuery) cypher.Parameters {
	return cypher.Parameters{
		"memoir": query.Memoir, "labels": append([]string{}, query.Labels...), "session": query.Session, "topic": query.Topic,
	}
}

// alone scores the best by words as the text index has them, and those that are near, each by itself; and reads of the best of these
// what lifts them.
func (s *Recaller) alone(ctx context.Context, q *question, query store.SearchQuery, passing map[memory.Kind][]string, meant []near) ([]found, error) {
	heads, err := s.bestOfKinds(ctx, q, passing, query.Limit+furtherScored)
	if err != nil || len(heads)+len(meant) == 0 {
		return nil, err
	}
	values := searchValues(query)
	values["heads"], values["near"] = heads, idsOf(meant)
	all, err := bolt.One(ctx, s.Connection, s.Query(cypher.Named("search"), values), decodeBags)
	if err != nil {
		return nil, err
	}
	matched := make([]found, 0, len(all))
	for _, record := range all {
		own := q.Alone(q.document(record.bag, record.kind))
		matched = append(matched, found{said: record, parts: matching.Parts{Match: matching.Match{Words: own, Own: own}}})
	}
	return matched, s.readSaid(ctx, q, matched, meant)
}

// readSaid reads of the best by words, and of those that are near, what lifts them.
func (s *Recaller) readSaid(ctx context.Context, q *question, matched []found, meant []near) error {
	bestFirst(matched)
	places := make(map[string]int, len(matched))
	for i := range matched {
		places[matched[i].id] = i
	}
	ids := idsOf(meant)
	for i := range matched[:min(len(matched), store.LiftedMatches)] {
		ids = append(ids, matched[i].id)
	}
	if len(ids) == 0 {
		return nil
	}
	values := cypher.Parameters{"tenant": s.TenantID, "ids": ids, "compare": len(q.vector) > 0, "opening": opening, meanings.Model: meanings.Table}
	return s.Each(ctx, s.Query(cypher.Named("said_of"), values), func(f *bolt.Fields) {
		for id, record := range decodeSaid(f) {
			if i, is := places[id]; is {
				matched[i].read(record)
			}
		}
	})
}

// bestOfKinds asks the text index for the best by words of each kind that a filter lets pass: of words that very many have, among the latest.
func (s *Recaller) bestOfKinds(ctx context.Context, q *question, passing map[memory.Kind][]string, most int) (heads []cypher.Parameters, err error) {
	indexed := 0
	for _, records := range q.everywhere {
		indexed += records
	}
	for _, kind := range q.kinds {
		required, passes := passing[kind]
		if !passes || q.looked == 0 {
			continue
		}
		if required, err = s.within(ctx, q, kind, required); err != nil {
			return nil, err
		}
		heads = append(heads, head(q.best(words.VocabularyOf(s.TenantID, kind), float64(indexed)), required, most))
	}
	return heads, nil
}

// within is what the index has to find beside the words among the records of a kind: of words that very many have, that it is of the latest, too.
func (s *Recaller) within(ctx context.Context, q *question, kind memory.Kind, required []string) ([]string, error) {
	if !q.some {
		return required, nil
	}
	known, err := s.sampled(ctx, kind)
	if err != nil {
		return nil, err
	}
	return append(slices.Clone(required), known.latest(words.VocabularyOf(s.TenantID, kind), q)), nil
}

// bestFirst sorts by score, equals by their ids.
func bestFirst(all []found) {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.parts.Score(), a.parts.Score()), cmp.Compare(memory.NodeID(a.kind, a.key), memory.NodeID(b.kind, b.key)))
	})
}

// searchedLabels are those of words.Searched.
var searchedLabels = graph.LabelsOf(words.Searched...)

// kindsByLabel is the inverse of labels.
var kindsByLabel = func() map[string]memory.Kind {
	kinds := make(map[string]memory.Kind, len(graph.Labels))
	for kind, label := range maps.All(graph.Labels) {
		kinds[label] = kind
	}
	return kinds
}()
