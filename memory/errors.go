package memory

import (
	"errors"
	"fmt"
	"strings"
)

// Code classifies an Error; it is the same word at every edge (GraphQL extensions.code, the MCP
// result, the exit status).
type Code string

// The closed set of error codes.
const (
	CodeNotFound          Code = "NOT_FOUND"
	CodeInvalidInput      Code = "INVALID_INPUT"
	CodeConflict          Code = "CONFLICT"
	CodeUnauthenticated   Code = "UNAUTHENTICATED"
	CodeForbidden         Code = "FORBIDDEN"
	CodeNoAgentsAvailable Code = "NO_AGENTS_AVAILABLE"
	CodeLimitExceeded     Code = "LIMIT_EXCEEDED"
	CodeUnavailable       Code = "UNAVAILABLE"
	CodeInternal          Code = "INTERNAL"
	// CodeDamaged is for a record that is there and cannot be read any more.
	CodeDamaged Code = "DAMAGED"
)

// Codes are all of them.
var Codes = []Code{
	CodeNotFound, CodeInvalidInput, CodeConflict, CodeUnauthenticated, CodeForbidden, CodeNoAgentsAvailable, CodeLimitExceeded, CodeUnavailable,
	CodeInternal, CodeDamaged,
}

// Error is the one domain error: what kind of fault, in words for the caller, and which input field
// is at fault. The cause is for the log and errors.Is; it is never shown.
type Error struct {
	Code    Code
	Message string
	// Field names the input at fault in the API's own spelling ("rating", "episodes.3.observation");
	// empty where no single input is.
	Field string
	// ID is the global id of the record at fault; empty where no single record of the store is.
	ID    string
	Cause error
}

// Error gives the code and the text; not the cause.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Text() }

// Text is the message, after the field that it is about where there is one.
func (e *Error) Text() string {
	if e.Field == "" {
		return e.Message
	}
	return e.Field + ": " + e.Message
}

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf is the code of an error; empty where it is none of the domain's.
func CodeOf(err error) Code {
	if known, ok := errors.AsType[*Error](err); ok {
		return known.Code
	}
	return ""
}

// Invalid is an INVALID_INPUT error at a field.
func Invalid(field, format string, args ...any) *Error {
	return &Error{Code: CodeInvalidInput, Field: field, Message: fmt.Sprintf(format, args...)}
}

// IsPlainName says whether a name that a caller made up may be repeated in an error.
func IsPlainName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return len(name) <= 64 && strings.Trim(name, letters+"0123456789_-") == ""
}

// LimitExceeded is a LIMIT_EXCEEDED error at a field.
func LimitExceeded(field, format string, args ...any) *Error {
	return &Error{Code: CodeLimitExceeded, Field: field, Message: fmt.Sprintf(format, args...)}
}
