package judging

import (
	"encoding/json"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/memory/prose"
)

// The bounds of the parts of a context. With them a section counts under at most 37 parts, however much its context
// says: none of it, each of 8 pairs, and each two of these.
const (
	// MaxContextPairs is how many pairs of a context outcomes are counted by, the first by key.
	MaxContextPairs = 8
	// MaxPairBytes is how long a pair may be, its key and the JSON of its value; longer ones are passed over.
	MaxPairBytes = 128
	// MaxPartSubjects is how many approaches and how many issues of a section are counted by parts of its context; the
	// others are counted for its type alone.
	MaxPartSubjects = 32
)

// Parts are the parts of a context that outcomes are counted by, the widest first: nothing of it (nil), each of its
// pairs of a key and a value, and each two of its pairs. What is not an object is one part.
func Parts(context memory.JSON) []memory.JSON {
	by := partsBySize(context)
	return slices.Concat(by[:]...)
}

// partSizes is how many sizes the parts of a context have, in pairs: none, one and two.
const partSizes = 3

// partsBySize are the parts of a context by their number of pairs.
func partsBySize(context memory.JSON) (by [partSizes][]memory.JSON) {
	pairs := pairsOf(context)
	by[0] = []memory.JSON{nil}
	for i, first := range pairs {
		by[1] = append(by[1], objectOf(first))
		for _, second := range pairs[i+1:] {
			by[2] = append(by[2], objectOf(first, second))
		}
	}
	return by
}

// pair is a key of a context with the JSON of its value; without a key, a context that is not an object.
type pair struct {
	key   string
	value string
	whole bool // the context is the value
}

// pairsOf are the pairs of a context that count, by key. Numbers are written in one way each.
func pairsOf(context memory.JSON) []pair {
	context = memory.PlainJSON(context)
	if len(context) == 0 || string(context) == "null" {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(context, &fields) != nil {
		if len(context) > MaxPairBytes {
			return nil
		}
		return []pair{{value: string(context), whole: true}}
	}
	var pairs []pair
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if len(key)+len(fields[key]) <= MaxPairBytes && len(pairs) < MaxContextPairs {
			pairs = append(pairs, pair{key: key, value: string(fields[key])})
		}
	}
	return pairs
}

// objectOf is the canonical JSON of pairs, of a whole context that context.
func objectOf(pairs ...pair) memory.JSON {
	if len(pairs) == 1 && pairs[0].whole {
		return memory.JSON(pairs[0].value)
	}
	object := make(map[string]json.RawMessage, len(pairs))
	for _, p := range pairs {
		object[p.key] = json.RawMessage(p.value)
	}
	text, _ := memory.JSONOf(object) // of values that are JSON already
	return text
}

// String is the pair in words: energy is high.
func (p pair) String() string {
	value := p.value
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		value = text
	}
	if p.whole {
		return "the context is " + prose.OneLine(value)
	}
	return prose.OneLine(p.key) + " is " + prose.OneLine(value)
}

// contextWords is a context in words: energy is high and tempo is 120. It is empty where there is none.
func contextWords(context memory.JSON) string {
	return prose.Listed(memory.Mapped(pairsOf(context), pair.String), "and")
}

// sharedPairs are the pairs that two contexts have in common.
func sharedPairs(a, b []pair) []pair {
	if slices.Equal(a, b) {
		return a
	}
	shared := []pair{}
	for _, p := range a {
		if slices.Contains(b, p) {
			shared = append(shared, p)
		}
	}
	return shared
}
