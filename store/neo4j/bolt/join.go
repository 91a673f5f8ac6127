package bolt

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"mneme/store"
)

// Joiner writes together what is recorded at the same time. A transaction costs the server several times what one
// record in it does, and much of that is the commit; so what is to be recorded while transactions are under way goes
// with the next, all at once. Where none is, nobody waits. Each call is written whole or not at all, and is answered
// after the commit.
type Joiner[R any] struct {
	// Write records in one transaction, and answers for each record.
	Write func(ctx context.Context, records []R) ([]store.Recorded, error)

	mu       sync.Mutex
	underWay int
	waiting  []*joined[R]
}

const (
	// mostJoining is how many transactions of a joiner there may be at once: while some commit, or wait for a lock that
	// a deletion has, others go on.
	mostJoining = 4
	// mostJoined is how many records one transaction joins. A call with more is a batch of its own.
	mostJoined = 200
)

// joined is a call that waits for its transaction.
type joined[R any] struct {
	ctx      context.Context // lives as long as the call, whose context it is
	records  []R
	recorded []store.Recorded
	err      error
	taken    bool // its transaction began
	done     chan struct{}
}

// Record writes records, or returns the context's error. A call whose context ends before its transaction began is
// not written; after that the call waits for the transaction, which ends no later than the context's deadline: what is
// under way when a client hears that it failed could come after what the client does next, a deletion of the same say.
func (j *Joiner[R]) Record(ctx context.Context, records []R) ([]store.Recorded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(records) > mostJoined/2 {
		return j.Write(ctx, records)
	}
	call := &joined[R]{ctx: ctx, records: records, done: make(chan struct{})}
	j.mu.Lock()
	j.waiting = append(j.waiting, call)
	if j.underWay < mostJoining {
		j.underWay++
		go j.work()
	}
	j.mu.Unlock()
	select {
	case <-call.done:
	case <-ctx.Done():
		if j.leave(call) {
			return nil, ctx.Err()
		}
		<-call.done
	}
	return call.recorded, call.err
}

// leave takes a call back whose transaction did not begin.
func (j *Joiner[R]) leave(call *joined[R]) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = slices.DeleteFunc(j.waiting, func(waiting *joined[R]) bool { return waiting == call })
	return !call.taken
}

// work writes what waits until nothing does.
func (j *Joiner[R]) work() {
	for {
		calls := j.take()
		if calls == nil {
			return
		}
		j.writeTogether(calls)
		for _, call := range calls {
			close(call.done)
		}
	}
}

// take takes what goes into the next transaction, in the order in which it came, or gives up the place where nothing waits.
func (j *Joiner[R]) take() []*joined[R] {
	j.mu.Lock()
	defer j.mu.Unlock()
	taken, records := 0, 0
	for taken < len(j.waiting) && (taken == 0 || records+len(j.waiting[taken].records) <= mostJoined) {
		records += len(j.waiting[taken].records)
		j.waiting[taken].taken = true
		taken++
	}
	if taken == 0 {
		j.underWay--
		return nil
	}
	calls := slices.Clone(j.waiting[:taken])
	j.waiting = slices.Delete(j.waiting, 0, taken)
	return calls
}

// writeTogether writes calls in one transaction. Where that fails for what one of them may be the cause of, each is
// written alone.
func (j *Joiner[R]) writeTogether(calls []*joined[R]) {
	if len(calls) == 1 {
		calls[0].writeAlone(j.attempt)
		return
	}
	var records []R
	for _, call := range calls {
		records = append(records, call.records...)
	}
	askers := make([]context.Context, len(calls))
	for i, call := range calls {
		askers[i] = call.ctx
	}
	ctx, cancel := context.WithDeadline(store.OnBehalfOf(context.Background(), askers...), earliestDeadline(calls))
	defer cancel()
	recorded, err := j.attempt(ctx, records)
	if err != nil && !errors.Is(err, store.ErrUnavailable) {
		for _, call := range calls {
			call.writeAlone(j.attempt)
		}
		return
	}
	for _, call := range calls {
		if call.err = err; err == nil {
			call.recorded, recorded = recorded[:len(call.records):len(call.records)], recorded[len(call.records):]
		}
	}
}

// earliestDeadline is when the first of the calls must be answered.
func earliestDeadline[R any](calls []*joined[R]) time.Time {
	earliest := time.Now().Add(WriteTime)
	for _, call := range calls {
		if deadline, has := call.ctx.Deadline(); has && deadline.Before(earliest) {
			earliest = deadline
		}
	}
	return earliest
}

func (j *Joiner[R]) attempt(ctx context.Context, records []R) ([]store.Recorded, error) {
	return withoutPanic(func() ([]store.Recorded, error) { return j.Write(ctx, records) })
}

func (c *joined[R]) writeAlone(write func(context.Context, []R) ([]store.Recorded, error)) {
	if c.err = c.ctx.Err(); c.err == nil {
		c.recorded, c.err = write(c.ctx, c.records)
	}
}
