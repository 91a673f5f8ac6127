package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// secure_delete overwrites what is deleted, but not the copies left where SQLite distributes a page's cells anew. A
// vacuum removes those. That it is due stands in the file until it is done, whoever does it.

// Compact vacuums the file, whether or not that is due.
func (f *File) Compact(ctx context.Context) (sizes store.Compacted, err error) {
	defer f.use()()
	if d, err := f.database(ctx, false); err != nil || d == f.directory.nothing {
		return sizes, err
	}
	sizes.Before = sizeOf(f.Path) + sizeOf(f.Path+"-wal")
	if err := f.Erase(ctx, func(*db.Tx) error { return nil }); err != nil {
		return sizes, err
	}
	err = vacuumFile(ctx, f.Path)
	sizes.After = sizeOf(f.Path) + sizeOf(f.Path+"-wal")
	return sizes, err
}

func sizeOf(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}

// vacuumIdle vacuums the file where that is due and nobody wrote for a while, here or in another process. A write
// interrupts it, except while SQLite writes back its copy. The longer a vain attempt took, the longer must nobody write
// before the next, as where the disk has no room for it.
func (w *writer) vacuumIdle() {
	defer func() { w.idle.Reset(w.pause) }()
	mark, err := schema.VacuumMark(w.conn)
	if w.othersWrote() || w.place.check() != nil || err != nil || mark == 0 {
		return
	}
	began := time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = vacuumFile(ctx, w.place.path)
	}()
	var group []*job
	select {
	case first := <-w.jobs:
		group = w.gather(first)
	case <-w.stop:
	case <-ended:
	}
	cancel()
	<-ended
	w.pause = w.options.Idle
	if err != nil {
		w.pause = max(w.pause, min(10*time.Since(began), vacuumLatest))
	}
	if group != nil {
		w.commit(group)
	}
}

// othersWrote says whether other processes have written since it was last asked.
func (w *writer) othersWrote() bool {
	before := w.others
	w.others, _ = w.conn.Number(context.Background(), `PRAGMA data_version`)
	return w.others != before
}

// vacuumLatest is how long at most nothing need be written before another vacuum, after one that was in vain.
const vacuumLatest = time.Hour

// A vacuum has a connection of its own.
const (
	// vacuumPatience is how long it waits at once for who reads or writes; others wait for it meanwhile.
	vacuumPatience = 100 * time.Millisecond
	vacuumPause    = 100 * time.Millisecond
	forever        = time.Duration(math.MaxInt64)
)

// vacuumFile does the vacuum that is due, if one is, and waits for whom it has to until the context ends.
func vacuumFile(ctx context.Context, path string) (err error) {
	c, err := db.Connect(ctx, db.DSN(path, vacuumPatience, cacheOf(1), "synchronous(full)"))
	if err != nil {
		return err
	}
	defer func() {
		_, _ = truncateLog(c) // which may be as long as the file, also where the vacuum was broken off
		err = errors.Join(err, c.Close())
	}()
	var mark int64 // of the last delete before the file is read
	for _, step := range []func() error{
		func() (err error) {
			mark, err = rewrite(ctx, c, path)
			return err
		},
		func() error { return emptyLog(ctx, c) },
		func() error { // nothing is due, unless there was another delete
			const done = `DELETE FROM settings WHERE name = :vacuum AND value = :mark`
			return c.Exec(done, db.Arg("vacuum", schema.SettingVacuum), db.Arg("mark", mark))
		},
	} {
		if err := db.RetryBusy(ctx, forever, step); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		if mark == 0 { // another has done it
			return nil
		}
	}
	return nil
}

// vacuumTurn is held by the one that vacuums: where SQLite puts the copy is the same for the whole process.
var vacuumTurn = make(chan struct{}, 1)

// rewrite has SQLite merge the index of words, copy what is in the file beside it, in a file without a name, and write
// it in its place. It gives the mark of the vacuum that was due, 0 where another has done it.
func rewrite(ctx context.Context, c *db.Conn, path string) (mark int64, err error) {
	select {
	case vacuumTurn <- struct{}{}:
		defer func() { <-vacuumTurn }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if mark, err = schema.VacuumMark(c); err != nil || mark == 0 {
		return mark, err
	}
	if err := c.Run(ctx, `INSERT INTO passage_words (passage_words) VALUES ('optimize')`); err != nil {
		return mark, err
	}
	quoted := strings.ReplaceAll(filepath.Dir(path), "'", "''")
	defer func() { _ = c.Script(`PRAGMA temp_store_directory = ''`) }()
	if err := c.Script(fmt.Sprintf(`PRAGMA temp_store = file; PRAGMA temp_store_directory = '%s'`, quoted)); err != nil {
		return mark, err
	}
	return mark, c.Run(ctx, `VACUUM`)
}

// emptyLog moves the write-ahead log into the file, which is as long as what is in it then, and empties it. It waits
// for those who read what was there before.
func emptyLog(ctx context.Context, c *db.Conn) error {
	for {
		if emptied, err := truncateLog(c); err != nil || emptied {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(vacuumPause):
		}
	}
}

// truncateLog says whether the log is empty now.
func truncateLog(c *db.Conn) (emptied bool, err error) {
	_, err = c.One(`PRAGMA wal_checkpoint(TRUNCATE)`, func(r *db.Row) { emptied = r.Int() == 0 })
	return emptied, err
}
