package passages

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mneme/memory"
	"mneme/memory/passages"
	"mneme/memory/retrieval"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/settings"
	"mneme/store/vectors"
)

const (
	// maxBytes bounds a tenant's built-in vectors in memory, and its embeddings: as many as 800,000 passages have.
	maxBytes = 256 << 20
	// fillTime is how long a question waits until all vectors are in memory; beyond that, those that are there answer it.
	fillTime = 2 * time.Second
	// maxFilled is of how many records vectors are read in a round trip.
	maxFilled = 200
	// lookTime is how long what was read of changes serves. This process' own are read at once.
	lookTime = time.Second
	// longestWrite is how long before its commit a change may have been noted, keptChanges how long changes are kept.
	longestWrite, keptChanges = bolt.WriteTime, 24 * time.Hour
)

// memories are the vectors of a tenant that this process has in memory.
type memories struct {
	mutex   sync.Mutex
	codes   *vectors.Memory
	given   map[int]*vectors.Memory // embeddings by their lengths
	length  int                     // of those that came with episodes; 0 where the tenant has none
	now     int64                   // by the server's clock, when changes were read last, in milliseconds
	looked  time.Time
	trimmed time.Time
	seen    map[change][]any // the changes of the last longestWrite
	wrote   atomic.Bool
	filled  chan struct{} // closed when all are in memory; nil before that began
	failed  error
}

// change is one that was read.
type change struct{ id, at int64 }

// Wrote says that this process has written.
func (f *Finder) Wrote() { f.kept.wrote.Store(true) }

// PassagesByMeaning finds the nearest; see store.Passages.
func (f *Finder) PassagesByMeaning(ctx context.Context, asked store.Question, among store.Among) (found []store.FoundPassage, more bool, err error) {
	q := ask(f.TenantID, among)
	if len(q.clauses) == 0 || asked.BuiltIn != nil && !f.Made.Coded {
		return []store.FoundPassage{}, false, nil
	}
	memory, whole, err := f.current(ctx, asked)
	if err != nil || memory == nil {
		return []store.FoundPassage{}, !whole, err
	}
	found, all, err := f.nearest(ctx, memory, asked, q, among.Limit)
	return found, !whole || !all, err
}

// Rarities counts in memory; see store.Passages. Before it says that none has a word it looks once more what was
// written, and of a memory that is not whole it never does.
func (f *Finder) Rarities(ctx context.Context, stems []string) (rarities []float64, err error) {
	for range 2 {
		in, whole, err := f.current(ctx, store.Question{})
		if err != nil {
			return nil, err
		}
		rarities = make([]float64, len(stems))
		for i, stem := range stems {
			with := in.With(lexical.Hash(stem))
			if !whole {
				with = max(with, 1)
			}
			rarities[i] = retrieval.Rarity(with, in.Len())
		}
		if !slices.Contains(rarities, 0) {
			break
		}
		f.Wrote() // so that it looks
	}
	return rarities, nil
}

// remembered are the passages within reach of some in their records, as far as they are in memory.
func (f *Finder) remembered(inRecords map[int64][]store.FoundPassage, reach int) []store.FoundPassage {
	f.kept.mutex.Lock()
	codes, given := f.kept.codes, maps.Clone(f.kept.given)
	f.kept.mutex.Unlock()
	all := []store.FoundPassage{}
	if codes == nil { // nobody asked so far
		return all
	}
	embeddings := slices.Collect(maps.Values(given))
	for record, of := range inRecords {
		all = append(all, of[0].Beside(codes.Of(uint64(record), func(e *vectors.Entry) bool {
			near := false
			for _, p := range of {
				away := p.Number - int(e.Number)
				if away == 0 {
					return false
				}
				near = near || max(away, -away) <= reach
			}
			return near
		}), embeddings)...)
	}
	return all
}

// nearest reads those of the nearest in memory that match best and pass, and says whether all were looked at that may
// pass. What is not there any more it takes out of the memory, and looks again.
func (f *Finder) nearest(ctx context.Context, in *vectors.Memory, asked store.Question, q *question, limit int) (found []store.FoundPassage, all bool, err error) {
	for look := max(lookedNear, limit); ; {
		near := in.Nearest(asked.Vector(), look, q.limits())
		var by store.ByWords
		if asked.ByWords != nil {
			by = asked.ByWords()
		}
		ids, wanted := bestOf(near, by), min(limit, max(leastNear, limit-len(by.Passages)))
		if !q.joined { // all pass that are there
			ids = ids[:min(len(ids), wanted)]
		}
		if len(ids) == 0 {
			return []store.FoundPassage{}, true, nil
		}
		q.values["ids"], q.values["limit"] = ids, wanted+1
		if found, err = f.read(ctx, cypher.Rendered("passages_by_id", q.shape), q.values); err != nil {
			return nil, false, err
		}
		lost := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
			return slices.ContainsFunc(found, func(p store.FoundPassage) bool { return p.ID == id })
		})
		switch {
		case len(found) >= wanted || len(near) < look && q.joined:
			return found[:min(len(found), wanted)], true, nil
		case !q.joined && len(lost) > 0:
			in.Remove(lost...)
		case !q.joined || look >= maxNear:
			return found, !q.joined, nil
		default:
			look = maxNear
		}
	}
}

// bestOf are the ids of passages that words did not find, those first that match best by words and meaning together.
func bestOf(near []vectors.Near, by store.ByWords) (ids []int64) {
	known := make(map[int64]bool, len(by.Passages))
	for i := range by.Passages {
		known[by.Passages[i].ID] = true
	}
	stems, like := memory.Mapped(by.Words.Stems, lexical.Hash), make(map[int64]float64, len(near))
	for _, n := range near {
		if !known[n.ID] {
			ids, like[n.ID] = append(ids, n.ID), by.Words.Like(retrieval.Count(n.Words, stems), len(n.Words), n.Cosine)
		}
	}
	slices.SortStableFunc(ids, func(a, b int64) int { return cmp.Compare(like[b], like[a]) })
	return ids
}

// current gives the vectors that a question is compared with, up to date, and whether they are all.
func (f *Finder) current(ctx context.Context, asked store.Question) (_ *vectors.Memory, whole bool, err error) {
	length, err := f.length(ctx)
	if err != nil {
		return nil, false, err
	}
	whole, err = f.fill(ctx, length)
	if err != nil {
		return nil, false, err
	}
	m := &f.kept
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.now > 0 && (m.wrote.Swap(false) || time.Since(m.looked) >= lookTime) {
		if err := f.look(ctx); err != nil {
			m.wrote.Store(true)
			return nil, false, err
		}
	}
	memory := m.codes
	if asked.Embedding != nil {
		memory = m.given[len(asked.Embedding)]
	}
	return memory, whole && (memory == nil || !memory.LeftOut()), nil
}

// fill reads all vectors where that was not done, not for this length, or too long ago, and waits for it a while.
func (f *Finder) fill(ctx context.Context, length int) (whole bool, err error) {
	m := &f.kept
	m.mutex.Lock()
	if m.filled == nil || m.length != length || !m.looked.IsZero() && time.Since(m.looked) > keptChanges/2 {
		m.codes, m.given, m.length, m.failed = vectors.New(meaning.Dimensions, maxBytes), map[int]*vectors.Memory{}, length, nil
		m.filled, m.now, m.seen, m.looked = make(chan struct{}), 0, nil, time.Time{}
		go f.readAll(context.WithoutCancel(ctx), m.codes, m.given, m.filled)
	}
	filled := m.filled
	m.mutex.Unlock()
	select {
	case <-filled:
		m.mutex.Lock()
		defer m.mutex.Unlock()
		if m.failed != nil {
			m.filled = nil // the next question begins anew
		}
		return m.failed == nil, m.failed
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(fillTime):
		return false, nil
	}
}

// readAll reads the vectors of all passages.
func (f *Finder) readAll(ctx context.Context, codes *vectors.Memory, given map[int]*vectors.Memory, done chan struct{}) {
	err := f.page(ctx, func() error { // from now on changes count
		now, _, err := f.changes(ctx, endOfTime)
		f.kept.now = now
		return err
	})
	for _, kind := range passages.Kinds {
		for before := lastKey; err == nil && before != ""; {
			err = f.page(ctx, func() error {
				values := cypher.Parameters{"before": before, "limit": maxFilled, "embedding": nil}
				before, err = f.vectors(ctx, cypher.Rendered("passages_to_compare", cypher.Label(kind)), values, codes, given)
				return err
			})
		}
	}
	f.kept.mutex.Lock()
	defer f.kept.mutex.Unlock()
	f.kept.failed = err
	close(done)
}

// endOfTime is after all that is noted, and lastKey after all keys.
const (
	endOfTime = 1<<63 - 1
	lastKey   = "\U0010FFFF"
)

// page reads and takes in a part, with no changes between: of two of one record the last read must be taken in last.
func (f *Finder) page(ctx context.Context, read func() error) error {
	f.kept.mutex.Lock()
	defer f.kept.mutex.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return read()
}

// look takes in what changed since it looked last.
func (f *Finder) look(ctx context.Context) error {
	m := &f.kept
	now, all, err := f.changes(ctx, m.now-longestWrite.Milliseconds())
	if err != nil {
		return err
	}
	nodes := map[int64]bool{}
	for c, changed := range all {
		if _, seen := m.seen[c]; seen {
			continue
		}
		for _, node := range changed {
			if id, ok := node.(int64); ok {
				nodes[id] = true
			}
		}
	}
	for some := range slices.Chunk(slices.Collect(maps.Keys(nodes)), maxFilled) {
		if _, err := f.vectors(ctx, cypher.Named("changed_passages"), cypher.Parameters{"nodes": some, "embedding": nil}, m.codes, m.given, some...); err != nil {
			return err
		}
	}
	m.now, m.looked, m.seen = now, time.Now(), all
	if time.Since(m.trimmed) > time.Hour {
		m.trimmed = time.Now()
		return f.Command(ctx, f.WriteQuery(cypher.Named("trim_passage_changes"), cypher.Parameters{"before": now - keptChanges.Milliseconds()}))
	}
	return nil
}

// changes reads what was noted since a time, and the time of the server.
func (f *Finder) changes(ctx context.Context, since int64) (now int64, all map[change][]any, err error) {
	all = map[change][]any{}
	err = f.Each(ctx, f.Query(cypher.Named("passage_changes"), cypher.Parameters{"since": since}), func(row *bolt.Fields) {
		now = bolt.Required[int64](row, "now")
		for _, noted := range bolt.List[[]any](row, "changes") {
			if one, ok := noted[0].(int64); ok { // else there was none
				at, _ := noted[1].(int64)
				nodes, _ := noted[2].([]any)
				all[change{one, at}] = nodes
			}
		}
	})
	return now, all, err
}

// vectors reads those of records into memory, in the place of those that it had of them and of others that may be gone,
// and answers the last key where keys are read, "" for none.
func (f *Finder) vectors(
	ctx context.Context, asked cypher.Statement, values cypher.Parameters, codes *vectors.Memory, given map[int]*vectors.Memory, others ...int64,
) (last string, err error) {
	if f.kept.length > 0 {
		values["embedding"] = settings.VectorProperty(f.kept.length)
	}
	rows, err := bolt.Read(store.Unmetered(ctx), f.Connection, f.Query(asked, values), func(row *bolt.Fields) *bolt.Fields { return row })
	if err != nil {
		return "", err
	}
	records := memory.Mapped(others, func(node int64) uint64 { return uint64(node) })
	var entries []vectors.Entry
	embeddings := map[int][]vectors.Entry{}
	for _, row := range rows {
		last, _ = row.Node.Props["key"].(string)
		record := uint64(bolt.Required[int64](row, "node"))
		records = append(records, record)
		for _, p := range bolt.List[[]any](row, "passages") {
			id, _ := p[0].(int64)
			owner, _ := p[2].(string)
			code, _ := p[3].([]byte)
			embedding, _ := p[4].([]byte)
			number, _ := p[1].(int64)
			words, _ := p[5].(string)
			e := vectors.Entry{ID: id, Record: record, Number: int32(number), Code: vectors.CodeIn(code), Words: lexical.Hashes(words)}
			e.Marks, e.At = marksOf(strings.Fields(owner))
			if len(code) == 0 { // of an unknown text: it has words all the same
				e.Code = make([]int8, meaning.Dimensions)
			}
			entries = append(entries, e)
			e.Code = nil
			if number == 0 {
				e.Code = vectors.Code(embeddingIn(row.Node.Props["embedding"]))
				embeddings[len(e.Code)] = append(embeddings[len(e.Code)], e)
			}
			if len(e.Code) != len(embedding) {
				e.Code = vectors.CodeIn(embedding)
				embeddings[len(e.Code)] = append(embeddings[len(e.Code)], e)
			}
		}
		if row.Err != nil {
			return "", row.Err
		}
	}
	codes.Replace(records, entries)
	for length := range embeddings {
		if length > 0 && given[length] == nil {
			given[length] = vectors.New(length, maxBytes)
		}
	}
	for length, memory := range given {
		memory.Replace(records, embeddings[length])
	}
	return last, nil
}

// embeddingIn is that of an episode, nil where there is none that can be read: of that the examination tells.
func embeddingIn(property any) (vector []float32) {
	numbers, _ := property.([]any)
	for _, number := range numbers {
		x, ok := number.(float64)
		if !ok {
			return nil
		}
		vector = append(vector, float32(x))
	}
	return vector
}

// marksOf are the codes and marks of a passage's owner as the memory compares them, and the day of its record.
func marksOf(codes []string) (marks vectors.Marks, day time.Time) {
	places := map[byte]int{'o': 0, 'a': 1, 't': 2, 's': 3, 'u': 4}
	for _, code := range codes {
		if code[0] == 'd' {
			day = timeOf(code)
			continue
		}
		if place, known := places[code[0]]; known && len(code) > 8 {
			number, _ := strconv.ParseUint(code[1:9], 16, 32)
			marks[place] = uint32(number)
		}
	}
	return marks, day
}

// timeOf is the beginning of a day as dayOf writes it; zero for none.
func timeOf(day string) time.Time {
	if day == "" {
		return time.Time{}
	}
	number, _ := strconv.ParseInt(day[1:], 10, 64)
	return time.Unix((number-beforeYears)*86400, 0).UTC()
}
