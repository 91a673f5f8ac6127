package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mneme/service"
)

func (p *program) forgetCommand() *cobra.Command {
	var agent, person, trace string
	command := &cobra.Command{
		Use:   "forget --agent ID | --person NAME | --trace ID",
		Short: "Delete an agent, what a person said, or what is held of a trace, for good",
		Long: `Delete for good, at once and without asking: an agent with its episodes and what only they own (logs, canvases,
feedback); all feedback and all corrections that a person created; or the spans that are held of a trace that cannot
be made an episode, as the doctor says.

On SQLite the file is compacted as the last step (mneme compact), after which nothing of it is left in it. Where the
disk has no room for that the status is 3, and it stays due: make room, then mneme compact. An agent goes in
parts: if it is broken off, run it again. Neo4j keeps deleted bytes in its files until the database is rebuilt
from an export. What stays is a keyed hash of each id, by which an import knows what not to bring back, unless
it is forced. Exports and backups that were made before are yours to delete.`,
		Example: "  mneme forget --agent support\n  mneme forget --person ada@example.com\n  mneme forget --trace 0af7651916cd43dd8448eb211c80319c",
		Args:    cobra.MatchAll(needsFlag("an agent, a person or a trace", "agent", "person", "trace"), noArguments),
		RunE: p.begun(func(command *cobra.Command, _ []string) error {
			return p.with(command, func(ctx context.Context, tenant *service.Tenant) (err error) {
				switch {
				case command.Flags().Changed("agent"):
					err = p.forgetAgent(ctx, tenant, agent)
				case command.Flags().Changed("trace"):
					err = p.forgetTrace(ctx, tenant, trace)
				default:
					err = p.forgetPerson(ctx, tenant, person)
				}
				if err != nil {
					return err
				}
				compacted, err := p.compact(ctx, tenant)
				if errors.Is(err, context.Canceled) {
					err = errors.New("interrupted; mneme compact does it, or a server when nothing is written")
				}
				if err != nil {
					return leftOut{fmt.Errorf("it is deleted, but not yet out of the files: %w", err)}
				}
				if compacted.Note != "" {
					fmt.Fprintln(p.Err, compacted.Note)
				}
				return nil
			})
		}),
	}
	p.tenantFlags(command)
	command.Flags().StringVar(&agent, "agent", "", "the agent, by id or key")
	command.Flags().StringVar(&person, "person", "", "the person, as in createdBy")
	command.Flags().StringVar(&trace, "trace", "", "the trace, by id")
	command.MarkFlagsOneRequired("agent", "person", "trace")
	command.MarkFlagsMutuallyExclusive("agent", "person", "trace")
	return command
}

func (p *program) forgetAgent(ctx context.Context, tenant *service.Tenant, agent string) error {
	patience := time.AfterFunc(2*time.Second, func() {
		fmt.Fprintf(p.Err, "Deleting %s: thousands of episodes take a while. Should this be broken off, give the command again.\n", agent)
	})
	defer patience.Stop()
	deleted, err := tenant.Upkeep.DeleteAgent(ctx, service.DeleteAgentInput{ID: agent})
	if err != nil {
		return err
	}
	return p.answer(deleted, func(w io.Writer) {
		fmt.Fprintf(w, "Deleted %s. Episodes that went with it: %d\n", deleted.DeletedID, deleted.Episodes)
	})
}

func (p *program) forgetPerson(ctx context.Context, tenant *service.Tenant, person string) error {
	deleted, err := tenant.Upkeep.DeleteFeedback(ctx, service.DeleteFeedbackInput{CreatedBy: &person})
	if err != nil {
		return err
	}
	return p.answer(deleted, func(w io.Writer) {
		fmt.Fprintf(w, "Deleted %d feedback, corrections and labels by %s.\n", deleted.Deleted, person)
	})
}

func (p *program) forgetTrace(ctx context.Context, tenant *service.Tenant, trace string) error {
	dropped, err := tenant.Upkeep.DropTrace(ctx, trace)
	if err != nil {
		return err
	}
	said := struct {
		Spans int `json:"spans"`
	}{dropped}
	return p.answer(said, func(w io.Writer) { fmt.Fprintf(w, "Let go of %d spans of the trace %s.\n", dropped, trace) })
}
