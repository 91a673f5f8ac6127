package neo4j

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
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
		found, err := s.gathered[query.Parts].Ask(ctx, query.Keys[0])
		if err != nil || found[0] == nil {
			return []*memory.Episode{nil}, err
		}
		episode, _ := found[0].Take(ctx)
		return []*memory.Episode{episode}, store.BudgetOf(ctx).Read(found[0].Cost.Records, found[0].Cost.Texts)
	}
	found, err := bolt.Read(ctx, s.Connection, s.episodesQuery(query), episodeDecoder(query.Parts, query.AsOf))
	return store.InOrder(query.Keys, found, store.KeyOf), err
}

// gather reads single episodes, each for another caller, who pays for it and hears what cannot be read. One that is
// wanted twice is read twice, so that nobody shares what was read.
func (s *tenantStore) gather(parts store.Parts) func(ctx context.Context, keys []string) ([]*bolt.Row[*memory.Episode], error) {
	return func(ctx context.Context, keys []string) ([]*bolt.Row[*memory.Episode], error) {
		found, err := bolt.Rows(ctx, s.Connection, s.episodesQuery(store.EpisodesByKey{Keys: keys, Parts: parts}), episodeDecoder(parts, nil))
		rows := make([]*bolt.Row[*memory.Episode], len(keys))
		for i := range found {
			for k, key := range keys {
				if rows[k] == nil && key == found[i].Value.Key {
					rows[k] = &found[i]
					break
				}
			}
		}
		return rows, err
	}
}

// episodesQuery asks for known episodes.
func (s *tenantStore) episodesQuery(query store.EpisodesByKey) bolt.Query {
	form := graph.EpisodeShape{AsOf: query.AsOf != nil, One: len(query.Keys) == 1}
	form.Parts(query.Parts)
	values := cypher.Parameters{"key": query.Keys[0]}
	if !form.One {
		values = cypher.Parameters{"keys": slices.Sorted(slices.Values(query.Keys))}
	}
	graph.ContextParameters(values, query.AsOf)
	return s.Query(cypher.Rendered("episodes", form), values)
}

func episodeDecoder(parts store.Parts, asOf *time.Time) bolt.Decoder[*memory.Episode] {
	return func(row *bolt.Fields) *memory.Episode { return decodeEpisode(row, parts, asOf) }
}

func (s *tenantStore) episodeQuery(of store.EpisodeQuery, p store.Page, count bool) bolt.Query {
	form, values := graph.EpisodeShape{}, graph.FilterParameters(of.Filter, nil)
	form.Filter(of.Filter)
	if count { // within the index
		return s.Query(cypher.Rendered("count_episodes", form), values)
	}
	form.ByFeedback, form.OldestFirst, form.After = of.Order == memory.BestFeedbackFirst, of.Order == memory.OldestFirst, p.After != nil
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
		pages, err := bolt.Read(ctx, s.Connection, query, func(row *bolt.Fields) (events []memory.Event) {
			events, read = decodeEvents(row, episode, from)
			return events
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
func decodeEvents(row *bolt.Fields, episode string, from int) (events []memory.Event, read int) {
	row.Of(memory.KindEpisode, episode)
	events = eventsOf(row, from)
	read = len(events) + len(bolt.List[any](row, "logged"))
	return append(events, bolt.All(row, "logged", func(f *bolt.Fields) memory.Event { return loggedEventOf(f, episode) })...), read
}

// cartesian3D is the system of coordinates of a point of three numbers.
const cartesian3D = 9157

// episodeProperties are what an episode's node holds from the start.
func episodeProperties(tenant string, record *store.EpisodeRecord) cypher.Parameters {
	e := &record.Episode
	properties := graph.Properties(tenant, e.Key, record.InputHash,
		fields.Episode(e), fields.Ending(e), fields.Contents(e), fields.Log(&record.Events))
	maps.Copy(properties, cypher.Parameters{
		"knownAt": bolt.Instant(e.KnownAt()), "feedbackSum": 0.0, "feedbackCount": 0, "feedbackRank": graph.UnratedRank,
		"canvasCount": 0, "canvasActionCount": 0, "aggregates": neo4j.Point3D{SpatialRefId: cartesian3D},
	})
	return properties
}

// eventsOf reads a log, or a stretch of it from a number on; nil where there is none.
func eventsOf(f *bolt.Fields, from int) (events []memory.Event) {
	f.Scan(fields.Log(&events))
	for i := range events {
		events[i].Sequence = from + i
	}
	return events
}

// decodeEpisode reads a row of a query that ends in a stretch of the part episode.
func decodeEpisode(row *bolt.Fields, parts store.Parts, asOf *time.Time) *memory.Episode {
	e := bolt.In(row, "episode", episodeOf)
	if row.Err == nil && parts&store.Context != 0 {
		e.Context = decodeContext(row, e.AgentKey, parts, asOf)
	}
	return e
}

func episodeOf(f *bolt.Fields) *memory.Episode {
	e := &memory.Episode{}
	f.Scan(fields.Episode(e), fields.Ending(e), fields.Contents(e))
	e.CanvasActionCount, e.FeedbackSum, e.FeedbackCount = graph.Aggregates(f.Node.Props["aggregates"])
	return e
}

// decodeContext reads what came along with an episode.
func decodeContext(row *bolt.Fields, agent string, parts store.Parts, asOf *time.Time) *memory.EpisodeContext {
	context := &memory.EpisodeContext{}
	if parts.Has(store.WithAgent) {
		context.Agent = &memory.Agent{Key: agent, Name: agent}
		row.Of(memory.KindAgent, agent)
		if name := row.Text("agentName"); !row.LeaveOut() {
			context.Agent.Name = name
		}
	}
	if parts.Has(store.WithCanvases) {
		context.Canvases = bolt.All(row, "canvases", graph.CanvasOf)
		for _, c := range context.Canvases {
			c.Actions = slices.DeleteFunc(c.Actions, func(a memory.CanvasAction) bool { return asOf != nil && a.At.After(*asOf) })
		}
		slices.SortFunc(context.Canvases, memory.NewestCanvasFirst)
	}
	if parts.Has(store.WithFeedback) {
		context.Feedback = bolt.All(row, "feedback", feedbackOf)
		slices.SortFunc(context.Feedback, memory.NewestFeedbackFirst)
	}
	return context
}
