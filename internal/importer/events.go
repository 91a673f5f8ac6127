package importer

import (
	"bufio"
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/tenancy"
)

// eventRecord is a line of a run's log. Whose run it is need not stand on every line of it.
type eventRecord struct {
	RunID        string      `json:"runId"`
	AgentID      string      `json:"agentId"`
	WorkflowName *string     `json:"workflowName"`
	SessionID    *string     `json:"sessionId"`
	Type         string      `json:"type"`
	Data         memory.JSON `json:"data"`
	At           *time.Time  `json:"at"`
}

func (e *eventRecord) check() error {
	if e.RunID == "" {
		return memory.Invalid("runId", "must not be empty")
	}
	return nil
}

// run is a run while its log is being read.
type run struct {
	boundary.CaptureRunInput
	line    int  // its first
	broken  bool // an event of it was skipped, so the run would not be what it was
	sent    int  // how many events of it were written already
	created int  // how many episodes that made
	left    bool // it is not gone on with, and that was told
}

// readEvents gathers the events of each run in the order of the file, where runs may be mixed. Only the end of the file
// ends a run: its last events are kept until then, and of a long one earlier parts of the log are written.
func readEvents(ctx context.Context, s *sink, file *bufio.Reader) error {
	runs := map[string]*run{}
	var order []*run
	err := s.eachLine(file, func(number int, text []byte) error {
		event, err := read[eventRecord](text)
		if err != nil {
			return s.fault(number, err)
		}
		key := memory.KeyOf(memory.KindEpisode, event.RunID)
		name := boundary.NameForm(key)
		if runs[name] == nil {
			runs[name] = &run{CaptureRunInput: boundary.CaptureRunInput{RunID: key}, line: number}
			order = append(order, runs[name])
		}
		if err := runs[name].add(event); err != nil {
			runs[name].giveUp()
			return s.fault(number, err)
		}
		s.report.Notes.Add(number, event.Type, event.Data)
		return s.addParts(ctx, runs[name], false)
	})
	for _, run := range order {
		if err == nil { // a run of a file that was not read to its end may lack events
			err = s.addWholeRun(ctx, run)
		}
		s.countRun(run)
	}
	return err
}

// giveUp keeps nothing of a run that would not be what it was.
func (r *run) giveUp() { r.broken, r.Events = true, nil }

func (s *sink) addWholeRun(ctx context.Context, run *run) error {
	switch {
	case run.left:
		return nil
	case run.broken && run.sent > 0:
		return s.fault(run.line, memory.Invalid("runId", "the run that begins here is left open, since events of it are faulty"))
	case run.broken:
		return s.fault(run.line, memory.Invalid("runId", "the run that begins here is left out, since events of it are faulty"))
	case run.sent == 0 && len(run.Events) <= boundary.MaxList:
		return s.addRun(ctx, run.line, run.CaptureRunInput)
	}
	return s.addInParts(ctx, run)
}

// addInParts writes a run whose log may grow.
func (s *sink) addInParts(ctx context.Context, run *run) error {
	if err := s.addParts(ctx, run, true); err != nil || run.left {
		return err
	}
	if err := s.service.Episodes.SettleRun(ctx, run.RunID); err != nil {
		return s.judgeRead(run.line, err)
	}
	return nil
}

// countRun counts the episode of a run of which parts are written.
func (s *sink) countRun(run *run) {
	if run.sent > 0 {
		s.count(memory.KindEpisode, 1, min(run.created, 1))
	}
}

// leave goes on with a run no further. What is written of it stays.
func (s *sink) leave(run *run, err error) error {
	run.left, run.Events = true, nil
	if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeConflict && s.options.Format.isTranscript() {
		run.sent = 1 // it was concluded, or is in the transcript that this session goes on from
		return nil
	}
	return s.judgeRead(run.line, err)
}

// addParts writes what is more than a whole run of what was read of one, or all of it. It must know whose run it is.
func (s *sink) addParts(ctx context.Context, run *run, all bool) error {
	for len(run.Events) > boundary.MaxList || all && len(run.Events) > 0 {
		if run.broken || run.left || run.AgentID == "" && !all {
			return nil
		}
		if run.sent+len(run.Events) > boundary.MaxLog {
			return s.leave(run, memory.LimitExceeded("runId", "the run that begins here is left open, since it has more than %d events", boundary.MaxLog))
		}
		part := run.CaptureRunInput
		part.Events = run.Events[:min(len(run.Events), boundary.MaxList)]
		for i := range part.Events {
			part.Events[i].Sequence = new(run.sent + i)
		}
		before := tenancy.ImportCreated(ctx)
		if err := s.service.Episodes.AppendRun(ctx, part); err != nil {
			return s.leave(run, err)
		}
		run.created += tenancy.ImportCreated(ctx) - before
		run.sent += len(part.Events)
		run.Events = append(run.Events[:0:0], run.Events[len(part.Events):]...)
		s.progress()
	}
	return nil
}

func (r *run) add(event eventRecord) error {
	if event.At == nil {
		return memory.Invalid("at", "must not be empty")
	}
	if r.AgentID == "" {
		r.AgentID = event.AgentID
	} else if event.AgentID != "" && !boundary.SameName(event.AgentID, r.AgentID) {
		return memory.Invalid("agentId", "is another than on earlier lines of the run")
	}
	if err := r.agree("workflowName", &r.WorkflowName, event.WorkflowName); err != nil {
		return err
	}
	if err := r.agree("sessionId", &r.SessionID, event.SessionID); err != nil {
		return err
	}
	if r.left || r.broken {
		return nil // it would be kept for nothing
	}
	r.Events = append(r.Events, boundary.EventInput{Type: event.Type, Data: event.Data, At: *event.At})
	return nil
}

// agree takes what a line says of its run, which must be what earlier lines said.
func (r *run) agree(field string, known **string, said *string) error {
	switch {
	case said == nil:
		return nil
	case *known == nil && r.sent > 0:
		return memory.Invalid(field, "must stand on one of the first %d lines of its run", boundary.MaxList)
	case *known == nil:
		*known = said
	case !boundary.SameName(**known, *said):
		return memory.Invalid(field, "is another than on earlier lines of the run")
	}
	return nil
}
