package memory

// AnswerLength is how many bytes a text takes as JSON.
func AnswerLength(text string) int64 {
	length := int64(len(text)) + 2
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0x20 && c != '"' && c != '\\':
		case c == '"', c == '\\', c == '\n', c == '\r', c == '\t', c == '\b', c == '\f':
			length++
		default:
			length += 5
		}
	}
	return length
}
