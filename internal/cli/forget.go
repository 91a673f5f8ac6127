package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/memory"
	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/upkeep"
)

func (p *program) forgetCommand() *cobra.Command {
	var f forgetting
	command := &cobra.Command{
		Use:   "forget --agent ID | --person NAME | --record ID | --trace ID | --unreadable ID",
		Short: "Delete an agent, what a person said, a record, or what is held of a trace, for good",
		Long: `Delete for good: an agent with its episodes and what only they own (logs, canvases, feedback); all feedback and
corrections that a person created, the labels of verdicts, and what was recorded for them (userId); one record, which is an episode, canvas, feedback,
memoir (with its concepts), concept, observation, correction, verdict, section or run (with its verdicts) or execution;
or the spans that are held of a trace that cannot be made an episode, as the doctor says. Episodes by a filter:
mneme forget episodes.

It says what would go, and asks; without a terminal it needs --yes. With --dry-run it only says it.

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
		Example: "  mneme forget --agent support --dry-run\n  mneme forget --person ada@example.com\n  mneme forget --record verdict:v-17 --yes\n" +
			"  mneme forget --unreadable pattern:x --unreadable embedding:run-7\n  mneme forget --trace 0af7651916cd43dd8448eb211c80319c",
	}
	p.asks(command, func(ctx context.Context, tenant *service.Tenant, _ []string) error {
		what := map[string]func(context.Context, *upkeep.Upkeep, bool) (doomed, error){
			"agent": f.ofAgent, "person": f.ofPerson, "record": f.ofRecord, "trace": f.ofTrace, "unreadable": f.ofUnreadable,
		}
		for name, do := range what {
			if command.Flags().Changed(name) {
				return p.forget(ctx, tenant, f.deleting, func(dryRun bool) (doomed, error) { return do(ctx, tenant.Upkeep, dryRun) })
			}
		}
		return nil
	})
	flags := command.Flags()
	flags.StringVar(&f.agent, "agent", "", "the agent, by id or key")
	flags.StringVar(&f.person, "person", "", "the person, as in createdBy and userId")
	flags.StringVar(&f.record, "record", "", "the record, by global id, such as episode:run-7")
	flags.StringVar(&f.trace, "trace", "", "the trace, by id")
	flags.StringArrayVar(&f.unreadable, "unreadable", nil, "a record that cannot be read, by the id that the doctor names; may be given several times")
	f.define(command)
	command.MarkFlagsOneRequired("agent", "person", "record", "trace", "unreadable")
	command.MarkFlagsMutuallyExclusive("agent", "person", "record", "trace", "unreadable")
	command.AddCommand(p.forgetEpisodesCommand())
	return command
}

// forgetting is what a forget on the command line names.
type forgetting struct {
	deleting
	agent, person, record, trace string
	unreadable                   []string
}

// forget deletes as delete does, and then takes it out of the files, too, where there was any.
func (p *program) forget(ctx context.Context, tenant *service.Tenant, d deleting, do func(dryRun bool) (doomed, error)) error {
	deleted, err := p.delete(ctx, d, do)
	if err != nil || deleted == 0 {
		return err
	}
	compacted, err := tenant.Upkeep.Compact(ctx)
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

func (f forgetting) ofAgent(ctx context.Context, u *upkeep.Upkeep, dryRun bool) (doomed, error) {
	agent, err := u.Delete(ctx, memory.KindAgent, boundary.DeleteInput{ID: f.agent, DryRun: dryRun})
	if err != nil {
		return doomed{}, err
	}
	return doomed{agent, 1 + agent.Episodes, fmt.Sprintf("%s, and with it %s", agent.DeletedID, prose.Plural(agent.Episodes, "episode"))}, nil
}

func (f forgetting) ofPerson(ctx context.Context, u *upkeep.Upkeep, dryRun bool) (doomed, error) {
	person, err := u.ForgetPerson(ctx, f.person, dryRun)
	if err != nil {
		return doomed{}, err
	}
	what := fmt.Sprintf("%d feedback, corrections and labels by %s", person.Said, f.person)
	if own := person.All() - person.Said; own > 0 {
		what += fmt.Sprintf(", and for that user %d episodes, %d canvases, %d feedback and %d observations", person.Episodes, person.Canvases, person.Feedback, person.Observations)
	}
	if person.All() == 0 {
		what = fmt.Sprintf("nothing: nobody named %s, as createdBy and labelledBy have it, has said anything that is kept", f.person)
	}
	return doomed{person, person.All(), what}, nil
}

func (f forgetting) ofRecord(ctx context.Context, u *upkeep.Upkeep, dryRun bool) (doomed, error) {
	record, err := u.DeleteAny(ctx, boundary.DeleteInput{ID: f.record, DryRun: dryRun})
	if err != nil {
		return doomed{}, err
	}
	what := record.DeletedID
	if record.Concepts > 0 {
		what += ", and with it " + prose.Plural(record.Concepts, "concept")
	}
	if record.Verdicts > 0 {
		what += ", and with it " + prose.Plural(record.Verdicts, "verdict")
	}
	return doomed{record, 1, what}, nil
}

func (f forgetting) ofUnreadable(ctx context.Context, u *upkeep.Upkeep, dryRun bool) (doomed, error) {
	said := struct {
		Deleted int  `json:"deleted"`
		DryRun  bool `json:"dryRun"`
	}{DryRun: dryRun}
	if dryRun { // whether they can be read is looked at when they are deleted
		return doomed{said, len(f.unreadable), "what cannot be read of " + strings.Join(f.unreadable, ", ")}, nil
	}
	count, err := u.Discard(ctx, f.unreadable)
	said.Deleted = count
	return doomed{said, count, prose.Plural(count, "record") + " that cannot be read"}, err
}

func (f forgetting) ofTrace(ctx context.Context, u *upkeep.Upkeep, dryRun bool) (doomed, error) {
	spans, err := u.DropTrace(ctx, f.trace, dryRun)
	if err != nil {
		return doomed{}, err
	}
	said := struct {
		Spans  int  `json:"spans"`
		DryRun bool `json:"dryRun"`
	}{spans, dryRun}
	return doomed{said, spans, fmt.Sprintf("%s of the trace %s", prose.Plural(spans, "span"), f.trace)}, nil
}

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
		return p.forget(ctx, tenant, d, func(dryRun bool) (doomed, error) {
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
	})
	filterFlags(command.Flags(), &filter)
	d.define(command)
	return command
}

// deleting is how every command that deletes records is asked: whether it only says what would go, or need not ask.
type deleting struct{ dryRun, yes bool }

func (d *deleting) define(command *cobra.Command) {
	command.Flags().BoolVar(&d.dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	command.Flags().BoolVar(&d.yes, "yes", false, "delete it without asking")
	command.MarkFlagsMutuallyExclusive("dry-run", "yes")
}

// doomed is what is deleted, or would be.
type doomed struct {
	answer any    // for programs
	count  int    // of records
	what   string // in words, such as "agent:ada, and with it 2 episodes"
}

// delete deletes for good, unless it is a dry run, and says how much. Where there is anything it asks first on a
// terminal; without one it needs --yes.
func (p *program) delete(ctx context.Context, d deleting, do func(dryRun bool) (doomed, error)) (deleted int, err error) {
	if !d.yes {
		would, err := do(true)
		switch {
		case err != nil:
			return 0, err
		case d.dryRun:
			return 0, p.says(would.answer, "Would delete %s.", would.what)
		case would.count > 0:
			if err := p.sure(ctx, false, "This deletes "+would.what+", for good."); err != nil {
				return 0, err
			}
		}
	}
	gone, err := do(false)
	if err != nil {
		return 0, err
	}
	return gone.count, p.says(gone.answer, "Deleted %s.", gone.what)
}

// sure asks somebody at a terminal whether a command may do what cannot be undone; elsewhere --yes must have said so.
func (p *program) sure(ctx context.Context, yes bool, what string) error {
	switch {
	case yes:
		return nil
	case !isTerminal(p.In):
		return &app.Problem{What: what, Do: "Nothing was done. Say so with --yes.", Misuse: true}
	}
	fmt.Fprintf(p.Err, "%s\nGo on? [y/N] ", what)
	in := interruptible(ctx, func() (io.Reader, error) { return p.In, nil })
	line, _ := bufio.NewReader(in).ReadString('\n') // nothing is no
	switch word := strings.ToLower(strings.TrimSpace(line)); {
	case ctx.Err() != nil:
		return ctx.Err()
	case word == "y", word == "yes":
		return nil
	}
	return errors.New("nothing was done")
}
