package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/internal/demo"
	"mneme/memory/prose"
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

func (p *program) tellLoaded(w io.Writer, l demo.Loaded, where string) {
	switch {
	case l.New > 0 && l.Known+l.LeftOut == 0:
		fmt.Fprintf(w, "Loaded a sample into %s:\n", where)
	case l.New > 0:
		fmt.Fprintf(w, "Loaded what was missing of the sample into %s. In all it is\n", where)
	case l.LeftOut == 0:
		fmt.Fprintf(w, "The sample was there already, in %s:\n", where)
	default:
		fmt.Fprintf(w, "Nothing of the sample was new in %s. In all it is\n", where)
	}
	fmt.Fprintf(w, "  %d agents at %d task types, %d episodes in %d sessions from %s to %s,\n  %d canvases and %d reactions to them,\n  a handbook of %d concepts, %d observations and %d corrections,\n  %d reports with %d verdicts on their sections.\n",
		l.Agents, l.TaskTypes, l.Episodes, l.Sessions, l.From.Format(time.DateOnly), l.To.Format(time.DateOnly), l.Canvases, l.Feedback,
		l.Concepts, l.Observations, l.Corrections, l.Reports, l.Verdicts)
	if l.LeftOut > 0 {
		fmt.Fprintf(w, "Of that, %s deleted for good and left out. An export from before brings them back with mneme import%s --force.\n",
			prose.Counted(l.LeftOut, "record was", "records were"), p.sameMemory())
	}
	fmt.Fprintf(w, "\nAsk it on the command line (in a clone with go run . in the place of mneme):\n  mneme recall%s a customer wants a refund for a late order\n", p.sameMemory())
	if p.tenant != service.DefaultTenant {
		fmt.Fprintf(w, "\nA server serves the tenant %s, and this one to who has a key of it: mneme keys create%s makes one.\n", service.DefaultTenant, p.sameMemory())
		return
	}
	fmt.Fprintf(w, "\nOr open the /playground of the server that runs on it, or start one: mneme serve%s (in a clone: go run . serve%[1]s). Try there:\n", p.config.SameStore())
	fmt.Fprintf(w, "\n%s", demo.Examples)
}
