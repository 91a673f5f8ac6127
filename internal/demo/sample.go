package demo

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"regexp"
	"time"

	"mneme/memory"
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
	sampleTimes  = regexp.MustCompile(`"1999-\d\d-\d\dT[\d:.]+Z"`)
)

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

// starts gives when each recorded episode of the sample starts, by key.
func starts() (map[string]time.Time, error) {
	starts := map[string]time.Time{}
	for line := range bytes.Lines(records) {
		var of struct {
			Kind   memory.Kind
			Record struct {
				ID        string
				StartedAt time.Time
			}
		}
		if err := json.Unmarshal(line, &of); err != nil {
			return nil, err
		}
		if of.Kind == memory.KindEpisode {
			starts[of.Record.ID] = of.Record.StartedAt
		}
	}
	return starts, nil
}
