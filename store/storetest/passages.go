package storetest

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/memory/nextsteps"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/meaning"
)

// passages tests store.Passages.
func (s suite) passages(t *testing.T) {
	s.run(t, "each part of an episode is found", partsFound)
	s.run(t, "records of other kinds are found", kindsFound)
	s.run(t, "what is said later is found, and what is not said any more is not", passagesChange)
	s.run(t, "a log is found part by part", passagesOfLogs)
	s.run(t, "what is deleted is not found", passagesDeleted)
	s.run(t, "of a record that is too long the middle is left out", passagesBounded)
	s.run(t, "a stem tells more the fewer passages have it", rarities)
	s.run(t, "the best come first, and no more than are asked for", bestByWords)
	s.run(t, "only what passes a filter is found", passagesAmong)
	s.run(t, "only what passes the condition of its kind is found", passagesAmongKinds)
	s.run(t, "what means the same is found", passagesByMeaning)
	s.run(t, "embeddings are compared with the vector of a client", passagesByEmbedding)
	s.run(t, "few that pass a filter are found among many that do not", fewAmongMany)
	s.run(t, "what stands beside is read", passagesBeside)
	s.run(t, "episodes are read to be ranked", episodesToRank)
	s.run(t, "the newest and the liked lead", newestAndBoosted)
	s.run(t, "the steps of episodes are read", trajectories)
	s.run(t, "passages are made anew", passagesRebuilt)
	t.Run("tenants with names alike find their own", s.passagesOfTenants)
	s.runTwo(t, "what is restored is found", passagesRestored)
}

func anyOf(kinds ...memory.Kind) store.Among {
	if len(kinds) == 0 {
		kinds = textKinds
	}
	return store.Among{Kinds: kinds, Limit: 10}
}

// said finds passages by the words of a text.
func (m *tenant) said(text string, among store.Among) []store.FoundPassage {
	m.t.Helper()
	found, more, err := m.PassagesByWords(m.ctx(), strings.Fields(lexical.Stems(text)), among)
	m.NoError(err)
	m.False(more)
	return found
}

// meant finds passages by the meaning of a text.
func (m *tenant) meant(text string, among store.Among) []store.FoundPassage {
	m.t.Helper()
	vector, known := meaning.Question(text)
	m.True(known)
	found, _, err := m.PassagesByMeaning(m.ctx(), store.Question{BuiltIn: &vector}, among)
	m.NoError(err)
	return found
}

// ids are the global ids of the records that passages are from, each once.
func ids(found []store.FoundPassage) []string {
	all := []string{}
	for _, p := range found {
		if id := memory.NodeID(p.Kind, p.Key); !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

func keysIn(found []store.FoundPassage) []string {
	keys := []string{}
	for _, id := range ids(found) {
		keys = append(keys, id[strings.IndexByte(id, ':')+1:])
	}
	slices.Sort(keys)
	return keys
}

func partsFound(m *tenant) {
	m.record(episode("e1", at(3)).titled("A walrus").seeing("The penguin waits").thinking("no matter", "the ostrich").
		step("first", memory.JSON(`"gave"`)).step("feed_giraffe", memory.JSON(`{"food":"acacia"}`)).resulting("the lemur slept").learning("trust the tiger").
		logging(entry(0, "step_started", `{"stepName":"one"}`), entry(1, "message", `{"role":"user","content":"my zebra is gone"}`)))
	for word, want := range map[string]memory.Passage{
		"penguin": {Part: memory.PartObservation, At: at(3)}, "ostrich": {Part: memory.PartThought, Position: 1, At: at(3)},
		"acacia": {Part: memory.PartAction, Position: 1, Step: "feed_giraffe", At: at(3)}, "lemur": {Part: memory.PartResult, At: at(3)},
		"tiger": {Part: memory.PartInsight, At: at(3)}, "walrus": {Part: memory.PartTitle, At: at(3)},
		"zebra": {Part: memory.PartEvent, Position: 1, At: at(1)},
	} {
		found := m.said(word, anyOf())
		m.Len(found, 1, word)
		m.Equal([]any{memory.KindEpisode, "e1"}, []any{found[0].Kind, found[0].Key})
		m.Contains(strings.ToLower(found[0].Text), word)
		got := found[0].Passage
		m.Equal([]any{want.Part, want.Position, want.At}, []any{got.Part, got.Position, got.At.UTC()}, word)
		if want.Step != "" {
			m.Equal(want.Step, got.Step)
		}
		m.NotZero(found[0].ID)
		m.NotEmpty(found[0].BuiltIn, word)
	}
	m.Empty(m.said("hippo", anyOf()))
	m.Empty(m.said("penguin", anyOf(memory.KindObservation, memory.KindMemoir)))
	m.requireNumbers("e1", 7)
}

// requireNumbers checks that the passages of an episode of a few are numbered without gaps.
func (m *tenant) requireNumbers(key string, least int) {
	m.t.Helper()
	all := m.passagesOf(key)
	m.GreaterOrEqual(len(all), least)
	for i, p := range all {
		m.Equal(i, p.Number, p.Text)
	}
}

// passagesOf are those of an episode in their order.
func (m *tenant) passagesOf(key string) []store.FoundPassage {
	m.t.Helper()
	found := m.meant("walrus", store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 10_000})
	all := slices.DeleteFunc(found, func(p store.FoundPassage) bool { return p.Key != key })
	slices.SortFunc(all, func(a, b store.FoundPassage) int { return a.Number - b.Number })
	return all
}

// recordOfEachKind records one record of each kind that says a word.
func recordOfEachKind(m *tenant, word string) {
	m.record(episode("e", at(0)).seeing(word))
	m.remember(memoir("m").describing(word))
	m.learn(concept("p").saying(word))
	m.observe(observation("o", at(0)).saying(word).in("s"))
	m.correct(correction("x", "topic", at(0)).saying(word).by("eve"))
	m.react(thumbsUp("f", at(0)).saying(word).on("e").by("eve"))
}

var eachKind = []string{"concept:p", "correction:x", "episode:e", "feedback:f", "memoir:m", "observation:o"}

func kindsFound(m *tenant) {
	recordOfEachKind(m, "walrus")
	m.Equal(eachKind, slices.Sorted(slices.Values(ids(m.said("Walrus!", anyOf())))))
	m.Equal(eachKind, slices.Sorted(slices.Values(ids(m.meant("walrus", anyOf())))))
	for _, kind := range textKinds {
		found := m.said("walrus", anyOf(kind))
		m.Len(found, 1)
		m.Equal(kind, found[0].Kind)
		m.Equal(found, m.meant("walrus", store.Among{Kinds: []memory.Kind{kind}, Limit: 1}))
		if kind != memory.KindEpisode {
			m.Equal(memory.PartContent, found[0].Part)
		}
	}
	m.Empty(m.said("walrus", anyOf(memory.KindCanvas)))
}

func passagesChange(m *tenant) {
	m.record(amendable("e1").seeing("A camel"), episode("e2", at(0)).unconcluded().seeing("A camel"))
	before := m.said("camel", anyOf())
	conclusion := conclusion("e2", memory.OutcomeFailure)
	conclusion.Result, conclusion.Insight = new("the lemur slept"), new("trust the tiger")
	m.NoError(m.ConcludeEpisode(m.ctx(), conclusion))
	m.Equal([]string{"e2"}, keysIn(m.said("lemur", anyOf())))
	m.Equal([]string{"e2"}, keysIn(m.said("tiger", anyOf())))
	m.ElementsMatch(before, m.said("camel", anyOf()), "what stays keeps its passage")

	a := amendment("e1")
	a.WasHash = hash(amendable("e1").seeing("A camel"))
	m.NoError(m.AmendEpisode(m.ctx(), a))
	m.Equal([]string{"e1"}, keysIn(m.said("giraffe", anyOf())))
	m.Equal([]string{"e2"}, keysIn(m.said("camel", anyOf())))
	m.Equal([]string{"e1"}, keysIn(m.meant("giraffe", store.Among{Kinds: textKinds, Limit: 1})))

	m.react(thumbsUp("f1", at(0)).saying("a walrus").on("e1"))
	replacing := thumbsUp("f2", at(1)).saying("a lynx").on("e1")
	replacing.Feedback.Replaces = new("f1")
	m.react(replacing)
	m.Empty(m.said("walrus", anyOf()))
	m.Equal([]string{"f2"}, keysIn(m.said("lynx", anyOf())))

	m.remember(memoir("m"))
	m.learn(concept("p").saying("a walrus"))
	m.refine(refinement("p", at(9)).saying("an ostrich").labelled("hedgehog"))
	m.Empty(m.said("walrus", anyOf()))
	m.Equal([]string{"p"}, keysIn(m.said("ostrich", anyOf())))
	m.Equal([]string{"p"}, keysIn(m.said("hedgehog", anyOf())))
}

func message(sequence int, text string) memory.Event {
	return entry(sequence, "message", fmt.Sprintf(`{"role":"user","content":%q}`, text))
}

func passagesOfLogs(m *tenant) {
	m.open("e1")
	m.logged("e1", message(0, "a walrus"), message(1, "a penguin"))
	m.logged("e1", message(2, "an tiger"), message(3, "a penguin"))
	for word, sequence := range map[string]int{"walrus": 0, "penguin": 1, "tiger": 2} {
		found := m.said(word, anyOf())
		m.Len(found, 1, word)
		m.Equal(sequence, found[0].Position, word)
		m.Equal([]string{"e1"}, keysIn(m.meant(word, store.Among{Kinds: textKinds, Limit: 1})))
	}
	m.requireNumbers("e1", 4)
	conclusion := conclusion("e1", memory.OutcomeSuccess)
	conclusion.Result = new("the lemur slept")
	m.NoError(m.ConcludeEpisode(m.ctx(), conclusion))
	m.Equal([]string{"e1"}, keysIn(m.said("lemur", anyOf())))
	m.Equal(2, m.said("tiger", anyOf())[0].Position)
	m.requireNumbers("e1", 5)
}

func passagesDeleted(m *tenant) {
	deleting := map[string]func() error{
		"episode:e":     func() error { return Delete(m.ctx(), m, memory.KindEpisode, "e") },
		"memoir:m":      func() error { return errorOf(m.Delete(m.ctx(), memory.KindMemoir, []string{"m"})) },
		"observation:o": func() error { return Delete(m.ctx(), m, memory.KindObservation, "o") },
		"correction:x":  func() error { return errorOf(m.Delete(m.ctx(), memory.KindPerson, []string{"eve"})) },
	}
	recordOfEachKind(m, "walrus")
	m.meant("walrus", anyOf()) // so that it is in memory
	for id, remove := range deleting {
		m.NoError(remove(), id)
		m.NotContains(ids(m.said("walrus", anyOf())), id)
		m.NotContains(ids(m.meant("walrus", anyOf())), id)
	}
	m.Empty(m.said("walrus", anyOf()))
	m.Empty(m.meant("walrus", anyOf()))

	m.record(episode("e2", at(0)).by("ada").seeing("a walrus"))
	m.observe(observation("o2", at(0)).saying("a walrus").weighing(memory.ImportanceLow))
	m.NotEmpty(m.meant("walrus", anyOf()))
	_, err := m.Delete(m.ctx(), memory.KindAgent, []string{"ada"})
	m.NoError(err)
	m.Equal([]string{"o2"}, keysIn(m.said("walrus", anyOf())))
	m.Equal(1, m.count(m.PruneObservations(m.ctx(), store.Pruning{Policy: decay.UseFades, Now: at(1), MinWeight: 1})))
	m.Empty(m.said("walrus", anyOf()))
	m.Empty(m.meant("walrus", anyOf()))
}

func passagesBounded(m *tenant) {
	const many = 2100
	log := make([]memory.Event, many)
	for i := range log {
		log[i] = message(i, fmt.Sprintf("entry x%dq", i))
	}
	m.record(episode("e1", at(0)).seeing("A walrus").logging(log...), episode("e2", at(0)).seeing("A penguin"))
	m.open("e3")
	for part := range slices.Chunk(log, 700) {
		m.logged("e3", part...)
	}
	left := m.hits(situation{})
	m.Zero(left["e2"].LeftOut)
	for _, key := range []string{"e1", "e3"} {
		m.InDelta(many-2000, left[key].LeftOut, 10)
		m.Len(m.passagesOf(key), 2000)
	}
	for word, found := range map[string]bool{"x3q": true, "x2099q": true, "x1050q": false} {
		want := []string{}
		if found {
			want = []string{"e1", "e3"}
		}
		m.Equal(want, keysIn(m.said(word, anyOf())), word)
	}
}

func rarities(m *tenant) {
	few, many, none := "f"+strings.ToLower(rand.Text()), "m"+strings.ToLower(rand.Text()), "n"+strings.ToLower(rand.Text())
	told := func(stems ...string) []float64 {
		told, err := m.Rarities(m.ctx(), stems)
		m.NoError(err)
		m.Len(told, len(stems))
		return told
	}
	m.Zero(told(few)[0])
	m.record(episode("e0", at(0)).seeing(few + " " + many))
	for i := range 3 {
		m.record(episode(fmt.Sprint("e", 1+i), at(i)).seeing(many))
	}
	got := told(few, many, none)
	m.Greater(got[0], got[1])
	m.Positive(got[1])
	m.Zero(got[2])
	m.Empty(told())
}

func bestByWords(m *tenant) {
	m.record(
		episode("one", at(0)).seeing("A walrus in the house of the keeper of the town"),
		episode("both", at(1)).seeing("A walrus and a penguin"),
		episode("other", at(2)).seeing("A giraffe"),
	)
	found := m.said("walrus penguin", anyOf())
	m.Equal([]string{"episode:both", "episode:one"}, ids(found))
	first, more, err := m.PassagesByWords(m.ctx(), strings.Fields(lexical.Stems("walrus penguin")), store.Among{Kinds: textKinds, Limit: 1})
	m.NoError(err)
	m.True(more)
	m.Equal(found[:1], first)
	none, more, err := m.PassagesByWords(m.ctx(), nil, anyOf())
	m.NoError(err)
	m.Empty(none)
	m.False(more)
}

func passagesAmong(m *tenant) {
	m.record(
		episode("e0", at(0)).seeing("walrus").by("ada").in("s").doing("task").ending(memory.OutcomeFailure),
		episode("e1", at(10)).seeing("walrus").by("bob").until(at(20)),
		episode("e2", at(30)).seeing("walrus").by("bob").in("t").doing("task").ending(memory.OutcomeUnknown),
	)
	m.act(present("c1", at(11)).of("e1"))
	m.react(thumbsDown("f1", at(31)).on("e2"))
	for name, test := range map[string]struct {
		filter store.EpisodeFilter
		asOf   *time.Time
		want   []string
	}{
		"agent":         {filter: store.EpisodeFilter{Agent: new("bob")}, want: []string{"e1", "e2"}},
		"no agent":      {filter: store.EpisodeFilter{Agent: new("eve")}, want: []string{}},
		"session":       {filter: store.EpisodeFilter{Session: new("s")}, want: []string{"e0"}},
		"task type":     {filter: store.EpisodeFilter{TaskType: new("task")}, want: []string{"e0", "e2"}},
		"several":       {filter: store.EpisodeFilter{TaskType: new("task"), Agent: new("bob"), Session: new("t")}, want: []string{"e2"}},
		"outcome":       {filter: store.EpisodeFilter{Outcome: new(memory.OutcomeFailure)}, want: []string{"e0"}},
		"known outcome": {filter: store.EpisodeFilter{OutcomeKnown: true}, want: []string{"e0", "e1"}},
		"since":         {filter: store.EpisodeFilter{Since: new(at(10))}, want: []string{"e1", "e2"}},
		"until":         {filter: store.EpisodeFilter{Until: new(at(10))}, want: []string{"e0"}},
		"canvas":        {filter: store.EpisodeFilter{CanvasType: new(memory.CanvasCharts)}, want: []string{"e1"}},
		"feedback":      {filter: store.EpisodeFilter{MaxFeedback: new(0.0)}, want: []string{"e2"}},
		"as of":         {asOf: new(at(19)), want: []string{"e0"}},
		"canvas as of":  {filter: store.EpisodeFilter{CanvasType: new(memory.CanvasCharts)}, asOf: new(at(60)), want: []string{"e1"}},
		"liked as of":   {filter: store.EpisodeFilter{MaxFeedback: new(0.0)}, asOf: new(at(30)), want: []string{}},
	} {
		among := store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Filter: test.filter, AsOf: test.asOf, Limit: 10}
		m.Equal(test.want, keysIn(m.said("walrus", among)), name)
		m.Equal(test.want, keysIn(m.meant("walrus", among)), name)
	}
}

func passagesAmongKinds(m *tenant) {
	recordOfEachKind(m, "walrus")
	m.remember(memoir("n"))
	m.learn(concept("q").of("n").saying("walrus").labelled("red", "blue"))
	m.observe(observation("o2", at(0)).saying("walrus").weighing(memory.ImportanceCritical))
	m.correct(correction("y", "another", at(0)).saying("walrus"))
	weighing := store.Weighing{Policy: decay.UseFades, Now: at(0), Least: 0.9}
	for name, test := range map[string]struct {
		among store.Among
		want  []string
	}{
		"memoir":        {store.Among{Memoir: new("n")}, []string{"concept:q"}},
		"no memoir":     {store.Among{Memoir: new("none")}, []string{}},
		"labels":        {store.Among{Labels: []string{"blue", "red"}}, []string{"concept:q"}},
		"another label": {store.Among{Labels: []string{"blue", "green"}}, []string{}},
		"topic":         {store.Among{Topic: new("another")}, []string{"correction:y"}},
		"session":       {store.Among{Session: new("s")}, []string{"observation:o"}},
		"weight":        {store.Among{Weight: &weighing}, []string{"observation:o2"}},
		"two":           {store.Among{Topic: new("another"), Session: new("s")}, []string{}},
	} {
		test.among.Kinds, test.among.Limit = textKinds, 20
		m.Equal(test.want, ids(m.said("walrus", test.among)), name)
		m.Equal(test.want, ids(m.meant("walrus", test.among)), name)
	}
}

func passagesByMeaning(m *tenant) {
	m.record(
		episode("flight", at(0)).seeing("The customer wants to cancel a flight"), episode("cake", at(1)).seeing("Bake a chocolate cake with butter"),
		episode("garden", at(2)).seeing("Plant roses beside the fence"),
	)
	found := m.meant("call off a plane trip", store.Among{Kinds: textKinds, Limit: 1})
	m.Equal([]string{"flight"}, keysIn(found))
	m.Equal(memory.PartObservation, found[0].Part)
	all := m.meant("call off a plane trip", store.Among{Kinds: textKinds, Limit: 100})
	m.Equal(found[0], all[0])
	asked, _ := meaning.Question("call off a plane trip")
	cosine := func(p *store.FoundPassage) (product float32) {
		for i, x := range p.BuiltIn {
			product += x * asked[i]
		}
		return product
	}
	for i := range all[1:] {
		m.GreaterOrEqual(cosine(&all[i])+0.01, cosine(&all[i+1]))
	}
}

func passagesByEmbedding(m *tenant) {
	m.record(episode("near", at(0)).embedded(3, 1, 0), episode("far", at(1)).embedded(0, 1, 3), episode("none", at(2)), episode("nearer", at(3)).embedded(9, 1, 0))
	ask := func() []store.FoundPassage {
		found, _, err := m.PassagesByMeaning(m.ctx(), store.Question{Embedding: []float32{2, 0, 0}}, anyOf())
		m.NoError(err)
		return found
	}
	found := ask()
	m.Equal([]string{"episode:nearer", "episode:near", "episode:far"}, ids(found))
	m.Len(found, 3)
	m.Equal([][]float32{{3, 1, 0}}, found[1].Embeddings)
	m.Zero(found[1].Number)
	m.remove("nearer")
	m.Equal([]string{"episode:near", "episode:far"}, ids(ask()))
	found, _, err := m.PassagesByMeaning(m.ctx(), store.Question{Embedding: []float32{2, 0}}, anyOf())
	m.NoError(err)
	m.Empty(found, "none has this length")
}

// fewAmongMany finds the two that pass where two hundred others are as near, or nearer.
func fewAmongMany(m *tenant) {
	var drafts []episodeDraft
	for i := range 200 {
		drafts = append(drafts, episode(fmt.Sprint("e", i), at(i)).seeing("A walrus"))
	}
	m.record(append(drafts, episode("few", at(0)).by("ada").seeing("The sleeping walrus of the town").ending(memory.OutcomeFailure))...)
	for name, filter := range map[string]store.EpisodeFilter{"agent": {Agent: new("ada")}, "outcome": {Outcome: new(memory.OutcomeFailure)}} {
		among := store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Filter: filter, Limit: 3}
		m.Equal([]string{"few"}, keysIn(m.said("walrus", among)), name)
		m.Equal([]string{"few"}, keysIn(m.meant("walrus", among)), name)
	}
}

func passagesBeside(m *tenant) {
	for i, word := range []string{"alpha", "beta", "gamma", "delta", "epsilon"} {
		m.observe(observation(fmt.Sprint("o", i), at(i)).in("s").saying(word))
	}
	m.observe(observation("other", at(2)).in("t").saying("walrus"), observation("alone", at(2)).saying("penguin"))
	gamma := m.said("gamma", anyOf())
	m.Len(gamma, 1)
	m.Equal([]string{"o1", "o3"}, keysIn(m.beside(gamma, 1)))
	m.Equal([]string{"o0", "o1", "o3", "o4"}, keysIn(m.beside(gamma, 2)))
	m.Equal([]string{"o1", "o2"}, keysIn(m.beside(m.said("alpha", anyOf()), 2)))
	given := append(gamma, m.said("delta", anyOf())...)
	m.Equal([]string{"o1", "o4"}, keysIn(m.beside(given, 1)), "those that are given are not among them")
	m.Empty(m.beside(m.said("walrus penguin", anyOf()), 3))
	m.Empty(m.beside(nil, 3))

	text := ""
	for i := range 40 {
		text += fmt.Sprintf("The zebra waits for giraffe %d.\n", i)
	}
	m.observe(observation("long", at(9)).in("long").saying(text))
	first := m.said("zebra", anyOf())
	m.Greater(len(first), 1)
	m.Len(m.beside(first[:1], 1), len(first)-1, "so are the other passages of an observation")

	m.record(episode("e", at(0)).seeing("A tapir").thinking("It sleeps"), episode("e2", at(0)).seeing("A tapir, too"))
	tapir := m.meant("tapir", store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 100})[:1] // so that all is known
	others := m.beside(tapir, 1)
	m.NotEmpty(others)
	m.Len(others, len(m.passagesOf(tapir[0].Key))-1, "of other records those in reach are")
	for _, p := range others {
		m.Equal(tapir[0].Key, p.Key)
		m.NotEqual(tapir[0].Number, p.Number)
		m.True(p.Text != "" || len(p.Words) > 0)
	}

	m.record(episode("moves", at(0)).unconcluded().seeing("A giraffe").logging(
		entry(0, "message", `{"role":"user","content":"my zebra is gone"}`), entry(1, "message", `{"role":"user","content":"the gnu is, too"}`)))
	others = m.beside(m.passagesOf("moves")[:1], 4)
	m.ElementsMatch(numbersOf(m.passagesOf("moves")[1:]), numbersOf(others))
	concluded := conclusion("moves", memory.OutcomeSuccess)
	concluded.Result = new("It came back")
	m.NoError(m.ConcludeEpisode(m.ctx(), concluded))
	m.ElementsMatch(numbersOf(m.passagesOf("moves")[1:]), numbersOf(m.beside(m.passagesOf("moves")[:1], 4)), "where they stand now")
	m.Greater(len(m.passagesOf("moves")), 1+len(others))
}

func numbersOf(found []store.FoundPassage) []int {
	return memory.Mapped(found, func(p store.FoundPassage) int { return p.Number })
}

func (m *tenant) beside(of []store.FoundPassage, reach int) []store.FoundPassage {
	m.t.Helper()
	found, err := m.PassagesBeside(m.ctx(), of, reach, store.UserFilter{})
	m.NoError(err)
	return found
}

func episodesToRank(m *tenant) {
	m.record(
		episode("e1", at(0)).by("ada").doing("support").seeing(strings.Repeat("ä", ranking.MaxAbout+1)).thinking("walrus").ending(memory.OutcomeSuccess),
		episode("e2", at(5)).thinking("walrus").ending(memory.OutcomeFailure),
	)
	m.act(present("c1", at(1)).of("e1"))
	m.react(rating("f1", 4, at(2)).on("e1").saying("Praised all the same"), rating("f2", 3, at(3)).on("e1").saying("Ask first"))
	read := func(filter store.EpisodeFilter, asOf *time.Time) (all []ranking.Candidate) {
		found := m.hits(situation{text: "walrus", filter: filter, asOf: asOf})
		for _, key := range keysOfHits(found) {
			all = append(all, found[key].Candidate)
		}
		among := store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Filter: filter, AsOf: asOf, Limit: 10}
		m.Nil(m.meant("walrus", among)[0].Episode)
		among.ToRank = true
		for _, p := range m.meant("walrus", among) {
			m.Equal(found[p.Key].Candidate, *p.Episode)
		}
		return all
	}
	first := ranking.Candidate{
		TaskType: "support", About: strings.Repeat("ä", ranking.MaxAbout), Key: "e1", StartedAt: at(0), Outcome: memory.OutcomeSuccess, Corrected: true, CanvasActionCount: 1, FeedbackSum: 0.5, FeedbackCount: 2,
	}
	second := ranking.Candidate{Key: "e2", About: "Observation of e2", StartedAt: at(5), Outcome: memory.OutcomeFailure}
	m.Equal([]ranking.Candidate{first, second}, read(store.EpisodeFilter{}, nil))
	m.Equal([]ranking.Candidate{first}, read(store.EpisodeFilter{Agent: new("ada")}, nil))
	first.Corrected, first.FeedbackCount = false, 1
	m.Equal([]ranking.Candidate{first}, read(store.EpisodeFilter{}, new(at(2))), "praise is no correction")
	first.FeedbackSum, first.FeedbackCount = 0, 0
	m.Equal([]ranking.Candidate{first}, read(store.EpisodeFilter{}, new(at(1))))
}

func trajectories(m *tenant) {
	m.record(
		episode("e1", at(0)).ending(memory.OutcomeFailure).step("look", nil).step("ask", memory.JSON(`{"arguments":{"who":"Ada"}}`)).
			step("look", memory.JSON(`"`+strings.Repeat("long", store.MaxStepResult)+`"`)).
			logging(entry(0, "agent_thought", `{}`), entry(1, "step_completed", `{}`), entry(2, "step_completed", `{}`), entry(3, "agent_thought", `{}`), entry(4, "step_completed", `{}`)),
		episode("e2", at(5)),
	)
	m.react(thumbsDown("f1", at(2)).on("e1"))
	m.open("e3")
	m.logged("e3", message(0, "a walrus"), entry(1, "step_completed", `{"step_name":"feed"}`))
	found, err := store.All(m.ctx(), m, store.TrajectoriesOf{{Episode: "e1", Results: []int{0, 1, 2, 7}}, {Episode: "e2"}, {Episode: "e3"}, {Episode: "none"}})
	m.NoError(err)
	slices.SortFunc(found, func(a, b *nextsteps.Trajectory) int { return strings.Compare(a.Key, b.Key) })
	m.Len(found, 3)
	m.Equal([]string{"look", "ask", "look"}, found[0].Steps)
	m.Equal([]int{1, 2, 4}, found[0].Logged)
	m.Equal([]memory.JSON{nil, memory.JSON(`{"arguments":{"who":"Ada"}}`), nil, nil}, found[0].Results)
	m.Equal(memory.OutcomeFailure, found[0].Outcome)
	m.InDelta(-1, found[0].FeedbackSum, 0)
	m.Empty(found[1].Steps)
	m.Empty(found[1].Logged)
	m.Equal([]int{1}, found[2].Logged)
	none, err := store.All(m.ctx(), m, store.TrajectoriesOf{})
	m.NoError(err)
	m.Empty(none)
}

func newestAndBoosted(m *tenant) {
	var drafts []episodeDraft
	for i := range 6 {
		drafts = append(drafts, episode(fmt.Sprint("e", i), at(i)).by(fmt.Sprint("a", i%2)))
	}
	m.record(drafts...)
	m.react(thumbsUp("f0", at(9)).on("e0"), thumbsDown("f1", at(9)).on("e1"))
	m.act(present("c2", at(9)).of("e2"))
	read := func(among store.Among) (keys []string, more bool) {
		found, more, err := m.NewestAndBoosted(m.ctx(), among)
		m.NoError(err)
		for _, e := range found {
			keys = append(keys, e.Key)
		}
		slices.Sort(keys)
		return keys, more
	}
	keys, more := read(store.Among{Limit: 2})
	m.Equal([]string{"e0", "e2", "e4", "e5"}, keys)
	m.True(more)
	keys, more = read(store.Among{Limit: 10})
	m.Equal([]string{"e0", "e1", "e2", "e3", "e4", "e5"}, keys)
	m.False(more)
	keys, _ = read(store.Among{Limit: 1, Filter: store.EpisodeFilter{Agent: new("a0")}})
	m.Equal([]string{"e2", "e4"}, keys)
	keys, _ = read(store.Among{Limit: 1, AsOf: new(at(3))})
	m.Contains(keys, "e3")
	m.NotContains(keys, "e5")
}

func passagesRebuilt(m *tenant) {
	recordOfEachKind(m, "walrus")
	m.open("e1")
	m.logged("e1", message(0, "a penguin"))
	m.NoError(m.Rebuild(m.ctx(), nil))
	m.Equal(eachKind, slices.Sorted(slices.Values(ids(m.said("walrus", anyOf())))))
	m.Equal(eachKind, slices.Sorted(slices.Values(ids(m.meant("walrus", store.Among{Kinds: textKinds, Limit: 6})))))
	m.Equal([]string{"e1"}, keysIn(m.said("penguin", anyOf())))
}

func passagesRestored(m, other *tenant) {
	recordOfEachKind(m, "walrus")
	m.open("e1")
	m.logged("e1", message(0, "a penguin"), message(1, "an tiger"))
	var items []store.Item
	m.NoError(m.Export(m.ctx(), func(item store.Item) error { items = append(items, item); return nil }))
	_, err := other.Restore(other.ctx(), items, false)
	other.NoError(err)
	other.Equal(eachKind, slices.Sorted(slices.Values(ids(other.said("walrus", anyOf())))))
	other.Equal(eachKind, slices.Sorted(slices.Values(ids(other.meant("walrus", store.Among{Kinds: textKinds, Limit: 6})))))
	other.Equal([]string{"e1"}, keysIn(other.said("penguin tiger", anyOf())))
}

func (s suite) passagesOfTenants(t *testing.T) {
	backend, word := s.open(t), "w"+strings.ToLower(rand.Text())
	names := []string{"acme" + word, "acme" + word + "-prod", "run" + word, "runs" + word, "it" + word}
	tenants := make([]*tenant, len(names))
	for i, name := range names {
		tenants[i] = bind(t, backend, name)
		tenants[i].record(episode(name, at(0)).seeing("A walrus " + word))
	}
	for i, m := range tenants {
		m.Equal([]string{names[i]}, keysIn(m.said(word, anyOf())))
		m.Equal([]string{names[i]}, keysIn(m.meant("walrus", anyOf())))
	}
}

// serversFind lets several servers write and find passages of one store: words at once, meanings within a second.
func serversFind(t *testing.T, servers []*tenant) {
	means := func(m *tenant) []string { return keysIn(m.meant("walrus", store.Among{Kinds: textKinds, Limit: 50})) }
	want := []string{}
	for i, m := range servers {
		key := fmt.Sprint("walrus", i)
		m.record(episode(key, at(i)).seeing("A walrus"))
		want = append(want, key)
		m.Contains(means(m), key, "its own at once")
		for _, other := range servers {
			other.Equal(want, keysIn(other.said("walrus", anyOf(memory.KindEpisode))))
		}
	}
	seen := func(all bool) func() bool {
		return func() bool {
			return !slices.ContainsFunc(servers, func(m *tenant) bool { return slices.Contains(means(m), "walrus0") != all })
		}
	}
	require.Eventually(t, seen(true), 10*time.Second, 100*time.Millisecond)
	servers[1].remove("walrus0")
	for _, m := range servers {
		m.Equal(want[1:], keysIn(m.said("walrus", anyOf(memory.KindEpisode))))
	}
	require.Eventually(t, seen(false), 10*time.Second, 100*time.Millisecond)
}
