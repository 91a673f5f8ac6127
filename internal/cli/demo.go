package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/internal/demo"
	"mneme/internal/importer"
	"mneme/service"
)

func (p *program) demoCommand() *cobra.Command {
	return p.ofTenant(&cobra.Command{
		Use:   "demo",
		Short: "Fill the memory with a sample",
		Long: "Fill the memory with a made-up sample: agents at work over the last 90 days, what they showed and what\n" +
			"people said. A second time adds nothing. A server may run on the same data meanwhile.",
	}, func(command *cobra.Command, _ []string) error {
		return p.recording(command.Context(), func(ctx context.Context, memory *app.Memory, tenant *service.Tenant) error {
			loaded, err := demo.Load(ctx, tenant, time.Now())
			if err != nil {
				return fmt.Errorf("loading the sample: %w", err)
			}
			return p.answer(loaded, func(w io.Writer) { p.tellLoaded(w, loaded, memory.Describe()) })
		})
	})
}

func (p *program) tellLoaded(w io.Writer, loaded importer.Report, where string) {
	fmt.Fprintf(w, "Loaded a sample of 90 days into %s: %s.\n", where, loaded)
	fmt.Fprintf(w, "\nAsk it on the command line (in a clone with go run . in the place of mneme):\n  mneme recall%s a customer wants a refund for a late order\n", p.sameMemory())
	if p.tenant != service.DefaultTenant {
		fmt.Fprintf(w, "\nA server serves the tenant %s, and this one to who has a key of it: mneme keys create%s makes one.\n", service.DefaultTenant, p.sameMemory())
		return
	}
	fmt.Fprintf(w, "\nOr open the /playground of the server that runs on it, or start one: mneme serve%s (in a clone: go run . serve%[1]s). Try there:\n", p.config.SameStore())
	fmt.Fprintf(w, "\n%s", demo.Examples)
}
