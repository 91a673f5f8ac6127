package vectors

import "math"

// Code rounds a vector to −127…127, in parts of the largest magnitude; all are 0 where that is 0 or not finite.
func Code(vector []float32) []int8 {
	var largest float64
	for _, x := range vector {
		largest = max(largest, math.Abs(float64(x)))
	}
	code := make([]int8, len(vector))
	if !(largest > 0 && largest <= math.MaxFloat32) {
		return code
	}
	for i, x := range vector {
		code[i] = int8(math.Round(float64(x) / largest * 127))
	}
	return code
}

// CodeIn reads a code from its bytes, each number in two's complement.
func CodeIn(kept []byte) []int8 {
	code := make([]int8, len(kept))
	for i, b := range kept {
		code[i] = int8(b)
	}
	return code
}

// Bytes are what CodeIn reads.
func Bytes(code []int8) []byte {
	kept := make([]byte, len(code))
	for i, x := range code {
		kept[i] = byte(x)
	}
	return kept
}

// Vector is the direction of a code, or of one as it is kept; nil where there is none.
func Vector[T int8 | byte](code []T) []float32 {
	if len(code) == 0 {
		return nil
	}
	vector := make([]float32, len(code))
	for i, x := range code {
		vector[i] = float32(int8(x))
	}
	return vector
}

// Unit is Vector of the length 1; nil also where the code is zero.
func Unit[T int8 | byte](code []T) []float32 {
	vector := Vector(code)
	var squares float64
	for _, x := range vector {
		squares += float64(x) * float64(x)
	}
	if squares == 0 {
		return nil
	}
	length := math.Sqrt(squares)
	for i, x := range vector {
		vector[i] = float32(float64(x) / length)
	}
	return vector
}

// Cosine is that of two codes of one length, −1 to 1; 0 where one of them is zero.
func Cosine(a, b []int8) float64 {
	var product, squareA, squareB int64
	for i, x := range a {
		y := b[i]
		product += int64(x) * int64(y)
		squareA += int64(x) * int64(x)
		squareB += int64(y) * int64(y)
	}
	if squareA == 0 || squareB == 0 {
		return 0
	}
	return float64(product) / math.Sqrt(float64(squareA)*float64(squareB))
}

// appendSigns adds the signs of a code, 64 to a word: a bit is set where a number is positive.
func appendSigns(signs []uint64, code []int8) []uint64 {
	for from := 0; from < len(code); from += 64 {
		var word uint64
		for i, x := range code[from:min(from+64, len(code))] {
			if x > 0 {
				word |= 1 << i
			}
		}
		signs = append(signs, word)
	}
	return signs
}
