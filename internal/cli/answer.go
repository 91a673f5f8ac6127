package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/service"
)

// opened opens the memory for a command, which works on its tenant, and closes it after. It makes one where none is.
func (p *program) opened(ctx context.Context, use func(ctx context.Context, memory *app.Memory) error) error {
	return p.openedBy(ctx, app.Open, use)
}

// existing is opened for a command that must not make a memory where none is.
func (p *program) existing(ctx context.Context, use func(ctx context.Context, memory *app.Memory) error) error {
	return p.openedBy(ctx, app.OpenExisting, use)
}

func (p *program) openedBy(
	ctx context.Context, open func(context.Context, app.Config, *slog.Logger) (*app.Memory, error),
	use func(ctx context.Context, memory *app.Memory) error,
) (err error) {
	if p.configFault != nil {
		return p.configFault
	}
	memory, err := open(ctx, p.config, p.logger())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, memory.Close(context.WithoutCancel(ctx))) }()
	return p.asTenant(ctx, func(ctx context.Context) error { return use(ctx, memory) })
}

// asTenant does the work of a command for its tenant, and says after it what could not be read.
func (p *program) asTenant(ctx context.Context, work func(ctx context.Context) error) error {
	var unread service.Unreadable
	defer p.tellUnread(&unread)
	return work(unread.Within(service.WithTenant(ctx, p.tenant)))
}

// ofStore are the commands that texts of the service name, and ofTenant those of a tenant.
var (
	ofStore  = regexp.MustCompile(`mneme (keys (create|list|revoke|reset)|rebuild|forget|compact|restore)`)
	ofTenant = regexp.MustCompile(`mneme (rebuild|forget|compact|restore)`)
)

// here leads the commands that a text names to the same memory.
func (p *program) here(text string) string {
	return ofStore.ReplaceAllStringFunc(text, func(command string) string { return command + p.config.SameStore() })
}

// hereFor is here for commands that are about a tenant; "" for none.
func (p *program) hereFor(tenant, text string) string {
	if tenant != "" && tenant != service.DefaultTenant {
		text = ofTenant.ReplaceAllString(text, "$0 --tenant "+tenant)
	}
	return p.here(text)
}

// mostUnread is how many records are named that cannot be read.
const mostUnread = 20

// tellUnread says which records are left out because they cannot be read.
func (p *program) tellUnread(unread *service.Unreadable) {
	errs := unread.Errors()
	for _, err := range errs[:min(len(errs), mostUnread)] {
		fmt.Fprintln(p.Err, "mneme: "+p.here(err.Text()))
	}
	if len(errs) > mostUnread {
		fmt.Fprintf(p.Err, "mneme: and %d others\n", len(errs)-mostUnread)
	}
}

// with is existing for a command that asks its tenant something.
func (p *program) with(command *cobra.Command, ask func(ctx context.Context, tenant *service.Tenant) error) error {
	return p.existing(command.Context(), func(ctx context.Context, memory *app.Memory) error {
		if err := memory.CheckTenant(ctx, p.config, p.tenant); err != nil {
			return err
		}
		tenant, err := memory.Service.Tenant(ctx)
		if err != nil {
			return err
		}
		return ask(ctx, tenant)
	})
}

// asks is the run of a command that asks its tenant something.
func (p *program) asks(ask func(ctx context.Context, tenant *service.Tenant, args []string) error) func(*cobra.Command, []string) error {
	return p.begun(func(command *cobra.Command, args []string) error {
		return p.with(command, func(ctx context.Context, tenant *service.Tenant) error { return ask(ctx, tenant, args) })
	})
}

// answer prints a value as JSON where that was asked for, else what people writes.
func (p *program) answer(value any, people func(w io.Writer)) error {
	if p.json {
		encoder := json.NewEncoder(p.Out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	}
	people(p.Out)
	return nil
}

// table prints rows in columns under a heading.
func table(w io.Writer, heading []string, rows [][]string) {
	aligned := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{heading}, rows...) {
		fmt.Fprintln(aligned, strings.Join(row, "\t"))
	}
	_ = aligned.Flush() // the writer beneath keeps its fault
}

// output is the standard output. It keeps its first fault, which the exit status tells: most write without looking.
type output struct {
	to    io.Writer
	fault error
}

func (o *output) Write(text []byte) (written int, err error) {
	if o.fault != nil { // what comes after a gap says something else
		return 0, o.fault
	}
	written, o.fault = o.to.Write(text)
	return written, o.fault
}

// unwritten says why not all was written; nil where it was.
func (o *output) unwritten() error {
	const name = "standard output"
	return unwritten(name, notWritable(name, o.fault))
}
