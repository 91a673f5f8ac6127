package service

import (
	"context"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/retrieval"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/meaning"
)

const (
	// mostConsidered is how many words of a text are asked for how rare they are.
	mostConsidered = 500
)

// Tells says whether a text has words by which something can be found, other than those that any text has, such as "the".
func Tells(text string) bool { return len(lexical.Terms(text)) > 0 }

// found is what was found for a question.
type found struct {
	question retrieval.Question
	moments  []retrieval.Moment // best first
	// more says that not all was compared that may match.
	more bool
}

// records are those that the moments are of, best first.
func (f *found) records() []retrieval.Record { return f.question.Records(f.moments) }

// find looks for the passages that answer a text, or a vector that the caller made of one.
func (t *tenant) find(ctx context.Context, in store.Passages, text string, embedding []float32, among store.Among) (*found, error) {
	among.Limit = t.candidates
	words, err := t.words(ctx, in, text)
	if err != nil {
		return nil, err
	}
	var f found
	var passages []store.FoundPassage
	seen := map[int64]bool{}
	keep := func(those []store.FoundPassage, more bool, err error) error {
		for _, p := range those {
			if !seen[p.ID] {
				seen[p.ID] = true
				passages = append(passages, p)
			}
		}
		f.more = f.more || more
		return err
	}
	if len(words.Stems) > 0 {
		if err := keep(in.PassagesByWords(ctx, words.Stems, among)); err != nil {
			return nil, err
		}
	}
	var vectors [][]float32
	for _, question := range t.questions(ctx, text, embedding) {
		vectors = append(vectors, question.Embedding)
		if question.BuiltIn != nil {
			vectors[len(vectors)-1] = question.BuiltIn[:]
		}
		if err := keep(in.PassagesByMeaning(ctx, question, among)); err != nil {
			return nil, err
		}
	}
	f.question = retrieval.Ask(text, words, vectors...)
	f.question.BuiltIn = embedding == nil && len(vectors) < 2
	found := f.matched(passages)
	var turns []store.FoundPassage
	for i := range found {
		if found[i].Session != "" { // elsewhere what stands beside a passage adds nothing
			found[i].Whole = true
			turns = append(turns, passages[i])
		}
	}
	var beside []store.FoundPassage
	if len(turns) > 0 {
		if beside, err = in.PassagesBeside(ctx, turns, retrieval.Reach); err != nil {
			return nil, err
		}
	}
	f.moments = f.question.Moments(found, f.matched(beside))
	return &f, nil
}

// words are those of a text that count.
func (t *tenant) words(ctx context.Context, in store.Passages, text string) (retrieval.Words, error) {
	terms := lexical.Terms(text)
	stems := make([]string, min(len(terms), mostConsidered))
	for i := range stems {
		stems[i] = terms[i].Stem
	}
	if len(stems) == 0 {
		return retrieval.Words{}, nil
	}
	rarities, err := in.Rarities(ctx, stems)
	if err != nil {
		return retrieval.Words{}, err
	}
	return retrieval.Choose(stems, rarities), nil
}

// questions are the vectors that a text is asked for by: the caller's own, or the built-in one and that of the embedder, where there is one.
func (t *tenant) questions(ctx context.Context, text string, embedding []float32) (all []store.Question) {
	if embedding != nil {
		return []store.Question{{Embedding: embedding}}
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if vector, ok := meaning.Question(text); ok && Tells(text) {
		all = append(all, store.Question{BuiltIn: &vector})
	}
	if vectors := t.embed(ctx, []string{text}); vectors != nil && vectors[0] != nil {
		all = append(all, store.Question{Embedding: vectors[0]})
	}
	return all
}

// matched are passages as they are matched.
func (f *found) matched(passages []store.FoundPassage) []retrieval.Passage {
	all := make([]retrieval.Passage, len(passages))
	for i, p := range passages {
		all[i] = retrieval.Passage{
			Passage: p.Passage, Kind: p.Kind, Key: p.Key, Number: p.Number, Session: p.Session, Vector: p.Embedding,
		}
		all[i].Counts, all[i].Length = f.question.Words.Count(lexical.Stems(p.Text))
		if p.Embedding == nil && p.Code != (meaning.Code{}) {
			vector := p.Code.Vector()
			all[i].Vector = vector[:]
		}
	}
	return all
}

// momentsOf shows moments of a record.
func momentsOf(text string, node memory.Node, moments []retrieval.Moment) []Moment {
	marks := lexical.Matcher(text)
	shown := make([]Moment, len(moments))
	for i, m := range moments {
		shown[i] = Moment{Passage: m.Passage.Passage, Node: node, Score: m.Score, Where: m.Place(), Snippet: prose.Snippet(m.Text, marks, snippetRunes)}
	}
	return shown
}
