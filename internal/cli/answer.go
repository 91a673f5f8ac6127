package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"mneme/internal/app"
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

// maxUnread is how many records are named that cannot be read.
const maxUnread = 20

// tellUnread says which records are left out because they cannot be read.
func (p *program) tellUnread(unread *faults.Unreadable) {
	errs := unread.Errors()
	for _, err := range errs[:min(len(errs), maxUnread)] {
		fmt.Fprintln(p.Err, "mneme: "+p.here(err.Text()))
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

// tableWidth is the most characters in a row of a table, as in terminals; leastText the fewest of its last column.
const tableWidth, leastText = 80, 20

// table prints rows in columns under a heading. Where they are too wide, texts go on in the next line; those of a last
// column without room on lines of their own. Words such as ids stay whole for copying, but not in the last.
func table(w io.Writer, heading []string, rows [][]string) {
	rows = append([][]string{heading}, rows...)
	columns := len(heading)
	widths, fits := narrowed(rows, columns)
	if !fits {
		columns--
		widths, _ = narrowed(rows, columns)
	}
	for _, row := range rows {
		for more := true; more; {
			text := ""
			more = false
			for i, width := range widths {
				part, rest := firstLine(row[i], width)
				text += fmt.Sprintf("%-*s  ", width, part)
				row[i], more = rest, more || rest != ""
			}
			fmt.Fprintln(w, strings.TrimRight(text, " "))
		}
		for part, rest := "", strings.Join(row[columns:], ""); rest != ""; {
			part, rest = firstLine(rest, tableWidth-4)
			fmt.Fprintln(w, "    "+part)
		}
	}
}

// narrowed gives the widths of the first columns of rows, those of several words narrowed, and whether they fit then.
func narrowed(rows [][]string, columns int) (widths []int, fits bool) {
	widths, spare, width := make([]int, columns), make([]int, columns), 2*(columns-1)
	for i := range widths {
		longest := 0
		for _, row := range rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
			for word := range strings.FieldsSeq(row[i]) {
				longest = max(longest, utf8.RuneCountInString(word))
			}
		}
		if i == len(rows[0])-1 {
			longest = min(longest, leastText)
		}
		spare[i] = widths[i] - longest
		width += widths[i]
	}
	for ; width > tableWidth && slices.Max(spare) > 0; width-- {
		most := slices.Index(spare, slices.Max(spare))
		widths[most]--
		spare[most]--
	}
	return widths, width <= tableWidth
}

// firstLine is what of a text fits on a line of so many characters, up to a space where there is one, and the rest.
func firstLine(text string, width int) (line, rest string) {
	runes := []rune(text)
	if len(runes) <= width {
		return text, ""
	}
	at := width
	for at > 0 && runes[at] != ' ' {
		at--
	}
	if at == 0 {
		at = width
	}
	return string(runes[:at]), strings.TrimLeft(string(runes[at:]), " ")
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
