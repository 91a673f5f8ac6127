package inbound

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Most says how many connections there may be: of all clients, and of one Neighbourhood, which binds neither this
// machine nor the proxies; of the requests that these pass on, as many may be under way for one client.
type Most struct{ InAll, PerClient int }

const (
	// patience is how long a connection must be silent to be closed: on a busy machine, what it sends may be on its way.
	patience = 100 * time.Millisecond
	// piece is how much of an answer a client must take to count as reading it.
	piece = 64 << 10
)

// Connections is a listener that bounds the connections it accepts. Where there are as many as there may be, a new one
// closes the one that was silent longest: idle, with a request that has not wholly arrived, or with an answer that its
// client does not take; where there is none, it waits. Follow must be the server's ConnState, and Name its ConnContext.
type Connections struct {
	net.Listener
	most    Most
	proxies Proxies
	refused *RateLimitedWarning

	mu   sync.Mutex
	open map[*connection]bool
}

// Bound makes a listener one that bounds its connections.
func Bound(listener net.Listener, most Most, proxies Proxies, refused *RateLimitedWarning) *Connections {
	return &Connections{Listener: listener, most: most, proxies: proxies, refused: refused, open: map[*connection]bool{}}
}

// Accept waits for a connection, and for room for it. One too many of its client is closed.
func (c *Connections) Accept() (net.Conn, error) {
	for {
		accepted, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := addressOf(accepted.RemoteAddr().String())
		if conn := (&connection{Conn: accepted, all: c, network: Neighbourhood(address)}); c.admit(conn, address) {
			return conn, nil
		}
		accepted.Close()
	}
}

// Open is how many connections there are.
func (c *Connections) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

func (c *Connections) admit(conn *connection, address netip.Addr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		neighbours, silent := c.look(conn.network)
		switch {
		case neighbours >= c.most.PerClient && !address.IsLoopback() && !c.proxies.Trusts(address):
			c.refused.Warn("client", address.String())
			return false
		case len(c.open) < c.most.InAll:
			c.open[conn] = true
			return true
		case silent != nil:
			delete(c.open, silent)
			go silent.Conn.Close() // which waits until its reader notices
		default:
			c.mu.Unlock()
			time.Sleep(patience / 20)
			c.mu.Lock()
		}
	}
}

// look counts the connections of a client, and finds the one that is silent longest; nil where none is.
func (c *Connections) look(network netip.Prefix) (neighbours int, silent *connection) {
	since := time.Now().Add(-patience).UnixNano()
	for conn := range c.open {
		if conn.network == network {
			neighbours++
		}
		at := conn.writing.Load()
		if at == 0 && conn.comes.Load() {
			at = conn.reading.Load()
		}
		if at > 0 && at <= since {
			silent, since = conn, at
		}
	}
	return neighbours, silent
}

// Follow learns which connections wait for a request, or for the rest of one.
func (c *Connections) Follow(conn net.Conn, state http.ConnState) {
	if ours, ok := conn.(*connection); ok {
		ours.comes.Store(state <= http.StateIdle) // new, active or idle
	}
}

// connectionKey is for the connection of the request in whose context it is.
type connectionKey struct{}

// Name puts a connection into the context of its requests.
func (c *Connections) Name(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// connection is one that is counted until it is closed.
type connection struct {
	net.Conn
	all     *Connections
	network netip.Prefix
	comes   atomic.Bool // a request, or the rest of one
	// reading and writing are since when the server waits for the client to send or to take, in Unix nanoseconds; else 0.
	reading, writing atomic.Int64
}

func (c *connection) Read(into []byte) (int, error) {
	c.reading.Store(time.Now().UnixNano())
	defer c.reading.Store(0)
	return c.Conn.Read(into)
}

func (c *connection) Write(part []byte) (written int, err error) {
	defer c.writing.Store(0)
	for n := 0; err == nil && written < len(part); written += n {
		c.writing.Store(time.Now().UnixNano())
		n, err = c.Conn.Write(part[written:min(written+piece, len(part))])
	}
	return written, err
}

func (c *connection) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}
