package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"mneme/internal/inbound"
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
		if err != nil {
			return nil, packedFault(err)
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

// packedFault says that gzip cannot be unpacked, where it cannot.
func packedFault(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return fmt.Errorf("the gzip is damaged (%w): %w", err, errPacked)
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
		line, err := inbound.ReadLine(reader, most)
		if errors.Is(err, inbound.ErrLongLine) {
			fault, err = errLongLine, nil
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
