package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// scrubPause is how long to wait before trying again what others are in the way of.
	scrubPause = time.Second
	// scrubLook is how often to look whether another process left something to scrub.
	scrubLook = time.Minute
	// scrubPages is how many pages are looked at while other writes wait: some milliseconds.
	scrubPages = 500
	// scrubClosing is how long closing waits for readers that keep the log from being emptied.
	scrubClosing = 2 * time.Second
)

// scrubbing is how far the writer is with removing from the files what deletes have left over in them. That it
// is due stands in the file, by a mark that is another with each delete, so that a process that is killed or
// held up leaves it to the next.
type scrubbing struct {
	mark  int64 // 0 for none
	merge bool  // the word indexes are still to be written anew
	next  int   // the page to go on with
	left  int   // how many pages are still to be looked at
	// Others may move pages that were not looked at yet to where the pass has been. Then it goes round once more.
	moved, again bool
	version      int64
}

// markScrub makes a scrub due, in the transaction of a delete.
func markScrub(c *conn) error {
	return setSetting(c, settingScrub, 1+rand.Int64N(1<<62)) //nolint:gosec // it is no secret, only another than the last
}

// scrub does the next part of a scrub that is due, and says by the timer when to go on.
func (w *writer) scrub() {
	began := time.Now()
	switch w.scrubPart() {
	case scrubGoesOn:
		w.rescrub.Reset(time.Since(began)) // half of the time is for other writes
	case scrubHeldUp:
		w.rescrub.Reset(scrubPause)
	case scrubDone:
		w.rescrub.Reset(scrubLook)
	}
}

// progress is what came of a part of a scrub.
type progress int

const (
	scrubDone progress = iota
	scrubGoesOn
	scrubHeldUp // by other processes, by readers of the log, or by an error
)

// scrubPart merges some of the word indexes, or overwrites the gaps of some pages, or empties the log.
func (w *writer) scrubPart() progress {
	s := &w.scrubbing
	err := w.beginScrub()
	switch {
	case err != nil:
		return scrubHeldUp
	case s.mark == 0:
		return scrubDone
	case s.merge:
		err = s.mergeWords(w.conn)
	case s.left > 0:
		err = s.blankSome(w.conn)
	default:
		return w.endScrub()
	}
	if err != nil {
		return scrubHeldUp
	}
	return scrubGoesOn
}

// beginScrub looks whether a scrub is due, and begins one where the mark is another than that of the last.
func (w *writer) beginScrub() error {
	s := &w.scrubbing
	mark, err := scrubMark(w.conn)
	if err != nil {
		return err
	}
	if mark == s.mark {
		return nil
	}
	s.merge, s.moved, s.again = true, false, true
	if err := s.round(w.conn); err != nil {
		return err
	}
	s.mark = mark
	return nil
}

// scrubMark is the mark of the scrub that is due, 0 for none. In the place of one that cannot be read it makes another.
func scrubMark(c *conn) (mark int64, err error) {
	for {
		state, err := setting(c, settingScrub, func(r *row) { mark = r.integer() })
		if err != nil || state != settingUnreadable {
			return mark, err
		}
		if err := markScrub(c); err != nil {
			return 0, err
		}
	}
}

// round has all pages looked at, beginning with where the last pass ended.
func (s *scrubbing) round(c *conn) (err error) {
	if s.version, err = dataVersion(c); err != nil {
		return err
	}
	s.left, err = pageCount(c)
	return err
}

// blankSome goes on with a pass. Pages that come in the meantime hold nothing of what was deleted before.
func (s *scrubbing) blankSome(c *conn) error {
	pages, err := pageCount(c)
	if err != nil {
		return err
	}
	if s.next < 1 || s.next > pages {
		s.next = 1
	}
	last := min(s.next+min(scrubPages, s.left)-1, pages)
	if err := blankPages(c, s.next, last); err != nil {
		return err
	}
	s.left -= last - s.next + 1
	s.next = last + 1
	if s.left > 0 || !s.again {
		return nil
	}
	version, err := dataVersion(c)
	if err != nil {
		return err
	}
	if s.again = false; s.moved || version != s.version {
		return s.round(c)
	}
	return nil
}

// dataVersion is another after each write of another connection.
func dataVersion(c *conn) (version int64, err error) {
	_, err = c.one(`PRAGMA data_version`, func(r *row) { version = r.integer() })
	return version, err
}

// endScrub empties the log and takes the mark away, unless another delete has made its own.
func (w *writer) endScrub() progress {
	emptied, err := w.checkpoint(100 * time.Millisecond)
	if err != nil || !emptied {
		return scrubHeldUp
	}
	const unmark = `DELETE FROM settings WHERE name = 'scrub' AND value = :mark`
	if err := w.conn.exec(unmark, arg("mark", w.scrubbing.mark)); err != nil {
		return scrubHeldUp
	}
	w.scrubbing.mark = 0
	_, _ = w.checkpoint(time.Millisecond) // for an empty log again; what is in it now tells nothing
	return scrubGoesOn                    // to see whether there is another mark
}

// finishScrub does what is left of a scrub before the file is closed. What others are in the way of, or the
// context leaves no time for, is done when the file is opened again.
func (w *writer) finishScrub(ctx context.Context) {
	for held := time.Duration(0); held < scrubClosing && ctx.Err() == nil; {
		began := time.Now()
		switch w.scrubPart() {
		case scrubDone:
			return
		case scrubGoesOn:
		case scrubHeldUp:
			time.Sleep(20 * time.Millisecond)
			held += time.Since(began)
		}
	}
}

// checkpoint moves the write-ahead log into the file and empties it, because the log still holds the pages from
// before a delete. It says whether the log is empty now. It waits for readers only briefly, since writes wait
// meanwhile.
func (w *writer) checkpoint(patience time.Duration) (emptied bool, err error) {
	before := 0
	if _, err := w.conn.one(`PRAGMA busy_timeout`, func(r *row) { before = r.int() }); err != nil {
		return false, err
	}
	if err := w.setBusyTimeout(int(patience.Milliseconds())); err != nil {
		return false, err
	}
	_, err = w.conn.one(`PRAGMA wal_checkpoint(TRUNCATE)`, func(r *row) { emptied = r.int() == 0 })
	return emptied, errors.Join(err, w.setBusyTimeout(before))
}

func (w *writer) setBusyTimeout(milliseconds int) error {
	return w.conn.script(fmt.Sprintf(`PRAGMA busy_timeout = %d`, milliseconds)) // a PRAGMA takes no parameters
}
