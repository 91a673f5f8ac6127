package vectors

import (
	"context"
	"slices"
	"sync"

	"mneme/store/sqlite/db"
)

const (
	// mostBytes is about how much of a file is in memory: of vectors of 384 numbers 1,000,000, of 1,536 300,000, those recorded last.
	mostBytes = 64_000_000
	// spareOf is the share by which it may be more until the first are left out.
	spareOf = 8

	// sampled is how many vectors tell the centre. When there are outgrown times as many as then, it is told anew.
	sampled, outgrown = 1024, 8
)

// signs are those of the vectors of a file, in memory, by their episodes. What is in episodes is never changed, only added to, for guesses have it
// when the mutex is free again.
type signs struct {
	mutex    sync.RWMutex
	space    *space // nil where nothing was read yet
	last     int64  // the latest change that was read
	centred  int    // how many there were when the centre was told
	left     bool   // some were left out
	episodes []int64
	bits     []uint64
	told     []told
}

// vector is one that was read.
type vector struct {
	episode int64
	bits    []uint64
	told
	gone bool // it was taken away
}

func (s *signs) most() int { return mostBytes / (8*s.space.words() + 16) }

func (s *signs) at(i int) []uint64 {
	words := s.space.words()
	return s.bits[words*i : words*(i+1)]
}

// update reads what changed since the last time; all where that is the first, or more changed than there was. All that are kept have a length.
func (s *signs) update(ctx context.Context, c *db.Conn, length int) error {
	var last int64
	if _, err := c.One(`SELECT coalesce(max(revision), 0) FROM embedding_changes`, func(r *db.Row) { last = r.Integer() }); err != nil {
		return err
	}
	s.mutex.RLock()
	current := s.space != nil && len(s.space.centre) == length && s.last >= last
	s.mutex.RUnlock()
	if current {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.space == nil || len(s.space.centre) != length || last-s.last > int64(max(len(s.episodes), sampled)) {
		return s.load(ctx, c, length, last)
	}
	changed, err := s.changes(ctx, c)
	if err != nil {
		return err
	}
	s.take(changed)
	if s.last = max(s.last, last); len(s.episodes) > outgrown*max(s.centred, sampled) {
		return s.load(ctx, c, length, last)
	}
	return nil
}

// Forget has all read anew by the next who compares, as most of what is in memory was deleted.
func Forget(c *db.Conn) {
	s := db.Kept[signs](c)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.drop()
}

func (s *signs) drop() { s.space, s.episodes, s.bits, s.told = nil, nil, nil, nil }

// load reads all, or as many of the latest as may be in memory. It goes on where the caller gives up, or whoever asks next would begin anew and
// give up, too.
func (s *signs) load(ctx context.Context, c *db.Conn, length int, last int64) error {
	s.drop()
	space, err := spaceOf(c, length)
	if err != nil || space == nil {
		return err
	}
	read := signs{space: space, last: last}
	most := read.most()
	unit, bits := make([]float64, length), make([]uint64, space.words())
	rows := 0
	err = c.Search(context.WithoutCancel(ctx), `SELECT episode, vector FROM embeddings ORDER BY episode DESC LIMIT :most`, func(r *db.Row) error {
		episode := r.Integer()
		if rows++; rows > most {
			read.left = true
		} else if decode(r.Blob(), unit) {
			told := space.tell(unit, bits)
			read.episodes, read.bits, read.told = append(read.episodes, episode), append(read.bits, bits...), append(read.told, told)
		}
		return nil
	}, db.Arg("most", most+1))
	if err != nil {
		return err
	}
	read.reverse()
	read.centred = len(read.episodes)
	s.space, s.last, s.centred, s.left = read.space, read.last, read.centred, read.left
	s.episodes, s.bits, s.told = read.episodes, read.bits, read.told
	return nil
}

// reverse turns the order of all around.
func (s *signs) reverse() {
	slices.Reverse(s.episodes)
	slices.Reverse(s.told)
	slices.Reverse(s.bits)
	for i := range s.episodes {
		slices.Reverse(s.at(i))
	}
}

// spaceOf is told by some of all vectors, one of each so many; nil where there is none.
func spaceOf(c *db.Conn, length int) (*space, error) {
	const read = `WITH RECURSIVE ends (first, last) AS (SELECT (SELECT min(episode) FROM embeddings), (SELECT max(episode) FROM embeddings)),
			places (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place + 1 < :places)
		SELECT v.episode, v.vector FROM ends CROSS JOIN places CROSS JOIN embeddings v ON v.episode =
			(SELECT episode FROM embeddings WHERE episode >= ends.first + (ends.last - ends.first) * place / :places ORDER BY episode LIMIT 1)`
	var some [][]float64
	var before int64
	err := c.Query(read, func(r *db.Row) error {
		episode, unit := r.Integer(), make([]float64, length)
		if decode(r.Blob(), unit) && episode != before {
			some = append(some, unit)
		}
		before = episode
		return nil
	}, db.Arg("places", sampled))
	if err != nil || len(some) == 0 {
		return nil, err
	}
	return newSpace(some), nil
}

// changes reads the vectors that changed, by episode.
func (s *signs) changes(ctx context.Context, c *db.Conn) (changed []vector, err error) {
	const find = `SELECT x.episode, v.vector FROM embedding_changes x LEFT JOIN embeddings v ON v.episode = x.episode WHERE x.revision > :last`
	unit := make([]float64, len(s.space.centre))
	err = c.Search(ctx, find, func(r *db.Row) error {
		v := vector{episode: r.Integer()}
		if v.gone = !decode(r.Blob(), unit); !v.gone {
			v.bits = make([]uint64, s.space.words())
			v.told = s.space.tell(unit, v.bits)
		}
		changed = append(changed, v)
		return nil
	}, db.Arg("last", s.last))
	slices.SortFunc(changed, func(a, b vector) int { return int(a.episode - b.episode) })
	return changed, err
}

// take takes in vectors that changed, by episode, each once. Only where one came or went among the others are these copied.
func (s *signs) take(changed []vector) {
	var among []vector
	for _, v := range changed {
		switch at, known := slices.BinarySearch(s.episodes, v.episode); {
		case known && !v.gone:
			copy(s.at(at), v.bits)
			s.told[at] = v.told
		case at == len(s.episodes):
			s.add(v)
		case known || !v.gone:
			among = append(among, v)
		}
	}
	if len(among) > 0 {
		s.merge(among)
	}
	if most := s.most(); len(s.episodes) > most+most/spareOf {
		first := len(s.episodes) - most
		s.episodes, s.told = slices.Clone(s.episodes[first:]), slices.Clone(s.told[first:])
		s.bits, s.left = slices.Clone(s.bits[first*s.space.words():]), true
	}
}

func (s *signs) add(v vector) {
	if !v.gone {
		s.episodes, s.bits, s.told = append(s.episodes, v.episode), append(s.bits, v.bits...), append(s.told, v.told)
	}
}

// merge takes in what came and went among what is there. What lies between two of these is copied at once, in a fifth of the time.
func (s *signs) merge(changed []vector) {
	old := signs{space: s.space, episodes: s.episodes, bits: s.bits, told: s.told}
	size := len(old.episodes) + len(changed)
	s.episodes, s.bits, s.told = make([]int64, 0, size), make([]uint64, 0, size*s.space.words()), make([]told, 0, size)
	from := 0
	for _, v := range changed {
		between, known := slices.BinarySearch(old.episodes[from:], v.episode)
		s.addAll(&old, from, from+between)
		if from += between; known {
			from++
		}
		s.add(v)
	}
	s.addAll(&old, from, len(old.episodes))
}

// addAll adds those of others from a place to another.
func (s *signs) addAll(others *signs, from, to int) {
	words := s.space.words()
	s.episodes, s.told = append(s.episodes, others.episodes[from:to]...), append(s.told, others.told[from:to]...)
	s.bits = append(s.bits, others.bits[words*from:words*to]...)
}
