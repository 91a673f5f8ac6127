package file

import (
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
func (f *File) Compact(ctx context.Context, tell func(store.CompactStep)) (sizes store.Compacted, err error) {
	defer f.use()()
	if d, err := f.database(ctx, false); err != nil || d == f.directory.nothing {
		return sizes, err
	}
	sizes.Before = sizeOf(f.Path) + sizeOf(f.Path+"-wal")
	if err := f.Erase(ctx, func(*db.Tx) error { return nil }); err != nil {
		return sizes, err
	}
	if tell == nil {
		tell = func(store.CompactStep) {}
	}
	err = vacuumFile(ctx, f.Path, tell)
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
// before the next.
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
		err = vacuumFile(ctx, w.place.path, func(store.CompactStep) {})
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
	w.tellDelay(err)
	w.pause = w.options.Idle
	if group != nil {
		w.pause = max(w.pause, min(10*time.Since(began), vacuumLatest))
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

// tellDelay says once that a vacuum is not possible, as where the disk has no room for it.
func (w *writer) tellDelay(err error) {
	fails := err != nil && !errors.Is(err, context.Canceled)
	if fails && !w.delayed {
		w.delay(err)
	}
	w.delayed = fails
}

// A vacuum has a connection of its own.
const (
	// vacuumPatience is how long it waits at once for who reads or writes; others wait for it meanwhile.
	vacuumPatience = 100 * time.Millisecond
	vacuumPause    = 100 * time.Millisecond
	vacuumTold     = 200 * time.Millisecond
	forever        = time.Duration(math.MaxInt64)
)

type vacuum struct {
	conn *db.Conn
	path string
	mark int64 // of the last delete before the file is read; 0 where nothing is done
	own  int64 // says in the file that this one is under way
	tell func(store.CompactStep)
}

// vacuumFile does the vacuum that is due, if one is, and waits for whom it has to until the context ends.
func vacuumFile(ctx context.Context, path string, tell func(store.CompactStep)) (err error) {
	c, err := db.Connect(ctx, db.DSN(path, vacuumPatience, cacheOf(1), "synchronous(full)"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	v := &vacuum{conn: c, path: path, tell: tell, own: schema.NewMark()}
	patiently := func(step func(context.Context) error) error {
		return db.RetryBusy(ctx, forever, func() error { return step(ctx) })
	}
	if err := patiently(v.begin); err != nil || v.mark == 0 {
		return err
	}
	for _, step := range []func(context.Context) error{v.rewrite, v.emptyLog} {
		if err = patiently(step); err != nil {
			v.mark = 0
			break
		}
	}
	err = errors.Join(err, patiently(v.end))
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// begin looks whether a vacuum is due and has room, and says to others that it begins.
func (v *vacuum) begin(context.Context) error {
	mark, err := schema.VacuumMark(v.conn)
	if err != nil || mark == 0 {
		return err
	}
	if _, err := truncateLog(v.conn); err != nil {
		return err
	}
	if err := RoomToVacuum(v.conn, v.path); err != nil {
		return err
	}
	v.mark = mark
	return schema.SetSetting(v.conn, schema.SettingVacuuming, v.own)
}

// RoomToVacuum is store.NoRoom where the disk has none for a copy and a log of all that is in the file.
func RoomToVacuum(c *db.Conn, path string) error {
	used, err := usedBytes(c)
	if err != nil {
		return err
	}
	needs := 2*used + used/64 + 256<<10
	if free, known := freeBytes(filepath.Dir(path)); known && free < needs {
		return &store.NoRoom{Needs: needs, Free: free}
	}
	return nil
}

func usedBytes(c *db.Conn) (int64, error) {
	return c.Number(context.Background(), `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`)
}

// vacuumTurn is held by the one that vacuums: where SQLite puts the copy is the same for the whole process.
var vacuumTurn = make(chan struct{}, 1)

// rewrite has SQLite merge the index of words, copy what is in the file beside it, in a file without a name, and write
// it in its place.
func (v *vacuum) rewrite(ctx context.Context) error {
	select {
	case vacuumTurn <- struct{}{}:
		defer func() { <-vacuumTurn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := v.conn.Run(ctx, `INSERT INTO passage_words (passage_words) VALUES ('optimize')`); err != nil {
		return err
	}
	used, err := usedBytes(v.conn)
	if err != nil {
		return err
	}
	if v.mark, err = schema.VacuumMark(v.conn); err != nil || v.mark == 0 { // another has done it
		return err
	}
	defer v.follow(used)()
	quoted := strings.ReplaceAll(filepath.Dir(v.path), "'", "''")
	defer func() { _ = v.conn.Script(`PRAGMA temp_store_directory = ''`) }()
	if err := v.conn.Script(fmt.Sprintf(`PRAGMA temp_store = file; PRAGMA temp_store_directory = '%s'`, quoted)); err != nil {
		return err
	}
	return v.conn.Run(ctx, `VACUUM`)
}

// follow tells how far the vacuum is, by the length of the log, until the function that it returns is called.
func (v *vacuum) follow(bytes int64) (end func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticks := time.NewTicker(vacuumTold)
		defer ticks.Stop()
		for {
			v.tell(store.CompactStep{Bytes: bytes, Written: min(bytes, sizeOf(v.path+"-wal"))})
			select {
			case <-ticks.C:
			case <-stop:
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

// emptyLog moves the write-ahead log into the file, which is as long as what is in it then, and empties it. It waits
// for those who read what was there before.
func (v *vacuum) emptyLog(ctx context.Context) error {
	for {
		if emptied, err := truncateLog(v.conn); err != nil || emptied {
			return err
		}
		v.tell(store.CompactStep{Held: true})
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

// end says that nobody need wait, and, where it is done, that nothing is due, unless there was another delete.
func (v *vacuum) end(context.Context) error {
	const end = `DELETE FROM settings WHERE name = :vacuuming AND value = :own OR name = :vacuum AND value = :mark`
	err := v.conn.Exec(end, db.Arg("vacuuming", schema.SettingVacuuming), db.Arg("own", v.own), db.Arg("vacuum", schema.SettingVacuum), db.Arg("mark", v.mark))
	if err == nil {
		_, err = truncateLog(v.conn)
	}
	return err
}
