package importer

import (
	"bufio"
	"context"
	"encoding/json"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
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
	}
	actionRecord struct {
		ID       *string                 `json:"id"`
		Action   memory.CanvasActionKind `json:"action"`
		Metadata memory.JSON             `json:"metadata"`
		At       *time.Time              `json:"at"`
	}
)

// jsonl reads lines of records.
type jsonl struct {
	*sink
	keys keys
}

func readJSONL(ctx context.Context, s *sink, file *bufio.Reader) error {
	reader := jsonl{sink: s, keys: keys{}}
	return s.eachLine(file, func(number int, text []byte) error {
		line, err := read[envelope](text)
		if err != nil {
			return s.fault(number, err)
		}
		s.bytes += len(text)
		return reader.take(ctx, number, line)
	})
}

func (r *jsonl) take(ctx context.Context, number int, line envelope) error {
	if line.Kept != nil {
		return r.takeKept(ctx, number, line)
	}
	switch {
	case !slices.Contains(kinds, line.Kind):
		return r.fault(number, memory.Invalid("kind", "must be %s", prose.Listed(kinds, "or")))
	case len(line.Record) == 0 || string(line.Record) == "null":
		return r.fault(number, memory.Invalid("record", "must be there"))
	}
	switch line.Kind {
	case memory.KindAgent:
		return r.takeAgent(ctx, number, line.Record)
	case memory.KindSession:
		return r.takeSession(number, line.Record)
	}
	queued, err := r.records[line.Kind].take(ctx, r, number, line)
	if err != nil {
		return err
	}
	return r.flushAt(ctx, queued)
}

// takeAgent writes at once: an agent's name must not be overtaken by an episode that renames it.
func (r *jsonl) takeAgent(ctx context.Context, number int, text []byte) error {
	record, err := read[agentRecord](text)
	if err != nil {
		return r.fault(number, err)
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	before := tenancy.ImportCreated(ctx)
	if err := r.service.Agents.Save(ctx, record.ID, record.Name); err != nil {
		return r.judge(number, err)
	}
	r.countOne(ctx, memory.KindAgent, before)
	return nil
}

// takeSession has nothing to write: a session comes into being with the first record that names it.
func (r *jsonl) takeSession(number int, text []byte) error {
	record, err := read[sessionRecord](text)
	if err == nil {
		err = memory.CheckKey("id", memory.KeyOf(memory.KindSession, record.ID))
	}
	if err != nil {
		return r.fault(number, err)
	}
	return nil
}

// canvases are queued as the actions of which they are made, each with the line of its canvas.
type canvases struct {
	queue[boundary.CanvasActionInput]
}

func (q *canvases) take(_ context.Context, r *jsonl, number int, line envelope) (queued int, err error) {
	record, err := read[canvasRecord](line.Record)
	if err != nil {
		return 0, r.fault(number, err)
	}
	r.key(&record.ID, line)
	actions := make([]boundary.CanvasActionInput, len(record.Actions))
	for i, text := range record.Actions {
		if actions[i], err = r.canvasAction(record, text); err != nil {
			return 0, r.fault(number, err)
		}
	}
	for _, action := range actions {
		q.add(number, action)
	}
	return len(q.items) * batchSize / maxActions, nil
}

func (r *canvasRecord) check() error {
	if len(r.Actions) == 0 {
		return memory.Invalid("actions", "must not be empty: a canvas comes into being with its first action")
	}
	return nil
}

func (r *jsonl) canvasAction(canvas canvasRecord, text []byte) (boundary.CanvasActionInput, error) {
	record, err := read[actionRecord](text)
	if err != nil {
		return boundary.CanvasActionInput{}, err
	}
	if record.ID == nil {
		record.ID = new(r.keys.of(memory.KindCanvas, []byte(*canvas.ID), text))
	}
	return boundary.CanvasActionInput{
		ID: record.ID, CanvasID: *canvas.ID, EpisodeID: canvas.EpisodeID, SessionID: canvas.SessionID,
		CanvasType: canvas.CanvasType, ComponentType: canvas.ComponentType,
		Action: record.Action, Metadata: record.Metadata, At: record.At,
	}, nil
}
