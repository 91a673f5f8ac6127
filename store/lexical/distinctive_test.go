package lexical

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTelling(t *testing.T) {
	t.Parallel()
	words := func(terms []Term) string {
		var words []string
		for _, term := range terms {
			words = append(words, term.Word)
		}
		return strings.Join(words, " ")
	}
	t.Run("rarest first, unknown left out, ties by looks", func(t *testing.T) {
		frequency := map[string]int{"flight": 90, "seattl": 2, "refund": 2, "economi": 40}
		terms := Terms("flights economy refund Seattle unheard")
		assert.Equal(t, "seattle refund economy flights", words(Distinctive(terms, frequency)))
	})
	t.Run("nothing known", func(t *testing.T) {
		assert.Empty(t, Distinctive(Terms("flights"), map[string]int{}))
	})
	t.Run("longest first where frequencies are unknown, identifiers a little ahead", func(t *testing.T) {
		assert.Equal(t, "insurance hat136 economy seat", words(Distinctive(Terms("seat HAT136 economy insurance"), nil)))
	})
	t.Run("a dozen at most", func(t *testing.T) {
		terms := Terms("alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november")
		assert.Equal(t, "november charlie foxtrot juliett alpha bravo delta hotel india echo golf kilo", words(Distinctive(terms, nil)))
	})
	t.Run("the terms themselves stay as they were", func(t *testing.T) {
		terms := Terms("a seat, insurance")
		Distinctive(terms, nil)
		assert.Equal(t, "seat insurance", words(terms))
	})
}

func TestConsidered(t *testing.T) {
	t.Parallel()
	few := Terms("a seat, insurance")
	assert.Equal(t, few, Considered(few))
	var many []Term
	for i := range 3 * mostConsidered {
		many = append(many, Term{Word: strings.Repeat("x", 1+i%3), Stem: strconv.Itoa(i)})
	}
	many[7].Word = "insurance"
	considered := Considered(many)
	assert.Len(t, considered, mostConsidered)
	assert.Equal(t, []Term{many[2], many[5], many[7], many[8]}, considered[:4], "the longest, in the order of the text")
}
