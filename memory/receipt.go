package memory

import (
	"maps"
	"slices"
)

// EstimateTokens is ceil(bytes/4), the usual rule of thumb for English text.
func EstimateTokens(text string) int { return (len(text) + 3) / 4 }

// CheckTokens says what is wrong with how many tokens a text for a prompt may have, or returns nil.
func CheckTokens(field string, most int) error {
	if most < 1 {
		return Invalid(field, "must be a whole number above 0")
	}
	return nil
}

// Plus is the receipt over two parts of one record.
func (r Receipt) Plus(other Receipt) Receipt {
	counts := map[string]int{}
	for _, redaction := range slices.Concat(r.Redactions, other.Redactions) {
		counts[redaction.Kind] += redaction.Count
	}
	return Receipt{
		TokensBefore: r.TokensBefore + other.TokensBefore,
		TokensAfter:  r.TokensAfter + other.TokensAfter,
		Redactions:   RedactionsOf(counts),
	}
}

// RedactionsOf lists counts by kind, in the order of the kinds; never nil.
func RedactionsOf(counts map[string]int) []Redaction {
	list := make([]Redaction, 0, len(counts))
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, Redaction{Kind: kind, Count: counts[kind]})
	}
	return list
}
