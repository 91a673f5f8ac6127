package vectors

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"time"
)

// Marks are what a filter asks of a passage without reading it, as hashes of the caller's; 0 where there is nothing.
type Marks [5]uint32

// Entry is the vector of a passage.
type Entry struct {
	ID     int64  // the passage's own, not negative
	Record uint64 // that of all passages of a record
	Marks  Marks
	At     time.Time // that of its record
	Code   []int8
	// Number is its place in the record. Words are its stems (see lexical.Hash), in any order; nil where none were given.
	Number int32
	Words  []uint32
}

// Memory holds vectors of one length. It is safe for concurrent use.
type Memory struct {
	dimensions, words int // of a code, and of its signs
	maxBytes          int

	mutex sync.RWMutex
	columns
	left bool
}

// columns hold the entries, each at a place in all of them.
type columns struct {
	ids     []int64 // gone where one was removed
	records []uint64
	marks   []Marks
	times   []int64
	signs   []uint64
	codes   []int8
	numbers []int32
	stems   []uint32
	ends    []uint32         // of the stems of each
	with    map[uint32]int32 // how many entries have a word
	before  []int32          // the place of the record's entry before, −1 for none
	last    map[uint64]int32 // the place of the last entry of each record
	removed int
}

func newColumns() columns { return columns{with: map[uint32]int32{}, last: map[uint64]int32{}} }

// gone is the id of none.
const gone = -1

// overhead is about what an entry takes beside its code, signs and words, in bytes.
const overhead = 72

// New makes an empty memory for vectors of a length, of at most about so many bytes.
func New(dimensions, maxBytes int) *Memory {
	words := (dimensions + 63) / 64
	return &Memory{
		dimensions: dimensions, words: words, maxBytes: maxBytes, columns: newColumns(),
	}
}

// Len is how many vectors it holds.
func (m *Memory) Len() int {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return len(m.ids) - m.removed
}

// LeftOut says whether some were left out because there was no room for them; the newest stay.
func (m *Memory) LeftOut() bool {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.left
}

// Add takes in vectors. Those of another length are passed over.
func (m *Memory) Add(entries ...Entry) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.add(entries)
}

// Replace removes all of some records and takes in what takes their place, at once.
func (m *Memory) Replace(records []uint64, entries []Entry) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, record := range records {
		place, known := m.last[record]
		for known && place >= 0 {
			m.remove(place)
			place = m.before[place]
		}
		delete(m.last, record)
	}
	m.add(entries)
}

// Remove takes vectors out by the ids of their passages; of those that are not there it takes out nothing.
func (m *Memory) Remove(ids ...int64) {
	gone := make(map[int64]bool, len(ids))
	for _, id := range ids {
		gone[id] = true
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for i, id := range m.ids {
		if gone[id] {
			m.remove(int32(i))
		}
	}
	m.tidy()
}

func (m *Memory) add(entries []Entry) {
	for _, e := range entries {
		if len(e.Code) == m.dimensions {
			m.append(&e)
			m.count(len(m.ids)-1, 1)
		}
	}
	m.tidy()
}

func (m *columns) append(e *Entry) {
	before, known := m.last[e.Record]
	if !known {
		before = -1
	}
	m.last[e.Record] = int32(len(m.ids))
	m.ids, m.records, m.marks, m.times = append(m.ids, e.ID), append(m.records, e.Record), append(m.marks, e.Marks), append(m.times, e.At.UnixMilli())
	m.before, m.codes, m.signs = append(m.before, before), append(m.codes, e.Code...), appendSigns(m.signs, e.Code)
	m.numbers, m.stems = append(m.numbers, e.Number), append(m.stems, e.Words...)
	m.ends = append(m.ends, uint32(len(m.stems)))
}

// count counts the entry at a place, or no longer does, with each word that it has.
func (m *columns) count(place int, by int32) {
	words := m.wordsAt(place)
	for i, word := range words {
		if !slices.Contains(words[:i], word) {
			if m.with[word] += by; m.with[word] == 0 {
				delete(m.with, word)
			}
		}
	}
}

func (m *columns) wordsAt(place int) []uint32 {
	from := uint32(0)
	if place > 0 {
		from = m.ends[place-1]
	}
	return m.stems[from:m.ends[place]]
}

// at is the entry at a place.
func (m *columns) at(place, dimensions int) Entry {
	return Entry{
		ID: m.ids[place], Record: m.records[place], Marks: m.marks[place], At: time.UnixMilli(m.times[place]), Number: m.numbers[place],
		Code: m.codes[place*dimensions:][:dimensions], Words: m.wordsAt(place),
	}
}

func (m *columns) remove(place int32) {
	if m.ids[place] != gone {
		m.ids[place] = gone
		m.removed++
		m.count(int(place), -1)
	}
}

// tidy drops the oldest where there are too many, and frees what was removed, each when that is worth the work.
func (m *Memory) tidy() {
	from := int64(-1 << 63) // the oldest time that stays
	each := m.dimensions + 8*m.words + overhead + 4*len(m.stems)/max(1, len(m.ids))
	most := max(1, m.maxBytes/each)
	switch there := len(m.ids) - m.removed; {
	case there > most+most/8:
		times := make([]int64, 0, there)
		for i, id := range m.ids {
			if id != gone {
				times = append(times, m.times[i])
			}
		}
		slices.Sort(times)
		from, m.left = times[there-most], true
	case m.removed <= len(m.ids)/4:
		return
	}
	old := m.columns
	m.columns = columns{with: old.with, last: make(map[uint64]int32, len(old.last))}
	for i, id := range old.ids {
		switch {
		case id == gone:
		case old.times[i] < from:
			old.count(i, -1)
		default:
			m.append(new(old.at(i, m.dimensions)))
		}
	}
}

// Of are the wanted entries of a record.
func (m *Memory) Of(record uint64, wanted func(*Entry) bool) (all []Entry) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	var e Entry
	for place, known := m.last[record]; known && place >= 0; place = m.before[place] {
		if e = m.at(int(place), m.dimensions); e.ID != gone && wanted(&e) {
			all = append(all, e)
		}
	}
	return all
}

// With is how many entries have a word.
func (m *Memory) With(word uint32) int {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return int(m.with[word])
}

// Near is a passage by the cosine of its vector with that of the question, rounded as codes are, and its words.
type Near struct {
	ID     int64
	Cosine float64
	Words  []uint32
}

// Of the nearest by signs one in comparedOf is compared, but at least leastCompared and at most maxCompared.
const (
	comparedOf, leastCompared, maxCompared = 64, 4000, 16_000
)

// Nearest are the passages nearest to a question of the memory's length, the nearest first, at most so many, of those
// that pass one of the limits; nil lets all pass.
func (m *Memory) Nearest(question []float32, most int, limits []Limits) []Near {
	code := Code(question)
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if len(code) != m.dimensions || most < 1 {
		return nil
	}
	places := m.candidates(appendSigns(nil, code), max(most, leastCompared, min(maxCompared, len(m.ids)/comparedOf)), limits)
	found := make([]near, 0, len(places))
	for _, place := range places {
		if other := m.codes[int(place)*m.dimensions:][:m.dimensions]; slices.ContainsFunc(other, func(x int8) bool { return x != 0 }) {
			found = append(found, near{m.ids[place], Cosine(code, other), place}) // else it has words alone
		}
	}
	slices.SortFunc(found, func(a, b near) int { // the last written first of those that are equally near
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(b.id, a.id))
	})
	all := make([]Near, min(len(found), most))
	for i := range all {
		all[i] = Near{found[i].id, found[i].cosine, m.wordsAt(int(found[i].place))}
	}
	return all
}

type near struct {
	id     int64
	cosine float64
	place  int32
}

// candidates are the places of those whose signs differ in the fewest places, with all that tie with the last.
func (m *Memory) candidates(signs []uint64, most int, limits []Limits) []int32 {
	distances := make([]uint16, len(m.ids))
	counts := make([]int, 64*m.words+1)
	all := boundsOf(limits)
	for i, id := range m.ids {
		if id == gone || limits != nil && !slices.ContainsFunc(all, func(b *bounds) bool { return b.let(&m.marks[i], m.times[i]) }) {
			distances[i] = ^uint16(0)
			continue
		}
		distance := 0
		for j, word := range m.signs[i*m.words:][:m.words] {
			distance += bits.OnesCount64(word ^ signs[j])
		}
		distances[i] = uint16(distance)
		counts[distance]++
	}
	furthest, places := 0, 0
	for furthest < len(counts)-1 && places+counts[furthest] < most {
		places += counts[furthest]
		furthest++
	}
	found := make([]int32, 0, places+counts[furthest])
	for i, distance := range distances {
		if int(distance) <= furthest {
			found = append(found, int32(i))
		}
	}
	return found
}
