package meaning

import (
	_ "embed" // the table
	"strings"
	"sync"
)

//go:embed vocabulary.txt
var vocabulary string

//go:embed table.bin
var embedded string

// pieces finds the tokens of the vocabulary.
type pieces struct {
	first  map[string]int // those that a word begins with
	later  map[string]int // those that go on with one, written with ## before them
	widest int            // bytes of the longest
}

// longest is the longest piece that a word begins with, and its bytes; 0 bytes where there is none.
func (p *pieces) longest(word []byte, first bool) (id, size int) {
	ids := p.later
	if first {
		ids = p.first
	}
	for size = min(len(word), p.widest); size > 0; size-- {
		if id, known := ids[string(word[:size])]; known {
			return id, size
		}
	}
	return 0, 0
}

// table is what is made of the embedded files at the first use.
type table struct {
	pieces pieces
	steps  []int64
	rows   string
}

func (t *table) row(id int) string { return t.rows[id*Dimensions:][:Dimensions] }

// load reads the table at the first use.
var load = sync.OnceValue(read)

func read() *table {
	tokens := strings.Count(vocabulary, "\n")
	t := &table{
		pieces: pieces{first: make(map[string]int, tokens), later: make(map[string]int, tokens/4)},
		steps:  make([]int64, tokens),
		rows:   embedded[2*tokens:],
	}
	id := 0
	for token := range strings.Lines(vocabulary) {
		token = token[:len(token)-1]
		t.steps[id] = int64(embedded[2*id]) | int64(embedded[2*id+1])<<8
		if rest, later := strings.CutPrefix(token, "##"); later {
			t.pieces.later[rest] = id
			t.pieces.widest = max(t.pieces.widest, len(rest))
		} else {
			t.pieces.first[token] = id
			t.pieces.widest = max(t.pieces.widest, len(token))
		}
		id++
	}
	return t
}
