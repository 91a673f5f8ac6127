package find

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// turn is an observation that has words of a query, and where it stands in its session: by its time, then by its key.
type turn struct {
	session, key string // session "" where it has none
	at           int64
	has          matching.Has
}

// matchTurns finds the observations that have any of the words.
func (s *Recaller) matchTurns(ctx context.Context, q *question, query store.SearchQuery, required []string) ([]turn, error) {
	asked, err := s.looks(ctx, q, required)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	values := searchValues(query)
	values["asked"] = asked
	return bolt.One(ctx, s.Connection, s.Query(cypher.Rendered("search_turns", weighingOf(query)), values), decodeTurns)
}

// inSessions scores observations where they stand: those within the reach of the ones that promise most, and of those
// that are near.
func (s *Recaller) inSessions(ctx context.Context, q *question, turns []turn, meant []near) ([]found, error) {
	if len(turns)+len(meant) == 0 {
		return nil, nil
	}
	keys := bolt.Texts(mostPromising(q, turns), func(t turn) string { return t.key })
	for _, n := range meant {
		if !slices.Contains(keys, n.key) {
			keys = append(keys, n.key)
		}
	}
	windows, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("turns_around"), cypher.Parameters{
		"keys": keys, "beside": 2 * matching.Reach, "opening": opening, "compare": len(q.vector) > 0,
	}), decodeWindow)
	var all []found
	seen := map[string]bool{}
	for i := range windows {
		for _, f := range windows[i].score(q) {
			if !seen[f.key] {
				seen[f.key] = true
				all = append(all, f)
			}
		}
	}
	return all, err
}

func decodeTurns(row *neo4j.Record) ([]turn, error) {
	f := bolt.FieldsOf(row.AsMap())
	keys := bolt.List[string](f, "keys")
	sessions, times := bolt.Parallel[string](f, "sessions", len(keys)), bolt.Parallel[int64](f, "times", len(keys))
	has := bolt.Parallel[int64](f, "has", len(keys))
	turns := make([]turn, len(keys))
	for i, key := range keys {
		turns[i] = turn{sessions[i], key, times[i], matching.Has(has[i])}
	}
	return turns, f.Err
}

// mostPromising are those that promise most among the turns of their sessions, and by the time that is named; of equals the latest.
func mostPromising(q *question, turns []turn) []turn {
	if len(turns) <= mostWindows {
		return turns
	}
	slices.SortFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key))
	})
	promises := make(map[string]float64, len(turns))
	for from, until := 0, 0; from < len(turns); from = until {
		for until = from + 1; turns[from].session != "" && until < len(turns) && turns[until].session == turns[from].session; until++ {
		}
		has := make([]matching.Has, until-from)
		for i := range has {
			has[i] = turns[from+i].has
		}
		for i, promise := range q.Promises(has) {
			parts := matching.Parts{Match: matching.Match{Words: promise}, Date: matching.Near(q.dates, time.UnixMilli(turns[from+i].at))}
			promises[turns[from+i].key] = parts.Score()
		}
	}
	slices.SortFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(promises[b.key], promises[a.key]), cmp.Compare(b.at, a.at), cmp.Compare(a.key, b.key))
	})
	return turns[:mostWindows]
}

// window is a turn with those around it, twice as many as lend it their words, so that the neighbourhoods of those that
// they are lent to are whole.
type window struct {
	middle string
	turns  []said
}

func decodeWindow(row *neo4j.Record) (w window, err error) {
	f := bolt.FieldsOf(row.AsMap())
	w.middle = f.Text("middle")
	keys := bolt.List[string](f, "keys")
	times := bolt.Parallel[time.Time](f, "times", len(keys))
	openings, bags := bolt.Parallel[string](f, "openings", len(keys)), bolt.Parallel[string](f, "bags", len(keys))
	codes := bolt.Parallel[any](f, "codes", len(keys))
	w.turns = make([]said, len(keys))
	for i, key := range keys {
		w.turns[i] = said{kind: memory.KindObservation, key: key, at: times[i], opening: openings[i], bag: bags[i], codes: codes[i]}
	}
	slices.SortFunc(w.turns, func(a, b said) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.key, b.key)) })
	return w, f.Err
}

// score gives those within the reach of the middle, which have their whole neighbourhood here.
func (w *window) score(q *question) []found {
	sequence, middle := make([]matching.Document, len(w.turns)), 0
	for i, t := range w.turns {
		sequence[i] = q.document(t.bag, memory.KindObservation)
		if t.key == w.middle {
			middle = i
		}
	}
	var all []found
	for i, match := range q.Run(sequence) {
		if i >= middle-matching.Reach && i <= middle+matching.Reach {
			all = append(all, found{said: w.turns[i], parts: matching.Parts{Match: match}, run: w, place: i})
		}
	}
	return all
}
