// Package counted is text that counts how many of its bytes are looked at. Code that scans such a text
// has no other way to the bytes, so that none can be looked at uncounted.
package counted

// Text is a text and the number of bytes looked at so far. It is for one goroutine.
type Text struct {
	text string
	work int
}

// New is a text that nobody has looked at.
func New(text string) *Text { return &Text{text: text} }

// Work is how many bytes were looked at, the same one as often as it was.
func (t *Text) Work() int { return t.work }

// Len is the length, which no byte has to be looked at for.
func (t *Text) Len() int { return len(t.text) }

// At is one byte.
func (t *Text) At(i int) byte {
	t.work++
	return t.text[i]
}

// Slice is a part of the text; all of it counts as looked at.
func (t *Text) Slice(from, to int) string {
	t.work += to - from
	return t.text[from:to]
}
