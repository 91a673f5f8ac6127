// Package keyring holds the use cases of keys: making, listing and revoking them, and finding out who asks by the key
// that is presented. Keys are of the deployment rather than of a tenant: which tenant is asked for is what a key says.
// Every error is a *memory.Error, or the context's own.
package keyring

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/faults"
	"mneme/store"
)

// longestName is how many bytes the name of a key may have.
const longestName = 200

// askTime is how long it may take to find out who asks. Until then nothing else bounds a request, and nobody can be
// answered anything.
const askTime = 10 * time.Second

// Keyring is the keys of a deployment. It is safe for concurrent use.
type Keyring struct {
	keys  store.Keys
	log   *slog.Logger
	now   func() time.Time
	known *known
}

// New makes a Keyring over a store. Which keys are made and revoked is logged, never a key.
func New(keys store.Keys, log *slog.Logger) *Keyring {
	return &Keyring{keys: keys, log: log, now: time.Now, known: newKnown()}
}

// WithClock sets the clock, for tests.
func (k *Keyring) WithClock(now func() time.Time) *Keyring {
	k.now = now
	return k
}

// CreateInput says which key is to be made.
type CreateInput struct {
	Tenant string
	Role   access.Role
	// Name says for people what the key is for, in up to 200 bytes; empty for nothing.
	Name string
	// UserID is for whom alone it is; nil for anybody.
	UserID *string
	// ExpiresAt is when it ends, after now; nil for never.
	ExpiresAt *time.Time
}

// Created is a key that was made. Secret is the key itself, which nobody can show again.
type Created struct {
	access.Key
	Secret string
	// Warning says what follows that its maker may not expect; empty for nothing.
	Warning string
}

// Create makes a key. Its errors are INVALID_INPUT at tenant, role, name or expiresAt.
func (k *Keyring) Create(ctx context.Context, input CreateInput) (*Created, error) {
	now := stamp(k.now())
	if err := check(input, now); err != nil {
		return nil, err
	}
	if _, err := k.Any(ctx); err != nil { // those that were there would be forgotten without a word
		return nil, err
	}
	var random [access.RandomBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	secret := access.Text(random)
	prefix, _ := access.PrefixOf(secret)
	key := access.Key{
		Prefix: prefix, Hash: access.HashOf(secret), Tenant: input.Tenant, Role: input.Role, Name: input.Name, CreatedAt: now,
		User: memory.OrZero(input.UserID),
	}
	if input.ExpiresAt != nil {
		key.ExpiresAt = new(stamp(*input.ExpiresAt))
	}
	if err := k.keys.AddKey(ctx, key); err != nil {
		return nil, fault(err)
	}
	k.log.InfoContext(ctx, "a key was made", about(ctx, &key)...)
	return &Created{Key: key, Secret: secret, Warning: k.lockedOut(ctx, &key)}, nil
}

// about is what the log says of a key, and by whose key it was dealt with; on the command line it is nobody's.
func about(ctx context.Context, key *access.Key) []any {
	said := []any{"prefix", key.Prefix, "tenant", key.Tenant, "role", key.Role}
	if by := access.Of(ctx).Name; by != "" {
		said = append(said, "by", by)
	}
	return said
}

// lockedOut is the warning where nobody with a key may make the next of the tenant, or with the first key of all of the
// default one, which was open until now: whoever asks without one asks in vain from now on.
func (k *Keyring) lockedOut(ctx context.Context, made *access.Key) string {
	if access.Of(ctx).Name != "" {
		return ""
	}
	keys, err := k.keys.ListKeys(ctx, nil)
	if err != nil { // the key is made, and must be shown
		return ""
	}
	tenants := []string{made.Tenant}
	if len(keys) == 1 && made.Tenant != access.DefaultTenant {
		tenants = append(tenants, access.DefaultTenant)
	}
	tenants = slices.DeleteFunc(tenants, func(tenant string) bool {
		return slices.ContainsFunc(keys, func(key access.Key) bool {
			return key.Tenant == tenant && key.Role == access.Admin && k.State(&key) == access.Good
		})
	})
	if len(tenants) == 0 {
		return ""
	}
	commands := memory.Mapped(tenants, func(tenant string) string { return "mneme keys create --role admin --tenant " + tenant })
	return "a server asks everyone for a key now, and no admin of tenant " + strings.Join(tenants, " or of ") + " has one: unless MNEME_API_KEY or tokens make somebody one, only the command line (" +
		strings.Join(commands, "; ") + ") makes it"
}

func check(input CreateInput, now time.Time) error {
	switch {
	case !store.TenantID.MatchString(input.Tenant):
		return memory.Invalid("tenant", "must be 1–64 characters of a–z, 0–9, '-' and '_', starting with a letter or digit")
	case !input.Role.Valid():
		return memory.Invalid("role", "must be reader, writer or admin")
	case len(input.Name) > longestName || !utf8.ValidString(input.Name) || strings.ContainsFunc(input.Name, unicode.IsControl):
		return memory.Invalid("name", "must be at most %d bytes of UTF-8 without control characters", longestName)
	case input.UserID != nil && memory.CheckKey("userId", *input.UserID) != nil:
		return memory.CheckKey("userId", *input.UserID)
	case input.UserID != nil && *input.UserID == memory.SeveralUsers:
		return memory.Invalid("userId", "must not be *, which stands for several users")
	case input.ExpiresAt == nil:
		return nil
	case !stamp(*input.ExpiresAt).After(now):
		return memory.Invalid("expiresAt", "must be in the future")
	}
	return memory.CheckTime("expiresAt", *input.ExpiresAt)
}

// List lists the keys of a tenant, or of all where tenant is nil, the newest first, with those that are no longer good.
func (k *Keyring) List(ctx context.Context, tenant *string) ([]access.Key, error) {
	keys, err := k.keys.ListKeys(ctx, tenant)
	if err == nil && len(keys) == 0 {
		_, err = k.keys.HasKeys(ctx)
	}
	return keys, fault(err)
}

// Reset forgets all keys, those that are gone too: whoever can reach a server that needs none is an admin then.
func (k *Keyring) Reset(ctx context.Context) error {
	err := k.keys.ResetKeys(ctx)
	k.known.forget()
	return fault(err)
}

// NoneGood says that there are keys and none of them opens anything.
func (k *Keyring) NoneGood(ctx context.Context) (bool, error) {
	keys, err := k.List(ctx, nil)
	return len(keys) > 0 && !slices.ContainsFunc(keys, func(key access.Key) bool { return k.State(&key) == access.Good }), err
}

// Revoked is a key that is revoked. Already is whether it was so before, since its RevokedAt.
type Revoked struct {
	access.Key
	Already bool
}

// Revoke ends a key of a tenant, or of any where tenant is nil, by its prefix: at once in this process, within a second
// in all others. To revoke it again changes nothing. Its errors are INVALID_INPUT at prefix, and NOT_FOUND.
func (k *Keyring) Revoke(ctx context.Context, text string, tenant *string) (*Revoked, error) {
	prefix, ok := access.ParsePrefix(text)
	if !ok {
		return nil, memory.Invalid("prefix", "must be the first 14 characters of a key, such as mneme_k3x7q2aa: mneme keys list shows them")
	}
	now := stamp(k.now())
	key, err := k.keys.RevokeKey(ctx, prefix, tenant, now)
	k.known.keys.Remove(prefix)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, &memory.Error{Code: memory.CodeNotFound, Field: "prefix", Message: "there is no key " + prefix, Cause: err}
	case err != nil:
		return nil, fault(err)
	}
	already := !key.RevokedAt.Equal(now) // a store keeps the first
	if !already {
		k.log.InfoContext(ctx, "a key was revoked", about(ctx, &key)...)
	}
	return &Revoked{Key: key, Already: already}, nil
}

// State is whether a key is good now.
func (k *Keyring) State(key *access.Key) access.State { return key.StateAt(k.now()) }

// Find says who presents a key. It asks the store at most once a second for a good key. It is UNAUTHENTICATED where
// there is no such key, and where it has expired or was revoked, which only the holder of the whole key is told;
// UNAVAILABLE where the store cannot be asked.
func (k *Keyring) Find(ctx context.Context, presented string) (access.Caller, error) {
	prefix, ok := access.PrefixOf(presented)
	if !ok {
		return access.Caller{}, Unknown()
	}
	key := k.known.key(prefix)
	if key == nil {
		var err error
		asked := time.Now()
		key, err = soon(ctx, func(ctx context.Context) (*access.Key, error) { return k.keys.Key(ctx, prefix) })
		if err != nil {
			return access.Caller{}, fault(err)
		}
		if key != nil && key.Is(presented) {
			k.known.keys.Add(prefix, knownKey{key, asked})
		}
	}
	if key == nil || !key.Is(presented) {
		return access.Caller{}, Unknown()
	}
	switch key.StateAt(k.now()) {
	case access.Revoked:
		return access.Caller{}, unauthenticated("the key was revoked")
	case access.Expired:
		return access.Caller{}, unauthenticated("the key has expired")
	case access.Good:
	}
	return access.Caller{Tenant: key.Tenant, Role: key.Role, Name: key.Prefix, User: key.User}, nil
}

// Any says whether a key was ever made; UNAVAILABLE where all are lost. While there are keys it asks once a second.
func (k *Keyring) Any(ctx context.Context) (bool, error) {
	if k.known.hasAny() {
		return true, nil
	}
	asked := time.Now()
	has, err := soon(ctx, k.keys.HasKeys)
	if has && err == nil {
		k.known.any.Store(&asked)
	}
	return has, fault(err)
}

// soon asks a store that is unavailable where it does not answer within askTime.
func soon[T any](ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	within, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	answer, err := ask(within)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: no answer within %s: %v", store.ErrUnavailable, askTime, err) //nolint:errorlint // the deadline is ours, no caller's
	}
	return answer, err
}

// Unknown is the error for a key that is none of the deployment's.
func Unknown() error { return unauthenticated("the key is not valid here") }

func unauthenticated(message string) error {
	return &memory.Error{Code: memory.CodeUnauthenticated, Message: message}
}

func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// fault turns a store's error into the domain's.
func fault(err error) error {
	message := ""
	switch {
	case errors.Is(err, store.ErrKeysLost):
		message = "the keys of this memory are gone: put them back, or discard them with mneme keys reset"
	case errors.Is(err, store.ErrSchemaVersion):
		message = "the keys were made by another version; use that one, or make new keys"
	case errors.Is(err, store.ErrTooMuch): // a key takes little work: the store has too much
		message = "the store of the keys cannot be used now; try again"
	default:
		return faults.Of("the keys", err)
	}
	return &memory.Error{Code: memory.CodeUnavailable, Message: message, Cause: err}
}
