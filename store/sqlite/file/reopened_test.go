package file

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/store"
	"mneme/store/sqlite/db"
)

// A file that was opened on a disk that could not be written is opened anew for the first write. Where that has no time
// for it, because somebody reads, whoever comes then does it.
func TestAFileIsOpenedAnewAfterAWriteThatHadNoTimeForIt(t *testing.T) {
	t.Parallel()
	file := openTenantFile(t, t.TempDir())
	write := func(ctx context.Context) error { return file.Write(ctx, func(*db.Tx) error { return nil }) }
	require.NoError(t, write(t.Context()))
	require.NoError(t, file.opened.Load().close(t.Context()))
	refused, err := openToRead(t.Context(), file.Path, Options{BusyTimeout: time.Second}, store.ErrReadOnly)
	require.NoError(t, err)
	require.NoError(t, refused.read(t.Context(), func(*db.Conn) error { return nil }))
	refused.written = stateOf(file.Path) // where reading makes no files
	file.opened.Store(refused)

	reads, over, done := make(chan bool), make(chan bool), make(chan error, 1)
	go func() {
		done <- file.Read(t.Context(), func(*db.Conn) error {
			close(reads)
			<-over
			return nil
		})
	}()
	end := sync.OnceFunc(func() { close(over) })
	t.Cleanup(end)
	<-reads
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, write(soon), context.DeadlineExceeded)
	end()
	require.NoError(t, <-done)

	within, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	require.NoError(t, file.Read(within, func(*db.Conn) error { return nil }))
	require.NoError(t, write(within))
}
