package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/service"
	"mneme/service/upkeep"
)

func (p *program) rebuildCommand() *cobra.Command {
	var all bool
	command := p.ofTenant(&cobra.Command{
		Use:   "rebuild",
		Short: "Make anew what follows from the records: indexes, links, counts, vectors",
		Long: `Make anew what follows from the records of a tenant, or of all: the indexes of the database, the ids and owners
that links and records repeat, links to what was waited for, counts and aggregates, the sums of learning
profiles, the index of words, and the vectors. Do it where the doctor says so, or to have the vectors of
records that were written with MNEME_EMBEDDER=off; a server makes these in the background, too.

The records stay as they are, those that cannot be read too; the rest of a record that has lost its key goes. A server may run on the same data: its reads go on; on
SQLite its writes wait while all but the vectors is made, and fail as UNAVAILABLE after 10 seconds. Broken off, nothing is
lost: give the command again.`,
		Example: "  mneme rebuild\n  mneme rebuild --tenant acme\n  mneme rebuild --all",
	}, func(command *cobra.Command, _ []string) error {
		if !all {
			return p.with(command.Context(), func(ctx context.Context, tenant *service.Tenant) error { return p.rebuild(ctx, p.tenant, tenant) })
		}
		return p.opened(command.Context(), app.OpenExisting, func(ctx context.Context, memory *app.Memory) error {
			ids, faults := memory.Service.Tenants(ctx)
			for _, id := range ids {
				tenant, err := memory.Service.Tenant(service.WithTenant(ctx, id))
				if err == nil {
					err = p.rebuild(ctx, id, tenant)
				}
				if err != nil { // one tenant's fault keeps no other from being rebuilt
					faults = errors.Join(faults, fmt.Errorf("%s: %w", id, err))
				}
			}
			return faults
		})
	})
	command.Flags().BoolVar(&all, "all", false, "of all tenants, one after the other")
	command.MarkFlagsMutuallyExclusive("tenant", "all")
	return command
}

// rebuild shows how far it is.
func (p *program) rebuild(ctx context.Context, id string, tenant *service.Tenant) error {
	began, progress := time.Now(), newProgress(p.Err)
	err := tenant.Upkeep.Rebuild(ctx, func(step upkeep.RebuildStep) {
		progress.tell(step.Done, func(float64) string {
			if step.Done == 0 {
				return fmt.Sprintf("rebuild: %s: %s", id, step.Part)
			}
			return fmt.Sprintf("rebuild: %s: %s of %d records", id, step.Part, step.Done)
		})
	})
	if progress.end(); err != nil {
		return err
	}
	rebuilt := struct {
		Tenant string `json:"tenant"`
	}{id}
	return p.says(rebuilt, "Rebuilt what follows from the records of %s in %s.", id, time.Since(began).Round(10*time.Millisecond))
}

func (p *program) compactCommand() *cobra.Command {
	return shows(p, &cobra.Command{
		Use:   "compact",
		Short: "Write the files anew without what was deleted",
		Long: `Write a tenant's file anew (SQLite's VACUUM), after which nothing of what was deleted before is in it, and give
back the room. A server does so by itself when nothing was written for a minute, and forget as its last step;
the doctor says where it is due.

Others read meanwhile; whoever writes waits until it is done. It takes up to twice the room of what is kept for a
while. It waits for those who still read what was there before. Broken off, it has changed nothing and stays due.
On Neo4j there is nothing to do.`,
		Example: "  mneme compact\n  mneme compact --tenant acme",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) (*upkeep.Compacted, error) {
		fmt.Fprintln(p.Err, "compact: writing the files anew, which may take a while")
		return tenant.Upkeep.Compact(ctx)
	}, func(w io.Writer, compacted *upkeep.Compacted) {
		if compacted.Note != "" {
			fmt.Fprintln(w, compacted.Note)
			return
		}
		fmt.Fprintf(w, "Compacted %s to %s.\n", megabytes(compacted.Before), megabytes(compacted.After))
	})
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
