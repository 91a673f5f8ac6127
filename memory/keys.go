package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

// EscapeKey makes one part of a composite key: '%', '/' and control characters become %XX, a byte at a
// time, and everything else stays as it is. The result is a key without '/' (see CheckKey). Bytes that
// are not UTF-8 are escaped too.
func EscapeKey(part string) string {
	if strings.IndexFunc(part, mustEscape) < 0 {
		return part
	}
	var escaped strings.Builder
	for i, r := range part {
		_, size := utf8.DecodeRuneInString(part[i:])
		if !mustEscape(r) || r == utf8.RuneError && size > 1 {
			escaped.WriteString(part[i : i+size])
			continue
		}
		for _, b := range []byte(part[i : i+size]) {
			escaped.Write([]byte{'%', hexDigits[b>>4], hexDigits[b&15]})
		}
	}
	return escaped.String()
}

func mustEscape(r rune) bool {
	return r == '%' || r == '/' || r == utf8.RuneError || unicode.IsControl(r)
}

// JoinKey makes a composite key of parts, escaped and joined with '/': a run's section, an agent's
// profile. SplitKey gives the parts back.
func JoinKey(parts ...string) string {
	escaped := Mapped(parts, EscapeKey)
	return strings.Join(escaped, "/")
}

// SplitKey takes a composite key apart. A '%' that no two digits of JoinKey's (0–9, A–F) follow stays as it is.
func SplitKey(key string) []string {
	parts := strings.Split(key, "/")
	for i, part := range parts {
		parts[i] = unescape(part)
	}
	return parts
}

func unescape(part string) string {
	if !strings.Contains(part, "%") {
		return part
	}
	plain := make([]byte, 0, len(part))
	for i := 0; i < len(part); i++ {
		if part[i] == '%' && i+2 < len(part) {
			high, low := hexValue(part[i+1]), hexValue(part[i+2])
			if high >= 0 && low >= 0 {
				plain = append(plain, byte(high<<4|low))
				i += 2
				continue
			}
		}
		plain = append(plain, part[i])
	}
	return string(plain)
}

func hexValue(digit byte) int { return strings.IndexByte(hexDigits, digit) }

// ShortHash is 128 bits of the SHA-256 of parts, of which only the last may contain a zero byte.
func ShortHash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
