package auth

import (
	"encoding/json"
	"net/http"
	"strings"

	"mneme/memory"
)

// graphQLMediaType is what GraphQL-over-HTTP names for well-formed answers of any status.
const graphQLMediaType = "application/graphql-response+json"

// refuse answers in the shape of a GraphQL request error, which the clients of the API understand.
func refuse(w http.ResponseWriter, r *http.Request, status int, code memory.Code, message string) {
	mediaType := "application/json"
	if strings.Contains(r.Header.Get("Accept"), graphQLMediaType) {
		mediaType = graphQLMediaType
	}
	w.Header().Set("Content-Type", mediaType+"; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The status is sent; a client that is gone by now needs no body.
	_ = json.NewEncoder(w).Encode(map[string]any{
		"errors": []any{map[string]any{
			"message":    message,
			"extensions": map[string]any{"code": code},
		}},
	})
}
