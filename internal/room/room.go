// Package room bounds the memory of all requests together while they are answered, whichever door they came by.
package room

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"mneme/internal/inbound"
	"mneme/memory"
)

// Room is shared by requests. One that is estimated to be small takes one of many equal places, which are soon free
// again. Others share bytes by estimate, so that some wait; a small one never waits for those. What a request really
// takes is counted while it is answered: where it needs more than was estimated and there is no room left, it begins
// again with the whole room.
type Room struct {
	small, large *semaphore.Weighted
	bytes        int64         // of the large ones, and so the most that one may have
	wait         time.Duration // at most
	slow         slow
	// OnRefusal is told of each request for which there was no room in time; nil for nobody. It must not wait.
	OnRefusal func()
}

const (
	// PerBodyByte is what a byte of a request takes, once it is in variables and on its way to the store.
	PerBodyByte = 3
	// smallBytes is what a small request may take, and smallAtOnce how many of them there may be.
	smallBytes  = 1 << 20
	smallAtOnce = 64
	// step is how much more a request asks for at once.
	step = 1 << 20
)

// The defaults of New.
const (
	defaultBytes = 64 << 20
	defaultWait  = 10 * time.Second
)

// ErrBusy is answered where a request waited too long.
var ErrBusy = &memory.Error{
	Code: memory.CodeUnavailable, Message: "the server is busy with large requests; try again, or ask for less at once",
}

// New makes a room of so many bytes for large requests, which wait at most so long for their part; 64 MiB and 10 s
// where they are zero.
func New(bytes int64, wait time.Duration) *Room {
	if bytes == 0 {
		bytes = defaultBytes
	}
	if wait == 0 {
		wait = defaultWait
	}
	return &Room{small: semaphore.NewWeighted(smallAtOnce), large: semaphore.NewWeighted(bytes), bytes: bytes, wait: wait}
}

// Within answers a request once there is room for so many bytes. Where answer fails with starved, because the room was
// too small, a repeatable request begins again as soon as it can have the whole room. The caller gives the pass back
// when the answer is written; it is nil where none was granted.
func (r *Room) Within(ctx context.Context, bytes int64, repeatable bool, starved error, answer func(*Pass) error) (pass *Pass, err error) {
	if pass, err = r.Enter(ctx, bytes); err != nil {
		return nil, err
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			pass.Leave()
			panic(panicked)
		}
	}()
	if err = answer(pass); !repeatable || !errors.Is(err, starved) {
		return pass, err
	}
	pass.Leave()
	if pass, err = r.Enter(ctx, r.bytes); err != nil {
		return nil, err
	}
	return pass, answer(pass)
}

// Pass is a request's part of the room.
type Pass struct {
	room  *Room
	mu    sync.Mutex
	place bool  // it has one of the places for small requests
	bytes int64 // that it has of the room for large ones
}

// Enter waits for room for a request by estimate. The pass must be given back by Leave.
func (r *Room) Enter(ctx context.Context, bytes int64) (*Pass, error) {
	waiting, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	p := &Pass{room: r}
	var err error
	if bytes <= smallBytes {
		p.place = true
		err = r.acquire(waiting, r.small, 1)
	} else {
		p.bytes = min(bytes, r.bytes)
		err = r.acquire(waiting, r.large, p.bytes)
	}
	switch {
	case err == nil:
		return p, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default:
		if r.OnRefusal != nil {
			r.OnRefusal()
		}
		return nil, ErrBusy
	}
}

// acquire waits for a part of the room. Who does not take their answer makes room meanwhile.
func (r *Room) acquire(ctx context.Context, of *semaphore.Weighted, part int64) error {
	if of.TryAcquire(part) {
		return nil
	}
	stop := r.slow.hurry(of == r.small)
	defer stop()
	return inbound.Waiting(ctx, func() error { return of.Acquire(ctx, part) })
}

// enough is more than any request takes.
const enough = 1 << 62

// Has is how many bytes the request may take; one with the whole room is bounded by its own limits alone.
func (p *Pass) Has() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.has()
}

func (p *Pass) has() int64 {
	switch {
	case p.bytes >= p.room.bytes:
		return enough
	case p.place:
		return smallBytes + p.bytes
	default:
		return p.bytes
	}
}

// Grow asks for room for so many bytes, without waiting, and answers for how many there is.
func (p *Pass) Grow(bytes int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	more := min(bytes-p.has()+step, p.room.bytes-p.bytes)
	if more > 0 && p.room.large.TryAcquire(more) {
		p.bytes += more
	}
	return p.has()
}

// Keep gives back all but so many bytes, which is what an answer takes until its client has got it. What a place
// covers of them is given back too.
func (p *Pass) Keep(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.place {
		bytes = max(bytes-smallBytes, 0)
	}
	if p.bytes > bytes {
		p.room.large.Release(p.bytes - bytes)
		p.bytes = bytes
	}
}

// Leave gives everything back; a nil pass has nothing.
func (p *Pass) Leave() {
	if p == nil {
		return
	}
	p.room.slow.written(p)
	p.Keep(0)
	if p.place {
		p.place = false
		p.room.small.Release(1)
	}
}
