package neo4j

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
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
		for _, fault := range found.left {
			store.NoteDamage(ctx, fault.Damaged)
		}
		return []*memory.Episode{found.episode}, store.BudgetOf(ctx).Read(found.cost.Records, found.cost.Texts)
	}
	return readEpisodes(ctx, s, query, episodeDecoder(query.Parts, query.AsOf), func(e *memory.Episode) string { return e.Key })
}

// readEpisodes reads known episodes in one round trip, each as the decoder makes it.
func readEpisodes[T any](
	ctx context.Context, s *tenantStore, query store.EpisodesByKey, decode bolt.Decoder[*T], key func(*T) string,
) ([]*T, error) {
	form := graph.EpisodeShape{AsOf: query.AsOf != nil, One: len(query.Keys) == 1}
	form.Parts(query.Parts)
	values := cypher.Parameters{"key": query.Keys[0]}
	if !form.One {
		values = cypher.Parameters{"keys": graph.SetOf(query.Keys...).Sorted()}
	}
	graph.ContextParameters(values, query.AsOf)
	found, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("episodes", form), values), decode)
	return store.InOrder(query.Keys, found, key), err
}

func episodeDecoder(parts store.Parts, asOf *time.Time) bolt.Decoder[*memory.Episode] {
	return func(row *neo4j.Record) (*memory.Episode, error) { return decodeEpisode(row, parts, asOf) }
}

// ListEpisodes reads a page in one round trip; see store.EpisodeReader.
func (s *tenantStore) ListEpisodes(ctx context.Context, of store.EpisodeQuery) ([]*memory.Episode, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Episode, error) {
		of.Page = p
		return bolt.Read(ctx, s.Connection, s.listQuery(of), episodeDecoder(of.Parts, nil))
	}
	return bolt.PageInBytes(ctx, of.Page, list, func(e *memory.Episode) store.Position {
		p := store.Position{At: e.StartedAt, Key: e.Key}
		if of.Order == store.BestFeedbackFirst {
			p.Value = e.AggregateFeedbackScore()
		}
		return p
	})
}

func (s *tenantStore) listQuery(of store.EpisodeQuery) bolt.Query {
	form := graph.EpisodeShape{
		ByFeedback: of.Order == store.BestFeedbackFirst, OldestFirst: of.Order == store.OldestFirst,
		After: of.Page.After != nil,
	}
	form.Filter(of.Filter)
	form.Parts(of.Parts)
	values := graph.FilterParameters(of.Filter)
	values["limit"] = of.Page.Limit + 1
	graph.ContextParameters(values, nil)
	graph.StartAfter(values, form, of.Page.After)
	return s.Query(cypher.Rendered("list_episodes", form), values)
}

// CountEpisodes counts within the index; see store.EpisodeReader.
func (s *tenantStore) CountEpisodes(ctx context.Context, filter store.EpisodeFilter) (int, error) {
	form := graph.EpisodeShape{}
	form.Filter(filter)
	return s.Count(ctx, s.Query(cypher.Rendered("count_episodes", form), graph.FilterParameters(filter)))
}

// furthest is a place in a log that none reaches, and that Cypher still takes as the bound of a slice.
const furthest = 1 << 30

// Events reads a page of an episode's log; see store.EpisodeReader.
func (s *tenantStore) Events(ctx context.Context, episode string, p store.Page) ([]memory.Event, bool, error) {
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
			return []memory.Event{}, false, err
		}
		if len(pages[0]) > p.Limit || read <= most {
			return bolt.Page(pages[0], p.Limit, nil)
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
	types := bolt.List[string](f, "types")
	data := bolt.Parallel[string](f, "data", len(types))
	times := bolt.Parallel[time.Time](f, "times", len(types))
	events = make([]memory.Event, len(types))
	for i := range types {
		f.Check("data", memory.CheckKeptJSON(bolt.OptionalJSON(data[i])))
		f.Check("times", memory.CheckKeptTime(times[i]))
		events[i] = memory.Event{Sequence: from + i, Type: types[i], Data: bolt.OptionalJSON(data[i]), At: times[i].UTC()}
	}
	if f.Err != nil {
		return nil, 0, f.Err
	}
	logged, err := bolt.NodeList(row, "logged", func(f *bolt.Fields) memory.Event { return loggedEventOf(f, episode) })
	if stored, is := row.Get("logged"); is {
		nodes, _ := stored.([]any)
		read = len(types) + len(nodes)
	}
	return append(events, logged...), read, err
}

// CountEvents counts the entries of a log; see store.EpisodeReader.
func (s *tenantStore) CountEvents(ctx context.Context, episode string) (int, error) {
	return s.Count(ctx, s.Query(cypher.Named("count_events"), cypher.Parameters{"key": episode}))
}

// gathered is an episode that was read together with what others asked for, each of whom pays for their own.
type gathered struct {
	key     string
	episode *memory.Episode // nil where it cannot be read
	cost    bolt.Cost
	left    []*bolt.LeftOut // what cannot be read of it, of which each hears
}

// fault is what cannot be read of it, if it is there.
func (g *gathered) fault() error {
	if g == nil {
		return nil
	}
	return bolt.LeftOutError(g.left)
}

func gatheredDecoder(parts store.Parts) bolt.Decoder[*gathered] {
	return func(row *neo4j.Record) (*gathered, error) {
		episode, err := decodeEpisode(row, parts, nil)
		var left []*bolt.LeftOut
		if err = bolt.CollectLeftOut(err, &left); err == nil {
			return &gathered{episode.Key, episode, bolt.CostOf(row.Values), left}, nil
		}
		if fault := bolt.FaultIn(err); fault != nil {
			return &gathered{fault.Key, nil, bolt.CostOf(row.Values), append(left, fault)}, nil
		}
		return nil, err
	}
}
