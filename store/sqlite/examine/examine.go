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
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

// Records is what the examination needs of those who read and delete records.
type Records struct {
	// Unreadable finds the records that cannot be read, and counts the others.
	Unreadable func(context.Context, *db.Conn) (found []*store.Damaged, count int, err error)
	// Discard removes what is left of a record that cannot be read, with what only it owns.
	Discard func(context.Context, *db.Conn, *store.Damaged) error
}

// examination is of a directory.
type examination struct {
	*file.Directory
	records Records
}

// Directory looks at a directory and into every tenant's file.
func Directory(ctx context.Context, directory *file.Directory, records Records) ([]store.Finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if directory.IsClosed() {
		return nil, file.ErrClosed
	}
	x := &examination{directory, records}
	entries, err := os.ReadDir(x.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	tenants, foreign := x.tenantsIn(ctx, entries)
	findings := x.examineDirectory(entries, foreign)
	for _, tenant := range foreign {
		findings = append(findings, x.finding(tenant, "schema", diagnosis{
			fault:  "it is a database of another program",
			remedy: "Move " + x.PathOf(tenant) + " elsewhere, or name another data directory. It is left as it is.",
		}))
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
func Tenant(ctx context.Context, directory *file.Directory, records Records, id string) ([]store.Finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if directory.IsClosed() {
		return nil, file.ErrClosed
	}
	if _, err := os.Stat(directory.PathOf(id)); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return (&examination{directory, records}).examineTenant(ctx, id)
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

// diagnosis is what came of examining a part of a file.
type diagnosis struct {
	found, fault, remedy string
	mend                 func(*db.Conn) error // in the writer, in one transaction
	// mendFile is mend for what looks again first, outside of the writer.
	mendFile func(context.Context, *file.File) error
}

// examiner reads one tenant's file as it is at one moment.
type examiner struct {
	ctx  context.Context // lives as long as one call, whose context it is
	conn *db.Conn
	path string

	records Records
	// built says whether vectors are made of what records say.
	built bool
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
	{"records", (*examiner).nodes},
	{"keys", (*examiner).repeats},
	{"dangling references", (*examiner).references},
	{"executions", (*examiner).executions},
	{"what is stored", (*examiner).unreadable},
	{"links", (*examiner).links},
	{"owners", (*examiner).owners},
	{"causes", (*examiner).causes},
	{"counters", (*examiner).counters},
	{"profiles", (*examiner).profiles},
	{"waiting", (*examiner).waiting},
	{"traces", (*examiner).traces},
	{"vectors", (*examiner).vectors},
	{"meanings", (*examiner).meanings},
	{"word index", (*examiner).words},
}

type part struct {
	name    string
	examine func(*examiner) (diagnosis, error)
}

func (x *examination) examineTenant(ctx context.Context, tenant string) (findings []store.Finding, err error) {
	path := x.PathOf(tenant)
	c, err := connectExaminer(ctx, x.BusyTimeout, path)
	if err != nil {
		return []store.Finding{x.finding(tenant, "integrity", unreadable(path, err))}, ctx.Err()
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	e := &examiner{ctx: ctx, conn: c, path: path, records: x.records, built: x.Vectors}
	for _, parts := range [][]part{fileParts, recordParts} {
		for _, p := range parts {
			d := e.run(p)
			if err := ctx.Err(); err != nil {
				return findings, err
			}
			findings = append(findings, x.finding(tenant, p.name, d))
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
func (x *examination) finding(tenant, name string, d diagnosis) store.Finding {
	finding := store.Finding{Tenant: tenant, Part: name, Found: d.found, Fault: d.fault, Remedy: d.remedy}
	if d.mend != nil {
		d.mendFile = func(ctx context.Context, f *file.File) error { return f.Write(ctx, d.mend) }
	}
	if d.mendFile != nil {
		finding.Mend = func(ctx context.Context) error {
			bound, err := x.Bind(ctx, tenant)
			if err != nil {
				return err
			}
			return d.mendFile(ctx, bound)
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
