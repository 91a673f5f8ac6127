package memorytest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

// Day is the instant n days after the first day of these tests; a negative n lies before it.
func Day(n float64) time.Time {
	return time.Date(2025, time.March, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(n * 24 * float64(time.Hour)))
}

// Seconds is the instant n seconds after Day(0).
func Seconds(n float64) time.Time { return Day(0).Add(time.Duration(n * float64(time.Second))) }

// RequireInvalid wants an INVALID_INPUT error at a field.
func RequireInvalid(t *testing.T, field string, err error) {
	t.Helper()
	var fault *memory.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, memory.CodeInvalidInput, fault.Code)
	assert.Equal(t, field, fault.Field)
	assert.NotEmpty(t, fault.Message)
}

// Monday is the instant that executions are dated from.
var Monday = time.Date(2025, time.March, 3, 0, 0, 0, 0, time.UTC)

// Days is a length of n days of 24 hours.
func Days(n float64) time.Duration { return time.Duration(n * 24 * float64(time.Hour)) }

// Took is an action with its result, a JSON text.
func Took(name, result string) memory.Action {
	return memory.Action{StepName: name, Result: memory.JSON(result)}
}

// HostileTexts are of about a size each, made to keep busy what goes over a text.
func HostileTexts(size int) map[string]string {
	of := func(piece string) string { return strings.Repeat(piece, size/len(piece)+1) }
	half := func(piece string) string { return strings.Repeat(piece, size/2/len(piece)+1) }
	var distinct strings.Builder
	for length := 2; distinct.Len() < size/2; length++ {
		distinct.WriteString(strings.Repeat("`", length) + " ")
	}
	texts := map[string]string{
		"runs of ticks, each of another length":       distinct.String() + half("a ` "),
		"a long word before signs that move":          half("a") + half(" basically,"),
		"many empty lines before what is taken out":   half("\n") + half("thanks\n "),
		"a long indentation before what is taken out": "a\n\n" + half(" ") + "\n" + half("thanks\n "),
		"blanks between lines":                        half(" \n") + half("hello.\n"),
	}
	for _, piece := range []string{
		`"`, "'", " '", "“", "«", `"a `, "`", "` ", "``` ", "```\n", "~~~\n", "(", " ", "\n", "\t", "\r\n", "a", "a,", "é", "\xff", "- ", "#", "> ", "$ ",
		"<private>", "</private>", "<private", "<private/>", "&lt;", "private ", "<       private", "\\u003cprivate",
		"please ", "really, ", "thanks. ", "in order ", "the a ", "well, of course, ", "i think that ", "    a\n", "a.b", "1,", "’", "**", "…", "👍🏽\u200d", "refund ",
	} {
		texts[fmt.Sprintf("%q", piece)] = of(piece)
	}
	return texts
}
