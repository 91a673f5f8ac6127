package neo4j

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// furthest is a place in a log that none reaches, and that Cypher still takes as the bound of a slice.
const furthest = 1 << 30

// Events reads a page of an episode's log; see store.EpisodeReader.
func (s *tenantStore) Events(ctx context.Context, episode string, p store.Page) ([]memory.Event, bool, error) {
	from := 0
	if p.After != nil {
		from = min(max(p.After.Sequence, -1), furthest) + 1 // a position may be forged
	}
	pages, err := read(ctx, s.backend, s.query(named("events"), parameters{
		"key": episode, "from": from, "to": from + p.Limit + 1,
	}), func(row *neo4j.Record) ([]memory.Event, error) { return decodeEvents(row, episode, from) })
	if err != nil || len(pages) == 0 {
		return []memory.Event{}, false, err
	}
	return page(pages[0], p.Limit, nil)
}

func decodeEvents(row *neo4j.Record, episode string, from int) ([]memory.Event, error) {
	f := fieldsOf(row.AsMap())
	f.of(memory.KindEpisode, episode)
	types := list[string](f, "types")
	data := parallel[string](f, "data", len(types))
	times := parallel[time.Time](f, "times", len(types))
	events := make([]memory.Event, len(types))
	for i := range types {
		f.check("data", memory.CheckKeptJSON(jsonOf(data[i])))
		f.check("times", memory.CheckKeptTime(times[i]))
		events[i] = memory.Event{Sequence: from + i, Type: types[i], Data: jsonOf(data[i]), At: times[i].UTC()}
	}
	return events, f.err
}

// CountEvents counts the entries of a log; see store.EpisodeReader.
func (s *tenantStore) CountEvents(ctx context.Context, episode string) (int, error) {
	return s.count(ctx, s.query(named("count_events"), parameters{"key": episode}))
}
