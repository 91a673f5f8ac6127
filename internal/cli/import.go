package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/internal/importer"
	"mneme/memory"
	"mneme/memory/prose"
	"mneme/service"
)

// shownFaults is the number of skipped lines that are told one by one.
const shownFaults = 20

func (p *program) importCommand() *cobra.Command {
	var options importer.Options
	var since *time.Time
	command := p.ofTenant(&cobra.Command{
		Use:   "import --format jsonl|events|executions|verdicts|tau-bench|claude-code|codex FILE…",
		Short: "Record what files hold",
		Long: `Record what files hold; "-" is the standard input, and gzip is unpacked. The formats:

  jsonl      what mneme export wrote; or a record a line, {"kind": "episode", "record": {…}}, for the
             kinds agent, session, memoir, concept, relation, episode, canvas, feedback, observation,
             correction, execution and verdict, with the fields of the API's inputs
  events     the event logs of runs, an event a line with runId, agentId, workflowName, sessionId, type,
             data and at
  executions pieces of work of agents, a line each, with the fields of RecordExecutionInput
  verdicts   what judges decided, a line each, with the fields of RecordVerdictInput, and label and
             labelledBy where people said whether they would have approved
  tau-bench  historical trajectories of sierra-research/tau-bench, a JSON array
  claude-code, codex
             transcripts of these coding agents, files or directories; all of them where none is named. A request
             until the next is an episode, of the agent of this name. Import again what has grown since.

What was deleted for good (mneme forget) is left out, unless --force brings it back.
Records have keys, so that an import that was broken off is resumed by running it again. A server may
run on the same data meanwhile. With --keep-going the exit status is 3 where faulty records were skipped, and 1
where nothing else was there.`,
		Example: "  mneme import --format jsonl export.jsonl.gz\n" +
			"  mneme import --format tau-bench --agent gpt-4o --task-type airline gpt-4o-airline.json",
		Args: func(command *cobra.Command, files []string) error {
			if _, ok := transcriptsOf[options.Format]; ok && len(files) == 0 {
				return nil
			}
			return cobra.MatchAll(cobra.MinimumNArgs(1), notEmpty)(command, files)
		},
	}, func(command *cobra.Command, files []string) error {
		if _, ok := transcriptsOf[options.Format]; ok {
			if since != nil {
				options.Since = *since
			}
			return p.importTranscripts(command.Context(), files, options)
		}
		return p.importFiles(command.Context(), files, options)
	})
	flags := command.Flags()
	flags.Var(&flagValue{kind: "format", set: func(name string) error {
		if options.Format = importer.Format(name); !slices.Contains(importer.Formats, options.Format) {
			return errors.New("must be " + prose.Listed(importer.Formats, "or"))
		}
		return nil
	}}, "format", "jsonl, events, executions, verdicts, tau-bench, claude-code or codex")
	flags.Var(timeFlag(&since), "since", "claude-code and codex: only what happened then or later"+timeForms)
	flags.BoolVar(&options.KeepGoing, "keep-going", false, "skip faulty lines instead of stopping at the first")
	flags.BoolVar(&options.Force, "force", false, "bring back what was deleted for good")
	flags.StringVar(&options.Agent, "agent", importer.DefaultAgent, "tau-bench: whose runs they are")
	flags.StringVar(&options.TaskType, "task-type", importer.DefaultTaskType, "tau-bench: what they are about")
	_ = command.MarkFlagRequired("format") // which it has
	return command
}

// importFiles imports one file after the other, and says what came of it.
func (p *program) importFiles(ctx context.Context, files []string, options importer.Options) error {
	for _, name := range files {
		if name == "-" {
			continue
		}
		switch found, err := os.Stat(name); {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("there is no file %s", name)
		case err != nil:
			return err
		case found.IsDir():
			return fmt.Errorf("%s is a directory; name the files in it", name)
		}
	}
	return p.recording(ctx, func(ctx context.Context, opened *app.Memory, tenant *service.Tenant) error {
		fmt.Fprintf(p.Err, "Importing into %s\n", opened.Describe())
		all := importer.NewReport()
		for _, name := range files {
			report, err := p.importFile(ctx, tenant, name, options)
			if err != nil {
				return err
			}
			all.Add(report)
		}
		skipped := prose.Counted(all.Skipped, "faulty record was", "faulty records were")
		switch {
		case all.Skipped == 0:
			return nil
		case all.Records() == 0:
			return fmt.Errorf("nothing was imported: %s skipped. %s", skipped, isFormat(options.Format))
		}
		return fmt.Errorf("%s skipped; %w", skipped, errPart)
	})
}

func (p *program) importFile(ctx context.Context, tenant *service.Tenant, name string, options importer.Options) (importer.Report, error) {
	file, err := p.file(ctx, name)
	if err != nil {
		return importer.Report{}, err
	}
	defer file.Close()
	shown := fileName(name)
	progress := newProgress(p.Err)
	options.Progress = func(report importer.Report) {
		progress.tell(report.Records(), func(rate float64) string {
			return fmt.Sprintf("%s: line %d, %d records, %.0f a second", shown, report.Line, report.Records(), rate)
		})
	}
	began := time.Now()
	report, err := importer.Import(ctx, tenant, file, options)
	progress.end()
	p.tellFaults(shown, report)
	var fault *importer.Fault
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(p.Err, "%s: broken off after %s; import again to go on from there\n", shown, report)
		return report, err
	case errors.As(err, &fault):
		return report, fmt.Errorf("%s, %w\nImported so far: %s.%s", shown, err, report, advised(report, options))
	case err != nil:
		advice := ""
		if memory.CodeOf(err) == memory.CodeUnavailable { // which may pass
			advice = " Import again to go on from there."
		}
		return report, fmt.Errorf("%s: %w\nImported so far: %s.%s", shown, err, report, advice)
	}
	imported := struct {
		File string `json:"file"`
		importer.Report
	}{shown, report}
	return report, p.answer(imported, func(w io.Writer) {
		took := time.Since(began)
		if report.Line == 0 && report.Records() == 0 {
			fmt.Fprintf(w, "%s: there is nothing in it\n", shown)
			return
		}
		fmt.Fprintf(w, "%s: imported %s in %s, %.0f records a second\n", shown, report, took.Round(10*time.Millisecond), float64(report.Records())/took.Seconds())
		if report.Forgotten > 0 {
			fmt.Fprintf(w, "%s: left out %s deleted for good; --force brings them back\n", shown, prose.Counted(report.Forgotten, "record that was", "records that were"))
		}
	})
}

// advised is what to do about a fault that ended an import.
func advised(report importer.Report, options importer.Options) string {
	const again = "\nwhat is imported already is not imported twice"
	switch {
	case report.Records() == 0: // there is nothing but such lines, it seems
		return " Mend the line and import again. " + isFormat(options.Format)
	case options.KeepGoing: // and yet there was no going on
		return " Mend the line and import again;" + again
	}
	return " Mend the line and import again, or skip such lines with --keep-going;" + again
}

func (p *program) file(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return interruptible(ctx, func() (io.Reader, error) { return p.In, nil }), nil
	}
	if found, err := os.Stat(name); err != nil || found.Mode().IsRegular() {
		return os.Open(name)
	}
	return interruptible(ctx, func() (io.Reader, error) { return os.Open(name) }), nil // to open a pipe is to wait for its writer
}

// interruptible reads until its context ends, also where nothing comes any more: the standard input of a terminal, or a
// pipe, cannot be woken up.
func interruptible(ctx context.Context, open func() (io.Reader, error)) io.ReadCloser {
	read, write := io.Pipe()
	context.AfterFunc(ctx, func() { _ = write.CloseWithError(context.Cause(ctx)) })
	go func() {
		from, err := open()
		if err == nil {
			_, err = io.Copy(write, from)
		}
		_ = write.CloseWithError(err)
	}()
	return read
}

func fileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// tellFaults lists what was skipped, and what was taken and says little.
func (p *program) tellFaults(name string, report importer.Report) {
	for _, fault := range report.Faults[:min(shownFaults, len(report.Faults))] {
		fmt.Fprintf(p.Err, "%s, skipped %v\n", name, &fault)
	}
	if more := report.Skipped - shownFaults; more > 0 {
		fmt.Fprintf(p.Err, "%s, skipped %d more lines\n", name, more)
	}
	for _, note := range report.Notes {
		fmt.Fprintf(p.Err, "%s, %s\n", name, note.Of("line"))
	}
}

// isFormat asks whether the format is right, where no record of it was found.
func isFormat(format importer.Format) string {
	return fmt.Sprintf("Is --format %s right? The formats are %s", format, prose.Listed(importer.Formats, "and"))
}
