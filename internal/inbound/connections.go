package inbound

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// Most says how many connections there may be.
type Most struct {
	// InAll is for all clients together. A new connection ends the one on which nothing has come for the longest time,
	// be it idle, or with a request that is not wholly here or waits for its turn, or an answer that is not taken; where
	// requests are worked on on all, it waits.
	InAll int
	// PerClient is for one Neighbourhood. This machine and the proxies are not bound by it; of the requests that
	// proxies pass on, as many may be under way for one client.
	PerClient int
}

// Connections is a listener that bounds the connections it accepts. Follow must be the server's ConnState, and Name
// its ConnContext.
type Connections struct {
	net.Listener
	most    Most
	proxies Proxies
	refused *Seldom

	mu     sync.Mutex
	closed bool
	room   *sync.Cond // signalled when one closes or begins to wait, and when the listener is closed
	open   map[netip.Prefix]int
	count  int
	spare  *list.List // of *connection that wait for a request, the rest of one, its turn or its client, the longest first
}

// Bound makes a listener one that bounds its connections.
func Bound(listener net.Listener, most Most, proxies Proxies, refused *Seldom) *Connections {
	c := &Connections{Listener: listener, most: most, proxies: proxies, refused: refused, open: map[netip.Prefix]int{}, spare: list.New()}
	c.room = sync.NewCond(&c.mu)
	return c
}

// Accept waits for a connection, and for room for it. One too many of its client is closed.
func (c *Connections) Accept() (net.Conn, error) {
	for {
		accepted, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := addressOf(accepted.RemoteAddr().String())
		conn := &connection{Conn: accepted, of: c, network: Neighbourhood(address)}
		if c.admit(conn, address) {
			return conn, nil
		}
		accepted.Close()
	}
}

// Close ends the wait for room too.
func (c *Connections) Close() error {
	c.mu.Lock()
	c.closed = true
	c.room.Broadcast()
	c.mu.Unlock()
	return c.Listener.Close()
}

func (c *Connections) admit(conn *connection, address netip.Addr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[conn.network] >= c.most.PerClient && !address.IsLoopback() && !c.proxies.Trusts(address) {
		c.refused.Warn(address)
		return false
	}
	for c.count >= c.most.InAll && !c.closed {
		if longest := c.spare.Front(); longest != nil {
			waits, _ := longest.Value.(*connection) // nothing else is in there
			c.forget(waits)
			waits.Conn.Close()
			continue
		}
		c.room.Wait()
	}
	c.count++
	c.open[conn.network]++
	return true
}

// Follow learns which connections wait for a request, or for the rest of one that begins to come.
func (c *Connections) Follow(conn net.Conn, state http.ConnState) {
	if ours, ok := conn.(*connection); ok {
		c.note(ours, func() { ours.comes = state == http.StateNew || state == http.StateIdle || state == http.StateActive })
	}
}

// note learns that a connection came on, and what changes of what it waits for.
func (c *Connections) note(conn *connection, change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	c.keep(conn)
	if (conn.comes || conn.waits > 0) && !conn.gone {
		conn.spare = c.spare.PushBack(conn)
		c.room.Signal()
	}
}

func (c *Connections) keep(conn *connection) {
	if conn.spare != nil {
		c.spare.Remove(conn.spare)
		conn.spare = nil
	}
}

// forget takes a connection out of the account, once.
func (c *Connections) forget(conn *connection) {
	if conn.gone {
		return
	}
	conn.gone = true
	c.keep(conn)
	c.count--
	if c.open[conn.network]--; c.open[conn.network] == 0 {
		delete(c.open, conn.network)
	}
	c.room.Signal()
}

// connection is one that is counted until it is closed.
type connection struct {
	net.Conn
	of      *Connections
	network netip.Prefix
	gone    bool          // no longer counted
	comes   bool          // a request, or the rest of one, is still to come
	waits   int           // of its request for a turn, or for the client to take the answer
	spare   *list.Element // where it waits for any of that, nil while a request is answered
}

// wait notes that a wait of the request begins, and gives what notes its end.
func (c *connection) wait() (over func()) {
	c.of.note(c, func() { c.waits++ })
	return func() { c.of.note(c, func() { c.waits-- }) }
}

type connectionKey struct{}

// Name puts a connection into the context of its requests.
func (c *Connections) Name(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// arriving notes that the request of a context came on, and whether there is more to come.
func arriving(ctx context.Context, more bool) {
	if conn, ok := ctx.Value(connectionKey{}).(*connection); ok { // not so in tests
		conn.of.note(conn, func() { conn.comes = more })
	}
}

// Waiting runs a wait of a request for its turn. Meanwhile its connection can make room for another, so that those who
// wait for much do not shut out who wants little.
func Waiting(ctx context.Context, wait func() error) error {
	if conn, ok := ctx.Value(connectionKey{}).(*connection); ok {
		defer conn.wait()()
	}
	return wait()
}

// Arrived hands requests on by whom they may be. One without a body is wholly here.
func Arrived(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			arriving(r.Context(), false)
		}
		next.ServeHTTP(w, r)
	})
}

// noted is how much of an answer a client must take until its connection counts as coming on.
const noted = 64 << 10

// Write sends a part of an answer. While its client does not take it, the connection can make room for another.
func (c *connection) Write(part []byte) (written int, err error) {
	for {
		n, err := c.writePiece(part[written:min(written+noted, len(part))])
		written += n
		if err != nil || written == len(part) {
			return written, err
		}
	}
}

func (c *connection) writePiece(piece []byte) (int, error) {
	defer c.wait()()
	return c.Conn.Write(piece)
}

func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.forget(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets the server end its side first, so that an answer arrives whose request was not read to its end.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
