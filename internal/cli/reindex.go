package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mneme/memory/prose"
	"mneme/service"
)

func (p *program) reindexCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "reindex",
		Short: "Make the vectors that records lack",
		Long: `Make the vectors of records that have none, because they were written with MNEME_EMBEDDER=off. A server does
so by itself in the background after it has started; the doctor says how many are due.

Others read and write meanwhile. Broken off, it goes on where it was the next time.`,
		Example: "  mneme reindex\n  mneme reindex --tenant acme",
		Args:    noArguments,
		RunE: p.begun(func(command *cobra.Command, _ []string) error {
			return p.with(command, func(ctx context.Context, tenant *service.Tenant) error {
				reindexed, err := p.reindex(ctx, tenant)
				if err != nil {
					return err
				}
				return p.answer(reindexed, func(w io.Writer) { printReindexed(w, reindexed) })
			})
		}),
	}
	p.tenantFlags(command)
	return command
}

// reindex shows how far it is.
func (p *program) reindex(ctx context.Context, tenant *service.Tenant) (*service.Reindexed, error) {
	progress := newProgress(p.Err, "reindex")
	defer progress.end()
	return tenant.Upkeep.Reindex(ctx, func(step service.ReindexStep) {
		progress.tell(step.Made, func(rate float64) string {
			return fmt.Sprintf("reindex: %d of %d records, %.0f a second", step.Made, max(step.Due, step.Made), rate)
		})
	})
}

func printReindexed(w io.Writer, reindexed *service.Reindexed) {
	if reindexed.Made == 0 {
		fmt.Fprintln(w, "Nothing was due.")
		return
	}
	fmt.Fprintf(w, "Made the vectors of %s.\n", prose.Plural(reindexed.Made, "record"))
}
