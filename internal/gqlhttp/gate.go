package gqlhttp

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"mneme/memory"
)

// gate bounds the memory of all requests together. One that is estimated to be small takes one of many equal
// places, which are soon free again. Others share a room of bytes by estimate, so that some wait; a small one
// never waits for those. What a request takes in truth is counted while it is answered: beyond its estimate it
// needs more of the room, and where there is none now, it begins again with all of it to itself.
type gate struct {
	small, large *semaphore.Weighted
	room         int64         // of the large ones, and so the most that one may have
	wait         time.Duration // at most
}

const (
	// bytesPerField is what a field of an answer takes on average, with what is read for it.
	bytesPerField = 400
	// bytesPerBodyByte is what a byte of a request takes, once it is in variables and on its way to the store.
	bytesPerBodyByte = 3
	// smallRoom is the bytes that a small request may take, and smallAtOnce how many of them there may be.
	smallRoom   = 1 << 20
	smallAtOnce = 64
	// roomStep is how much more a request asks for at once.
	roomStep = 1 << 20
)

// errBusy is answered where a request waited too long.
var errBusy = &memory.Error{
	Code: memory.CodeUnavailable, Message: "the server is busy with large queries; try again, or ask for smaller pages",
}

func newGate(room int64, wait time.Duration) *gate {
	return &gate{small: semaphore.NewWeighted(smallAtOnce), large: semaphore.NewWeighted(room), room: room, wait: wait}
}

// pass is a request's part of the room.
type pass struct {
	gate  *gate
	mu    sync.Mutex
	place bool  // it has one of the places for small requests
	bytes int64 // that it has of the room for large ones
}

// enter waits for room for a request by estimate. The pass must be given back by leave.
func (g *gate) enter(ctx context.Context, bytes int64) (*pass, error) {
	waiting, cancel := context.WithTimeout(ctx, g.wait)
	defer cancel()
	p := &pass{gate: g}
	var err error
	if bytes <= smallRoom {
		p.place = true
		err = g.small.Acquire(waiting, 1)
	} else {
		p.bytes = min(bytes, g.room)
		err = g.large.Acquire(waiting, p.bytes)
	}
	switch {
	case err == nil:
		return p, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default:
		return nil, errBusy
	}
}

// enough is more than any request takes.
const enough = 1 << 62

// has is the bytes that the request may take. Who has the whole room has it whatever they take: the request's
// own limits are what ends it.
func (p *pass) has() int64 {
	switch {
	case p.bytes >= p.gate.room:
		return enough
	case p.place:
		return smallRoom + p.bytes
	default:
		return p.bytes
	}
}

// grow asks for room for so many bytes, without waiting, and answers for how many there is.
func (p *pass) grow(bytes int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	more := min(bytes-p.has()+roomStep, p.gate.room-p.bytes)
	if more > 0 && p.gate.large.TryAcquire(more) {
		p.bytes += more
	}
	return p.has()
}

// keep gives back all but so many bytes, which is what an answer takes until its client has got it.
func (p *pass) keep(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes > bytes {
		p.gate.large.Release(p.bytes - bytes)
		p.bytes = bytes
	}
}

// leave gives everything back; a nil pass has nothing.
func (p *pass) leave() {
	if p == nil {
		return
	}
	p.keep(0)
	if p.place {
		p.place = false
		p.gate.small.Release(1)
	}
}
