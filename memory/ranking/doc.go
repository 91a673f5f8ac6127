// Package ranking decides which experiences are recalled for a situation, and says why:
//
//	total = 0.7·semantic + 0.3·0.5^(age/30 days) + 0.1 with canvases + 0.2 rated well or − 0.3 rated badly
//
// The weights are in weights.go, the parts in score.go, the words for people in reasons.go and lessons.go. How well an
// experience matches the situation is what package retrieval says.
package ranking
