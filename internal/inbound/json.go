package inbound

import (
	"fmt"
	"strings"

	"mneme/memory"
)

// The bounds of one text of JSON. A body of 16 MiB may hold two million numbers of eight digits; what costs more
// memory once it is built counts for more.
const (
	// MaxWeight is how much the values of a text may weigh: 1 each, and more for objects, lists and names, as below.
	MaxWeight    = 2_000_000
	objectWeight = 8
	arrayWeight  = 2
	nameWeight   = 2
	// MaxDepth is how deep objects and lists may nest. The values of records have a tighter bound of their own.
	MaxDepth = 1000
	// MaxName is the longest name of a field, in bytes as it is written.
	MaxName = 1024
)

// Weigh says what a text would cost to decode, and refuses one that would cost too much, with LIMIT_EXCEEDED. It reads
// the text once and builds nothing. Whether it is valid JSON is not its question.
func Weigh(text []byte) (int, *memory.Error) {
	weight, depth := 0, 0
	for at := 0; at < len(text); {
		next := at + 1
		switch text[at] {
		case '"':
			next = EndOfString(text, at)
			weight++
			if isName(text, next) {
				weight += nameWeight - 1
				if next-at-2 > MaxName {
					return weight, exceeded("a field in the JSON has a name of more than %d bytes", MaxName)
				}
			}
		case '{':
			weight, depth = weight+objectWeight, depth+1
		case '[':
			weight, depth = weight+arrayWeight, depth+1
		case '}', ']':
			depth--
		case ',', ':', ' ', '\t', '\r', '\n':
		default:
			next = endOfWord(text, at)
			weight++
		}
		switch at = next; {
		case weight > MaxWeight:
			return weight, exceeded("the JSON holds more than %d values; send several requests", MaxWeight)
		case depth > MaxDepth:
			return weight, exceeded("the JSON nests deeper than %d levels", MaxDepth)
		}
	}
	return weight, nil
}

func exceeded(format string, most int) *memory.Error {
	return &memory.Error{Code: memory.CodeLimitExceeded, Message: fmt.Sprintf(format, most)}
}

// EndOfString is the place behind a string that begins at a quote, or the end of the text.
func EndOfString(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return len(text)
}

// endOfWord is the place behind a number, true, false or null.
func endOfWord(text []byte, at int) int {
	for at++; at < len(text) && strings.IndexByte(delimiters, text[at]) < 0; at++ {
	}
	return at
}

const delimiters = ",:{}[]\" \t\r\n"

// isName says whether a colon follows.
func isName(text []byte, at int) bool {
	at = skipBlank(text, at)
	return at < len(text) && text[at] == ':'
}

// skipBlank is the place behind the white space at a place.
func skipBlank(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n') {
		at++
	}
	return at
}
