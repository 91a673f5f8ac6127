// Package examine looks for what is wrong in a directory and in the tenants' files, part by part, and makes anew what
// follows from records.
package examine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mneme/store"
	"mneme/store/invariants"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

// Unreadable finds the records of a file that cannot be read, and counts the others.
type Unreadable func(context.Context, *db.Conn) (found []*store.Damaged, count int, err error)

// examination is of a directory.
type examination struct {
	*file.Directory
	unreadable Unreadable
}

// Directory looks at a directory and into every tenant's file.
func Directory(ctx context.Context, directory *file.Directory, unreadable Unreadable) ([]store.Finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if directory.IsClosed() {
		return nil, file.ErrClosed
	}
	x := &examination{directory, unreadable}
	entries, err := os.ReadDir(x.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	tenants, foreign := x.tenantsIn(ctx, entries)
	findings := x.examineDirectory(entries, foreign)
	for _, tenant := range foreign {
		findings = append(findings, store.Finding{
			Tenant: tenant, Part: "schema", Fault: "it is a database of another program",
			Remedy: "Move " + x.PathOf(tenant) + " elsewhere, or name another data directory. It is left as it is.",
		})
	}
	for _, tenant := range tenants {
		found, err := x.examineTenant(ctx, tenant)
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	return findings, nil
}

// Tenant looks into one tenant's file.
func Tenant(ctx context.Context, directory *file.Directory, unreadable Unreadable, id string) ([]store.Finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if directory.IsClosed() {
		return nil, file.ErrClosed
	}
	if _, err := os.Stat(directory.PathOf(id)); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return (&examination{directory, unreadable}).examineTenant(ctx, id)
}

// tenantsIn are the tenants whose files are in the directory, and those in whose place are files of other programs.
func (x *examination) tenantsIn(ctx context.Context, entries []os.DirEntry) (tenants, foreign []string) {
	for _, entry := range entries {
		id, found := strings.CutSuffix(entry.Name(), ".db")
		switch {
		case !found || !store.TenantID.MatchString(id):
		case file.IsForeign(ctx, filepath.Join(x.Path, entry.Name()), x.BusyTimeout):
			foreign = append(foreign, id)
		default:
			tenants = append(tenants, id)
		}
	}
	return tenants, foreign
}

// examiner reads one tenant's file as it is at one moment.
type examiner struct {
	conn       *db.Conn
	path       string
	unreadable Unreadable
}

// examineTenant looks at a file, and where it has this version's schema at what is in it.
func (x *examination) examineTenant(ctx context.Context, tenant string) (findings []store.Finding, err error) {
	e := &examiner{path: x.PathOf(tenant), unreadable: x.unreadable}
	e.conn, err = connectExaminer(ctx, x.BusyTimeout, e.path)
	if err != nil {
		found := unread(e.path, err)
		found.Tenant, found.Part = tenant, "integrity"
		return []store.Finding{found}, ctx.Err()
	}
	defer func() { err = errors.Join(err, e.conn.Close()) }()
	e.conn.Vectors, e.conn.Embeddings = x.Vectors, x.Embeddings
	for _, part := range []struct {
		name    string
		examine func(context.Context) (store.Finding, error)
	}{{"integrity", e.integrity}, {"schema", e.schema}} {
		found, err := part.examine(ctx)
		if ctx.Err() != nil {
			return findings, ctx.Err()
		}
		if err != nil { // which is a fault of that part
			found = unread(e.path, err)
		}
		found.Tenant, found.Part = tenant, part.name
		findings = append(findings, found)
	}
	if findings[1].Fault != "" || e.isEmpty(ctx) {
		return findings, nil
	}
	found, err := invariants.Examine(ctx, tenant, e)
	return append(findings, found...), err
}

// connectExaminer opens a file to be read only, as it is when the first part reads.
func connectExaminer(ctx context.Context, busyTimeout time.Duration, path string) (*db.Conn, error) {
	c, _, err := file.ConnectToRead(ctx, path, busyTimeout)
	if err != nil {
		return nil, err
	}
	if err := c.Script(views + `PRAGMA query_only = 1; BEGIN`); err != nil { // views are made before writing is forbidden
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func unread(path string, err error) store.Finding {
	return store.Finding{Fault: "it cannot be read: " + err.Error(), Remedy: restore(path)}
}

// restore is the remedy for what is lost.
func restore(path string) string {
	return fmt.Sprintf("Stop mneme and put a backup in the place of %[1]s: mneme restore FILE. Without a backup, "+
		"save what can be read: sqlite3 %[1]s .recover | sqlite3 recovered.db", path)
}

// count answers the number that a query gives.
func (e *examiner) count(ctx context.Context, sql string) (n int, err error) {
	err = e.conn.Search(ctx, sql, func(r *db.Row) { n = r.Int() })
	return n, err
}
