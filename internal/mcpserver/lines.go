package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// errLongLine stands for a line that is longer than a message may be.
var errLongLine = errors.New("the line is too long")

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
		if err := l.next(); err != nil {
			return 0, err
		}
	}
	n := copy(into, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next takes a line, and answers it where it is no message. Its error is that of the answer.
func (l *lines) next() error {
	line, err := l.line()
	line = bytes.TrimSpace(line)
	fault, _ := faultOf(line)
	if errors.Is(err, errLongLine) {
		fault, err = refusalOf(nil, jsonrpc.CodeInvalidRequest, tooLong), nil
	}
	l.err = err
	switch {
	case fault != nil:
		_, err := l.out.Write(fault)
		return err
	case len(line) > 0:
		l.rest = append(line, '\n')
	}
	return nil
}

// line reads one, of up to maxMessage bytes; of a longer one it reads all and keeps nothing.
func (l *lines) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxMessage+1; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, errLongLine // where that was the last, the next read says so
		default:
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
