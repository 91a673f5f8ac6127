package importer

import (
	"bufio"
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
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

// run is a run while its log is being read.
type run struct {
	service.CaptureRunInput
	line   int  // its first
	broken bool // an event of it was skipped, so the run would not be what it was
}

// readEvents gathers the events of each run in the order of the file, where runs may be mixed. Only
// the end of the file says that a run is whole, so the runs are kept until then.
func readEvents(ctx context.Context, s *sink, file *bufio.Reader) error {
	runs := map[string]*run{}
	var order []*run
	err := eachLine(file, maxLine, func(number int, text []byte, fault error) error {
		s.report.Line = number
		var event eventRecord
		if fault == nil {
			fault = decode(text, &event)
		}
		if fault == nil && event.RunID == "" {
			fault = memory.Invalid("runId", "must not be empty")
		}
		if fault != nil {
			return s.fault(number, fault)
		}
		key := memory.KeyOf(memory.KindEpisode, event.RunID)
		name, _ := service.NameForm(key)
		if runs[name] == nil {
			runs[name] = &run{CaptureRunInput: service.CaptureRunInput{RunID: key}, line: number}
			order = append(order, runs[name])
		}
		if err := runs[name].add(event); err != nil {
			runs[name].broken = true
			return s.fault(number, err)
		}
		return nil
	})
	for _, run := range order {
		if err != nil {
			return err // a run of a file that was not read to its end may lack events
		}
		err = s.addWholeRun(ctx, run)
	}
	return err
}

func (s *sink) addWholeRun(ctx context.Context, run *run) error {
	if run.broken {
		return s.fault(run.line, memory.Invalid("runId", "the run that begins here is left out, since events of it are faulty"))
	}
	return s.addRun(ctx, run.line, run.CaptureRunInput)
}

func (r *run) add(event eventRecord) error {
	if event.At == nil {
		return memory.Invalid("at", "must not be empty")
	}
	if r.AgentID == "" {
		r.AgentID = event.AgentID
	} else if event.AgentID != "" && !service.SameName(event.AgentID, r.AgentID) {
		return memory.Invalid("agentId", "is another than on earlier lines of the run")
	}
	if err := agree("workflowName", &r.WorkflowName, event.WorkflowName); err != nil {
		return err
	}
	if err := agree("sessionId", &r.SessionID, event.SessionID); err != nil {
		return err
	}
	r.Events = append(r.Events, service.EventInput{Type: event.Type, Data: event.Data, At: *event.At})
	return nil
}

// agree takes what a line says of its run, which must be what earlier lines said.
func agree(field string, known **string, said *string) error {
	switch {
	case said == nil:
		return nil
	case *known == nil:
		*known = said
	case !service.SameName(**known, *said):
		return memory.Invalid(field, "is another than on earlier lines of the run")
	}
	return nil
}
