package consolidation

// ConsolidationGroups is how many groups a Consolidation keeps, for tests of its bound.
func ConsolidationGroups(c *Consolidation) int {
	n := len(c.faults.failed) + len(c.reactions.closed) + len(c.reactions.submitted) + len(c.corrections)
	for _, seen := range c.outcomes.seen {
		n += len(seen)
	}
	return n
}
