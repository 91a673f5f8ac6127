package inbound_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/inbound"
)

// dialled is a listener whose connections come from wherever the test says.
type dialled struct {
	incoming chan net.Conn
	closed   chan struct{}
}

func (d dialled) Accept() (net.Conn, error) {
	select {
	case conn := <-d.incoming:
		return conn, nil
	case <-d.closed:
		return nil, net.ErrClosed
	}
}
func (d dialled) Close() error { close(d.closed); return nil }
func (dialled) Addr() net.Addr { return &net.TCPAddr{} }

// from is a connection that tells when the server begins to read from it.
type from struct {
	net.Conn
	address net.TCPAddr
	reading chan struct{}
}

func (f from) Read(into []byte) (int, error) {
	f.reading <- struct{}{}
	return f.Conn.Read(into)
}

func (f from) RemoteAddr() net.Addr { return &f.address }

// dial makes a connection from an address; the other end is what the client holds.
func (d dialled) dial(address string) peer {
	client, server := net.Pipe()
	reading := make(chan struct{})
	d.incoming <- from{server, net.TCPAddr{IP: net.ParseIP(address), Port: 1234}, reading}
	return peer{client, reading}
}

// peer is what a client holds.
type peer struct {
	net.Conn
	reading chan struct{}
}

// isAwaited has the server read from its end.
func (p peer) isAwaited(conn net.Conn) {
	go func() { _, _ = conn.Read(make([]byte, 1)) }()
	<-p.reading
}

// idle has the server wait for the next request.
func (p peer) idle(c *inbound.Connections, conn net.Conn) {
	c.Follow(conn, http.StateIdle)
	p.isAwaited(conn)
}

// isOpen says whether the server has not closed its end, as far as can be told.
func isOpen(client net.Conn) bool {
	if client.SetReadDeadline(time.Now().Add(20*time.Millisecond)) != nil {
		return false
	}
	_, err := client.Read(make([]byte, 1))
	return !errors.Is(err, io.EOF)
}

// awaitClosed waits until the server closes its end.
func awaitClosed(t *testing.T, client net.Conn) {
	t.Helper()
	_ = client.SetReadDeadline(time.Now().Add(time.Minute)) // fails where it is closed
	_, err := client.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

func bound(t *testing.T, most inbound.Most) (dialled, *inbound.Connections, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	inner := dialled{make(chan net.Conn, 100), make(chan struct{})}
	proxies, err := inbound.ParseProxies("10.0.0.0/8")
	require.NoError(t, err)
	warning := inbound.NewRateLimitedWarning(slog.New(slog.NewTextHandler(&log, nil)), "too many", time.Hour)
	return inner, inbound.Bound(inner, most, proxies, warning), &log
}

func accept(t *testing.T, c *inbound.Connections) net.Conn {
	t.Helper()
	conn, err := c.Accept()
	require.NoError(t, err)
	return conn
}

func TestConnectionsOfOneClient(t *testing.T) {
	inner, c, log := bound(t, inbound.Most{InAll: 100, PerClient: 2})
	inner.dial("203.0.113.1")
	first := accept(t, c)
	inner.dial("203.0.113.1")
	accept(t, c)
	third, fourth := inner.dial("203.0.113.1"), inner.dial("203.0.113.1")
	inner.dial("203.0.113.2")
	assert.Contains(t, accept(t, c).RemoteAddr().String(), "203.0.113.2", "another is let in")
	awaitClosed(t, third)
	awaitClosed(t, fourth)
	assert.Equal(t, 1, strings.Count(log.String(), "\n"), "the log cannot be flooded")
	assert.Contains(t, log.String(), "client=203.0.113.1")

	require.NoError(t, first.Close())
	_ = first.Close() // counts once
	inner.dial("203.0.113.1")
	accept(t, c)
	for _, free := range []string{"127.0.0.1", "::1", "10.9.9.9"} {
		for range 5 {
			inner.dial(free)
			accept(t, c)
		}
	}
	for range 3 { // of one network
		inner.dial("2001:db8::1")
	}
	inner.dial("2001:db8:0:1::1")
	assert.Contains(t, accept(t, c).RemoteAddr().String(), "2001:db8::1")
	assert.Contains(t, accept(t, c).RemoteAddr().String(), "2001:db8::1")
	assert.Contains(t, accept(t, c).RemoteAddr().String(), "2001:db8:0:1::1")
}

func TestConnectionsInAll(t *testing.T) {
	inner, c, _ := bound(t, inbound.Most{InAll: 3, PerClient: 100})
	var clients []peer
	var conns []net.Conn
	for range 3 {
		clients = append(clients, inner.dial("127.0.0.1"))
		conns = append(conns, accept(t, c))
	}
	c.Follow(conns[2], http.StateNew)
	c.Follow(conns[0], http.StateActive)
	clients[2].isAwaited(conns[2])
	clients[0].isAwaited(conns[0])
	clients[1].idle(c, conns[1])
	ended := map[int]bool{}
	for _, longest := range []int{2, 0, 1} {
		for i, client := range clients {
			assert.True(t, ended[i] || isOpen(client), "only the one that waits longest makes room")
		}
		inner.dial("127.0.0.1")
		accept(t, c)
		awaitClosed(t, clients[longest])
		ended[longest] = true
	}
	require.NoError(t, c.Close())
}

// lingering is a connection that takes long to close, as one does whose reader does not get a processor.
type lingering struct {
	net.Conn
	closing, closed chan struct{}
}

func (l lingering) Close() error {
	close(l.closing)
	<-l.closed
	return l.Conn.Close()
}

// Nobody waits until a connection is closed that makes room.
func TestClosingKeepsNobodyWaiting(t *testing.T) {
	inner, c, _ := bound(t, inbound.Most{InAll: 2, PerClient: 100})
	client, server := net.Pipe()
	defer client.Close()
	reading := make(chan struct{})
	slow := lingering{from{server, net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, reading}, make(chan struct{}), make(chan struct{})}
	defer close(slow.closed)
	inner.incoming <- slow
	peer{client, reading}.idle(c, accept(t, c))
	later := inner.dial("127.0.0.1")
	other := accept(t, c)
	inner.dial("127.0.0.1")
	accept(t, c)
	<-slow.closing
	later.idle(c, other)
	inner.dial("127.0.0.1")
	accept(t, c)
}

// What the server has not got round to is no reason to close a connection, be it new or with a part of a request.
func TestWhoIsNotServedYetKeepsTheConnection(t *testing.T) {
	inner, c, _ := bound(t, inbound.Most{InAll: 3, PerClient: 100})
	unread := inner.dial("127.0.0.1")
	c.Follow(accept(t, c), http.StateNew)

	part := inner.dial("127.0.0.1")
	conn := accept(t, c)
	read := make(chan error)
	go func() {
		_, err := conn.Read(make([]byte, 1))
		read <- err
	}()
	<-part.reading
	_, err := part.Write([]byte("p"))
	require.NoError(t, err)
	require.NoError(t, <-read)
	c.Follow(conn, http.StateActive)

	for range 3 {
		later := inner.dial("127.0.0.1")
		later.idle(c, accept(t, c))
		last := inner.dial("127.0.0.1")
		last.idle(c, accept(t, c))
		awaitClosed(t, later)
	}
	assert.True(t, isOpen(unread))
	assert.True(t, isOpen(part))
	part.isAwaited(conn)
	require.Eventually(t, func() bool { return c.Silent() == 2 }, time.Minute, time.Millisecond)
	for range 2 { // the one that has waited longer, and then this one
		inner.dial("127.0.0.1")
		accept(t, c)
	}
	awaitClosed(t, part)
}

// An answer that is taken keeps its connection, however long it is and in however few writes it comes.
func TestAnswersThatAreTakenAreKept(t *testing.T) {
	const most, part, parts = 3, 64 << 10, 16
	inner, c, _ := bound(t, inbound.Most{InAll: most, PerClient: 100})
	taker := inner.dial("127.0.0.1")
	conn := accept(t, c)
	written := make(chan error, 1)
	go func() {
		_, err := conn.Write(make([]byte, part*parts))
		written <- err
	}()
	take := func(bytes int) {
		_, err := io.ReadFull(taker, make([]byte, bytes))
		require.NoError(t, err)
	}
	take(1)
	for range most - 1 {
		inner.dial("127.0.0.1").idle(c, accept(t, c))
	}
	for range parts - 1 {
		take(part)
		for range most - 1 {
			inner.dial("127.0.0.1").idle(c, accept(t, c))
		}
	}
	take(part - 1)
	require.NoError(t, <-written)
}

// A connection makes room while its client takes no answer, and no longer.
func TestWhileAnAnswerIsWritten(t *testing.T) {
	for name, taken := range map[string]bool{"taken": true, "not taken": false} {
		t.Run(name, func(t *testing.T) {
			inner, c, _ := bound(t, inbound.Most{InAll: 2, PerClient: 100})
			client := inner.dial("127.0.0.1")
			conn := accept(t, c)
			end := writing(t, client, conn)
			if taken {
				end()
			} else {
				defer end()
			}
			later := inner.dial("127.0.0.1")
			later.idle(c, accept(t, c))
			inner.dial("127.0.0.1")
			accept(t, c)
			if taken {
				awaitClosed(t, later)
			} else {
				assert.True(t, isOpen(later))
			}
		})
	}
}

// writing begins to write an answer; end has the client take it.
func writing(t *testing.T, client, conn net.Conn) (end func()) {
	t.Helper()
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = conn.Write([]byte("answer"))
	}()
	_, err := client.Read(make([]byte, 1))
	require.NoError(t, err)
	return func() {
		_, _ = io.ReadFull(client, make([]byte, len("answer")-1)) // fails where it was closed
		<-written
	}
}
