package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mneme/store"
	"mneme/store/sqlite/file"
)

// examineDirectory looks at the files, not into them, and leaves those of other programs alone.
func (b *Backend) examineDirectory(entries []os.DirEntry, foreign []string) []store.Finding {
	files := map[string]fs.FileInfo{}
	for _, entry := range entries {
		owner, _, _ := strings.Cut(entry.Name(), ".db")
		if info, err := entry.Info(); err == nil && !(isData(entry.Name()) && slices.Contains(foreign, owner)) { // else it went away meanwhile
			files[entry.Name()] = info
		}
	}
	return []store.Finding{b.examineFiles(files), b.examineOwnership(files), b.examineLeftovers(files)}
}

func (b *Backend) examineFiles(files map[string]fs.FileInfo) store.Finding {
	tenants, size := 0, int64(0)
	for name, info := range files {
		if isData(name) {
			size += info.Size()
		}
		if filepath.Ext(name) == ".db" {
			tenants++
		}
	}
	finding := store.Finding{Part: "data directory", Found: fmt.Sprintf("%d tenants, %.1f MB", tenants, float64(size)/1e6)}
	if err := file.Probe(b.dir.Path); err != nil {
		finding.Fault = "it cannot be written: " + err.Error()
		finding.Remedy = "Make room on the disk, or give this user the right to write in " + b.dir.Path + "."
	}
	return finding
}

// dataFiles are the ends of the names of a tenant's files.
var dataFiles = []string{".db", ".db-wal", ".db-shm", ".db-journal"}

func isData(name string) bool {
	return slices.ContainsFunc(dataFiles, func(end string) bool { return strings.HasSuffix(name, end) })
}

// KeepsIn says whether a path is, or would be, that of a file of a data directory, by whatever name.
func KeepsIn(dir, path string) bool {
	if parent, err := os.Stat(filepath.Dir(path)); err == nil && isData(filepath.Base(path)) {
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
		return err == nil && isData(entry.Name()) && os.SameFile(kept, info)
	})
}

// examineOwnership makes sure that nobody but their owner uses the files, or puts others in their place.
func (b *Backend) examineOwnership(files map[string]fs.FileInfo) store.Finding {
	finding := store.Finding{Part: "permissions", Found: "for the owner only"}
	if runtime.GOOS == "windows" { // has no such permissions
		finding.Found = "not examined on Windows"
		return finding
	}
	modes := map[string]fs.FileMode{} // of paths that others may use, what they should be
	if info, err := os.Stat(b.dir.Path); err == nil && info.Mode().Perm()&0o002 != 0 {
		modes[b.dir.Path] = info.Mode().Perm() &^ 0o002
	}
	for name, info := range files {
		if owner, _, _ := strings.Cut(name, ".db"); isData(name) && store.TenantID.MatchString(owner) && info.Mode().Perm()&0o077 != 0 {
			modes[filepath.Join(b.dir.Path, name)] = info.Mode().Perm() &^ 0o077
		}
	}
	if len(modes) == 0 {
		return finding
	}
	paths := slices.Sorted(maps.Keys(modes))
	commands := make([]string, len(paths))
	for i, path := range paths {
		commands[i] = fmt.Sprintf("chmod %o %s", modes[path], path)
	}
	finding.Found, finding.Fault = "", "others than the owner may use "+strings.Join(paths, ", ")
	finding.Remedy = strings.Join(commands, "; ")
	finding.Mend = func(context.Context) (err error) {
		for _, path := range paths {
			err = errors.Join(err, os.Chmod(path, modes[path]))
		}
		return err
	}
	return finding
}

// probeAge is how old a file of a probe is that no process is about to remove.
const probeAge = time.Minute

// examineLeftovers finds what no tenant has any use for.
func (b *Backend) examineLeftovers(files map[string]fs.FileInfo) store.Finding {
	finding := store.Finding{Part: "leftover files", Found: "none"}
	var probes, orphans, others []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(b.dir.Path, name)
		owner, _, _ := strings.Cut(name, ".db")
		_, owned := files[owner+".db"]
		switch {
		case strings.HasPrefix(name, ".check-"):
			if time.Since(files[name].ModTime()) > probeAge {
				probes = append(probes, path)
			}
		case !isData(name):
			others = append(others, name)
		case !owned:
			orphans = append(orphans, path)
		case !store.TenantID.MatchString(owner):
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		finding.Found = "not mneme's: " + strings.Join(others, ", ")
	}
	switch {
	case len(orphans) > 0:
		finding.Fault = "these belong to a file that is gone: " + strings.Join(orphans, ", ")
		finding.Remedy = "Put the .db file back beside them: a -wal file holds its latest writes. If it is not needed any more: rm " + strings.Join(orphans, " ")
	case len(probes) > 0:
		finding.Fault = "a process that was killed left " + strings.Join(probes, ", ")
		finding.Remedy = "rm " + strings.Join(probes, " ")
		finding.Mend = func(context.Context) (err error) {
			for _, path := range probes {
				if gone := os.Remove(path); !errors.Is(gone, fs.ErrNotExist) {
					err = errors.Join(err, gone)
				}
			}
			return err
		}
	}
	return finding
}
