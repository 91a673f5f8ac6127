package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/access"
)

// Keys keeps the keys of all tenants: what they open and their hashes, never the keys. They are no part of a tenant's
// memory: they are not exported, and deleting records leaves them.
type Keys interface {
	// AddKey keeps a key. It returns ErrConflict where there is one with its prefix.
	AddKey(ctx context.Context, key access.Key) error
	// Key is the key with a prefix, revoked and expired ones too; nil where there is none. One that cannot be read is an
	// error. Every process sees at once what another has written.
	Key(ctx context.Context, prefix string) (*access.Key, error)
	// ListKeys lists the keys of a tenant, or of all where tenant is nil: the newest first, then by prefix. It leaves out
	// those that cannot be read, and tells of them by NoteDamage.
	ListKeys(ctx context.Context, tenant *string) ([]access.Key, error)
	// RevokeKey revokes a key, also one whose role cannot be read, and returns it. A key revoked before keeps its time. It
	// returns ErrNotFound where none has the prefix, or where it is of another tenant than the given one; nil is any.
	RevokeKey(ctx context.Context, prefix string, tenant *string, at time.Time) (access.Key, error)
	// HasKeys says whether a key was ever added, whatever became of it; ErrKeysLost where all of them are gone.
	HasKeys(ctx context.Context) (bool, error)
	// ResetKeys deletes all keys, also those that cannot be read, and that there were any.
	ResetKeys(ctx context.Context) error
}

// CheckKey says whether a key that is kept has a role. That of a revoked key matters no more: where it is none, it
// becomes the least.
func CheckKey(key *access.Key) error {
	if key.RevokedAt != nil && !key.Role.Valid() {
		key.Role = access.Reader
	}
	return memory.CheckKeptWord(key.Role)
}

// ExamineKeys says how many keys of an Examiner's store work and how many no longer do, or why they cannot be read.
func ExamineKeys(ctx context.Context, keys Keys) Finding {
	var damage Damage
	all, err := keys.ListKeys(WithDamage(ctx, damage.Note), nil)
	good, unread := 0, damage.Found()
	for i := range all {
		if all[i].StateAt(time.Now()) == access.Good {
			good++
		}
	}
	if err == nil {
		_, err = keys.HasKeys(ctx)
	}
	finding := Finding{Part: "access keys", Found: fmt.Sprintf("%d, and %d revoked or expired", good, len(all)-good)}
	switch {
	case err != nil:
		finding.Fault = "they cannot be read: " + err.Error()
		finding.Remedy = remedyForKeys(err)
	case len(unread) > 0:
		prefixes := make([]string, len(unread))
		for i, damaged := range unread {
			prefixes[i] = damaged.Key
		}
		finding.Fault = fmt.Sprintf("%d cannot be read, and open nothing: %s", len(unread), strings.Join(prefixes, ", "))
		finding.Remedy = "Revoke them, one after the other: mneme keys revoke " + prefixes[0]
	}
	return finding
}

// remedyForKeys says what to do where keys cannot be read.
func remedyForKeys(err error) string {
	switch {
	case errors.Is(err, ErrSchemaVersion):
		return "Use the version that made them, or name another data directory. Nothing was changed."
	case errors.Is(err, ErrForeign):
		return "Move its file elsewhere, or name another data directory. It is left as it is."
	}
	return "Put those of a backup in their place; or delete them all, and make new ones: mneme keys reset"
}
