package mcpserver

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve answers one client over a pair of streams, a message a line, until in ends or the context does.
// What was asked before in ended is answered.
func Serve(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	in, out = tolerate(in, out)
	err := server.Run(ctx, draining{&mcp.IOTransport{
		Reader: io.NopCloser(in), Writer: unclosed{out}, MaxLineLength: maxMessage + 1, // with its end
	}})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// draining is a transport that ends only when every call that came has its answer. Without it the end of
// the input ends the session at once, and with it the calls under way.
type draining struct{ mcp.Transport }

// Connect opens the connection.
func (d draining) Connect(ctx context.Context) (mcp.Connection, error) {
	connection, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainingConn{Connection: connection, drained: make(chan struct{})}, nil
}

type drainingConn struct {
	mcp.Connection
	mu      sync.Mutex
	pending int
	drained chan struct{} // closed when the input has ended and nothing is pending
	closing sync.Once
	over    bool // the input has ended
}

func (c *drainingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		select {
		case <-c.ended():
		case <-time.After(callTime): // no call takes longer
		case <-ctx.Done():
		}
		return nil, err
	}
	if request, ok := message.(*jsonrpc.Request); ok && err == nil && request.IsCall() {
		c.mu.Lock()
		c.pending++
		c.mu.Unlock()
	}
	return message, err
}

func (c *drainingConn) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if _, ok := message.(*jsonrpc.Response); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pending--
		c.tell()
	}
	return err
}

// ended starts to wait for the answers that are due.
func (c *drainingConn) ended() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	c.tell()
	return c.drained
}

// tell closes drained where nothing is pending any more.
func (c *drainingConn) tell() {
	if c.over && c.pending <= 0 {
		c.closing.Do(func() { close(c.drained) })
	}
}
