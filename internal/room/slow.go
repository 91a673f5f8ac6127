package room

import (
	"slices"
	"sync"
	"time"
)

// A client may take its answer as slowly as it likes, until others wait for the room that it takes. Then the answer
// is ended that is longest overdue: after a second, and a second more for each pacePerSecond bytes of it.
const (
	patience      = time.Second
	pacePerSecond = 4 << 20
	lookEvery     = 100 * time.Millisecond
)

// slow knows the answers that are being written.
type slow struct {
	mu      sync.Mutex
	writing map[*Pass]writing
	waiting map[bool]int // for a place, or for a part of the rest
	looking bool         // whether it is looked at again
	looked  int          // at so many answers, for tests
}

type writing struct {
	due   time.Time
	end   func()
	place bool // it has one, so that its end makes room for those who wait for a place
	bytes bool // it has some of the rest, be it beside a place
}

// Writing notes that an answer of so many bytes begins to be written, and how to end that. The pass ends it with Leave.
func (p *Pass) Writing(bytes int64, end func()) {
	p.mu.Lock()
	noted := writing{
		due: time.Now().Add(patience + time.Duration(bytes)*time.Second/pacePerSecond), end: end, place: p.place, bytes: p.bytes > 0,
	}
	p.mu.Unlock()
	s := &p.room.slow
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing == nil {
		s.writing = map[*Pass]writing{}
	}
	s.writing[p] = noted
}

func (s *slow) written(p *Pass) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.writing, p)
}

// hurry ends overdue answers, of those who have a place or bytes of the rest, one for each that waits, until it is stopped.
func (s *slow) hurry(places bool) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = map[bool]int{}
	}
	s.waiting[places]++
	if places {
		s.endOverdue(1, 0)
	} else {
		s.endOverdue(0, 1)
	}
	if !s.looking {
		s.looking = true
		time.AfterFunc(lookEvery, s.look)
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waiting[places]--
	}
}

// look ends overdue answers while somebody waits.
func (s *slow) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endOverdue(s.waiting[true], s.waiting[false])
	if s.looking = s.waiting[true]+s.waiting[false] > 0; s.looking {
		time.AfterFunc(lookEvery, s.look)
	}
}

// endOverdue ends as many answers as wait for places, and for bytes, those first that are longest overdue. It looks at
// each once, whatever waits, since all who enter and leave wait for it.
func (s *slow) endOverdue(places, bytes int) {
	now := time.Now()
	var overdue []*Pass
	for p, w := range s.writing {
		s.looked++
		if (places > 0 && w.place || bytes > 0 && w.bytes) && w.due.Before(now) {
			overdue = append(overdue, p)
		}
	}
	slices.SortFunc(overdue, func(a, b *Pass) int { return s.writing[a].due.Compare(s.writing[b].due) })
	for _, p := range overdue {
		w := s.writing[p]
		if places > 0 && w.place || bytes > 0 && w.bytes {
			w.end()
			delete(s.writing, p)
			if w.place {
				places--
			}
			if w.bytes {
				bytes--
			}
		}
	}
}
