// Package meanings says what a record's node holds of what the record means, and reads it back: the codes of package
// meaning, and that of the whole as a vector of the index.
package meanings

import (
	"bytes"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/meaning"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/words"
)

// Property is that of the vectors that the indexes hold.
const Property = "meant"

// Index is the name of the index of a kind.
func Index(kind memory.Kind) string { return "mneme_" + strings.ToLower(string(kind)) + "_" + Property }

// Give sets, among the properties of a record's node, what the record means; or where no vectors are made, that it is due.
// It returns the vector of the index, which is written apart from the properties; none where the record means nothing.
func Give(kind memory.Kind, properties cypher.Parameters, made bool) (vectors []cypher.Parameters) {
	properties["codes"], properties[Property], properties["meaningDue"] = nil, nil, nil
	if !made {
		properties["meaningDue"] = true
		return nil
	}
	parts := 1
	if kind == memory.KindEpisode {
		parts = matching.MostParts
	}
	var texts []string
	for _, said := range matching.Texts(kind) {
		texts = append(texts, words.Said(properties, said.Name)...)
	}
	codes := meaning.Codes(parts, texts...)
	if len(codes) == 0 {
		return nil
	}
	kept := make([]byte, 0, len(codes)*meaning.Dimensions)
	for i := range codes {
		kept = append(kept, codes[i].Bytes()...)
	}
	whole := make([]int64, meaning.Dimensions)
	for i, number := range codes[0].Bytes() {
		whole[i] = int64(int8(number)) // in two's complement
	}
	properties["codes"] = kept
	return []cypher.Parameters{Vector(properties["key"], Property, whole)}
}

// leastShare is how many records are worth a goroutine: those of a dozen words take as long as to begin one a few times over.
const leastShare = 16

// GiveAll is Give for many records, by as many processors as there are: the transaction that they are created in waits for it,
// and texts of 300 words took a third of its time. The vectors come in the order of the records.
func GiveAll(kind memory.Kind, all []cypher.Parameters, made bool) []cypher.Parameters {
	share := max(leastShare, (len(all)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	parts := slices.Collect(slices.Chunk(all, share))
	given, failed := make([][]cypher.Parameters, len(parts)), make([]any, len(parts))
	var under sync.WaitGroup
	for i, part := range parts {
		under.Go(func() {
			defer func() { failed[i] = recover() }()
			for _, properties := range part {
				given[i] = append(given[i], Give(kind, properties, made)...)
			}
		})
	}
	under.Wait()
	vectors := []cypher.Parameters{}
	for i := range parts {
		if failed[i] != nil {
			panic(failed[i]) // where the caller's are caught
		}
		vectors = append(vectors, given[i]...)
	}
	return vectors
}

// Vector is a vector of the record with a key, as it is written.
func Vector(key any, property string, numbers any) cypher.Parameters {
	return cypher.Parameters{"key": key, "property": property, "numbers": numbers}
}

// Of are the properties that Give sets, of a record that says what was read of it, and its vector.
func Of(kind memory.Kind, record map[string]any, made bool) (properties cypher.Parameters, vectors []cypher.Parameters) {
	all := maps.Clone(record)
	vectors = Give(kind, all, made)
	return cypher.Parameters{"codes": all["codes"], Property: nil, "meaningDue": all["meaningDue"]}, vectors
}

// Same says whether a record has the codes that it should have, and the index the first of them, or they are due.
func Same(kind memory.Kind, record map[string]any) bool {
	if record["meaningDue"] == true {
		return true
	}
	should, vectors := Of(kind, record, true)
	codes, _ := should["codes"].([]byte)
	has, _ := record["codes"].([]byte)
	return bytes.Equal(codes, has) && sameVector(vectors, record[Property])
}

// sameVector says whether a node holds the vector that was written, if any was. What is read back are other types of numbers.
func sameVector(written []cypher.Parameters, read any) bool {
	if len(written) == 0 {
		return read == nil
	}
	numbers, _ := written[0]["numbers"].([]int64)
	has, _ := read.([]any)
	return slices.EqualFunc(numbers, has, func(number int64, kept any) bool { return kept == float64(number) || kept == number })
}

// Vectors reads those of a record from what its node keeps: that of the whole and then those of its lines; none where it has
// none.
func Vectors(codes any) (vectors [][]float32) {
	kept, _ := codes.([]byte)
	for ; len(kept) >= meaning.Dimensions; kept = kept[meaning.Dimensions:] {
		code, err := meaning.CodeOf(kept[:meaning.Dimensions])
		if err != nil {
			return nil
		}
		v := code.Vector()
		vectors = append(vectors, v[:])
	}
	return vectors
}

// Question is what a text means, as the codes of many records are compared with it.
type Question struct{ asked meaning.Asked }

// Ask is the question of a vector that Asked gave.
func Ask(vector []float32) *Question {
	var v meaning.Vector
	copy(v[:], vector)
	return &Question{v.Asked()}
}

// Best is matching.Best of what a node keeps; compared is false where that is no codes.
func (q *Question) Best(codes any) (cosine float64, compared bool) {
	kept, _ := codes.([]byte)
	best := -1.0
	for ; len(kept) >= meaning.Dimensions; kept = kept[meaning.Dimensions:] {
		code, err := meaning.CodeOf(kept[:meaning.Dimensions])
		if err != nil {
			return 0, false
		}
		best, compared = max(best, q.asked.Cosine(&code)), true
	}
	if !compared {
		return 0, false
	}
	return best, true
}

// Asked is the vector of a text as the indexes take it; ok is false where the text has none (see meaning.Question).
func Asked(text string) (vector []float32, ok bool) {
	v, ok := meaning.Question(text)
	return v[:], ok
}
