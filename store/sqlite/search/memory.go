package search

import (
	"context"
	"fmt"
	"sync"

	"mneme/memory"
	"mneme/store"
	"mneme/store/async"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/passages"
	"mneme/store/vectors"
)

const (
	// memoryOfKind is about how many bytes passages of a kind take in memory: vectors and words of some 900,000.
	memoryOfKind = 320 << 20
	// loadedAtOnce is how many of the older vectors a question reads; later questions read on.
	loadedAtOnce = 50_000
)

// source is a table of vectors, with ids that only grow.
type source struct {
	kind        memory.Kind
	builtIn     bool // with the words of passages
	dimensions  int
	first, last int64  // the ids that it may have
	ids         string // the table that gives them
	table       string // with the columns id, node, number and vector, where a record has one, and text
	found       string // from the ids w to the passages p
}

// builtIn are the words of the passages of a kind, and the vectors of those that have one.
func builtIn(kind memory.Kind) source {
	of := source{kind: kind, builtIn: true, dimensions: meaning.Dimensions, ids: `passages`, found: ` CROSS JOIN passages p ON p.id = w.value`}
	of.table = `(SELECT id, node, number, code AS vector, text FROM passages)`
	of.first, of.last = passages.Range(kind)
	return of
}

// sourcesOf are the vectors that the passages of a kind have to be compared with a question.
func sourcesOf(kind memory.Kind, question store.Question) []source {
	of := builtIn(kind)
	if question.BuiltIn != nil {
		return []source{of}
	}
	of.builtIn, of.dimensions = false, len(question.Embedding)
	of.table = fmt.Sprintf(`(SELECT id, node, number, embedding AS vector, NULL AS text FROM passages WHERE length(embedding) = %d)`, of.dimensions)
	if kind != memory.KindEpisode {
		return []source{of}
	}
	return []source{{ // those that came with episodes
		kind, false, of.dimensions, 1, 1<<63 - 1, `embeddings`,
		fmt.Sprintf(`(SELECT id, episode AS node, 0 AS number, vector, NULL AS text FROM embeddings WHERE length(vector) = %d)`, 4*of.dimensions),
		` CROSS JOIN embeddings y ON y.id = w.value CROSS JOIN passages p ON p.node = y.episode AND p.number = 0`,
	}, of}
}

// loaded are the vectors of a source in memory: those from an id to another, and those before that were read so far.
type loaded struct {
	source
	vectors *vectors.Memory

	mutex     sync.Mutex // held by who loads
	low, high int64
}

// memories are those of a file.
type memories struct {
	mutex sync.Mutex
	all   []*loaded
}

func memoryOf(c *db.Conn, s source) *loaded {
	m := db.Kept[memories](c)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, known := range m.all {
		if known.source == s {
			return known
		}
	}
	m.all = append(m.all, &loaded{source: s, vectors: vectors.New(s.dimensions, memoryOfKind)})
	return m.all[len(m.all)-1]
}

// embeddings are those of a kind in memory, of any length, those that came with episodes first.
func (m *memories) embeddings(kind memory.Kind) (all []*vectors.Memory) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, known := range m.all {
		if known.kind == kind && !known.builtIn {
			all = append(all, known.vectors)
		}
	}
	return all
}

// load reads what was written since the last time, and then some of what is older, the newest first, so that no
// question waits until all is there. It answers the latest id that the connection sees, and whether all are in memory.
func (l *loaded) load(ctx context.Context, c *db.Conn) (latest int64, all bool, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_, err = c.One(`SELECT coalesce(max(id), 0) FROM `+l.ids+` WHERE id BETWEEN :first AND :last`, func(r *db.Row) { latest = r.Integer() },
		db.Arg("first", l.first), db.Arg("last", l.last))
	if err != nil {
		return 0, false, err
	}
	if l.high == 0 {
		l.low, l.high = latest+1, latest
	}
	for latest > l.high {
		if l.high, err = l.read(ctx, c, l.high+1, latest, true); err != nil {
			return 0, false, err
		}
	}
	if l.low > l.first && !l.vectors.LeftOut() {
		if l.low, err = l.read(ctx, c, l.first, l.low-1, false); err != nil {
			return 0, false, err
		}
	}
	return latest, l.low <= l.first && !l.vectors.LeftOut(), nil
}

// read takes in some of the ids from first to last, beginning at the one end or the other, and answers how far it came.
// Where it fails, it took in none.
func (l *loaded) read(ctx context.Context, c *db.Conn, first, last int64, up bool) (at int64, err error) {
	order, from, to := `DESC`, last+1, first
	if up {
		order, from, to = `ASC`, first-1, last
	}
	find := `SELECT s.id, s.node, s.number, s.vector, s.text, o.first, o.second, o.third, o.fourth, o.at FROM ` + l.table + ` s
		CROSS JOIN passage_owners o ON o.node = s.node WHERE s.id BETWEEN :first AND :last ORDER BY s.id ` + order + ` LIMIT :most`
	const part = 4096
	var entries []vectors.Entry
	var texts []string // of the last entries, which have no words so far
	at = from
	err = c.Search(ctx, find, func(r *db.Row) {
		e := vectors.Entry{ID: r.Integer(), Record: uint64(r.Integer()), Number: int32(r.Integer())}
		e.Code = l.code(r.Blob())
		text := r.AnyText()
		e.Marks = vectors.Marks{uint32(r.Integer()), uint32(r.Integer()), uint32(r.Integer()), uint32(r.Integer())}
		e.At, at = r.AnyTime(), e.ID
		if entries, texts = append(entries, e), append(texts, text); len(texts) == part {
			l.giveWords(entries, texts)
			texts = texts[:0]
		}
	}, db.Arg("first", first), db.Arg("last", last), db.Arg("most", loadedAtOnce))
	if err != nil {
		return from, err
	}
	l.giveWords(entries, texts)
	l.vectors.Add(entries...)
	if len(entries) < loadedAtOnce {
		at = to
	}
	return at, nil
}

// giveWords gives the last entries the words of their texts, at the same time as far as there are processors.
func (l *loaded) giveWords(entries []vectors.Entry, texts []string) {
	if !l.builtIn {
		return
	}
	entries = entries[len(entries)-len(texts):]
	async.InParts(len(texts), 64, func(from, until int) struct{} {
		words := lexical.NewReader()
		for i := from; i < until; i++ {
			entries[i].Words = lexical.Hashes(words.Stems(texts[i]))
		}
		return struct{}{}
	})
}

// code is a vector as it is in memory; one of another length is none, and a passage without one is all the same found
// beside others.
func (s source) code(kept []byte) []int8 {
	switch {
	case len(kept) == 4*s.dimensions:
		return vectors.Code(graph.DecodeVector(kept))
	case len(kept) == 0 && s.builtIn:
		return make([]int8, s.dimensions)
	default:
		return vectors.CodeIn(kept)
	}
}
