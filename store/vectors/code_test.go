package vectors_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/store/vectors"
)

func TestCodesAreKeptInBytes(t *testing.T) {
	t.Parallel()
	code := vectors.Code([]float32{0.5, -1, 0.25, 0, -0.004})
	assert.Equal(t, []int8{64, -127, 32, 0, -1}, code)
	kept := vectors.Bytes(code)
	assert.Equal(t, []byte{64, 0x81, 32, 0, 0xff}, kept)
	assert.Equal(t, code, vectors.CodeIn(kept))
	assert.Equal(t, code, vectors.Code(vectors.Vector(kept)), "a code is its own vector's")
	unit, squares := vectors.Unit(kept), 0.0
	assert.Equal(t, code, vectors.Code(unit))
	for _, x := range unit {
		squares += float64(x) * float64(x)
	}
	assert.InDelta(t, 1, squares, 1e-6)
}

func TestDirectionsThatAreNone(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range [][]float32{{0, 0}, {inf, 1}, {1, -inf}, {nan, 1}, {1, nan}} {
		code := vectors.Code(v)
		assert.Equal(t, []int8{0, 0}, code, "%v", v)
		assert.Zero(t, vectors.Cosine(code, []int8{1, 2}))
		assert.Nil(t, vectors.Unit(code))
	}
	assert.Nil(t, vectors.Vector[byte](nil))
	assert.Nil(t, vectors.Unit[byte](nil))
}
