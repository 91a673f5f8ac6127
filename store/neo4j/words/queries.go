package words

import (
	"strconv"
	"strings"
)

// The texts of queries for the full-text index. What is required in them decides what is found and, with the
// weight 0, adds nothing to a score.

// AnyOf asks for the records that have any of some words in a field of the index; "" where there are none. Every
// word is quoted, so that nothing in it is query syntax.
func AnyOf(field string, words ...string) string {
	if len(words) == 0 {
		return ""
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return field + ":(" + strings.Join(quoted, " ") + ")"
}

// Weighted is a word that counts so many times as much as it would among others, for BestOf; weight is finite, and 0.000001 at least.
func Weighted(word string, weight float64) string {
	return quote(word) + "^" + strconv.FormatFloat(weight, 'f', 6, 64) // no exponent, which the query syntax does not know
}

// BestOf asks for the records that have any of some Weighted words in a field of the index, of which there is one at least.
func BestOf(field string, weighted ...string) string {
	return field + ":(" + strings.Join(weighted, " ") + ")"
}

// Times is a question that counts so much in a score where a record is found by it; weight is finite.
func Times(question string, weight float64) string {
	return question + "^" + strconv.FormatFloat(weight, 'f', 6, 64)
}

// Also asks for what scores, of which more counts what any of some other questions finds, too.
func Also(scores string, more ...string) string {
	if len(more) == 0 {
		return scores
	}
	return "(+" + scores + " " + strings.Join(more, " ") + ")"
}

func quote(word string) string { return `"` + quotes.Replace(word) + `"` }

// Within requires something beside what scores.
func Within(scores string, required ...string) string {
	if len(required) == 0 {
		return scores
	}
	return "+" + scores + " +" + strings.Join(required, "^0 +") + "^0"
}

// All asks for the records that each of some questions asks for, of which there is one at least.
func All(questions ...string) string { return "+" + strings.Join(questions, " +") }

// Any asks for the records that any of some questions asks for.
func Any(questions ...string) string { return "(" + strings.Join(questions, " ") + ")" }

// IDs asks for the records of a kind of which what stands for one begins so: with two signs, for one in 1,024.
func (v Vocabulary) IDs(beginning string) string { return "words:" + string(v) + "@" + beginning + "*" }

// InRange asks for words of the index from one to another in the order of their bytes, both included. They are of the
// kind that a vocabulary makes, with nothing in them that is query syntax.
func InRange(from, to string) string { return "words:[" + from + " TO " + to + "]" }

var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
