package file

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mneme/store"
)

// dataFiles are the ends of the names of a tenant's files.
var dataFiles = []string{".db", ".db-wal", ".db-shm", ".db-journal"}

// IsData says whether a name is that of a file of a tenant.
func IsData(name string) bool {
	return slices.ContainsFunc(dataFiles, func(end string) bool { return strings.HasSuffix(name, end) })
}

// Tenants are the ids by which files of a directory are named, in order. They may be no files of mneme's.
func Tenants(dir string) (ids []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if id, ok := strings.CutSuffix(entry.Name(), ".db"); ok && store.TenantID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// KeepsIn says whether a path is, or would be, that of a file of a data directory, by whatever name.
func KeepsIn(dir, path string) bool {
	if parent, err := os.Stat(filepath.Dir(path)); err == nil && IsData(filepath.Base(path)) {
		if data, err := os.Stat(dir); err == nil && os.SameFile(parent, data) {
			return true
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	entries, _ := os.ReadDir(dir) // what cannot be listed is not known to be there
	return slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		kept, err := os.Stat(filepath.Join(dir, entry.Name()))
		return err == nil && IsData(entry.Name()) && os.SameFile(kept, info)
	})
}
