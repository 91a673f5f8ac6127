package memory

// EpisodeOrder is an order of listing episodes; an empty one is NewestFirst.
type EpisodeOrder string

// The orders. Feedback order has the highest aggregate first, those without feedback last. Ties: newer first, then key.
const (
	NewestFirst       EpisodeOrder = "STARTED_AT_DESC"
	OldestFirst       EpisodeOrder = "STARTED_AT_ASC"
	BestFeedbackFirst EpisodeOrder = "FEEDBACK_DESC"
)

// ObservationOrder is an order of listing observations; an empty one is HeaviestFirst.
type ObservationOrder string

// The orders. Ties: newer first, then key.
const (
	HeaviestFirst ObservationOrder = "WEIGHT_DESC"
	LightestFirst ObservationOrder = "WEIGHT_ASC"
	LatestFirst   ObservationOrder = "CREATED_AT_DESC"
)

// Direction is which way links are followed from a node; an empty one is DirectionBoth.
type Direction string

// The directions.
const (
	DirectionOut  Direction = "OUT"
	DirectionIn   Direction = "IN"
	DirectionBoth Direction = "BOTH"
)

// EpisodeLink is a way from one episode to others.
type EpisodeLink int

// The links between episodes.
const (
	LinkCausedBy   EpisodeLink = iota // the episodes that caused it, by key
	LinkCauses                        // the episodes it caused, by key
	LinkInformedBy                    // the episodes that informed it, by key
	LinkInformed                      // the episodes it informed, by key
	LinkPrevious                      // the one before it in its session
	LinkNext                          // the one after it in its session
)

// Edge is the type of links to follow, "" for the order in a session, and whether to follow them to their targets.
func (l EpisodeLink) Edge() (edge string, forward bool) {
	switch l {
	case LinkCausedBy, LinkCauses:
		edge = "CAUSED_BY"
	case LinkInformedBy, LinkInformed:
		edge = "INFORMED_BY"
	}
	return edge, l == LinkCausedBy || l == LinkInformedBy
}
