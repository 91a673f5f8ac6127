package neo4j

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// Episodes reads known episodes in one round trip; see store.EpisodeReader.
func (s *tenantStore) Episodes(ctx context.Context, query store.EpisodesByKey) ([]*memory.Episode, error) {
	switch {
	case len(query.Keys) == 0:
		return []*memory.Episode{}, nil
	case len(query.Keys) == 1 && query.AsOf == nil:
		found, err := s.gathered[query.Parts].get(ctx, query.Keys[0])
		if err != nil || found == nil {
			return []*memory.Episode{nil}, err
		}
		for _, fault := range found.left {
			store.NoteDamage(ctx, fault.Damaged)
		}
		return []*memory.Episode{found.episode}, store.BudgetOf(ctx).Read(found.cost.records, found.cost.texts)
	}
	return readEpisodes(ctx, s, query, episodeDecoder(query.Parts, query.AsOf), func(e *memory.Episode) string { return e.Key })
}

// readEpisodes reads known episodes in one round trip, each as the decoder makes it.
func readEpisodes[T any](
	ctx context.Context, s *tenantStore, query store.EpisodesByKey, decode decoder[*T], key func(*T) string,
) ([]*T, error) {
	form := shape{AsOf: query.AsOf != nil, One: len(query.Keys) == 1}
	form.parts(query.Parts)
	values := parameters{"key": query.Keys[0]}
	if !form.One {
		values = parameters{"keys": setOf(query.Keys...).sorted()}
	}
	contextParameters(values, query.AsOf)
	found, err := read(ctx, s.backend, s.query(rendered("episodes", form), values), decode)
	return inOrder(query.Keys, found, key), err
}

func episodeDecoder(parts store.Parts, asOf *time.Time) decoder[*memory.Episode] {
	return func(row *neo4j.Record) (*memory.Episode, error) { return decodeEpisode(row, parts, asOf) }
}

// inOrder puts records in the order of the keys, nil where there is none.
func inOrder[T any](keys []string, records []*T, key func(*T) string) []*T {
	byKey := make(map[string]*T, len(records))
	for _, record := range records {
		byKey[key(record)] = record
	}
	ordered := make([]*T, len(keys))
	for i, key := range keys {
		ordered[i] = byKey[key]
	}
	return ordered
}

// ListEpisodes reads a page in one round trip; see store.EpisodeReader.
func (s *tenantStore) ListEpisodes(ctx context.Context, of store.EpisodeQuery) ([]*memory.Episode, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Episode, error) {
		of.Page = p
		return read(ctx, s.backend, s.listQuery(of), episodeDecoder(of.Parts, nil))
	}
	return pageInBytes(ctx, of.Page, list, func(e *memory.Episode) store.Position {
		p := store.Position{At: e.StartedAt, Key: e.Key}
		if of.Order == store.BestFeedbackFirst {
			p.Value = e.AggregateFeedbackScore()
		}
		return p
	})
}

func (s *tenantStore) listQuery(of store.EpisodeQuery) query {
	form := shape{
		ByFeedback: of.Order == store.BestFeedbackFirst, OldestFirst: of.Order == store.OldestFirst,
		After: of.Page.After != nil,
	}
	form.filter(of.Filter)
	form.parts(of.Parts)
	values := filterParameters(of.Filter)
	values["limit"] = of.Page.Limit + 1
	contextParameters(values, nil)
	startAfter(values, form, of.Page.After)
	return s.query(rendered("list_episodes", form), values)
}

// startAfter makes the stretch of the index begin where the last page ended.
func startAfter(values parameters, form shape, after *store.Position) {
	values["bestRank"] = bestRank
	if after == nil {
		return
	}
	at := instant(after.At)
	values["afterAt"], values["afterKey"] = at, after.Key
	switch {
	case form.ByFeedback:
		values["afterRank"] = unratedRank
		if after.Value != nil {
			values["afterRank"] = *after.Value
		}
	case form.OldestFirst:
		if since, ok := values["since"].(time.Time); ok && at.After(since) {
			values["since"] = at
		}
	default:
		if until, ok := values["until"].(time.Time); ok && at.Before(until) {
			values["until"] = at
		}
	}
}

// CountEpisodes counts within the index; see store.EpisodeReader.
func (s *tenantStore) CountEpisodes(ctx context.Context, filter store.EpisodeFilter) (int, error) {
	form := shape{}
	form.filter(filter)
	return s.count(ctx, s.query(rendered("count_episodes", form), filterParameters(filter)))
}

// count runs a query that answers a number as n.
func (s *tenantStore) count(ctx context.Context, q query) (int, error) {
	n, err := one(ctx, s.backend, q, column[int64]("n"))
	return int(n), err
}

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
