package cli

import (
	"context"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/service"
)

func (p *program) forgetCommand() *cobra.Command {
	var agent, person string
	command := &cobra.Command{
		Use:   "forget --agent ID | --person NAME",
		Short: "Delete an agent, or what a person said, for good",
		Long: `Delete for good, at once and without asking: an agent with its episodes and what only they own (logs, canvases,
feedback); or all feedback and all corrections that a person created.

On SQLite nothing of it is left in the files. Neo4j keeps deleted bytes in its files until the database is
rebuilt from an export. What stays is a keyed hash of each id, by which an import knows what not to bring
back, unless it is forced. Exports and backups that were made before are yours to delete.`,
		Example: "  mneme forget --agent support\n  mneme forget --person ada@example.com",
		Args:    cobra.NoArgs,
		RunE: p.begun(func(command *cobra.Command, _ []string) error {
			return p.within(command.Context(), func(ctx context.Context, memory *app.Memory) error {
				if agent != "" {
					return p.forgetAgent(ctx, memory.Service, agent)
				}
				return p.forgetPerson(ctx, memory.Service, person)
			})
		}),
	}
	p.storeFlags(command)
	p.tenantFlag(command)
	p.jsonFlag(command)
	command.Flags().StringVar(&agent, "agent", "", "the agent, by id or key")
	command.Flags().StringVar(&person, "person", "", "the person, as in createdBy")
	command.MarkFlagsOneRequired("agent", "person")
	command.MarkFlagsMutuallyExclusive("agent", "person")
	return command
}

func (p *program) forgetAgent(ctx context.Context, svc *service.Service, agent string) error {
	deleted, err := svc.DeleteAgent(ctx, service.DeleteAgentInput{ID: agent})
	if err != nil {
		return err
	}
	return p.answer(map[string]any{"deletedId": deleted.DeletedID, "episodes": deleted.Episodes},
		"Deleted %s with %d episodes.", deleted.DeletedID, deleted.Episodes)
}

func (p *program) forgetPerson(ctx context.Context, svc *service.Service, person string) error {
	deleted, err := svc.DeleteFeedback(ctx, service.DeleteFeedbackInput{CreatedBy: &person})
	if err != nil {
		return err
	}
	return p.answer(map[string]any{"deleted": deleted}, "Deleted %d feedback and corrections by %s.", deleted, person)
}
