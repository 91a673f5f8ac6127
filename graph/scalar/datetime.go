package scalar

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"mneme/memory"
)

// MarshalDateTime writes a DateTime in UTC with milliseconds, cut off, not rounded.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	text := append(make([]byte, 0, len(`"2006-01-02T15:04:05.000Z"`)), '"')
	text = t.UTC().AppendFormat(text, time.RFC3339) // the layout that package time writes fastest
	ms := t.Nanosecond() / int(time.Millisecond)
	return document(append(text[:len(text)-1], '.', digit(ms/100), digit(ms/10), digit(ms), 'Z', '"'))
}

func digit(n int) byte { return '0' + byte(n%10) }

// UnmarshalDateTime takes what memory.ParseTime does.
func UnmarshalDateTime(value any) (time.Time, error) {
	s, ok := value.(string)
	if !ok {
		return time.Time{}, invalid("must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01, not %s", nameOf(value))
	}
	return memory.ParseTime("", s)
}
