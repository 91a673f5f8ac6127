package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mneme/internal/openai"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/store"
	"mneme/store/sqlite"
)

// OpenExisting is Open for commands that must not make a store where none is.
func OpenExisting(ctx context.Context, config Config, log *slog.Logger) (*Memory, error) {
	if why := config.noMemory(); why != "" {
		return nil, problem(nil, why,
			"Name the right one with --data or MNEME_DATA; where nothing was stored yet, begin with mneme demo, mneme import or mneme serve, which make it.")
	}
	return Open(ctx, config, log)
}

// noMemory says why there is no memory that can be opened but a new one; empty where there may be one.
func (c Config) noMemory() string {
	if c.Store != SQLite || c.Data == "" {
		return ""
	}
	switch entries, err := os.ReadDir(c.Data); {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no data directory " + c.Data
	case err == nil && !slices.ContainsFunc(entries, isData):
		return "nothing was stored yet in the directory " + c.Data
	}
	return ""
}

// CheckTenant refuses a tenant that is not there, for commands that must not make one, or take another for an empty
// one. One that a key was made for is there, though nothing is recorded of it.
func (m *Memory) CheckTenant(ctx context.Context, config Config, id string) error {
	there, err := m.backend.Has(ctx, id)
	if err != nil {
		return storeProblem(config, err)
	}
	if there {
		return nil
	}
	keys, err := m.Keys.List(ctx, nil)
	if err != nil {
		return storeProblem(config, err)
	}
	keyed := memory.Mapped(keys, func(key access.Key) string { return key.Tenant }) // whatever became of these
	if slices.Contains(keyed, id) {
		return nil
	}
	known, err := m.backend.Tenants(ctx)
	if err != nil {
		return storeProblem(config, err)
	}
	known = append(known, keyed...)
	slices.Sort(known)
	known = slices.Compact(known)
	if len(known) > maxTenants {
		known = append(known[:maxTenants], "…")
	}
	return problem(nil, fmt.Sprintf("there is no tenant %s in %s, which has %s", id, m.Describe(), cmp.Or(strings.Join(known, ", "), "none")),
		"Name the right one with --tenant, or the right memory with --data or --store; mneme demo and mneme import make a tenant.")
}

// maxTenants is how many are named where another was meant.
const maxTenants = 20

// isData says whether a file holds what SQLite keeps, or tells of keys.
func isData(entry fs.DirEntry) bool {
	return strings.Contains(entry.Name(), ".db") || entry.Name() == sqlite.KeysMark
}

// KeepsIn says whether a file is, or would be, one in which the configured store keeps its data.
func (c Config) KeepsIn(path string) bool { return c.Store == SQLite && sqlite.KeepsIn(c.Data, path) }

// SizeOf is how many bytes a tenant's file has, 0 where there is none.
func (c Config) SizeOf(tenant string) int64 {
	info, err := os.Stat(filepath.Join(c.Data, tenant+".db"))
	if c.Store != SQLite || err != nil {
		return 0
	}
	return info.Size()
}

// Restore puts a copy of a backup in the place of a tenant's file. Its errors are *Problem, or the context's.
func (c Config) Restore(ctx context.Context, tenant, from string) error {
	if err := c.checkStore(); err != nil {
		return err
	}
	if c.Store != SQLite {
		return misuse("a backup is a file of the embedded store", "Import an export instead: mneme import --format jsonl FILE"+c.SameStore())
	}
	problem := &Problem{What: from + " cannot be restored", Do: "Nothing was changed. Name a backup that mneme backup made, or import an export."}
	switch problem.Cause = sqlite.RestoreBackup(ctx, c.Data, tenant, from); {
	case problem.Cause == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(problem.Cause, sqlite.ErrInUse):
		problem.Do = "Stop the servers on " + c.Data + ", and run it again."
	case errors.Is(problem.Cause, store.ErrForeign):
		problem.Do = "Nothing was changed. Is it a backup of mneme, and no other program's file in the way?"
	}
	return problem
}

// Endpoint says whether a service that a configuration may name is configured, without asking it.
type Endpoint struct {
	Configured bool   `json:"configured"`
	Host       string `json:"host,omitempty"` // scheme and host only: the rest of a URL may hold a secret
	Model      string `json:"model,omitempty"`
}

// EndpointOf says where an embedder or a model is.
func EndpointOf(options openai.Options) Endpoint {
	if options.URL == "" {
		return Endpoint{}
	}
	e := Endpoint{Configured: true, Model: options.Model}
	if parsed, err := url.Parse(options.URL); err == nil {
		e.Host = onlyHost(parsed)
	}
	return e
}
