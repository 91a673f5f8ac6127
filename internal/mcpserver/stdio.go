package mcpserver

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"

	"mneme/internal/inbound"
)

// Serve answers one client over a pair of streams, a message a line, until in ends or the context does.
// What was asked before in ended is answered.
func Serve(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	whole := &serial{out: out}                                                                                                    // as answers are written from here and from the SDK
	err := server.Run(ctx, draining{&mcp.IOTransport{Reader: tolerate(in, whole), Writer: whole, MaxLineLength: maxMessage + 1}}) // with its end
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// maxUnderWay is how many calls are answered at once. More are not read, so that untaken answers do not heap up.
const maxUnderWay = 16

// draining is a transport that ends only when every call that came has its answer. Without it the end of
// the input ends the session at once, and with it the calls under way.
type draining struct{ mcp.Transport }

// Connect opens the connection.
func (d draining) Connect(ctx context.Context) (mcp.Connection, error) {
	connection, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainingConn{connection, semaphore.NewWeighted(maxUnderWay)}, nil
}

type drainingConn struct {
	mcp.Connection
	room *semaphore.Weighted // for each call until its answer is written
}

// Read gives the next message. Where the input has ended, it waits for the answers that are due.
func (c *drainingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		ctx, cancel := context.WithTimeout(ctx, callTime) // no call takes longer
		defer cancel()
		_ = c.room.Acquire(ctx, maxUnderWay)
		return nil, err
	}
	if request, ok := message.(*jsonrpc.Request); err == nil && ok && request.IsCall() {
		err = c.room.Acquire(ctx, 1)
	}
	return message, err
}

func (c *drainingConn) Write(ctx context.Context, message jsonrpc.Message) error {
	if _, ok := message.(*jsonrpc.Response); ok {
		defer c.room.Release(1)
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
}

func (s *serial) Write(text []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.out.Write(text)
}

// Close leaves the output open, which is the caller's.
func (s *serial) Close() error { return nil }
