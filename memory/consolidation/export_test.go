package consolidation

// ConsolidationGroups is how many groups a Consolidation keeps, for tests of its bound.
func ConsolidationGroups(c *Consolidation) (n int) {
	for _, seen := range c.seen {
		n += len(seen)
	}
	return n
}
