package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mneme/service"
)

func (p *program) memoryCommand() *cobra.Command {
	command := &cobra.Command{Use: "memory", Short: "Look after observations", Args: cobra.NoArgs, RunE: func(command *cobra.Command, _ []string) error {
		return command.Help()
	}}
	command.AddCommand(p.pruneCommand())
	return command
}

func (p *program) pruneCommand() *cobra.Command {
	var input service.PruneInput
	var dry bool
	command := &cobra.Command{
		Use:   "prune",
		Short: "Delete observations that weigh too little",
		Long: "Delete observations that weigh less than a minimum, for good. Critical and high ones are never deleted.\n" +
			"With --dry-run it only says how many there are.",
		Example: "  mneme memory prune --dry-run\n  mneme memory prune --min-weight 0.05",
		Args:    cobra.NoArgs,
		RunE: p.begun(func(command *cobra.Command, _ []string) error {
			input.DryRun = &dry
			return p.with(command, func(ctx context.Context, svc *service.Service) error {
				result, err := svc.Prune(ctx, input)
				if err != nil {
					return err
				}
				return p.answer(result, func(w io.Writer) {
					if dry {
						fmt.Fprintf(w, "%d observations weigh less than %g. Without --dry-run they are deleted.\n", result.Candidates, input.MinWeight)
						return
					}
					fmt.Fprintf(w, "Deleted %d observations that weighed less than %g.\n", result.Deleted, input.MinWeight)
				})
			})
		}),
	}
	p.tenantFlags(command)
	command.Flags().Float64Var(&input.MinWeight, "min-weight", 0.1, "what weighs less is deleted")
	command.Flags().BoolVar(&dry, "dry-run", false, "delete nothing")
	return command
}

func (p *program) consolidateCommand() *cobra.Command {
	var input service.ConsolidateInput
	var dry bool
	command := &cobra.Command{
		Use:     "consolidate",
		Short:   "Sum up what recurs in older episodes as observations",
		Example: "  mneme consolidate --dry-run\n  mneme consolidate --agent support",
		Args:    cobra.NoArgs,
		RunE: p.begun(func(command *cobra.Command, _ []string) error {
			input.DryRun = &dry
			return p.with(command, func(ctx context.Context, svc *service.Service) error {
				result, err := p.consolidate(ctx, svc, input)
				if err != nil {
					return err
				}
				return p.answer(result, func(w io.Writer) { tellConsolidation(w, result) })
			})
		}),
	}
	p.tenantFlags(command)
	command.Flags().Var(wordFlag[string]{word: &input.AgentID}, "agent", "only this agent's episodes")
	command.Flags().BoolVar(&dry, "dry-run", false, "record nothing")
	return command
}

// consolidate goes through all parts, and shows how far it is.
func (p *program) consolidate(ctx context.Context, svc *service.Service, input service.ConsolidateInput) (*service.Consolidation, error) {
	progress := newProgress(p.Err, "consolidate")
	defer progress.end()
	var whole *service.Consolidation
	for {
		part, err := svc.Consolidate(ctx, input)
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

func tellConsolidation(w io.Writer, result *service.Consolidation) {
	verb := "recorded"
	if result.DryRun {
		verb = "would be recorded"
	}
	fmt.Fprintf(w, "Read %d episodes; %d new observations %s.\n", result.EpisodesRead, result.ObservationsCreated, verb)
	for _, pattern := range result.Patterns {
		fmt.Fprintln(w, "  "+pattern)
	}
}

func (p *program) backfillCommand() *cobra.Command {
	var input service.BackfillInput
	command := &cobra.Command{
		Use:   "backfill",
		Short: "Link canvases and feedback that came without their episode",
		Long: "Link canvases and feedback that name only a session to the episode they belong to: the one under way at\n" +
			"that time, else the latest that began before, else the session's first.",
		Example: "  mneme backfill\n  mneme backfill --session chat-17",
		Args:    cobra.NoArgs,
		RunE: p.begun(func(command *cobra.Command, _ []string) error {
			return p.with(command, func(ctx context.Context, svc *service.Service) error {
				result, err := svc.Backfill(ctx, input)
				if err != nil {
					return err
				}
				return p.answer(result, func(w io.Writer) {
					fmt.Fprintf(w, "Linked %d canvases and %d feedbacks to %d episodes.\n", result.LinkedCanvases, result.LinkedFeedback, result.Episodes)
				})
			})
		}),
	}
	p.tenantFlags(command)
	command.Flags().Var(wordFlag[string]{word: &input.SessionID}, "session", "only this session's")
	return command
}
