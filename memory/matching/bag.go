package matching

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mneme/memory"
)

// Bag is how often each stem occurs in the texts of a record, each as often as its text weighs, and how many those are
// together.
type Bag struct {
	Counts map[string]int
	Length int
}

// Add counts the stems of a text, which are joined by spaces (lexical.Stems makes them), as often as the text weighs.
func (b *Bag) Add(stems string, weight int) {
	if b.Counts == nil {
		b.Counts = map[string]int{}
	}
	for stem := range strings.FieldsSeq(stems) {
		b.Counts[stem] += weight
		b.Length += weight
	}
}

// countSign stands between a stem and how often it counts. No stem contains it (see lexical.Stems).
const countSign = `"`

// String writes a bag to be kept: its length, then its stems in their order, each with how often it counts where
// that is more than once; "" for an empty one. Document reads it.
//
//	4 flight"2 late refund
func (b *Bag) String() string {
	if b.Length == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString(strconv.Itoa(b.Length))
	for _, stem := range slices.Sorted(maps.Keys(b.Counts)) {
		text.WriteByte(' ')
		text.WriteString(stem)
		if count := b.Counts[stem]; count != 1 {
			text.WriteString(countSign)
			text.WriteString(strconv.Itoa(count))
		}
	}
	return text.String()
}

// ParseBag reads all of a bag that String wrote. It is an error where another wrote it.
func ParseBag(text string) (Bag, error) {
	b := Bag{Counts: map[string]int{}}
	length, stems, _ := strings.Cut(text, " ")
	if text == "" {
		return b, nil
	}
	before := ""
	for entry := range strings.SplitSeq(stems, " ") {
		stem, count, err := parseEntry(entry)
		if err != nil || stem <= before {
			return Bag{}, fmt.Errorf("no bag of stems: %q after %q", entry, before)
		}
		b.Counts[stem], before = count, stem
		b.Length += count
	}
	if length != strconv.Itoa(b.Length) {
		return Bag{}, fmt.Errorf("a bag of %d stems says that they are %q", b.Length, length)
	}
	return b, nil
}

func parseEntry(entry string) (stem string, count int, err error) {
	stem, digits, counted := strings.Cut(entry, countSign)
	if !counted {
		return stem, 1, nil
	}
	count, err = strconv.Atoi(digits)
	if err == nil && count < 2 {
		err = fmt.Errorf("a count of %d", count)
	}
	return stem, count, err
}

// Document reads from a bag as it was written what the query needs of it: it looks its stems up, by halves, which takes
// much less than to read all. What is not a bag is an empty document, or one without some of its words. The average is
// that of the bags of the record's kind (see Collection). A word in the text that weighs most counts once, in others less.
func (q *Query) Document(bag string, kind memory.Kind, average float64) Document {
	lengthText, stems, _ := strings.Cut(bag, " ")
	length, err := strconv.Atoi(lengthText)
	if err != nil || length <= 0 {
		return Document{}
	}
	d, most := Document{Length: Relative(length, average)}, mostWeight(kind)
	for word, stem := range q.Stems {
		count := countIn(stems, stem)
		if count == 0 {
			continue
		}
		if d.Counts == nil {
			d.Counts = make([]float64, len(q.Stems))
		}
		d.Counts[word] = float64(count) / most
	}
	return d
}

// countIn is how often a stem counts among those of a bag, which are in their order; 0 where it is not there.
func countIn(stems, stem string) int {
	for len(stems) > 0 {
		from := strings.LastIndexByte(stems[:len(stems)/2], ' ') + 1
		until := len(stems)
		if end := strings.IndexByte(stems[from:], ' '); end >= 0 {
			until = from + end
		}
		entry := stems[from:until]
		middle, _, _ := strings.Cut(entry, countSign)
		switch order := strings.Compare(stem, middle); {
		case order < 0:
			stems = stems[:max(0, from-1)]
		case order > 0:
			stems = stems[min(len(stems), until+1):]
		default:
			if _, count, err := parseEntry(entry); err == nil {
				return count
			}
			return 0
		}
	}
	return 0
}
