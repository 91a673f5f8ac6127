package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mneme/store"
)

// versionOffset is where a SQLite file keeps its user_version, as a big-endian number
// (https://sqlite.org/fileformat2.html#user_version_number).
const versionOffset = 60

// checkVersions looks into all tenants' files without opening them, so that a program that is too old
// says so when it starts.
func checkVersions(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".db" {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if version, err := peekVersion(path); err != nil {
			return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
		} else if version > len(steps) {
			return fmt.Errorf("%s: %w", path, newerVersion(version, len(steps)))
		}
	}
	return nil
}

func peekVersion(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }() // it was only read
	var version [4]byte
	if _, err := file.ReadAt(version[:], versionOffset); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	return int(binary.BigEndian.Uint32(version[:])), nil
}
