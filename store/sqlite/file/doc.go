// Package file is a directory of tenants' files, and how one is used while it is open: a writer, which commits together
// what waits and vacuums when nobody writes, and readers that see snapshots. On a disk that is full or read-only a file
// is read all the same, and opened anew when it can be written.
package file
