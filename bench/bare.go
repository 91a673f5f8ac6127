package main

import (
	"context"
	"encoding/json"
	"flag"
	"net"
	"net/http"
	"time"
)

// lookup answers one episode with what is linked to it, in a shape that encoding/json knows. A bare handler is what a
// programmer would write for this one question and no other: no schema, no tenants, no limits.
type lookup func(ctx context.Context, key string) (any, error)

// serveBare serves a lookup until the context ends.
func serveBare(ctx context.Context, args []string, open func(ctx context.Context, source string) (lookup, func(), error)) error {
	flags := flag.NewFlagSet("bare", flag.ExitOnError)
	address := flags.String("address", "127.0.0.1:0", "where to serve")
	source := flags.String("source", "", "the database")
	_ = flags.Parse(args) // ExitOnError
	find, closeSource, err := open(ctx, *source)
	if err != nil {
		return err
	}
	defer closeSource()
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) { answer(w, r, find) })
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

func answer(w http.ResponseWriter, r *http.Request, find lookup) {
	var input struct{ ID string }
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	found, err := find(r.Context(), input.ID)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found) // the client is gone
}
