package mcpserver

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"

	"mneme/internal/inbound"
)

// Serve answers one client over a pair of streams, a message a line, until in ends or the context does.
// What was asked before in ended is answered.
func Serve(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	whole := &serial{out: out}     // as answers are written from here and from the SDK
	const longest = maxMessage + 1 // with its end
	lines := &mcp.IOTransport{Reader: tolerate(in, whole), Writer: whole, MaxLineLength: longest}
	ran, late := make(chan error, 1), make(chan struct{})
	go func() { ran <- server.Run(ctx, &draining{Transport: lines, room: semaphore.NewWeighted(maxUnderWay)}) }()
	// A client that takes no answer would keep it from ending.
	defer context.AfterFunc(ctx, func() {
		time.Sleep(time.Second)
		close(late)
	})()
	select {
	case err := <-ran:
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	case <-late:
		return ctx.Err()
	}
}

// maxUnderWay is how many calls are answered at once. More are not read, so that untaken answers do not heap up.
const maxUnderWay = 16

// draining is a transport, and its one connection, that ends only when every call that came has its answer. Without it
// the end of the input ends the session at once, and with it the calls under way.
type draining struct {
	mcp.Transport
	mcp.Connection
	room     *semaphore.Weighted // for each call until its answer is written
	underWay sync.Map            // the ids of these calls
}

// Connect opens the connection.
func (c *draining) Connect(ctx context.Context) (_ mcp.Connection, err error) {
	c.Connection, err = c.Transport.Connect(ctx)
	return c, err
}

// Read gives the next message that is not refused. Where the input has ended, it waits for the answers that are due.
func (c *draining) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		ctx, cancel := context.WithTimeout(ctx, callTime) // no call takes longer
		defer cancel()
		_ = c.room.Acquire(ctx, maxUnderWay)
		return nil, err
	}
	request, ok := message.(*jsonrpc.Request)
	if err != nil || !ok || !request.IsCall() {
		return message, err
	}
	if _, repeated := c.underWay.LoadOrStore(request.ID, true); !repeated {
		return message, c.room.Acquire(ctx, 1)
	}
	// The SDK would give no answer at all, as it could not be told from that of the other.
	refused := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: sameID}
	if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: request.ID, Error: refused}); err != nil {
		return nil, err
	}
	return c.Read(ctx)
}

func (c *draining) Write(ctx context.Context, message jsonrpc.Message) error {
	if answer, ok := message.(*jsonrpc.Response); ok {
		c.underWay.Delete(answer.ID) // who has the answer may use the id again
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
