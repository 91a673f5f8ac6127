package sqlite

import (
	"errors"
	"fmt"
	"time"
)

// scrubPause is how long to wait before trying again to empty the log that others still read.
const scrubPause = time.Second

// scrub moves the write-ahead log into the file and empties it, because the log still holds the pages
// from before a delete (in the file itself secure_delete overwrites them). Where readers are in the
// way it tries again later; closing the file does the same.
func (w *writer) scrub() {
	emptied, err := w.checkpoint()
	if err != nil || !emptied {
		w.rescrub.Reset(scrubPause)
	}
}

// checkpoint says whether the log is empty now. It waits for readers only briefly, since writes wait
// meanwhile.
func (w *writer) checkpoint() (emptied bool, err error) {
	before := 0
	if _, err := w.conn.one(`PRAGMA busy_timeout`, func(r *row) { before = r.int() }); err != nil {
		return false, err
	}
	if err := w.setBusyTimeout(100); err != nil {
		return false, err
	}
	_, err = w.conn.one(`PRAGMA wal_checkpoint(TRUNCATE)`, func(r *row) { emptied = r.int() == 0 })
	return emptied, errors.Join(err, w.setBusyTimeout(before))
}

func (w *writer) setBusyTimeout(milliseconds int) error {
	return w.conn.script(fmt.Sprintf(`PRAGMA busy_timeout = %d`, milliseconds)) // a PRAGMA takes no parameters
}
