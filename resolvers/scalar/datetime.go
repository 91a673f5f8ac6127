package scalar

import (
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"mneme/memory"
)

// layout answers a DateTime: UTC with milliseconds.
const layout = "2006-01-02T15:04:05.000Z"

// rfc3339 is the form of a time. time.Parse takes more than the RFC: commas, and hours of one digit.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

type instant time.Time

func (t instant) appendTo(b []byte) []byte {
	b = append(b, '"')
	b = time.Time(t).AppendFormat(b, layout)
	return append(b, '"')
}

// MarshalGQL writes the time as a JSON string.
func (t instant) MarshalGQL(w io.Writer) { write(w, t) }

// MarshalDateTime writes a DateTime in UTC with milliseconds, cut off, not rounded.
func MarshalDateTime(t time.Time) graphql.Marshaler { return instant(t.UTC()) }

// UnmarshalDateTime takes any RFC 3339 time from 1970 to the end of 9999 in UTC. Lower-case t and z are read as
// the RFC allows, and a leap second as the second that follows it, which is how computers count it.
func UnmarshalDateTime(value any) (time.Time, error) {
	s, ok := value.(string)
	if !ok {
		return time.Time{}, invalid("must be an RFC 3339 time such as 2026-03-01T12:00:00Z, not %s", nameOf(value))
	}
	s = strings.ToUpper(s)
	leap := len(s) > 19 && s[17:19] == "60"
	if leap {
		s = s[:17] + "59" + s[19:]
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || !rfc3339.MatchString(s) {
		return time.Time{}, invalid("must be an RFC 3339 time such as 2026-03-01T12:00:00Z")
	}
	if leap {
		t = t.Truncate(time.Second).Add(time.Second)
	}
	t = t.UTC()
	return t, memory.CheckTime("", t)
}
