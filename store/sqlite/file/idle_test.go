package file

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// closing opens a directory in which a test closes files.
func closing(t *testing.T) *Directory {
	t.Helper()
	opened, err := Open(t.Context(), Options{Dir: t.TempDir(), Idle: time.Hour})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	return opened
}

func read(*db.Conn) error { return nil }

func TestIdleFilesAreClosedAndOpenedAgain(t *testing.T) {
	t.Parallel()
	directory := closing(t)
	file, err := directory.Bind(t.Context(), "t")
	require.NoError(t, err)
	write := func() {
		require.NoError(t, file.Write(t.Context(), func(c *db.Tx) error {
			return c.Conn.Script(`CREATE TABLE IF NOT EXISTS n (n); INSERT INTO n VALUES (1)`)
		}))
	}
	isClosed := func() bool { return file.opened.Load() == nil }
	requireCloses := func() {
		require.NoError(t, file.closeIdle(t.Context(), time.Now().UnixNano()))
		require.True(t, isClosed())
	}
	write()
	requireCloses()
	assert.Equal(t, 1, file.number(t, `SELECT count(*) FROM n`), "it is opened again to be read")
	requireCloses()
	write()
	assert.Equal(t, 2, file.number(t, `SELECT count(*) FROM n`))

	requireCloses()
	require.NoError(t, directory.Check(t.Context(), read))
	assert.True(t, isClosed(), "whoever asks whether all is well opens nothing")
}

func TestAFileThatIsDueToBeVacuumedStaysOpen(t *testing.T) {
	t.Parallel()
	directory := closing(t)
	file, err := directory.Bind(t.Context(), "t")
	require.NoError(t, err)
	require.NoError(t, file.Erase(t.Context(), func(*db.Tx) error { return nil }))
	require.NoError(t, file.closeIdle(t.Context(), time.Now().Add(time.Hour).UnixNano()))
	assert.NotNil(t, file.opened.Load())
	require.NoError(t, file.Write(t.Context(), func(c *db.Tx) error {
		return c.Conn.Exec(`DELETE FROM settings WHERE name = :name`, db.Arg("name", schema.SettingVacuum))
	}))
	require.NoError(t, file.closeIdle(t.Context(), time.Now().Add(-time.Hour).UnixNano()))
	assert.NotNil(t, file.opened.Load(), "it was used since")
	require.NoError(t, file.closeIdle(t.Context(), time.Now().Add(time.Hour).UnixNano()))
	assert.Nil(t, file.opened.Load())
}

// TestFilesAreNotClosedUnderTheirUsers: readers and writers of files that are closed all the time meet no fault.
func TestFilesAreNotClosedUnderTheirUsers(t *testing.T) {
	t.Parallel()
	directory := closing(t)
	var group, closer sync.WaitGroup
	stop := make(chan struct{})
	closer.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			for _, f := range directory.opened() {
				assert.NoError(t, f.closeIdle(context.WithoutCancel(t.Context()), time.Now().UnixNano()))
			}
		}
	})
	for _, tenant := range []string{"a", "b", "c", "d"} {
		file, err := directory.Bind(t.Context(), tenant)
		require.NoError(t, err)
		require.NoError(t, file.Write(t.Context(), func(c *db.Tx) error { return c.Conn.Script(`CREATE TABLE n (n)`) }))
		for range 2 {
			group.Go(func() {
				for range 40 {
					assert.NoError(t, file.Write(t.Context(), func(c *db.Tx) error { return c.Conn.Exec(`INSERT INTO n VALUES (1)`) }))
					assert.NoError(t, file.Read(t.Context(), read))
				}
			})
		}
		defer func() { assert.Equal(t, 80, file.number(t, `SELECT count(*) FROM n`)) }()
	}
	group.Wait()
	close(stop)
	closer.Wait()
}

// Of many files those stay open that were used last, one that is in use, and one that is due to be vacuumed.
func TestOfManyFilesTheLatestStayOpen(t *testing.T) {
	t.Parallel()
	const most, all = 8, 60
	directory := closing(t)
	directory.MaxOpen = most
	open := func() int { return len(directory.opened()) }
	bind := func(tenant string) *File {
		file, err := directory.Bind(t.Context(), tenant)
		require.NoError(t, err)
		return file
	}
	due := bind("due")
	require.NoError(t, due.Erase(t.Context(), func(c *db.Tx) error { return c.Conn.Script(`CREATE TABLE n (n)`) }))
	held := bind("held")
	release, reading := make(chan struct{}), make(chan error)
	require.NoError(t, held.Write(t.Context(), func(c *db.Tx) error { return c.Conn.Script(`CREATE TABLE n (n)`) }))
	begun := make(chan struct{})
	go func() {
		reading <- held.Read(t.Context(), func(*db.Conn) error {
			close(begun)
			<-release
			return nil
		})
	}()
	<-begun
	for i := range all {
		require.NoError(t, bind(fmt.Sprintf("t%d", i)).Write(t.Context(), func(c *db.Tx) error { return c.Conn.Script(`CREATE TABLE n (n)`) }))
		require.Eventually(t, func() bool { return open() <= most }, time.Minute, time.Millisecond)
	}
	assert.NotNil(t, due.opened.Load(), "it is to be vacuumed")
	assert.NotNil(t, held.opened.Load(), "it is read")
	assert.NotNil(t, bind(fmt.Sprintf("t%d", all-1)).opened.Load(), "it was used last")
	close(release)
	require.NoError(t, <-reading)
	assert.Zero(t, bind("t0").number(t, `SELECT count(*) FROM n`), "a closed one is opened again")
	require.Eventually(t, func() bool {
		runtime.GC()
		return directory.files.Len() <= most+2
	}, time.Minute, time.Millisecond, "what was closed is not kept")
}

func TestWhatIsOpenedWhileTheDirectoryClosesIsClosed(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), Options{Dir: t.TempDir(), Idle: time.Hour})
	require.NoError(t, err)
	file, err := d.Bind(t.Context(), "t")
	require.NoError(t, err)
	require.NoError(t, MakePrivate(file.Path))
	other, err := db.Connect(t.Context(), db.DSN(file.Path, time.Second, "journal_mode(wal)"))
	require.NoError(t, err)
	require.NoError(t, other.Exec(`BEGIN IMMEDIATE`)) // so that the file gets no schema until that ends
	written := make(chan error)
	go func() { written <- file.Write(t.Context(), func(*db.Tx) error { return nil }) }()
	require.Eventually(t, func() bool {
		free := file.opening.TryLock()
		if free {
			file.opening.Unlock()
		}
		return !free
	}, time.Minute, time.Millisecond)
	require.NoError(t, d.Close(t.Context()))
	require.NoError(t, other.Close())
	require.ErrorIs(t, <-written, ErrClosed)
	assert.Nil(t, file.opened.Load())
}
