//go:build linux || darwin || freebsd

package file

import "syscall"

// freeBytes is how much room the disk of a directory has.
func freeBytes(dir string) (free int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true //nolint:gosec,unconvert,nolintlint // of other types on other systems
}
