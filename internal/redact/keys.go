package redact

import "strings"

const (
	privateKeyKind = "private-key"

	keyBegin = "-----begin"
	keyEnd   = "-----END"
	keyDash  = "-----"
	keyName  = "PRIVATE KEY"
	// mostKey is the most bytes of a key, and mostLabel of what its first and last line say.
	mostKey   = 64 << 10
	mostLabel = 100
)

// privateKey is a private key in PEM, from its first line to its last, also where the lines are joined
// by "\n" in letters. Of one that was cut off it is all that looks like a key.
func privateKey() *rule {
	return &rule{kind: privateKeyKind, anchors: []string{keyBegin}, find: func(s *scan, at int) (start, end int, ok bool) {
		from := labelEnd(s.text, at+len(keyBegin))
		s.work += mostLabel
		if from < 0 || !strings.Contains(strings.ToUpper(s.text[at:from]), keyName) {
			return 0, 0, false
		}
		last := min(len(s.text), from+mostKey, s.next(signBegin, from))
		if end := s.next(signEnd, from); end < last {
			end += len(keyEnd)
			return at, max(labelEnd(s.text, end), end), true
		}
		size := keyWords(s.text[from:last])
		s.work += size
		return at, from + size, size > 0
	}}
}

const (
	puttyBegin = "putty-user-key-file-"
	puttyLines = "Private-Lines:"
	puttyEnd   = "Private-MAC:"
)

// puttyKey is a private key as PuTTY writes it, from its first line to its last, or as far as it looks like one.
func puttyKey() *rule {
	return &rule{kind: privateKeyKind, anchors: []string{puttyBegin}, find: func(s *scan, at int) (start, end int, ok bool) {
		lines := s.next(signPutty, at)
		last := min(len(s.text), at+mostKey, s.next(signPuttyBegin, at+len(puttyBegin)))
		if lines >= last {
			return 0, 0, false
		}
		if end := s.next(signPuttyEnd, lines); end < last {
			end += len(puttyEnd)
			return at, end + keyWords(s.text[end:min(last, end+mostLabel)]), true
		}
		from := lines + len(puttyLines)
		for from < last && (isSpace(s.text[from]) || '0' <= s.text[from] && s.text[from] <= '9') {
			from++
		}
		size := keyWords(s.text[from:last])
		s.work += size
		return at, from + size, size > 0
	}}
}

// The signs of keys, by which scan.next finds them.
const (
	signBegin = iota
	signEnd
	signPuttyBegin
	signPutty
	signPuttyEnd
)

var keySigns = [...]string{strings.ToUpper(keyBegin), keyEnd, "PuTTY-User-Key-File-", puttyLines, puttyEnd}

// labelEnd is the end of the first or last line of a key, from behind its first word; −1 where it has none.
func labelEnd(text string, at int) int {
	if i := strings.Index(text[at:min(len(text), at+mostLabel)], keyDash); i >= 0 {
		return at + i + len(keyDash)
	}
	return -1
}

// keyWords is the length of what a text begins with and is part of a key.
func keyWords(text string) int {
	end := 0
	for at := 0; at < len(text); {
		switch rest := text[at:]; {
		case strings.HasPrefix(rest, `\n`), strings.HasPrefix(rest, `\r`):
			at += 2
		case isSpace(rest[0]):
			at++
		default:
			size := keyWord(rest)
			if !isKeyWord(rest[:size]) {
				return end
			}
			at += size
			end = at
		}
	}
	return end
}

// keyWord is the length of the next word of a key.
func keyWord(text string) int {
	size := 0
	for size < len(text) && !isSpace(text[size]) && text[size] != '\\' && text[size] != '-' && text[size] != '"' {
		size++
	}
	return max(size, 1)
}

// isKeyWord says whether a word is part of a key: base64, at the length of a line or with its padding,
// or one of the header lines that say how it is encrypted.
func isKeyWord(word string) bool {
	for i := range len(word) {
		if !isWord(word[i]) && !strings.ContainsRune("+/=:,-", rune(word[i])) {
			return false
		}
	}
	return len(word) >= 16 || strings.HasSuffix(word, "=") || strings.HasSuffix(word, ":") || strings.HasPrefix(word, "4,")
}
