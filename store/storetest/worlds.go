package storetest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

// world is a tenant and the model of it, which get the same writes.
type world struct {
	*tenant
	model  *model
	random *rapid.T
}

func newWorld(m *tenant, random *rapid.T) *world {
	return &world{tenant: m, model: newModel(), random: random}
}

// The words from which random texts are made, by stem. Stop words stand for what must not count.
var (
	vocabulary = [][]string{
		{"refund", "refunds", "Refunded"}, {"flight", "flights"}, {"report", "REPORTS", "reporting"},
		{"walrus"}, {"upgrade", "upgraded"}, {"naïveté"},
	}
	stopWords = []string{"the", "what", "and", "of", "Not", "or"}
	// directions are vectors of which no two are orthogonal, so that rounding decides no membership.
	directions = [][]float32{{1, 0.5, 0.25}, {-1, 0.5, 0.25}, {0.25, 1, 0.5}, {0.5, -0.25, 1}, {-0.25, -1, -2}, {3, 1, -1}}
)

func (w *world) moment() time.Time { return at(rapid.IntRange(0, 12).Draw(w.random, "minute")) }

func (w *world) chance(label string) bool { return rapid.Bool().Draw(w.random, label) }

// maybe draws a value, or null as one of the choices.
func maybe[T any](w *world, label string, values ...T) *T {
	i := rapid.IntRange(0, len(values)).Draw(w.random, label)
	if i == len(values) {
		return nil
	}
	return &values[i]
}

// text draws some words of the vocabulary and some stop words.
func (w *world) text(label string) string {
	text := ""
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(vocabulary)+len(stopWords)-1), 0, 4).Draw(w.random, label) {
		if i < len(vocabulary) {
			text += rapid.SampledFrom(vocabulary[i]).Draw(w.random, "form") + " "
		} else {
			text += stopWords[i-len(vocabulary)] + " "
		}
	}
	return text
}

// fill records random episodes with random canvases and feedback, a batch of each.
func (w *world) fill(most int) {
	episodes := make([]episodeDraft, rapid.IntRange(0, most).Draw(w.random, "episodes"))
	for i := range episodes {
		episodes[i] = w.draftEpisode(fmt.Sprintf("e%d", i))
	}
	w.addEpisodes(episodes...)
	actions := make([]actionDraft, rapid.IntRange(0, 2*len(episodes)).Draw(w.random, "canvas actions"))
	for i := range actions {
		d := w.draftAction("").of(w.someEpisode())
		d.Canvas = d.CanvasType + " of " + *d.Episode
		actions[i] = d
	}
	w.addActions(actions...)
	feedback := make([]feedbackDraft, rapid.IntRange(0, len(episodes)).Draw(w.random, "feedback"))
	for i := range feedback {
		feedback[i] = w.draftFeedback(fmt.Sprintf("f%d", i)).on(w.someEpisode())
	}
	w.addFeedback(feedback...)
}

func (w *world) someEpisode() string {
	return fmt.Sprintf("e%d", rapid.IntRange(0, len(w.model.episodes)-1).Draw(w.random, "episode"))
}

func (w *world) draftEpisode(key string) episodeDraft {
	d := episode(key, w.moment()).by(oneOf(w, "agent", "ada", "eve")).
		titled(w.text("title")).seeing("the " + w.text("observation")).learning(w.text("insight")).
		ending(oneOf(w, "outcome", memory.OutcomeSuccess, memory.OutcomeFailure, memory.OutcomeUnknown))
	d.Episode.TaskType = maybe(w, "task type", "", "refund", "Refund")
	d.Episode.SessionKey = maybe(w, "session", "s", "t")
	d.Episode.UserID = maybe(w, "user", "ann", "bob")
	if w.chance("has a result") {
		d = d.resulting(w.text("result"))
	}
	if w.chance("is recorded at its end") {
		d = d.told()
	}
	if w.chance("has an end") {
		d = d.until(d.Episode.StartedAt.Add(time.Duration(rapid.IntRange(0, 5).Draw(w.random, "minutes")) * time.Minute))
	}
	if v := maybe(w, "embedding", directions...); v != nil {
		d = d.embedded(*v...)
	}
	return d
}

func (w *world) draftAction(canvas string) actionDraft {
	kind := oneOf(w, "action", memory.CanvasPresent, memory.CanvasSubmit, memory.CanvasClose)
	d := action(canvas, kind, w.moment())
	if w.chance("is a form") {
		d = d.typed(memory.CanvasForms)
	}
	return d
}

func (w *world) draftFeedback(key string) feedbackDraft {
	return rating(key, rapid.IntRange(1, 5).Draw(w.random, "stars"), w.moment())
}

// oneOf draws a value.
func oneOf[T any](w *world, label string, values ...T) T {
	return values[rapid.IntRange(0, len(values)-1).Draw(w.random, label)]
}

func (w *world) addEpisodes(drafts ...episodeDraft) {
	w.record(drafts...)
	for _, d := range drafts {
		w.model.record(d)
	}
}

func (w *world) addActions(drafts ...actionDraft) {
	w.act(drafts...)
	for _, d := range drafts {
		w.model.act(d)
	}
}

func (w *world) addFeedback(drafts ...feedbackDraft) {
	w.react(drafts...)
	for _, d := range drafts {
		w.model.react(d)
	}
}

// condition sets one condition of a filter to a random value that is met now and then.
type condition func(w *world, f *store.EpisodeFilter)

var (
	byAgent    condition = func(w *world, f *store.EpisodeFilter) { f.Agent = new(oneOf(w, "agent is", "ada", "eve")) }
	bySession  condition = func(w *world, f *store.EpisodeFilter) { f.Session = new(oneOf(w, "session is", "s", "t")) }
	byTaskType condition = func(w *world, f *store.EpisodeFilter) {
		f.TaskType = new(oneOf(w, "task type is", "", "refund", "Refund"))
	}
	byUser condition = func(w *world, f *store.EpisodeFilter) {
		f.UserFilter = store.UserFilter{User: new(oneOf(w, "user is", "ann", "bob")), Shared: w.chance("is shared")}
	}
	byOutcome condition = func(w *world, f *store.EpisodeFilter) {
		f.Outcome = new(oneOf(w, "outcome is", memory.OutcomeSuccess, memory.OutcomeFailure))
	}
	byOutcomeKnown condition = func(_ *world, f *store.EpisodeFilter) { f.OutcomeKnown = true }
	byCanvasType   condition = func(w *world, f *store.EpisodeFilter) {
		f.CanvasType = new(oneOf(w, "canvas type is", memory.CanvasCharts, memory.CanvasForms))
	}
	byCanvasAction condition = func(w *world, f *store.EpisodeFilter) {
		f.CanvasAction = new(oneOf(w, "canvas action is", memory.CanvasPresent, memory.CanvasSubmit))
	}
	byMinFeedback condition = func(w *world, f *store.EpisodeFilter) {
		f.MinFeedback = new(oneOf(w, "feedback at least", -1, -0.5, 0, 0.25))
	}
	byMaxFeedback condition = func(w *world, f *store.EpisodeFilter) {
		f.MaxFeedback = new(oneOf(w, "feedback at most", 1, 0.5, 0, -0.5))
	}
	bySince condition = func(w *world, f *store.EpisodeFilter) { f.Since = new(oneOf(w, "since", at(0), at(3), at(6))) }
	byUntil condition = func(w *world, f *store.EpisodeFilter) { f.Until = new(oneOf(w, "until", at(4), at(8), at(20))) }
)

// filterShapes are the combinations of conditions that random filters take: every condition, alone or
// beside unlike ones. They are few because a server plans each combination anew.
var filterShapes = [][]condition{
	{}, {},
	{byAgent},
	{byTaskType, bySince},
	{bySession, byOutcome},
	{byOutcomeKnown, byUntil},
	{byUser},
	{byUser, byAgent, byMinFeedback},
	{byCanvasType},
	{byCanvasType, byCanvasAction},
	{byCanvasAction, byUntil},
	{byMinFeedback},
	{byMaxFeedback, byAgent},
	{bySession, byCanvasAction, byMinFeedback, byMaxFeedback, bySince, byUntil},
}

// filter draws a filter.
func (w *world) filter() store.EpisodeFilter {
	filter := store.EpisodeFilter{}
	for _, set := range filterShapes[rapid.IntRange(0, len(filterShapes)-1).Draw(w.random, "filter")] {
		set(w, &filter)
	}
	return filter
}

// walk reads a list page by page, by the positions of the last records, and checks that each page is
// full where more follow and that the list says when it ends.
func walk[T any](
	m *tenant, limit int, list func(store.Page) ([]T, bool, error), position func(T) store.Position,
) []T {
	m.t.Helper()
	walked := []T{}
	page := store.Page{Limit: limit}
	for {
		records, more, err := list(page)
		m.NoError(err)
		m.NotNil(records)
		m.LessOrEqual(len(records), limit)
		walked = append(walked, records...)
		m.Less(len(walked), 10_000, "the pages do not end")
		if !more {
			return walked
		}
		m.Len(records, limit, "a page that more follow is full")
		last := position(records[len(records)-1])
		page.After = &last
	}
}
