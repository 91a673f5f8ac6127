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
	"time"

	"mneme/store"
	"mneme/store/sqlite/examine"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/keyring"
	"mneme/store/sqlite/search"
)

// Options say where the data is and how to behave towards other processes.
type Options struct {
	// Dir is the directory of the tenants' files. It is made (for its owner only) where it is missing.
	Dir string
	// BusyTimeout is how long to wait for another process that writes; 10 s where it is 0.
	BusyTimeout time.Duration
	// WithoutVectors makes no vectors of what records say (see store.Reindexer).
	WithoutVectors bool
	// Embeddings says whether an endpoint makes vectors, too.
	Embeddings store.Embeddings
	// CloseAfter is how long a tenant's file is unused before it is closed, until its next use; 10 min where it is 0.
	CloseAfter time.Duration
	// MaxOpen is how many tenants' files stay open: of more those are closed that were not used for longest, but none that
	// is in use or to be vacuumed; 128 where it is 0.
	MaxOpen int
	// OnRefusal is told of each write that a disk which is full or read-only refused, before its caller is; nil for
	// nobody. It must not wait.
	OnRefusal func(reason error)
	// OnDelay is told of what has to wait: writes, while another process compacts the files (store.ErrCompacting), or
	// that itself, as where the disk has no room for it (store.NoRoom); nil for nobody. It must not wait.
	OnDelay func(reason error)
	// Observer is told of reads, writes and commits; nil for nobody.
	Observer store.Observer
}

const (
	defaultBusyTimeout = 10 * time.Second
	// vacuumIdle is how long nothing is written before a vacuum that is due.
	vacuumIdle = time.Minute
	// closeAfter is longer, so that a vacuum is done before.
	closeAfter = 10 * time.Minute
	maxOpen    = 128
)

// Backend is a directory of SQLite files, one for each tenant, and one for the keys of all.
type Backend struct {
	*keyring.Ring
	dir *file.Directory
}

var _ store.Backend = (*Backend)(nil)

// Open makes the directory ready and checks the files in it. It returns store.ErrSchemaVersion where
// one was made by another version, and store.ErrUnavailable where the directory cannot be used. On a disk
// that is full or read-only what is there can be read; Check and every write say why it cannot be written.
func Open(ctx context.Context, options Options) (*Backend, error) {
	path, err := filepath.Abs(options.Dir)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	dir, refusal, err := file.Open(ctx, path, file.Options{
		BusyTimeout: cmp.Or(options.BusyTimeout, defaultBusyTimeout), Vectors: !options.WithoutVectors, Embeddings: options.Embeddings, Idle: vacuumIdle, CloseAfter: cmp.Or(options.CloseAfter, closeAfter), MaxOpen: cmp.Or(options.MaxOpen, maxOpen),
		OnRefusal: options.OnRefusal, OnDelay: options.OnDelay, Observer: options.Observer,
	})
	if err != nil {
		return nil, err
	}
	b := &Backend{Ring: keyring.New(path, cmp.Or(options.BusyTimeout, defaultBusyTimeout)), dir: dir}
	if err := b.Check(ctx); err != nil && refusal == nil {
		return nil, errors.Join(err, b.Close(ctx))
	}
	return b, nil
}

// Tenant binds a tenant. A tenant that is there already is opened.
func (b *Backend) Tenant(ctx context.Context, id string) (store.Store, error) {
	if !store.TenantID.MatchString(id) {
		return nil, fmt.Errorf("%w: a tenant's id is 1–64 characters of a–z, 0–9, '-' and '_', starting with a letter or digit", store.ErrInvalid)
	}
	bound, err := b.dir.Bind(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Tenant{search.Finder{Snapshot: bound.Snapshot}, bound, b.dir.Vectors}, nil
}

// Tenants are the ids of those that have a file; see store.Backend.
func (b *Backend) Tenants(context.Context) (ids []string, err error) {
	entries, err := os.ReadDir(b.dir.Path)
	for _, entry := range entries {
		if id, ok := strings.CutSuffix(entry.Name(), ".db"); ok && store.TenantID.MatchString(id) && isKept(b.dir.PathOf(id)) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

func isKept(path string) bool {
	_, err := file.Regular(path)
	return err == nil && !file.IsNothing(path)
}

// Has says whether a tenant has its file; see store.Backend.
func (b *Backend) Has(ctx context.Context, id string) (bool, error) {
	known, err := b.Tenants(ctx)
	return slices.Contains(known, id), err
}

// Pool says how much is read now; see store.Backend.
func (b *Backend) Pool() store.Pool { return b.dir.Pool() }

// Check writes a byte to the directory and asks every opened tenant.
func (b *Backend) Check(ctx context.Context) error { return b.dir.Check(ctx, graph.Ping) }

// Describe says "sqlite in DIR".
func (b *Backend) Describe() string { return "sqlite in " + b.dir.Path }

// Close finishes the writes that were accepted, waits for reads that are under way, and closes the files.
func (b *Backend) Close(ctx context.Context) error { return b.dir.Close(ctx) }

// KeysMark is the file of a directory for which keys were made.
const KeysMark = keyring.Mark

// Permissions says whether others than their owner may use the files of a data directory; see store.Examiner.
func Permissions(dir string) store.Finding { return examine.Permissions(dir) }

// KeepsIn says whether a path is, or would be, that of a file of a data directory, by whatever name.
func KeepsIn(dir, path string) bool { return file.KeepsIn(dir, path) }

// ExamineTenant looks into a tenant's file; see store.Examiner.
func (b *Backend) ExamineTenant(ctx context.Context, id string) ([]store.Finding, error) {
	return examine.Tenant(ctx, b.dir, unreadableIn, id)
}

// Examine looks at the directory and into every tenant's file; see store.Examiner.
func (b *Backend) Examine(ctx context.Context) ([]store.Finding, error) {
	findings, err := examine.Directory(ctx, b.dir, unreadableIn)
	if err != nil {
		return nil, err
	}
	return append(findings, store.ExamineKeys(ctx, b)), ctx.Err()
}
