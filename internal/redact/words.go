package redact

// finder looks for many words at once, ASCII letters in any case: the automaton of Aho and Corasick (Efficient string
// matching, CACM 18(6), 1975), so each byte of a text is looked at once, however many words there are.
type finder struct {
	class   [256]uint8 // of a byte: those that no word has are 0
	classes int
	next    []uint16  // of a state and a class
	found   [][]int32 // the words that end in a state
	lengths []int
}

// hit is a word in a text, from its first byte.
type hit struct {
	at   int
	word int32
}

// newFinder makes a finder of words in lower case.
func newFinder(words []string) *finder {
	f := &finder{classes: 1, found: [][]int32{nil}}
	for _, word := range words {
		f.lengths = append(f.lengths, len(word))
		for i := range len(word) {
			if f.class[word[i]] == 0 {
				f.class[word[i]] = uint8(f.classes)
				f.classes++
			}
		}
	}
	for letter := byte('a'); letter <= 'z'; letter++ {
		f.class[letter-'a'+'A'] = f.class[letter]
	}
	f.next = make([]uint16, f.classes)
	for i, word := range words {
		f.add(int32(i), word)
	}
	f.complete()
	return f
}

// add puts a word into the tree. State 0 is the root, and stands for no branch as well.
func (f *finder) add(index int32, word string) {
	state := 0
	for i := range len(word) {
		branch := state*f.classes + int(f.class[word[i]])
		if f.next[branch] == 0 {
			f.next[branch] = uint16(len(f.found))
			f.found = append(f.found, nil)
			f.next = append(f.next, make([]uint16, f.classes)...)
		}
		state = int(f.next[branch])
	}
	f.found[state] = append(f.found[state], index)
}

// complete makes the tree an automaton: where a branch is missing, it leads to where the longest ending
// that is the beginning of a word would have led.
func (f *finder) complete() {
	fallback := make([]int, len(f.found))
	queue := []int{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for class := range f.classes {
			branch := state*f.classes + class
			elsewhere := 0
			if state != 0 {
				elsewhere = int(f.next[fallback[state]*f.classes+class])
			}
			child := int(f.next[branch])
			if child == 0 {
				f.next[branch] = uint16(elsewhere)
				continue
			}
			fallback[child] = elsewhere
			f.found[child] = append(f.found[child], f.found[elsewhere]...)
			queue = append(queue, child)
		}
	}
}

// in finds all the words in a text, also those that overlap, in the order of their ends.
func (f *finder) in(text string) []hit {
	var hits []hit
	state := 0
	for i := range len(text) {
		state = int(f.next[state*f.classes+int(f.class[text[i]])])
		for _, word := range f.found[state] {
			hits = append(hits, hit{at: i + 1 - f.lengths[word], word: word})
		}
	}
	return hits
}
