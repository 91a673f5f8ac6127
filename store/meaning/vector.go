package meaning

import (
	"errors"
	"math"
	"unicode/utf8"
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

// Question is what a text means that is asked for; ok is false also where the table knows no more of its words than single letters and
// pairs of them, or numbers: these mean a little of anything.
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

// Code is a vector as it is kept: byte j is number j as a signed whole number, from −127 to 127, in parts of the largest
// of them without its sign, which is 127 or −127. Its length in space says nothing, so that there is no scale to keep.
type Code [Dimensions]int8

// Code rounds a vector's numbers to 255 steps. Any direction has one; of the zero vector, and of numbers that are not
// finite, it is the zero code, which is like nothing.
func (v *Vector) Code() (c Code) {
	var largest float64
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	if !(largest > 0 && largest <= math.MaxFloat32) {
		return c
	}
	for j, x := range v {
		c[j] = int8(math.Round(float64(x) / largest * 127))
	}
	return c
}

// ErrCode is that of bytes that are no code.
var ErrCode = errors.New("is not the code of a vector: it needs 128 bytes, none of them −128")

// CodeOf reads a code back from what Bytes gave, or answers ErrCode.
func CodeOf(kept []byte) (c Code, err error) {
	if len(kept) != Dimensions {
		return c, ErrCode
	}
	for j, b := range kept {
		if c[j] = int8(b); c[j] == math.MinInt8 {
			return Code{}, ErrCode
		}
	}
	return c, nil
}

// Bytes are the 128 bytes of a code, number by number, each in two's complement.
func (c *Code) Bytes() []byte {
	kept := make([]byte, Dimensions)
	for j, x := range c {
		kept[j] = byte(x)
	}
	return kept
}

// Vector is the direction of a code, of the length 1; that of the zero code is the zero vector.
func (c *Code) Vector() (v Vector) {
	var squares int32
	for _, x := range c {
		squares += int32(x) * int32(x)
	}
	if squares == 0 {
		return v
	}
	length := math.Sqrt(float64(squares))
	for j, x := range c {
		v[j] = float32(float64(x) / length)
	}
	return v
}

// Cosine is how near two meanings are, from −1 to 1: 1 for the same direction, about 0 for texts that have nothing to do
// with one another, 0 where one of them is the zero code. It is the same on every machine.
func (c *Code) Cosine(other *Code) float64 {
	squares := float64(c.Product(c)) * float64(other.Product(other))
	if squares == 0 {
		return 0
	}
	return max(-1, min(1, float64(c.Product(other))/math.Sqrt(squares)))
}

// Product is the scalar product of two codes, at most 128 · 127² with either sign.
func (c *Code) Product(other *Code) int32 {
	var a, b int32 // two sums do not wait for one another
	for j := 0; j < Dimensions; j += 2 {
		a += int32(c[j]) * int32(other[j])
		b += int32(c[j+1]) * int32(other[j+1])
	}
	return a + b
}
