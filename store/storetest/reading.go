package storetest

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// everything is a page larger than any test's data.
var everything = store.Page{Limit: 1000}

// find reads an episode; nil where there is none.
func (m *tenant) find(key string, parts store.Parts, asOf *time.Time) *memory.Episode {
	m.t.Helper()
	found, err := m.Episodes(m.ctx(), store.EpisodesByKey{Keys: []string{key}, Parts: parts, AsOf: asOf})
	m.NoError(err)
	m.Len(found, 1)
	return found[0]
}

// episode reads an episode that must be there.
func (m *tenant) episode(key string, parts ...store.Parts) *memory.Episode {
	m.t.Helper()
	var all store.Parts
	for _, part := range parts {
		all |= part
	}
	found := m.find(key, all, nil)
	m.NotNil(found, "episode %q", key)
	return found
}

// canvas reads a canvas that must be there.
func (m *tenant) canvas(key string) *memory.Canvas {
	m.t.Helper()
	found, err := store.Get[memory.Canvas](m.ctx(), m, []string{key})
	m.NoError(err)
	m.Len(found, 1)
	m.NotNil(found[0], "canvas %q", key)
	return found[0]
}

// feedback reads a feedback that must be there.
func (m *tenant) feedback(key string) *memory.Feedback {
	m.t.Helper()
	found, err := store.Get[memory.Feedback](m.ctx(), m, []string{key})
	m.NoError(err)
	m.Len(found, 1)
	m.NotNil(found[0], "feedback %q", key)
	return found[0]
}

// agent reads an agent that must be there.
func (m *tenant) agent(key string) *memory.Agent {
	m.t.Helper()
	found, err := store.Get[memory.Agent](m.ctx(), m, []string{key})
	m.NoError(err)
	m.Len(found, 1)
	m.NotNil(found[0], "agent %q", key)
	return found[0]
}

// hasSession says whether there is a session.
func (m *tenant) hasSession(key string) bool {
	m.t.Helper()
	found, err := store.Get[memory.Session](m.ctx(), m, []string{key})
	m.NoError(err)
	m.Len(found, 1)
	if found[0] != nil {
		m.Equal(key, found[0].Key)
	}
	return found[0] != nil
}

// listed gives the keys of all the episodes that a filter keeps, in an order, and checks their number.
func (m *tenant) listed(filter store.EpisodeFilter, order memory.EpisodeOrder) []string {
	m.t.Helper()
	episodes, more, err := store.List(m.ctx(), m, store.EpisodeQuery{Filter: filter, Order: order}, everything)
	m.NoError(err)
	m.False(more)
	count, err := store.Count(m.ctx(), m, store.EpisodeQuery{Filter: filter})
	m.NoError(err)
	m.Equal(len(episodes), count)
	return episodeKeys(episodes)
}

// canvasesOf gives the keys of all the canvases of an owner, and checks their number.
func (m *tenant) canvasesOf(query store.CanvasesOf) []string {
	m.t.Helper()
	canvases, more, err := store.List(m.ctx(), m, query, everything)
	m.NoError(err)
	m.False(more)
	count, err := store.Count(m.ctx(), m, query)
	m.NoError(err)
	m.Equal(len(canvases), count)
	return canvasKeys(canvases)
}

// feedbackOf gives the keys of all the feedback of an owner, and checks its number.
func (m *tenant) feedbackOf(query store.FeedbackOf) []string {
	m.t.Helper()
	feedback, more, err := store.List(m.ctx(), m, query, everything)
	m.NoError(err)
	m.False(more)
	count, err := store.Count(m.ctx(), m, query)
	m.NoError(err)
	m.Equal(len(feedback), count)
	return feedbackKeys(feedback)
}

// linked gives the keys of the episodes that an episode has a link to.
func (m *tenant) linked(key string, link memory.EpisodeLink) []string {
	m.t.Helper()
	return episodeKeys(m.linkedAll(store.LinkedQuery{Episodes: []string{key}, Link: link})[key])
}

// linkedAll gives all the episodes that others have a link to, and checks their numbers.
func (m *tenant) linkedAll(query store.LinkedQuery) map[string][]*memory.Episode {
	m.t.Helper()
	query.Page = everything
	linked, err := m.Linked(m.ctx(), query)
	m.NoError(err)
	all := make(map[string][]*memory.Episode, len(linked))
	for key, page := range linked {
		m.False(page.More)
		all[key] = page.Episodes
	}
	if edge, _ := query.Link.Edge(); edge == "" {
		return all
	}
	counts, err := m.CountLinked(m.ctx(), query)
	m.NoError(err)
	for _, key := range query.Episodes {
		m.Equal(len(all[key]), counts[key], key)
	}
	return all
}

func episodeKeys(episodes []*memory.Episode) []string {
	return keysOf(episodes, func(e *memory.Episode) string { return e.Key })
}

func canvasKeys(canvases []*memory.Canvas) []string {
	return keysOf(canvases, func(c *memory.Canvas) string { return c.Key })
}

func feedbackKeys(feedback []*memory.Feedback) []string {
	return keysOf(feedback, func(f *memory.Feedback) string { return f.Key })
}

func keysOf[T any](records []T, key func(T) string) []string {
	keys := make([]string, len(records))
	for i, record := range records {
		keys[i] = key(record)
	}
	return keys
}

// count gives a number whose counting must not fail: m.count(store.Count(ctx, m, store.AllAgents{})).
func (m *tenant) count(n int, err error) int {
	m.t.Helper()
	m.NoError(err)
	return n
}

// valuesOf are the records that a list found.
func valuesOf[T any](records []*T, more bool, err error) ([]T, bool, error) {
	return memory.Mapped(records, func(record *T) T { return *record }), more, err
}

func logOf(ctx context.Context, s store.Records, episode string, page store.Page) ([]memory.Event, bool, error) {
	return valuesOf(store.List(ctx, s, store.EventsOf{Episode: episode}, page))
}

func heldSpans(ctx context.Context, s store.Records, trace string, most store.TraceRoom) ([]store.HeldSpan, error) {
	held, _, err := valuesOf(store.List(ctx, s, store.SpansOf{Trace: trace, Bytes: most.Bytes}, store.Page{Limit: most.Spans}))
	return held, err
}

func tracesDue(ctx context.Context, s store.Records, query store.DueTraces, most int) ([]store.DueTrace, error) {
	due, _, err := valuesOf(store.List(ctx, s, query, store.Page{Limit: most}))
	return due, err
}
