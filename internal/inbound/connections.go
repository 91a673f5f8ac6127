package inbound

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// Most says how many connections there may be.
type Most struct {
	// InAll is for all clients together. A new connection ends the one that has been idle longest, and where none
	// is idle it waits.
	InAll int
	// PerClient is for one Neighbourhood. This machine and the proxies are not bound by it; of the requests that
	// proxies pass on, as many may be under way for one client.
	PerClient int
}

// Connections is a listener that bounds the connections it accepts. Follow must be the server's ConnState.
type Connections struct {
	net.Listener
	most    Most
	proxies Proxies
	refused *Seldom

	mu     sync.Mutex
	closed bool
	room   *sync.Cond // signalled when one closes or goes idle, and when the listener is closed
	open   map[netip.Prefix]int
	count  int
	idle   *list.List // of *connection, the longest idle first
}

// Bound makes a listener one that bounds its connections.
func Bound(listener net.Listener, most Most, proxies Proxies, refused *Seldom) *Connections {
	c := &Connections{Listener: listener, most: most, proxies: proxies, refused: refused, open: map[netip.Prefix]int{}, idle: list.New()}
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
		if oldest := c.idle.Front(); oldest != nil {
			idle, _ := oldest.Value.(*connection) // nothing else is in there
			c.forget(idle)
			idle.Conn.Close()
			continue
		}
		c.room.Wait()
	}
	c.count++
	c.open[conn.network]++
	return true
}

// Follow learns which connections wait for a request.
func (c *Connections) Follow(conn net.Conn, state http.ConnState) {
	ours, ok := conn.(*connection)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy(ours)
	if (state == http.StateIdle || state == http.StateNew) && !ours.gone {
		ours.idle = c.idle.PushBack(ours)
		c.room.Signal()
	}
}

func (c *Connections) busy(conn *connection) {
	if conn.idle != nil {
		c.idle.Remove(conn.idle)
		conn.idle = nil
	}
}

// forget takes a connection out of the account, once.
func (c *Connections) forget(conn *connection) {
	if conn.gone {
		return
	}
	conn.gone = true
	c.busy(conn)
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
	idle    *list.Element // where it waits for a request
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
