package compaction

import (
	"slices"
	"strings"
)

// sentenceRules rewrites a sentence from its beginning: each chunk is put behind what is left so far,
// and as long as that ends in a phrase that one of the rules takes out, it is taken out. So phrases that
// come together over a gap are found without starting over.
type sentenceRules struct {
	full   bool
	chunks []chunk // of the sentence; those that were dropped have no text
	next   int     // the place of the chunk that comes next
	left   []int   // the places of those before it that were not dropped
}

// rewrite applies the phrases to a sentence, in place. What is dropped loses its text, and keeps the
// white space before it, so that this can be accounted for.
func (s *sentenceRules) rewrite(sentence []chunk) {
	if isCourtesy(sentence) {
		for i := range sentence {
			sentence[i].drop()
		}
		return
	}
	s.chunks, s.left = sentence, s.left[:0]
	for i := range sentence {
		s.next = i + 1
		s.left = append(s.left, i)
		for s.reduce() {
		}
	}
}

func (c *chunk) drop() { c.text, c.word, c.post = "", "", "" }

// isCourtesy says whether all of a sentence is one of the courtesies, signs aside.
func isCourtesy(sentence []chunk) bool {
	if len(sentence) > maxCourtesy || !courtesyBegins[sentence[0].word] {
		return false
	}
	words := make([]string, len(sentence))
	for i, part := range sentence {
		if !part.plain() || strings.Trim(part.post, ",.!") != "" {
			return false
		}
		words[i] = part.word
	}
	return courtesies[strings.Join(words, " ")]
}

// at is the n-th of what is left, counted from the end; 0 is the last.
func (s *sentenceRules) at(n int) *chunk {
	if n >= len(s.left) {
		return nil
	}
	return &s.chunks[s.left[len(s.left)-1-n]]
}

// reduce takes out the longest phrase that what is left ends in, and says whether there was one.
func (s *sentenceRules) reduce() bool {
	last := s.at(0)
	if last == nil || !last.plain() {
		return false
	}
	for _, p := range phrasesByEnd[last.word] {
		if (s.full || !p.full) && s.ends(p) && s.allows(p) {
			s.replace(p)
			return true
		}
	}
	return false
}

// ends says whether what is left ends in the words of the phrase, with no sign between them.
func (s *sentenceRules) ends(p *phrase) bool {
	for n := range p.words {
		part := s.at(n)
		if part == nil || part.word != p.words[len(p.words)-1-n] || n > 0 && part.post != "" {
			return false
		}
	}
	return true
}

// allows says whether the phrase may go from where it stands.
func (s *sentenceRules) allows(p *phrase) bool {
	last, before := s.at(0), s.at(len(p.words))
	var after *chunk
	if s.next < len(s.chunks) {
		after = &s.chunks[s.next]
	}
	return placed(p, last, before, after) && !hindered(p, last, before, after) && signMoves(p, last, before)
}

// placed says whether the phrase stands where its rule asks for. Nothing is taken out to leave no sentence.
func placed(p *phrase, last, before, after *chunk) bool {
	opening := before == nil
	switch {
	case opening && after == nil, p.opening && !opening:
		return false
	case p.setOff:
		return last.post == "," && (opening || before.post == ",")
	case p.leading:
		return last.post == "" && after != nil && after.plain()
	case p.article:
		return isArticle(last, before, after)
	}
	return true
}

// hindered says whether a word beside the phrase gives it another sense.
func hindered(p *phrase, last, before, after *chunk) bool {
	if after != nil && last.post == "" && p.notBefore[after.word] {
		return true
	}
	if before == nil {
		return false
	}
	negated := negations[before.word] && !p.article && p.with == ""
	return negated || p.notAfter[before.word]
}

// signMoves says whether the sign behind the phrase can stay without it: it goes to the word before, but
// nothing is added to what is no word. A comma behind the first words of a sentence goes with them.
func signMoves(p *phrase, last, before *chunk) bool {
	switch {
	case last.post == "":
		return true
	case last.post != "," && last.post != "." && last.post != "!" && last.post != "?":
		return false
	case p.with != "":
		return true
	case before == nil:
		return last.post == ","
	}
	return before.plain() && (before.post == "" || before.post == ",")
}

// isArticle tells an article from a letter that names something: option a, a + b, a and b.
func isArticle(last, before, after *chunk) bool {
	capital := last.text[0] < 'a'
	switch {
	case last.post != "", after == nil, capital && before != nil:
		return false
	case after.plain():
		return !functionWords[after.word] && (before == nil || before.plain() || !isSign(before.text))
	}
	return isWordByte(after.text[0]) && (before == nil || !isSign(before.text)) || after.text[0] == '`'
}

// isSign says whether a chunk has neither letters nor digits.
func isSign(text string) bool {
	for i := range len(text) {
		if isWordByte(text[i]) {
			return false
		}
	}
	return true
}

// replace takes the phrase out and puts what stands for it in.
func (s *sentenceRules) replace(p *phrase) {
	gone := s.left[len(s.left)-len(p.words):]
	first := &s.chunks[gone[0]]
	capital, post := first.text[0] < 'a', s.at(0).post
	for _, place := range gone {
		s.chunks[place].drop()
	}
	s.left = s.left[:len(s.left)-len(gone)]
	if p.with != "" {
		text := p.with
		if capital {
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		first.text, first.word, first.post = text+post, p.with, post
		s.left = append(s.left, gone[0])
		return
	}
	if before := s.at(0); before != nil && post != "" && before.plain() {
		if post == "," && before.post == "," { // set off on both sides
			post = ""
		}
		before.text = strings.TrimSuffix(before.text, before.post) + post
		before.post = post
	}
}

// phrasesByEnd finds the phrases by their last word, the longest first.
var phrasesByEnd = func() map[string][]*phrase {
	byEnd := map[string][]*phrase{}
	for i := range phrases {
		p := &phrases[i]
		last := p.words[len(p.words)-1]
		byEnd[last] = append(byEnd[last], p)
	}
	for _, list := range byEnd {
		slices.SortStableFunc(list, func(a, b *phrase) int { return len(b.words) - len(a.words) })
	}
	return byEnd
}()
