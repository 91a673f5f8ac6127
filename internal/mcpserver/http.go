package mcpserver

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/internal/inbound"
	"mneme/internal/room"
)

// Handler answers over streamable HTTP. There are no sessions: each request stands for itself, with the
// context, and so the tenant, that the handlers before this one gave it, and any instance can answer it.
func Handler(server *mcp.Server) http.Handler {
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxMessage,
		// Who asks, and under which name, is decided before this handler, for all of the API alike.
		DisableLocalhostProtection: true,
	})
	return checked(keeping(streamable))
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
		next.ServeHTTP(w, r)
	})
}

// pendingAnswer is an answer over HTTP until its client has taken it. Until then the call keeps its part of the room, so that
// what clients do not take is counted, and broken off where others wait for the room.
type pendingAnswer struct {
	http.ResponseWriter
	mu   sync.Mutex
	pass *room.Pass
	over bool
}

type pendingAnswerKey struct{}

// keeping hands requests on whose calls keep their part of the room until the answer is written. A message is one call.
func keeping(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &pendingAnswer{ResponseWriter: w}
		defer answer.end()
		next.ServeHTTP(answer, r.WithContext(context.WithValue(r.Context(), pendingAnswerKey{}, answer)))
	})
}

// release gives a call's part of the room back once its answer is written; at once where none is to be.
func release(ctx context.Context, pass *room.Pass) {
	if answer, ok := ctx.Value(pendingAnswerKey{}).(*pendingAnswer); !ok || !answer.keep(pass) {
		pass.Leave()
	}
}

func (u *pendingAnswer) keep(pass *room.Pass) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over || u.pass != nil {
		return false
	}
	u.pass = pass
	return true
}

// Write sends the answer, which comes in one piece.
func (u *pendingAnswer) Write(answer []byte) (int, error) {
	u.mu.Lock()
	if u.pass != nil && !u.over {
		u.pass.Keep(int64(len(answer)))
		u.pass.Writing(int64(len(answer)), func() { _ = http.NewResponseController(u.ResponseWriter).SetWriteDeadline(time.Now()) })
	}
	u.mu.Unlock()
	return u.ResponseWriter.Write(answer)
}

// Unwrap is for http.ResponseController.
func (u *pendingAnswer) Unwrap() http.ResponseWriter { return u.ResponseWriter }

// end gives back what is left. The call may be under way still, where its client has left.
func (u *pendingAnswer) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = true
	u.pass.Leave()
}
