package neo4j

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// Episodes reads known episodes in one round trip; see store.EpisodeReader.
func (s *tenantStore) Episodes(ctx context.Context, query store.EpisodesByKey) ([]*memory.Episode, error) {
	switch {
	case len(query.Keys) == 0:
		return []*memory.Episode{}, nil
	case len(query.Keys) == 1 && query.AsOf == nil:
		found, err := s.gathered[query.Parts].Get(ctx, query.Keys[0])
		if err != nil || found == nil {
			return []*memory.Episode{nil}, err
		}
		episode, _ := found.Take(ctx)
		return []*memory.Episode{episode}, store.BudgetOf(ctx).Read(found.Cost.Records, found.Cost.Texts)
	}
	found, err := bolt.Read(ctx, s.Connection, s.episodesQuery(query), episodeDecoder(query.Parts, query.AsOf))
	return store.InOrder(query.Keys, found, store.KeyOf), err
}

// gather reads single episodes, each for another caller, who pays for it and hears what cannot be read.
func (s *tenantStore) gather(parts store.Parts) func(ctx context.Context, keys []string) ([]*bolt.Row[*memory.Episode], error) {
	return func(ctx context.Context, keys []string) ([]*bolt.Row[*memory.Episode], error) {
		found, err := bolt.Rows(ctx, s.Connection, s.episodesQuery(store.EpisodesByKey{Keys: keys, Parts: parts}), episodeDecoder(parts, nil))
		rows := make([]*bolt.Row[*memory.Episode], len(found))
		for i := range found {
			rows[i] = &found[i]
		}
		return store.InOrder(keys, rows, func(row *bolt.Row[*memory.Episode]) string { return row.Value.Key }), err
	}
}

// episodesQuery asks for known episodes.
func (s *tenantStore) episodesQuery(query store.EpisodesByKey) bolt.Query {
	form := graph.EpisodeShape{AsOf: query.AsOf != nil, One: len(query.Keys) == 1}
	form.Parts(query.Parts)
	values := cypher.Parameters{"key": query.Keys[0]}
	if !form.One {
		values = cypher.Parameters{"keys": linking.SetOf(query.Keys...).Sorted()}
	}
	graph.ContextParameters(values, query.AsOf)
	return s.Query(cypher.Rendered("episodes", form), values)
}

func episodeDecoder(parts store.Parts, asOf *time.Time) bolt.Decoder[*memory.Episode] {
	return func(row *neo4j.Record) (*memory.Episode, error) { return decodeEpisode(row, parts, asOf) }
}

func (s *tenantStore) episodeQuery(of store.EpisodeQuery, p store.Page, count bool) bolt.Query {
	form, values := graph.EpisodeShape{}, graph.FilterParameters(of.Filter)
	form.Filter(of.Filter)
	if count { // within the index
		return s.Query(cypher.Rendered("count_episodes", form), values)
	}
	form.ByFeedback, form.OldestFirst, form.After = of.Order == store.BestFeedbackFirst, of.Order == store.OldestFirst, p.After != nil
	form.Parts(of.Parts)
	values["limit"] = p.Limit + 1
	graph.ContextParameters(values, nil)
	graph.StartAfter(values, form, p.After)
	return s.Query(cypher.Rendered("list_episodes", form), values)
}

// furthest is a place in a log that none reaches, and that Cypher still takes as the bound of a slice.
const furthest = 1 << 30

// listEvents reads a page of an episode's log.
func (s *tenantStore) listEvents(ctx context.Context, episode string, p store.Page) ([]*memory.Event, bool, error) {
	from := 0
	if p.After != nil {
		from = min(max(p.After.Sequence, -1), furthest) + 1 // a position may be forged
	}
	for most := p.Limit; ; most = 2*most + 1 { // further, where some cannot be read
		read := 0
		query := s.Query(cypher.Named("events"), stretch(episode, from, most+1))
		pages, err := bolt.Read(ctx, s.Connection, query, func(row *neo4j.Record) (events []memory.Event, err error) {
			events, read, err = decodeEvents(row, episode, from)
			return events, err
		})
		if err != nil || len(pages) == 0 {
			return []*memory.Event{}, false, err
		}
		if len(pages[0]) > p.Limit || read <= most {
			events, more := store.Cut(pages[0], p.Limit)
			return memory.Mapped(events, func(e memory.Event) *memory.Event { return &e }), more, nil
		}
	}
}

// stretch asks for events of a log from a number on.
func stretch(episode string, from, limit int) cypher.Parameters {
	return cypher.Parameters{"key": episode, "from": from, "to": from + limit, "limit": limit}
}

// decodeEvents reads a stretch of a log, and says how many events there are in it, readable or not.
func decodeEvents(row *neo4j.Record, episode string, from int) (events []memory.Event, read int, err error) {
	f := bolt.FieldsOf(row.AsMap())
	f.Of(memory.KindEpisode, episode)
	if events = eventsOf(f, from); f.Err != nil {
		return nil, 0, f.Err
	}
	read = len(events)
	logged, err := bolt.NodeList(row, "logged", func(f *bolt.Fields) memory.Event { return loggedEventOf(f, episode) })
	if stored, ok := row.Get("logged"); ok {
		nodes, _ := stored.([]any)
		read += len(nodes)
	}
	return append(events, logged...), read, err
}
