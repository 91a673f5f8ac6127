package bolt

import "sync"

// crew does together what callers wait for at the same time: what comes while some of it is under way goes with the
// next. Where none is, nobody waits.
type crew[C any] struct {
	mu       sync.Mutex
	underWay int
	waiting  []C
}

// call lets a call wait, and has work begin where fewer than most are under way, and more wait than a reserve for each
// of those. Take says which of those that wait go together, and which stay.
func (c *crew[C]) call(one C, reserve, most int, take func(waiting []C) (together, later []C), do func(together []C)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, one)
	if len(c.waiting) > c.underWay*reserve && c.underWay < most {
		c.underWay++
		go c.work(take, do)
	}
}

// work does what waits until nothing does.
func (c *crew[C]) work(take func(waiting []C) (together, later []C), do func(together []C)) {
	for {
		c.mu.Lock()
		if len(c.waiting) == 0 {
			c.underWay--
			c.mu.Unlock()
			return
		}
		var together []C
		together, c.waiting = take(c.waiting)
		c.mu.Unlock()
		do(together)
	}
}
