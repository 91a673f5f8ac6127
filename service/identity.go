package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
)

// hashBytes is the length of the hash of an input.
const hashBytes = 16

// identified builds a record of an input, and hashes what build says the input was once it was clean.
func identified[R any](ctx context.Context, t *tenant, build func(b *boundary) (record R, clean any)) (record R, hash []byte, err error) {
	b := t.boundary(ctx)
	record, clean := build(b)
	if b.err == nil { // what is refused makes no key, and so no tenant
		b.fail(t.keyed(ctx))
	}
	if b.err != nil {
		var none R
		return none, nil, b.err
	}
	return record, t.hash(clean), nil
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
