package telemetry

import (
	"context"

	"mneme/service/events"
)

// eventObserver measures subscriptions.
type eventObserver struct{ *Signals }

// Events observes subscriptions; nil for nil signals.
func (s *Signals) Events() events.Observer {
	if s == nil {
		return nil
	}
	return eventObserver{s}
}

// Opened counts a subscription.
func (s eventObserver) Opened() { s.following.Add(context.Background(), 1) }

// Told counts an event that was taken.
func (s eventObserver) Told() { s.told.Add(context.Background(), 1) }

// Ended counts a subscription that ended, or was not opened because there are too many.
func (s eventObserver) Ended(why events.End) {
	if why != events.TooMany {
		s.following.Add(context.Background(), -1)
	}
	s.ended.Add(context.Background(), 1, labelled(reasonKey.String(string(why))))
}
