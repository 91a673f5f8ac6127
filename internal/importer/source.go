package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"mneme/internal/inbound"
)

// maxLine bounds one line. The API bounds a request to an eighth of it, and what a canvas or a concept gathers of
// many to as much, which an export writes in one line with what JSON escapes.
const maxLine = 128 << 20

// plainText unpacks a file that starts like a gzip file, turns UTF-16 into UTF-8, and leaves out the byte order mark
// that editors put first. It reads until its context ends.
func plainText(ctx context.Context, file io.Reader) (*bufio.Reader, error) {
	reader := bufio.NewReader(reading(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return file.Read(p)
	}))
	packed, err := reader.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var plain io.Reader = reader
	if string(packed) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(reader)
		if err != nil {
			return nil, packedFault(err)
		}
		plain = reading(func(p []byte) (int, error) {
			n, err := unpacked.Read(p)
			return n, packedFault(err)
		})
	}
	return bufio.NewReaderSize(transform.NewReader(plain, unicode.BOMOverride(transform.Nop)), 64<<10), nil
}

// reading is a reader by its one method.
type reading func(p []byte) (int, error)

func (r reading) Read(p []byte) (int, error) { return r(p) }

// errPacked is what to do about a gzip file that cannot be unpacked: read again it is the same.
var errPacked = errors.New("fetch the file again, whole")

// packedFault says that gzip cannot be unpacked, where it cannot.
func packedFault(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return fmt.Errorf("the gzip is damaged (%w): %w", err, errPacked)
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
