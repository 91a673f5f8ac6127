package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"

	"mneme/internal/mcpserver"
)

// mcp is the door for agents over the app's memory.
func (a *App) mcp() http.Handler {
	return mcpserver.Handler(mcpserver.New(a.Service, mcpserver.Options{Version: a.config.Version, Tools: a.config.Tools, Log: a.log, Signals: a.signals}))
}

// ServeMCP answers one agent over a pair of streams until in ends or the context does.
func (m *Memory) ServeMCP(ctx context.Context, in io.Reader, out io.Writer, config Config, log *slog.Logger) error {
	return mcpserver.Serve(ctx, mcpserver.New(m.Service, mcpserver.Options{Version: config.Version, Tools: config.Tools, Log: log}), in, out)
}
