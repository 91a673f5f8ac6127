package sqlite

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mneme/memory/prose"
	"mneme/store"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/keyring"
)

// filesIn are the files of a directory by name, but for what went away meanwhile.
func filesIn(dir string) (map[string]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	files := map[string]fs.FileInfo{}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			files[entry.Name()] = info
		}
	}
	return files, err
}

func examineFiles(dir string, files map[string]fs.FileInfo) store.Finding {
	tenants, size := 0, int64(0)
	for name, info := range files {
		if file.IsData(name) {
			size += info.Size()
		}
		if filepath.Ext(name) == ".db" && name != keyring.Tenant+".db" {
			tenants++
		}
	}
	finding := store.Finding{Part: "data directory", Found: fmt.Sprintf("%s, %.1f MB", prose.Plural(tenants, "tenant"), float64(size)/1e6)}
	if err := file.Probe(dir); err != nil {
		finding.Fault = "it cannot be written: " + err.Error()
		finding.Remedy = "Make room on the disk, or give this user the right to write in " + dir + "."
	}
	return finding
}

// Permissions makes sure that nobody but their owner uses the files of a data directory, or puts others in their place;
// see store.Examiner.
func Permissions(dir string) store.Finding {
	files, _ := filesIn(dir) // what cannot be listed is told elsewhere
	return ownership(dir, files)
}

func ownership(dir string, files map[string]fs.FileInfo) store.Finding {
	finding := store.Finding{Part: "permissions", Found: "for the owner only"}
	if runtime.GOOS == "windows" { // has no such permissions
		finding.Found = "not examined on Windows"
		return finding
	}
	modes := map[string]fs.FileMode{} // of paths that others may use, what they should be
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o002 != 0 {
		modes[dir] = info.Mode().Perm() &^ 0o002
	}
	for name, info := range files {
		if owner, _, _ := strings.Cut(name, ".db"); file.IsData(name) && isOurs(owner) && info.Mode().Perm()&0o077 != 0 {
			modes[filepath.Join(dir, name)] = info.Mode().Perm() &^ 0o077
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
	return finding
}

// isOurs says whether the name of a file is that of a tenant's, or of the keys'.
func isOurs(owner string) bool { return owner == keyring.Tenant || store.TenantID.MatchString(owner) }

// examineLeftovers finds what no tenant has any use for.
func examineLeftovers(dir string, files map[string]fs.FileInfo) store.Finding {
	finding := store.Finding{Part: "leftover files", Found: "none"}
	var orphans, others []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		owner, _, _ := strings.Cut(name, ".db")
		_, owned := files[owner+".db"]
		switch {
		case name == keyring.Mark, strings.HasPrefix(name, ".check-"): // of a probe that goes on, or was killed
		case !file.IsData(name):
			others = append(others, name)
		case !owned:
			orphans = append(orphans, path)
		case !isOurs(owner):
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		finding.Found = "not mneme's: " + strings.Join(others, ", ")
	}
	if len(orphans) > 0 {
		finding.Fault = "these belong to a file that is gone: " + strings.Join(orphans, ", ")
		finding.Remedy = "Put the .db file back beside them: a -wal file holds its latest writes. If it is not needed any more: rm " + strings.Join(orphans, " ")
	}
	return finding
}
