package service

import (
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/store"
)

// Node reads a record of any kind by its global id; nil where there is none. An id of no known kind is
// INVALID_INPUT.
func (g *Retrieval) Node(ctx context.Context, id string) (memory.Node, error) {
	nodes, err := g.Nodes(ctx, []string{id})
	if err != nil {
		if known := (*memory.Error)(nil); errors.As(err, &known) && known.Field == at("ids", 0) {
			known.Field = "id"
		}
		return nil, err
	}
	return nodes[0], nil
}

// Nodes reads records of any kinds in the order of their global ids, nil where there is none. It costs
// one read a kind.
func (g *Retrieval) Nodes(ctx context.Context, ids []string) ([]memory.Node, error) {
	b, asked := g.question(ctx), make([]string, len(ids))
	if b.list("ids", len(ids)) {
		for i, id := range ids {
			asked[i] = b.globalID(at("ids", i), id)
		}
	}
	if b.err != nil {
		return nil, b.err
	}
	nodes, err := g.nodesOf(ctx, asked)
	if err != nil {
		return nil, fault("the record", err)
	}
	for _, node := range nodes {
		if node, ok := node.(*memory.Observation); ok {
			g.accesses.note(node.Key)
		}
	}
	return nodes, nil
}

// Records reads records of any kinds in the order of their global ids, nil where there is none, for those
// that were reached through another record: unlike Nodes it counts no access.
func (g *Retrieval) Records(ctx context.Context, ids []string) ([]memory.Node, error) {
	nodes, err := g.nodesOf(ctx, ids)
	return nodes, fault("the record", err)
}

// nodesOf reads records by valid global ids, in order, nil where there is none. It costs one read a kind.
func (g *Retrieval) nodesOf(ctx context.Context, ids []string) ([]memory.Node, error) {
	places := map[memory.Kind][]int{}
	keys := map[memory.Kind][]string{}
	for i, id := range ids {
		kind, key, _ := memory.SplitID(id)
		places[kind], keys[kind] = append(places[kind], i), append(keys[kind], key)
	}
	nodes := make([]memory.Node, len(ids))
	for kind, wanted := range keys {
		found, err := g.nodes(ctx, kind, wanted)
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
func (g *Retrieval) nodes(ctx context.Context, kind memory.Kind, keys []string) ([]memory.Node, error) {
	switch kind {
	case memory.KindAgent:
		return asNodes(g.store.Agents(ctx, keys))
	case memory.KindSession:
		return asNodes(g.store.Sessions(ctx, keys))
	case memory.KindEpisode:
		return asNodes(g.store.Episodes(ctx, store.EpisodesByKey{Keys: keys}))
	case memory.KindCanvas:
		return asNodes(g.store.Canvases(ctx, keys))
	case memory.KindFeedback:
		return asNodes(g.store.Feedback(ctx, keys))
	case memory.KindMemoir:
		return asNodes(g.store.Memoirs(ctx, keys))
	case memory.KindConcept:
		return asNodes(g.store.Concepts(ctx, keys))
	case memory.KindObservation:
		return asNodes(g.store.Observations(ctx, keys))
	case memory.KindCorrection:
		return asNodes(g.store.Corrections(ctx, keys))
	default:
		return g.learningNodes(ctx, kind, keys)
	}
}

// learningNodes reads records of one of the kinds that agents and judges learn by.
func (g *Retrieval) learningNodes(ctx context.Context, kind memory.Kind, keys []string) ([]memory.Node, error) {
	switch kind {
	case memory.KindLearningProfile:
		return asNodes(profilesByKey(ctx, g.store, keys))
	case memory.KindExecution:
		return asNodes(g.store.Executions(ctx, keys))
	case memory.KindRun:
		return asNodes(g.store.Runs(ctx, keys))
	case memory.KindSection:
		return asNodes(g.store.Sections(ctx, keys))
	case memory.KindVerdict:
		return asNodes(g.store.Verdicts(ctx, keys))
	case memory.KindPattern:
		return asNodes(g.store.Patterns(ctx, keys))
	default:
		return nil, store.ErrInvalid
	}
}

// asNodes keeps a missing record a nil interface.
func asNodes[T interface {
	comparable
	memory.Node
}](records []T, err error) ([]memory.Node, error) {
	var none T
	nodes := make([]memory.Node, len(records))
	for i, record := range records {
		if record != none {
			nodes[i] = record
		}
	}
	return nodes, err
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
	return parts
}

// Get reads one episode; nil where there is none.
func (g *Episodes) Get(ctx context.Context, id string, include Include) (*memory.Episode, error) {
	b := g.question(ctx)
	key := b.key(memory.KindEpisode, "id", id)
	if b.err != nil {
		return nil, b.err
	}
	episodes, err := g.ByKey(ctx, []string{key}, include, nil)
	if err != nil {
		return nil, err
	}
	return episodes[0], nil
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
	request, err := pageRequest(input, fingerprint("episodes", filter, order), nil)
	if err != nil {
		return nil, err
	}
	query.Page = request.page
	episodes, more, err := g.store.ListEpisodes(ctx, query)
	if err != nil {
		return nil, fault("the episode", err)
	}
	total := func(ctx context.Context) (int, error) {
		count, err := g.store.CountEpisodes(ctx, query.Filter)
		return count, fault("the episode", err)
	}
	return newPage(request, episodes, more, total, func(e *memory.Episode) store.Position {
		p := store.Position{At: e.StartedAt, Key: e.Key}
		if query.Order == store.BestFeedbackFirst {
			p.Value = e.AggregateFeedbackScore()
		}
		return p
	}), nil
}

// filter checks a filter; a time range counts back from the given instant.
func (b *boundary) filter(input EpisodeFilter, now time.Time) store.EpisodeFilter {
	if input.TimeRange != nil && input.Since != nil {
		b.fail(memory.Invalid("timeRange", "cannot be combined with since; send one of them"))
	}
	filter := store.EpisodeFilter{
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
func (g *Episodes) Replay(ctx context.Context, id string, input PageInput) (*Page[memory.Event], error) {
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
func (g *Episodes) Events(ctx context.Context, episodeKey string, input PageInput) (*Page[memory.Event], error) {
	request, err := pageRequest(input, fingerprint("events", episodeKey), nil)
	if err != nil {
		return nil, err
	}
	events, more, err := g.store.Events(ctx, episodeKey, request.page)
	if err != nil {
		return nil, fault("the episode", err)
	}
	total := func(ctx context.Context) (int, error) {
		count, err := g.store.CountEvents(ctx, episodeKey)
		return count, fault("the episode", err)
	}
	return newPage(request, events, more, total, func(e memory.Event) store.Position {
		return store.Position{Sequence: e.Sequence}
	}), nil
}

// Reward is the sum of the rewards of an episode's canvases and feedback (as of the episode's instant
// where it has one). It reads what was not loaded with the episode.
func (g *Reactions) Reward(ctx context.Context, episode *memory.Episode) (float64, error) {
	if loaded := episode.Context; loaded.Complete() {
		return engagement.EpisodeReward(loaded.Canvases, loaded.Feedback, g.canvasRules), nil
	}
	asOf := asOfOf(episode)
	canvases, err := g.everyCanvas(ctx, store.CanvasesOf{Episode: &episode.Key}, asOf)
	if err != nil {
		return 0, fault("the episode", err)
	}
	feedback, err := g.everyFeedback(ctx, store.FeedbackOf{Episode: &episode.Key}, asOf)
	if err != nil {
		return 0, fault("the episode", err)
	}
	return engagement.EpisodeReward(canvases, feedback, g.canvasRules), nil
}

// EpisodeLink is a way from one episode to others.
type EpisodeLink = store.EpisodeLink

// The links between episodes.
const (
	LinkCausedBy = store.LinkCausedBy // the episodes that caused it, by key
	LinkCauses   = store.LinkCauses   // the episodes it caused, by key
	LinkPrevious = store.LinkPrevious // the one before it in its session
	LinkNext     = store.LinkNext     // the one after it in its session
)

// Linked reads the episodes that each of the given ones is linked to, by key: a page each of causes and effects, which
// all have the same bounds, and at most one before or after it. With asOf it answers as of then, and so does what is
// read from its episodes later. The caller sets the Total of the pages, and may count for several at once; see
// CountLinked.
func (g *Episodes) Linked(ctx context.Context, keys []string, link EpisodeLink, input PageInput, asOf *time.Time) (map[string]*Page[*memory.Episode], error) {
	requests := make(map[string]request, len(keys))
	query := store.LinkedQuery{Episodes: keys, Link: link, AsOf: asOf}
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
