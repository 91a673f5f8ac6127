package storetest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// RunTransfer runs the part of the suite that is about store.Transfer. The function open is as for Run.
func RunTransfer(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open: open}
	runGroups(t, []group{
		{"Exports", s.exports},
		{"Restores", s.restores},
		{"DeletedAgents", s.deletedAgents},
		{"DeletedFeedback", s.deletedFeedback},
		{"Tombstones", s.tombstones},
		{"Guards", s.guards},
		{"Erases", s.erases},
	})
}

// runTwo runs a test with two tenants of one backend.
func (s suite) runTwo(t *testing.T, name string, test func(from, to *tenant)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		backend := s.open(t)
		test(bind(t, backend, randomTenant()), bind(t, backend, randomTenant()))
	})
}

// fill records something of every kind in every state that a record can be in.
func (m *tenant) fill() {
	m.t.Helper()
	m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "idle", Name: "Idle"}))
	m.remember(memoir("m").describing("all of it"), memoir("empty"))
	m.learn(concept("p").labelled("b", "a"), concept("q").saying("walrus"))
	m.refine(refinement("p", at(3)).saying("second"))
	m.refine(refinement("p", at(4)).labelled())
	m.link(relates("p", memory.RelationPartOf, "q"), relates("q", memory.RelationContradicts, "p"), relates("q", memory.RelationCausedBy, "p"))
	m.fillEpisodes()
	m.fillCanvases()
	m.fillFeedback()
	m.fillExecutions()
	m.fillJudgements()
	m.hold(at(1), held("later trace", "b", "a"), held("a trace", "a", ""))
	m.hold(at(2), held("later trace", "a", ""))
	m.observe(
		observation("o1", at(7)).in("only o1").about("episode:full", "concept:later concept", "session:later session", "agent:idle"),
		observation("o2", at(8)).weighing(memory.ImportanceCritical).forUser("bob"),
	)
	m.access("o1", 3, 20)
	m.correct(correction("x1", "topic", at(9)).by("eve").within("context").about("feedback:by episode", "memoir:m"))
}

func (m *tenant) fillEpisodes() {
	m.t.Helper()
	m.record(
		fullEpisode("full").causedBy("plain", "later", "a cause").informedBy("open", "later", "latest").mentioning("q", "later concept", "p"),
		episode("plain", at(1)).in("s"), episode("a cause", at(0)).by("ada"),
		episode("open", at(2)).unconcluded().by("ada").embedded(1, 1e-7, -3),
	)
	inParts := openDraft("in parts").by("ada")
	m.record(inParts)
	m.NoError(errorOf(m.AppendEvents(m.ctx(), partOf(inParts, entry(3, "b", `{"x":[1]}`), entry(0, "a", "")))))
	m.NoError(m.ConcludeEpisode(m.ctx(), store.EpisodeConclusion{
		Key: "open", Outcome: memory.OutcomeFailure, Result: new("it broke"), EndedAt: new(at(5)), Receipt: noReceipt,
	}))
}

func (m *tenant) fillCanvases() {
	m.t.Helper()
	m.act(
		present("named", at(2)).of("full").in("s").component("bar").with(`{"a":[1,null]}`).id("a1"),
		action("named", memory.CanvasSubmit, at(1)), action("named", memory.CanvasUpdate, at(2)).with(`"<b>"`),
		present("by session", at(3)).in("s"), present("awaits episode", at(3)).of("later").in("s"),
		present("awaits session", at(3)).in("later session"), present("alone", at(3)).typed("spread sheet").forUser("ann"),
	)
}

func (m *tenant) fillFeedback() {
	m.t.Helper()
	m.react(
		rating("by episode", 4, at(3)).on("full").by("eve").saying("shorter").commenting("clear").onCanvas("by session"),
		thumbsDown("by run", at(3)).running("run-1"), thumbsUp("by canvas", at(3)).onCanvas("named").in("s"),
		thumbsUp("by session", at(3)).in("s").by("bob"), thumbsUp("on a canvas alone", at(3)).onCanvas("alone"),
		thumbsUp("awaits episode", at(3)).on("later").onCanvas("named"), thumbsUp("awaits run", at(3)).running("later run"),
		thumbsUp("awaits canvas", at(3)).onCanvas("later canvas"), thumbsUp("awaits session", at(3)).in("later session"),
		thumbsUp("is older", at(-48*60)).in("late").forUser("bob"),
	)
	m.react(
		thumbsDown("second thought", at(4)).replacing("by run").saying("ask first"), thumbsDown("awaits too", at(4)).replacing("awaits session"),
	)
	m.record(episode("late", at(5)).in("late")) // what is much older than it waits for a backfill
}

// fillExecutions leaves profiles with and without an archive, of executions and of episodes.
func (m *tenant) fillExecutions() {
	m.t.Helper()
	m.executionsAt(103) // of the agent's refunds, three of them archived
	m.execute(
		execution("y/1", at(2)).by("worker").doing("sort").worth(0.1).failing(), execution("first", at(-9)).taking(7.25),
		execution("y/2", at(3)).by("worker").doing("sort").worth(1/3.0),
	)
}

// fillJudgements leaves runs that are completed, one of them with a verdict that came later, and one that is not.
func (m *tenant) fillJudgements() {
	m.t.Helper()
	c := judgedTenantOf(m)
	c.rule(
		fullVerdict("v full"), fullVerdict("v again").inIteration(3).deciding(memory.VerdictApprove).scoring(8),
		verdict("v bare", "r bare", "s", at(4)).byNoJudge().deciding(memory.VerdictValidationFail),
		verdict("v open", "r open", "s", at(5)).using("glow").by("eve"),
	)
	c.complete("r/1", 20)
	m.NoError(errorOf(m.CompleteRun(m.ctx(), store.RunCompletion{Run: "r bare", At: at(21), Texts: judging.Texts{Mined: map[string][]string{"v bare": {"set tempo to 120"}}}})))
	c.rule(verdict("v late", "r bare", "s", at(6)).using("late"))
	for _, threshold := range []memory.JudgeThreshold{
		{JudgeKey: "eve", Threshold: new(7.5), At: at(8)}, {JudgeKey: "eve", SectionType: new("verse 1"), At: at(9)},
	} {
		m.NoError(applyJudgeThreshold(m.ctx(), m, threshold))
	}
	for key, by := range map[string]*string{"v full": new("eve"), "v again": nil, "v open": new("bob")} {
		m.NoError(labelVerdict(m.ctx(), m, store.VerdictLabel{Verdict: key, Approve: key != "v again", LabelledBy: by}))
	}
}

// recordAwaited records what a full tenant waits for.
func (m *tenant) recordAwaited() {
	m.t.Helper()
	m.act(present("later canvas", at(6)).of("later"))
	m.record(episode("later", at(6)).in("later session").running("later run").by("later"))
	m.record(episode("first", at(2)).in("later session"))
	m.learn(concept("later concept"))
	m.NotZero(m.backfilled(nil))
	c := judgedTenantOf(m)
	c.rule(verdict("v more", "r open", "t", at(7)).using("glow").faulting("LATE", nil, new("late again")))
	m.NotZero(c.complete("r open", 22).Patterns)
	m.execute(execution("y/3", at(4)).by("worker").doing("sort"), execution("x200", at(300)))
	m.NoError(m.ReleaseSpans(m.ctx(), "later trace", []string{"a"}))
}

// exported is all that a tenant hands over.
func (m *tenant) exported() []store.Item {
	m.t.Helper()
	var items []store.Item
	m.NoError(m.Export(m.ctx(), func(item store.Item) error {
		items = append(items, item)
		return nil
	}))
	return items
}

// restored restores items in batches of an odd size and gives what became of each.
func (m *tenant) restored(force bool, items ...store.Item) []store.Recorded {
	m.t.Helper()
	var all []store.Recorded
	for batch := range slices.Chunk(items, 7) {
		recorded, err := m.Restore(m.ctx(), batch, force)
		m.NoError(err)
		m.Len(recorded, len(batch))
		all = append(all, recorded...)
	}
	return all
}

// restore restores items that must be new.
func (m *tenant) restore(items ...store.Item) {
	m.t.Helper()
	for i, r := range m.restored(false, items...) {
		m.NoError(r.Err, "%T %s", items[i], r.Key)
		m.Equal(items[i].ID(), r.Key)
		if r.Key != "" {
			m.True(r.Created, r.Key)
		}
	}
}

// names are the own ids of items that have one.
func names(items []store.Item) []string {
	named := []string{}
	for _, item := range items {
		if id := item.ID(); id != "" {
			named = append(named, id)
		}
	}
	return named
}

func (s suite) exports(t *testing.T) {
	s.run(t, "everything comes, in one order", exportOrder)
	s.run(t, "records come as they were written", exportRecords)
	s.run(t, "a tenant without records has its own item only", func(m *tenant) {
		key, err := m.InputKey(m.ctx())
		m.NoError(err)
		m.Equal([]store.Item{&store.TenantItem{InputKey: key}}, m.exported())
	})
	s.run(t, "an error of the receiver ends it", func(m *tenant) {
		m.record(episode("e1", at(0)), episode("e2", at(0)))
		stop, count := errors.New("stop"), 0
		m.ErrorIs(m.Export(m.ctx(), func(store.Item) error {
			count++
			if count == 2 {
				return stop
			}
			return nil
		}), stop)
		m.Equal(2, count)
	})
	s.run(t, "more than is read at once comes, each once", func(m *tenant) {
		drafts := make([]episodeDraft, 300)
		for i := range drafts {
			drafts[i] = episode(fmt.Sprintf("e%03d", i), at(i)).by(fmt.Sprintf("a%03d", i))
		}
		m.record(drafts...)
		named := names(m.exported())
		m.Len(named, 600)
		m.Equal("agent:a000", named[0])
		m.Equal("episode:e299", named[599])
		m.True(slices.IsSorted(named))
	})
	s.runTwo(t, "nothing of another tenant comes", func(from, to *tenant) {
		from.fill()
		to.record(episode("e1", at(0)))
		to.Equal([]string{"agent:agent", "episode:e1"}, names(to.exported()))
	})
}

func exportOrder(m *tenant) {
	m.fill()
	m.NoError(Delete(m.ctx(), m, memory.KindFeedback, "is older"))
	_, err := m.Delete(m.ctx(), memory.KindPerson, []string{"nobody"})
	m.NoError(err)
	items := m.exported()
	m.IsType(&store.TenantItem{}, items[0])
	numbered := func(id string) bool { return strings.HasPrefix(id, "execution:e0") }
	m.Len(slices.DeleteFunc(names(items), func(id string) bool { return !numbered(id) }), 103)
	m.Equal([]string{
		"agent:ada", "agent:agent", "agent:idle", "agent:worker", "memoir:empty", "memoir:m", "concept:p", "concept:q",
		"episode:a cause", "episode:full", "episode:in parts", "episode:late", "episode:open", "episode:plain",
		"canvas:alone", "canvas:awaits episode", "canvas:awaits session", "canvas:by session", "canvas:named",
		"feedback:awaits canvas", "feedback:awaits episode", "feedback:awaits run", "feedback:awaits session", "feedback:awaits too",
		"feedback:by canvas", "feedback:by episode", "feedback:by run", "feedback:by session", "feedback:on a canvas alone", "feedback:second thought",
		"execution:first", "execution:y/1", "execution:y/2", "run:r bare", "run:r open", "run:r/1",
		"verdict:v again", "verdict:v bare", "verdict:v full", "verdict:v late", "verdict:v open",
	}, slices.DeleteFunc(until(names(items), "pattern:"), numbered))
	patterns, parts, notes := 0, 0, []string{"observation:o1", "observation:o2", "correction:x1"}
	for _, item := range items {
		if i, ok := item.(*store.PatternItem); ok && i.Context == nil {
			patterns++
		} else if ok {
			parts++
		}
	}
	m.Equal(6, patterns, "three approaches, one of them mined, and three issues")
	m.Equal(15, parts, "the same of each pair and of both")
	m.Equal(notes, names(items)[len(names(items))-len(notes):])
	var relations []memory.Relation
	var tombstones []store.Tombstone
	var sectionTypes []store.SectionTypeItem
	var spans []string
	var thresholds []memory.JudgeThreshold
	for _, item := range items {
		switch i := item.(type) {
		case *store.RelationItem:
			relations = append(relations, i.Relation)
		case *store.SectionTypeItem:
			if i.Context == nil {
				sectionTypes = append(sectionTypes, *i)
			}
		case *store.JudgeThresholdItem:
			thresholds = append(thresholds, i.JudgeThreshold)
		case *store.SpanItem:
			spans = append(spans, i.Trace+" "+i.Span.ID)
		case store.Tombstone:
			tombstones = append(tombstones, i)
		}
	}
	m.Equal([]store.SectionTypeItem{{SectionType: "verse", Sections: 2}}, sectionTypes)
	m.Equal([]memory.JudgeThreshold{
		{JudgeKey: "eve", Threshold: new(7.5), At: at(8)}, {JudgeKey: "eve", SectionType: new("verse 1"), At: at(9)},
	}, thresholds)
	m.Equal([]string{"a trace a", "later trace a", "later trace b"}, spans)
	m.Len(relations, 3)
	m.True(slices.IsSortedFunc(relations, func(a, b memory.Relation) int { return cmp.Compare(a.Type, b.Type) }))
	m.Len(tombstones, 2)
	m.Negative(bytes.Compare(tombstones[0], tombstones[1]))
	m.Equal(items[len(items)-1], store.Item(tombstones[1]), "tombstones come last")
}

// until are the texts before the first with a prefix.
func until(texts []string, prefix string) []string {
	end := slices.IndexFunc(texts, func(text string) bool { return strings.HasPrefix(text, prefix) })
	return texts[:end:end]
}

func exportRecords(m *tenant) {
	draft := fullEpisode("e1").causedBy("b", "a").informedBy("f", "b").mentioning("d", "c")
	draft.AgentName = nil
	m.record(draft)
	m.act(present("c1", at(2)).of("e1").id("a1"), action("c1", memory.CanvasClose, at(1)))
	m.react(thumbsUp("f1", at(3)).running("run-2").by("eve"))
	m.observe(observation("o1", at(4)).about("agent:agent"))
	m.access("o1", 2, 30)
	items := map[string]store.Item{}
	for _, item := range m.exported() {
		items[item.ID()] = item
	}
	e, ok := items["episode:e1"].(*store.EpisodeRecord)
	m.True(ok)
	m.Equal(draft.Episode.Embedding, e.Episode.Embedding)
	m.Equal(draft.Events, e.Events)
	m.Equal([]string{"a", "b"}, e.CausedBy)
	m.Equal([]string{"b", "f"}, e.InformedBy)
	m.Equal([]string{"c", "d"}, e.Mentions)
	m.Equal(hash(draft), e.InputHash)
	e.Episode.Embedding, e.Episode.CanvasActionCount, e.Episode.FeedbackSum, e.Episode.FeedbackCount = nil, 0, 0, 0
	m.Equal(readBack(draft), &e.Episode)

	c, ok := items["canvas:c1"].(*store.CanvasItem)
	m.True(ok)
	m.Equal(*m.canvas("c1"), c.Canvas)
	m.Equal(new("e1"), c.Named)
	m.Equal([][]byte{nil, hash(present("c1", at(2)).of("e1").id("a1"))}, c.Hashes)

	f, ok := items["feedback:f1"].(*store.FeedbackItem)
	m.True(ok)
	m.Equal(thumbsUp("f1", at(3)).running("run-2").by("eve").Feedback, f.Feedback)
	m.Equal(new("e1"), f.Linked)
	requireExportOfLearning(m)
	o, ok := items["observation:o1"].(*store.ObservationRecord)
	m.True(ok)
	m.Equal(m.observation("o1"), &o.Observation)
	m.Equal(2, o.Observation.AccessCount)
}

func requireExportOfLearning(m *tenant) {
	m.t.Helper()
	worked, ruled := execution("x1", at(2)).taking(1.5).worth(0.7), fullVerdict("v1")
	m.execute(worked)
	c := judgedTenantOf(m)
	c.rule(ruled)
	c.complete("r/1", 9)
	m.NoError(labelVerdict(m.ctx(), m, store.VerdictLabel{Verdict: "v1", Approve: false, LabelledBy: new("bob")}))
	m.hold(at(5), held("t", "a", ""))
	var found []store.Item
	var parts []string
	patterns := 0
	for _, item := range m.exported() {
		switch i := item.(type) {
		case *store.ExecutionRecord, *store.RunItem, *store.VerdictRecord, *store.SpanItem:
			found = append(found, item)
		case *store.SectionTypeItem:
			if m.Equal(1, i.Sections); i.Context == nil {
				found = append(found, item)
			} else {
				parts = append(parts, string(i.Context))
			}
		case *store.PatternItem:
			patterns++
			if i.Context == nil {
				m.Equal([]string{"r%2F1/verse 1"}, i.Sections)
			} else {
				m.Empty(i.Sections)
			}
			m.Contains(c.learned(store.PatternQuery{}), &i.Pattern)
		}
	}
	m.Equal(len(c.learned(store.PatternQuery{})), patterns)
	m.ElementsMatch([]string{`{"energy":"high"}`, `{"tempo":120}`, `{"energy":"high","tempo":120}`}, parts)
	labelled := store.VerdictRecord{Verdict: *ruled.read(), InputHash: hash(ruled)}
	labelled.Verdict.Label, labelled.Verdict.LabelledBy = new(false), new("bob")
	m.Equal([]store.Item{
		&store.ExecutionRecord{Execution: *worked.read(), InputHash: hash(worked)},
		&store.RunItem{Run: memory.Run{Key: "r/1", StartedAt: at(3), CompletedAt: new(at(9))}},
		&labelled, &store.SectionTypeItem{SectionType: ruled.Verdict.SectionType, Sections: 1},
		&store.SpanItem{HeldSpan: held("t", "a", ""), ArrivedAt: at(5)},
	}, found)
}

func (s suite) restores(t *testing.T) {
	s.runTwo(t, "what is restored gives the same export, and goes on as the exported", restoreTheSame)
	s.runTwo(t, "a second time changes nothing", func(from, to *tenant) {
		from.fill()
		items := from.exported()
		to.restore(items...)
		for _, r := range to.restored(false, items...) {
			to.NoError(r.Err, r.Key)
			to.False(r.Created, r.Key)
		}
		to.Equal(items, to.exported())
	})
	s.runTwo(t, "what is there stays as it is", restoreOverOthers)
	s.runTwo(t, "what is missing among records of the same key is added and linked", restoreWhatIsMissing)
	s.runTwo(t, "another key than that of its records fails the batch", func(from, to *tenant) {
		from.fill()
		to.record(episode("e1", at(0)))
		before := to.exported()
		_, err := to.Restore(to.ctx(), from.exported(), true)
		to.ErrorIs(err, store.ErrConflict)
		to.Equal(before, to.exported())
	})
	s.run(t, "the faults of an item are its own", restoreFaults)
	s.run(t, "no items are nothing", func(m *tenant) {
		m.Empty(m.restored(false))
	})
	s.checkTwo(t, "any world", 6, func(from, to *tenant, random *rapid.T) {
		w := newWorld(from, random)
		w.fill(5)
		to.restore(from.exported()...)
		to.Equal(from.exported(), to.exported())
	})
}

// checkTwo is check with two tenants of one backend.
func (s suite) checkTwo(t *testing.T, name string, cases int, property func(from, to *tenant, random *rapid.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		backend := s.open(t)
		Check(t, cases, func(random *rapid.T) {
			property(bind(random, backend, randomTenant()), bind(random, backend, randomTenant()), random)
		})
	})
}

func restoreTheSame(from, to *tenant) {
	from.fill()
	from.NoError(Delete(from.ctx(), from, memory.KindFeedback, "by session"))
	items := from.exported()
	to.restore(items...)
	to.Equal(items, to.exported())
	key, err := to.InputKey(to.ctx())
	to.NoError(err)
	to.Equal(items[0], &store.TenantItem{InputKey: key, VectorLength: 3})
	to.Equal(from.episode("full", store.WithCanvases, store.WithFeedback), to.episode("full", store.WithCanvases, store.WithFeedback))
	to.Equal(from.concept("p"), to.concept("p"))
	for _, text := range []string{"observation full", "shorter walrus content"} {
		to.NotEmpty(to.matches(text))
		to.Equal(from.matches(text), to.matches(text))
	}
	requireSameLearning(from, to)
	for _, m := range []*tenant{from, to} {
		m.recordAwaited()
		m.remove("plain")
	}
	requireSameLearning(from, to)
	to.Equal(from.exported(), to.exported())
	to.Equal(from.neighbours(store.AdjacencyQuery{Of: []string{"episode:later"}, Limit: 99}), to.neighbours(store.AdjacencyQuery{Of: []string{"episode:later"}, Limit: 99}))
}

// requireSameLearning compares what follows from what is exported.
func requireSameLearning(from, to *tenant) {
	from.t.Helper()
	requireSameProfiles(from, to)
	old, restored := judgedTenantOf(from), judgedTenantOf(to)
	for _, run := range []string{"r/1", "r bare", "r open"} {
		to.Equal(old.runOf(run), restored.runOf(run))
		to.Equal(old.sectionsOf(run), restored.sectionsOf(run))
	}
	to.Equal(old.learned(store.PatternQuery{}), restored.learned(store.PatternQuery{}))
	for _, trace := range []string{"a trace", "later trace"} {
		to.Equal(from.heldOf(trace), to.heldOf(trace))
	}
	to.Equal(from.due(at(2), at(2)), to.due(at(2), at(2)))
	for _, id := range judgedLinked {
		query := store.AdjacencyQuery{Of: []string{id}, Limit: 200}
		to.Equal(from.neighbours(query), to.neighbours(query), id)
	}
}

func requireSameProfiles(from, to *tenant) {
	from.t.Helper()
	profiles := from.profilesOf(store.ProfilesOf{})
	to.Equal(profiles, to.profilesOf(store.ProfilesOf{}))
	for _, p := range profiles {
		for _, archived := range []bool{false, true} {
			to.Equal(from.executionsOf(p.AgentKey, p.TaskType, archived, nil), to.executionsOf(p.AgentKey, p.TaskType, archived, nil))
		}
	}
}

// judgedLinked are records of a full tenant whose links are judged work's and learning's.
var judgedLinked = []string{
	"run:r/1", "section:r%2F1/verse 1", "verdict:v full", "learningProfile:worker/sort", "agent:worker", "execution:first",
}

func restoreOverOthers(from, to *tenant) {
	from.fill()
	items := from.exported()
	to.restore(items...)
	for _, m := range []*tenant{from, to} {
		m.refine(refinement("q", at(9)).saying("new"))
		m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "idle", Name: "Busy"}))
		m.access("o2", 1, 40)
		m.act(action("named", memory.CanvasClose, at(50)))
	}
	for _, m := range []*tenant{from, to} {
		judgedTenantOf(m).complete("r open", 30)
		m.NoError(labelVerdict(m.ctx(), m, store.VerdictLabel{Verdict: "v full", Approve: false, LabelledBy: new("ann")}))
		m.hold(at(9), held("later trace", "c", "a"))
	}
	for _, r := range to.restored(false, items...) {
		to.NoError(r.Err)
		to.False(r.Created)
	}
	to.Equal(from.exported(), to.exported())
}

func restoreWhatIsMissing(from, to *tenant) {
	from.fill()
	items := from.exported()
	to.restore(items...)
	to.remove("full")
	recorded := to.restored(true, items...)
	created := []string{}
	for _, r := range recorded {
		if to.NoError(r.Err); r.Created {
			created = append(created, r.Key)
		}
	}
	to.Equal([]string{"episode:full", "canvas:named", "feedback:by canvas", "feedback:by episode", "feedback:by run", "feedback:second thought"}, created)
	to.Equal(from.episode("full", store.WithCanvases, store.WithFeedback), to.episode("full", store.WithCanvases, store.WithFeedback))
}

func restoreFaults(m *tenant) {
	m.record(episode("e1", at(0)).embedded(1, 2))
	another, longer, homeless := episode("e1", at(0)).seeing("else"), episode("e2", at(0)).embedded(1, 2, 3), concept("c")
	recorded := m.restored(false,
		&another.EpisodeRecord, &longer.EpisodeRecord, &homeless.ConceptRecord,
		&store.RelationItem{Relation: relates("p", memory.RelationPartOf, "q")}, &store.AgentItem{Agent: memory.Agent{Key: "a", Name: "A"}},
	)
	m.ErrorIs(recorded[0].Err, store.ErrConflict)
	m.ErrorIs(recorded[1].Err, store.ErrVectorLength)
	m.ErrorIs(recorded[2].Err, store.ErrNotFound)
	m.ErrorIs(recorded[3].Err, store.ErrNotFound)
	m.True(recorded[4].Created)
	m.execute(execution("x", at(0)))
	c := judgedTenantOf(m)
	c.rule(verdict("v", "r", "s", at(0)))
	otherWork, otherVerdict := execution("x", at(1)), verdict("v", "r", "s", at(0)).saying("else")
	otherWork.InputHash, otherVerdict.InputHash = hash(otherWork), hash(otherVerdict)
	for _, r := range m.restored(false, &otherWork.ExecutionRecord, &otherVerdict.VerdictRecord) {
		m.ErrorIs(r.Err, store.ErrConflict)
	}
	learned := memory.PatternKey(memory.PatternDo, "verse", nil, "glow")
	m.restore(&store.PatternItem{
		Pattern:  memory.Pattern{Key: learned, Kind: memory.PatternDo, SectionType: "verse", Description: "glow", LastSeen: at(0)},
		Sections: []string{"r/none", "r/s"},
	})
	items := m.exported()
	m.Equal([]string{"agent:a", "agent:agent", "episode:e1", "execution:x", "run:r", "verdict:v", "pattern:" + learned}, names(items))
	for _, item := range items {
		if pattern, ok := item.(*store.PatternItem); ok {
			m.Equal([]string{"r/s"}, pattern.Sections)
		}
	}
}
