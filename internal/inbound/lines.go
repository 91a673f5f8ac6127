package inbound

import (
	"bufio"
	"errors"
	"io"
)

// ErrLongLine stands for a line that is longer than it may be.
var ErrLongLine = errors.New("the line is too long")

// ReadLine reads a line of at most so many bytes, with its end. Of a longer one it reads all, keeps nothing and answers
// ErrLongLine. At the end of the file the error is io.EOF.
func ReadLine(reader *bufio.Reader, most int) (line []byte, err error) {
	long := false
	for {
		part, err := reader.ReadSlice('\n')
		if long = long || len(line)+len(part) > most; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, ErrLongLine // where that was the last, the next read says so
		default:
			return line, err
		}
	}
}
