package prose

import "sort"

// The least bytes of each text of a prompt worth showing. Below it the last item is dropped instead; the
// one that is left may be cut further.
const (
	leastText     = 120
	leastLastText = 16
)

// Fit says how many of n items, the best first, fit into a budget of tokens (see memory.EstimateTokens), and
// the bytes to which each of their texts is cut: the longest texts are cut first, all to one length, and
// where that would leave too little of each, the last items are left out. The function gives the size in
// bytes of the first n items with texts of at most limit. kept is 0 where not even one item fits.
func Fit(n, maxTokens int, size func(n, limit int) int) (kept, limit int) {
	const most = 1 << 30 // bytes; keeps a large budget from overflowing
	budget := 4 * min(max(maxTokens, 0), most/4)
	for kept = n; kept > 0; kept-- {
		least := leastText
		if kept == 1 {
			least = leastLastText
		}
		if size(kept, least) > budget {
			continue
		}
		beyond := sort.Search(max(budget-least, 0)+1, func(more int) bool { return size(kept, least+more) > budget })
		return kept, least + beyond - 1
	}
	return 0, 0
}
