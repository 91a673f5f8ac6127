package bolt

import (
	"context"
	"errors"
	"slices"
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

	crew crew[*joined[R]]
}

const (
	// maxJoining is how many transactions of a joiner there may be at once: while some commit, or wait for a lock that
	// a deletion has, others go on.
	maxJoining = 4
	// maxJoined is how many records one transaction joins. A call with more is a batch of its own.
	maxJoined = 200
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
	if len(records) > maxJoined/2 {
		return j.Write(ctx, records)
	}
	call := &joined[R]{ctx: ctx, records: records, done: make(chan struct{})}
	j.crew.call(call, 0, maxJoining, j.take, j.writeTogether)
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
	j.crew.mu.Lock()
	defer j.crew.mu.Unlock()
	j.crew.waiting = slices.DeleteFunc(j.crew.waiting, func(waiting *joined[R]) bool { return waiting == call })
	return !call.taken
}

// take takes what goes into the next transaction, in the order in which it came.
func (j *Joiner[R]) take(waiting []*joined[R]) (together, later []*joined[R]) {
	taken, records := 0, 0
	for taken < len(waiting) && (taken == 0 || records+len(waiting[taken].records) <= maxJoined) {
		records += len(waiting[taken].records)
		waiting[taken].taken = true
		taken++
	}
	return slices.Clone(waiting[:taken]), slices.Delete(waiting, 0, taken)
}

// writeTogether writes calls in one transaction. Where that fails for what one of them may be the cause of, each is
// written alone.
func (j *Joiner[R]) writeTogether(calls []*joined[R]) {
	var records []R
	askers := make([]context.Context, len(calls))
	for i, call := range calls {
		records, askers[i] = append(records, call.records...), call.ctx
	}
	defer func() {
		for _, call := range calls {
			close(call.done)
		}
	}()
	err := error(nil)
	if len(calls) > 1 {
		ctx, cancel := context.WithDeadline(store.OnBehalfOf(context.Background(), askers...), earliestDeadline(calls))
		defer cancel()
		var recorded []store.Recorded
		if recorded, err = j.attempt(ctx, records); err == nil {
			for _, call := range calls {
				call.recorded, recorded = recorded[:len(call.records):len(call.records)], recorded[len(call.records):]
			}
			return
		}
	}
	for _, call := range calls {
		if call.err = err; errors.Is(err, store.ErrUnavailable) {
			continue
		}
		if call.err = call.ctx.Err(); call.err == nil {
			call.recorded, call.err = j.attempt(call.ctx, call.records)
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
