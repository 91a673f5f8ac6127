// Package examine looks for what is wrong in a directory and in the tenants' files, part by part, and makes anew what
// follows from records.
package examine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"

	"mneme/store"
	"mneme/store/invariants"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

// Unreadable finds the records of a file that cannot be read, and counts the others.
type Unreadable func(context.Context, *db.Conn) (found []*store.Damaged, count int, err error)

// Directory looks at a directory and into every tenant's file.
func Directory(ctx context.Context, directory *file.Directory, unreadable Unreadable) ([]store.Finding, error) {
	if directory.IsClosed() {
		return nil, file.ErrClosed
	}
	entries, err := os.ReadDir(directory.Dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	dir, files := directory.Dir, infos(entries)
	maps.DeleteFunc(files, func(name string, _ fs.FileInfo) bool { // those of other programs
		owner, _, _ := strings.Cut(name, ".db")
		return file.IsData(name) && file.IsForeign(ctx, directory.PathOf(owner), directory.BusyTimeout)
	})
	findings := []store.Finding{examineFiles(dir, files), ownership(dir, files), examineLeftovers(dir, files)}
	ids, err := file.Tenants(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	for _, id := range ids {
		found, err := Tenant(ctx, directory, unreadable, id)
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	return findings, ctx.Err()
}

// examiner reads one tenant's file as it is at one moment.
type examiner struct {
	conn       *db.Conn
	path       string
	unreadable Unreadable
}

// Tenant looks at one tenant's file, and where it has this version's schema at what is in it.
func Tenant(ctx context.Context, directory *file.Directory, unreadable Unreadable, id string) (findings []store.Finding, err error) {
	e := &examiner{path: directory.PathOf(id), unreadable: unreadable}
	_, missing := os.Stat(e.path)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case directory.IsClosed():
		return nil, file.ErrClosed
	case errors.Is(missing, os.ErrNotExist):
		return nil, nil
	case file.IsForeign(ctx, e.path, directory.BusyTimeout):
		return []store.Finding{{
			Tenant: id, Part: "schema", Fault: "it is a database of another program",
			Remedy: "Move " + e.path + " elsewhere, or name another data directory. It is left as it is.",
		}}, nil
	}
	if e.conn, err = file.ConnectToRead(ctx, e.path, directory.BusyTimeout); err == nil {
		defer func() { err = errors.Join(err, e.conn.Close()) }()
		err = e.conn.Script(views + `PRAGMA query_only = 1; BEGIN`) // views are made before writing is forbidden
	}
	if err != nil {
		found := unread(e.path, err)
		found.Tenant, found.Part = id, "integrity"
		return []store.Finding{found}, ctx.Err()
	}
	e.conn.Vectors, e.conn.Embeddings = !directory.WithoutVectors, directory.Embeddings
	findings, err = invariants.Examine(ctx, id, e, "integrity", "schema")
	if err != nil || findings[1].Fault != "" || findings[1].Found == nothingYet {
		return findings, err
	}
	found, err := invariants.Examine(ctx, id, e, invariants.Parts...)
	return append(findings, found...), err
}

func unread(path string, err error) store.Finding {
	return store.Finding{Fault: "it cannot be read: " + err.Error(), Remedy: restore(path)}
}

// restore is the remedy for what is lost.
func restore(path string) string {
	return fmt.Sprintf("Stop mneme and put a backup in the place of %[1]s: mneme restore FILE. Without a backup, "+
		"save what can be read: sqlite3 %[1]s .recover | sqlite3 recovered.db", path)
}
