// Package file is a directory of tenants' files, and how one is used while it is open: a writer, which commits together
// what waits and vacuums when nobody writes, and readers that see snapshots. On a disk that is full or read-only a file
// is read all the same, and opened anew when it can be written.
package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// ErrClosed is answered by what was closed.
var ErrClosed = fmt.Errorf("%w: it was closed", store.ErrUnavailable)

// Options say where the data is and how to behave towards other processes.
type Options struct {
	// Dir is the directory of the tenants' files. It is made (for its owner only) where it is missing.
	Dir string
	// BusyTimeout is how long to wait for another process that writes; 10 s where it is 0.
	BusyTimeout time.Duration
	// WithoutVectors makes no vectors of what records say (see store.Store).
	WithoutVectors bool
	// Embeddings says whether an endpoint makes vectors, too.
	Embeddings store.Embeddings
	// MaxOpen is how many tenants' files stay open: of more those are closed, until their next use, that were not used for
	// longest, but none that is in use or to be vacuumed; 128 where it is 0.
	MaxOpen int
	// OnRefusal is told of each write that a disk which is full or read-only refused, before its caller is; nil for
	// nobody. It must not wait.
	OnRefusal func(reason error)
	// Idle is how long nothing is written before a vacuum that is due; 1 min where it is 0.
	Idle time.Duration
	// Observer is told of reads, writes and commits; nil for nobody.
	Observer store.Observer
}

// DefaultBusyTimeout is the BusyTimeout of whoever gives none.
const DefaultBusyTimeout = 10 * time.Second

// Directory is a directory of files, one for each tenant.
type Directory struct {
	Options
	nothing *database // what a file is before its first write

	files store.WeakMap[File]

	mutex  sync.Mutex
	open   map[*File]struct{}
	closed bool

	closing sync.WaitGroup // of makeRoom
}

// Open makes a directory ready and checks the versions of the files in it. On a disk that is full or read-only
// what is there can be read.
func Open(ctx context.Context, options Options) (*Directory, error) {
	path, err := filepath.Abs(options.Dir)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	options.Dir, options.BusyTimeout = path, cmp.Or(options.BusyTimeout, DefaultBusyTimeout)
	options.Idle, options.MaxOpen = cmp.Or(options.Idle, time.Minute), cmp.Or(options.MaxOpen, 128)
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("%w: make the data directory: %w", store.ErrUnavailable, err)
	}
	data, _ := filepath.Glob(filepath.Join(path, "*.db"))
	if reason := unwritable(path); reason != nil && !(canBeRead(reason) && len(data) > 0) {
		return nil, reason
	}
	if err := checkVersions(ctx, path, options.BusyTimeout); err != nil {
		return nil, err
	}
	empty, err := db.Connect(ctx, ":memory:", schema.Own.Make)
	if err != nil {
		return nil, err
	}
	return &Directory{Options: options, nothing: newDatabase(options, "", empty), open: map[*File]struct{}{}}, nil
}

// makeRoom closes those of too many open files that were not used for longest, a quarter of the bound more than it
// must, so that it is not called for each file.
func (d *Directory) makeRoom() {
	used := map[*File]int64{}
	for _, f := range d.opened() {
		used[f] = f.used.Load()
	}
	files := slices.SortedFunc(maps.Keys(used), func(a, b *File) int { return cmp.Compare(used[a], used[b]) })
	for _, f := range files[:max(0, len(files)-d.MaxOpen*3/4)] {
		_ = f.closeIdle(context.Background(), used[f]) // one that is used or due stays
	}
}

// keep holds a file that is open, though unused; false where the directory was closed meanwhile, and closes no more.
func (d *Directory) keep(f *File) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.closed {
		return false
	}
	d.open[f] = struct{}{}
	if len(d.open) > d.MaxOpen {
		d.closing.Go(d.makeRoom)
	}
	return true
}

// leave lets go a file that was closed.
func (d *Directory) leave(f *File) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	delete(d.open, f)
}

// PathOf is where a tenant's file is, or would be.
func (d *Directory) PathOf(tenant string) string { return filepath.Join(d.Dir, tenant+".db") }

// Bind opens a tenant's file, if it is there.
func (d *Directory) Bind(ctx context.Context, tenant string) (*File, error) {
	f := d.files.Bind(tenant, func() *File { return &File{directory: d, Path: d.PathOf(tenant)} })
	defer f.use()()
	_, err := f.database(ctx, false)
	if canBeRead(err) {
		err = f.readAsItStands(ctx, err, func(*db.Conn) error { return nil })
	}
	return f, err
}

// Check writes a byte to the directory and reads something of every file that is open.
func (d *Directory) Check(ctx context.Context, read func(*db.Conn) error) error {
	if d.IsClosed() {
		return ErrClosed
	}
	if err := unwritable(d.Dir); err != nil {
		return err
	}
	for _, f := range d.opened() {
		if err := f.Peek(ctx, read); err != nil {
			return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
		}
	}
	return nil
}

// Pool says how much of the open files is read now.
func (d *Directory) Pool() (all store.Pool) {
	for _, f := range d.opened() {
		if opened := f.opened.Load(); opened != nil {
			one := opened.turns.Pool()
			all.Used, all.Waiting, all.Most = all.Used+one.Used, all.Waiting+one.Waiting, all.Most+one.Most
		}
	}
	return all
}

// Close finishes the writes that were accepted, waits for reads that are under way, and closes the files.
func (d *Directory) Close(ctx context.Context) error {
	d.mutex.Lock()
	wasClosed := d.closed
	d.closed = true
	d.mutex.Unlock()
	if wasClosed {
		return nil
	}
	d.closing.Wait()
	err := d.nothing.close(ctx)
	for _, f := range d.opened() {
		err = errors.Join(err, f.close(ctx))
	}
	return err
}

// IsClosed says whether the directory was closed.
func (d *Directory) IsClosed() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.closed
}

// opened are the files that are open.
func (d *Directory) opened() []*File {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return slices.Collect(maps.Keys(d.open))
}

// checkVersions refuses a directory with a tenant's file of another version, so that a program says so when it starts.
// Of all else that is wrong with a file those are told who use it.
func checkVersions(ctx context.Context, dir string, busyTimeout time.Duration) error {
	ids, err := Tenants(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	for _, id := range ids {
		path := filepath.Join(dir, id+".db")
		if err := checkVersion(ctx, path, busyTimeout); errors.Is(err, store.ErrSchemaVersion) || ctx.Err() != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// checkVersion refuses a file of another version or program, without changing it. It goes through SQLite: closing a
// file that this process has open elsewhere would end its POSIX locks, which belong to the process.
func checkVersion(ctx context.Context, path string, busyTimeout time.Duration) error {
	return db.RetryBusy(ctx, busyTimeout, func() error {
		c, err := ConnectToRead(ctx, path, busyTimeout)
		if err != nil {
			return err
		}
		_, err = schema.Own.IsMade(c)
		return errors.Join(err, c.Close())
	})
}

// IsForeign says whether a file is a database of another program. A file that cannot be read may be mneme's.
func IsForeign(ctx context.Context, path string, busyTimeout time.Duration) bool {
	return errors.Is(checkVersion(ctx, path, busyTimeout), store.ErrForeign)
}
