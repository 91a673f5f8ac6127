package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mneme/store"
)

// secure_delete overwrites what is deleted, but not the copies that SQLite leaves where it distributes the cells of
// pages anew. Those go when the file is vacuumed. That it is due stands in the file, so that it stays due until it
// is done, whoever does it.

// markVacuum makes a vacuum due, in the transaction of a delete. The mark is another with each, so that what is deleted
// while the file is vacuumed stays marked.
func markVacuum(c *conn) error { return setSetting(c, settingVacuum, newMark()) }

func newMark() int64 { return 1 + rand.Int64N(1<<62) } //nolint:gosec // it is no secret, only another than the last

// vacuumMark is the mark of the vacuum that is due, 0 for none. In the place of one that cannot be read it makes another.
func vacuumMark(c *conn) (mark int64, err error) {
	for {
		state, err := setting(c, settingVacuum, func(r *row) { mark = r.integer() })
		if err != nil || state != settingUnreadable {
			return mark, err
		}
		if err := markVacuum(c); err != nil {
			return 0, err
		}
	}
}

// vacuuming says whether the file is being vacuumed, or was when that was broken off by a kill.
func vacuuming(c *conn) bool {
	under, err := c.one(`SELECT 1 FROM settings WHERE name = :name`, func(*row) {}, arg("name", settingVacuuming))
	return err == nil && under
}

func (t *Tenant) isVacuuming(ctx context.Context) (under bool) {
	err := t.read(ctx, func(c *conn) error {
		under = vacuuming(c)
		return nil
	})
	return err == nil && under
}

// Compact vacuums the tenant's file, whether or not that is due.
func (t *Tenant) Compact(ctx context.Context, tell func(store.CompactStep)) (sizes store.Compacted, err error) {
	if db, err := t.database(ctx, false); err != nil || db == t.backend.nothing {
		return sizes, err
	}
	sizes.Before = sizeOf(t.path) + sizeOf(t.path+"-wal")
	if err := t.erase(ctx, func(*conn) error { return nil }); err != nil {
		return sizes, err
	}
	if tell == nil {
		tell = func(store.CompactStep) {}
	}
	err = vacuumFile(ctx, t.path, tell)
	sizes.After = sizeOf(t.path) + sizeOf(t.path+"-wal")
	return sizes, err
}

func sizeOf(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}

// Due lists the tenants whose files hold spans or are to be vacuumed, which the server does that binds them when nobody
// writes; see store.Backend.
func (b *Backend) Due(ctx context.Context) ([]string, error) {
	ids, err := Tenants(b.dir)
	return slices.DeleteFunc(ids, func(id string) bool { return !b.isDue(ctx, id) }), err
}

// isDue asks a file that nobody need have opened. What cannot be read is told to who uses it.
func (b *Backend) isDue(ctx context.Context, id string) bool {
	c, _, err := connectToRead(ctx, filepath.Join(b.dir, id+".db"), b.busyTimeout)
	if err != nil {
		return false
	}
	defer c.close()
	state, err := setting(c, settingVacuum, func(*row) {})
	if err == nil && state != settingMissing {
		return true
	}
	held, err := c.one(`SELECT 1 FROM spans LIMIT 1`, func(*row) {})
	return err == nil && held
}

// vacuumIdle vacuums the file where that is due and nobody has written for a while. Who comes to write ends it, but for
// the part in which SQLite writes back what it copied, and hears no interrupt. The longer what was in vain took, the
// longer must nobody write before it is tried again.
func (w *writer) vacuumIdle() {
	defer func() { w.idle.Reset(w.pause) }()
	others, err := dataVersion(w.conn)
	if err != nil || others != w.others {
		w.others = others
		return
	}
	if mark, err := vacuumMark(w.conn); err != nil || mark == 0 {
		w.pause = w.habits.idle
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	began, ended := time.Now(), make(chan struct{})
	go func() {
		defer close(ended)
		err = vacuumFile(ctx, w.path, func(store.CompactStep) {})
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
	w.pause = w.habits.idle
	if group != nil {
		w.pause = max(w.pause, min(10*time.Since(began), vacuumLatest))
		w.commit(group)
	}
}

// tellDelay says once that a vacuum is not possible, as where the disk has no room for it.
func (w *writer) tellDelay(err error) {
	fails := err != nil && !errors.Is(err, context.Canceled)
	if fails && !w.delayed {
		w.habits.onDelay(err)
	}
	w.delayed = fails
}

// dataVersion is another after each write of another connection.
func dataVersion(c *conn) (version int64, err error) {
	_, err = c.one(`PRAGMA data_version`, func(r *row) { version = r.integer() })
	return version, err
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
	conn *conn
	path string
	mark int64 // of the last delete before the file is read; 0 where nothing is done
	own  int64 // says in the file that this one is under way
	tell func(store.CompactStep)
}

// vacuumFile does the vacuum that is due, if one is, and waits for whom it has to until the context ends.
func vacuumFile(ctx context.Context, path string, tell func(store.CompactStep)) (err error) {
	c, err := connect(ctx, dsn(path, vacuumPatience, cacheOf(1), "synchronous(full)"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	v := &vacuum{conn: c, path: path, tell: tell, own: newMark()}
	patiently := func(step func(context.Context) error) error {
		return retryBusy(ctx, forever, func() error { return step(ctx) })
	}
	if err := patiently(v.begin); err != nil || v.mark == 0 {
		return err
	}
	for _, step := range []func(context.Context) error{v.mergeWords, v.rewrite, v.emptyLog} {
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
	mark, err := vacuumMark(v.conn)
	if err != nil || mark == 0 {
		return err
	}
	if _, err := truncateLog(v.conn); err != nil {
		return err
	}
	if err := roomToVacuum(v.conn, v.path); err != nil {
		return err
	}
	v.mark = mark
	return setSetting(v.conn, settingVacuuming, v.own)
}

// roomToVacuum is store.NoRoom where the disk has none for a copy and a log of all that is in the file.
func roomToVacuum(c *conn, path string) error {
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

func usedBytes(c *conn) (used int64, err error) {
	const read = `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`
	_, err = c.one(read, func(r *row) { used = r.integer() })
	return used, err
}

// markWords has the word indexes only mark what is deleted, until mergeWords.
func markWords(c *conn) error {
	return c.script(`INSERT INTO words (words, rank) VALUES ('secure-delete', 0); INSERT INTO notes (notes, rank) VALUES ('secure-delete', 0)`)
}

// mergeWords writes the word indexes anew where they hold what is only marked as deleted, in one transaction.
func (v *vacuum) mergeWords(ctx context.Context) error {
	const read = `SELECT 1 FROM words_config WHERE k = 'secure-delete' AND v = 0`
	if marked, err := v.conn.one(read, func(*row) {}); err != nil || !marked {
		return err
	}
	const merge = `BEGIN IMMEDIATE; INSERT INTO words (words) VALUES ('optimize'); INSERT INTO notes (notes) VALUES ('optimize');
		INSERT INTO words (words, rank) VALUES ('secure-delete', 1); INSERT INTO notes (notes, rank) VALUES ('secure-delete', 1); COMMIT`
	err := v.conn.run(ctx, merge)
	if err != nil {
		_ = v.conn.exec(`ROLLBACK`)
	}
	return err
}

// vacuumTurn is held by the one that vacuums: where SQLite puts the copy is the same for the whole process.
var vacuumTurn = make(chan struct{}, 1)

// rewrite has SQLite copy what is in the file beside it, in a file without a name, and write it in its place.
func (v *vacuum) rewrite(ctx context.Context) error {
	select {
	case vacuumTurn <- struct{}{}:
		defer func() { <-vacuumTurn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	used, err := usedBytes(v.conn)
	if err != nil {
		return err
	}
	if v.mark, err = vacuumMark(v.conn); err != nil || v.mark == 0 { // another has done it
		return err
	}
	defer v.follow(used)()
	quoted := strings.ReplaceAll(filepath.Dir(v.path), "'", "''")
	defer func() { _ = v.conn.script(`PRAGMA temp_store_directory = ''`) }()
	if err := v.conn.script(fmt.Sprintf(`PRAGMA temp_store = file; PRAGMA temp_store_directory = '%s'`, quoted)); err != nil {
		return err
	}
	return v.conn.run(ctx, `VACUUM`)
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

// emptyLog moves the write-ahead log into the file, which is as long as what is in it then, and empties it. It waits for
// those who read what was there before.
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
func truncateLog(c *conn) (emptied bool, err error) {
	_, err = c.one(`PRAGMA wal_checkpoint(TRUNCATE)`, func(r *row) { emptied = r.int() == 0 })
	return emptied, err
}

// end says that nobody need wait, and, where it is done, that nothing is due, unless there was another delete.
func (v *vacuum) end(context.Context) error {
	const end = `DELETE FROM settings WHERE name = :vacuuming AND value = :own OR name = :vacuum AND value = :mark`
	err := v.conn.exec(end, arg("vacuuming", settingVacuuming), arg("own", v.own), arg("vacuum", settingVacuum), arg("mark", v.mark))
	if err == nil {
		_, err = truncateLog(v.conn)
	}
	return err
}
