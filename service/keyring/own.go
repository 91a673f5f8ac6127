package keyring

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/access"
)

// How many keys are listed at once.
const (
	DefaultListed = 100
	MaxListed     = 500
)

// Shown is what may be shown of a key.
type Shown struct {
	Prefix string
	Role   access.Role
	// Name says for people what the key is for; nil where nobody said.
	Name                 *string
	UserID               *string // for whom alone it is; nil for anybody
	CreatedAt            time.Time
	ExpiresAt, RevokedAt *time.Time
	State                access.State
}

// RevokeInput says which key an admin wants to end.
type RevokeInput struct {
	Prefix string
}

// ListOwn lists the newest keys of the caller's tenant, up to MaxListed of them; nil are DefaultListed. Its errors are
// INVALID_INPUT at first, and FORBIDDEN for who is no admin.
func (k *Keyring) ListOwn(ctx context.Context, first *int) ([]*Shown, error) {
	caller, err := k.admin(ctx, "keys")
	if err != nil {
		return nil, err
	}
	most := memory.ValueOr(first, DefaultListed)
	if most < 0 || most > MaxListed {
		return nil, memory.Invalid("first", "must be 0 to %d", MaxListed)
	}
	keys, err := k.List(ctx, &caller.Tenant)
	shown := make([]*Shown, min(len(keys), most))
	for i := range shown {
		shown[i] = k.show(&keys[i])
	}
	return shown, err
}

// CreatedOwn is a key that an admin made. Secret is the key itself; Warning is that of Created, nil for none.
type CreatedOwn struct {
	Key     *Shown
	Secret  string
	Warning *string
}

// CreateOwn makes a key of the caller's tenant and gives the key itself, too. Only admins make keys, so that none is
// above who made it. Its errors are those of Create, and FORBIDDEN.
func (k *Keyring) CreateOwn(ctx context.Context, input CreateInput) (*CreatedOwn, error) {
	caller, err := k.admin(ctx, "createKey")
	if err != nil {
		return nil, err
	}
	input.Tenant = caller.Tenant
	made, err := k.Create(ctx, input)
	if err != nil {
		return nil, err
	}
	own := &CreatedOwn{Key: k.show(&made.Key), Secret: made.Secret}
	if made.Warning != "" {
		own.Warning = &made.Warning
	}
	return own, nil
}

// RevokeOwn ends a key of the caller's tenant. A key of another is NOT_FOUND, as one that there is not. Its errors are
// those of Revoke, and FORBIDDEN.
func (k *Keyring) RevokeOwn(ctx context.Context, input RevokeInput) (*Shown, error) {
	caller, err := k.admin(ctx, "revokeKey")
	if err != nil {
		return nil, err
	}
	key, err := k.Revoke(ctx, input.Prefix, &caller.Tenant)
	if err != nil {
		return nil, err
	}
	return k.show(&key.Key), nil
}

// admin is who asks, who must be one. A server that was given no keys has none to deal with.
func (k *Keyring) admin(ctx context.Context, what string) (access.Caller, error) {
	if k == nil {
		return access.Caller{}, &memory.Error{Code: memory.CodeUnavailable, Message: "this server has no keys"}
	}
	return access.Of(ctx), access.Check(ctx, access.Administer, what)
}

func (k *Keyring) show(key *access.Key) *Shown {
	shown := &Shown{
		Prefix: key.Prefix, Role: key.Role, CreatedAt: key.CreatedAt, ExpiresAt: key.ExpiresAt, RevokedAt: key.RevokedAt, State: k.State(key),
	}
	if key.User != "" {
		shown.UserID = &key.User
	}
	if key.Name != "" {
		shown.Name = &key.Name
	}
	return shown
}
