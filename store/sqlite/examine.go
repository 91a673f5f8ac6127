package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

// Examine looks at the directory and into every tenant's file; see store.Examiner.
func (b *Backend) Examine(ctx context.Context) ([]store.Finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if b.dir.IsClosed() {
		return nil, file.ErrClosed
	}
	entries, err := os.ReadDir(b.dir.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	tenants, foreign := b.tenantsIn(ctx, entries)
	findings := b.examineDirectory(entries, foreign)
	for _, tenant := range foreign {
		findings = append(findings, b.finding(tenant, "schema", diagnosis{
			fault:  "it is a database of another program",
			remedy: "Move " + filepath.Join(b.dir.Path, tenant+".db") + " elsewhere, or name another data directory. It is left as it is.",
		}))
	}
	for _, tenant := range tenants {
		found, err := b.examineTenant(ctx, tenant)
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	return findings, nil
}

// tenantsIn are the tenants whose files are in the directory, and those in whose place are files of other programs.
func (b *Backend) tenantsIn(ctx context.Context, entries []os.DirEntry) (tenants, foreign []string) {
	for _, entry := range entries {
		id, found := strings.CutSuffix(entry.Name(), ".db")
		switch {
		case !found || !store.TenantID.MatchString(id):
		case file.IsForeign(ctx, filepath.Join(b.dir.Path, entry.Name()), b.dir.BusyTimeout):
			foreign = append(foreign, id)
		default:
			tenants = append(tenants, id)
		}
	}
	return tenants, foreign
}

// diagnosis is what came of examining a part of a file.
type diagnosis struct {
	found, fault, remedy string
	mend                 func(*db.Conn) error // in the writer, in one transaction
	// mendTenant is mend for what looks again first, outside of the writer.
	mendTenant func(context.Context, *Tenant) error
}

// examiner reads one tenant's file as it is at one moment.
type examiner struct {
	ctx  context.Context //nolint:containedctx // lives as long as one call, whose context it is
	conn *db.Conn
	path string
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
	{"keys", (*examiner).repeats},
	{"dangling references", (*examiner).references},
	{"executions", (*examiner).executions},
	{"what is stored", (*examiner).unreadable},
	{"links", (*examiner).links},
	{"owners", (*examiner).owners},
	{"counters", (*examiner).counters},
	{"profiles", (*examiner).profiles},
	{"waiting", (*examiner).waiting},
	{"traces", (*examiner).traces},
	{"vectors", (*examiner).vectors},
	{"word index", (*examiner).words},
}

type part struct {
	name    string
	examine func(*examiner) (diagnosis, error)
}

func (b *Backend) examineTenant(ctx context.Context, tenant string) (findings []store.Finding, err error) {
	path := filepath.Join(b.dir.Path, tenant+".db")
	c, err := connectExaminer(ctx, b, path)
	if err != nil {
		return []store.Finding{b.finding(tenant, "integrity", unreadable(path, err))}, ctx.Err()
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	e := &examiner{ctx: ctx, conn: c, path: path}
	for _, parts := range [][]part{fileParts, recordParts} {
		for _, p := range parts {
			d := e.run(p)
			if err := ctx.Err(); err != nil {
				return findings, err
			}
			findings = append(findings, b.finding(tenant, p.name, d))
		}
		if findings[len(findings)-1].Fault != "" || e.isEmpty() {
			break
		}
	}
	return findings, nil
}

// connectExaminer opens a file to be read only, as it is when the first part reads.
func connectExaminer(ctx context.Context, b *Backend, path string) (*db.Conn, error) {
	c, _, err := file.ConnectToRead(ctx, path, b.dir.BusyTimeout)
	if err != nil {
		return nil, err
	}
	// Where the entries of the word indexes are counted. Temporary tables are made before writing is forbidden.
	const prepare = `CREATE VIRTUAL TABLE temp.entries_of_words USING fts5vocab('main', 'words', 'row');
		CREATE VIRTUAL TABLE temp.entries_of_notes USING fts5vocab('main', 'notes', 'row');
		PRAGMA query_only = 1;
		BEGIN`
	if err := c.Script(prepare); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// run examines a part. What cannot be read is a fault of that part.
func (e *examiner) run(p part) diagnosis {
	d, err := p.examine(e)
	if err != nil {
		return unreadable(e.path, err)
	}
	return d
}

func unreadable(path string, err error) diagnosis {
	return diagnosis{fault: "it cannot be read: " + err.Error(), remedy: restore(path)}
}

// restore is the remedy for what is lost.
func restore(path string) string {
	return fmt.Sprintf("Stop mneme and put a backup in the place of %[1]s, without -wal and -shm files beside it. Without a backup, "+
		"save what can be read: sqlite3 %[1]s .recover | sqlite3 recovered.db", path)
}

// finding says whose part it is, and runs its mending in the tenant's writer.
func (b *Backend) finding(tenant, name string, d diagnosis) store.Finding {
	finding := store.Finding{Tenant: tenant, Part: name, Found: d.found, Fault: d.fault, Remedy: d.remedy}
	if d.mend != nil {
		d.mendTenant = func(ctx context.Context, t *Tenant) error { return t.file.Write(ctx, d.mend) }
	}
	if d.mendTenant != nil {
		finding.Mend = func(ctx context.Context) error {
			bound, err := b.Tenant(ctx, tenant)
			if err != nil {
				return err
			}
			t, ok := bound.(*Tenant)
			if !ok {
				return fmt.Errorf("sqlite: the tenant is a %T", bound)
			}
			return d.mendTenant(ctx, t)
		}
	}
	return finding
}

// count answers the number that a query gives.
func (e *examiner) count(sql string) (n int, err error) {
	err = e.conn.Search(e.ctx, sql, func(r *db.Row) error {
		n = r.Int()
		return nil
	})
	return n, err
}
