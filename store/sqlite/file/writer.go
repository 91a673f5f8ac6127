package file

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"mneme/store"
	"mneme/store/sqlite/db"
)

// writer is a tenant's one connection that writes. It commits what waits together, as most of a commit is waiting for
// the disk. Each write has its own savepoint, so that it fails alone; all are acknowledged after the commit.
type writer struct {
	conn    *db.Conn
	jobs    chan *job
	stop    chan struct{}
	stopped chan struct{}
	place   place
	options Options
	idle    *time.Timer   // until nothing was written for so long that the file may be vacuumed
	pause   time.Duration // how long that is
	others  int64         // how the file was when that was last looked at, but for what this writer wrote
}

// maxGroup is how many writes share a commit. More would make the first wait too long.
const maxGroup = 128

// job is a write that waits for its commit.
type job struct {
	ctx    context.Context // its caller's
	do     func(*db.Tx) error
	taken  atomic.Bool // by the writer, or back by its caller, whichever was first
	result chan error
	err    error // of do
}

func startWriter(c *db.Conn, at place, options Options) *writer {
	w := &writer{
		conn: c, jobs: make(chan *job), stop: make(chan struct{}), stopped: make(chan struct{}),
		place: at, options: options, idle: time.NewTimer(options.Idle), pause: options.Idle,
	}
	go w.run()
	return w
}

// write runs a write in a transaction and returns when it is on disk. A context that ends before the
// write began takes it back; one that ends later changes nothing any more.
func (w *writer) write(ctx context.Context, do func(*db.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{ctx: ctx, do: do, result: make(chan error, 1)}
	select {
	case w.jobs <- j:
	case <-w.stop:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-j.result:
		return err
	case <-ctx.Done():
		if j.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-j.result
	}
}

func (w *writer) run() {
	defer close(w.stopped)
	w.othersWrote()
	for {
		select {
		case first := <-w.jobs:
			w.commit(w.gather(first))
		case <-w.idle.C:
			w.vacuumIdle()
		case <-w.stop:
			return
		}
	}
}

// gather takes the writes that wait already.
func (w *writer) gather(first *job) []*job {
	group := []*job{first}
	for len(group) < maxGroup {
		select {
		case next := <-w.jobs:
			group = append(group, next)
		default:
			return group
		}
	}
	return group
}

// commit runs a group in one transaction and tells each what became of it.
func (w *writer) commit(group []*job) {
	err := w.transaction(group)
	for _, j := range group {
		if err != nil {
			j.err = err
		}
		j.result <- j.err
	}
	w.idle.Reset(w.pause)
}

// transaction answers an error where nothing of the group was written; else each job has its own. What was committed to
// a file that was removed meanwhile is not written either.
func (w *writer) transaction(group []*job) (err error) {
	if err := w.place.check(); err != nil {
		return err
	}
	if err := w.conn.Exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = w.conn.Exec(`ROLLBACK`) // after some faults SQLite has done so by itself
		}
		w.conn.CountStatements(w.options.Observer)
	}()
	for _, j := range group {
		if !j.taken.CompareAndSwap(false, true) {
			continue
		}
		if err := w.apply(j, len(group) == 1); err != nil {
			return err
		}
	}
	end := store.Begin(context.Background(), w.options.Observer, store.Commit)
	err = w.conn.Exec(`COMMIT`)
	if end(err); err != nil {
		return err
	}
	return w.place.check()
}

// apply runs a job. It answers an error where the whole transaction is lost, as with a full disk. A job that has the
// transaction to itself needs no savepoint, for which SQLite keeps a copy of each page that changes.
func (w *writer) apply(j *job, alone bool) error {
	if alone {
		j.err = j.attempt(w.conn)
		return j.err
	}
	if err := w.conn.Exec(`SAVEPOINT job`); err != nil {
		return err
	}
	if j.err = j.attempt(w.conn); j.err != nil {
		if err := w.conn.Exec(`ROLLBACK TO job`); err != nil {
			return errors.Join(j.err, err)
		}
	}
	return w.conn.Exec(`RELEASE job`)
}

// attempt runs the job's function. A panic there is an error of this job, since the writer is everyone's.
func (j *job) attempt(c *db.Conn) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("sqlite: a write panicked: %v\n%s", cause, debug.Stack())
		}
	}()
	return db.Write(j.ctx, c, j.do)
}

// close lets a commit that is under way finish, and closes the connection.
func (w *writer) close() error {
	close(w.stop)
	<-w.stopped
	w.idle.Stop()
	return w.conn.Close()
}
