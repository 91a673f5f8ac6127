package cli

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/boundary"
)

func (p *program) forgetEpisodesCommand() *cobra.Command {
	var filter boundary.EpisodeFilter
	var d deleting
	command := p.asks(&cobra.Command{
		Use:   "episodes",
		Short: "Delete the episodes that a filter fits, for good",
		Long: `Delete the episodes that a filter fits, for good, each with what only it owns: its log, canvases and feedback. At
least one condition has to be given. It says how many fit, and asks; without a terminal it needs --yes. The
oldest go first, in parts: if it is broken off, run it again. On SQLite the file is compacted as the last step,
as forget does it.`,
		Example: "  mneme forget episodes --session trial --dry-run\n  mneme forget episodes --agent support --until 90d --yes",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) error {
		deleted, err := p.delete(ctx, d, func(ctx context.Context, dryRun bool) (doomed, error) {
			result, err := tenant.Upkeep.DeleteEpisodes(ctx, boundary.DeleteEpisodesInput{Filter: filter, DryRun: &dryRun})
			if err != nil {
				return doomed{}, err
			}
			count := result.Deleted
			if dryRun {
				count = result.Candidates
			}
			return doomed{result, count, prose.Plural(count, "episode")}, nil
		})
		if err == nil && deleted > 0 {
			err = p.compactForgotten(ctx, tenant)
		}
		return err
	})
	filterFlags(command.Flags(), &filter)
	d.define(command)
	return command
}

// filterFlags are the conditions of a filter of episodes.
func filterFlags(flags *pflag.FlagSet, f *boundary.EpisodeFilter) {
	workFlags(flags, &f.WorkFilter)
	flags.Var(textFlag(&f.SessionID), "session", "only what belongs to this session")
	flags.Var(numberFlag(&f.MaxFeedbackScore), "max-feedback", "only with a mean feedback score of at most this, -1 to 1")
}

// workFlags say which past work is looked at.
func workFlags(flags *pflag.FlagSet, f *boundary.WorkFilter) {
	flags.Var(textFlag(&f.AgentID), "agent", "only what this agent did")
	flags.Var(textFlag(&f.TaskType), "task-type", "only of this task type")
	userFlags(flags, &f.UserFilter)
	outcomes := []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure, memory.OutcomeUnknown}
	flags.Var(wordFlag(&f.Outcome, outcomes), "outcome", "only what ended so: success, failure or unknown")
	flags.Var(textFlag(&f.CanvasType), "canvas-type", "only what showed a canvas of this type")
	actions := []memory.CanvasActionKind{memory.CanvasPresent, memory.CanvasClose, memory.CanvasSubmit, memory.CanvasUpdate, memory.CanvasExecute}
	flags.Var(wordFlag(&f.CanvasAction, actions), "canvas-action", "only what showed a canvas on which this happened: present, close, submit, update or execute")
	flags.Var(numberFlag(&f.MinFeedbackScore), "min-feedback", "only with a mean feedback score of at least this, -1 to 1")
	ranges := []memory.TimeRange{memory.Last1Day, memory.Last7Days, memory.Last30Days, memory.Last90Days}
	flags.Var(wordFlag(&f.TimeRange, ranges), "time-range", "only what began so lately: last_1d, last_7d, last_30d or last_90d; not together with --since")
	flags.Var(timeFlag(&f.Since), "since", "only what began then or later"+timeForms)
	flags.Var(timeFlag(&f.Until), "until", "only what began before then"+timeForms)
}

// userFlags are the flags that say for whom what is looked for is.
func userFlags(flags *pflag.FlagSet, users *boundary.UserFilter) {
	flags.Var(textFlag(&users.UserID), "user", "only what is for this user")
	fillsField(flags, "user", "userId")
	flags.BoolVar(&users.IncludeShared, "include-shared", false, "with --user, also what is for nobody in particular")
}
