package retrieval

import (
	"fmt"
	"strings"

	"mneme/memory"
)

// maxReasons is how many moments a record's reasons name.
const maxReasons = 2

// Reasons says in words why a record matches: "step 14 (cancel_reservation) says it: .81", "the observation means the
// same: .71", "said next to it", "in May 2023", "said by Ann". A part that hardly counts is no reason.
func (q *Question) Reasons(r *Record) []string {
	var reasons []string
	for i := range r.Moments[:min(len(r.Moments), maxReasons)] {
		if m := &r.Moments[i]; i == 0 || 2*m.Score >= r.Moments[0].Score {
			reasons = append(reasons, m.reason())
		}
	}
	if date := DateReason(q.dates, r.At()); date != "" {
		reasons = append(reasons, date)
	}
	if r.Speaker != "" {
		reasons = append(reasons, "said by "+r.Speaker)
	}
	return reasons
}

// reason says what a moment has of what is asked for.
func (m *Moment) reason() string {
	does := "means something like it"
	switch {
	case m.Own >= leastWords && m.Own >= m.Words/2:
		does = "says it"
	case m.HasWords():
		does = "stands next to what says it"
	case m.Meaning >= sameMeaning:
		does = "means the same"
	}
	return fmt.Sprintf("%s %s: %s", m.Place(), does, hundredths(m.Score))
}

// Place names a passage within its record: "step 14 (cancel_reservation)", "the result".
func (m *Moment) Place() string {
	place := ""
	switch m.Part {
	case memory.PartThought:
		return fmt.Sprintf("thought %d", m.Position+1)
	case memory.PartAction:
		place = fmt.Sprintf("step %d", m.Position+1)
	case memory.PartEvent:
		place = fmt.Sprintf("event %d", m.Position)
	case memory.PartContent:
		return "the text"
	default:
		return "the " + strings.ToLower(string(m.Part))
	}
	if m.Step != "" {
		place += " (" + m.Step + ")"
	}
	return place
}

// hundredths writes a share as ".71", and the whole as "1".
func hundredths(share float64) string {
	text := fmt.Sprintf("%.2f", share)
	if text == "1.00" {
		return "1"
	}
	return strings.TrimPrefix(text, "0")
}
