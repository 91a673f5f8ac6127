package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"mneme/store"
)

// Options say where the data is and how to behave towards other processes.
type Options struct {
	// Dir is the directory of the tenants' files. It is made (for its owner only) where it is missing.
	Dir string
	// BusyTimeout is how long to wait for another process that writes; 10 s where it is 0.
	BusyTimeout time.Duration
	// OnRefusal is told of each write that a disk which is full or read-only refused, before its caller is; nil for
	// nobody. It must not wait.
	OnRefusal func(reason error)
	// OnDelay is told of what has to wait: writes, while another process compacts the files (store.ErrCompacting), or
	// that itself, as where the disk has no room for it (store.NoRoom); nil for nobody. It must not wait.
	OnDelay func(reason error)
}

const (
	defaultBusyTimeout = 10 * time.Second
	// vacuumIdle is how long nothing is written before a vacuum that is due.
	vacuumIdle = time.Minute
	// vacuumLatest is how long at most, after one that was in vain.
	vacuumLatest = time.Hour
)

// habits are how the connections to a file behave.
type habits struct {
	busyTimeout time.Duration
	idle        time.Duration // how long nothing is written before a vacuum that is due
	onDelay     func(reason error)
}

// Backend is a directory of SQLite files, one for each tenant.
type Backend struct {
	habits
	dir       string
	onRefusal func(reason error)
	bounds    bounds // of a recall

	mutex   sync.Mutex
	tenants map[string]*Tenant
	nothing *database // what a tenant is before its first write
	closed  bool
}

var _ store.Backend = (*Backend)(nil)

// Open makes the directory ready and checks the files in it. It returns store.ErrSchemaVersion where
// one was written by a newer version, and store.ErrUnavailable where the directory cannot be used. On a disk
// that is full or read-only what is there can be read; Check and every write say why it cannot be written.
func Open(ctx context.Context, options Options) (*Backend, error) {
	dir, err := filepath.Abs(options.Dir)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w: make the data directory: %w", store.ErrUnavailable, err)
	}
	reason := unwritable(dir)
	if reason != nil && !(canBeRead(reason) && holdsData(dir)) {
		return nil, reason
	}
	busyTimeout := cmp.Or(options.BusyTimeout, defaultBusyTimeout)
	if err := checkVersions(ctx, dir, busyTimeout); err != nil {
		return nil, err
	}
	nothing, err := openMemory(ctx)
	if err != nil {
		return nil, err
	}
	b := &Backend{
		habits: habits{busyTimeout: busyTimeout, idle: vacuumIdle, onDelay: options.OnDelay},
		dir:    dir, onRefusal: options.OnRefusal, bounds: usualBounds, tenants: map[string]*Tenant{}, nothing: nothing,
	}
	if b.onDelay == nil {
		b.onDelay = func(error) {}
	}
	if err := b.Check(ctx); err != nil && reason == nil {
		return nil, errors.Join(err, b.Close(ctx))
	}
	return b, nil
}

// holdsData says whether there is anything to read in a directory.
func holdsData(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	return err == nil && len(files) > 0
}

// Tenants are the ids of those that a data directory has files of.
func Tenants(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var ids []string
	for _, entry := range entries {
		if id, is := strings.CutSuffix(entry.Name(), ".db"); is && store.TenantID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// Tenant binds a tenant. A tenant that is there already is opened, and brought to this version's schema.
func (b *Backend) Tenant(ctx context.Context, id string) (store.Store, error) {
	if !store.TenantID.MatchString(id) {
		return nil, fmt.Errorf("%w: a tenant's id is 1–64 characters of a–z, 0–9, '-' and '_', starting with a letter or digit", store.ErrInvalid)
	}
	b.mutex.Lock()
	t, known := b.tenants[id]
	if !known {
		t = &Tenant{backend: b, path: filepath.Join(b.dir, id+".db")}
		b.tenants[id] = t
	}
	b.mutex.Unlock()
	if _, err := t.database(ctx, false); err != nil {
		return nil, err
	}
	return t, nil
}

// Has says whether a tenant has its file; see store.Backend.
func (b *Backend) Has(_ context.Context, id string) (bool, error) {
	known, err := Tenants(b.dir)
	return slices.Contains(known, id), err
}

// Check writes a byte to the directory and asks every opened tenant.
func (b *Backend) Check(ctx context.Context) error {
	if b.isClosed() {
		return errClosed
	}
	if err := unwritable(b.dir); err != nil {
		return err
	}
	for _, t := range b.bound() {
		if err := t.read(ctx, pingNodes); err != nil {
			return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
		}
	}
	return nil
}

func pingNodes(c *conn) error {
	_, err := c.one(`SELECT id FROM nodes LIMIT 1`, func(*row) {})
	return err
}

// probe makes sure that the directory can be written and has space left.
func probe(dir string) error {
	file, err := os.CreateTemp(dir, ".check-*")
	if err != nil {
		return err
	}
	_, err = file.Write([]byte{0})
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// Describe says "sqlite in DIR".
func (b *Backend) Describe() string { return "sqlite in " + b.dir }

// Close finishes the writes that were accepted, waits for reads that are under way, and closes the files.
func (b *Backend) Close(ctx context.Context) error {
	b.mutex.Lock()
	wasClosed := b.closed
	b.closed = true
	b.mutex.Unlock()
	if wasClosed {
		return nil
	}
	err := b.nothing.close(ctx)
	for _, t := range b.bound() {
		err = errors.Join(err, t.close(ctx))
	}
	return err
}

func (b *Backend) isClosed() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.closed
}

func (b *Backend) bound() []*Tenant {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	tenants := make([]*Tenant, 0, len(b.tenants))
	for _, t := range b.tenants {
		tenants = append(tenants, t)
	}
	return tenants
}
