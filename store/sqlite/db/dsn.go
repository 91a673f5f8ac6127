package db

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// DSN is the driver's name for a file that is there, with what every connection sets first. The driver sorts the
// pragmas, so each may be there once.
func DSN(path string, busyTimeout time.Duration, pragmas ...string) string {
	location := filepath.ToSlash(path)
	if !strings.HasPrefix(location, "/") {
		location = "/" + location
	}
	settings := url.Values{"mode": {"rw"}, "_pragma": append([]string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "temp_store(memory)",
	}, pragmas...)}
	return (&url.URL{Scheme: "file", Path: location, RawQuery: settings.Encode()}).String()
}

// ReadOnlyDSN is the driver's name for a file that nobody can write: as it stands; with the writes that a process
// left in its log, where one was killed.
func ReadOnlyDSN(path string) string {
	settings := url.Values{"immutable": {"1"}, "_pragma": {"temp_store(memory)"}}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 && runtime.GOOS != "windows" {
		settings = url.Values{"mode": {"ro"}, "vfs": {"unix-none"}, "_pragma": {"locking_mode(exclusive)", "temp_store(memory)"}}
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: settings.Encode()}).String()
}
