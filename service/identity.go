package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
)

// hashBytes is the length of the hash of an input.
const hashBytes = 16

// inputHash is the hash of a clean input. A refused input has none: its hash would need a key, and the key makes the tenant.
func (t *tenant) inputHash(ctx context.Context, b *boundary, clean any) []byte {
	if b.err == nil {
		b.fail(t.keyed(ctx))
	}
	if b.err != nil {
		return nil
	}
	return t.hash(clean)
}

// hash is a keyed hash of a plain value, by the key that keyed loads. The same content sent again has the same hash, and
// nobody without the tenant's key can test guesses at it.
func (t *tenant) hash(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("service: an input that cannot be encoded: " + err.Error()) // inputs are plain structs
	}
	mac := hmac.New(sha256.New, *t.key.Load())
	mac.Write(text)
	return mac.Sum(nil)[:hashBytes]
}
