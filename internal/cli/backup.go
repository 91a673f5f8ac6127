package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mneme/service"
)

func (p *program) backupCommand() *cobra.Command {
	return p.asks(&cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the memory to a file while it is in use",
		Long: `Copy a tenant's memory to a file while it is in use: the state at the start, whatever is written meanwhile.
The file must not be there yet. mneme restore brings it back.

On Neo4j, whose free edition cannot copy itself while it runs, an export is the backup.`,
		Example: "  mneme backup /backups/$(date +%F).db",
		Args:    cobra.MatchAll(cobra.ExactArgs(1), notEmpty),
	}, p.backup)
}

func (p *program) backup(ctx context.Context, tenant *service.Tenant, files []string) error {
	path := files[0]
	if path == "-" {
		return errors.New("a backup is a database file and cannot go to standard output: name a file")
	}
	if p.config.KeepsIn(path) {
		return fmt.Errorf("%s belongs to the data that is copied: name another file", path)
	}
	began := time.Now()
	err := tenant.Upkeep.Backup(ctx, path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: name another file, or move it away", path)
	}
	if err != nil {
		return notWritable(path, err)
	}
	info, err := os.Stat(filepath.Clean(path))
	if err != nil {
		return err
	}
	copied := struct {
		File  string `json:"file"`
		Bytes int64  `json:"bytes"`
	}{path, info.Size()}
	return p.says(copied, "%s: copied %d bytes in %s", path, info.Size(), time.Since(began).Round(10*time.Millisecond))
}

func (p *program) restoreCommand() *cobra.Command {
	var yes bool
	command := p.ofTenant(&cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the memory",
		Long: `Put a copy of a backup in the place of a tenant's memory, which goes with all that was recorded since, and may be damaged.
Stop the servers on the data directory first. The backup is looked through before, and stays as it is.

On Neo4j, and for data of another version, import an export.`,
		Example: "  mneme restore /backups/2026-03-01.db\n  mneme restore --yes --tenant acme acme.db",
		Args:    cobra.MatchAll(cobra.ExactArgs(1), notEmpty),
	}, func(command *cobra.Command, files []string) error {
		return p.restore(command.Context(), files[0], yes)
	})
	command.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return command
}

func (p *program) restore(ctx context.Context, from string, yes bool) error {
	if p.config.KeepsIn(from) {
		return fmt.Errorf("%s belongs to the data that is replaced: name a backup", from)
	}
	if _, err := os.Stat(from); err != nil {
		return err
	}
	if size := p.config.SizeOf(p.tenant); size > 0 {
		what := fmt.Sprintf("The memory of tenant %s in %s, %.1f MB, is replaced by %s for good.", p.tenant, p.config.Data, float64(size)/1e6, from)
		if err := p.sure(ctx, yes, what); err != nil {
			return err
		}
	}
	if err := p.config.Restore(ctx, p.tenant, from); err != nil {
		return err
	}
	restored := struct {
		Tenant string `json:"tenant"`
		File   string `json:"file"`
	}{p.tenant, from}
	return p.says(restored, "The memory of tenant %s is that of %s.", p.tenant, from)
}
