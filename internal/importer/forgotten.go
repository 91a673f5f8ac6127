package importer

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

// dropForgotten takes out of a queue what was deleted for good. With force it stays, and is forgotten no more.
func dropForgotten[T any](ctx context.Context, s *sink, q *queue[T], ids func(*T) []string) error {
	if len(q.items) == 0 {
		return nil
	}
	records := make([][]string, len(q.items))
	for i := range q.items {
		records[i] = ids(&q.items[i])
	}
	forgotten, err := s.forgotten(ctx, records)
	if err != nil {
		return s.judge(q.lines[0], err)
	}
	items, lines := q.items, q.lines
	q.clear()
	for i, gone := range forgotten {
		if !gone {
			q.add(lines[i], items[i])
		} else if i == 0 || lines[i] != lines[i-1] { // a canvas is one record, however many actions it has
			s.report.Forgotten++
		}
	}
	return nil
}

// forgotten says which records are to be left out; with force none is, and their tombstones go.
func (s *sink) forgotten(ctx context.Context, records [][]string) ([]bool, error) {
	if s.options.Force {
		return make([]bool, len(records)), s.service.Exhume(ctx, records)
	}
	return s.service.Forgotten(ctx, records)
}

// leaveOut says whether a record that is written at once was deleted for good, and counts it then.
func (s *sink) leaveOut(ctx context.Context, line int, ids []string) (bool, error) {
	forgotten, err := s.forgotten(ctx, [][]string{ids})
	if err != nil {
		return false, s.judge(line, err)
	}
	if forgotten[0] {
		s.report.Forgotten++
	}
	return forgotten[0], nil
}

// idsOf are the global ids of keys that are there, given in either form.
func idsOf(kind memory.Kind, keys ...*string) []string {
	var ids []string
	for _, key := range keys {
		if key != nil {
			ids = append(ids, memory.NodeID(kind, memory.KeyOf(kind, *key)))
		}
	}
	return ids
}

func idsOfEpisode(e *service.RecordEpisodeInput) []string {
	return append(idsOf(memory.KindEpisode, e.ID), idsOf(memory.KindAgent, &e.AgentID)...)
}

func idsOfExecution(e *service.RecordExecutionInput) []string {
	return append(idsOf(memory.KindExecution, e.ID), idsOf(memory.KindAgent, &e.AgentID)...)
}

func idsOfAction(a *service.CanvasActionInput) []string {
	return append(idsOf(memory.KindCanvas, &a.CanvasID), idsOf(memory.KindEpisode, a.EpisodeID)...)
}

func idsOfFeedback(f *service.SubmitFeedbackInput) []string {
	ids := append(idsOf(memory.KindFeedback, f.ID), idsOf(memory.KindEpisode, f.EpisodeID)...)
	return append(ids, idsOf(memory.KindPerson, f.CreatedBy)...)
}
