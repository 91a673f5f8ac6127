package recalling

import (
	"cmp"
	"context"
	"strings"

	"mneme/memory"
	"mneme/memory/nextsteps"
	"mneme/memory/passages"
	"mneme/memory/prose"
	"mneme/memory/ranking"
	"mneme/memory/retrieval"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/tenancy"
	"mneme/store"
	"mneme/store/async"
	"mneme/store/lexical"
	"mneme/store/meaning"
)

const (
	// maxConsidered is how many words of a text are asked for how rare they are.
	maxConsidered = 500
	// candidates is how many passages are looked for by words, and how many by meaning.
	candidates = 100
	// leaders is how many leading records are read around what was found.
	leaders = 50
)

// Tells says whether a text has words by which something can be found, other than those of any text, such as "the".
func Tells(text string) bool { return len(lexical.Terms(text)) > 0 }

// Found is what was found for a question.
type Found struct {
	question retrieval.Question
	matches  []retrieval.Moment // best first
	moments  []retrieval.Moment // those of them that can be shown
	passages []store.FoundPassage
	// more says that not all was compared that may match.
	more bool
	// marks says which words of a snippet are asked for.
	marks func(word string) bool
}

// Records are those that the moments are of, best first.
func (f *Found) Records() []retrieval.Record { return f.question.Records(f.matches) }

// candidates are those of records that are episodes, as the ranking compares them.
func (f *Found) candidates(records []retrieval.Record) []ranking.Candidate {
	known := make(map[string]*ranking.Candidate, len(records))
	for i := range f.passages {
		if episode := f.passages[i].Episode; episode != nil {
			known[f.passages[i].Key] = episode
		}
	}
	var all []ranking.Candidate
	for i := range records {
		if c := known[records[i].Key]; c != nil {
			all = append(all, *c)
			all[len(all)-1].Match = records[i].Score
		}
	}
	return all
}

// said is what words find.
type said struct {
	store.ByWords
	more bool
	err  error
}

// meant is what a vector finds.
type meant struct {
	question store.Question
	passages []store.FoundPassage
	more     bool
	err      error
}

// Find looks for passages that answer a text, or the caller's vector of one, by words and by meaning at the same time.
func Find(ctx context.Context, t *tenancy.Tenant, text string, embedding []float32, among store.Among) (*Found, error) {
	among.Limit = candidates
	words := async.Begin(func() said { return byWords(ctx, t.Store, text, among) })
	byMeaning := async.Begin(func() (all []meant) {
		for _, question := range questions(ctx, t, text, embedding) {
			question.ByWords = func() store.ByWords { return words().ByWords }
			m := meant{question: question}
			m.passages, m.more, m.err = t.Store.PassagesByMeaning(ctx, question, among)
			all = append(all, m)
		}
		return all
	})
	found := words()
	f, err := Found{marks: lexical.Matcher(text), passages: found.Passages, more: found.more}, found.err
	f.question = retrieval.Ask(text, found.Words, nil, nil)
	for _, m := range byMeaning() {
		f.add(m)
		err = cmp.Or(err, m.err)
	}
	if err != nil {
		return nil, err
	}
	matched := f.matched(f.passages)
	around, err := t.Store.PassagesBeside(ctx, f.leading(matched), retrieval.Reach, among.Filter.UserFilter)
	beside := f.matched(around)
	for i := range beside {
		beside[i].Beside = beside[i].Session == ""
	}
	f.matches = f.question.Moments(matched, beside)
	f.moments = retrieval.Shown(f.matches)
	return &f, err
}

// leading are the passages around which it is worth reading: those of observations, and of the records that lead.
func (f *Found) leading(found []retrieval.Passage) (leading []store.FoundPassage) {
	records := f.question.Records(f.question.Moments(found, nil))
	leads := make(map[string]bool, leaders)
	for _, r := range records[:min(len(records), leaders)] {
		leads[memory.NodeID(r.Kind, r.Key)] = true
	}
	for i := range found {
		id := memory.NodeID(found[i].Kind, found[i].Key)
		if found[i].Whole = found[i].Session != ""; found[i].Whole || leads[id] {
			leading = append(leading, f.passages[i])
		}
	}
	return leading
}

// add adds what a vector found.
func (f *Found) add(m meant) {
	if m.question.BuiltIn != nil {
		f.question.BuiltIn = m.question.Vector()
	} else {
		f.question.Embedding = m.question.Vector()
	}
	type place struct {
		kind   memory.Kind
		key    string
		number int
	}
	known := make(map[place]bool, len(f.passages))
	for _, p := range f.passages {
		known[place{p.Kind, p.Key, p.Number}] = true
	}
	for _, p := range m.passages {
		if at := (place{p.Kind, p.Key, p.Number}); !known[at] { // by its place, as it may be another by now
			f.passages, known[at] = append(f.passages, p), true
		}
	}
	f.more = f.more || m.more
}

// byWords looks for the passages that have any of the words that count. How rare they are it asks meanwhile, unless
// there are so many that only the rarest are looked for.
func byWords(ctx context.Context, in store.Passages, text string, among store.Among) (found said) {
	terms := lexical.Terms(text)
	stems := memory.Mapped(terms[:min(len(terms), maxConsidered)], func(t lexical.Term) string { return t.Stem })
	if len(stems) == 0 {
		return found
	}
	choose := async.Begin(func() (chosen said) {
		rarities, err := in.Rarities(ctx, stems)
		chosen.Words, chosen.err = retrieval.Choose(stems, rarities), err
		return chosen
	})
	if len(stems) > retrieval.MaxWords {
		stems = choose().Words.Stems
	}
	found.Passages, found.more, found.err = in.PassagesByWords(ctx, stems, among)
	found.Words, found.err = choose().Words, cmp.Or(found.err, choose().err)
	return found
}

// questions are the vectors to ask with: the built-in one, and the caller's own or that of the embedder, if any.
func questions(ctx context.Context, t *tenancy.Tenant, text string, embedding []float32) (all []store.Question) {
	if vector, ok := meaning.Question(text); ok && Tells(text) {
		all = append(all, store.Question{BuiltIn: &vector})
	}
	if embedding == nil && strings.TrimSpace(text) != "" {
		embedding = t.Embed(ctx, text)
	}
	if embedding != nil {
		all = append(all, store.Question{Embedding: embedding})
	}
	return all
}

// matched are passages as they are matched.
func (f *Found) matched(passages []store.FoundPassage) []retrieval.Passage {
	asked := memory.Mapped(f.question.Words.Stems, lexical.Hash)
	all := make([]retrieval.Passage, len(passages))
	for i, p := range passages {
		all[i] = retrieval.Passage{
			Passage: p.Passage, Kind: p.Kind, Key: p.Key, Number: p.Number, Session: p.Session,
			Counts: retrieval.Count(p.Words, asked), Length: len(p.Words),
		}
		for _, embedding := range p.Embeddings {
			if all[i].Vector == nil && len(embedding) == len(f.question.Embedding) {
				all[i].Vector = embedding
			}
		}
		if all[i].Vector == nil && p.BuiltIn != nil {
			all[i].Vector, all[i].BuiltIn = p.BuiltIn, true
		}
	}
	return all
}

// show shows moments of a record.
func (f *Found) show(node memory.Node, moments []retrieval.Moment) []Moment {
	return memory.Mapped(moments, func(m retrieval.Moment) Moment {
		return Moment{Passage: m.Passage.Passage, Node: node, Score: m.Score, Where: m.Place(), Snippet: prose.Snippet(m.Text, f.marks, snippetRunes)}
	})
}

// NextStep is what past episodes did next, with the usual arguments and the example most like the present moment.
type NextStep struct {
	nextsteps.Step
	Arguments []nextsteps.Argument `json:"arguments"`
	Example   StepExample          `json:"example"`
}

// StepExample is a step of an episode, counted from 0.
type StepExample struct {
	Episode   *memory.Episode `json:"-"`
	ID        string          `json:"episodeId"`
	Position  int             `json:"position"`
	Arguments memory.JSON     `json:"arguments,omitempty"` // nil where the record does not tell them apart
	// Snippet is what it was given and what came of it, at most snippetRunes long.
	Snippet string `json:"snippet"`
}

// maxArguments is from how many episodes the usual arguments of a step are told.
const maxArguments = 10

// NextSteps answers what past episodes did next at such moments, most frequent first; none where nothing is like it.
func (g *Retrieval) NextSteps(ctx context.Context, input boundary.NextStepsInput) ([]*NextStep, error) {
	b := g.t.Question(ctx)
	asked := nextsteps.Moment{SoFar: b.Texts("stepsSoFar", input.StepsSoFar)}
	situation, last := b.Text("situation", input.Situation), b.Text("lastStep", memory.OrZero(input.LastStep))
	among := store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Filter: b.Filter(memory.OrZero(input.Filter), g.t.Clock())}
	topK := b.Within("topK", memory.ValueOr(input.TopK, DefaultTopK), 1, MaxTopK)
	if b.Err() != nil {
		return nil, b.Err()
	}
	if name, _, _ := strings.Cut(strings.TrimSpace(last), " "); len(asked.SoFar) == 0 && name != "" {
		asked.SoFar = []string{strings.TrimRight(name, ":,(")}
	}
	for _, by := range []struct {
		text    string
		moments *[]retrieval.Moment
	}{{situation, &asked.Situation}, {last, &asked.Last}} {
		matched, err := Find(ctx, g.t, by.text, nil, among)
		if err != nil {
			return nil, faults.Of("the search", err)
		}
		*by.moments = matched.moments
	}
	steps, err := g.stepsAfter(ctx, &asked, topK)
	if err == nil && len(steps) == 0 && input.Filter != nil {
		err = g.t.NothingFor(ctx, 0, tenancy.Agents.Called("agentId", input.Filter.AgentID), tenancy.TaskTypes.Called("taskType", input.Filter.TaskType))
	}
	return steps, faults.Of("the search", err)
}

// stepsAfter counts the steps after a moment, and reads what the first of them were given.
func (g *Retrieval) stepsAfter(ctx context.Context, asked *nextsteps.Moment, topK int) ([]*NextStep, error) {
	keys := asked.Episodes()
	of := memory.Mapped(keys, func(key string) store.TrajectoryOf { return store.TrajectoryOf{Episode: key, Results: []int{}} })
	trajectories, err := g.trajectories(ctx, of)
	if err != nil {
		return nil, err
	}
	steps := asked.Steps(trajectories)
	steps = steps[:min(len(steps), topK)]
	of, keys = of[:0], keys[:0]
	for _, step := range steps {
		keys = append(keys, step.Places[0].Episode)
		for _, place := range step.Places[:min(len(step.Places), maxArguments)] {
			of = append(of, store.TrajectoryOf{Episode: place.Episode, Results: []int{place.Position}})
		}
	}
	if trajectories, err = g.trajectories(ctx, of); err != nil {
		return nil, err
	}
	episodes, err := g.t.Store.Episodes(ctx, store.EpisodesByKey{Keys: keys})
	if err != nil {
		return nil, err
	}
	results := map[string]memory.JSON{}
	for _, t := range trajectories {
		results[t.Key] = t.Results[0]
	}
	next := []*NextStep{}
	for i, step := range steps {
		if episodes[i] == nil { // deleted since
			continue
		}
		var given []memory.JSON
		for _, place := range step.Places[:min(len(step.Places), maxArguments)] {
			given = append(given, results[place.Episode])
		}
		next = append(next, &NextStep{Step: step, Arguments: nextsteps.Usual(given), Example: StepExample{
			Episode: episodes[i], ID: episodes[i].ID(), Position: step.Places[0].Position, Arguments: nextsteps.ArgumentsOf(given[0]),
			Snippet: prose.Shorten(prose.OneLine(passages.StepText("", given[0])), snippetRunes),
		}})
	}
	return next, nil
}

func (g *Retrieval) trajectories(ctx context.Context, of store.TrajectoriesOf) ([]*nextsteps.Trajectory, error) {
	if len(of) == 0 {
		return nil, nil
	}
	return store.All(ctx, g.t.Store, of)
}
