package file

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
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// File is a tenant's file, which comes into being with the first write, and is opened when it is first used.
type File struct {
	directory *Directory
	Path      string

	opened  atomic.Pointer[database]
	opening sync.Mutex
	known   bool         // it was opened before, so it must be there
	using   sync.RWMutex // held for reading by who uses what is opened; closeIdle only tries to lock it
	used    atomic.Int64 // when it was used last, in nanoseconds
}

// use keeps the file open until the returned function is called.
func (f *File) use() (done func()) {
	f.using.RLock()
	return func() {
		f.used.Store(time.Now().UnixNano())
		f.using.RUnlock()
	}
}

// closeIdle closes the file where nobody has used it since, in nanoseconds, and no vacuum of it is due. The next user
// opens it again.
func (f *File) closeIdle(ctx context.Context, since int64) error {
	if f.used.Load() > since || !f.using.TryLock() {
		return nil
	}
	defer f.using.Unlock()
	f.opening.Lock()
	defer f.opening.Unlock()
	d := f.opened.Load()
	if d == nil || f.used.Load() > since {
		return nil
	}
	due := false
	if err := d.read(ctx, func(c *db.Conn) error {
		mark, err := schema.VacuumMark(c)
		due = mark != 0
		return err
	}); err != nil || due {
		return err
	}
	f.opened.Store(nil)
	f.directory.leave(f)
	return d.close(context.WithoutCancel(ctx)) // which has nothing to wait for, and is not left half done
}

// database opens the tenant's file once. Where there is none yet it makes one, or else answers an
// empty database in its place.
func (f *File) database(ctx context.Context, create bool) (*database, error) {
	if d := f.opened.Load(); d != nil {
		return d, d.place.check()
	}
	f.opening.Lock()
	defer f.opening.Unlock()
	if d := f.opened.Load(); d != nil {
		return d, d.place.check()
	}
	if f.directory.IsClosed() {
		return nil, ErrClosed
	}
	if IsNothing(f.Path) {
		switch err := checkLog(ctx, f.Path); {
		case err != nil:
			return nil, err
		case f.known:
			return nil, fmt.Errorf("%s: %w", f.Path, store.ErrReplaced)
		case !create:
			return f.directory.nothing, nil
		}
	}
	d, err := openFile(ctx, f.Path, f.directory.Options)
	if err != nil {
		return nil, err
	}
	if !f.directory.keep(f) {
		return nil, errors.Join(ErrClosed, d.close(context.WithoutCancel(ctx)))
	}
	f.opened.Store(d)
	f.known = true
	return d, nil
}

// IsNothing says whether there is no file, or an empty one, which a write has left that found no room.
func IsNothing(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 && info.Mode().IsRegular()
}

// IsNothing says whether the tenant has no file yet, so that there is nothing to change in it.
func (f *File) IsNothing() bool { return f.opened.Load() == nil && IsNothing(f.Path) }

func (f *File) close(ctx context.Context) error {
	f.opening.Lock()
	defer f.opening.Unlock()
	if d := f.opened.Load(); d != nil {
		return d.close(ctx)
	}
	return nil
}

// Read runs a read of one statement.
func (f *File) Read(ctx context.Context, do func(*db.Conn) error) error {
	return f.observed(ctx, store.Read, do)
}

// observed runs a read of which the observer is told.
func (f *File) observed(ctx context.Context, name string, do func(*db.Conn) error) (err error) {
	defer f.use()()
	end := store.Begin(ctx, f.directory.Observer, name)
	defer func() { end(err) }()
	return f.read(ctx, do)
}

// Peek is Read that is no use of the file, for whoever asks again and again whether all is well, or what is to be done.
// It does nothing where the file is not open.
func (f *File) Peek(ctx context.Context, do func(*db.Conn) error) error {
	if f.opened.Load() == nil {
		return ctx.Err()
	}
	f.using.RLock()
	defer f.using.RUnlock()
	return f.read(ctx, do)
}

func (f *File) read(ctx context.Context, do func(*db.Conn) error) error {
	d, err := f.database(ctx, false)
	if canBeRead(err) {
		return f.readAsItStands(ctx, err, do)
	}
	if err != nil {
		return err
	}
	return d.read(ctx, do)
}

// Snapshot runs a read of several statements that see the same state.
func (f *File) Snapshot(ctx context.Context, do func(*db.Conn) error) error {
	return f.observed(ctx, store.Snapshot, func(c *db.Conn) (err error) {
		if err := c.Exec(`BEGIN`); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.Exec(`ROLLBACK`)) }() // also when a panic goes through
		return do(c)
	})
}

// Write runs a write: all of it, and durably, or nothing of it.
func (f *File) Write(ctx context.Context, do func(*db.Tx) error) error {
	end := store.Begin(ctx, f.directory.Observer, store.Write)
	err := f.tryWrite(ctx, do)
	end(err)
	if told := f.directory.OnRefusal; told != nil && canBeRead(err) {
		told(err)
	}
	return err
}

// Erase is Write for what must leave no trace in the files, once they were vacuumed.
func (f *File) Erase(ctx context.Context, do func(*db.Tx) error) error {
	return f.Write(ctx, func(tx *db.Tx) error {
		if err := do(tx); err != nil || tx.Err() != nil {
			return err
		}
		return schema.MarkVacuum(tx.Conn)
	})
}

// tryWrite writes, or says why that cannot be.
func (f *File) tryWrite(ctx context.Context, do func(*db.Tx) error) error {
	defer f.use()()
	d, err := f.database(ctx, true)
	if err != nil {
		return err
	}
	err = d.writer.write(ctx, do)
	if errors.Is(err, store.ErrUnavailable) { // SQLite calls it an I/O error where it is not in the midst of a write
		return Explained(err, f.Path)
	}
	return err
}
