package memory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"mneme/memory/stats"
)

// PatternKind says whether a pattern is to be followed or avoided.
type PatternKind string

// The closed set of pattern kinds.
const (
	PatternDo   PatternKind = "DO"   // an approach: how often sections that used it were approved
	PatternDont PatternKind = "DONT" // an issue: how often sections had it
)

// Valid says whether the word is one of the closed set.
func (k PatternKind) Valid() bool { return k == PatternDo || k == PatternDont }

// Pattern is what history says of an approach or of an issue in the sections of a type, of all or of those made under
// a part of a context: counters that completed runs add up.
type Pattern struct {
	Key  string      `json:"key"` // see PatternKey
	Kind PatternKind `json:"kind"`
	// Description is the approach; of an issue its latest message, or its code where it never had one.
	Description string     `json:"description"`
	SaidAt      *time.Time `json:"saidAt,omitempty"`    // when the message was said; null where there is none
	IssueCode   *string    `json:"issueCode,omitempty"` // null for an approach
	SectionType string     `json:"sectionType"`
	// Context is the part of the context that the sections have in common, such as {"energy":"high"}; null for all
	// sections of the type.
	Context JSON `json:"context,omitempty"`
	// Common has the pairs that the contexts of all sections with the approach share, {} where there are none. It is null
	// for an issue.
	Common JSON `json:"common,omitempty"`
	// Hits are the approved sections that used the approach, or the sections with the issue in any
	// iteration, of Total: the sections that used the approach, or all of the type and context.
	Hits  int `json:"hits"`
	Total int `json:"total"`
	// The final scores of the sections that used the approach, or had the issue.
	Scored   int     `json:"scored"`
	ScoreSum float64 `json:"scoreSum"`
	// Recovered counts the sections that had the issue and were approved in the end; RecoverySum the
	// iterations that each took from the first that had it to the last. 0 for an approach.
	Recovered   int       `json:"recovered"`
	RecoverySum int       `json:"recoverySum"`
	LastSeen    time.Time `json:"lastSeen"` // the latest judgement that has it
	// Mined says that the approach was seen in plans, and that no verdict named it so far.
	Mined bool `json:"mined,omitempty"`
}

// ID is the global id, pattern:key.
func (p *Pattern) ID() string { return NodeID(KindPattern, p.Key) }

// PatternKey is the key of an approach, or of an issue, by its code, in a section type and a part of a
// context: do/chorus/<hash>. The hash keeps keys short however long an approach or a context is.
func PatternKey(kind PatternKind, sectionType string, context JSON, what string) string {
	return JoinKey(strings.ToLower(string(kind)), sectionType, ShortHash(ContextKey(context), what))
}

// ContextKey is equal for equal contexts, and for no others: a short text, empty for null. The context is
// canonical (see JSONOf); numbers are equal however they are written, fractions as float64.
func ContextKey(context JSON) string {
	if len(context) == 0 {
		return ""
	}
	return ShortHash(string(PlainJSON(context)))
}

// ContextHas says whether a context has all pairs of a key and a value that another has, numbers equal however they are
// written; what is no object is had where both are equal. All have null and an object without pairs, also null.
func ContextHas(context, pairs JSON) bool {
	var wanted, has map[string]json.RawMessage
	switch {
	case len(pairs) == 0:
		return true
	case json.Unmarshal(PlainJSON(pairs), &wanted) != nil || wanted == nil:
		return ContextKey(context) == ContextKey(pairs)
	case len(wanted) == 0:
		return true
	case json.Unmarshal(PlainJSON(context), &has) != nil:
		return false
	}
	for key, value := range wanted {
		if there, known := has[key]; !known || !bytes.Equal(there, value) {
			return false
		}
	}
	return true
}

// PlainJSON is the canonical JSON of a text with each number written in one way: 120 for 120.0. What is no JSON is
// left as it is.
func PlainJSON(text JSON) JSON {
	if value, err := JSONValue(text); err == nil {
		if plain, err := JSONOf(plainNumbers(value)); err == nil && plain != nil {
			return plain
		}
	}
	return text
}

// SectionsKey is the key under which the sections of a type are counted, of all or of those made under a part of a
// context.
func SectionsKey(sectionType string, part JSON) string {
	return SectionsKeyOf(sectionType, ContextKey(part))
}

// SectionsKeyOf is SectionsKey for a part whose ContextKey is known.
func SectionsKeyOf(sectionType, contextKey string) string {
	if contextKey == "" {
		return sectionType
	}
	return JoinKey(sectionType, contextKey)
}

// Rate is Hits/Total, 0 where Total is 0: of an approach the success rate, of an issue the failure rate.
func (p *Pattern) Rate() float64 { return OrZero(stats.Mean(float64(p.Hits), p.Total)) }

// AvgScore is the mean final score, to a billionth, null where no section had one.
func (p *Pattern) AvgScore() *float64 {
	return stats.PlainMean{Sum: p.ScoreSum, Count: p.Scored}.Mean()
}

// AvgRecoveryIterations is how many iterations it took on average to be approved in spite of the issue,
// null where no section was, and for an approach.
func (p *Pattern) AvgRecoveryIterations() *float64 {
	return stats.Mean(float64(p.RecoverySum), p.Recovered)
}

// Add adds what a run learned of the same pattern. The later message stays, of equally late ones the added.
func (p *Pattern) Add(gain *Pattern) {
	if gain.SaidAt != nil && (p.SaidAt == nil || !gain.SaidAt.Before(*p.SaidAt)) {
		p.Description, p.SaidAt = gain.Description, gain.SaidAt
	}
	p.Mined = p.Mined && gain.Mined
	p.Common = commonPairs(p.Common, gain.Common)
	p.Hits += gain.Hits
	p.Total += gain.Total
	p.Scored += gain.Scored
	p.ScoreSum += gain.ScoreSum
	p.Recovered += gain.Recovered
	p.RecoverySum += gain.RecoverySum
	if gain.LastSeen.After(p.LastSeen) {
		p.LastSeen = gain.LastSeen
	}
}

// commonPairs are the pairs that two canonical objects share, null where one of them is.
func commonPairs(a, b JSON) JSON {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	var first, second map[string]json.RawMessage
	if json.Unmarshal(a, &first) != nil || json.Unmarshal(b, &second) != nil {
		return nil
	}
	maps.DeleteFunc(first, func(key string, value json.RawMessage) bool { return !bytes.Equal(value, second[key]) })
	common, _ := JSONOf(first) // of values that are JSON already
	return common
}

// Subject is the approach or the code of the issue, which several patterns share.
func (p *Pattern) Subject() string { return ValueOr(p.IssueCode, p.Description) }

// BestPatternFirst is the order of patterns: rate, then total, highest first, then key.
func BestPatternFirst(a, b *Pattern) int {
	return cmp.Or(cmp.Compare(b.Rate(), a.Rate()), cmp.Compare(b.Total, a.Total), cmp.Compare(a.Key, b.Key))
}
