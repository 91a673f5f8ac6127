package inbound

import (
	"container/list"
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Most says how many connections there may be.
type Most struct {
	// InAll is for all clients together. Beyond it a new connection closes the one that was silent longest: idle, with
	// a request that has not wholly arrived, or with an answer that its client does not read; where there is none, it
	// waits. A quarter of them may have complete requests that wait for their turn.
	InAll int
	// PerClient is for one Neighbourhood. This machine and the proxies are not bound by it; of the requests that
	// proxies pass on, as many may be under way for one client.
	PerClient int
}

const (
	// patience is how long a wait for a client lasts until its connection can make room: what it sends may be here
	// already, or on its way, on a busy machine.
	patience = 100 * time.Millisecond
	// lookAgain is how often a new connection that finds no room looks again.
	lookAgain = 5 * time.Millisecond
)

// mostEnding is how many connections may be about to close to make room.
const mostEnding = 64

// Connections is a listener that bounds the connections it accepts. Follow must be the server's ConnState, and Name
// its ConnContext.
type Connections struct {
	net.Listener
	most    Most
	proxies Proxies
	refused *RateLimitedWarning
	began   time.Time
	ending  chan struct{} // a place for each that is being closed to make room

	mu     sync.Mutex
	closed bool
	room   *sync.Cond // signalled when one closes, when it is time to look again, and when the listener is closed
	open   map[netip.Prefix]int
	all    *list.List // of *connection, that on which nothing has come for the longest time first
	turns  int        // requests that are here and wait for their turn
}

// Bound makes a listener one that bounds its connections.
func Bound(listener net.Listener, most Most, proxies Proxies, refused *RateLimitedWarning) *Connections {
	c := &Connections{
		Listener: listener, most: most, proxies: proxies, refused: refused, began: time.Now(), ending: make(chan struct{}, mostEnding),
		open: map[netip.Prefix]int{}, all: list.New(),
	}
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
		conn := &connection{Conn: accepted, of: c, network: Neighbourhood(address), comes: true}
		if c.admit(conn, address) {
			return conn, nil
		}
		accepted.Close()
	}
}

// Open is how many connections there are.
func (c *Connections) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all.Len()
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
	for c.all.Len() >= c.most.InAll && !c.closed {
		if longest := c.longest(); longest != nil {
			c.forget(longest)
			c.end(longest)
			continue
		}
		again := time.AfterFunc(lookAgain, c.look)
		c.room.Wait()
		again.Stop()
	}
	conn.place = c.all.PushBack(conn)
	c.open[conn.network]++
	return true
}

// look lets a new connection look for room again. The lock is held until that waits, or it would not notice.
func (c *Connections) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.room.Signal()
}

// now is the time since the listener was made.
func (c *Connections) now() time.Duration { return time.Since(c.began) }

// longest is the connection that waits longest of those that can make room, nil where none can.
func (c *Connections) longest() *connection {
	now := c.now()
	for place := c.all.Front(); place != nil; place = place.Next() {
		if conn, _ := place.Value.(*connection); conn.spare(now) { // nothing else is in there
			return conn
		}
	}
	return nil
}

// end closes a connection beside the work of others: that waits until whoever reads from it has noticed, which takes
// long where the processors are busy, and all would wait for it.
func (c *Connections) end(conn *connection) {
	c.mu.Unlock()
	defer c.mu.Lock()
	c.ending <- struct{}{}
	go func() {
		conn.Conn.Close()
		<-c.ending
	}()
}

// Follow learns which connections wait for a request, or for the rest of one that begins to come.
func (c *Connections) Follow(conn net.Conn, state http.ConnState) {
	if ours, ok := conn.(*connection); ok {
		c.note(ours, func() {
			ours.comes = state == http.StateNew || state == http.StateIdle || state == http.StateActive
			if state == http.StateIdle {
				ours.reads.Store(int64(c.now()))
			}
		})
	}
}

// note learns that a connection came on, and what changes of what it waits for. Nothing is allocated here: whoever
// does may have to collect garbage first, and all others would wait for that.
func (c *Connections) note(conn *connection, change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	conn.came = c.now()
	if conn.place != nil {
		c.all.MoveToBack(conn.place)
	}
}

// forget takes a connection out of the account, once.
func (c *Connections) forget(conn *connection) {
	if conn.place == nil {
		return
	}
	c.all.Remove(conn.place)
	conn.place = nil
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
	place   *list.Element // nil once it is no longer counted
	comes   bool          // a request, or the rest of one, is still to come
	reads   atomic.Int64  // when the server began to wait for some of that, 0 while it has some to work on
	waits   int           // of its request that is not wholly here, or for the client to take the answer
	came    time.Duration // when it last came on, or began to wait
}

// spare says whether the connection can make room for another. What the server has not got round to is no reason.
func (c *connection) spare(now time.Duration) bool {
	if c.waits > 0 && now-c.came >= patience {
		return true
	}
	since := time.Duration(c.reads.Load())
	return c.comes && since > 0 && now-since >= patience
}

// Read waits for the client; how slowly it may send is bounded elsewhere. It does not take the lock of all connections,
// for which a thousand that read would queue, and small requests behind them.
func (c *connection) Read(into []byte) (int, error) {
	c.reads.Store(int64(c.of.now()))
	n, err := c.Conn.Read(into)
	if n > 0 {
		c.reads.Store(0)
	}
	return n, err
}

// wait notes that a wait begins in which the connection can make room, and gives what notes its end.
func (c *connection) wait() (over func()) {
	c.of.note(c, func() { c.waits++ })
	return func() { c.of.note(c, func() { c.waits-- }) }
}

// queue is wait for a request that may be here as a whole: then it keeps its connection, unless too many wait so.
func (c *connection) queue() (over func(), err error) {
	c.of.mu.Lock()
	if c.comes {
		c.of.mu.Unlock()
		return c.wait(), nil
	}
	defer c.of.mu.Unlock()
	if c.of.turns >= max(c.of.most.InAll/4, 1) {
		return nil, errTooManyWait
	}
	c.of.turns++
	return func() {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		c.of.turns--
	}, nil
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

// ended says whether the connection of the request of a context made room for another.
func ended(ctx context.Context) bool {
	conn, ok := ctx.Value(connectionKey{}).(*connection)
	if !ok {
		return false
	}
	conn.of.mu.Lock()
	defer conn.of.mu.Unlock()
	return conn.place == nil
}

// errTooManyWait is what a wait for a turn ends with that did not begin.
var errTooManyWait = errors.New("too many requests wait for their turn")

// Waiting runs a request's wait for its turn. The connection of a request that has not wholly arrived may be closed
// meanwhile, to make room. One that has is kept: where too many of those wait, the wait fails at once instead.
func Waiting(ctx context.Context, wait func() error) error {
	if conn, ok := ctx.Value(connectionKey{}).(*connection); ok {
		over, err := conn.queue()
		if err != nil {
			return err
		}
		defer over()
	}
	return wait()
}

// Arrived notes which requests have wholly arrived before any of a body is read: those without one.
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

// CloseWrite lets the server end its side first, so that an answer arrives whose request was not read to its end. What
// is left is a wait for the client.
func (c *connection) CloseWrite() error {
	c.wait()
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
