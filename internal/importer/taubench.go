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
	"time"
	"unicode/utf8"

	"mneme/internal/inbound"
	"mneme/memory"
	"mneme/service"
)

// The defaults of Options.Agent and Options.TaskType: the file that most people start with.
const (
	DefaultAgent    = "gpt-4o"
	DefaultTaskType = "airline"
)

// tauBenchEpoch is the instant at which the benchmark's airline policy says its tasks happen. The files
// hold no times, so a run's are counted from here: a day for each trial, a minute for each task, and
// a second for each message, which keeps every import of a file the same.
var tauBenchEpoch = time.Date(2024, 5, 15, 20, 0, 0, 0, time.UTC)

// trial is one attempt at one task, as far as it is used.
type trial struct {
	TaskID *int     `json:"task_id"`
	Trial  *int     `json:"trial"`
	Reward *float64 `json:"reward"`
	Info   struct {
		Task struct {
			Instruction string `json:"instruction"`
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
	start := startOf(file)
	decoder := json.NewDecoder(file)
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('[') {
		var syntax *json.SyntaxError
		if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &syntax) {
			return err
		}
		return s.notAnArray(start)
	}
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
		return s.fault(number, notUTF8(text))
	}
	var t trial
	err := json.Unmarshal(text, &t) // the format has more fields than are used
	if err == nil && (t.TaskID == nil || t.Trial == nil || t.Reward == nil) {
		return s.fault(number, memory.Invalid("", "task_id, trial and reward must be there"))
	}
	if err != nil {
		return s.fault(number, memory.Invalid("", "%s", inbound.InWords(err)))
	}
	s.episodes.add(number, t.episode(s.options))
	return s.flushAt(ctx, len(s.episodes.items))
}

// episode tells a trial as an episode: the instruction as it stands is the situation, what the agent
// said its thoughts, its tool calls its actions, the reward its outcome.
func (t *trial) episode(options Options) service.RecordEpisodeInput {
	agent, taskType := cmp.Or(options.Agent, DefaultAgent), cmp.Or(options.TaskType, DefaultTaskType)
	key := fmt.Sprintf("tau-%s-%d-%d", taskType, *t.TaskID, *t.Trial)
	if agent != DefaultAgent { // the same tasks done by another
		key = fmt.Sprintf("tau-%s-%s-%d-%d", taskType, agent, *t.TaskID, *t.Trial)
	}
	outcome := memory.OutcomeFailure
	if *t.Reward == 1 {
		outcome = memory.OutcomeSuccess
	}
	startedAt := tauBenchEpoch.AddDate(0, 0, *t.Trial).Add(time.Duration(*t.TaskID) * time.Minute)
	return service.RecordEpisodeInput{
		ID: &key, AgentID: agent, TaskType: &taskType, SessionID: &key,
		Observation: t.Info.Task.Instruction, Thoughts: t.said(), Actions: t.actions(), Outcome: &outcome,
		StartedAt: &startedAt,
		Metadata:  jsonOf(map[string]any{"source": "tau-bench", "taskId": *t.TaskID, "trial": *t.Trial, "reward": *t.Reward}),
	}
}

// said gives what the agent said. The last of it is no result: as often as not it is a goodbye.
func (t *trial) said() []string {
	var said []string
	for _, m := range t.Messages {
		if m.Role == "assistant" && m.Content != nil && *m.Content != "" {
			said = append(said, *m.Content)
		}
	}
	return said
}

// actions pairs each tool call with its answer: the first one after it that names it, because models
// use an id more than once in one conversation.
func (t *trial) actions() []service.ActionInput {
	var actions []service.ActionInput
	var arguments []memory.JSON
	waiting := map[string][]int{}
	for _, m := range t.Messages {
		for _, call := range m.ToolCalls {
			asked := jsonOrText(call.Function.Arguments)
			arguments = append(arguments, asked)
			waiting[call.ID] = append(waiting[call.ID], len(actions))
			actions = append(actions, service.ActionInput{
				StepID: textOrNil(call.ID), StepName: call.Function.Name,
				Result: jsonOf(map[string]any{"arguments": asked}),
			})
		}
		if asked := waiting[m.ToolCallID]; m.Role == "tool" && len(asked) > 0 && m.Content != nil {
			i := asked[0]
			waiting[m.ToolCallID] = asked[1:]
			actions[i].Result = jsonOf(map[string]any{"arguments": arguments[i], "result": jsonOrText(*m.Content)})
		}
	}
	return actions
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// jsonOrText keeps JSON that came as text as what it says, and other text as a string.
func jsonOrText(text string) memory.JSON {
	if json.Valid([]byte(text)) {
		return memory.JSON(bytes.TrimSpace([]byte(text)))
	}
	return jsonOf(text)
}

func jsonOf(value any) memory.JSON {
	text, err := json.Marshal(value)
	if err != nil {
		panic("importer: a value of plain types that cannot be encoded: " + err.Error())
	}
	return text
}
