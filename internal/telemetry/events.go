package telemetry

import (
	"context"

	"mneme/service/events"
)

var _ events.Observer = (*Signals)(nil)

// Opened counts a subscription.
func (s *Signals) Opened() { s.following.Add(context.Background(), 1) }

// Told counts an event that was taken.
func (s *Signals) Told() { s.told.Add(context.Background(), 1) }

// Ended counts a subscription that ended, or was not opened because there are too many.
func (s *Signals) Ended(why events.End) {
	if why != events.TooMany {
		s.following.Add(context.Background(), -1)
	}
	s.ended.Add(context.Background(), 1, labelled(reasonKey.String(string(why))))
}
