package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/memory/graduation"
	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/summaries"
)

// episodeOrders are the orders of a list, as a flag names them.
var episodeOrders = []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst}

func (p *program) listEpisodesCommand() *cobra.Command {
	var filter boundary.EpisodeFilter
	var order *memory.EpisodeOrder
	var page reading.PageInput
	command := shows(p, &cobra.Command{
		Use:     "list",
		Short:   "List episodes, the newest first",
		Long:    "List the episodes that a filter fits, the newest first. For past work to learn from there is mneme recall.",
		Example: "  mneme episodes list --agent support --outcome failure\n  mneme episodes list --order feedback_desc --first 5 --json",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) (list episodeList, err error) {
		found, err := tenant.Episodes.List(ctx, filter, *cmp.Or(order, &episodeOrders[0]), page, boundary.Include{})
		if err != nil {
			return list, err
		}
		list.Next = found.Next()
		list.Episodes = memory.Mapped(found.Items, func(e *memory.Episode) summaries.EpisodeSummary {
			return summaries.SummaryOfEpisode(e, tenant.Reactions.CanvasRules())
		})
		list.Total, err = found.Total(ctx)
		return list, err
	}, printEpisodes)
	flags := command.Flags()
	filterFlags(flags, &filter)
	flags.Var(wordFlag(&order, episodeOrders), "order", "started_at_desc, started_at_asc or feedback_desc")
	pageFlags(flags, &page, 20)
	return command
}

// episodeList is the answer of a list; the names are the API's.
type episodeList struct {
	Episodes []summaries.EpisodeSummary `json:"episodes"`
	Total    int                        `json:"total"`
	Next     *string                    `json:"next"` // what --after takes; null at the end
}

func printEpisodes(w io.Writer, list episodeList) {
	if len(list.Episodes) > 0 {
		table(w, []string{"STARTED", "OUTCOME", "AGENT", "EPISODE", "TITLE"}, list.Episodes, func(e summaries.EpisodeSummary) []string {
			return []string{
				e.StartedAt.Format(time.DateOnly), strings.ToLower(string(e.Outcome)), memory.KeyOf(memory.KindAgent, e.AgentID), e.ID, oneLine(e.Title, 60),
			}
		})
	}
	printRest(w, len(list.Episodes), list.Total, "episode", "episodes", list.Next)
}

// printRest says how many there are in all, where that is more than are shown, and how to see the next.
func printRest(w io.Writer, shown, total int, one, more string, next *string) {
	if shown > 0 && shown == total {
		return
	}
	if shown > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s in all.", prose.Counted(total, one, more))
	if next != nil {
		fmt.Fprintf(w, " The next page: --after %s", *next)
	}
	fmt.Fprintln(w)
}

func (p *program) showEpisodeCommand() *cobra.Command {
	var replay bool
	command := p.asks(&cobra.Command{
		Use:   "show EPISODE",
		Short: "Show an episode, or replay its log",
		Long: "Show what an episode says, by its id or key. With --replay its whole log comes instead, in order, an event a\n" +
			"line, with --json as JSON that says all of it.",
		Example: "  mneme episodes show run-7\n  mneme episodes show episode:run-7 --replay\n  mneme episodes show run-7 --replay --json > run-7.jsonl",
		Args:    cobra.MatchAll(cobra.ExactArgs(1), notEmpty),
	}, func(ctx context.Context, tenant *service.Tenant, args []string) error {
		if replay {
			return p.replay(ctx, tenant, args[0])
		}
		e, err := tenant.Episodes.Get(ctx, args[0], boundary.Include{Canvases: true, Feedback: true})
		if err == nil && e == nil {
			err = tenant.NotFound(ctx, "id", "the episode", args[0])
		}
		if err != nil {
			return err
		}
		told, err := tenant.Learning.EpisodeSummaries(ctx, []*memory.Episode{e})
		if err != nil {
			return err
		}
		return p.answer(told[0], func(w io.Writer) { printEpisode(w, told[0]) })
	})
	command.Flags().BoolVar(&replay, "replay", false, "print the log of the run, in order")
	return command
}

// qualityWords are the parts of the quality that something says, in a line.
func qualityWords(q *graduation.Quality) string {
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

// canvasWords are what was shown and how it was taken, in a line.
func canvasWords(c summaries.CanvasSummary) string {
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

// The most characters of a line that is shown, and the most lines of a sort.
const (
	shownText  = 500
	shownLines = 20
)

func printEpisode(w io.Writer, e summaries.EpisodeSummary) {
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
	list := func(name string, lines []string) {
		for i, line := range lines[:min(len(lines), shownLines)] {
			rows = append(rows, []string{name + " " + strconv.Itoa(i+1), oneLine(line, shownText)})
		}
		if left := len(lines) - shownLines; left > 0 {
			rows = append(rows, []string{"", fmt.Sprintf("and %d more", left)})
		}
	}
	add("session", e.SessionID)
	add("user", e.UserID)
	add("task type", e.TaskType)
	add("observation", &e.Observation)
	list("thought", e.Thoughts)
	list("step", memory.Mapped(e.Actions, func(a memory.Action) string { return a.StepName }))
	add("result", e.Result)
	add("insight", &e.Insight)
	if e.AggregateFeedbackScore != nil {
		rows = append(rows, []string{"feedback", decimals(*e.AggregateFeedbackScore, 2)})
	}
	if e.Quality != nil {
		rows = append(rows, []string{"quality", qualityWords(e.Quality)})
	}
	for _, f := range e.Feedback {
		add("correction", f.Corrections)
		add("comment", f.Comment)
	}
	list("canvas", memory.Mapped(e.Canvases, func(c summaries.CanvasSummary) string { return c.ID + ": " + canvasWords(c) }))
	fmt.Fprintf(w, "%s\n%s\n%s\n", e.ID, oneLine(e.Title, 100), strings.Join(inColumns(rows), "\n"))
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
	page := reading.PageInput{First: new(reading.MaxPage)}
	for {
		events, err := tenant.Episodes.Replay(ctx, id, page)
		if err != nil {
			return err
		}
		for _, event := range events.Items {
			if p.json {
				err = encoder.Encode(replayed(*event))
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
		if page.After = events.Next(); page.After == nil {
			return nil
		}
	}
}
