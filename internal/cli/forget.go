package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/service"
)

func (p *program) forgetCommand() *cobra.Command {
	var f forgetting
	command := &cobra.Command{
		Use:   "forget --agent ID | --person NAME | --record ID | --trace ID | --unreadable ID",
		Short: "Delete an agent, what a person said, a record, or what is held of a trace, for good",
		Long: `Delete for good, at once and without asking: an agent with its episodes and what only they own (logs, canvases,
feedback); all feedback and all corrections that a person created, and the labels of verdicts; one episode, canvas,
feedback, memoir (with its concepts), concept, observation or correction; or the spans that are held of a trace that
cannot be made an episode, as the doctor says. With --dry-run it only says how much there is. Episodes by a filter:
mneme forget episodes.

With --unreadable it deletes records that cannot be read, of any kind, by the ids that the doctor names. Of an
agent, a memoir and a run the rest stays, and the name and times are written anew; for a lost input key
another is made. Unlike the others it leaves no hash, so that an import of an earlier export brings them back.

On SQLite the file is compacted as the last step (mneme compact), after which nothing of it is left in it. Where the
disk has no room for that the status is 3, and it stays due: make room, then mneme compact. Much goes in
parts: if it is broken off, run it again. Neo4j keeps deleted bytes in its files until the database is rebuilt
from an export. What stays is a keyed hash of each id, by which an import knows what not to bring back, unless
it is forced. Exports and backups that were made before are yours to delete.

An agent or a record that is not there is an error (status 1). A person who said nothing, and a trace of which nothing is
held, are none: there is nothing of them left, which is said.`,
		Example: "  mneme forget --agent support --dry-run\n  mneme forget --agent support\n  mneme forget --person ada@example.com\n" +
			"  mneme forget --record concept:refunds\n  mneme forget --unreadable pattern:x --unreadable embedding:run-7\n" +
			"  mneme forget --trace 0af7651916cd43dd8448eb211c80319c",
		Args: noArguments,
		RunE: p.begun(func(command *cobra.Command, _ []string) error {
			return p.with(command, func(ctx context.Context, tenant *service.Tenant) error {
				switch {
				case command.Flags().Changed("agent"):
					return p.forgetAgent(ctx, tenant, f)
				case command.Flags().Changed("record"):
					return p.forgetRecord(ctx, tenant, f)
				case command.Flags().Changed("trace"):
					return p.forgetTrace(ctx, tenant, f)
				case command.Flags().Changed("unreadable"):
					return p.forgetUnreadable(ctx, tenant, f)
				default:
					return p.forgetPerson(ctx, tenant, f)
				}
			})
		}),
	}
	p.tenantFlags(command)
	flags := command.Flags()
	flags.StringVar(&f.agent, "agent", "", "the agent, by id or key")
	flags.StringVar(&f.person, "person", "", "the person, as in createdBy")
	flags.StringVar(&f.record, "record", "", "the record, by global id, such as episode:run-7")
	flags.StringVar(&f.trace, "trace", "", "the trace, by id")
	flags.StringArrayVar(&f.unreadable, "unreadable", nil, "a record that cannot be read, by the id that the doctor names; may be given several times")
	fillsField(flags, "agent", "id")
	fillsField(flags, "record", "id")
	fillsField(flags, "person", "createdBy")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	command.MarkFlagsOneRequired("agent", "person", "record", "trace", "unreadable")
	command.MarkFlagsMutuallyExclusive("agent", "person", "record", "trace", "unreadable")
	command.MarkFlagsMutuallyExclusive("unreadable", "dry-run")
	command.AddCommand(p.forgetEpisodesCommand())
	return command
}

// forgetting is what a forget on the command line names.
type forgetting struct {
	agent, person, record, trace string
	unreadable                   []string
	dryRun                       bool
}

// forgotten tells what a forget would do, or what it did, and then takes it out of the files, too, where there was any.
func (p *program) forgotten(ctx context.Context, tenant *service.Tenant, dryRun bool, deleted int, said any, people string) error {
	err := p.answer(said, func(w io.Writer) {
		fmt.Fprintln(w, people)
		if dryRun {
			fmt.Fprintln(w, "Nothing was changed. Without --dry-run it is deleted, for good.")
		}
	})
	if err != nil || dryRun || deleted == 0 {
		return err
	}
	return p.compactForgotten(ctx, tenant)
}

// compactForgotten takes what was deleted out of the files.
func (p *program) compactForgotten(ctx context.Context, tenant *service.Tenant) error {
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
}

func (p *program) forgetAgent(ctx context.Context, tenant *service.Tenant, f forgetting) error {
	forget, verb := tenant.Upkeep.AgentToDelete, "Would delete"
	if !f.dryRun {
		forget, verb = tenant.Upkeep.DeleteAgent, "Deleted"
	}
	agent, err := forget(ctx, service.DeleteAgentInput{ID: f.agent})
	if err != nil {
		return err
	}
	said := struct {
		*service.DeletedAgent
		DryRun bool `json:"dryRun"`
	}{agent, f.dryRun}
	return p.forgotten(ctx, tenant, f.dryRun, 1+agent.Episodes, said, fmt.Sprintf("%s %s, and with it %s.", verb, agent.DeletedID, prose.Plural(agent.Episodes, "episode")))
}

func (p *program) forgetPerson(ctx context.Context, tenant *service.Tenant, f forgetting) error {
	forget, verb := tenant.Upkeep.PersonToDelete, "Would delete"
	if !f.dryRun {
		verb = "Deleted"
		forget = func(ctx context.Context, person string) (*service.DeletedFeedback, error) {
			return tenant.Upkeep.DeleteFeedback(ctx, service.DeleteFeedbackInput{CreatedBy: &person})
		}
	}
	feedback, err := forget(ctx, f.person)
	if err != nil {
		return err
	}
	said := struct {
		*service.DeletedFeedback
		DryRun bool `json:"dryRun"`
	}{feedback, f.dryRun}
	err = p.forgotten(ctx, tenant, f.dryRun, feedback.Deleted, said, fmt.Sprintf("%s %d feedback, corrections and labels by %s.", verb, feedback.Deleted, f.person))
	if err == nil && feedback.Deleted == 0 {
		fmt.Fprintln(p.Err, "Nobody of this name, as createdBy and labelledBy have it, has said anything that is kept.")
	}
	return err
}

func (p *program) forgetRecord(ctx context.Context, tenant *service.Tenant, f forgetting) error {
	forget, verb := tenant.Upkeep.AnyToDelete, "Would delete"
	if !f.dryRun {
		forget, verb = tenant.Upkeep.DeleteAny, "Deleted"
	}
	record, err := forget(ctx, service.DeleteInput{ID: f.record})
	if err != nil {
		return err
	}
	said := struct {
		*service.DeletedRecord
		DryRun bool `json:"dryRun"`
	}{record, f.dryRun}
	people := fmt.Sprintf("%s %s.", verb, record.DeletedID)
	if record.Concepts > 0 {
		people = fmt.Sprintf("%s %s, and with it %s.", verb, record.DeletedID, prose.Plural(record.Concepts, "concept"))
	}
	return p.forgotten(ctx, tenant, f.dryRun, 1, said, people)
}

func (p *program) forgetUnreadable(ctx context.Context, tenant *service.Tenant, f forgetting) error {
	count, err := tenant.Upkeep.Discard(ctx, f.unreadable)
	if err != nil {
		return err
	}
	said := struct {
		Deleted int `json:"deleted"`
	}{count}
	return p.forgotten(ctx, tenant, false, count, said, fmt.Sprintf("Deleted %s that cannot be read.", prose.Plural(count, "record")))
}

// traceID is what OpenTelemetry calls a trace.
var traceID = regexp.MustCompile(`^[0-9a-f]{32}$`)

func (p *program) forgetTrace(ctx context.Context, tenant *service.Tenant, f forgetting) error {
	forget, verb := tenant.Upkeep.TraceToDrop, "Would delete"
	if !f.dryRun {
		forget, verb = tenant.Upkeep.DropTrace, "Deleted"
	}
	spans, err := forget(ctx, f.trace)
	if err != nil {
		return err
	}
	if spans == 0 && !traceID.MatchString(f.trace) { // what an import brought may be called otherwise
		return memory.Invalid("trace", "must be the id of a trace, which is 32 hexadecimal digits, such as 0af7651916cd43dd8448eb211c80319c")
	}
	said := struct {
		Spans  int  `json:"spans"`
		DryRun bool `json:"dryRun"`
	}{spans, f.dryRun}
	return p.forgotten(ctx, tenant, f.dryRun, spans, said, fmt.Sprintf("%s %s of the trace %s.", verb, prose.Plural(spans, "span"), f.trace))
}
