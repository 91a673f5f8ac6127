// Package keyring keeps the keys of all tenants in their graph. They are none of a tenant's, so that a key can be
// looked up before it is known whose it is, and so that no export of a tenant has it.
package keyring

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"mneme/memory/access"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Ring is where keys are kept.
type Ring struct{ Connection *bolt.Connection }

var _ store.Keys = (*Ring)(nil)

func query(write bool, asked cypher.Statement, values cypher.Parameters) bolt.Query {
	return bolt.Query{Statement: asked, Parameters: values, Write: write, Within: bolt.ReadTime}
}

// AddKey keeps a key; see store.Keys.
func (r *Ring) AddKey(ctx context.Context, key access.Key) error {
	added, err := bolt.Read(ctx, r.Connection, query(true, cypher.Named("add_key"), cypher.Parameters{"key": cypher.Parameters{
		"key": key.Prefix, "hash": hex.EncodeToString(key.Hash), "tenant": key.Tenant, "role": string(key.Role), "name": key.Name, "user": key.User,
		"createdAt": bolt.Instant(key.CreatedAt), "expiresAt": bolt.OptionalInstant(key.ExpiresAt), "revokedAt": bolt.OptionalInstant(key.RevokedAt),
	}}), bolt.Column[string]("key"))
	if err == nil && len(added) == 0 {
		return fmt.Errorf("the key %s: %w", key.Prefix, store.ErrConflict)
	}
	return err
}

// Key finds a key by its prefix; see store.Keys.
func (r *Ring) Key(ctx context.Context, prefix string) (*access.Key, error) {
	found, err := bolt.Read(ctx, r.Connection, query(false, cypher.Named("find_key"), cypher.Parameters{"key": prefix}), bolt.Node(readKey))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// ListKeys lists keys, the newest first; see store.Keys.
func (r *Ring) ListKeys(ctx context.Context, tenant *string) ([]access.Key, error) {
	asked := query(false, cypher.Named("list_keys"), cypher.Parameters{"tenant": tenant})
	return bolt.Read(ctx, r.Connection, asked, bolt.Node(func(f *bolt.Fields) access.Key {
		f.Key(store.KindAccessKey) // one that cannot be read is left out
		return readKey(f)
	}))
}

// RevokeKey revokes a key; see store.Keys.
func (r *Ring) RevokeKey(ctx context.Context, prefix string, tenant *string, at time.Time) (access.Key, error) {
	revoked, err := bolt.Read(ctx, r.Connection, query(true, cypher.Named("revoke_key"), cypher.Parameters{
		"key": prefix, "tenant": tenant, "at": bolt.Instant(at),
	}), bolt.Node(readKey))
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
	return bolt.One(ctx, r.Connection, query(false, cypher.Named("has_keys"), nil), func(row *bolt.Fields) bool {
		has, had := bolt.Required[bool](row, "has"), bolt.Required[bool](row, "had")
		if had && !has {
			row.Err = cmp.Or(row.Err, store.ErrKeysLost)
		}
		return has
	})
}

// ResetKeys deletes all keys; see store.Keys.
func (r *Ring) ResetKeys(ctx context.Context) error {
	return r.Connection.Command(ctx, query(true, cypher.Named("reset_keys"), nil))
}

// readKey reads a key. One that cannot be read opens nothing: it is a fault, not a key with less.
func readKey(f *bolt.Fields) access.Key {
	key := access.Key{
		Prefix: f.Text("key"), Tenant: f.Text("tenant"), Role: access.Role(f.Text("role")), Name: f.Text("name"), User: f.Text("user"),
		CreatedAt: f.Instant("createdAt"), ExpiresAt: f.OptionalInstant("expiresAt"), RevokedAt: f.OptionalInstant("revokedAt"),
	}
	f.Check("role", store.CheckKey(&key))
	hash, err := hex.DecodeString(f.Text("hash"))
	key.Hash = hash
	f.Check("hash", err)
	return key
}
