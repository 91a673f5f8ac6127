package room

import (
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
	s.endOne(places)
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
	for places, waiting := range s.waiting {
		for range min(waiting, len(s.writing)) {
			s.endOne(places)
		}
	}
	if s.looking = s.waiting[true]+s.waiting[false] > 0; s.looking {
		time.AfterFunc(lookEvery, s.look)
	}
}

// endOne ends the answer that is longest overdue.
func (s *slow) endOne(places bool) {
	var longest *Pass
	for p, w := range s.writing {
		if (places && w.place || !places && w.bytes) && w.due.Before(time.Now()) && (longest == nil || w.due.Before(s.writing[longest].due)) {
			longest = p
		}
	}
	if longest != nil {
		s.writing[longest].end()
		delete(s.writing, longest)
	}
}
