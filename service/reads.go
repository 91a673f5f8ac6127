package service

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/store"
)

// Node reads a record of any kind by its global id; nil where there is none. An id of no known kind is
// INVALID_INPUT.
func (g *Retrieval) Node(ctx context.Context, id string) (memory.Node, error) {
	b := g.question(ctx)
	id = b.globalID("id", id)
	if b.err != nil {
		return nil, b.err
	}
	nodes, err := g.accessed(ctx, []string{id}, Include{})
	if err != nil {
		return nil, err
	}
	return nodes[0], nil
}

// Nodes reads records of any kinds in the order of their global ids, nil where there is none. It costs
// one read a kind.
func (g *Retrieval) Nodes(ctx context.Context, ids []string, include Include) ([]memory.Node, error) {
	b, asked := g.question(ctx), make([]string, len(ids))
	if b.list("ids", len(ids)) {
		for i, id := range ids {
			asked[i] = b.globalID(at("ids", i), id)
		}
	}
	if b.err != nil {
		return nil, b.err
	}
	return g.accessed(ctx, asked, include)
}

// accessed reads records by valid global ids, of which observations count as accessed.
func (g *Retrieval) accessed(ctx context.Context, ids []string, include Include) ([]memory.Node, error) {
	nodes, err := g.Records(ctx, ids, include)
	for _, node := range nodes {
		if observation, ok := node.(*memory.Observation); ok {
			g.accesses.note(observation.Key)
		}
	}
	return nodes, err
}

// Records reads records of any kinds in the order of their global ids, nil where there is none, for those
// that were reached through another record: unlike Nodes it counts no access.
func (g *Retrieval) Records(ctx context.Context, ids []string, include Include) ([]memory.Node, error) {
	nodes, err := g.nodesOf(ctx, ids, include)
	return nodes, fault("the record", err)
}

// fittingNodes reads records as nodesOf does, or as many of the first as a page holds.
func (g *Retrieval) fittingNodes(ctx context.Context, ids []string, include Include) ([]memory.Node, error) {
	nodes, _, err := pageOf(ctx, store.Page{Limit: len(ids)}, func(ctx context.Context, page store.Page) ([]memory.Node, bool, error) {
		nodes, err := g.nodesOf(ctx, ids[:page.Limit], include)
		return nodes, false, err
	})
	return nodes, err
}

// nodesOf reads records by valid global ids, in order, nil where there is none. It costs one read a kind.
func (g *Retrieval) nodesOf(ctx context.Context, ids []string, include Include) ([]memory.Node, error) {
	places := map[memory.Kind][]int{}
	keys := map[memory.Kind][]string{}
	for i, id := range ids {
		kind, key, _ := memory.SplitID(id)
		places[kind], keys[kind] = append(places[kind], i), append(keys[kind], key)
	}
	nodes := make([]memory.Node, len(ids))
	for kind, wanted := range keys {
		if t := g.tenant; t.user != "" && !slices.Contains(kindsOfUser, kind) {
			continue
		}
		found, err := g.nodes(ctx, kind, wanted, include)
		if err != nil {
			return nil, err
		}
		for i, node := range found {
			nodes[places[kind][i]] = node
		}
	}
	return nodes, nil
}

// nodes reads records of one kind.
func (g *Retrieval) nodes(ctx context.Context, kind memory.Kind, keys []string, include Include) ([]memory.Node, error) {
	read, known := map[memory.Kind]func(context.Context, []string) ([]memory.Node, error){
		memory.KindAgent:   asNodes(reading[memory.Agent](g.store)),
		memory.KindSession: asNodes(reading[memory.Session](g.store)),
		memory.KindEpisode: asNodes(func(ctx context.Context, keys []string) ([]*memory.Episode, error) {
			return g.store.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: include.parts()})
		}),
		memory.KindCanvas:          asNodes(reading[memory.Canvas](g.store)),
		memory.KindFeedback:        asNodes(reading[memory.Feedback](g.store)),
		memory.KindMemoir:          asNodes(reading[memory.Memoir](g.store)),
		memory.KindConcept:         asNodes(reading[memory.Concept](g.store)),
		memory.KindObservation:     asNodes(reading[memory.Observation](g.store)),
		memory.KindCorrection:      asNodes(reading[memory.Correction](g.store)),
		memory.KindLearningProfile: asNodes(g.profilesByKey),
		memory.KindExecution:       asNodes(reading[memory.Execution](g.store)),
		memory.KindRun:             asNodes(reading[memory.Run](g.store)),
		memory.KindSection:         asNodes(reading[memory.Section](g.store)),
		memory.KindVerdict:         asNodes(reading[memory.Verdict](g.store)),
		memory.KindPattern:         asNodes(reading[memory.Pattern](g.store)),
	}[kind]
	if !known {
		return nil, store.ErrInvalid
	}
	return read(ctx, keys)
}

// reading reads records of a type by their keys.
func reading[T any](s store.Records) func(context.Context, []string) ([]*T, error) {
	return func(ctx context.Context, keys []string) ([]*T, error) { return store.Get[T](ctx, s, keys) }
}

// asNodes reads records as nodes. A missing record is a nil interface.
func asNodes[T any, N interface {
	*T
	memory.Node
}](read func(context.Context, []string) ([]N, error)) func(context.Context, []string) ([]memory.Node, error) {
	return func(ctx context.Context, keys []string) ([]memory.Node, error) {
		records, err := read(ctx, keys)
		nodes := make([]memory.Node, len(records))
		for i, record := range records {
			if record != nil {
				nodes[i] = record
			}
		}
		return nodes, err
	}
}

// mustRead reads a record that has to be there.
func mustRead[T any](ctx context.Context, subject, key string, read func(context.Context, []string) ([]*T, error)) (*T, error) {
	records, err := read(ctx, []string{key})
	if err == nil && records[0] == nil {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, fault(subject, err)
	}
	return records[0], nil
}

// readByID reads the record of a kind that an id names; nil where there is none.
func readByID[T any](
	ctx context.Context, t *tenant, kind memory.Kind, id string, read func(context.Context, []string) ([]*T, error),
) (*T, error) {
	b := t.question(ctx)
	key := b.key(kind, "id", id)
	if b.err != nil {
		return nil, b.err
	}
	records, err := read(ctx, []string{key})
	if err != nil {
		return nil, fault("the "+string(kind), err)
	}
	return records[0], nil
}

func (i Include) parts() store.Parts {
	var parts store.Parts
	if i.Agent {
		parts |= store.WithAgent
	}
	if i.Canvases {
		parts |= store.WithCanvases
	}
	if i.Feedback {
		parts |= store.WithFeedback
	}
	if i.HeadOnly {
		parts |= store.HeadOnly
	}
	return parts
}

// Get reads one episode; nil where there is none.
func (g *Episodes) Get(ctx context.Context, id string, include Include) (*memory.Episode, error) {
	return readByID(ctx, g.tenant, memory.KindEpisode, id, func(ctx context.Context, keys []string) ([]*memory.Episode, error) {
		return g.ByKey(ctx, keys, include, nil)
	})
}

// ByKey reads episodes in the order of the keys, nil where there is none, or was none at an
// instant where one is given.
func (g *Episodes) ByKey(ctx context.Context, keys []string, include Include, asOf *time.Time) ([]*memory.Episode, error) {
	episodes, err := g.store.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: include.parts(), AsOf: asOf})
	if err != nil {
		return nil, fault("the episode", err)
	}
	for _, episode := range episodes {
		if episode != nil && asOf != nil {
			frame(episode, asOf)
		}
	}
	return episodes, nil
}

// frame marks an episode as an answer for an instant.
func frame(episode *memory.Episode, asOf *time.Time) {
	if episode.Context == nil {
		episode.Context = &memory.EpisodeContext{}
	}
	episode.Context.AsOf = asOf
}

// oneEpisode reads an episode that has to be there.
func (g *Episodes) oneEpisode(ctx context.Context, key string, include Include) (*memory.Episode, error) {
	episodes, err := g.store.Episodes(ctx, store.EpisodesByKey{Keys: []string{key}, Parts: include.parts()})
	if err == nil && episodes[0] == nil {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, g.faultAt(ctx, "id", "the episode", key, err)
	}
	return episodes[0], nil
}

// List lists the episodes that a filter keeps.
func (g *Episodes) List(ctx context.Context, filter EpisodeFilter, order EpisodeOrder, input PageInput, include Include) (*Page[*memory.Episode], error) {
	b := g.question(ctx)
	query := store.EpisodeQuery{Filter: b.filter(filter, g.clock()), Order: b.order(order), Parts: include.parts()}
	if b.err != nil {
		return nil, b.err
	}
	episodes := listOf(g.store, "the episode", query)
	page, err := episodes.page(ctx, input, fingerprint("episodes", filter, order))
	if err == nil {
		err = g.nothingFor(ctx, len(page.Items), calledAgent(filter.AgentID), calledTaskType(filter.TaskType))
	}
	return page, err
}

// filter checks a filter; a time range counts back from the given instant.
func (b *boundary) filter(input EpisodeFilter, now time.Time) store.EpisodeFilter {
	if input.TimeRange != nil && input.Since != nil {
		b.fail(memory.Invalid("timeRange", "cannot be combined with since; send one of them"))
	}
	filter := store.EpisodeFilter{
		UserFilter:  b.users(input.UserFilter),
		Agent:       b.optionalKey(memory.KindAgent, "agentId", input.AgentID),
		Session:     b.optionalKey(memory.KindSession, "sessionId", input.SessionID),
		TaskType:    b.optionalLabel("taskType", input.TaskType),
		Outcome:     input.Outcome,
		CanvasType:  b.optionalLabel("canvasType", input.CanvasType),
		MinFeedback: b.score("minFeedbackScore", input.MinFeedbackScore),
		MaxFeedback: b.score("maxFeedbackScore", input.MaxFeedbackScore),
		Since:       b.optionalTime("since", input.Since),
		Until:       b.optionalTime("until", input.Until),

		CanvasAction: input.CanvasAction,
	}
	if input.Outcome != nil && !input.Outcome.Valid() {
		b.fail(memory.Invalid("outcome", "must be SUCCESS, FAILURE or UNKNOWN"))
	}
	if input.CanvasAction != nil && !input.CanvasAction.Valid() {
		b.fail(memory.Invalid("canvasAction", "must be PRESENT, CLOSE, SUBMIT, UPDATE or EXECUTE"))
	}
	if input.TimeRange != nil && input.Since == nil {
		if !input.TimeRange.Valid() {
			b.fail(memory.Invalid("timeRange", "must be LAST_1D, LAST_7D, LAST_30D or LAST_90D"))
		}
		since := input.TimeRange.Since(now)
		filter.Since = &since
	}
	return filter
}

// score is a bound on an aggregate feedback score, which lies in −1…1.
func (b *boundary) score(field string, value *float64) *float64 {
	if value != nil && !(*value >= -1 && *value <= 1) {
		b.fail(memory.Invalid(field, "is %v; it must be in −1…1", *value))
	}
	return value
}

func (b *boundary) order(order EpisodeOrder) store.EpisodeOrder {
	switch order {
	case StartedAtDesc, "":
		return store.NewestFirst
	case StartedAtAsc:
		return store.OldestFirst
	case FeedbackDesc:
		return store.BestFeedbackFirst
	default:
		b.fail(memory.Invalid("orderBy", "must be STARTED_AT_DESC, STARTED_AT_ASC or FEEDBACK_DESC"))
		return store.NewestFirst
	}
}

// Replay pages through the log of an episode, in order, by its id. NOT_FOUND where there is no such episode. Cursors
// are those of Events.
func (g *Episodes) Replay(ctx context.Context, id string, input PageInput) (*Page[*memory.Event], error) {
	b := g.question(ctx)
	key := b.key(memory.KindEpisode, "episodeId", id)
	if b.err != nil {
		return nil, b.err
	}
	page, err := g.Events(ctx, key, input)
	if err == nil && len(page.Items) == 0 {
		err = g.mustExist(ctx, "episodeId", memory.NodeID(memory.KindEpisode, key))
	}
	return page, err
}

// Events pages through an episode's log, in order.
func (g *Episodes) Events(ctx context.Context, episodeKey string, input PageInput) (*Page[*memory.Event], error) {
	return listOf(g.store, "the episode", store.EventsOf{Episode: episodeKey}).page(ctx, input, fingerprint("events", episodeKey))
}

// Reward is the sum of the rewards of an episode's canvases and feedback (as of the episode's instant
// where it has one). It reads what was not loaded with the episode.
func (g *Reactions) Reward(ctx context.Context, episode *memory.Episode) (float64, error) {
	if loaded := episode.Context; loaded.Complete() {
		return engagement.EpisodeReward(loaded.Canvases, loaded.Feedback, g.canvasRules), nil
	}
	asOf := asOfOf(episode)
	canvases, err := g.canvases(store.CanvasesOf{Episode: &episode.Key}, asOf).all(ctx, untilInstant(asOf))
	if err != nil {
		return 0, fault("the episode", err)
	}
	feedback, err := g.feedback(store.FeedbackOf{Episode: &episode.Key, AsOf: asOf}).all(ctx, untilInstant(asOf))
	if err != nil {
		return 0, fault("the episode", err)
	}
	return engagement.EpisodeReward(canvases, feedback, g.canvasRules), nil
}

// EpisodeLink is a way from one episode to others.
type EpisodeLink = store.EpisodeLink

// The links between episodes.
const (
	LinkCausedBy   = store.LinkCausedBy   // the episodes that caused it, by key
	LinkCauses     = store.LinkCauses     // the episodes it caused, by key
	LinkInformedBy = store.LinkInformedBy // the episodes that informed it, by key
	LinkInformed   = store.LinkInformed   // the episodes it informed, by key
	LinkPrevious   = store.LinkPrevious   // the one before it in its session
	LinkNext       = store.LinkNext       // the one after it in its session
)

// Linked reads the episodes that each of the given ones is linked to, by key: a page each of causes and effects, which
// all have the same bounds, and at most one before or after it. With asOf it answers as of then, and so does what is
// read from its episodes later. The caller sets the Total of the pages, and may count for several at once; see
// CountLinked.
func (g *Episodes) Linked(
	ctx context.Context, keys []string, link EpisodeLink, input PageInput, asOf *time.Time, include Include,
) (map[string]*Page[*memory.Episode], error) {
	requests := make(map[string]request, len(keys))
	query := store.LinkedQuery{Episodes: keys, Link: link, AsOf: asOf, HeadOnly: include.HeadOnly}
	for _, key := range keys {
		r, err := pageRequest(input, fingerprint("linked", key, link, asOf), nil)
		if err != nil {
			return nil, err
		}
		requests[key], query.Page = r, r.page
	}
	linked, err := g.store.Linked(ctx, query)
	if err != nil {
		return nil, fault("the episode", err)
	}
	pages := make(map[string]*Page[*memory.Episode], len(keys))
	for key, r := range requests {
		for _, episode := range linked[key].Episodes {
			if asOf != nil {
				episode.Context = &memory.EpisodeContext{AsOf: asOf}
			}
		}
		pages[key] = newPage(r, linked[key].Episodes, linked[key].More, nil, func(e *memory.Episode) store.Position {
			return store.Position{Key: e.Key}
		})
	}
	return pages, nil
}

// CountLinked counts the causes or effects of each of the given episodes, by key.
func (g *Episodes) CountLinked(ctx context.Context, keys []string, link EpisodeLink, asOf *time.Time) (map[string]int, error) {
	counts, err := g.store.CountLinked(ctx, store.LinkedQuery{Episodes: keys, Link: link, AsOf: asOf})
	return counts, fault("the episode", err)
}
