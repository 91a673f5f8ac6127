package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"time"
)

// balancer gives each request to the next of the servers, over all doors, and leaves out those that are dead.
type balancer struct {
	fleet     []*server
	turn      atomic.Uint64
	transport http.Transport
}

// balance serves what all servers of the session serve together, until the context ends.
func (s *session) balance(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	proxy := &httputil.ReverseProxy{
		Transport: &balancer{fleet: s.fleet, transport: http.Transport{MaxIdleConnsPerHost: idleConnections}},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme = "http"
			r.SetXForwarded()
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }, // killed in the middle of it
		ErrorLog:     slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),                                        // or of its answer
	}
	served := &http.Server{Handler: proxy, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = served.Close() }) // the run is over
	go func() { _ = served.Serve(listener) }()
	s.url = "http://" + listener.Addr().String()
	return nil
}

// RoundTrip asks the next server that can be reached. One that was, and then died, is not asked again by another.
func (b *balancer) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		read, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		body = read
	}
	var dead error
	for range b.fleet {
		asked := request.Clone(request.Context())
		asked.URL.Host = b.fleet[b.turn.Add(1)%uint64(len(b.fleet))].address
		if request.Body != nil {
			asked.Body = io.NopCloser(bytes.NewReader(body))
		}
		answer, err := b.transport.RoundTrip(asked)
		if failed, ok := errors.AsType[*net.OpError](err); !ok || failed.Op != "dial" {
			return answer, err
		}
		dead = err
	}
	return nil, dead
}
