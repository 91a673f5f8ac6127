package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mneme/internal/app"
)

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
