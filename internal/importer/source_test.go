package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"mneme/service"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
)

func TestEachLine(t *testing.T) {
	t.Parallel()
	type line struct {
		number int
		text   string
	}
	const most = 1 << 20
	long := strings.Repeat("x", most+1)
	tests := map[string]struct {
		file  string
		lines []line
		long  []int
	}{
		"empty":               {"", nil, nil},
		"one":                 {"a\n", []line{{1, "a"}}, nil},
		"no break at the end": {"a\nb", []line{{1, "a"}, {2, "b"}}, nil},
		"blank lines count":   {"\n  \na\r\n\t\nb\n\n", []line{{3, "a"}, {5, "b"}}, nil},
		"longer than buffers": {strings.Repeat("y", 200_000) + "\nb", []line{{1, strings.Repeat("y", 200_000)}, {2, "b"}}, nil},
		"too long":            {"a\n" + long + "\nb", []line{{1, "a"}, {3, "b"}}, []int{2}},
		"too long at the end": {"a\n" + long, []line{{1, "a"}}, []int{2}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var lines []line
			var tooLong []int
			err := eachLine(bufio.NewReader(strings.NewReader(tt.file)), most, func(number int, text []byte, fault error) error {
				if fault != nil {
					tooLong = append(tooLong, number)
				} else {
					lines = append(lines, line{number, string(text)})
				}
				return nil
			})
			require.NoError(t, err)
			assert.Equal(t, tt.lines, lines)
			assert.Equal(t, tt.long, tooLong)
		})
	}
}

func TestEachLineTellsWhereReadingFailed(t *testing.T) {
	t.Parallel()
	file := io.MultiReader(strings.NewReader("a\nb\nc"), iotest.ErrReader(io.ErrClosedPipe))
	err := eachLine(bufio.NewReader(file), maxLine, func(int, []byte, error) error { return nil })
	require.ErrorIs(t, err, io.ErrClosedPipe)
	assert.ErrorContains(t, err, "line 3")
}

// What is wrong with a gzip is said in words, of every format: to read it again is no use.
func TestPackedFilesThatAreDamaged(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, "["+strings.Repeat(" ", 200_000))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	whole := packed.String()
	for says, file := range map[string]string{
		"the gzip is damaged (unexpected EOF): fetch the file again, whole":                whole[:len(whole)-10],
		"the gzip is damaged (unexpected EOF): fetch the file":                             whole[:5],
		"the gzip is damaged (gzip: invalid checksum): fetch the file again, whole":        whole[:len(whole)-8] + "12345678",
		"the gzip is damaged (gzip: invalid header): fetch the file again, whole":          whole + "and something else",
		"the gzip is damaged (flate: corrupt input before offset 1): fetch the file again": whole[:10] + strings.Repeat("\xff", 20),
	} {
		for _, format := range Formats {
			_, err := Import(t.Context(), &service.Tenant{}, strings.NewReader(file), Options{Format: format})
			require.ErrorContains(t, err, says, format)
			var fault *Fault
			require.NotErrorAs(t, err, &fault, "it is no line of the file: %s", format)
		}
	}
}

func TestPlainText(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte("hello"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	utf16 := func(order unicode.Endianness, mark unicode.BOMPolicy) string {
		text, err := unicode.UTF16(order, mark).NewEncoder().String("hello")
		require.NoError(t, err)
		return text
	}
	for name, file := range map[string]string{
		"plain": "hello", "gzip": packed.String(), "byte order mark": "\uFEFFhello",
		"UTF-16, little endian, marked": utf16(unicode.LittleEndian, unicode.UseBOM), "UTF-16, big endian, marked": utf16(unicode.BigEndian, unicode.UseBOM),
	} {
		reader, err := plainText(t.Context(), strings.NewReader(file))
		require.NoError(t, err, name)
		text, err := io.ReadAll(reader)
		require.NoError(t, err, name)
		assert.Equal(t, "hello", string(text), name)
	}
	for _, short := range []string{"", "x", "\xef\xbb"} {
		reader, err := plainText(t.Context(), strings.NewReader(short))
		require.NoError(t, err)
		text, err := io.ReadAll(reader)
		require.NoError(t, err)
		assert.Equal(t, short, string(text))
	}
	_, err = plainText(t.Context(), strings.NewReader("\x1f\x8bnot gzip"))
	require.ErrorContains(t, err, "the gzip is damaged")
}

// A text of another encoding is refused in every format.
func TestTextsOfOtherEncodingsAreRefused(t *testing.T) {
	t.Parallel()
	for says, text := range map[string]string{"save the file as UTF-8": "caf\xe9"} {
		for format, file := range map[Format]string{JSONL: `{"kind":"` + text + `"}`, Events: `{"runId":"` + text + `"}`, TauBench: `[{"task_id":"` + text + `"}]`} {
			_, err := Import(t.Context(), &service.Tenant{}, strings.NewReader(file), Options{Format: format})
			require.ErrorContains(t, err, says, format)
		}
	}
}

func TestAnImportEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, format := range Formats {
		ctx, cancel := context.WithCancel(t.Context())
		start := map[Format]string{TauBench: "["}[format]
		blank := iotest.OneByteReader(strings.NewReader(start + strings.Repeat("\n", 1000)))
		reads := 0
		file := readerFunc(func(p []byte) (int, error) {
			if reads++; reads > 10 {
				cancel()
			}
			return blank.Read(p)
		})
		_, err := Import(ctx, &service.Tenant{}, file, Options{Format: format})
		require.ErrorIs(t, err, context.Canceled, format)
		require.Less(t, reads, 20, format)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Of a file of faults the first are kept.
func TestFaultsAreCountedAndTheFirstKept(t *testing.T) {
	t.Parallel()
	file := "[" + strings.Repeat("{},", 5000) + "{}]"
	report, err := Import(t.Context(), &service.Tenant{}, strings.NewReader(file), Options{Format: TauBench, KeepGoing: true})
	require.NoError(t, err)
	require.Equal(t, 5001, report.Skipped)
	require.Len(t, report.Faults, maxFaults)
	require.Equal(t, 1, report.Faults[0].Line)
}

func TestKeysAreMadeFromContentAndOrder(t *testing.T) {
	t.Parallel()
	first, again := keys{}, keys{}
	a, b, a2 := first.of("episode", []byte("a")), first.of("episode", []byte("b")), first.of("episode", []byte("a"))
	assert.NotEqual(t, a, b)
	assert.Equal(t, a+"-2", a2, "equal records stay two")
	assert.NotEqual(t, a, first.of("feedback", []byte("a")))
	assert.NotEqual(t, first.of("canvas", []byte("ab"), []byte("c")), first.of("canvas", []byte("a"), []byte("bc")))
	assert.Equal(t, a, again.of("episode", []byte("a")), "the next import makes the same keys")
}
