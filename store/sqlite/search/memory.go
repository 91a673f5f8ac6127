package search

import (
	"context"
	"fmt"
	"sync"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/passages"
	"mneme/store/vectors"
)

const (
	// memoryOfKind is about how many bytes the vectors of a kind take in memory: those of 900,000 passages.
	memoryOfKind = 192 << 20
	// loadedAtOnce is how many of the older vectors a question reads; later questions read on.
	loadedAtOnce = 100_000
)

// source is a table of vectors, with ids that only grow.
type source struct {
	name        string
	dimensions  int
	first, last int64  // the ids that it may have
	ids         string // the table that gives them
	table       string // with the columns id and vector, where a record has one
	found       string // from the ids w to the passages p
}

// sourcesOf are the vectors that the passages of a kind have to be compared with a question.
func sourcesOf(kind memory.Kind, question store.Question) []source {
	first, last := passages.Range(kind)
	length := len(question.Vector())
	of := source{fmt.Sprint(`built in `, kind), length, first, last, `passages`, `(SELECT id, node, code AS vector FROM passages WHERE length(code) = 128)`,
		` CROSS JOIN passages p ON p.id = w.value`}
	if question.BuiltIn != nil {
		return []source{of}
	}
	of.name, of.table = fmt.Sprint(length, ` of `, kind), fmt.Sprintf(`(SELECT id, node, embedding AS vector FROM passages WHERE length(embedding) = %d)`, length)
	if kind != memory.KindEpisode {
		return []source{of}
	}
	return []source{of, { // and those that came with episodes
		fmt.Sprint(length, ` given`), length, 1, 1<<63 - 1, `embeddings`, fmt.Sprintf(`(SELECT id, episode AS node, vector FROM embeddings WHERE length(vector) = %d)`, 4*length),
		` CROSS JOIN embeddings y ON y.id = w.value CROSS JOIN passages p ON p.node = y.episode AND p.number = 0`,
	}}
}

// loaded are the vectors of a source in memory: those from an id to another, and those before that were read so far.
type loaded struct {
	mutex     sync.Mutex // held by who loads
	vectors   *vectors.Memory
	low, high int64
}

// memories are those of a file.
type memories struct {
	mutex sync.Mutex
	all   map[string]*loaded
}

func memoryOf(c *db.Conn, s source) *loaded {
	m := db.Kept[memories](c)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.all == nil {
		m.all = map[string]*loaded{}
	}
	if m.all[s.name] == nil {
		m.all[s.name] = &loaded{vectors: vectors.New(s.dimensions, memoryOfKind)}
	}
	return m.all[s.name]
}

// load reads what was written since the last time, and then some of what is older, the newest first, so that no
// question waits until all is there. It answers the latest id that the connection sees, and whether all are in memory.
func (l *loaded) load(ctx context.Context, c *db.Conn, s source) (latest int64, all bool, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_, err = c.One(`SELECT coalesce(max(id), 0) FROM `+s.ids+` WHERE id BETWEEN :first AND :last`, func(r *db.Row) { latest = r.Integer() },
		db.Arg("first", s.first), db.Arg("last", s.last))
	if err != nil {
		return 0, false, err
	}
	if l.high == 0 {
		l.low, l.high = latest+1, latest
	}
	if latest > l.high {
		if _, err := l.read(ctx, c, s, l.high+1, latest, -1); err != nil {
			return 0, false, err
		}
		l.high = latest
	}
	if l.low > s.first && !l.vectors.LeftOut() {
		if l.low, err = l.read(ctx, c, s, s.first, l.low-1, loadedAtOnce); err != nil {
			return 0, false, err
		}
	}
	return latest, l.low <= s.first && !l.vectors.LeftOut(), nil
}

// read takes in the newest of some ids, at most so many, and answers the first of these; first where no more are left.
func (l *loaded) read(ctx context.Context, c *db.Conn, s source, first, last int64, most int) (from int64, err error) {
	find := `SELECT s.id, s.node, s.vector, o.first, o.second, o.third, o.fourth, o.at FROM ` + s.table + ` s CROSS JOIN passage_owners o ON o.node = s.node
		WHERE s.id BETWEEN :first AND :last ORDER BY s.id DESC LIMIT :most`
	const part = 1024
	entries := make([]vectors.Entry, 0, part)
	read := 0
	err = c.Search(ctx, find, func(r *db.Row) {
		e := vectors.Entry{ID: r.Integer(), Record: uint64(r.Integer())}
		e.Code = s.code(r.Blob())
		e.Marks = vectors.Marks{uint32(r.Integer()), uint32(r.Integer()), uint32(r.Integer()), uint32(r.Integer())}
		e.At, from = r.AnyTime(), e.ID
		read++
		if entries = append(entries, e); len(entries) == part {
			l.vectors.Add(entries...)
			entries = entries[:0]
		}
	}, db.Arg("first", first), db.Arg("last", last), db.Arg("most", most))
	l.vectors.Add(entries...)
	if read < most || most < 0 {
		from = first
	}
	return from, err
}

// code is a vector as it is in memory; one of another length is none.
func (s source) code(kept []byte) []int8 {
	if len(kept) == 4*s.dimensions {
		return vectors.Code(graph.DecodeVector(kept))
	}
	return vectors.CodeIn(kept)
}
