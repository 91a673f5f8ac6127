package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/memory"
	"mneme/service"
	"mneme/service/faults"
)

// opener is app.Open, which makes a memory where none is, or app.OpenExisting.
type opener func(context.Context, app.Config, *slog.Logger) (*app.Memory, error)

// opened opens the memory for a command of a tenant, says after it what could not be read, and closes it.
func (p *program) opened(ctx context.Context, open opener, use func(ctx context.Context, memory *app.Memory) error) (err error) {
	memory, err := open(ctx, p.config, p.logger())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, memory.Close(context.WithoutCancel(ctx))) }()
	var unread faults.Unreadable
	var unknown faults.Unknown
	defer p.tellUnread(&unread)
	if err := use(unknown.Within(unread.Within(service.WithTenant(ctx, p.tenant))), memory); err != nil {
		return err
	}
	for _, name := range unknown.Names() {
		fmt.Fprintln(p.Err, "mneme: "+name.Message)
	}
	return nil
}

// recording is opened for a command that records what its tenant is to remember.
func (p *program) recording(ctx context.Context, record func(ctx context.Context, memory *app.Memory, tenant *service.Tenant) error) error {
	return p.opened(ctx, app.Open, func(ctx context.Context, memory *app.Memory) error {
		tenant, err := memory.Service.Tenant(ctx)
		if err != nil {
			return err
		}
		return record(ctx, memory, tenant)
	})
}

// maxUnread is how many records are named that cannot be read.
const maxUnread = 20

// tellUnread says which records are left out because they cannot be read.
func (p *program) tellUnread(unread *faults.Unreadable) {
	errs := unread.Errors()
	for _, err := range errs[:min(len(errs), maxUnread)] {
		fmt.Fprintln(p.Err, "mneme: "+err.Text())
	}
	if len(errs) > maxUnread {
		fmt.Fprintf(p.Err, "mneme: and %d others\n", len(errs)-maxUnread)
	}
}

// with is opened for a command that asks its tenant something.
func (p *program) with(ctx context.Context, ask func(ctx context.Context, tenant *service.Tenant) error) error {
	return p.opened(ctx, app.OpenExisting, func(ctx context.Context, memory *app.Memory) error {
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

// asks is ofTenant for a command that asks its tenant something.
func (p *program) asks(
	command *cobra.Command, ask func(ctx context.Context, tenant *service.Tenant, args []string) error,
) *cobra.Command {
	return p.ofTenant(command, func(command *cobra.Command, args []string) error {
		return p.with(command.Context(), func(ctx context.Context, tenant *service.Tenant) error { return ask(ctx, tenant, args) })
	})
}

// shows is asks for a command that does nothing but print the answer: as JSON, or as people writes it.
func shows[T any](
	p *program, command *cobra.Command, ask func(ctx context.Context, tenant *service.Tenant, args []string) (T, error),
	people func(w io.Writer, answer T),
) *cobra.Command {
	return p.asks(command, func(ctx context.Context, tenant *service.Tenant, args []string) error {
		answer, err := ask(ctx, tenant, args)
		if err != nil {
			return err
		}
		return p.answer(answer, func(w io.Writer) { people(w, answer) })
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

// says is answer with a line for people.
func (p *program) says(value any, format string, args ...any) error {
	return p.answer(value, func(w io.Writer) { fmt.Fprintf(w, format+"\n", args...) })
}

// tableWidth is the most characters in a row of a table, as in terminals.
const tableWidth = 80

// table prints a list in columns under a heading. Where they are too wide, the last column has lines of its own.
func table[T any](w io.Writer, heading []string, list []T, row func(T) []string) {
	rows := append([][]string{heading}, memory.Mapped(list, row)...)
	lines, last := inColumns(rows), len(heading)-1
	if slices.ContainsFunc(lines, func(line string) bool { return utf8.RuneCountInString(line) > tableWidth }) {
		for i, line := range inColumns(memory.Mapped(rows, func(row []string) []string { return row[:last] })) {
			lines[i] = line + "\n    " + rows[i][last]
		}
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
}

// inColumns are the lines of rows whose columns stand below one another.
func inColumns(rows [][]string) []string {
	var text bytes.Buffer
	columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	_ = columns.Flush() // a buffer takes all
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
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
