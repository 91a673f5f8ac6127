package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"

	"mneme/internal/gqlhttp"
	"mneme/internal/mcpserver"
	"mneme/internal/web"
)

// graphQL is the API over the app's memory.
func (a *App) graphQL() http.Handler {
	closing, closes := context.WithCancel(context.Background())
	a.server.RegisterOnShutdown(closes)
	return gqlhttp.NewHandler(a.Service, gqlhttp.Options{
		Log: a.log, Closing: closing, Keys: a.Keys, Trusted: a.trusted, Live: a.config.live, Signals: a.signals,
	})
}

// trustedDocuments reads the file that a configuration names; nil where it names none. Those of the pages are trusted
// with it, as they are a part of the program.
func (c Config) trustedDocuments() (*gqlhttp.Trusted, error) {
	if c.TrustedDocuments == "" {
		return nil, nil //nolint:nilnil // any document is answered
	}
	file, err := os.ReadFile(c.TrustedDocuments)
	if err != nil {
		return nil, &Problem{
			What: "the trusted documents " + c.TrustedDocuments + " cannot be read", Cause: errors.Unwrap(err), Misuse: true, // the path is said already
			Do: "Name a file that is there in MNEME_TRUSTED_DOCUMENTS or --trusted-documents, or none to answer any document.",
		}
	}
	trusted, err := gqlhttp.ReadTrusted(bytes.TrimPrefix(file, []byte("\uFEFF")), web.Documents())
	if err != nil {
		return nil, misuse("the trusted documents "+c.TrustedDocuments+" cannot be used: "+err.Error(),
			`It must be a JSON object of documents by their hash, {"…": "query …"}, as graphql-codegen and Relay write it, each valid for the schema of this version: have the client's build write it anew.`)
	}
	return trusted, nil
}

// mcp is the door for agents over the app's memory.
func (a *App) mcp() http.Handler {
	return mcpserver.Handler(mcpserver.New(a.Service, mcpserver.Options{Version: a.config.Version, Tools: a.config.Tools, Log: a.log, Signals: a.signals}))
}

// ServeMCP answers one agent over a pair of streams until in ends or the context does.
func (m *Memory) ServeMCP(ctx context.Context, in io.Reader, out io.Writer, config Config, log *slog.Logger) error {
	return mcpserver.Serve(ctx, mcpserver.New(m.Service, mcpserver.Options{Version: config.Version, Tools: config.Tools, Log: log}), in, out)
}
