package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
)

// drainTime is how long requests under way may take to finish when the server is asked to end. It is
// below the ten seconds after which container engines kill.
const drainTime = 8 * time.Second

func (p *program) serveCommand() *cobra.Command {
	command := p.configured(&cobra.Command{
		Use:   "serve",
		Short: "Serve the API and its playground (what mneme does without a command)",
		Long:  "Serve the GraphQL API, its playground, agents over /mcp and the probes /healthz and /readyz until SIGINT or SIGTERM.\n\n" + variables(),
		Example: "  mneme serve --listen 127.0.0.1:9000 --data ~/mneme\n" +
			"  MNEME_NEO4J_PASSWORD=… mneme serve --store neo4j://localhost:7687",
	}, p.serve)
	p.serveFlags(command)
	return command
}

func (p *program) serveFlags(command *cobra.Command) {
	p.storeFlags(command)
	p.toolsFlag(command)
	p.childFlags(command)
	command.Flags().StringVar(&p.config.Listen, "listen", p.config.Listen, "address to serve at; beyond this machine there must be a key: MNEME_API_KEY, or one made by mneme keys create")
	command.Flags().BoolVar(&p.config.Insecure, "insecure", p.config.Insecure, "let a key of less than 16 characters do beyond this machine")
	command.Flags().StringVar(&p.config.TrustedDocuments, "trusted-documents", p.config.TrustedDocuments, "file of GraphQL documents, in JSON by their hash; no others are answered then")
	command.Flags().Func("allowed-origins", "origins of web pages elsewhere that may ask, such as https://app.example.com, with commas between them", p.config.SetOrigins)
}

func (p *program) serve(command *cobra.Command, _ []string) error {
	if err := p.config.SetSignals(os.LookupEnv); err != nil {
		return err
	}
	p.Out = p.out.to // a server is not there for what it says here
	defer runtime.KeepAlive(collectLess())
	ctx, err := p.beginChild(command.Context())
	if err != nil {
		return err
	}
	server, err := app.Start(ctx, p.config, p.logger())
	if err != nil {
		return err
	}
	for _, warning := range server.Warnings(ctx) {
		fmt.Fprintf(p.Err, "Attention: %s\n", warning)
	}
	keyed, fault := server.Keys.Any(ctx)
	p.greet(server, keyed && fault == nil)
	end, failure := p.ready(server.URL())
	if failure == nil {
		failure = server.Wait(ctx)
		end()
	}
	fmt.Fprintln(p.Out, "Finishing what is under way…")
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	if err := server.Close(draining); err != nil && failure == nil {
		failure = err
	}
	if failure == nil {
		fmt.Fprintln(p.Out, "Bye.")
	}
	return failure
}

// collectLess makes Go collect garbage less often while the heap is small: the ballast it answers counts as alive, must
// be kept referenced, and takes no memory as it is never touched. A large heap may only double, since its peak decides
// what machine is needed; beyond softLimit garbage is collected all the time. GOGC and GOMEMLIMIT win where set.
func collectLess() (ballast []byte) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
	if os.Getenv("GOGC") == "" {
		ballast = make([]byte, 32<<20)
		debug.SetGCPercent(100)
	}
	return ballast
}

// softLimit is how much memory Go takes, in bytes, before it collects garbage more often.
const softLimit = 256 << 20

// greet says what is served where; keyed is whether keys were made.
func (p *program) greet(server *app.App, keyed bool) {
	url := server.URL()
	key := ""
	switch {
	case p.config.APIKey != "":
		key = ` -H "authorization: Bearer $MNEME_API_KEY"`
	case keyed, p.config.OIDC.Issuer != "":
		key = ` -H 'authorization: Bearer YOUR_KEY'`
	}
	fmt.Fprintf(p.Out, `mneme %s

  Explorer     %s
  GraphQL      %s/graphql
  Agents       %s/mcp (Model Context Protocol)
  Traces       %s/v1/traces (OpenTelemetry)
  Playground   %s/playground
  Probes       %s/healthz  /readyz
  Metrics      %s/metrics (Prometheus)
  Data         %s

First steps, in another terminal in the same directory (in a clone, go run . is mneme):
  mneme demo%s                 fill it with a sample
  mneme recall%s SITUATION     ask it what past runs teach
  mneme connect claude-code, or codex: these recall and record by themselves then
  curl -s %s/graphql -H 'content-type: application/json'%s \
    -d '{"query":"{ recall(input: {situation: \"a chart of revenue by product\"}) { lessons } }"}'

Ctrl-C ends it.
`, thisBuild().String(), url, url, url, url, url, url, url, server.Describe(), p.config.SameStore(), p.config.SameStore(), url, key)
}

func (p *program) mcpCommand() *cobra.Command {
	command := p.ofTenant(&cobra.Command{
		Use:   "mcp",
		Short: "Serve one agent over standard input and output (Model Context Protocol)",
		Long: "Serve one agent over standard input and output, as hosts of the Model Context Protocol start servers.\n" +
			"It ends when its input does. A server may run on the same data meanwhile; agents that reach that one\n" +
			"over HTTP need not start this, but connect to its /mcp.\n\n" + variables(),
		Example: "  mneme mcp --data ~/mneme\n  mneme mcp --tools core\n" +
			"  claude mcp add mneme -- mneme mcp --data ~/mneme",
	}, p.mcp)
	p.toolsFlag(command)
	return command
}

// toolsFlag is that of the commands that serve agents.
func (p *program) toolsFlag(command *cobra.Command) {
	command.Flags().Func("tools", "all, or core: the few that an agent needs to learn from its own work", p.config.SetTools)
}

// mcp writes messages to the standard output and nothing else; whatever there is to say to people goes to
// the standard error.
func (p *program) mcp(command *cobra.Command, _ []string) error {
	ctx := command.Context()
	return p.opened(ctx, app.Open, func(ctx context.Context, memory *app.Memory) error {
		if isTerminal(p.In) {
			fmt.Fprintln(p.Err, "Waiting for messages of the Model Context Protocol on the standard input. Hosts of agents start this command; Ctrl-D ends it.")
		}
		err := memory.ServeMCP(ctx, p.In, p.out.to, p.config, p.logger())
		if errors.Is(err, context.Canceled) { // asked to end, which is how hosts end a server
			return nil
		}
		return err
	})
}
