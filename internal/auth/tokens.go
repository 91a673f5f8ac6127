package auth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"mneme/memory"
	"mneme/memory/access"
)

// TokenOptions say whose tokens are taken, and what they say of their holder.
type TokenOptions struct {
	// Issuer is the URL of an OpenID Connect provider, whose keys are found by discovery.
	Issuer string
	// Audience is what a token must be for.
	Audience string
	// Algorithms are those that a token may be signed with, of Algorithms; RS256 where there are none.
	Algorithms []string
	// TenantClaim and RoleClaim are the claims that name the tenant, and the role or a list of roles: the highest counts.
	// A name with dots that no claim has leads into objects ("realm_access.roles"). Empty ones are "tenant" and "role".
	TenantClaim, RoleClaim string
	// Roles are the roles by what the claim calls them; without, it calls them as mneme does.
	Roles map[string]access.Role
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Algorithms are those by which tokens can be signed: with a key of which others have only the half that verifies.
var Algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}

const (
	// clockSkew is how far the clocks of an issuer and of this machine may be apart.
	clockSkew = time.Minute
	// longestToken is in bytes; other headers need room too.
	longestToken = 16 << 10
)

// Tokens verifies JSON Web Tokens of one issuer. It is safe for concurrent use.
type Tokens struct {
	options TokenOptions
	issuer  *issuer
}

// NewTokens takes tokens of an issuer, whose keys Run reads.
func NewTokens(options TokenOptions, log *slog.Logger) *Tokens {
	if options.Now == nil {
		options.Now = time.Now
	}
	if len(options.Algorithms) == 0 {
		options.Algorithms = []string{oidc.RS256}
	}
	options.TenantClaim, options.RoleClaim = cmp.Or(options.TenantClaim, "tenant"), cmp.Or(options.RoleClaim, "role")
	return &Tokens{options: options, issuer: newIssuer(options.Issuer, log)}
}

// Run reads the issuer's keys, and reads them again from time to time, until the context ends. It logs when they cannot
// be read and when they can again. Find waits for the first try.
func (t *Tokens) Run(ctx context.Context) { t.issuer.run(ctx) }

// IsToken says whether what is presented has the form of a token, which no key has.
func IsToken(presented string) bool { return strings.Count(presented, ".") == 2 }

// Find says who presents a token. It is UNAUTHENTICATED where the token is not good, FORBIDDEN where it is and names no
// tenant or no role, and UNAVAILABLE where the issuer cannot be asked for its keys.
func (t *Tokens) Find(ctx context.Context, presented string) (access.Caller, error) {
	if len(presented) > longestToken {
		return access.Caller{}, badToken("is too long")
	}
	token, err := t.verify(ctx, presented)
	if err != nil {
		return access.Caller{}, err
	}
	claims := map[string]any{}
	if err := token.Claims(&claims); err != nil {
		return access.Caller{}, badToken("is not valid here")
	}
	for _, begin := range []string{"nbf", "iat"} {
		if at, ok := claims[begin].(float64); ok && at > float64(t.options.Now().Add(clockSkew).Unix()) {
			return access.Caller{}, badToken("is not valid yet")
		}
	}
	return t.caller(token, claims)
}

// verify checks all that a token says of itself but when it begins.
func (t *Tokens) verify(ctx context.Context, presented string) (*oidc.IDToken, error) {
	keys := &lookup{keys: t.issuer}
	token, err := oidc.NewVerifier(t.options.Issuer, keys, &oidc.Config{
		ClientID: t.options.Audience, SupportedSigningAlgs: t.options.Algorithms,
		Now: func() time.Time { return t.options.Now().Add(-clockSkew) },
	}).Verify(ctx, presented)
	var expired *oidc.TokenExpiredError
	switch {
	case err == nil:
		return token, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(keys.err, errAway):
		return nil, errAway
	case errors.As(err, &expired) && expired.Expiry.IsZero():
		return nil, badToken("has no end (exp)")
	case errors.As(err, &expired):
		return nil, badToken("has expired")
	default: // which may repeat what it says
		return nil, badToken("is not valid here")
	}
}

// lookup remembers of one token what the library makes a text of.
type lookup struct {
	keys oidc.KeySet
	err  error
}

// VerifySignature asks the keys.
func (l *lookup) VerifySignature(ctx context.Context, token string) (payload []byte, err error) {
	payload, l.err = l.keys.VerifySignature(ctx, token)
	return payload, l.err
}

func (t *Tokens) caller(token *oidc.IDToken, claims map[string]any) (access.Caller, error) {
	tenant, _ := claimOf(claims, t.options.TenantClaim).(string)
	if !access.TenantID.MatchString(tenant) {
		return access.Caller{}, forbidden("the token names no tenant in its claim %s", t.options.TenantClaim)
	}
	role := t.role(claimOf(claims, t.options.RoleClaim))
	if role == "" {
		return access.Caller{}, forbidden("the token names no role of this server in its claim %s", t.options.RoleClaim)
	}
	return access.Caller{Tenant: tenant, Role: role, Name: "oidc:" + subject(token)}, nil
}

// role is the highest that a claim names; empty for none.
func (t *Tokens) role(claim any) (highest access.Role) {
	words, _ := claim.([]any)
	if word, ok := claim.(string); ok {
		words = []any{word}
	}
	for _, word := range words {
		name, _ := word.(string)
		role := t.options.Roles[name]
		if t.options.Roles == nil {
			role, _ = access.ParseRole(name)
		}
		if slices.Index(access.Roles, role) > slices.Index(access.Roles, highest) {
			highest = role
		}
	}
	return highest
}

// claimOf finds a claim by its name, or by the way that its dots say; nil where there is none.
func claimOf(claims map[string]any, name string) any {
	if value, ok := claims[name]; ok {
		return value
	}
	first, rest, dotted := strings.Cut(name, ".")
	if inner, ok := claims[first].(map[string]any); ok && dotted {
		return claimOf(inner, rest)
	}
	return nil
}

// plainSubject is one that can stand in the log as it is.
var plainSubject = regexp.MustCompile(`^[A-Za-z0-9_.:|@-]{1,64}$`)

// subject names the holder of a token for the log.
func subject(token *oidc.IDToken) string {
	if plainSubject.MatchString(token.Subject) {
		return token.Subject
	}
	sum := sha256.Sum256([]byte(token.Subject))
	return hex.EncodeToString(sum[:8])
}

func badToken(what string) error {
	return &memory.Error{Code: memory.CodeUnauthenticated, Message: "the token " + what}
}

func forbidden(format string, args ...any) error {
	return &memory.Error{Code: memory.CodeForbidden, Message: fmt.Sprintf(format, args...)}
}
