// Package settings is what a tenant keeps once: the key that its inputs are hashed with, and the length of its vectors.
package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// What a tenant's node keeps. The length of vectors follows from them, so that where it cannot be read, mneme goes on
// without it.
const (
	InputKeyProperty     = "inputKey"
	VectorLengthProperty = "vectorLength"
)

// Settings are what a tenant keeps once, as this process knows them.
type Settings struct {
	*bolt.Tenant

	// Both are written once per tenant, so a process asks for them once.
	knownKey    atomic.Pointer[[]byte]
	knownLength atomic.Int64
}

// KnownKey is the input key, nil where this process has not asked for it yet.
func (s *Settings) KnownKey() []byte {
	if key := s.knownKey.Load(); key != nil {
		return *key
	}
	return nil
}

// KeepKey notes the input key that was written.
func (s *Settings) KeepKey(key []byte) { s.knownKey.Store(&key) }

// KnownLength is the length of vectors, 0 where this process does not know of one yet.
func (s *Settings) KnownLength() int { return int(s.knownLength.Load()) }

// KeepLength notes the length of vectors that was written.
func (s *Settings) KeepLength(length int) { s.knownLength.Store(int64(length)) }

// InputKey returns the tenant's secret; see store.Store.
func (s *Settings) InputKey(ctx context.Context) ([]byte, error) {
	if key := s.KnownKey(); key != nil && ctx.Err() == nil {
		return key, nil
	}
	var key []byte
	err := s.ExecuteWrite(ctx, func(t *bolt.Transaction) (err error) {
		key, err = EnsureInputKey(t)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.KeepKey(key)
	return key, nil
}

// VectorLength is the length of the tenant's embeddings, as it was fixed; where that cannot be read, the length that
// most have. See store.EpisodeReader.
func (s *Settings) VectorLength(ctx context.Context) (int, error) {
	if length := s.KnownLength(); length > 0 {
		return length, nil
	}
	q := s.Query(cypher.Named("vector_length"), nil)
	fixed, err := bolt.One(ctx, s.Connection, q, bolt.AnyColumn("length"))
	length := SoundLength(fixed)
	if err == nil && length == 0 && fixed != nil {
		length, err = s.LengthOfMost(ctx)
	}
	if err == nil && length > 0 {
		s.KeepLength(length)
	}
	return length, err
}

// SoundKey is the input key that a value is, nil where it is none.
func SoundKey(value any) []byte {
	if key, ok := value.([]byte); ok && len(key) == store.InputKeyBytes {
		return key
	}
	return nil
}

// SoundLength is the length of vectors that a value is, 0 where it is none.
func SoundLength(value any) int {
	if length, ok := value.(int64); ok && length > 0 && length <= store.LongestVector {
		return int(length)
	}
	return 0
}

// EnsureInputKey makes the tenant's node and its input key where nothing was hashed with one yet, and returns the key.
func EnsureInputKey(t *bolt.Transaction) ([]byte, error) {
	made := store.NewInputKey() // a proposal: the first wins
	value, err := bolt.FirstOf(t, cypher.Named("tenant"), cypher.Parameters{InputKeyProperty: made}, bolt.AnyColumn(InputKeyProperty))
	if err != nil {
		return nil, err
	}
	key := SoundKey(value)
	if key != nil && !bytes.Equal(key, made) {
		return key, nil
	}
	switch hashed, err := AnyHashed(t); {
	case err != nil:
		return nil, err
	case hashed:
		cause := errors.New("its value is none")
		if key != nil || value == nil {
			cause = errors.New("it is gone")
		}
		return nil, &store.Damaged{Kind: store.KindSetting, Key: InputKeyProperty, Cause: cause}
	case key == nil:
		return MakeInputKey(t)
	}
	return key, nil
}

// AnyHashed says whether the tenant has anything that was hashed with an input key.
func AnyHashed(t *bolt.Transaction) (bool, error) {
	return bolt.FirstOf(t, cypher.Named("has_records"), nil, bolt.Column[bool]("has"))
}

// MakeInputKey makes a key in the place of one that is gone or cannot be read, and gives what is there then.
func MakeInputKey(t *bolt.Transaction) ([]byte, error) {
	value, err := bolt.FirstOf(t, cypher.Named("lock_tenant"), nil, bolt.AnyColumn(InputKeyProperty))
	if err != nil {
		return nil, err
	}
	if key := SoundKey(value); key != nil { // made meanwhile
		return key, nil
	}
	key := store.NewInputKey()
	return key, Set(t, InputKeyProperty, key)
}

// Set writes a setting of the tenant; nil takes it away.
func Set(t *bolt.Transaction, name string, value any) error {
	return t.Run(cypher.Named("set_setting"), cypher.Parameters{"setting": cypher.Parameters{name: value}}, nil)
}

// LengthOfMost is the length that most vectors have, else the one that was fixed.
func (s *Settings) LengthOfMost(ctx context.Context) (int, error) {
	fixed, err := bolt.One(ctx, s.Connection, s.Query(cypher.Named("vector_length"), nil), bolt.AnyColumn("length"))
	if err != nil {
		return 0, err
	}
	length := SoundLength(fixed)
	q := s.Query(Prevailing, cypher.Parameters{"preferred": length})
	q.Within = 0 // it looks at all episodes
	err = s.Each(ctx, q, func(f *bolt.Fields) { length = f.Integer("length") })
	return length, err
}

// Prevailing asks for the length that most vectors have, before others that as many have a preferred one.
var Prevailing = cypher.Named("prevailing_length")

// VectorProperty is the property that holds vectors of a length.
func VectorProperty(length int) string { return fmt.Sprintf("embedding%d", length) }
