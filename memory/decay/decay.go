package decay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mneme/memory"
)

// Policy is a rule by which the weight of observations changes. Critical and high ones keep their
// base weight under either.
//
// Both rules are sums, products and quotients of doubles, taken in the order in which they are written,
// so that a store that computes their Expression gets the same bits.
type Policy string

// The closed set of policies.
const (
	// UseFades is the default, in which use lowers weight: what was read often is known by now.
	//
	//	weight = base / (1 + 0.1·accessCount)
	UseFades Policy = "USE_FADES"

	// TimeFades is the rule in which time lowers weight and use strengthens, as in people:
	//
	//	weight = base / (1 + ageDays / (30·(1 + 0.1·accessCount)))
	//
	// with the age counted from lastAccessedAt ?? createdAt, in days of 24 hours, never negative. The
	// weight is half the base after 30 days without use; each access sets the age back to 0 and makes
	// the next loss slower by a tenth of that.
	//
	// Forgetting is hyperbolic rather than exponential: Wixted & Ebbesen, On the form of forgetting,
	// Psychological Science 2(6), 1991. Retrieval slows it down: Bjork & Bjork, A new theory of disuse,
	// 1992.
	TimeFades Policy = "TIME_FADES"
)

// Policies lists them, the default first.
var Policies = []Policy{UseFades, TimeFades}

// The constants of the rules above.
const (
	PerAccess    = 0.1
	HalfLifeDays = 30.0
)

// MsPerDay is the length of a day of 24 hours in milliseconds.
const MsPerDay = 24 * 60 * 60 * 1000

// baseWeights is what observations weigh before use and time. An unknown importance counts as medium.
var baseWeights = map[memory.Importance]float64{
	memory.ImportanceCritical: 1, memory.ImportanceHigh: 0.8, memory.ImportanceMedium: 0.5, memory.ImportanceLow: 0.2,
}

// Parse reads the name of a policy, in any case and with '-' for '_'; nothing is the default.
func Parse(name string) (Policy, error) {
	if name == "" {
		return UseFades, nil
	}
	given := strings.ReplaceAll(strings.ToUpper(name), "-", "_")
	for _, policy := range Policies {
		if string(policy) == given {
			return policy, nil
		}
	}
	return "", fmt.Errorf("%q is no decay policy; there are %s and %s", name, UseFades, TimeFades)
}

// BaseWeight is the weight before use and time: critical 1, high 0.8, medium 0.5, low 0.2.
func BaseWeight(i memory.Importance) float64 {
	if base, ok := baseWeights[i]; ok {
		return base
	}
	return baseWeights[memory.ImportanceMedium]
}

// Weight is what an observation weighs at a time, in 0…1. The zero policy is the default.
func (p Policy) Weight(o *memory.Observation, now time.Time) float64 {
	base := BaseWeight(o.Importance)
	if o.Importance.Pinned() {
		return base
	}
	use := 1 + float64(PerAccess*float64(o.AccessCount))
	if p != TimeFades {
		return base / use
	}
	used := memory.ValueOr(o.LastAccessedAt, o.CreatedAt)
	age := float64(max(0, now.UnixMilli()-used.UnixMilli())) / MsPerDay
	return base / (1 + age/float64(HalfLifeDays*use))
}

// Expression is the weight of an observation as SQL and Cypher write it alike, of the expressions for its importance,
// how often it was read, and how many milliseconds ago it was last used, which is never negative. It comes to the bits
// of Weight, because positions in lists hold those.
func (p Policy) Expression(importance, accesses, age string) string {
	fades := fmt.Sprintf("(1.0 + %s * %s)", double(PerAccess), accesses)
	if p == TimeFades {
		fades = fmt.Sprintf("(1.0 + %s / %s / (%s * %s))", age, double(MsPerDay), double(HalfLifeDays), fades)
	}
	weight := func(i memory.Importance) string {
		if i.Pinned() {
			return double(BaseWeight(i))
		}
		return double(BaseWeight(i)) + " / " + fades
	}
	cases := "CASE " + importance
	for _, i := range memory.Importances {
		cases += fmt.Sprintf(" WHEN '%s' THEN %s", i, weight(i))
	}
	return cases + " ELSE " + weight("") + " END"
}

// Pinned names the importances that pruning keeps.
func Pinned() (names []string) {
	for _, importance := range memory.Importances {
		if importance.Pinned() {
			names = append(names, string(importance))
		}
	}
	return names
}

// double writes a number so that nobody takes it for an integer.
func double(value float64) string {
	text := strconv.FormatFloat(value, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
