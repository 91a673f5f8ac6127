package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// EscapeKey makes one part of a composite key: '%', '/' and control characters become %XX, a byte at a
// time, and everything else stays as it is. The result is a key without '/' (see CheckKey). Parts are
// UTF-8, as CheckKey demands.
func EscapeKey(part string) string {
	if strings.IndexFunc(part, mustEscape) < 0 {
		return part
	}
	var escaped strings.Builder
	for _, r := range part {
		if !mustEscape(r) {
			escaped.WriteRune(r)
			continue
		}
		for _, b := range []byte(string(r)) {
			fmt.Fprintf(&escaped, "%%%02X", b)
		}
	}
	return escaped.String()
}

func mustEscape(r rune) bool {
	return r == '%' || r == '/' || unicode.IsControl(r)
}

// JoinKey makes a composite key of parts, escaped and joined with '/': a run's section, an agent's
// profile. SplitKey gives the parts back.
func JoinKey(parts ...string) string {
	escaped := Mapped(parts, EscapeKey)
	return strings.Join(escaped, "/")
}

var escapedByte = regexp.MustCompile(`%[0-9A-F]{2}`)

// SplitKey takes a composite key apart. A '%' that no two digits of JoinKey's (0–9, A–F) follow stays as it is.
func SplitKey(key string) []string {
	return Mapped(strings.Split(key, "/"), func(part string) string {
		return escapedByte.ReplaceAllStringFunc(part, func(escaped string) string {
			plain, _ := hex.DecodeString(escaped[1:])
			return string(plain)
		})
	})
}

// ShortHash is 128 bits of the SHA-256 of parts, of which only the last may contain a zero byte.
func ShortHash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
