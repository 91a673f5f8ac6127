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
	// mostScored is how many records a search scores at least, each by itself: those of all kinds that promise most as the text index has them;
	// furtherScored how many more at least than are asked for.
	mostScored, furtherScored = 1000, 200
	// mostWindows is how many turns it looks around: neighbours lend words, so that of 300 one in seven of the first ten was missed where the words are common.
	mostWindows = 600
	// leastOfEach is of how many records with each word it reads where they stand, at least.
	leastOfEach = 1000
)

// Search finds records by their words; see store.Searcher. Three round trips, and for observations that lend one another their words two
// more; where meanings are compared, another at the same time.
func (s *Recaller) Search(ctx context.Context, query store.SearchQuery) ([]store.SearchMatch, error) {
	ctx = store.Unmetered(ctx) // it keeps little of what it reads
	asked, err := s.ask(ctx, query.Kinds, considered(query.Text), mostListed)
	if err != nil || asked.Possible == 0 || query.Limit <= 0 {
		return []store.SearchMatch{}, err
	}
	asked.dates = matching.Dates(query.Text)
	for _, kind := range asked.kinds {
		if err := s.nameTimes(ctx, asked, kind); err != nil {
			return nil, err
		}
	}
	asked.sense = s.senseOf(query.Text)
	passing := s.passing(asked.kinds, query)
	nearest, err := s.beginNearestPassing(ctx, asked, query, passing)
	if err != nil {
		return nil, err
	}
	matched, err := s.match(ctx, asked, query, passing)
	meant, failed := nearest()
	if err := cmp.Or(err, failed); err != nil {
		return nil, err
	}
	all, err := s.score(ctx, asked, matched, meant)
	if err != nil {
		return nil, err
	}
	isNear := map[string]bool{}
	for _, n := range meant {
		isNear[memory.NodeID(n.kind, n.key)] = true
	}
	all = slices.DeleteFunc(all, func(f found) bool { return f.parts.Words <= 0 && !isNear[memory.NodeID(f.kind, f.key)] })
	lift(all, asked, query.Text)
	matches := make([]store.SearchMatch, min(query.Limit, len(all)))
	for i := range matches {
		matches[i] = store.SearchMatch{Kind: all[i].kind, Key: all[i].key, Score: all[i].parts.Score(), Parts: all[i].parts}
	}
	return matches, nil
}

// beginNearestPassing looks for the records that pass a search's filters and are nearest to what its text means, while its caller goes on.
func (s *Recaller) beginNearestPassing(ctx context.Context, asked *question, query store.SearchQuery, passing map[memory.Kind][]string) (finish func() ([]near, error), err error) {
	among := nearQuery{}
	for _, kind := range asked.kinds {
		if required, passes := passing[kind]; passes { // also where none is counted: what has no words may mean something
			own, err := s.own(ctx, kind, float64(asked.records[kind]))
			if err != nil {
				return nil, err
			}
			all := amount{float64(asked.records[kind]), float64(asked.everywhere[kind]), len(required) == 0}
			among.add(words.VocabularyOf(s.TenantID, kind), kind, own, all, s.ExactLimit, required)
		}
	}
	return begin(func() ([]near, error) {
		return s.nearest(ctx, asked.sense, among, cypher.Rendered("search_near", weighingOf(query)), searchValues(query))
	}), nil
}

// matched are the records that promise most by their words: turns that lend one another theirs, and all others.
type matched struct {
	turns  []turn
	others []said
	// lend says that turns do, so that those that are near are scored with them.
	lend bool
}

// match finds what matches by words.
func (s *Recaller) match(ctx context.Context, asked *question, query store.SearchQuery, passing map[memory.Kind][]string) (found matched, err error) {
	required, turns := passing[memory.KindObservation]
	if found.lend = turns && query.Neighbours; found.lend {
		if found.turns, err = s.matchTurns(ctx, asked, query, required); err != nil {
			return found, err
		}
		passing = maps.Clone(passing)
		delete(passing, memory.KindObservation)
	}
	found.others, err = s.matchOthers(ctx, asked, query, passing)
	return found, err
}

// score scores those that match and those that are near: turns that lend one another their words within their sessions, and all others
// each by itself.
func (s *Recaller) score(ctx context.Context, asked *question, best matched, meant []near) ([]found, error) {
	if !best.lend {
		return s.alone(ctx, asked, best.others, meant)
	}
	all, err := s.alone(ctx, asked, best.others, slices.DeleteFunc(slices.Clone(meant), isTurn))
	if err != nil {
		return nil, err
	}
	inSessions, err := s.inSessions(ctx, asked, best.turns, slices.DeleteFunc(slices.Clone(meant), func(n near) bool { return !isTurn(n) }))
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
	values := cypher.Parameters{
		"memoir": query.Memoir, "labels": append([]string{}, query.Labels...), "session": query.Session, "topic": query.Topic,
	}
	if asked := query.Weighing; asked != nil {
		values["now"], values["minWeight"] = asked.Now.UnixMilli(), asked.Least
	}
	return values
}

// weighing is the part of a search that depends on the rule by which observations are weighed: what a record n weighs, "" where that is not asked.
type weighing struct{ Weight string }

func weighingOf(query store.SearchQuery) weighing {
	if query.Weighing == nil {
		return weighing{}
	}
	return weighing{graph.Weight(query.Weighing.Policy, "n.importance", "n.accessCount", "n.usedAt")}
}

// matchOthers reads the words of the best as the text index has them.
func (s *Recaller) matchOthers(ctx context.Context, q *question, query store.SearchQuery, passing map[memory.Kind][]string) ([]said, error) {
	most := max(mostScored, query.Limit+furtherScored)
	asked := most
	if query.Weighing != nil { // which the index cannot tell
		asked = max(most, mostEntries)
	}
	heads, err := s.bestOfKinds(ctx, q, passing, asked)
	if err != nil || len(heads) == 0 {
		return nil, err
	}
	values := searchValues(query)
	values["heads"], values["most"] = heads, most
	return bolt.One(ctx, s.Connection, s.Query(cypher.Rendered("search", weighingOf(query)), values), decodeBags)
}

// alone scores the best by words, and those that are near, each by itself; and reads what lifts them.
func (s *Recaller) alone(ctx context.Context, q *question, best []said, meant []near) ([]found, error) {
	all := make([]found, 0, len(best)+len(meant))
	for _, record := range best {
		all = append(all, byItself(q, record))
	}
	places, ids, unread := make(map[string]int, len(all)), []string{}, []string{}
	for i := range all {
		places[all[i].id], ids = i, append(ids, all[i].id)
	}
	for _, n := range meant {
		if _, matches := places[n.id]; !matches {
			unread = append(unread, n.id)
		}
	}
	if len(ids)+len(unread) == 0 {
		return nil, nil
	}
	values := cypher.Parameters{"ids": ids, "unread": unread, "compare": len(q.vector) > 0, "opening": opening}
	read, err := bolt.One(ctx, s.Connection, s.Query(cypher.Named("said_of"), values), decodeSaid)
	for _, record := range read {
		if i, matches := places[record.id]; matches {
			all[i].read(record)
		} else {
			all = append(all, byItself(q, record))
		}
	}
	return all, err
}

// byItself scores a record by its own words.
func byItself(q *question, record said) found {
	own := q.Alone(q.document(record.bag, record.kind))
	return found{said: record, parts: matching.Parts{Match: matching.Match{Words: own, Own: own}}}
}

// bestOfKinds asks the text index for the best by words of each kind that a filter lets pass: of words that very many have, among the latest.
func (s *Recaller) bestOfKinds(ctx context.Context, q *question, passing map[memory.Kind][]string, most int) (heads []cypher.Parameters, err error) {
	for _, kind := range q.kinds {
		required, passes := passing[kind]
		if !passes || q.looked == 0 {
			continue
		}
		if required, err = s.within(ctx, q, kind, required); err != nil {
			return nil, err
		}
		heads = append(heads, head(q.best(words.VocabularyOf(s.TenantID, kind), kind, q.indexed()), required, most))
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
