package importer

import (
	"context"
	"errors"
	"slices"

	"mneme/internal/transfer"
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

// queues hold what is written together.
type queues struct {
	memoirs      queue[service.CreateMemoirInput]
	concepts     queue[service.AddConceptInput]
	relations    queue[service.LinkConceptsInput]
	episodes     queue[service.RecordEpisodeInput]
	actions      queue[service.CanvasActionInput]
	feedback     queue[service.SubmitFeedbackInput]
	observations queue[service.RecordObservationInput]
	corrections  queue[service.RecordCorrectionInput]
	executions   queue[service.RecordExecutionInput]
	verdicts     queue[verdictRecord]
	kept         queue[service.Kept]
	keptKinds    []memory.Kind
	named        map[string]bool // the memoirs that queued concepts name and the concepts that relations name, by id
}

// empty says that there is nothing to write.
func (q *queues) empty() bool {
	return len(q.kept.items)+len(q.memoirs.items)+len(q.concepts.items)+len(q.relations.items)+len(q.episodes.items)+len(q.actions.items)+
		len(q.feedback.items)+len(q.observations.items)+len(q.corrections.items)+len(q.executions.items)+len(q.verdicts.items) == 0
}

// name notes records that queued ones need.
func (q *queues) name(kind memory.Kind, keys ...string) {
	if q.named == nil {
		q.named = map[string]bool{}
	}
	for _, key := range keys {
		q.named[memory.NodeID(kind, memory.KeyOf(kind, key))] = true
	}
}

// writing is a batch that is written while the next one is read.
type writing struct {
	sink *sink // with an account of its own
	done chan error
}

// flushAt has what is queued written, where it is enough. The batch before it must have been written: where that met a
// fault, nothing that stands after it is.
func (s *sink) flushAt(ctx context.Context, queued int) error {
	if queued < batchSize && s.bytes < mostBytes {
		return nil
	}
	if err := s.written(); err != nil {
		return err
	}
	batch := &writing{sink: &sink{service: s.service, options: s.options, report: newReport(), queues: s.queues}, done: make(chan error, 1)}
	s.queues, s.bytes, s.writing = queues{}, 0, batch
	go func() { batch.done <- batch.sink.write(ctx) }()
	return nil
}

// written waits for the batch that is being written and takes it into the account. Where it met a fault, what is queued
// is dropped.
func (s *sink) written() error {
	if s.writing == nil {
		return nil
	}
	batch := s.writing
	err := <-batch.done
	s.writing = nil
	s.report.add(batch.sink.report)
	s.progress()
	if err != nil {
		s.queues, s.bytes = queues{}, 0
	}
	return err
}

// flush writes all that is queued.
func (s *sink) flush(ctx context.Context) error {
	if err := s.written(); err != nil {
		return err
	}
	err := s.write(ctx)
	s.bytes = 0
	s.progress()
	return err
}

// write writes all that is queued, kind by kind: what others need first. Of the faults it meets it returns the earliest in the file.
func (s *sink) write(ctx context.Context) error {
	s.named = nil
	if s.empty() {
		return nil
	}
	err := s.flushKept(ctx)
	err = earliest(err, flushBatch(ctx, s, &s.memoirs, memory.KindMemoir, s.service.Knowledge.CreateMemoirs))
	err = earliest(err, flushBatch(ctx, s, &s.concepts, memory.KindConcept, s.service.Knowledge.AddConcepts))
	err = earliest(err, flushBatch(ctx, s, &s.relations, transfer.KindRelation, s.service.Knowledge.ImportRelations))
	err = earliest(err, flushBatch(ctx, s, &s.episodes, memory.KindEpisode, s.recordEpisodes))
	err = earliest(err, s.flushActions(ctx))
	err = earliest(err, flushBatch(ctx, s, &s.feedback, memory.KindFeedback, s.service.Reactions.RecordFeedback))
	err = earliest(err, flushBatch(ctx, s, &s.observations, memory.KindObservation, s.recordObservations))
	err = earliest(err, flushBatch(ctx, s, &s.corrections, memory.KindCorrection, s.service.Knowledge.RecordCorrections))
	err = earliest(err, flushBatch(ctx, s, &s.executions, memory.KindExecution, s.recordExecutions))
	return earliest(err, s.flushVerdicts(ctx))
}

func (s *sink) recordEpisodes(ctx context.Context, items []service.RecordEpisodeInput) (*service.BatchResult, error) {
	return s.service.Episodes.RecordEpisodes(ctx, service.RecordEpisodesInput{Episodes: items})
}

func (s *sink) recordObservations(ctx context.Context, items []service.RecordObservationInput) (*service.BatchResult, error) {
	return s.service.Knowledge.RecordObservations(ctx, service.RecordObservationsInput{Observations: items})
}

func (s *sink) recordExecutions(ctx context.Context, items []service.RecordExecutionInput) (*service.BatchResult, error) {
	return s.service.Learning.RecordExecutions(ctx, service.RecordExecutionsInput{Executions: items})
}

type recorder[T any] func(context.Context, []T) (*service.BatchResult, error)

// flushBatch records what is queued of a kind.
func flushBatch[T any](ctx context.Context, s *sink, queued *queue[T], kind memory.Kind, record recorder[T]) error {
	defer queued.clear()
	if len(queued.items) == 0 {
		return nil
	}
	return recordAll(ctx, s, queued.lines, queued.items, kind, record)
}

// recordAll records some of a kind. What is too much together is tried in halves, so that a fault is that of its own line and
// keeps no other record out.
func recordAll[T any](ctx context.Context, s *sink, lines []int, items []T, kind memory.Kind, record recorder[T]) error {
	result, err := record(ctx, items)
	if known, is := errors.AsType[*memory.Error](err); is && known.Code == memory.CodeLimitExceeded && len(items) > 1 {
		half := len(items) / 2
		if err := recordAll(ctx, s, lines[:half], items[:half], kind, record); err != nil {
			return err
		}
		return recordAll(ctx, s, lines[half:], items[half:], kind, record)
	}
	if err != nil {
		return s.judge(lines[0], err)
	}
	s.count(kind, result.Succeeded, result.New())
	return s.batchFaults(lines, result.Errors)
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
