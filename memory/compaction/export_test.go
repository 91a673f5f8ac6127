package compaction

// ClosingSignsLookedFor is how many runs and bytes compaction looks for closing signs in, for tests of its bound.
func ClosingSignsLookedFor(text string) int {
	_, looked := protectedSpansOf(text)
	return looked
}
