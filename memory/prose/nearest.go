package prose

import (
	"strings"
	"unicode"
)

// Nearest is the one of some names that is most like another, as a misspelling is: "" where none is. Case and
// separators do not matter. Numbers and short words do: agent-1 is not agent-2, and worker-a is not worker-b.
func Nearest(name string, names []string) (nearest string) {
	least := -1
	for _, other := range names {
		if distance, alike := misspelt(wordsOf(name), wordsOf(other)); alike && (least < 0 || distance < least) {
			nearest, least = other, distance
		}
	}
	return nearest
}

// wordsOf are the words of a name, in lower case.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// misspelt says whether one name may be another, misspelt, and how many letters are wrong.
func misspelt(a, b []string) (wrong int, is bool) {
	whole, other := strings.Join(a, ""), strings.Join(b, "")
	switch {
	case whole == other:
		return 0, whole != ""
	case digits(whole) != digits(other):
		return 0, false
	case len(a) != len(b):
		a, b = []string{whole}, []string{other}
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		x, y := []rune(a[i]), []rune(b[i])
		distance := edits(x, y)
		if most := min(len(x), len(y)) / 4; distance > min(most, 2) {
			return 0, false
		}
		wrong += distance
	}
	return wrong, true
}

func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// edits counts the letters that are to be added, left out, replaced or swapped with the next to make b of a.
func edits(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
