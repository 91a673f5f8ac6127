package recording

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// Get reads one episode; nil where there is none.
func (g *Episodes) Get(ctx context.Context, id string, include boundary.Include) (*memory.Episode, error) {
	return tenancy.ReadByID(ctx, g.t, memory.KindEpisode, id, func(ctx context.Context, keys []string) ([]*memory.Episode, error) {
		return g.ByKey(ctx, keys, include, nil)
	})
}

// ByKey reads episodes in the order of the keys, nil where there is none, or was none at an instant where one is given.
func (g *Episodes) ByKey(ctx context.Context, keys []string, include boundary.Include, asOf *time.Time) ([]*memory.Episode, error) {
	episodes, err := g.t.Store.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: include.Parts(), AsOf: asOf})
	if err != nil {
		return nil, faults.Of("the episode", err)
	}
	for _, episode := range episodes {
		if episode != nil && asOf != nil {
			reading.MarkAsOf(episode, asOf)
		}
	}
	return episodes, nil
}

// oneEpisode reads an episode that has to be there.
func (g *Episodes) oneEpisode(ctx context.Context, key string, include boundary.Include) (*memory.Episode, error) {
	episodes, err := g.t.Store.Episodes(ctx, store.EpisodesByKey{Keys: []string{key}, Parts: include.Parts()})
	if err == nil && episodes[0] == nil {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, g.t.FaultAt(ctx, "id", "the episode", key, err)
	}
	return episodes[0], nil
}

// List lists the episodes that a filter keeps.
func (g *Episodes) List(ctx context.Context, filter boundary.EpisodeFilter, order memory.EpisodeOrder, input reading.PageInput, include boundary.Include) (*reading.Page[*memory.Episode], error) {
	b := g.t.Question(ctx)
	query := store.EpisodeQuery{Filter: b.Filter(filter, g.t.Clock()), Order: b.Order(order), Parts: include.Parts()}
	if b.Err() != nil {
		return nil, b.Err()
	}
	episodes := reading.ListOf(g.t.Store, "the episode", query)
	page, err := episodes.Page(ctx, input, reading.Fingerprint("episodes", filter, order))
	if err == nil {
		err = g.t.NothingFor(ctx, len(page.Items), tenancy.Agents.Called("agentId", filter.AgentID), tenancy.TaskTypes.Called("taskType", filter.TaskType))
	}
	return page, err
}

// Replay pages through the log of an episode, in order, by its id. NOT_FOUND where there is no such episode. Cursors
// are those of Events.
func (g *Episodes) Replay(ctx context.Context, id string, input reading.PageInput) (*reading.Page[*memory.Event], error) {
	b := g.t.Question(ctx)
	key := b.Key(memory.KindEpisode, "episodeId", id)
	if b.Err() != nil {
		return nil, b.Err()
	}
	page, err := g.Events(ctx, key, input)
	if err == nil && len(page.Items) == 0 {
		err = g.t.MustExist(ctx, "episodeId", memory.NodeID(memory.KindEpisode, key))
	}
	return page, err
}

// Events pages through an episode's log, in order.
func (g *Episodes) Events(ctx context.Context, episodeKey string, input reading.PageInput) (*reading.Page[*memory.Event], error) {
	return reading.ListOf(g.t.Store, "the episode", store.EventsOf{Episode: episodeKey}).Page(ctx, input, reading.Fingerprint("events", episodeKey))
}

// Reward is the sum of the rewards of an episode's canvases and feedback (as of the episode's instant
// where it has one). It reads what was not loaded with the episode.
func (g *Reactions) Reward(ctx context.Context, episode *memory.Episode) (float64, error) {
	if loaded := episode.Context; loaded.Complete() {
		return engagement.EpisodeReward(loaded.Canvases, loaded.Feedback, g.t.CanvasRules), nil
	}
	asOf := reading.AsOf(episode)
	canvases, err := g.t.Canvases(store.CanvasesOf{Episode: &episode.Key}, asOf).All(ctx, reading.UntilInstant(asOf))
	if err != nil {
		return 0, faults.Of("the episode", err)
	}
	feedback, err := g.t.Feedback(store.FeedbackOf{Episode: &episode.Key, AsOf: asOf}).All(ctx, reading.UntilInstant(asOf))
	if err != nil {
		return 0, faults.Of("the episode", err)
	}
	return engagement.EpisodeReward(canvases, feedback, g.t.CanvasRules), nil
}

// Linked reads the episodes that each of the given ones is linked to, by key: a page each of causes and effects, which
// all have the same bounds, and at most one before or after it. With asOf it answers as of then, and so does what is
// read from its episodes later. The caller sets the Total of the pages, and may count for several at once; see
// CountLinked.
func (g *Episodes) Linked(
	ctx context.Context, keys []string, link memory.EpisodeLink, input reading.PageInput, asOf *time.Time, include boundary.Include,
) (map[string]*reading.Page[*memory.Episode], error) {
	requests := make(map[string]reading.Request, len(keys))
	query := store.LinkedQuery{Episodes: keys, Link: link, AsOf: asOf, HeadOnly: include.HeadOnly}
	for _, key := range keys {
		r, err := reading.PageRequest(input, reading.Fingerprint("linked", key, link, asOf), nil)
		if err != nil {
			return nil, err
		}
		requests[key], query.Page = r, r.Page
	}
	linked, err := g.t.Store.Linked(ctx, query)
	if err != nil {
		return nil, faults.Of("the episode", err)
	}
	pages := make(map[string]*reading.Page[*memory.Episode], len(keys))
	for key, r := range requests {
		episodes := linked[key].Episodes
		for _, episode := range episodes {
			if asOf != nil {
				episode.Context = &memory.EpisodeContext{AsOf: asOf}
			}
		}
		pages[key] = reading.NewPage(r, episodes, linked[key].More, nil, func(i int) store.Position {
			return store.Position{Key: episodes[i].Key}
		})
	}
	return pages, nil
}

// CountLinked counts the causes or effects of each of the given episodes, by key.
func (g *Episodes) CountLinked(ctx context.Context, keys []string, link memory.EpisodeLink, asOf *time.Time) (map[string]int, error) {
	counts, err := g.t.Store.CountLinked(ctx, store.LinkedQuery{Episodes: keys, Link: link, AsOf: asOf})
	return counts, faults.Of("the episode", err)
}
