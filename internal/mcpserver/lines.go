package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The answers to lines that are no messages, as JSON-RPC 2.0 wants them: with a null id, since none can be read.
const (
	parseError   = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: a message is one line of JSON"}}` + "\n"
	requestError = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: a message is an object with jsonrpc \"2.0\" and a method, or an answer"}}` + "\n"
)

// errLongMessage ends a connection: what is behind such a line cannot be told from it.
var errLongMessage = errors.New("a message is too long")

// lines hands on the lines that are messages and answers the others, which would end the connection.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of the line that is being read
	err  error
}

// tolerate makes a pair of streams outlive lines that are no messages. Writes of the two do not mix.
func tolerate(in io.Reader, out io.Writer) (io.Reader, io.Writer) {
	whole := &serial{out: out}
	return &lines{in: bufio.NewReaderSize(in, 64<<10), out: whole}, whole
}

func (l *lines) Read(into []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		l.rest, l.err = l.line()
		if fault := faultOf(bytes.TrimSpace(l.rest)); fault != "" {
			l.rest = nil
			if _, err := io.WriteString(l.out, fault); err != nil {
				return 0, err
			}
		}
	}
	n := copy(into, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// faultOf is the answer to a line that is no message, empty for one, for a batch, and for a blank line.
func faultOf(line []byte) string {
	switch {
	case len(line) == 0:
		return ""
	case !json.Valid(line):
		return parseError
	case line[0] == '[':
		return ""
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return requestError
	}
	return ""
}

// line reads one, of up to maxMessage bytes.
func (l *lines) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line)+len(part) > maxMessage {
			return nil, errLongMessage
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
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
