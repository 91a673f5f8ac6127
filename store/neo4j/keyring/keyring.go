// Package keyring keeps the keys of all tenants in their graph. They are none of a tenant's, so that a key can be
// looked up before it is known whose it is, and so that no export of a tenant has it.
package keyring

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Ring is where keys are kept.
type Ring struct{ Connection *bolt.Connection }

var _ store.Keys = (*Ring)(nil)

// AddKey keeps a key; see store.Keys.
func (r *Ring) AddKey(ctx context.Context, key access.Key) error {
	added, err := bolt.Read(ctx, r.Connection, bolt.Query{
		Statement: cypher.Named("add_key"), Write: true, Within: bolt.ReadTime,
		Parameters: cypher.Parameters{"key": cypher.Parameters{
			"key": key.Prefix, "hash": hex.EncodeToString(key.Hash), "tenant": key.Tenant, "role": string(key.Role), "name": key.Name, "user": key.User,
			"createdAt": bolt.Instant(key.CreatedAt), "expiresAt": bolt.OptionalInstant(key.ExpiresAt), "revokedAt": bolt.OptionalInstant(key.RevokedAt),
		}},
	}, bolt.Column[string]("key"))
	if err == nil && len(added) == 0 {
		return fmt.Errorf("the key %s: %w", key.Prefix, store.ErrConflict)
	}
	return err
}

// Key finds a key by its prefix; see store.Keys.
func (r *Ring) Key(ctx context.Context, prefix string) (*access.Key, error) {
	found, err := bolt.Read(ctx, r.Connection, bolt.Query{
		Statement: cypher.Named("find_key"), Within: bolt.ReadTime, Parameters: cypher.Parameters{"key": prefix},
	}, decodeKey)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// ListKeys lists keys, the newest first; see store.Keys.
func (r *Ring) ListKeys(ctx context.Context, tenant *string) ([]access.Key, error) {
	return bolt.Read(ctx, r.Connection, bolt.Query{
		Statement: cypher.Named("list_keys"), Within: bolt.ReadTime, Parameters: cypher.Parameters{"tenant": tenant},
	}, func(row *neo4j.Record) (access.Key, error) { return readKey(row, (*bolt.Fields).Key) })
}

// RevokeKey revokes a key; see store.Keys.
func (r *Ring) RevokeKey(ctx context.Context, prefix string, tenant *string, at time.Time) (access.Key, error) {
	revoked, err := bolt.Read(ctx, r.Connection, bolt.Query{
		Statement: cypher.Named("revoke_key"), Write: true, Within: bolt.ReadTime,
		Parameters: cypher.Parameters{"key": prefix, "tenant": tenant, "at": bolt.Instant(at)},
	}, decodeKey)
	switch {
	case err != nil:
		return access.Key{}, err
	case len(revoked) == 0:
		return access.Key{}, fmt.Errorf("the key %s: %w", prefix, store.ErrNotFound)
	}
	return revoked[0], nil
}

// HasKeys says whether there is any key; see store.Keys.
func (r *Ring) HasKeys(ctx context.Context) (bool, error) {
	return bolt.One(ctx, r.Connection, bolt.Query{Statement: cypher.Named("has_keys"), Within: bolt.ReadTime}, func(row *neo4j.Record) (bool, error) {
		has, err := bolt.Column[bool]("has")(row)
		had, broken := bolt.Column[bool]("had")(row)
		if had && !has {
			err = cmp.Or(err, store.ErrKeysLost)
		}
		return has, cmp.Or(err, broken)
	})
}

// ResetKeys deletes all keys; see store.Keys.
func (r *Ring) ResetKeys(ctx context.Context) error {
	return r.Connection.Command(ctx, bolt.Query{Statement: cypher.Named("reset_keys"), Write: true, Within: bolt.ReadTime})
}

// decodeKey reads a key. One that cannot be read opens nothing: it is a fault, not a key with less.
func decodeKey(row *neo4j.Record) (access.Key, error) {
	return readKey(row, func(f *bolt.Fields, _ memory.Kind) string { return f.Text("key") })
}

// readKey is decodeKey that reads the prefix in a way: what cannot be read is then that key's fault, and left out.
func readKey(row *neo4j.Record, prefix func(*bolt.Fields, memory.Kind) string) (access.Key, error) {
	properties, err := bolt.Column[map[string]any]("key")(row)
	if err != nil {
		return access.Key{}, err
	}
	f := bolt.FieldsOf(properties)
	key := access.Key{
		Prefix: prefix(f, store.KindAccessKey), Tenant: f.Text("tenant"), Role: access.Role(f.Text("role")), Name: f.Text("name"), User: f.Text("user"),
		CreatedAt: f.Instant("createdAt"), ExpiresAt: f.OptionalInstant("expiresAt"), RevokedAt: f.OptionalInstant("revokedAt"),
	}
	f.Check("role", store.CheckKey(&key))
	key.Hash, err = hex.DecodeString(f.Text("hash"))
	f.Check("hash", err)
	return key, f.Err
}
