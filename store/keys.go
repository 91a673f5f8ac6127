package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"mneme/memory/access"
)

// Keys keeps the keys of all tenants: what they open and their hashes, never the keys. They are no part of a tenant's
// memory: they are not exported, and deleting records leaves them.
type Keys interface {
	// AddKey keeps a key. It returns ErrConflict where there is one with its prefix.
	AddKey(ctx context.Context, key access.Key) error
	// Key is the key with a prefix, revoked and expired ones too; nil where there is none. Every process sees at once
	// what another has written.
	Key(ctx context.Context, prefix string) (*access.Key, error)
	// ListKeys lists the keys of a tenant, or of all where tenant is nil: the newest first, then by prefix.
	ListKeys(ctx context.Context, tenant *string) ([]access.Key, error)
	// RevokeKey revokes a key and returns it. One that was revoked before stays revoked since then. It returns
	// ErrNotFound where there is none with the prefix, or where it is of another tenant than the given one; nil is any.
	RevokeKey(ctx context.Context, prefix string, tenant *string, at time.Time) (access.Key, error)
	// HasKeys says whether a key was ever added, whatever became of it.
	HasKeys(ctx context.Context) (bool, error)
}

// ExamineKeys says of an Examiner's store how many keys of it work, and how many do not any more, or why they cannot be read.
func ExamineKeys(ctx context.Context, keys Keys) Finding {
	finding := Finding{Part: "access keys"}
	all, err := keys.ListKeys(ctx, nil)
	if err != nil {
		finding.Fault = "they cannot be read: " + err.Error()
		finding.Remedy = remedyForKeys(err)
		return finding
	}
	good, now := 0, time.Now()
	for i := range all {
		if all[i].StateAt(now) == access.Good {
			good++
		}
	}
	ended := fmt.Sprintf("%d revoked or expired", len(all)-good)
	switch {
	case len(all) == 0:
		finding.Found = "none"
	case good == len(all):
		finding.Found = strconv.Itoa(good)
	case good == 0:
		finding.Found = "none that works, " + ended
	default:
		finding.Found = fmt.Sprintf("%d, and %s", good, ended)
	}
	return finding
}

// remedyForKeys says what to do where keys cannot be read. Where there are none, whoever can reach the server is let in.
func remedyForKeys(err error) string {
	switch {
	case errors.Is(err, ErrSchemaVersion):
		return "Update this program. Nothing was changed."
	case errors.Is(err, ErrForeign):
		return "Move its file elsewhere, or name another data directory. It is left as it is."
	}
	return "Stop the server. Put those of a backup in their place; or delete them, and make new ones before it starts again: mneme keys create."
}
