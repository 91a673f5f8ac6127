package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// flagValue is a flag that is checked when it is given.
type flagValue struct {
	kind, text string
	set        func(text string) error
}

func (v *flagValue) String() string { return v.text }

func (v *flagValue) Type() string { return v.kind }

// Set says of an error of the service what is wrong, without the code and the field.
func (v *flagValue) Set(text string) error {
	v.text = text
	err := v.set(text)
	if known, ok := errors.AsType[*memory.Error](err); ok {
		return errors.New(known.Message)
	}
	return err
}

// parsed is a flag that may be left out.
func parsed[T any](kind string, into **T, parse func(text string) (T, error)) *flagValue {
	return &flagValue{kind: kind, set: func(text string) error {
		value, err := parse(text)
		*into = &value
		return err
	}}
}

// levelFlag is how much is logged.
func levelFlag(level *slog.Level) *flagValue {
	return &flagValue{kind: "level", text: strings.ToLower(level.String()), set: func(text string) error {
		if level.UnmarshalText([]byte(text)) != nil {
			return errors.New("must be debug, info, warn or error")
		}
		return nil
	}}
}

// tenantFlag is the id of a tenant.
func tenantFlag(id *string) *flagValue {
	return &flagValue{kind: "text", text: *id, set: func(text string) error {
		*id = text
		return service.CheckTenant(text)
	}}
}

// textFlag is a text that may be left out.
func textFlag(text **string) *flagValue {
	return parsed("text", text, func(text string) (string, error) { return text, nil })
}

// numberFlag is a number that may be left out.
func numberFlag(number **float64) *flagValue {
	return parsed("float", number, func(text string) (float64, error) { return strconv.ParseFloat(text, 64) })
}

// pageFlags are those of a list that comes in pages.
func pageFlags(flags *pflag.FlagSet, page *reading.PageInput, first int) {
	page.First = flags.Int("first", first, "how many, at most 100; 0 only counts them")
	flags.Var(&flagValue{kind: "text", set: func(text string) error {
		if page.After = &text; text == "" { // as scripts give it for the first page
			page.After = nil
		}
		return nil
	}}, "after", "the next of the page before")
}

// wordFlag is a word of a closed set, in whatever case, that may be left out.
func wordFlag[T ~string](word **T, words []T) *flagValue {
	return parsed("text", word, func(text string) (T, error) {
		known := make([]string, len(words))
		for i, word := range words {
			if known[i] = strings.ToLower(string(word)); strings.EqualFold(text, known[i]) {
				return word, nil
			}
		}
		return "", fmt.Errorf("must be one of %s", strings.Join(known, ", "))
	})
}

// jsonFlag is JSON that may be left out.
func jsonFlag(value *memory.JSON) *flagValue {
	return &flagValue{kind: "json", set: func(text string) (err error) {
		if *value, err = memory.ParseJSON([]byte(text)); err != nil || *value == nil {
			return errors.New(`must be JSON, such as {"energy":"high"}`)
		}
		return nil
	}}
}

const (
	// agoForms is what a timeFlag takes beside a time and a day.
	agoForms = "so long ago (7d, 12h, 90m)"
	// timeForms says in helps what a timeFlag takes.
	timeForms = ": a time, a day, or " + agoForms
)

// timeFlag is an instant as RFC 3339 tells it, a day, which begins in UTC, or so long before now.
func timeFlag(at **time.Time) *flagValue {
	return parsed("time", at, func(text string) (time.Time, error) { return instantOf(text, false, agoForms) })
}

// expiryFlag is when something ends: a time, a day, or so long from now.
func expiryFlag(at **time.Time) *flagValue {
	return parsed("time", at, func(text string) (time.Time, error) {
		return instantOf(text, true, "so many days (90d) or hours (12h) from now")
	})
}

// instantOf reads a time, a day, or a length of time ahead of now or back, whose form errors tell of.
func instantOf(text string, ahead bool, form string) (time.Time, error) {
	long, ok := length(text)
	if !ok {
		at, err := memory.ParseTime("", text)
		if known, ok := errors.AsType[*memory.Error](err); ok {
			err = fmt.Errorf("%s, or %s", known.Message, form)
		}
		return at, err
	}
	if long <= 0 || long > longest {
		return time.Time{}, fmt.Errorf("must be %s, above 0 and at most 36500d", form)
	}
	if !ahead {
		long = -long
	}
	at := time.Now().UTC().Add(long).Truncate(time.Second)
	return at, memory.CheckTime("", at)
}

// longest keeps what is reckoned from now within the times that there are.
const longest = 100 * 365 * 24 * time.Hour

// length is how long so many days (7d), hours (12h) or minutes (90m) are; of more than longest it may say less.
func length(text string) (long time.Duration, ok bool) {
	if days, are := strings.CutSuffix(text, "d"); are {
		count, err := strconv.Atoi(days)
		return time.Duration(min(max(count, -1), 100*365+1)) * 24 * time.Hour, err == nil
	}
	long, err := time.ParseDuration(text)
	return long, err == nil
}

// filterFlags are the conditions of a filter of episodes.
func filterFlags(flags *pflag.FlagSet, f *boundary.EpisodeFilter) {
	workFlags(flags, &f.WorkFilter)
	flags.Var(textFlag(&f.SessionID), "session", "only what belongs to this session")
	flags.Var(numberFlag(&f.MaxFeedbackScore), "max-feedback", "only with a mean feedback score of at most this, -1 to 1")
}

// workFlags say which past work is looked at.
func workFlags(flags *pflag.FlagSet, f *boundary.WorkFilter) {
	flags.Var(textFlag(&f.AgentID), "agent", "only what this agent did")
	flags.Var(textFlag(&f.TaskType), "task-type", "only of this task type")
	userFlags(flags, &f.UserFilter)
	outcomes := []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure, memory.OutcomeUnknown}
	flags.Var(wordFlag(&f.Outcome, outcomes), "outcome", "only what ended so: success, failure or unknown")
	flags.Var(textFlag(&f.CanvasType), "canvas-type", "only what showed a canvas of this type")
	actions := []memory.CanvasActionKind{memory.CanvasPresent, memory.CanvasClose, memory.CanvasSubmit, memory.CanvasUpdate, memory.CanvasExecute}
	flags.Var(wordFlag(&f.CanvasAction, actions), "canvas-action", "only what showed a canvas on which this happened: present, close, submit, update or execute")
	flags.Var(numberFlag(&f.MinFeedbackScore), "min-feedback", "only with a mean feedback score of at least this, -1 to 1")
	ranges := []memory.TimeRange{memory.Last1Day, memory.Last7Days, memory.Last30Days, memory.Last90Days}
	flags.Var(wordFlag(&f.TimeRange, ranges), "time-range", "only what began so lately: last_1d, last_7d, last_30d or last_90d; not together with --since")
	flags.Var(timeFlag(&f.Since), "since", "only what began then or later"+timeForms)
	flags.Var(timeFlag(&f.Until), "until", "only what began before then"+timeForms)
}

// userFlags are the flags that say for whom what is looked for is.
func userFlags(flags *pflag.FlagSet, users *boundary.UserFilter) {
	flags.Var(textFlag(&users.UserID), "user", "only what is for this user")
	flags.BoolVar(&users.IncludeShared, "include-shared", false, "with --user, also what is for nobody in particular")
}
