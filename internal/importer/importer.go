package importer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/tenancy"
)

// Format names what a file holds.
type Format string

// The formats.
const (
	// JSONL is a record a line: {"kind": …, "record": …} where somebody wrote it for the API, and
	// {"kind": …, "kept": …} in an export.
	JSONL Format = "jsonl"
	// Events is the event log of runs: an event a line, runs may be mixed.
	Events Format = "events"
	// Executions is pieces of work of agents: a RecordExecutionInput a line.
	Executions Format = "executions"
	// Verdicts is what judges decided: a RecordVerdictInput a line, with its label where people gave one.
	Verdicts Format = "verdicts"
	// TauBench is a file of historical trajectories of sierra-research/tau-bench: a JSON array.
	TauBench Format = "tau-bench"
	// ClaudeCode is a transcript of Claude Code: ~/.claude/projects/<directory>/<session>.jsonl.
	ClaudeCode Format = "claude-code"
	// Codex is a transcript of Codex: ~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl.
	Codex Format = "codex"
)

// Formats lists every format.
var Formats = []Format{JSONL, TauBench, Events, Executions, Verdicts, ClaudeCode, Codex}

func (f Format) isTranscript() bool { return f == ClaudeCode || f == Codex }

// Options says how to read a file.
type Options struct {
	Format Format
	// Force brings back what was deleted for good.
	Force bool
	// KeepGoing skips what is faulty instead of stopping at the first fault.
	KeepGoing bool
	// Agent and TaskType are whose runs a tau-bench file holds, which the file does not say; by
	// default gpt-4o and airline.
	Agent, TaskType string
	// Since leaves out the episodes of a transcript of which nothing happened since then.
	Since time.Time
	// Latest takes the last two episodes of a transcript only, since those before were imported when they ended.
	Latest bool
	// Seen, where set, is told what the transcripts have beside episodes.
	Seen *Transcripts
	// Ended says that the session of a transcript is over. It counts as over an hour after its last line anyway.
	Ended bool
	// Progress, where set, is told of each batch that was written.
	Progress func(Report)
}

// Report is the account of an import.
type Report struct {
	// Line is the line that was read last, from 1; of tau-bench the run.
	Line int `json:"-"`
	// Imported counts by kind the records, and the relations between concepts, that are new, and Present those that
	// were there already. What else an export has goes along and is not counted.
	Imported map[memory.Kind]int `json:"imported"`
	Present  map[memory.Kind]int `json:"present"`
	// Skipped counts what was faulty, and Faults are the first of it, by line.
	Skipped int     `json:"skipped"`
	Faults  []Fault `json:"-"`
	// Forgotten counts what was left out because it was deleted for good.
	Forgotten int `json:"forgotten"`
	// Notes tell of lines that were taken and say little, the first of them first.
	Notes capture.Notes `json:"-"`
}

// NewReport is the account of an import of nothing.
func NewReport() Report {
	return Report{Imported: map[memory.Kind]int{}, Present: map[memory.Kind]int{}}
}

// Add takes another account into this one, but for its line.
func (r *Report) Add(other Report) {
	for kind, count := range other.Imported {
		r.Imported[kind] += count
	}
	for kind, count := range other.Present {
		r.Present[kind] += count
	}
	r.Forgotten += other.Forgotten
	r.Skipped += other.Skipped
	r.Faults = append(r.Faults, other.Faults[:min(maxFaults-len(r.Faults), len(other.Faults))]...)
}

// maxFaults is how many faults are kept: a file may have millions.
const maxFaults = 1000

// skip notes a fault.
func (r *Report) skip(fault Fault) {
	if r.Skipped++; len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, fault)
	}
}

// Records is the number of records of all kinds, new or not.
func (r Report) Records() int {
	sum := 0
	for _, counts := range []map[memory.Kind]int{r.Imported, r.Present} {
		for _, count := range counts {
			sum += count
		}
	}
	return sum
}

// String counts the new records in words, and those that were there: "3 agents, 200 episodes", "nothing new
// (there already: 200 episodes)"; "nothing" where there are none.
func (r Report) String() string {
	imported, present := InWords(r.Imported), InWords(r.Present)
	if present == "" {
		return cmp.Or(imported, "nothing")
	}
	return fmt.Sprintf("%s (there already: %s)", cmp.Or(imported, "nothing new"), present)
}

// InWords counts what an import or an export has of each kind; empty for nothing.
func InWords(counts map[memory.Kind]int) string {
	var parts []string
	for _, kind := range slices.Concat(kinds, keptKinds) {
		if count := counts[kind]; count > 0 {
			name, known := names[kind]
			if !known {
				name = [2]string{string(kind), string(kind) + "s"}
			}
			parts = append(parts, prose.Counted(count, name[0], name[1]))
		}
	}
	return strings.Join(parts, ", ")
}

// names are what one and many of a kind are called, where that is not its name and its name with an "s".
var names = map[memory.Kind][2]string{
	memory.KindFeedback: {"feedback", "feedback"}, memory.KindCanvas: {"canvas", "canvases"},
	transfer.KindSectionType: {"section type", "section types"}, transfer.KindJudgeThreshold: {"judge threshold", "judge thresholds"},
}

// Fault is one record that could not be imported.
type Fault struct {
	// Line is the number of its line, of tau-bench that of the run.
	Line int
	Err  error
	of   Format
}

func (f *Fault) Error() string {
	what := "line"
	if f.of == TauBench {
		what = "run"
	}
	return fmt.Sprintf("%s %d: %v", what, f.Line, f.Err)
}

// Unwrap gives what was wrong with the record.
func (f *Fault) Unwrap() error { return f.Err }

// Import reads a file, gzipped or not, and records what it holds. Without KeepGoing the first faulty record ends it
// with a *Fault; records of the same batch may have been written beside it, and the report says how many there were in
// all. Other errors are faults of the service or of reading.
func Import(ctx context.Context, tenant *service.Tenant, file io.Reader, options Options) (Report, error) {
	ctx = tenancy.Importing(ctx, options.Force)
	s := &sink{service: tenant, options: options, report: NewReport(), records: newPending(tenant), named: map[string]bool{}, keys: keys{}}
	plain, err := plainText(ctx, file)
	if err != nil {
		return s.report, err
	}
	switch options.Format {
	case JSONL:
		err = readLines(ctx, s, plain, "")
	case Events:
		err = readEvents(ctx, s, plain)
	case Executions:
		err = readLines(ctx, s, plain, memory.KindExecution)
	case Verdicts:
		err = readLines(ctx, s, plain, memory.KindVerdict)
	case TauBench:
		err = readTauBench(ctx, s, plain)
	case ClaudeCode, Codex:
		err = importTranscript(ctx, s, plain)
	default:
		return s.report, fmt.Errorf("there is no format %q", options.Format)
	}
	return s.finish(ctx, err)
}
