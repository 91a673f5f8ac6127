package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/memory"
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
	ofStore  = regexp.MustCompile(`mneme (keys (create|list|revoke)|rebuild|forget|compact)`)
	ofTenant = regexp.MustCompile(`mneme (rebuild|forget|compact)`)
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

// levelFlag is how much is logged.
type levelFlag struct{ level *slog.Level }

func (f levelFlag) String() string {
	if f.level == nil {
		return ""
	}
	return strings.ToLower(f.level.String())
}

func (f levelFlag) Type() string { return "level" }

func (f levelFlag) Set(text string) error {
	if err := f.level.UnmarshalText([]byte(text)); err != nil {
		return errors.New("must be debug, info, warn or error")
	}
	return nil
}

// tenantFlag is the id of a tenant.
type tenantFlag struct{ id *string }

func (f tenantFlag) String() string {
	if f.id == nil {
		return ""
	}
	return *f.id
}

func (f tenantFlag) Type() string { return "text" }

func (f tenantFlag) Set(text string) error {
	*f.id = text
	if known, is := errors.AsType[*memory.Error](service.CheckTenant(text)); is {
		return errors.New(known.Message)
	}
	return nil
}

// timeFlag is an instant as RFC 3339 tells it, a day, which begins in UTC, or so long before now.
type timeFlag struct{ at **time.Time }

func (f timeFlag) String() string {
	if f.at == nil || *f.at == nil {
		return ""
	}
	return (*f.at).Format(time.RFC3339)
}

func (f timeFlag) Type() string { return "time" }

const (
	// agoForms is what a timeFlag takes beside a time and a day.
	agoForms = "so long ago (7d, 12h, 90m)"
	// timeForms says in helps what a timeFlag takes.
	timeForms = ": a time, a day, or " + agoForms
)

func (f timeFlag) Set(text string) error {
	back, is := length(text)
	switch {
	case !is:
		if err := f.setTime(text); err != nil {
			return fmt.Errorf("%w, or %s", err, agoForms)
		}
		return nil
	case back <= 0:
		return errors.New("must be " + agoForms + ", without a sign")
	}
	at := time.Now().UTC().Add(-back).Truncate(time.Second)
	if known, is := errors.AsType[*memory.Error](memory.CheckTime("", at)); is {
		return errors.New(known.Message)
	}
	*f.at = &at
	return nil
}

// setTime is Set of a time or a day.
func (f timeFlag) setTime(text string) error {
	at, err := time.Parse(time.DateOnly, text)
	if err == nil {
		err = memory.CheckTime("", at)
	} else {
		at, err = memory.ParseTime("", text)
	}
	if known, is := errors.AsType[*memory.Error](err); is {
		if at.IsZero() { // it is no time at all, rather than one out of range
			return errors.New(known.Message + ", or a day such as 2026-03-01")
		}
		return errors.New(known.Message)
	}
	*f.at = &at
	return err
}

// longest keeps what is reckoned from now within the times that there are.
const longest = 100 * 365 * 24 * time.Hour

// length is how long so many days (7d), hours (12h) or minutes (90m) are; of more than longest it may say less.
func length(text string) (long time.Duration, is bool) {
	if days, are := strings.CutSuffix(text, "d"); are {
		count, err := strconv.Atoi(days)
		return time.Duration(min(max(count, -1), 100*365+1)) * 24 * time.Hour, err == nil
	}
	long, err := time.ParseDuration(text)
	return long, err == nil
}

// jsonFlag is JSON that may be left out.
type jsonFlag struct{ value *memory.JSON }

func (f jsonFlag) String() string {
	if f.value == nil {
		return ""
	}
	return string(*f.value)
}

func (f jsonFlag) Type() string { return "json" }

func (f jsonFlag) Set(text string) error {
	value, err := memory.ParseJSON([]byte(text))
	if err != nil || value == nil {
		return errors.New("must be JSON, such as {\"energy\":\"high\"}")
	}
	*f.value = value
	return nil
}

// wordFlag is a text that may be left out.
type wordFlag[T ~string] struct {
	word  **T
	words []T // the closed set, where there is one
}

func (f wordFlag[T]) String() string {
	if f.word == nil || *f.word == nil {
		return ""
	}
	return string(**f.word)
}

func (f wordFlag[T]) Type() string { return "text" }

func (f wordFlag[T]) Set(text string) error {
	word := T(text)
	if f.words != nil {
		word = T(strings.ToUpper(text))
		known := make([]string, len(f.words))
		for i, w := range f.words {
			if known[i] = strings.ToLower(string(w)); w == word {
				*f.word = &word
				return nil
			}
		}
		return fmt.Errorf("must be one of %s", strings.Join(known, ", "))
	}
	*f.word = &word
	return nil
}
