package importer

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds one line. The API bounds a request to an eighth of it, but a canvas or a concept gathers what
// came in many, and an export writes all of a record in one.
const maxLine = 128 << 20

// plainText unpacks a file that starts like a gzip file, and leaves out the byte order mark that editors put first.
func plainText(file io.Reader) (*bufio.Reader, error) {
	reader := bufio.NewReaderSize(file, 64<<10)
	packed, err := startsWith(reader, "\x1f\x8b")
	if err != nil {
		return nil, err
	}
	if packed {
		unpacked, err := gzip.NewReader(reader)
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, packedFault(err)
		case err != nil:
			return nil, fmt.Errorf("the file starts like gzip, but is not: %w", err)
		}
		reader = bufio.NewReaderSize(unpacker{unpacked}, 64<<10)
	}
	const mark = "\uFEFF"
	marked, err := startsWith(reader, mark)
	if marked {
		_, err = reader.Discard(len(mark))
	}
	return reader, err
}

// unpacker unpacks gzip.
type unpacker struct{ packed *gzip.Reader }

func (u unpacker) Read(p []byte) (int, error) {
	n, err := u.packed.Read(p)
	return n, packedFault(err)
}

// errPacked is what to do about a gzip file that cannot be unpacked: read again it is the same.
var errPacked = errors.New("fetch the file again, whole")

// packedFault says in words why gzip cannot be unpacked, where it cannot.
func packedFault(err error) error {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the gzip breaks off: %w", errPacked)
	case corrupt, errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("the gzip is damaged (%w): %w", err, errPacked)
	}
	return err
}

// startsWith looks at what comes next, and leaves it there.
func startsWith(reader *bufio.Reader, text string) (bool, error) {
	start, err := reader.Peek(len(text))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return string(start) == text, nil
}

// eachLine hands over every line that is not blank, with its number from 1. A line that is too long
// comes as errLongLine.
func eachLine(reader *bufio.Reader, most int, take func(number int, line []byte, fault error) error) error {
	for number := 1; ; number++ {
		var fault error
		line, err := readLine(reader, most)
		if errors.Is(err, errLongLine) {
			fault, err = err, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if line = bytes.TrimSpace(line); fault != nil || len(line) > 0 {
			if err := take(number, line, fault); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

var errLongLine = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)

// readLine reads one line; of one that is too long it reads all and keeps nothing.
func readLine(reader *bufio.Reader, most int) (line []byte, err error) {
	long := false
	for {
		part, err := reader.ReadSlice('\n')
		if long = long || len(line)+len(part) > most; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, errLongLine
		default:
			return line, err
		}
	}
}

// lineCounter passes a file on and knows on which line each offset is, as long as it is asked about
// growing offsets.
type lineCounter struct {
	io.Reader
	read   int64   // bytes passed on so far
	breaks []int64 // offsets of line breaks not yet counted
	line   int     // line breaks counted
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.breaks = append(c.breaks, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

// at is the line of an offset, from 1.
func (c *lineCounter) at(offset int64) int {
	for len(c.breaks) > 0 && c.breaks[0] < offset {
		c.breaks = c.breaks[1:]
		c.line++
	}
	return c.line + 1
}
