package inbound

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// InWords tells why JSON could not be decoded, in words for whoever wrote it: without the names of Go, and without
// what was sent, which may be a secret.
func InWords(err error) string {
	var wrongType *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var moment *time.ParseError
	var bytes base64.CorruptInputError
	switch {
	case errors.As(err, &wrongType):
		kind, _, _ := strings.Cut(wrongType.Value, " ") // a number follows as it stands
		return fmt.Sprintf("%s cannot be %s %s", cmp.Or(wrongType.Field, "the record"), article(kind), kind)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return "the JSON breaks off"
	case errors.As(err, &syntax):
		return fmt.Sprintf("the JSON is not valid at its byte %d", syntax.Offset)
	case errors.As(err, &moment), strings.HasPrefix(err.Error(), "Time.UnmarshalJSON"):
		return "a time must be written like 2026-01-31T12:00:00Z"
	case errors.As(err, &bytes):
		return "bytes must be written in base64"
	}
	return "the record cannot be read"
}

func article(kind string) string {
	if kind == "array" || kind == "object" {
		return "an"
	}
	return "a"
}
