package importer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/tenancy"
)

// sink writes what the readers find, in batches, and keeps the account. Batches of different kinds
// may overtake one another; the records are linked alike in any order.
type sink struct {
	service *service.Tenant
	options Options
	report  Report
	headed  bool        // the line of an export's tenant was there
	last    memory.Kind // of the lines of an export
	seen    *Transcripts

	// What is written together.
	kept    queue[keptLine]
	records map[memory.Kind]pending
	named   map[string]bool // the memoirs that queued concepts name and the concepts that relations name, by id
	bytes   int             // of the lines that are queued
	keys    keys            // of records that have none
}

// fault notes a faulty record. It returns the error that ends the import unless it is to go on.
func (s *sink) fault(at int, err error) error {
	if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeConflict && s.options.Format == TauBench {
		told := *known
		told.Message += "; if the file holds the runs of another model, say which with --agent"
		err = &told
	}
	fault := Fault{Line: at, Err: err, of: s.options.Format}
	if !s.options.KeepGoing {
		return &fault
	}
	s.report.skip(fault)
	return nil
}

// judge tells a faulty record from a fault of the service, which always ends an import. A record that was deleted
// for good is no fault.
func (s *sink) judge(at int, err error) error {
	if faults.WasForgotten(err) {
		s.report.Forgotten++
		return nil
	}
	if known, ok := errors.AsType[*memory.Error](err); ok && slices.Contains(recordFaults, known.Code) {
		return s.fault(at, err)
	}
	return fmt.Errorf("line %d: %w", at, err)
}

// judgeRead is judge for a record that is read when it is written: where it is not found, it was deleted meanwhile.
func (s *sink) judgeRead(line int, err error) error {
	if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeNotFound {
		s.report.Forgotten++
		return nil
	}
	return s.judge(line, err)
}

var recordFaults = []memory.Code{memory.CodeInvalidInput, memory.CodeConflict, memory.CodeLimitExceeded, memory.CodeNotFound}

// count counts records of a kind that were taken, of which some are new.
func (s *sink) count(kind memory.Kind, taken, created int) {
	if created > 0 {
		s.report.Imported[kind] += created
	}
	if taken > created {
		s.report.Present[kind] += taken - created
	}
}

// countOne counts a record that was written alone, when so many had been created.
func (s *sink) countOne(ctx context.Context, kind memory.Kind, before int) {
	s.count(kind, 1, min(tenancy.ImportCreated(ctx)-before, 1))
}

// addRun writes at once, since each run is a call of its own.
func (s *sink) addRun(ctx context.Context, line int, input boundary.CaptureRunInput) error {
	before := tenancy.ImportCreated(ctx)
	if _, err := s.service.Episodes.CaptureRun(ctx, input, boundary.Include{}); err != nil {
		return s.judgeRead(line, err)
	}
	s.countOne(ctx, memory.KindEpisode, before)
	s.progress()
	return nil
}

// eachLine hands over the lines of a file, and notes those that cannot be read.
func (s *sink) eachLine(file *bufio.Reader, take func(number int, line []byte) error) error {
	return eachLine(file, maxLine, func(number int, line []byte, fault error) error {
		s.report.Line = number
		if fault != nil {
			return s.fault(number, fault)
		}
		return take(number, line)
	})
}

// earliest picks the error to end with: the first in time, or of two faulty records the first in the file.
func earliest(first, second error) error {
	var a, b *Fault
	if first == nil || errors.As(first, &a) && errors.As(second, &b) && b.Line < a.Line {
		return second
	}
	return first
}

// finish writes what is still queued after the readers are done, also where they ended with a fault:
// what stands before a faulty line is imported.
func (s *sink) finish(ctx context.Context, err error) (Report, error) {
	err = earliest(err, s.flush(ctx))
	slices.SortStableFunc(s.report.Faults, func(a, b Fault) int { return a.Line - b.Line })
	return s.report, err
}

func (s *sink) progress() {
	if s.options.Progress != nil {
		s.options.Progress(s.report)
	}
}
