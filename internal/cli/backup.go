package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/service"
)

func (p *program) backupCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the memory to a file while it is in use",
		Long: `Copy a tenant's memory to a file while it is in use: the state at the start, whatever is written meanwhile.
The file must not be there yet. It is a store's own file: to go back, stop the server and put it in the
place of the tenant's file in the data directory (default.db), without the -wal and -shm files beside it.

On Neo4j, whose free edition cannot copy itself while it runs, an export is the backup.`,
		Example: "  mneme backup /backups/$(date +%F).db",
		Args:    needs("a file", 1, 1),
		RunE: p.asks(func(ctx context.Context, tenant *service.Tenant, files []string) error {
			return p.backup(ctx, tenant, files[0])
		}),
	}
	p.tenantFlags(command)
	return command
}

func (p *program) backup(ctx context.Context, tenant *service.Tenant, path string) error {
	if path == "-" {
		return errors.New("a backup is a database file and cannot go to standard output: name a file")
	}
	if p.config.KeepsIn(path) {
		return fmt.Errorf("%s belongs to the data that is copied: name another file", path)
	}
	began := time.Now()
	err := tenant.Transfer.Backup(ctx, path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: name another file, or move it away", path)
	}
	if _, is := errors.AsType[*memory.Error](err); err != nil && !is { // which says it itself
		err = unwritten(path, notWritable(path, err))
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(filepath.Clean(path))
	if err != nil {
		return err
	}
	copied := struct {
		File  string `json:"file"`
		Bytes int64  `json:"bytes"`
	}{path, info.Size()}
	return p.answer(copied, func(w io.Writer) {
		fmt.Fprintf(w, "%s: copied %d bytes in %s\n", path, info.Size(), time.Since(began).Round(10*time.Millisecond))
	})
}
