package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mneme/internal/inbound"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service/boundary"
)

// The defaults of Options.Agent and Options.TaskType: the file that most people start with.
const (
	DefaultAgent    = "gpt-4o"
	DefaultTaskType = "airline"
)

// tauBenchEpoch is when the airline policy says its tasks happen. The files hold no times: a run's are counted from
// here, a day a trial, a minute a task, a second a message, so that every import of a file is the same.
var tauBenchEpoch = time.Date(2024, 5, 15, 20, 0, 0, 0, time.UTC)

// trial is one attempt at one task, as far as it is used.
type trial struct {
	TaskID *int     `json:"task_id"`
	Trial  *int     `json:"trial"`
	Reward *float64 `json:"reward"`
	Info   struct {
		Task struct {
			Instruction string          `json:"instruction"`
			Actions     json.RawMessage `json:"actions"`
		} `json:"task"`
	} `json:"info"`
	Messages []message `json:"traj"`
}

// message is one of an OpenAI-style conversation.
type message struct {
	Role      string     `json:"role"`
	Content   *string    `json:"content"`
	ToolCalls []toolCall `json:"tool_calls"`
	// ToolCallID says which call a tool's message answers.
	ToolCallID string `json:"tool_call_id"`
}

type toolCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// readTauBench walks the array element by element, so that a file of any size may come.
func readTauBench(ctx context.Context, s *sink, file *bufio.Reader) error {
	start, err := file.Peek(1)
	for ; err == nil && unicode.IsSpace(rune(start[0])); start, err = file.Peek(1) {
		_, _ = file.Discard(1) // which is there
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(start, []byte("[")) {
		return &Fault{Line: 1, Err: memory.Invalid("", "a tau-bench file is a JSON array of runs, and this is none")}
	}
	decoder := json.NewDecoder(file)
	_, _ = decoder.Token() // the bracket
	broken := func(number int, err error) error {
		if errors.Is(err, errPacked) || ctx.Err() != nil {
			return err
		}
		return &Fault{Line: number, Err: memory.Invalid("", "%s", inbound.InWords(err)), of: TauBench}
	}
	number := 1
	for ; decoder.More(); number++ {
		var text json.RawMessage
		if err := decoder.Decode(&text); err != nil { // nothing after it can be found, so there is no going on
			return broken(number, err)
		}
		s.report.Line = number
		s.bytes += len(text)
		if err := takeTrial(ctx, s, number, text); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return broken(number, err)
	}
	return nil
}

func takeTrial(ctx context.Context, s *sink, number int, text []byte) error {
	if !utf8.Valid(text) {
		return s.fault(number, errNotUTF8)
	}
	var t trial
	err := json.Unmarshal(text, &t) // the format has more fields than are used
	if err == nil && (t.TaskID == nil || t.Trial == nil || t.Reward == nil) {
		return s.fault(number, memory.Invalid("", "task_id, trial and reward must be there"))
	}
	if err != nil {
		return s.fault(number, memory.Invalid("", "%s", inbound.InWords(err)))
	}
	if strings.TrimSpace(t.Info.Task.Instruction) == "" {
		return s.fault(number, memory.Invalid("info.task.instruction", "must not be empty"))
	}
	return s.addRun(ctx, number, t.run(s.options))
}

// run tells a trial as a run: the instruction as it stands is the situation, the messages and tool calls are the log,
// the last answer the result, the reward the outcome. What the system and the tools are told again is left out.
func (t *trial) run(options Options) boundary.CaptureRunInput {
	agent, taskType := cmp.Or(options.Agent, DefaultAgent), cmp.Or(options.TaskType, DefaultTaskType)
	key := fmt.Sprintf("tau-%s-%d-%d", taskType, *t.TaskID, *t.Trial)
	if agent != DefaultAgent { // the same tasks done by another
		key = fmt.Sprintf("tau-%s-%s-%d-%d", taskType, agent, *t.TaskID, *t.Trial)
	}
	metadata := map[string]any{"source": "tau-bench", "taskId": *t.TaskID, "trial": *t.Trial, "reward": *t.Reward}
	if t.Info.Task.Actions != nil {
		metadata["expected"] = t.Info.Task.Actions
	}
	return boundary.CaptureRunInput{
		RunID: key, AgentID: agent, WorkflowName: &taskType, SessionID: &key, Events: t.log(), EpisodeExtras: boundary.EpisodeExtras{Metadata: jsonOf(metadata)},
	}
}

// log is what happened, in its order, a second between two events. A tool call stands where it was made, with its
// answer: the first one after it that names it, because models use an id more than once in one conversation.
func (t *trial) log() []boundary.EventInput {
	var log []boundary.EventInput
	at := tauBenchEpoch.AddDate(0, 0, *t.Trial).Add(time.Duration(*t.TaskID) * time.Minute)
	tell := func(kind string, data map[string]any) {
		log = append(log, boundary.EventInput{Type: kind, Data: jsonOf(data), At: at.Add(time.Duration(len(log)) * time.Second)})
	}
	tell(capture.EventWorkflowStarted, map[string]any{"args": t.Info.Task.Instruction})
	last := ""
	waiting := map[string][]func(answer string){}
	for _, m := range t.Messages {
		if said := m.Content; said != nil && *said != "" && (m.Role == "assistant" || m.Role == "user") {
			tell(capture.EventAgentMessage, map[string]any{"role": m.Role, "content": *said})
			if m.Role == "assistant" {
				last = *said
			}
		}
		for _, call := range m.ToolCalls {
			result := map[string]any{"arguments": jsonOrText(call.Function.Arguments)}
			step := map[string]any{"step_id": call.ID, "step_name": call.Function.Name, "result": result}
			place := len(log)
			tell(capture.EventStepCompleted, step)
			waiting[call.ID] = append(waiting[call.ID], func(answer string) {
				result["result"] = jsonOrText(answer)
				log[place].Data = jsonOf(step)
			})
		}
		if asked := waiting[m.ToolCallID]; m.Role == "tool" && len(asked) > 0 && m.Content != nil {
			asked[0](*m.Content)
			waiting[m.ToolCallID] = asked[1:]
		}
	}
	if *t.Reward == 1 {
		tell(capture.EventWorkflowCompleted, map[string]any{"result": last})
	} else {
		tell(capture.EventWorkflowFailed, map[string]any{"error": last})
	}
	return log
}

// jsonOrText keeps JSON that came as text as what it says, and other text as a string.
func jsonOrText(text string) memory.JSON {
	if json.Valid([]byte(text)) {
		return memory.JSON(bytes.TrimSpace([]byte(text)))
	}
	return jsonOf(text)
}

func jsonOf(value any) memory.JSON {
	text, _ := memory.JSONOf(value) // of plain types, which cannot fail
	return text
}
