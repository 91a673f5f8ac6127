// Package examine looks for what is wrong in a directory and in the tenants' files, part by part, and makes anew what
// follows from records.
package examine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mneme/store"
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
	ctx  context.Context // lives as long as one call, whose context it is
	conn *db.Conn
	path string

	unreadable Unreadable
}

// fileParts are the parts of a file that can be examined whatever is in it. Where the last is not as this
// version has it, the others cannot.
var fileParts = []part{
	{"integrity", (*examiner).integrity},
	{"schema", (*examiner).schema},
}

// recordParts are those of a file with this version's schema.
var recordParts = []part{
	{"settings", (*examiner).settings},
	{"what was deleted", (*examiner).deleted},
	{"records", (*examiner).records},
	{"references", (*examiner).references},
	derived("links"),
	derived("owners"),
	derived("counters"),
	derived("waiting"),
	{"profiles", (*examiner).profiles},
	{"traces", (*examiner).traces},
	{"meanings", (*examiner).meanings},
	{"passages", (*examiner).passages},
}

type part struct {
	name    string
	examine func(*examiner) (store.Finding, error)
}

func (x *examination) examineTenant(ctx context.Context, tenant string) (findings []store.Finding, err error) {
	path := x.PathOf(tenant)
	c, err := connectExaminer(ctx, x.BusyTimeout, path)
	if err != nil {
		return []store.Finding{unexaminable(tenant, fileParts[0].name, path, err)}, ctx.Err()
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	e := &examiner{ctx: ctx, conn: c, path: path, unreadable: x.unreadable}
	c.Vectors, c.Embeddings = x.Vectors, x.Embeddings
	for _, parts := range [][]part{fileParts, recordParts} {
		for _, p := range parts {
			found, err := p.examine(e)
			if err := ctx.Err(); err != nil {
				return findings, err
			}
			if found.Tenant, found.Part = tenant, p.name; err != nil { // which is a fault of that part
				found = unexaminable(tenant, p.name, path, err)
			}
			findings = append(findings, found)
		}
		if findings[len(findings)-1].Fault != "" || e.isEmpty() {
			break
		}
	}
	return findings, nil
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

func unexaminable(tenant, part, path string, err error) store.Finding {
	return store.Finding{Tenant: tenant, Part: part, Fault: "it cannot be read: " + err.Error(), Remedy: restore(path)}
}

// restore is the remedy for what is lost.
func restore(path string) string {
	return fmt.Sprintf("Stop mneme and put a backup in the place of %[1]s: mneme restore FILE. Without a backup, "+
		"save what can be read: sqlite3 %[1]s .recover | sqlite3 recovered.db", path)
}

// records looks for records that cannot be read, by reading all there are as an export does.
func (e *examiner) records() (store.Finding, error) {
	found, count, err := e.unreadable(e.ctx, e.conn)
	return store.UnreadableFinding("", found, count), err
}

// references looks for rows that lead to rows which are not there, by the foreign keys of the schema.
func (e *examiner) references() (store.Finding, error) {
	dangling := map[string]int{}
	err := e.conn.Search(e.ctx, `PRAGMA foreign_key_check`, func(r *db.Row) {
		dangling[r.Text()]++
	})
	d := store.Finding{Found: "all lead to something"}
	var lines []string
	for _, table := range slices.Sorted(maps.Keys(dangling)) {
		lines = append(lines, fmt.Sprintf("%d in %s", dangling[table], table))
	}
	if len(lines) > 0 {
		d.Fault = "some lead to nothing: " + strings.Join(lines, ", ")
		d.Remedy = "Remove the links and the parts of records of which the other end is gone: mneme rebuild\nRecords of which the owner is gone cannot be read."
	}
	return d, err
}

// count answers the number that a query gives.
func (e *examiner) count(sql string) (n int, err error) {
	err = e.conn.Search(e.ctx, sql, func(r *db.Row) {
		n = r.Int()
	})
	return n, err
}
