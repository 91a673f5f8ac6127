package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"mneme/store"
)

// Tenant is one tenant's memory in a file of its own, which comes into being with the first write.
type Tenant struct {
	backend *Backend
	path    string

	opened  atomic.Pointer[database]
	opening sync.Mutex
}

var (
	_ store.Store     = (*Tenant)(nil)
	_ store.Learning  = (*Tenant)(nil)
	_ store.Compacter = (*Tenant)(nil)
)

var errClosed = fmt.Errorf("%w: it was closed", store.ErrUnavailable)

// database opens the tenant's file once. Where there is none yet it makes one, or else answers an
// empty database in its place.
func (t *Tenant) database(ctx context.Context, create bool) (*database, error) {
	if db := t.opened.Load(); db != nil && !t.outdated(db, create) {
		return db, nil
	}
	t.opening.Lock()
	defer t.opening.Unlock()
	db := t.opened.Load()
	if db != nil && !t.outdated(db, create) {
		return db, nil
	}
	if t.backend.isClosed() {
		return nil, errClosed
	}
	if _, err := os.Stat(t.path); errors.Is(err, fs.ErrNotExist) && !create {
		return t.backend.nothing, nil
	}
	if db != nil {
		if err := db.close(ctx); err != nil {
			return nil, err
		}
	}
	db, err := openFile(ctx, t.path, t.backend.habits)
	if err != nil {
		return nil, err
	}
	t.opened.Store(db)
	return db, nil
}

// outdated says whether a file that was opened on a disk that could not be written must be opened anew: another
// process has written it meanwhile, or this one is to and can.
func (t *Tenant) outdated(db *database, write bool) bool {
	return db.refusal != nil && (stateOf(t.path) != db.written || write && unwritable(t.backend.dir) == nil)
}

func (t *Tenant) close(ctx context.Context) error {
	t.opening.Lock()
	defer t.opening.Unlock()
	if db := t.opened.Load(); db != nil {
		return db.close(ctx)
	}
	return nil
}

// read runs a read of one statement.
func (t *Tenant) read(ctx context.Context, do func(*conn) error) error {
	for {
		db, err := t.database(ctx, false)
		if err != nil {
			return err
		}
		if err = db.read(ctx, reading(ctx, do)); !errors.Is(err, errClosed) || db.refusal == nil || t.backend.isClosed() {
			return err
		}
		// It was opened anew, to be written, since it was taken.
	}
}

// snapshot runs a read of several statements that see the same state.
func (t *Tenant) snapshot(ctx context.Context, do func(*conn) error) error {
	return t.read(ctx, func(c *conn) (err error) {
		if err := c.exec(`BEGIN`); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.exec(`ROLLBACK`)) }() // also when a panic goes through
		return do(c)
	})
}

// write runs a write: all of it, and durably, or nothing of it.
func (t *Tenant) write(ctx context.Context, do func(*conn) error) error {
	err := t.tryWrite(ctx, do)
	if told := t.backend.onRefusal; told != nil && canBeRead(err) {
		told(err)
	}
	return err
}

// writeTogether is write for many records.
func (t *Tenant) writeTogether(ctx context.Context, do func(*conn) error) error {
	return t.write(ctx, func(c *conn) error { return c.together(do, saveProfiles, countMoved, countStems) })
}

// erase is write for what must leave no trace in the files, once they were vacuumed.
func (t *Tenant) erase(ctx context.Context, do func(*conn) error) error {
	return t.write(ctx, func(c *conn) error {
		if err := do(c); err != nil {
			return err
		}
		return markVacuum(c)
	})
}

// mostInPart bounds how many nodes a part of a deletion deletes, but for a few.
const mostInPart = 1000

// Another process that waits to write asks every 100 ms whether it can.
const (
	restAfter = 100 * time.Millisecond
	rest      = 120 * time.Millisecond
)

// inParts deletes in parts, each a transaction, until one says that it is the last, so that others can write in
// between.
func (t *Tenant) inParts(ctx context.Context, part func(c *conn) (done bool, err error)) error {
	for rested, done := time.Now(), false; !done; {
		if time.Since(rested) > restAfter {
			time.Sleep(rest)
			rested = time.Now()
		}
		err := t.erase(ctx, func(c *conn) (err error) {
			done, err = part(c)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tryWrite writes, or says why that cannot be.
func (t *Tenant) tryWrite(ctx context.Context, do func(*conn) error) error {
	db, err := t.database(ctx, true)
	if err != nil {
		return err
	}
	if db.refusal != nil {
		return db.refusal
	}
	err = db.writer.write(ctx, do)
	if errors.Is(err, context.DeadlineExceeded) && t.isVacuuming(context.WithoutCancel(ctx)) {
		return store.ErrCompacting
	}
	if errors.Is(err, store.ErrUnavailable) { // SQLite calls it an I/O error where it is not in the midst of a write
		if reason := unwritableAfter(err, t.path); reason != nil {
			return fmt.Errorf("%w: %w", reason, err)
		}
	}
	return err
}

// InputKey makes the key where there is none and nothing was hashed with one, and answers what is there.
func (t *Tenant) InputKey(ctx context.Context) (key []byte, err error) {
	read := func(c *conn) (err error) {
		if key, err = inputKey(c); err == nil && key == nil {
			err = lostInputKey(c)
		}
		return err
	}
	if err := t.read(ctx, read); err != nil || key != nil {
		return key, err
	}
	err = t.write(ctx, func(c *conn) error {
		if err := lostInputKey(c); err != nil {
			return err
		}
		if err := makeInputKey(c); err != nil {
			return err
		}
		return read(c)
	})
	return key, err
}
