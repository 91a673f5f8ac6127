package access

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"mneme/memory"
)

// DefaultTenant is whose memory is worked on where nobody says otherwise.
const DefaultTenant = "default"

// TenantID is what the id of a tenant is like, which keeps the names of files harmless.
var TenantID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// Caller is who asks: whose memory it is about, and what the caller may do with it.
type Caller struct {
	// Tenant is the id of the tenant, see TenantID.
	Tenant string
	Role   Role
	// Name is by what the caller is known in the log: the prefix of a key, never the key.
	Name string
	// User is for whom alone the caller asks and records; empty where that is for anybody.
	User string
}

// UserID is User, nil for anybody.
func (c Caller) UserID() *string {
	if c.User == "" {
		return nil
	}
	return &c.User
}

type callerKey struct{}

// With says who asks in the name of a context.
func With(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// Of is who asks. Where no door said so it is the program itself, which may all with the default tenant.
func Of(ctx context.Context) Caller {
	if caller, ok := ctx.Value(callerKey{}).(Caller); ok {
		return caller
	}
	return Caller{Tenant: DefaultTenant, Role: Admin}
}

// Check answers nil where whoever asks may do an act, else FORBIDDEN. what names the thing asked for.
func Check(ctx context.Context, act Act, what string) error {
	caller := Of(ctx)
	if caller.Role.May(act) {
		return nil
	}
	return &memory.Error{Code: memory.CodeForbidden, Message: fmt.Sprintf(
		"%s needs the role %s, and this key has the role %s", what, strings.ToLower(string(act.Needs())), strings.ToLower(string(caller.Role)))}
}

type recheckKey struct{}

// WithRecheck lets whoever answers a context for long ask again whether its caller may still ask.
func WithRecheck(ctx context.Context, check func(context.Context) error) context.Context {
	return context.WithValue(ctx, recheckKey{}, check)
}

// Recheck answers nil where the caller of a context may still ask, else why not: a key may have ended since.
func Recheck(ctx context.Context) error {
	if check, ok := ctx.Value(recheckKey{}).(func(context.Context) error); ok {
		return check(ctx)
	}
	return nil
}

type turnKey struct{}

// WithTurns counts what is asked for in a context beyond the request itself, where a connection asks often. A turn says
// how long the caller must wait, and that this is LIMIT_EXCEEDED; one that waits longer than most does not count.
func WithTurns(ctx context.Context, turn func(most time.Duration) (wait time.Duration, refused *memory.Error)) context.Context {
	return context.WithValue(ctx, turnKey{}, turn)
}

// Turn answers nil where the caller of a context may ask once more now, else LIMIT_EXCEEDED.
func Turn(ctx context.Context) *memory.Error {
	_, refused := turn(ctx, 0)
	return refused
}

// AwaitTurn waits until the caller of a context may ask once more, or the context ends.
func AwaitTurn(ctx context.Context) {
	if wait, _ := turn(ctx, time.Hour); wait > 0 {
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

func turn(ctx context.Context, most time.Duration) (time.Duration, *memory.Error) {
	if turn, ok := ctx.Value(turnKey{}).(func(time.Duration) (time.Duration, *memory.Error)); ok {
		return turn(most)
	}
	return 0, nil
}
