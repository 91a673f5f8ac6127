package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"mneme/internal/inbound"
	"mneme/memory"
)

// maxLine bounds one line. The API bounds a request to an eighth of it, and what a canvas or a concept gathers of
// many to as much, which an export writes in one line with what JSON escapes.
const maxLine = 128 << 20

// maxBlank bounds the blank lines that follow one another: packed, a gigabyte of them is a megabyte.
const maxBlank = 1_000_000

// plainText unpacks a file that starts like a gzip file, turns UTF-16 into UTF-8, and leaves out the byte order mark
// that editors put first. It reads until its context ends.
func plainText(ctx context.Context, file io.Reader) (*bufio.Reader, error) {
	reader := buffered(ctx, file)
	packed, err := reader.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(packed) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(reader)
		if err != nil {
			return nil, packedFault(err)
		}
		reader = buffered(ctx, unpacker{unpacked})
	}
	start, err := reader.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	zeros := zerosOf(start)
	for _, e := range encodings {
		switch {
		case !bytes.HasPrefix(start, []byte(e.mark)) && !strings.HasPrefix(zeros, e.zeros):
		case e.decoder == nil:
			return nil, memory.Invalid("", "the file is %s, which is not read: save it as UTF-8", e.name)
		default:
			return buffered(ctx, transform.NewReader(reader, e.decoder())), nil
		}
	}
	return reader, nil
}

// encodings are told by a mark, or without one by where the bytes of the ASCII character are 0 that a file of a format
// begins with.
var encodings = []struct {
	name, mark, zeros string
	decoder           func() transform.Transformer // nil for what is not read
}{
	{"UTF-32", "\xff\xfe\x00\x00", "-000", nil},
	{"UTF-32", "\x00\x00\xfe\xff", "000-", nil},
	{"UTF-16", "\xff\xfe", "-0", utf16(unicode.LittleEndian)},
	{"UTF-16", "\xfe\xff", "0-", utf16(unicode.BigEndian)},
	{"UTF-7", "+/v", "none", nil},
	{"GB 18030", "\x84\x31\x95\x33", "none", nil},
	{"UTF-8", "\uFEFF", "none", func() transform.Transformer { return unicode.UTF8BOM.NewDecoder() }},
}

func utf16(order unicode.Endianness) func() transform.Transformer {
	return func() transform.Transformer { return unicode.UTF16(order, unicode.UseBOM).NewDecoder() }
}

// zerosOf writes "0" for each byte that is 0 and "-" for any other.
func zerosOf(start []byte) string {
	return strings.Map(func(r rune) rune {
		if r == 0 {
			return '0'
		}
		return '-'
	}, string(bytes.ToValidUTF8(start, []byte("?"))))
}

// notUTF8 says of a text that is not valid UTF-8 what else it may be: in most others letters beyond ASCII come in runs.
func notUTF8(text []byte) error {
	name, before := "Windows-1252", false
	for _, b := range text {
		beyond := b >= utf8.RuneSelf
		if beyond && before {
			name = "an encoding such as Windows-1251, GBK or Shift JIS"
		}
		before = beyond
	}
	return memory.Invalid("", "the text is not UTF-8; it may be %s: save the file as UTF-8", name)
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

// lasting reads until its context ends.
type lasting struct {
	ctx  context.Context
	from io.Reader
}

func (r lasting) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

func buffered(ctx context.Context, from io.Reader) *bufio.Reader {
	return bufio.NewReaderSize(lasting{ctx, from}, 64<<10)
}

// eachLine hands over every line that is not blank, with its number from 1. A line that is too long
// comes as errLongLine, and too many blank ones end it.
func eachLine(reader *bufio.Reader, most int, take func(number int, line []byte, fault error) error) error {
	for number, blank := 1, 0; ; number++ {
		var fault error
		line, err := inbound.ReadLine(reader, most)
		if errors.Is(err, inbound.ErrLongLine) {
			fault, err = errLongLine, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if line = bytes.TrimSpace(line); fault != nil || len(line) > 0 {
			blank = 0
			if err := take(number, line, fault); err != nil {
				return err
			}
		} else if blank++; blank > maxBlank {
			return fmt.Errorf("line %d: %d blank lines follow one another: the file is damaged", number, maxBlank)
		}
		if err != nil {
			return nil
		}
	}
}

var errLongLine = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)
