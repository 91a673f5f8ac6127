//go:build unix

package testneo4j

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"syscall"
)

var turn sync.Once

// takeTurn waits until no other process tests on the server: scores depend on all that is in the index, and what others
// left is deleted. The lock ends with the process, and is in one place whatever TMPDIR says.
func takeTurn(server Server) (err error) {
	turn.Do(func() {
		sum := sha256.Sum256([]byte(server.URL))
		path := "/tmp/mneme-test-neo4j-" + hex.EncodeToString(sum[:8]) + ".lock"
		var file int // no os.File, which would be closed, and the lock with it, when nobody refers to it
		if file, err = openLock(path); err == nil {
			err = syscall.Flock(file, syscall.LOCK_EX)
		}
		if err != nil {
			err = fmt.Errorf("lock %s: %w", path, err)
			return
		}
		err = sweep(server)
	})
	return err
}

// openLock opens the file of a lock, or makes it. Other users of the machine lock it too: all may read it, whatever the
// umask, and one that is there is opened without O_CREAT, which Linux refuses for another's file in /tmp.
func openLock(path string) (int, error) {
	const read = syscall.O_RDONLY | syscall.O_CLOEXEC
	file, err := syscall.Open(path, read, 0)
	if !errors.Is(err, syscall.ENOENT) {
		return file, err
	}
	file, err = syscall.Open(path, read|syscall.O_CREAT|syscall.O_EXCL, 0o444)
	if errors.Is(err, syscall.EEXIST) { // another process was quicker
		return syscall.Open(path, read, 0)
	}
	if err != nil {
		return file, err
	}
	return file, syscall.Fchmod(file, 0o444)
}
