package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"regexp"
	"strings"
	"time"
)

// Key is what is kept of a key: all but the key itself.
type Key struct {
	// Prefix is how the key begins, by which it is found and named. It is unique, and no secret.
	Prefix string `json:"prefix"`
	// Hash is the SHA-256 of the whole key. A key is random, so that nobody finds it by trying, and a slow hash would
	// only slow down who has it.
	Hash []byte `json:"-"`
	// Tenant is whose memory the key opens.
	Tenant string `json:"tenant"`
	Role   Role   `json:"role"`
	// Name says for people what the key is for; empty where nobody said.
	Name string `json:"name,omitempty"`
	// User is for whom alone the key is; empty for anybody.
	User      string    `json:"userId,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	// ExpiresAt is when the key ends; nil for never.
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
	// RevokedAt is when the key was revoked; nil where it was not. A revoked key is kept, so that it is known by name.
	RevokedAt *time.Time `json:"revokedAt,omitempty"`
}

const (
	keyMark = "mneme_"
	// prefixRandom and secretRandom are how many bytes of chance there are in a key's prefix and behind it.
	prefixRandom, secretRandom = 5, 32
	// RandomBytes is how many bytes of chance a key takes.
	RandomBytes = prefixRandom + secretRandom
)

// base is without padding and in lower case, so that a double click takes a whole key.
var base = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

var (
	keyForm    = regexp.MustCompile(`^mneme_[a-z2-7]{8}_[a-z2-7]{52}$`)
	prefixForm = regexp.MustCompile(`^mneme_[a-z2-7]{8}$`)
)

// Text makes a key of RandomBytes bytes of chance, as its holder presents it: mneme_, 8 characters that end the prefix,
// _ and 52 characters.
func Text(random [RandomBytes]byte) string {
	return keyMark + base.EncodeToString(random[:prefixRandom]) + "_" + base.EncodeToString(random[prefixRandom:])
}

// PrefixOf is the prefix of a text that has the form of a key. Any other is none, and need not be looked up.
func PrefixOf(text string) (prefix string, ok bool) {
	if !keyForm.MatchString(text) {
		return "", false
	}
	return text[:strings.LastIndexByte(text, '_')], true
}

// ParsePrefix reads the prefix of a key, with or without the mneme_ that it begins with. A whole key is taken for its
// prefix.
func ParsePrefix(text string) (prefix string, ok bool) {
	if prefix, ok := PrefixOf(text); ok {
		return prefix, true
	}
	if !strings.HasPrefix(text, keyMark) {
		text = keyMark + text
	}
	return text, prefixForm.MatchString(text)
}

// HashOf is the hash by which a key is known.
func HashOf(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// Is says whether a text is the key. How long it takes does not tell how much of it is right.
func (k *Key) Is(text string) bool { return subtle.ConstantTimeCompare(k.Hash, HashOf(text)) == 1 }

// State is whether a key is good.
type State string

// The closed set of states.
const (
	Good    State = "GOOD"
	Expired State = "EXPIRED"
	Revoked State = "REVOKED"
)

// StateAt is the state of the key at an instant: from ExpiresAt on it has expired, and revoked it stays so.
func (k *Key) StateAt(now time.Time) State {
	switch {
	case k.RevokedAt != nil:
		return Revoked
	case k.ExpiresAt != nil && !now.Before(*k.ExpiresAt):
		return Expired
	default:
		return Good
	}
}
