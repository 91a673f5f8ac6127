package meaning

import (
	"math"
	"unicode/utf8"

	"mneme/store/vectors"
)

const (
	// Dimensions is how many numbers a vector has.
	Dimensions = 128

	// MaxBytes is how much is read of a text, from its beginning, as of embeddings of a model. What a book means is no
	// one direction, and a write must not wait for it.
	MaxBytes = 24_000
)

// Vector is the direction of a text's meaning: 128 numbers from −1 to 1, of the length 1 in space.
type Vector [Dimensions]float32

// Encode is what a text means; ok is false where it has no word that the table knows. The same text has the same vector
// always and everywhere, and texts of the same words have it in whatever order. Only the first MaxBytes are read.
func Encode(text string) (v Vector, ok bool) {
	var whole sum
	whole.add(cut(text))
	return whole.vector()
}

// Question is what a text means that is asked for; ok is false also where the table knows no more of its words than
// single letters and pairs of them, or numbers: these mean a little of anything.
func Question(text string) (v Vector, ok bool) {
	var whole sum
	if whole.add(cut(text)) == 0 {
		return Vector{}, false
	}
	return whole.vector()
}

// cut is what is read of a text: its beginning, of whole characters.
func cut(text string) string {
	if len(text) <= MaxBytes {
		return text
	}
	end := MaxBytes
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// sum is that of the vectors of tokens, of whole numbers: no order of words and no processor rounds it another way.
type sum [Dimensions]int64

// add adds the tokens of a text, and says how many of these say something (see pieces.split).
func (s *sum) add(text string) (known int) {
	table := load()
	return table.pieces.split(text, func(id int) {
		step := table.steps[id]
		row := table.row(id)
		for j := 0; j < Dimensions; j += 4 { // four at a time: a third faster
			s[j] += step * int64(int8(row[j]))
			s[j+1] += step * int64(int8(row[j+1]))
			s[j+2] += step * int64(int8(row[j+2]))
			s[j+3] += step * int64(int8(row[j+3]))
		}
	})
}

// vector is the direction of a sum; ok is false where it has none.
func (s *sum) vector() (v Vector, ok bool) {
	var squares float64
	for _, x := range s {
		squares += float64(float64(x) * float64(x)) // the conversion keeps processors from fusing it with the sum
	}
	if squares == 0 {
		return Vector{}, false
	}
	length := math.Sqrt(squares)
	for j, x := range s {
		v[j] = float32(float64(x) / length)
	}
	return v, true
}

// Code is the vector of a text as stores keep it, in bytes; none where the text has no known word.
func Code(text string) []byte {
	vector, ok := Encode(text)
	if !ok {
		return []byte{}
	}
	return vectors.Bytes(vectors.Code(vector[:]))
}
