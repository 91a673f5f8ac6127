package importer

import (
	"bufio"
	"context"
	"encoding/json"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/tenancy"
)

// envelope is a line: a record as the API takes it, or something kept, as an export wrote it.
type envelope struct {
	Kind   memory.Kind     `json:"kind"`
	Record json.RawMessage `json:"record"`
	Kept   json.RawMessage `json:"kept"`
}

// The records of kinds that the API has no single input for.
type (
	agentRecord struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	sessionRecord struct {
		ID string `json:"id"`
	}
	canvasRecord struct {
		ID            *string           `json:"id"`
		EpisodeID     *string           `json:"episodeId"`
		SessionID     *string           `json:"sessionId"`
		CanvasType    string            `json:"canvasType"`
		ComponentType *string           `json:"componentType"`
		Actions       []json.RawMessage `json:"actions"`
		// Inputs are the actions as the service takes them.
		Inputs []boundary.CanvasActionInput `json:"-"`
	}
	actionRecord struct {
		ID       *string                 `json:"id"`
		Action   memory.CanvasActionKind `json:"action"`
		Metadata memory.JSON             `json:"metadata"`
		At       *time.Time              `json:"at"`
	}
)

// readLines reads a file whose lines are records of one kind, or where none is given envelopes.
func readLines(ctx context.Context, s *sink, file *bufio.Reader, kind memory.Kind) error {
	return s.eachLine(file, func(number int, text []byte) (err error) {
		line := envelope{Kind: kind, Record: text}
		if kind == "" {
			line, err = read[envelope](text)
		}
		if err != nil {
			return s.fault(number, err)
		}
		s.bytes += len(text)
		return s.take(ctx, number, line)
	})
}

func (s *sink) take(ctx context.Context, number int, line envelope) error {
	if line.Kept != nil {
		return s.takeKept(ctx, number, line)
	}
	switch {
	case !slices.Contains(kinds, line.Kind):
		return s.fault(number, memory.Invalid("kind", "must be %s", prose.Listed(kinds, "or")))
	case len(line.Record) == 0 || string(line.Record) == "null":
		return s.fault(number, memory.Invalid("record", "must be there"))
	}
	switch line.Kind {
	case memory.KindAgent:
		return s.takeAgent(ctx, number, line.Record)
	case memory.KindSession:
		return s.takeSession(number, line.Record)
	}
	queued, err := s.records[line.Kind].take(ctx, s, number, line)
	if err != nil {
		return err
	}
	return s.flushAt(ctx, queued)
}

// takeAgent writes at once: an agent's name must not be overtaken by an episode that renames it.
func (s *sink) takeAgent(ctx context.Context, number int, text []byte) error {
	record, err := read[agentRecord](text)
	if err != nil {
		return s.fault(number, err)
	}
	if err := s.flush(ctx); err != nil {
		return err
	}
	before := tenancy.ImportCreated(ctx)
	if err := s.service.Agents.Save(ctx, record.ID, record.Name); err != nil {
		return s.judge(number, err)
	}
	s.countOne(ctx, memory.KindAgent, before)
	return nil
}

// takeSession has nothing to write: a session comes into being with the first record that names it.
func (s *sink) takeSession(number int, text []byte) error {
	record, err := read[sessionRecord](text)
	if err == nil {
		err = memory.CheckKey("id", memory.KeyOf(memory.KindSession, record.ID))
	}
	if err != nil {
		return s.fault(number, err)
	}
	return nil
}

func (r *canvasRecord) check() error {
	if len(r.Actions) == 0 {
		return memory.Invalid("actions", "must not be empty: a canvas comes into being with its first action")
	}
	return nil
}

// readActions reads the actions of a canvas whose key is known.
func (r *canvasRecord) readActions(keys keys) error {
	for _, text := range r.Actions {
		record, err := read[actionRecord](text)
		if err != nil {
			return err
		}
		if record.ID == nil {
			record.ID = new(keys.of(memory.KindCanvas, []byte(*r.ID), text))
		}
		r.Inputs = append(r.Inputs, boundary.CanvasActionInput{
			ID: record.ID, CanvasID: *r.ID, EpisodeID: r.EpisodeID, SessionID: r.SessionID,
			CanvasType: r.CanvasType, ComponentType: r.ComponentType,
			Action: record.Action, Metadata: record.Metadata, At: record.At,
		})
	}
	r.Actions = nil
	return nil
}

// recordCanvases records the actions of canvases, in as many calls as they need. A canvas is recorded where all its
// actions are; else its fault is the first of theirs.
func recordCanvases(t *service.Tenant) func(context.Context, []canvasRecord) (*tenancy.BatchResult, error) {
	return func(ctx context.Context, canvases []canvasRecord) (*tenancy.BatchResult, error) {
		all := &tenancy.BatchResult{Succeeded: len(canvases), Created: make([]bool, len(canvases))}
		var actions []boundary.CanvasActionInput
		var of []int // of an action the canvas
		for i, canvas := range canvases {
			actions, of = append(actions, canvas.Inputs...), append(of, slices.Repeat([]int{i}, len(canvas.Inputs))...)
		}
		for some := range slices.Chunk(actions, boundary.MaxList) {
			result, err := t.Reactions.RecordCanvasActions(ctx, boundary.RecordCanvasActionsInput{Actions: some})
			if err != nil {
				return nil, err
			}
			for i, created := range result.Created {
				all.Created[of[i]] = all.Created[of[i]] || created
			}
			for _, fault := range result.Errors {
				if fault.Index = of[fault.Index]; len(all.Errors) == 0 || all.Errors[len(all.Errors)-1].Index != fault.Index {
					all.Errors = append(all.Errors, fault)
				}
			}
			of = of[len(some):]
		}
		for _, fault := range all.Errors {
			all.Created[fault.Index] = false
			all.Succeeded--
		}
		return all, nil
	}
}
