package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/boundary"
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
	command := shows(p, &cobra.Command{
		Use:   "backfill",
		Short: "Link canvases and feedback that came without their episode",
		Long: "Link canvases and feedback that name only a session to the episode they belong to: the one under way at\n" +
			"that time, else the latest that began before, else the session's first.",
		Example: "  mneme backfill\n  mneme backfill --session chat-17",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) (*upkeep.BackfillResult, error) {
		return tenant.Upkeep.Backfill(ctx, input)
	}, func(w io.Writer, result *upkeep.BackfillResult) {
		fmt.Fprintf(w, "Linked %s and %d feedback to %s.\n", prose.Counted(result.LinkedCanvases, "canvas", "canvases"),
			result.LinkedFeedback, prose.Plural(result.Episodes, "episode"))
	})
	command.Flags().Var(textFlag(&input.SessionID), "session", "only this session's")
	return command
}
