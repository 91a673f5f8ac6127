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
		from := s.labelEnd(at + len(keyBegin))
		if from < 0 || !strings.Contains(strings.ToUpper(s.text.Slice(at, from)), keyName) {
			return 0, 0, false
		}
		last := min(s.text.Len(), from+mostKey, s.next(signBegin, from))
		if end := s.next(signEnd, from); end < last {
			end += len(keyEnd)
			return at, max(s.labelEnd(end), end), true
		}
		end = s.keyWords(from, last)
		return at, end, end > from
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
		if !s.text.Has(at, keySigns[signPuttyBegin]) {
			return 0, 0, false
		}
		lines := s.next(signPutty, at)
		last := min(s.text.Len(), at+mostKey, s.next(signPuttyBegin, at+len(puttyBegin)))
		if lines >= last {
			return 0, 0, false
		}
		if end := s.next(signPuttyEnd, lines); end < last {
			end += len(puttyEnd)
			return at, s.keyWords(end, min(last, end+mostLabel)), true
		}
		from := lines + len(puttyLines)
		for from < last && s.isOneOf(from, " \t\r\n0123456789") {
			from++
		}
		end = s.keyWords(from, last)
		return at, end, end > from
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
func (s *scan) labelEnd(at int) int {
	last := min(s.text.Len(), at+mostLabel)
	if dash := s.text.Index(at, last, keyDash); dash < last {
		return dash + len(keyDash)
	}
	return -1
}

// keyWords is the end of what begins at a position and is part of a key.
func (s *scan) keyWords(from, last int) int {
	end := from
	for at := from; at < last; {
		switch b := s.text.At(at); {
		case b == '\\' && at+1 < last && s.isOneOf(at+1, "nr"):
			at += 2
		case isSpace(b):
			at++
		default:
			next := s.keyWord(at, last)
			if !isKeyWord(s.text.Slice(at, next)) {
				return end
			}
			at, end = next, next
		}
	}
	return end
}

// keyWord is the end of the next word of a key.
func (s *scan) keyWord(from, last int) int {
	end := from
	for end < last && !s.isOneOf(end, " \t\r\n\\-\"") {
		end++
	}
	return max(end, from+1)
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
