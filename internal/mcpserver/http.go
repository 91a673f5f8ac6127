package mcpserver

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/internal/inbound"
)

// Handler answers over streamable HTTP. There are no sessions: each request stands for itself, with the
// context, and so the tenant, that the handlers before this one gave it, and any instance can answer it.
func Handler(server *mcp.Server) http.Handler {
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxMessage,
		// Who asks, and under which name, is decided before this handler, for all of the API alike.
		DisableLocalhostProtection: true,
	})
	return checked(streamable)
}

// checked reads the body, and refuses what is no message or would cost more than one request does.
func checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, status, fault := inbound.ReadText(w, r, maxMessage)
		if fault != nil {
			http.Error(w, fault.Message, status)
			return
		}
		refused, weight := faultOf(bytes.TrimSpace(body))
		if refused != nil {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(refused) //nolint:gosec // it is JSON, and a client that is gone needs no answer
			return
		}
		if status, fault := inbound.Admit(w, r, weight); fault != nil {
			http.Error(w, fault.Message, status)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(answer{w, r.Context()}, r)
	})
}

// answer is one over HTTP, which comes in one piece and must be taken in time.
type answer struct {
	http.ResponseWriter
	ctx context.Context //nolint:containedctx // of the request that is answered
}

func (a answer) Write(text []byte) (int, error) {
	inbound.Answering(a.ctx, a.ResponseWriter, len(text))
	return a.ResponseWriter.Write(text)
}

// Unwrap is for http.ResponseController.
func (a answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
