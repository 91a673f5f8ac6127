package inbound_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/budget"
	"mneme/internal/inbound"
)

// step is more than what a body must bring to come on.
const step = 8 << 10

// crowded is a server that has so few connections, and tells of each request once it has it, before it is answered.
type crowded struct {
	*httptest.Server
	bounded        *inbound.Connections
	entered, leave chan struct{}
	held, most     *atomic.Int64 // requests to /held now, and at once so far
}

func startCrowded(t *testing.T, most int) crowded {
	t.Helper()
	c := crowded{entered: make(chan struct{}), leave: make(chan struct{}), held: new(atomic.Int64), most: new(atomic.Int64)}
	mux := http.NewServeMux()
	mux.HandleFunc("/", reading)
	mux.HandleFunc("/held", func(w http.ResponseWriter, r *http.Request) {
		_, _, fault := inbound.ReadText(w, r, inbound.MaxBody)
		if !assert.Nil(t, fault) {
			return
		}
		if now := c.held.Add(1); now > c.most.Load() { // they come one after the other
			c.most.Store(now)
		}
		defer c.held.Add(-1)
		c.entered <- struct{}{}
		<-c.leave
	})
	mux.HandleFunc("/steps", func(_ http.ResponseWriter, r *http.Request) {
		for {
			if _, err := io.ReadFull(r.Body, make([]byte, step)); err != nil {
				return // at its end, or given up
			}
			c.entered <- struct{}{}
		}
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		c.entered <- struct{}{}
		for range 64 { // more than the system takes for a client
			_, _ = w.Write(make([]byte, 1<<20))
		}
	})
	c.Server = httptest.NewUnstartedServer(inbound.Guard(budget.New(0, 0), inbound.Times{Pause: time.Minute, Body: time.Minute, Rest: time.Second}, mux))
	bounded := inbound.Bound(c.Listener, inbound.Most{InAll: most, PerClient: most}, nil, inbound.NewRateLimitedWarning(slog.Default(), "too many", time.Hour))
	c.bounded = bounded
	c.Listener, c.Config.ConnState, c.Config.ConnContext = bounded, bounded.Follow, bounded.Name
	c.Start()
	t.Cleanup(c.CloseClientConnections)
	return c
}

// awaitRequest waits until a handler has a request, or a part of it.
func (c crowded) awaitRequest(t *testing.T) {
	t.Helper()
	select {
	case <-c.entered:
	case <-time.After(time.Minute):
		t.Fatal("the request did not come")
	}
}

// awaitSilent waits until so many connections keep the server waiting.
func (c crowded) awaitSilent(t *testing.T, connections int) {
	t.Helper()
	require.Eventually(t, func() bool { return c.bounded.Silent() == connections }, time.Minute, time.Millisecond)
}

// send begins a request on a connection of its own.
func (c crowded) send(t *testing.T, method, path string, length int, body string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(c.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", method, path, length, body)
	require.NoError(t, err)
	return conn
}

// A request that does not come to its end takes no connection from one that does, whatever there are of them.
func TestHalfSentBodiesMakeRoom(t *testing.T) {
	const most = 8
	server := startCrowded(t, most)
	for range 20 {
		for range 2 * most {
			server.send(t, http.MethodPost, "/", 100, "half")
		}
		status, says := outcome(t, server.send(t, http.MethodPost, "/", 5, "whole"))
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "5", says)
		status, _ = outcome(t, server.send(t, http.MethodGet, "/", 0, ""))
		require.Equal(t, http.StatusOK, status)
	}
}

// So does one whose answer is not taken.
func TestAnswersThatAreNotTakenMakeRoom(t *testing.T) {
	const most = 4
	server := startCrowded(t, most)
	for range 2 * most {
		server.send(t, http.MethodGet, "/long", 0, "")
		server.awaitRequest(t)
	}
	status, _ := outcome(t, server.send(t, http.MethodPost, "/", 5, "whole"))
	assert.Equal(t, http.StatusOK, status)
}

// A request that is wholly here keeps its connection until it is answered: the next one waits for that.
func TestRequestsThatAreAnsweredKeepTheirConnections(t *testing.T) {
	const most = 4
	server := startCrowded(t, most)
	var held []net.Conn
	for i := range most {
		method, body := http.MethodPost, "whole"
		if i%2 == 0 {
			method, body = http.MethodGet, ""
		}
		held = append(held, server.send(t, method, "/held", len(body), body))
		server.awaitRequest(t)
	}
	next := server.send(t, http.MethodPost, "/held", 5, "whole")
	close(server.leave)
	server.awaitRequest(t)
	for _, conn := range held {
		status, _ := outcome(t, conn)
		assert.Equal(t, http.StatusOK, status)
	}
	status, _ := outcome(t, next)
	assert.Equal(t, http.StatusOK, status)
	assert.EqualValues(t, most, server.most.Load(), "no more than there is room for")
}

// Of the bodies that come, the one that has not come on for the longest time makes room.
func TestABodyThatComesOnIsKept(t *testing.T) {
	const most, steps = 4, 8
	server := startCrowded(t, most)
	long := server.send(t, http.MethodPost, "/steps", steps*step, "")
	for range steps {
		for range most - 1 {
			server.send(t, http.MethodPost, "/steps", 2*step, strings.Repeat("x", step))
			server.awaitRequest(t)
		}
		server.awaitSilent(t, most)
		_, err := io.WriteString(long, strings.Repeat("x", step))
		require.NoError(t, err)
		server.awaitRequest(t)
		server.awaitSilent(t, most)
	}
	status, _ := outcome(t, long)
	assert.Equal(t, http.StatusOK, status)
}

// Of requests that are here as a whole none is cut off, however many more there are than connections: they wait.
func TestWholeRequestsAreAllAnswered(t *testing.T) {
	const most, waiting = 4, 24
	for range 3 {
		server := startCrowded(t, most)
		for range most {
			server.send(t, http.MethodPost, "/held", 5, "whole")
			server.awaitRequest(t)
		}
		var conns []net.Conn
		for range waiting { // they are in the system's queue, with all that they send
			conns = append(conns, server.send(t, http.MethodPost, "/", 5, "whole"))
		}
		close(server.leave)
		for _, conn := range conns {
			status, _ := outcome(t, conn)
			assert.Equal(t, http.StatusOK, status)
		}
	}
}
