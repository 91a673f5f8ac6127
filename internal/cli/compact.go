package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mneme/service"
	"mneme/service/upkeep"
)

func (p *program) compactCommand() *cobra.Command {
	return shows(p, &cobra.Command{
		Use:   "compact",
		Short: "Write the files anew without what was deleted",
		Long: `Write a tenant's file anew (SQLite's VACUUM), after which nothing of what was deleted before is in it, and give
back the room. A server does so by itself when nothing was written for a minute, and forget as its last step;
the doctor says where it is due.

Others read meanwhile; whoever writes waits until it is done. It takes up to twice the room of what is kept for a
while, and begins only where the disk has it. It waits for those who still read what was there before. Broken
off, it has changed nothing and stays due. On Neo4j there is nothing to do.`,
		Example: "  mneme compact\n  mneme compact --tenant acme",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) (*upkeep.Compacted, error) {
		return p.compact(ctx, tenant)
	}, func(w io.Writer, compacted *upkeep.Compacted) {
		if compacted.Note != "" {
			fmt.Fprintln(w, compacted.Note)
			return
		}
		fmt.Fprintf(w, "Compacted %s to %s.\n", megabytes(compacted.Before), megabytes(compacted.After))
	})
}

// compact shows how far it is.
func (p *program) compact(ctx context.Context, tenant *service.Tenant) (*upkeep.Compacted, error) {
	began, progress := time.Now(), newProgress(p.Err, "compact")
	defer progress.end()
	return tenant.Upkeep.Compact(ctx, func(step upkeep.CompactStep) {
		progress.tell(0, func(float64) string {
			switch {
			case step.Held:
				return "compact: written; waiting for those who still read what was there before"
			case step.Written == 0:
				return fmt.Sprintf("compact: copying %s, %s so far", megabytes(step.Bytes), time.Since(began).Round(time.Second))
			}
			return fmt.Sprintf("compact: %s of %s written", megabytes(step.Written), megabytes(step.Bytes))
		})
	})
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
