package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recording"
	"mneme/service/upkeep"
)

func (p *program) pruneCommand() *cobra.Command {
	var input boundary.PruneInput
	var d deleting
	command := p.asks(&cobra.Command{
		Use:   "prune",
		Short: "Delete observations that weigh too little",
		Long: "Delete the observations that weigh less than a minimum, for good. Critical and high ones are never deleted. It says\n" +
			"how many there are, and asks; without a terminal it needs --yes.",
		Example: "  mneme memory prune --dry-run\n  mneme memory prune --min-weight 0.05 --yes",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) error {
		_, err := p.delete(ctx, d, func(dryRun bool) (doomed, error) {
			input.DryRun = &dryRun
			result, err := tenant.Upkeep.Prune(ctx, input)
			if err != nil {
				return doomed{}, err
			}
			count := result.Candidates // which are deleted
			return doomed{result, count, fmt.Sprintf("%s that weighed less than %g", prose.Plural(count, "observation"), input.MinWeight)}, nil
		})
		return err
	})
	command.Flags().Float64Var(&input.MinWeight, "min-weight", 0.1, "what weighs less is deleted")
	d.define(command)
	return command
}

func (p *program) consolidateCommand() *cobra.Command {
	var input boundary.ConsolidateInput
	command := shows(p, &cobra.Command{
		Use:   "consolidate",
		Short: "Sum up what recurs in older episodes as observations",
		Long: "Record as observations what recurs in episodes that began more than 7 days ago: outcomes, failing steps, reactions\n" +
			"to canvases, corrections. What was recorded before is not recorded again.",
		Example: "  mneme consolidate --dry-run\n  mneme consolidate --agent support",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) (*upkeep.Consolidation, error) {
		return p.consolidate(ctx, tenant, input)
	}, printConsolidation)
	command.Flags().Var(textFlag(&input.AgentID), "agent", "only this agent's episodes")
	input.DryRun = command.Flags().Bool("dry-run", false, "say what would be recorded, and record nothing")
	return command
}

// consolidate goes through all parts, and shows how far it is.
func (p *program) consolidate(ctx context.Context, tenant *service.Tenant, input boundary.ConsolidateInput) (*upkeep.Consolidation, error) {
	progress := newProgress(p.Err)
	defer progress.end()
	var whole *upkeep.Consolidation
	for {
		part, err := tenant.Upkeep.Consolidate(ctx, input)
		if err != nil {
			return nil, err
		}
		if whole != nil {
			part.EpisodesRead += whole.EpisodesRead
			part.ObservationsCreated += whole.ObservationsCreated
			part.Patterns = append(whole.Patterns, part.Patterns...)
		}
		whole = part
		if !whole.HasMore {
			return whole, nil
		}
		input.AfterAgentID = whole.LastAgentID
		progress.tell(whole.EpisodesRead, func(rate float64) string {
			return fmt.Sprintf("consolidate: %d episodes, %.0f a second", whole.EpisodesRead, rate)
		})
	}
}

func printConsolidation(w io.Writer, result *upkeep.Consolidation) {
	verb := "recorded"
	if result.DryRun {
		verb = "would be recorded"
	}
	fmt.Fprintf(w, "Read %s that began more than 7 days ago; %s %s.\n", prose.Plural(result.EpisodesRead, "episode"),
		prose.Plural(result.ObservationsCreated, "new observation"), verb)
	for _, pattern := range result.Patterns {
		fmt.Fprintln(w, "  "+pattern)
	}
}

func (p *program) backfillCommand() *cobra.Command {
	var input boundary.BackfillInput
	var waiting *string
	command := p.asks(&cobra.Command{
		Use:   "backfill",
		Short: "Link canvases and feedback that came without their episode",
		Long: "Link canvases and feedback that name only a session to the episode they belong to: the one under way at\n" +
			"that time, else the latest that began before, else the session's first.",
		Example: "  mneme backfill\n  mneme backfill --session chat-17\n  mneme backfill --waiting canvas",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) error {
		if waiting != nil {
			return p.listWaiting(ctx, tenant, memory.Kind(*waiting))
		}
		return p.backfill(ctx, tenant, input)
	})
	command.Flags().Var(textFlag(&input.SessionID), "session", "only this session's")
	command.Flags().Var(textFlag(&waiting), "waiting", "canvas or feedback: link nothing, and list those of all sessions that wait")
	command.MarkFlagsMutuallyExclusive("session", "waiting")
	return command
}

func (p *program) backfill(ctx context.Context, tenant *service.Tenant, input boundary.BackfillInput) error {
	result, err := tenant.Upkeep.Backfill(ctx, input)
	if err != nil {
		return err
	}
	err = p.says(result, "Linked %s and %d feedback to %s.", prose.Counted(result.LinkedCanvases, "canvas", "canvases"),
		result.LinkedFeedback, prose.Plural(result.Episodes, "episode"))
	if err != nil || input.SessionID == nil {
		return err
	}
	session, err := tenant.Retrieval.Node(ctx, memory.NodeID(memory.KindSession, memory.KeyOf(memory.KindSession, *input.SessionID)))
	if err == nil && session == nil {
		fmt.Fprintln(p.Err, "There is no session of this name.")
	}
	return err
}

// waitingList is what waits for its episode, the newest 100 of it.
type waitingList struct {
	Waiting []recording.WaitingRecord `json:"waiting"`
	Total   int                       `json:"total"`
}

func (p *program) listWaiting(ctx context.Context, tenant *service.Tenant, kind memory.Kind) error {
	page, err := tenant.Reactions.Waiting(ctx, kind, reading.PageInput{First: new(reading.MaxPage)})
	if err != nil {
		return err
	}
	total, err := page.Total(ctx)
	if err != nil {
		return err
	}
	return p.answer(waitingList{page.Items, total}, func(w io.Writer) {
		for _, record := range page.Items {
			said := []string{record.At.Format(time.RFC3339), oneLine(record.ID, 600)}
			if record.SessionID != "" {
				said = append(said, oneLine(record.SessionID, 600))
			}
			if record.EpisodeID != "" {
				said = append(said, "waits for "+oneLine(record.EpisodeID, 600))
			}
			fmt.Fprintln(w, strings.Join(said, "  "))
		}
		if more := total - len(page.Items); more > 0 {
			fmt.Fprintf(w, "and %d more\n", more)
		}
		if total == 0 {
			fmt.Fprintln(w, "Nothing waits.")
		}
	})
}
