package mcpserver

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler answers over streamable HTTP. There are no sessions: each request stands for itself, with the
// context, and so the tenant, that the handlers before this one gave it, and any instance can answer it.
func Handler(server *mcp.Server) http.Handler {
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxMessage,
		// Who asks under which name is decided before this handler, for all of the API alike.
		DisableLocalhostProtection: true,
	})
	// A page of another site may not ask in the name of who looks at it.
	return http.NewCrossOriginProtection().Handler(checked(streamable))
}

// checked reads the body, and refuses what would cost more than one request does.
func checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		var tooLong *http.MaxBytesError
		switch {
		case errors.As(err, &tooLong):
			http.Error(w, "the message has more than "+strconv.Itoa(maxMessage)+" bytes; send several", http.StatusRequestEntityTooLarge)
			return
		case err != nil:
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		case !utf8.Valid(body):
			http.Error(w, "the body is not valid UTF-8", http.StatusBadRequest)
			return
		case bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")):
			http.Error(w, "batches are not taken; send one message", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}
