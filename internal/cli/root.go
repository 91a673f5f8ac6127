package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mneme/internal/app"
	"mneme/memory"
	"mneme/service"
)

// The exit statuses.
const (
	exitOK    = 0
	exitFault = 1 // it was asked rightly and failed
	exitUsage = 2 // it was not asked rightly: arguments or configuration
	exitPart  = 3 // it did what it could, and left something out
)

// errPart is an error of a command that left out what is faulty.
var errPart = errors.New("the rest is done")

// Streams are where a command reads and writes.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// program is one run of the command line.
type program struct {
	Streams
	out    *output // which Out is
	config app.Config
	tenant string // whose memory a command works on
	json   bool   // answer in JSON
	child  child
	// configFault is what is wrong with the environment; it matters to commands that use the configuration.
	configFault error
	// running says that the arguments were right and the command has begun.
	running bool
}

// Run runs a command until it is done, or until the process is asked to end (SIGINT, SIGTERM), and
// returns its exit status. Settings come from the flags, else from the variables that lookup finds.
func Run(ctx context.Context, args []string, streams Streams, lookup func(string) (string, bool)) int {
	p := &program{Streams: streams, out: &output{to: streams.Out}}
	p.Out = p.out
	p.config, p.configFault = app.ConfigFromEnv(lookup)
	p.config.Version = thisBuild().String()
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)

	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	// From the first signal on, a second one ends the process the hard way.
	context.AfterFunc(ctx, stop)
	return p.status(root.ExecuteContextC(ctx))
}

// status reports a command's error to the person and as an exit status.
func (p *program) status(command *cobra.Command, err error) int {
	text, refused := told(command, err)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(p.Err, "mneme: interrupted")
		return exitFault
	case p.out.fault != nil: // whatever else it did, its answer is lost
		if err != nil && !errors.Is(err, p.out.fault) {
			fmt.Fprintf(p.Err, "mneme: %s\n", text)
		}
		fmt.Fprintf(p.Err, "mneme: %s\n", notWritable("standard output", p.out.fault))
		return exitFault
	case err == nil:
		return exitOK
	}
	fmt.Fprintf(p.Err, "mneme: %s\n", text)
	if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeInternal {
		if command.Name() != "doctor" {
			fmt.Fprintf(p.Err, "Where something in the store is damaged, this says what: mneme doctor%s\n", p.config.SameStore())
		}
		p.logger().Error("unexpected error", "error", known.Cause)
	}
	problem, ok := errors.AsType[*app.Problem](err)
	switch {
	case refused, ok && problem.Misuse:
		return exitUsage
	case errors.Is(err, errPart):
		return exitPart
	case !p.running:
		fmt.Fprintf(p.Err, "Usage: %s\nSee %s --help.\n", usageOf(command), command.CommandPath())
		return exitUsage
	}
	return exitFault
}

// told is the text of an error, and whether it is an argument that a use case refused. Both that and what was not found
// are told by the flag, not by the API's field: --top-k for topK, or words for one without a flag ("the task type").
func told(command *cobra.Command, err error) (text string, refused bool) {
	known, ok := errors.AsType[*memory.Error](err)
	switch {
	case err == nil:
		return "", false
	case !ok || err.Error() != known.Error(): // of a line of a file more is said
		return err.Error(), false
	}
	switch flag := flagOf(command, known.Field); {
	case known.Code == memory.CodeInvalidInput && known.Field != "":
		return cmp.Or(flag, "the "+strings.ReplaceAll(wordsOf(known.Field), "-", " ")) + " " + known.Message, true
	case known.Code != memory.CodeNotFound:
		return err.Error(), false
	case flag != "":
		return fmt.Sprintf("%s: %s: %s", known.Code, flag, known.Message), false
	}
	return fmt.Sprintf("%s: %s", known.Code, known.Message), false
}

// flagOf is the flag that was given for a field; empty where there is none.
func flagOf(command *cobra.Command, field string) (flag string) {
	command.Flags().Visit(func(given *pflag.Flag) {
		if strings.HasPrefix(wordsOf(field), given.Name) {
			flag = "--" + given.Name
		}
	})
	return flag
}

// wordsOf is the name of a field as one of a flag.
func wordsOf(field string) string {
	return strings.ToLower(capitals.ReplaceAllString(itemOf.ReplaceAllString(field, ""), "-$0"))
}

var (
	capitals = regexp.MustCompile(`[A-Z]`)
	itemOf   = regexp.MustCompile(`\.\d+$`) // the place of one of those that a flag gave
)

// Command is the whole command line, for what describes it.
func Command() *cobra.Command { return (&program{}).root() }

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "mneme",
		Short:         "The learning memory of AI agents",
		Long:          "Mneme remembers what agents did, what they showed and how people reacted, and brings back what\nmatters before the next task. Without a command it serves.\n\n" + variables(),
		Version:       thisBuild().String(),
		SilenceErrors: true, SilenceUsage: true,
	}
	p.configured(root, p.serve)
	root.Args = nil // with which cobra suggests commands of like names
	p.serveFlags(root)
	root.PersistentFlags().BoolVar(&p.json, "json", false, "answer in JSON")
	root.AddCommand(
		p.serveCommand(), p.mcpCommand(), p.demoCommand(), p.connectCommand(), p.hookCommand(),
		p.importCommand(), p.exportCommand(), p.backupCommand(), p.restoreCommand(),
		p.recallCommand(), p.nextCommand(), p.searchCommand(),
		group("episodes", "Look at what agents did", p.listEpisodesCommand(), p.showEpisodeCommand()),
		group("agents", "See which agents are good at what", p.rankAgentsCommand(), p.selectAgentCommand(), p.profilesCommand(), p.alertsCommand()),
		group("judges", "See what judges and history say", p.analyzeCommand(), p.applyThresholdCommand()),
		group("keys", "Make, list and revoke the keys by which others use a server",
			p.createKeyCommand(), p.listKeysCommand(), p.revokeKeyCommand(), p.resetKeysCommand()),
		group("memory", "Look after observations", p.pruneCommand()),
		p.forgetCommand(), p.compactCommand(), p.rebuildCommand(), p.consolidateCommand(), p.backfillCommand(),
		p.doctorCommand(), p.healthcheckCommand(), p.versionCommand(),
	)
	root.SetFlagErrorFunc(wrongFlag)
	return root
}

// begun completes a command, which takes no arguments unless it says so. Once it runs, an error is no fault of these.
func (p *program) begun(command *cobra.Command, run func(*cobra.Command, []string) error) *cobra.Command {
	if command.Args == nil {
		command.Args = cobra.NoArgs
	}
	command.RunE = func(command *cobra.Command, args []string) error {
		p.running = true
		return run(command, args)
	}
	return command
}

// configured is begun for a command that uses the configuration.
func (p *program) configured(command *cobra.Command, run func(*cobra.Command, []string) error) *cobra.Command {
	return p.begun(command, func(command *cobra.Command, args []string) error {
		if p.configFault != nil {
			return p.configFault
		}
		return run(command, args)
	})
}

// ofTenant is configured for a command that works on one tenant's memory.
func (p *program) ofTenant(command *cobra.Command, run func(*cobra.Command, []string) error) *cobra.Command {
	p.storeFlags(command)
	p.tenant = service.DefaultTenant
	command.Flags().Var(tenantFlag(&p.tenant), "tenant", "whose memory it is")
	return p.configured(command, run)
}

// storeFlags are those of every command that opens the memory. Their defaults are the environment's.
func (p *program) storeFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&p.config.Data, "data", p.config.Data, "directory of the embedded store")
	flags.StringVar(&p.config.Store, "store", p.config.Store, "sqlite, or the URL of a Neo4j (neo4j://host:7687)")
	flags.Var(levelFlag(&p.config.LogLevel), "log-level", "debug, info, warn or error")
}

// sameMemory gives the flags that lead another command to the same tenant's memory, where the defaults do not.
func (p *program) sameMemory() string {
	flags := p.config.SameStore()
	if p.tenant != service.DefaultTenant {
		flags += " --tenant " + p.tenant
	}
	return flags
}

// variables tells of the environment, for --help.
func variables() string {
	var text strings.Builder
	text.WriteString("Environment (flags win over it):\n")
	for _, variable := range app.Variables {
		fmt.Fprintf(&text, "  %-35s %s\n", variable.Name, variable.Meaning)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func (p *program) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: p.config.LogLevel}
	if p.config.LogFormat == app.JSON {
		return app.NewLogger(slog.NewJSONHandler(p.Err, options))
	}
	return app.NewLogger(slog.NewTextHandler(p.Err, options))
}
