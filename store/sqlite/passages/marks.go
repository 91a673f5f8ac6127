package passages

import (
	"hash/fnv"
	"strconv"
	"strings"

	"mneme/store/vectors"
)

// MarkNode is the mark of a node that a record belongs to; 0 for none.
func MarkNode(id int64) uint32 { return uint32(id) }

// MarkText is the mark of a task type, a topic or a user; that of nobody is of an empty text.
func MarkText(text string) uint32 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(text))
	return max(1, hash.Sum32())
}

// Marked are marks as words of the index. Of a question they are required, of a record all that it has.
func Marked(marks vectors.Marks) []string {
	var words []string
	for i, mark := range marks {
		if mark != 0 {
			words = append(words, string(rune('a'+i))+strconv.FormatUint(uint64(mark), 36))
		}
	}
	return words
}

func marksText(marks vectors.Marks) string { return strings.Join(Marked(marks), " ") }
