package mcpserver

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/internal/inbound"
)

// Serve answers one client over a pair of streams, a message a line, until in ends or the context does.
// What was asked before in ended is answered.
func Serve(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	whole := &serial{out: out} // as answers are written from here and from the SDK
	over, ran := make(chan struct{}), make(chan error, 1)
	transport := draining{&mcp.IOTransport{
		Reader: tolerate(in, whole), Writer: unclosed{whole}, MaxLineLength: maxMessage + 1, // with its end
	}, whole, over}
	go func() { ran <- server.Run(ctx, transport) }()
	var err error
	select {
	case err = <-ran:
	case <-ctx.Done():
		err = lastly(ran, ctx.Err())
	case <-over:
		err = lastly(ran, io.EOF)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

const (
	// maxUnderWay is how many calls are answered at once. More are not read, so that untaken answers do not heap up.
	maxUnderWay = 16
	// takeTime is how long an answer waits for a client that has ended its input; twice as long while calls wait for room.
	takeTime = 5 * time.Second
)

// lastly waits a moment for the end, from which a client that takes no answer keeps us.
func lastly(ran <-chan error, otherwise error) error {
	select {
	case err := <-ran:
		return err
	case <-time.After(time.Second):
		return otherwise
	}
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// draining is a transport that ends only when every call that came has its answer. Without it the end of
// the input ends the session at once, and with it the calls under way.
type draining struct {
	mcp.Transport
	out  *serial
	over chan struct{} // closed once nothing more is awaited
}

// Connect opens the connection.
func (d draining) Connect(ctx context.Context) (mcp.Connection, error) {
	connection, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainingConn{Connection: connection, transport: d, room: make(chan struct{}, maxUnderWay), underWay: map[jsonrpc.ID]bool{}}, nil
}

type drainingConn struct {
	mcp.Connection
	transport draining
	room      chan struct{} // holds a value for each call until its answer is written

	mu       sync.Mutex
	underWay map[jsonrpc.ID]bool // calls
}

// Read gives the next message that is not refused. Where the input has ended, it waits for the answers that are due.
func (c *drainingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		message, err := c.Connection.Read(ctx)
		if errors.Is(err, io.EOF) {
			c.drain(ctx)
			return nil, err
		}
		request, ok := message.(*jsonrpc.Request)
		if err != nil || !ok || !request.IsCall() {
			return message, err
		}
		if c.begin(request.ID) {
			// Where nobody takes the answers, it gives up: nobody would see the end of the input.
			if err = c.enter(ctx, 2*takeTime); errors.Is(err, io.EOF) {
				close(c.transport.over)
			}
			return message, err
		}
		// The SDK would give no answer at all, as it could not be told from that of the other.
		refused := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: sameID}
		if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: request.ID, Error: refused}); err != nil {
			return nil, err
		}
	}
}

// enter waits for room for a call, unless nobody takes an answer for so long: that is io.EOF.
func (c *drainingConn) enter(ctx context.Context, most time.Duration) error {
	for {
		select {
		case c.room <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(takeTime / 10):
			if c.transport.out.stuck(most) {
				return io.EOF
			}
		}
	}
}

// drain waits for the answers that are due, unless nobody takes them: nothing is under way once all room is free.
func (c *drainingConn) drain(ctx context.Context) {
	defer close(c.transport.over)
	ctx, cancel := context.WithTimeout(ctx, callTime) // no call takes longer
	defer cancel()
	for range maxUnderWay {
		if c.enter(ctx, takeTime) != nil {
			return
		}
	}
}

// begin notes a call, and says whether its id is its own.
func (c *drainingConn) begin(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.underWay[id]
	c.underWay[id] = true
	return !known
}

func (c *drainingConn) Write(ctx context.Context, message jsonrpc.Message) error {
	answer, ok := message.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, message)
	}
	c.mu.Lock()
	called := c.underWay[answer.ID]
	delete(c.underWay, answer.ID) // who has the answer may use the id again
	c.mu.Unlock()
	if called {
		defer func() { <-c.room }()
	}
	return c.Connection.Write(ctx, message)
}

// tolerate hands on the lines that are messages, and answers the others, which would end the connection.
func tolerate(in io.Reader, out io.Writer) *io.PipeReader {
	lines := bufio.NewReaderSize(in, 64<<10)
	read, write := io.Pipe()
	go func() {
		for {
			if err := handOn(lines, out, write); err != nil {
				_ = write.CloseWithError(err)
				return
			}
		}
	}()
	return read
}

// handOn takes a line, and answers it where it is no message.
func handOn(lines *bufio.Reader, out, messages io.Writer) error {
	line, err := inbound.ReadLine(lines, maxMessage+1)
	line = bytes.TrimSpace(line)
	fault, _ := faultOf(line)
	if errors.Is(err, inbound.ErrLongLine) {
		fault, err = refusalOf(nil, jsonrpc.CodeInvalidRequest, tooLong), nil
	}
	var failed error
	switch {
	case fault != nil:
		_, failed = out.Write(fault)
	case len(line) > 0:
		_, failed = messages.Write(append(line, '\n'))
	}
	return cmp.Or(failed, err)
}

// serial lets one write at a time.
type serial struct {
	mutex sync.Mutex
	out   io.Writer
	since atomic.Int64 // when the write began that is under way; 0 for none
}

// stuck says whether a write has not been taken for so long.
func (s *serial) stuck(most time.Duration) bool {
	since := s.since.Load()
	return since != 0 && time.Since(time.UnixMilli(since)) > most
}

func (s *serial) Write(text []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.since.Store(time.Now().UnixMilli())
	defer s.since.Store(0)
	return s.out.Write(text)
}
