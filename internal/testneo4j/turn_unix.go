//go:build unix

package testneo4j

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"syscall"
)

var turn sync.Once

// takeTurn waits until no other process tests on the server. Text scores depend on all that is in the
// index, so a package that compares them must be alone with the server, and what others left is deleted. The
// lock ends with the process. It is where all processes look, whatever TMPDIR says to them.
func takeTurn(server Server) (err error) {
	turn.Do(func() {
		sum := sha256.Sum256([]byte(server.URL))
		path := "/tmp/mneme-test-neo4j-" + hex.EncodeToString(sum[:8]) + ".lock"
		var file int // no os.File, which would be closed, and the lock with it, when nobody refers to it
		if file, err = syscall.Open(path, syscall.O_CREAT|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600); err == nil {
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
