package stats

import "math"

// Mean is sum/count, nil where nothing was counted.
func Mean(sum float64, count int) *float64 {
	if count == 0 {
		return nil
	}
	return new(sum / float64(count))
}

// Rounded takes away the last bits, in which sums of equal numbers differ.
func Rounded(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// Unit clamps x to 0…1.
func Unit(x float64) float64 { return min(1, max(0, x)) }
