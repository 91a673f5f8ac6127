// Package stats holds the means and roundings that the rules of a memory share: a mean of nothing is nil rather
// than 0, and results are rounded to a billionth, so that sums of equal parts are equal.
package stats
