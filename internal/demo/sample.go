package demo

import (
	"bytes"
	_ "embed"
	"io"
	"regexp"
	"time"
)

// Examples are questions that the sample answers well: GraphQL documents, each under a comment that says what it asks.
//
//go:embed examples.graphql
var Examples string

// The sample as mneme import reads it, as if its last day were the one before sampleAnchor: records, events of runs.
var (
	//go:embed sample.jsonl
	records []byte
	//go:embed runs.jsonl
	runs []byte
)

var (
	sampleAnchor = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	// firstStart is when the firstEpisode of the records starts.
	firstStart  = time.Date(1999, time.October, 3, 9, 57, 8, 474e6, time.UTC)
	sampleTimes = regexp.MustCompile(`"1999-\d\d-\d\dT[\d:.]+Z"`)
)

const firstEpisode = "demo-sales_report-001"

// shifted is a part of the sample with its times moved.
func shifted(part []byte, by time.Duration) io.Reader {
	return bytes.NewReader(sampleTimes.ReplaceAllFunc(part, func(quoted []byte) []byte {
		at, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(quoted))
		if err != nil {
			return quoted
		}
		return []byte(at.Add(by).Format(`"` + time.RFC3339Nano + `"`))
	}))
}
