package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/service"
)

const (
	// batchSize is the number of records of a kind that are written together, half of what a call takes, for the memory of
	// a transaction of Neo4j; an episode may have several canvas actions, which are sent in as many calls as they need.
	batchSize   = service.MaxList / 2
	mostActions = 4 * batchSize
	// mostBytes is how many bytes of lines are written together, so that long records need little memory.
	mostBytes = 4 << 20
)

// queue collects records of a kind, with the lines they came from.
type queue[T any] struct {
	items []T
	lines []int
}

func (q *queue[T]) add(line int, item T) {
	q.items, q.lines = append(q.items, item), append(q.lines, line)
}

func (q *queue[T]) clear() { q.items, q.lines = q.items[:0], q.lines[:0] }

// sink writes what the readers find, in batches, and keeps the account. Batches of different kinds
// may overtake one another; the records are linked alike in any order.
type sink struct {
	service  *service.Tenant
	options  Options
	report   Report
	episodes queue[service.RecordEpisodeInput]
	actions  queue[service.CanvasActionInput]
	feedback queue[service.SubmitFeedbackInput]

	observations queue[service.RecordObservationInput]
	executions   queue[service.RecordExecutionInput]
	verdicts     queue[verdictRecord]

	headed    bool // the line of an export's tenant was there
	kept      queue[service.Kept]
	keptKinds []memory.Kind

	bytes int // of the lines that are queued
}

// fault notes a faulty record. It returns the error that ends the import unless it is to go on.
func (s *sink) fault(line int, err error) error {
	fault := Fault{Line: line, Err: err}
	if !s.options.KeepGoing {
		return &fault
	}
	s.report.Faults = append(s.report.Faults, fault)
	return nil
}

// judge tells a faulty record from a fault of the service, which always ends an import. A record that was deleted
// for good is no fault.
func (s *sink) judge(line int, err error) error {
	if service.WasForgotten(err) {
		s.report.Forgotten++
		return nil
	}
	var known *memory.Error
	if errors.As(err, &known) && isRecordFault(known.Code) {
		return s.fault(line, err)
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// judgeRead is judge for a record that is read when it is written: where it is not found, it was deleted meanwhile.
func (s *sink) judgeRead(line int, err error) error {
	if known, is := errors.AsType[*memory.Error](err); is && known.Code == memory.CodeNotFound {
		s.report.Forgotten++
		return nil
	}
	return s.judge(line, err)
}

func isRecordFault(code memory.Code) bool {
	switch code {
	case memory.CodeInvalidInput, memory.CodeConflict, memory.CodeLimitExceeded, memory.CodeNotFound:
		return true
	default:
		return false
	}
}

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
	s.count(kind, 1, min(service.ImportCreated(ctx)-before, 1))
}

func (s *sink) addEpisode(ctx context.Context, line int, input service.RecordEpisodeInput) error {
	s.episodes.add(line, input)
	return s.flushAt(ctx, len(s.episodes.items))
}

// addCanvas queues the actions of one canvas.
func (s *sink) addCanvas(ctx context.Context, line int, actions []service.CanvasActionInput) error {
	for _, action := range actions {
		s.actions.add(line, action)
	}
	return s.flushAt(ctx, len(s.actions.items)*batchSize/mostActions)
}

func (s *sink) addFeedback(ctx context.Context, line int, input service.SubmitFeedbackInput) error {
	s.feedback.add(line, input)
	return s.flushAt(ctx, len(s.feedback.items))
}

// addAgent writes at once: an agent's name must not be overtaken by an episode that renames it.
func (s *sink) addAgent(ctx context.Context, line int, id, name string) error {
	if err := s.flush(ctx); err != nil {
		return err
	}
	before := service.ImportCreated(ctx)
	if err := s.service.Agents.Save(ctx, id, name); err != nil {
		return s.judge(line, err)
	}
	s.countOne(ctx, memory.KindAgent, before)
	return nil
}

// addRun writes at once, since each run is a call of its own.
func (s *sink) addRun(ctx context.Context, line int, input service.CaptureRunInput) error {
	before := service.ImportCreated(ctx)
	if _, err := s.service.Episodes.CaptureRun(ctx, input, service.Include{}); err != nil {
		return s.judgeRead(line, err)
	}
	s.countOne(ctx, memory.KindEpisode, before)
	s.progress()
	return nil
}

func (s *sink) flushAt(ctx context.Context, queued int) error {
	if queued < batchSize && s.bytes < mostBytes {
		return nil
	}
	return s.flush(ctx)
}

// flush writes all that is queued. Of the faults it meets it returns the earliest in the file.
func (s *sink) flush(ctx context.Context) error {
	err := s.flushKept(ctx)
	err = earliest(err, s.flushEpisodes(ctx))
	err = earliest(err, s.flushActions(ctx))
	err = earliest(err, s.flushFeedback(ctx))
	err = earliest(err, s.flushObservations(ctx))
	err = earliest(err, s.flushExecutions(ctx))
	err = earliest(err, s.flushVerdicts(ctx))
	s.bytes = 0
	s.progress()
	return err
}

// earliest picks the error to end with: the first in time, or of two faulty records the first in the file.
func earliest(first, second error) error {
	var a, b *Fault
	if first == nil || errors.As(first, &a) && errors.As(second, &b) && b.Line < a.Line {
		return second
	}
	return first
}

func (s *sink) flushEpisodes(ctx context.Context) error {
	return flushBatch(s, &s.episodes, memory.KindEpisode, func(items []service.RecordEpisodeInput) (*service.BatchResult, error) {
		return s.service.Episodes.RecordEpisodes(ctx, service.RecordEpisodesInput{Episodes: items})
	})
}

// flushBatch records what is queued of a kind.
func flushBatch[T any](s *sink, queued *queue[T], kind memory.Kind, record func([]T) (*service.BatchResult, error)) error {
	defer queued.clear()
	if len(queued.items) == 0 {
		return nil
	}
	result, err := record(queued.items)
	if err != nil {
		return s.judge(queued.lines[0], err)
	}
	s.count(kind, result.Succeeded, result.New())
	return s.batchFaults(queued.lines, result.Errors)
}

// flushActions counts canvases, not actions: one counts where all its actions were taken.
func (s *sink) flushActions(ctx context.Context) error {
	defer s.actions.clear()
	lines := s.actions.lines
	var faults []service.BatchError
	taken := map[int]bool{} // by line, whether any action is new
	for from := 0; from < len(lines); from += service.MaxList {
		to := min(from+service.MaxList, len(lines))
		result, err := s.service.Reactions.RecordCanvasActions(ctx, service.RecordCanvasActionsInput{Actions: s.actions.items[from:to]})
		if err != nil {
			return s.judge(lines[from], err)
		}
		for i, created := range result.Created {
			taken[lines[from+i]] = taken[lines[from+i]] || created
		}
		for _, fault := range result.Errors {
			fault.Index += from
			faults = append(faults, fault)
		}
	}
	faults = slices.CompactFunc(faults, func(a, b service.BatchError) bool { return lines[a.Index] == lines[b.Index] })
	for _, fault := range faults {
		delete(taken, lines[fault.Index])
	}
	for _, created := range taken {
		s.countKept(memory.KindCanvas, created)
	}
	return s.batchFaults(lines, faults)
}

// batchFaults notes the faulty items of a batch; the first ends the import unless it is to go on.
func (s *sink) batchFaults(lines []int, faults []service.BatchError) error {
	for _, fault := range faults {
		err := &memory.Error{Code: fault.Code, Message: fault.Message, Cause: fault.Cause} // the message names the field
		if err := s.judge(lines[fault.Index], err); err != nil {
			return err
		}
	}
	return nil
}

func (s *sink) flushFeedback(ctx context.Context) error {
	return flushBatch(s, &s.feedback, memory.KindFeedback, func(items []service.SubmitFeedbackInput) (*service.BatchResult, error) {
		return s.service.Reactions.RecordFeedback(ctx, items)
	})
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
