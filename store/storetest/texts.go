package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

// awkwardTexts are texts that a store may not alter: nothing here is special.
var awkwardTexts = []string{
	"",
	" leading and trailing ",
	"line\nbreak\r\ntab\tbell\a escape\x1b delete\x7f start\x01",
	"null", "NULL", "'; DROP TABLE episodes; --", "$param {key: 1} `MATCH` \\u0041", "100 % ? _ * \"q\" 'q' \\",
	"Füße, naïve, Ελληνικά, кириллица, 日本語, 한국어, עברית, العربية",
	"e\u0301 is not \u00e9", "ﬀ İ ı ẞ ǅ",
	"👩‍👩‍👧‍👦 🏳️‍🌈 😀", "\u2028\u2029\ufeff\u200b\u202e\ufffd\U0010ffff",
}

// awkwardKeys are keys whose byte order is neither a language's order nor that of UTF-16.
var awkwardKeys = []string{
	" ", "!", "%", "%2F", "'", "*", "..", "/", "10", "9", ":", "A", "B", "\\", "_", "a", "a ", "a:b/c%d e", "ab", "episode:a",
	strings.Repeat("k", 500), "null", "z", "e\u0301", "\u00e9", "日本", "ﬀ", "\ufffd", "😀", "\U0010fffd",
}

// byBytes are the awkward keys in the order of the contract.
var byBytes = slices.Sorted(slices.Values(awkwardKeys))

func (s suite) texts(t *testing.T) {
	s.run(t, "texts come back byte for byte", textsUnaltered)
	s.run(t, "a text of a mebibyte comes back", func(m *tenant) {
		long := strings.Repeat("long texts are texts, ", 1<<20/22)
		m.record(episode("e1", at(0)).seeing(long).resulting(long))
		m.Equal(long, m.episode("e1").Observation)
		m.Equal(long, *m.episode("e1").Result)
	})
	s.run(t, "JSON comes back byte for byte", jsonUnaltered)
	s.run(t, "keys are told apart byte by byte", keysToldApart)
	s.run(t, "ties are broken by the bytes of the key", keyOrder)
	s.run(t, "pages of one instant follow the bytes of the key", keyPages)
	s.run(t, "names and task types are told apart byte by byte", valuesToldApart)
	s.run(t, "times keep their milliseconds, in UTC", timesKept)
}

func textsUnaltered(m *tenant) {
	for i, text := range awkwardTexts {
		key := string(rune('a' + i))
		d := episode(key, at(0)).titled(text).seeing(text).thinking(text, text).resulting(text).learning(text).
			doing(text).named(text).step(text, nil).logging(memory.Event{Type: text, At: at(0)})
		d.Episode.Segments = []memory.Segment{{Kind: memory.SegmentRest, Text: text, StartedAt: at(0)}}
		d.Episode.Actions[0].StepID = new(text)
		m.record(d)
		m.Equal(readBack(d), m.episode(key), "%q", text)
		m.Equal(text, m.agent("agent").Name)
		events, _, err := logOf(m.ctx(), m, key, everything)
		m.NoError(err)
		m.Equal(d.Events, events)

		m.act(present(key, at(0)).typed(text).component(text))
		m.Equal(text, m.canvas(key).CanvasType)
		m.Equal(new(text), m.canvas(key).ComponentType)
		m.react(thumbsUp(key, at(0)).on(key).saying(text).commenting(text).by(text))
		m.Equal(new(text), m.feedback(key).Corrections)
		m.Equal(new(text), m.feedback(key).Comment)
		m.Equal(new(text), m.feedback(key).CreatedBy)
	}
}

func jsonUnaltered(m *tenant) {
	for i, text := range []string{
		`{}`, `[]`, `""`, `0`, `1e400`, `12345678901234567890`, `0.1000`, `true`, `"null"`, `{"a":{"b":[null,false]}}`, `"\u0000"`,
	} {
		key := string(rune('a' + i))
		d := episode(key, at(0)).step("step", memory.JSON(text)).logging(entry(0, "x", text))
		d.Episode.Metadata = memory.JSON(text)
		m.record(d)
		m.Equal(readBack(d), m.episode(key), text)
		events, _, err := logOf(m.ctx(), m, key, everything)
		m.NoError(err)
		m.Equal(d.Events, events, text)
		m.act(present(key, at(0)).with(text))
		m.Equal(memory.JSON(text), m.canvas(key).Actions[0].Metadata)
	}
}

func keysToldApart(m *tenant) {
	for i, key := range awkwardKeys {
		m.record(episode(key, at(i)).by(key).in(key).running(key))
		m.act(present(key, at(i)).of(key).id(key))
		m.react(thumbsUp(key, at(i)).running(key))
	}
	for i, key := range awkwardKeys {
		found := m.episode(key, store.WithAgent, store.WithCanvases, store.WithFeedback)
		m.Equal(readBack(episode(key, at(i)).by(key).in(key).running(key)).StartedAt, found.StartedAt, "%q", key)
		m.Equal(&memory.Agent{Key: key, Name: key}, found.Context.Agent)
		m.Equal([]string{key}, canvasKeys(found.Context.Canvases))
		m.Equal(key, found.Context.Canvases[0].Actions[0].ID)
		m.Equal([]string{key}, feedbackKeys(found.Context.Feedback))
		m.Equal([]string{key}, m.listed(store.EpisodeFilter{Session: &key}, memory.NewestFirst))
		m.True(m.hasSession(key))
	}
	m.Nil(m.find("É", 0, nil))
	m.Nil(m.find("b", 0, nil))
}

func keyOrder(m *tenant) {
	var drafts []episodeDraft
	var shown []actionDraft
	var reactions []feedbackDraft
	for i := range awkwardKeys {
		key := awkwardKeys[len(awkwardKeys)-1-i]
		drafts = append(drafts, episode(key, at(0)).by(key))
		shown = append(shown, present(key, at(0)).of("z"))
		reactions = append(reactions, thumbsUp(key, at(0)).on("z"))
	}
	m.record(drafts...)
	for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst} {
		m.Equal(byBytes, m.listed(store.EpisodeFilter{}, order))
	}
	m.act(shown...)
	m.react(reactions...)
	m.Equal(byBytes, m.canvasesOf(store.CanvasesOf{Episode: new("z")}))
	m.Equal(byBytes, m.feedbackOf(store.FeedbackOf{Episode: new("z")}))
	agents, _, err := store.List(m.ctx(), m, store.AllAgents{}, everything)
	m.NoError(err)
	m.Equal(byBytes, keysOf(agents, func(a *memory.Agent) string { return a.Key }))
}

func keyPages(m *tenant) {
	var runs []episodeDraft
	var shown []actionDraft
	var reactions []feedbackDraft
	var noticed []observationDraft
	var righted []correctionDraft
	for _, key := range awkwardKeys {
		runs, noticed, righted = append(runs, episode(key, at(0))), append(noticed, observation(key, at(0))), append(righted, correction(key, "topic", at(0)))
		shown, reactions = append(shown, present(key, at(0)).of("z")), append(reactions, thumbsUp(key, at(0)).on("z"))
	}
	m.record(runs...)
	m.observe(noticed...)
	m.correct(righted...)
	of := func(at time.Time, key string) store.Position { return store.Position{At: at, Key: key} }
	for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst} {
		episodes := walk(m, 2, func(page store.Page) ([]*memory.Episode, bool, error) {
			return store.List(m.ctx(), m, store.EpisodeQuery{Order: order}, page)
		}, func(e *memory.Episode) store.Position { return of(e.StartedAt, e.Key) })
		m.Equal(byBytes, episodeKeys(episodes), "episodes in order %s", order)
	}
	judging := judgedTenantOf(m)
	for _, key := range awkwardKeys {
		judging.rule(verdict(key, key, "s", at(0)))
	}
	verdicts := walk(m, 2, func(page store.Page) ([]*memory.Verdict, bool, error) {
		return store.List(m.ctx(), m, store.VerdictQuery{}, page)
	}, func(v *memory.Verdict) store.Position { return of(v.At, v.Key) })
	m.Equal(byBytes, keysOf(verdicts, func(v *memory.Verdict) string { return v.Key }))
	judged := walk(m, 2, func(page store.Page) ([]*memory.Run, bool, error) {
		return store.List(m.ctx(), m, store.AllRuns{}, page)
	}, func(r *memory.Run) store.Position { return of(r.StartedAt, r.Key) })
	m.Equal(byBytes, keysOf(judged, func(r *memory.Run) string { return r.Key }))
	m.act(shown...)
	m.react(reactions...)
	canvases := walk(m, 2, func(page store.Page) ([]*memory.Canvas, bool, error) {
		return store.List(m.ctx(), m, store.CanvasesOf{Episode: new("z")}, page)
	}, func(c *memory.Canvas) store.Position { return of(c.CreatedAt(), c.Key) })
	m.Equal(byBytes, canvasKeys(canvases))
	feedback := walk(m, 2, func(page store.Page) ([]*memory.Feedback, bool, error) {
		return store.List(m.ctx(), m, store.FeedbackOf{Episode: new("z")}, page)
	}, func(f *memory.Feedback) store.Position { return of(f.CreatedAt, f.Key) })
	m.Equal(byBytes, feedbackKeys(feedback))
	corrections := walk(m, 2, func(page store.Page) ([]*memory.Correction, bool, error) {
		return store.List(m.ctx(), m, store.CorrectionsOf{}, page)
	}, func(c *memory.Correction) store.Position { return of(c.CreatedAt, c.Key) })
	m.Equal(byBytes, keysOf(corrections, func(c *memory.Correction) string { return c.Key }))
	for _, order := range []memory.ObservationOrder{memory.HeaviestFirst, memory.LightestFirst, memory.LatestFirst} {
		observations := walk(m, 2, func(page store.Page) ([]*memory.Observation, bool, error) {
			return store.List(m.ctx(), m, store.ObservationQuery{Policy: decay.UseFades, Now: at(1), Order: order}, page)
		}, func(o *memory.Observation) store.Position {
			p := of(o.CreatedAt, o.Key)
			if order != memory.LatestFirst {
				p.Value = new(decay.UseFades.Weight(o, at(1)))
			}
			return p
		})
		m.Equal(byBytes, observationKeys(observations), "observations in order %s", order)
	}
}

func valuesToldApart(m *tenant) {
	m.record(
		episode("1", at(1)).doing("Refund"), episode("2", at(2)).doing("refund"), episode("3", at(3)).doing("refund "),
		episode("4", at(4)).doing("caf\u00e9"), episode("5", at(5)).doing("cafe\u0301"), episode("6", at(6)).doing("re%"),
	)
	for key, taskType := range map[string]string{
		"1": "Refund", "2": "refund", "3": "refund ", "4": "caf\u00e9", "5": "cafe\u0301", "6": "re%",
	} {
		m.Equal([]string{key}, m.listed(store.EpisodeFilter{TaskType: &taskType}, memory.NewestFirst), "%q", taskType)
	}
	m.Equal([]string{"Refund", "cafe\u0301", "caf\u00e9", "re%", "refund", "refund "}, m.taskTypes("agent")["agent"])
}

func timesKept(m *tenant) {
	for i, moment := range []time.Time{
		time.Date(2025, 2, 28, 23, 59, 59, 999e6, time.UTC), memory.EarliestTime, memory.EarliestTime.Add(time.Millisecond),
		time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC),
	} {
		key := string(rune('a' + i))
		d := episode(key, moment).until(moment).logging(memory.Event{Type: "x", At: moment})
		d.Episode.Segments = []memory.Segment{{Kind: memory.SegmentGap, StartedAt: moment, EndedAt: &moment}}
		m.record(d)
		m.Equal(readBack(d), m.episode(key), moment)
		events, _, err := logOf(m.ctx(), m, key, everything)
		m.NoError(err)
		m.Equal(d.Events, events, moment)
		m.act(present(key, moment))
		m.Equal(moment, m.canvas(key).Actions[0].At)
		m.react(thumbsUp(key, moment).on(key))
		m.Equal(moment, m.feedback(key).CreatedAt)
	}
}

// querySyntax pairs texts that some search engine takes for its syntax with the plain words that they
// are: both must find the same, equally well.
var querySyntax = []struct{ text, plain string }{
	{`"walrus giraffe"`, "walrus giraffe"},
	{`"walrus`, "walrus"},
	{`walrus"`, "walrus"},
	{`""walrus""`, "walrus"},
	{`'walrus'`, "walrus"},
	{"walrus AND giraffe", "walrus and giraffe"},
	{"walrus OR giraffe", "walrus or giraffe"},
	{"walrus NOT giraffe", "walrus not giraffe"},
	{"NOT walrus", "not walrus"},
	{"AND OR NOT", "and or not"},
	{"walrus NEAR giraffe", "walrus near giraffe"},
	{"NEAR(walrus giraffe, 1)", "near walrus giraffe 1"},
	{"walr*", "walr"},
	{"*", ""},
	{"*walrus*", "walrus"},
	{"w?lrus", "w lrus"},
	{"^walrus giraffe", "walrus giraffe"},
	{"+walrus -giraffe", "walrus giraffe"},
	{"-walrus", "walrus"},
	{"!walrus", "walrus"},
	{"walrus && !giraffe", "walrus giraffe"},
	{"walrus || giraffe", "walrus giraffe"},
	{"(walrus", "walrus"},
	{"walrus))", "walrus"},
	{"((walrus) giraffe", "walrus giraffe"},
	{"walrus~", "walrus"},
	{"/wal(rus)?/", "wal rus"},
	{"[stork TO walrus]", "stork to walrus"},
	{"{stork TO walrus}", "stork to walrus"},
	{`walrus\`, "walrus"},
	{`\walrus \\ giraffe\"`, "walrus giraffe"},
	{"> walrus < giraffe =", "walrus giraffe"},
	{"walrus; DROP TABLE episodes --", "walrus drop table episodes"},
	{"walrus } RETURN 1 //", "walrus return 1"},
	{"walrus % ? $1 @x #y", "walrus 1 x y"},
	{"\twalrus\n\n\r\ngiraffe\x01", "walrus giraffe"},
	{"walrus 😀👩‍👩‍👧‍👦", "walrus"},
}

// strangeTexts must be answered, whatever the answer is.
var strangeTexts = []string{
	"title:walrus", "title : walrus", "{title observation}: walrus", "-title:walrus", "walrus^9", "walrus~2", "wal*rus",
	":", "::", "a:b:c", `"`, `""`, `\`, `\\\`, "(", ")", "()", "[]", "{}", "~", "^", "^^", "+", "-", "--", "!", "&&", "||",
	"/", "//", "/[/", "AND", "OR", "NOT", "NEAR", "NEAR()", "TO", "*:*", "_exists_:title", "tenant:x", "null", "NaN", "\ufffd", "\U0010ffff",
	"😀", "日本語の文章", "مرحبا بالعالم", "שלום",
	"e\u0301", "ﬁ", "İstanbul", "a'b'c", "o'clock's", "...", "1.2.3", "x_y-z", "#@%&",
	"\u202ewalrus\u202c", "wal\u00adrus", "walrus\u200b",
}
