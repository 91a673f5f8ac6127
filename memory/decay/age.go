package decay

import (
	"math"
	"time"
)

// Factor is 0.5^(age/halfLifeDays), 1 for what lies in the future.
func Factor(at, now time.Time, halfLifeDays float64) float64 {
	return math.Exp2(-max(0, now.Sub(at).Hours()/24) / halfLifeDays)
}
