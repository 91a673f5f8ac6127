package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/service"
)

func (p *program) episodesCommand() *cobra.Command {
	return group("episodes", "Look at what agents did", p.showEpisodeCommand())
}

func (p *program) showEpisodeCommand() *cobra.Command {
	var replay bool
	command := &cobra.Command{
		Use:   "show EPISODE",
		Short: "Show an episode, or replay its log",
		Long: "Show what an episode says, by its id or key. With --replay its whole log comes instead, in order, an event a\n" +
			"line, with --json as JSON that says all of it.",
		Example: "  mneme episodes show run-7\n  mneme episodes show episode:run-7 --replay\n  mneme episodes show run-7 --replay --json > run-7.jsonl",
		Args:    needs("an episode", 1, 1),
		RunE: p.asks(func(ctx context.Context, tenant *service.Tenant, args []string) error {
			if replay {
				return p.replay(ctx, tenant, args[0])
			}
			return p.showEpisode(ctx, tenant, args[0])
		}),
	}
	p.tenantFlags(command)
	command.Flags().BoolVar(&replay, "replay", false, "print the log of the run, in order")
	return command
}

// shownEpisode is an episode on the command line; the names are the API's.
type shownEpisode struct {
	ID          string          `json:"id"`
	Title       string          `json:"title"`
	AgentID     string          `json:"agentId"`
	SessionID   *string         `json:"sessionId"`
	TaskType    *string         `json:"taskType"`
	Observation string          `json:"observation"`
	Thoughts    []string        `json:"thoughts"`
	Actions     []memory.Action `json:"actions"`
	Result      *string         `json:"result"`
	Outcome     memory.Outcome  `json:"outcome"`
	Insight     string          `json:"insight"`
	StartedAt   time.Time       `json:"startedAt"`
	EndedAt     *time.Time      `json:"endedAt"`
	Metadata    memory.JSON     `json:"metadata"`
	Feedback    *float64        `json:"aggregateFeedbackScore"`
	Quality     episodeQuality  `json:"quality"`
	Canvases    []shownCanvas   `json:"canvasContext"`
}

// episodeQuality is the quality of an episode and its parts, each null where nothing says it.
type episodeQuality struct {
	Value           *float64 `json:"value"`
	Completion      *float64 `json:"completion"`
	CanvasSuccess   *float64 `json:"canvasSuccess"`
	FeedbackQuality *float64 `json:"feedbackQuality"`
	Consistency     *float64 `json:"consistency"`
}

// shownCanvas is what was shown in an episode, and how people took it.
type shownCanvas struct {
	ID            string               `json:"id"`
	CanvasType    string               `json:"canvasType"`
	ComponentType *string              `json:"componentType"`
	States        []memory.CanvasState `json:"states"`
	DwellSeconds  *float64             `json:"dwellSeconds"`
	Reward        float64              `json:"reward"`
}

func (p *program) showEpisode(ctx context.Context, tenant *service.Tenant, id string) error {
	e, err := tenant.Episodes.Get(ctx, id, service.Include{Canvases: true})
	if err == nil && e == nil {
		err = tenant.NotFound(ctx, "id", "the episode", id)
	}
	if err != nil {
		return err
	}
	answer := shownEpisode{
		ID: e.ID(), Title: e.Title, AgentID: memory.NodeID(memory.KindAgent, e.AgentKey), SessionID: e.SessionID(), TaskType: e.TaskType,
		Observation: e.Observation, Thoughts: e.Thoughts, Actions: e.Actions, Result: e.Result, Outcome: e.Outcome, Insight: e.Insight,
		StartedAt: e.StartedAt, EndedAt: e.EndedAt, Metadata: e.Metadata, Feedback: e.AggregateFeedbackScore(),
	}
	if err := answer.add(ctx, tenant, e); err != nil {
		return err
	}
	return p.answer(answer, func(w io.Writer) { printEpisode(w, answer) })
}

// add tells how good the episode was, and what was shown in it.
func (s *shownEpisode) add(ctx context.Context, tenant *service.Tenant, e *memory.Episode) error {
	even, err := tenant.Learning.Consistency(ctx, []string{e.AgentKey})
	if err != nil {
		return err
	}
	q, err := tenant.Learning.EpisodeQuality(ctx, e, even[e.AgentKey])
	if err != nil {
		return err
	}
	s.Quality = episodeQuality{q.Value, q.Completion, q.CanvasSuccess, q.FeedbackQuality, q.Consistency}
	s.Canvases = []shownCanvas{}
	if e.Context == nil {
		return nil
	}
	rules := tenant.Reactions.CanvasRules()
	for _, c := range e.Context.Canvases {
		s.Canvases = append(s.Canvases, shownCanvas{c.ID(), c.CanvasType, c.ComponentType, c.States(rules), c.DwellSeconds(), c.Reward(rules)})
	}
	return nil
}

// words are the parts of the quality that something says, in a line.
func (q episodeQuality) words() string {
	if q.Value == nil {
		return ""
	}
	var parts []string
	for _, part := range []struct {
		name  string
		value *float64
	}{{"completion", q.Completion}, {"canvases", q.CanvasSuccess}, {"feedback", q.FeedbackQuality}, {"consistency", q.Consistency}} {
		if part.value != nil {
			parts = append(parts, part.name+" "+decimals(*part.value, 2))
		}
	}
	return fmt.Sprintf("%s (%s)", decimals(*q.Value, 2), strings.Join(parts, ", "))
}

// words are what was shown and how it was taken, in a line.
func (c shownCanvas) words() string {
	said := c.CanvasType
	if c.ComponentType != nil {
		said += "/" + *c.ComponentType
	}
	said = oneLine(said, 60)
	if c.DwellSeconds != nil {
		said += fmt.Sprintf(", %s s", decimals(*c.DwellSeconds, 0))
	}
	for _, state := range c.States {
		said += ", " + strings.ToLower(strings.ReplaceAll(string(state), "_", " "))
	}
	return said
}

// The most characters of a line that is shown, and the most steps.
const (
	shownText  = 500
	shownSteps = 20
)

func printEpisode(w io.Writer, e shownEpisode) {
	rows := [][]string{
		{"agent", e.AgentID}, {"outcome", strings.ToLower(string(e.Outcome))}, {"started", e.StartedAt.Format(time.RFC3339)},
	}
	add := func(name string, value *string) {
		if value != nil {
			rows = append(rows, []string{name, oneLine(*value, shownText)})
		}
	}
	if e.EndedAt != nil {
		add("ended", new(e.EndedAt.Format(time.RFC3339)))
	}
	add("session", e.SessionID)
	add("task type", e.TaskType)
	add("observation", &e.Observation)
	for i, action := range e.Actions[:min(len(e.Actions), shownSteps)] {
		rows = append(rows, []string{"step " + strconv.Itoa(i+1), oneLine(action.StepName, shownText)})
	}
	if left := len(e.Actions) - shownSteps; left > 0 {
		rows = append(rows, []string{"", fmt.Sprintf("and %d more", left)})
	}
	add("result", e.Result)
	add("insight", &e.Insight)
	if e.Feedback != nil {
		rows = append(rows, []string{"feedback", decimals(*e.Feedback, 2)})
	}
	if quality := e.Quality.words(); quality != "" {
		rows = append(rows, []string{"quality", quality})
	}
	for _, canvas := range e.Canvases[:min(len(e.Canvases), shownSteps)] {
		rows = append(rows, []string{oneLine(canvas.ID, 60), canvas.words()})
	}
	if left := len(e.Canvases) - shownSteps; left > 0 {
		rows = append(rows, []string{"", fmt.Sprintf("and %d more canvases", left)})
	}
	table(w, []string{e.ID, oneLine(e.Title, 100)}, rows)
}

// replayed is an event of a log on the command line; the names are the API's.
type replayed struct {
	Sequence int         `json:"sequence"`
	Type     string      `json:"type"`
	Data     memory.JSON `json:"data"`
	At       time.Time   `json:"at"`
}

// replay prints a log page by page, so that a long one takes no memory.
func (p *program) replay(ctx context.Context, tenant *service.Tenant, id string) error {
	encoder := json.NewEncoder(p.Out)
	encoder.SetEscapeHTML(false)
	page := service.PageInput{First: new(service.MaxPage)}
	for {
		events, err := tenant.Episodes.Replay(ctx, id, page)
		if err != nil {
			return err
		}
		for _, event := range events.Items {
			if p.json {
				err = encoder.Encode(replayed(event))
			} else {
				_, err = fmt.Fprintf(p.Out, "%6d  %s  %s  %s\n", event.Sequence, event.At.Format("2006-01-02T15:04:05.000Z"),
					oneLine(event.Type, 40), oneLine(string(event.Data), shownText))
			}
			if err != nil {
				return err
			}
		}
		if len(events.Items) == 0 && page.After == nil && !p.json {
			fmt.Fprintln(p.Err, "The episode has no log.")
		}
		if !events.HasNext {
			return nil
		}
		page.After = &events.Cursors[len(events.Cursors)-1]
	}
}
