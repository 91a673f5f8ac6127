package lexical

import "math"

// Rarity is how much a word tells that n of all records contain: Lucene's form of the inverse document
// frequency, ln(1 + (all − n + ½) / (n + ½)), which is above 0 even for a word that all of them contain.
func Rarity(n, all int) float64 {
	return math.Log1p((float64(all-n) + 0.5) / (float64(n) + 0.5))
}
