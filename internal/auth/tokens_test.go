package auth

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"mneme/internal/inbound"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/keyring"
)

// provider is an issuer on this machine, with a key of each sort.
type provider struct {
	*oidctest.Server
	url   string
	asked atomic.Int64                     // for its keys
	ill   atomic.Pointer[http.HandlerFunc] // answers for its keys in its place
	down  atomic.Bool
	rsa   *rsa.PrivateKey
	ec    *ecdsa.PrivateKey
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	i := &provider{rsa: key, ec: ec, Server: &oidctest.Server{PublicKeys: []oidctest.PublicKey{
		{PublicKey: key.Public(), KeyID: "one", Algorithm: oidc.RS256}, {PublicKey: ec.Public(), KeyID: "curve", Algorithm: oidc.ES256},
	}}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/keys" {
			i.asked.Add(1)
			if answer := i.ill.Load(); answer != nil {
				(*answer)(w, r)
				return
			}
		}
		if i.down.Load() {
			panic(http.ErrAbortHandler)
		}
		i.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	i.url = server.URL
	i.SetIssuer(server.URL)
	return i
}

func (i *provider) tokens(t *testing.T, change func(*TokenOptions)) *Tokens {
	t.Helper()
	options := TokenOptions{Issuer: i.url, Audience: "mneme"}
	if change != nil {
		change(&options)
	}
	tokens := NewTokens(options, slog.New(slog.DiscardHandler))
	limit := tokens.issuer.limit.Limit()
	tokens.issuer.limit.SetLimit(rate.Inf)
	require.NoError(t, tokens.issuer.read(t.Context()))
	tokens.issuer.limit.SetLimit(limit)
	close(tokens.issuer.asked)
	return tokens
}

// claims are those of a good token, changed; a nil value takes one away.
func (i *provider) claims(change map[string]any) string {
	claims := map[string]any{
		"iss": i.url, "aud": "mneme", "sub": "ada", "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(), "tenant": "acme", "role": "writer",
	}
	maps.Copy(claims, change)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	text, _ := json.Marshal(claims)
	return string(text)
}

func (i *provider) good(change map[string]any) string {
	return oidctest.SignIDToken(i.rsa, "one", oidc.RS256, i.claims(change))
}

// forged is a token that was put together by hand.
func forged(header, claims string, sign func(text string) []byte) string {
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(header)) + "." + encode([]byte(claims))
	return text + "." + encode(sign(text))
}

func public(t *testing.T, key crypto.PublicKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func TestTokens(t *testing.T) {
	i, foreign := newProvider(t), newProvider(t)
	unsigned := func(string) []byte { return nil }
	hashed := func(text string) []byte {
		mac := hmac.New(sha256.New, public(t, i.rsa.Public()))
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
	in := func(d time.Duration) int64 { return time.Now().Add(d).Unix() }
	good := i.good(nil)
	for name, tt := range map[string]struct {
		token string
		code  memory.Code
		role  access.Role
	}{
		"good":                              {good, "", access.Writer},
		"for several":                       {i.good(map[string]any{"aud": []string{"other", "mneme"}}), "", access.Writer},
		"of a clock behind":                 {i.good(map[string]any{"exp": in(-30 * time.Second)}), "", access.Writer},
		"of a clock ahead":                  {i.good(map[string]any{"iat": in(30 * time.Second), "nbf": in(30 * time.Second)}), "", access.Writer},
		"of several roles":                  {i.good(map[string]any{"role": []string{"reader", "admin", "writer", "x"}}), "", access.Admin},
		"expired":                           {i.good(map[string]any{"exp": in(-2 * time.Minute)}), memory.CodeUnauthenticated, ""},
		"without an end":                    {i.good(map[string]any{"exp": nil}), memory.CodeUnauthenticated, ""},
		"not good yet":                      {i.good(map[string]any{"nbf": in(2 * time.Minute)}), memory.CodeUnauthenticated, ""},
		"of the future":                     {i.good(map[string]any{"iat": in(2 * time.Minute)}), memory.CodeUnauthenticated, ""},
		"for another server":                {i.good(map[string]any{"aud": "other"}), memory.CodeUnauthenticated, ""},
		"for nobody":                        {i.good(map[string]any{"aud": nil}), memory.CodeUnauthenticated, ""},
		"of another issuer":                 {foreign.good(nil), memory.CodeUnauthenticated, ""},
		"of another issuer that says ours":  {oidctest.SignIDToken(foreign.rsa, "one", oidc.RS256, i.claims(nil)), memory.CodeUnauthenticated, ""},
		"of our issuer that says another":   {i.good(map[string]any{"iss": foreign.url}), memory.CodeUnauthenticated, ""},
		"of an unknown key":                 {oidctest.SignIDToken(foreign.rsa, "two", oidc.RS256, i.claims(nil)), memory.CodeUnauthenticated, ""},
		"by an algorithm that is not taken": {oidctest.SignIDToken(i.ec, "curve", oidc.ES256, i.claims(nil)), memory.CodeUnauthenticated, ""},
		"by a longer hash":                  {oidctest.SignIDToken(i.rsa, "one", oidc.RS512, i.claims(nil)), memory.CodeUnauthenticated, ""},
		"unsigned":                          {forged(`{"alg":"none"}`, i.claims(nil), unsigned), memory.CodeUnauthenticated, ""},
		"unsigned, spelt otherwise":         {forged(`{"alg":"nOnE","kid":"one"}`, i.claims(nil), unsigned), memory.CodeUnauthenticated, ""},
		"hashed with the public key":        {forged(`{"alg":"HS256","kid":"one"}`, i.claims(nil), hashed), memory.CodeUnauthenticated, ""},
		"says RS256 and is hashed":          {forged(`{"alg":"RS256","kid":"one"}`, i.claims(nil), hashed), memory.CodeUnauthenticated, ""},
		"with its signature cut":            {good[:len(good)-20], memory.CodeUnauthenticated, ""},
		"with other claims":                 {forged(`{"alg":"RS256","kid":"one"}`, i.claims(map[string]any{"role": "admin"}), func(string) []byte { return []byte(good[len(good)-342:]) }), memory.CodeUnauthenticated, ""},
		"no token":                          {"a.b.c", memory.CodeUnauthenticated, ""},
		"without a tenant":                  {i.good(map[string]any{"tenant": nil}), memory.CodeForbidden, ""},
		"of a tenant that cannot be":        {i.good(map[string]any{"tenant": "../other"}), memory.CodeForbidden, ""},
		"of several tenants":                {i.good(map[string]any{"tenant": []string{"acme"}}), memory.CodeForbidden, ""},
		"without a role":                    {i.good(map[string]any{"role": nil}), memory.CodeForbidden, ""},
		"of an unknown role":                {i.good(map[string]any{"role": "owner"}), memory.CodeForbidden, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			caller, err := i.tokens(t, nil).Find(t.Context(), tt.token)
			if tt.code == "" {
				require.NoError(t, err)
				assert.Equal(t, access.Caller{Tenant: "acme", Role: tt.role, Name: "oidc:ada"}, caller)
				return
			}
			var known *memory.Error
			require.ErrorAs(t, err, &known)
			assert.Equal(t, tt.code, known.Code, known.Message)
			assert.Zero(t, caller)
		})
	}
}

// A token that never ends is not said to have ended.
func TestTokensWithoutAnEnd(t *testing.T) {
	i := newProvider(t)
	for end, says := range map[any]string{nil: "the token has no end (exp)", int64(1): "the token has expired"} {
		_, err := i.tokens(t, nil).Find(t.Context(), i.good(map[string]any{"exp": end}))
		require.ErrorContains(t, err, says)
	}
}

func TestClaimsAsTheyAreConfigured(t *testing.T) {
	i := newProvider(t)
	token := i.good(map[string]any{
		"sub": "Ada\nLovelace", "https://example.com/team": "acme", "realm": map[string]any{"roles": []string{"staff", "ops"}}, "tenant": nil, "role": nil,
	})
	tokens := i.tokens(t, func(o *TokenOptions) {
		o.TenantClaim, o.RoleClaim = "https://example.com/team", "realm.roles"
		o.Roles = map[string]access.Role{"staff": access.Reader, "ops": access.Admin}
	})
	caller, err := tokens.Find(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, "acme", caller.Tenant)
	assert.Equal(t, access.Admin, caller.Role)
	assert.Regexp(t, `^oidc:[0-9a-f]{16}$`, caller.Name, "what is not plain is not logged")
	_, err = tokens.Find(t.Context(), i.good(map[string]any{"https://example.com/team": "acme", "realm": map[string]any{"roles": "admin"}}))
	require.ErrorContains(t, err, "names no role", "mneme's own names are not those of the issuer")

	curves := i.tokens(t, func(o *TokenOptions) { o.Algorithms = []string{oidc.ES256} })
	_, err = curves.Find(t.Context(), oidctest.SignIDToken(i.ec, "curve", oidc.ES256, i.claims(nil)))
	require.NoError(t, err)
	_, err = curves.Find(t.Context(), i.good(nil))
	require.Error(t, err)
}

// comeToKnow presents a token of a new key until it is taken, long before the keys are read anew by themselves. The
// first time may meet the end of a reading that began before the key was there, whose answer the library shares.
func (t *Tokens) comeToKnow(test *testing.T, token string) {
	test.Helper()
	require.EventuallyWithT(test, func(c *assert.CollectT) {
		_, err := t.Find(test.Context(), token)
		require.NoError(c, err)
	}, 20*time.Second, time.Millisecond)
}

func TestKeysOfAnIssuerRotate(t *testing.T) {
	i, other := newProvider(t), newProvider(t)
	tokens := i.tokens(t, nil)
	_, err := tokens.Find(t.Context(), i.good(nil))
	require.NoError(t, err)
	fresh := oidctest.SignIDToken(other.rsa, "next", oidc.RS256, i.claims(nil))
	_, err = tokens.Find(t.Context(), fresh)
	require.Error(t, err)
	i.PublicKeys = []oidctest.PublicKey{{PublicKey: other.rsa.Public(), KeyID: "next", Algorithm: oidc.RS256}}
	tokens.comeToKnow(t, fresh)

	require.NoError(t, tokens.issuer.read(t.Context()))
	_, err = tokens.Find(t.Context(), i.good(nil))
	require.Error(t, err, "a key that was withdrawn ends with the next reading")
}

// TestAKeyThatIsSwapped: the issuer's new key of an old name ends the old one.
func TestAKeyThatIsSwapped(t *testing.T) {
	i, other := newProvider(t), newProvider(t)
	tokens := i.tokens(t, nil)
	_, err := tokens.Find(t.Context(), oidctest.SignIDToken(other.rsa, "one", oidc.RS256, i.claims(nil)))
	require.ErrorContains(t, err, "not valid")
	i.PublicKeys = []oidctest.PublicKey{{PublicKey: other.rsa.Public(), KeyID: "one", Algorithm: oidc.RS256}}
	tokens.comeToKnow(t, oidctest.SignIDToken(other.rsa, "one", oidc.RS256, i.claims(nil)))
	require.EventuallyWithT(t, func(c *assert.CollectT) { // the library tells who waits of the keys, and then keeps them
		_, err := tokens.Find(t.Context(), i.good(nil))
		require.ErrorContains(c, err, "not valid")
	}, 20*time.Second, time.Millisecond)
}

func code(err error) memory.Code {
	if known, ok := errors.AsType[*memory.Error](err); ok {
		return known.Code
	}
	return ""
}

// TestAnIssuerThatIsAwayAtFirst: tokens are answered UNAVAILABLE, the log says so once, and it ends by itself.
func TestAnIssuerThatIsAwayAtFirst(t *testing.T) {
	i := newProvider(t)
	i.down.Store(true)
	var log bytes.Buffer
	tokens := NewTokens(TokenOptions{Issuer: i.url, Audience: "mneme", TenantClaim: "tenant", RoleClaim: "role"}, slog.New(slog.NewTextHandler(&log, nil)))
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { tokens.Run(ctx) })
	for range 3 {
		_, err := tokens.Find(t.Context(), i.good(nil))
		assert.Equal(t, memory.CodeUnavailable, code(err))
	}
	_, err := tokens.Find(t.Context(), "a.b.c")
	assert.Equal(t, memory.CodeUnauthenticated, code(err), "for that nobody need be asked")
	i.down.Store(false)
	tokens.issuer.again <- struct{}{} // as when its time has come
	require.Eventually(t, func() bool {
		_, err := tokens.Find(t.Context(), i.good(nil))
		return err == nil
	}, 20*time.Second, 10*time.Millisecond)
	cancel()
	running.Wait()
	assert.Equal(t, 1, strings.Count(log.String(), "level=WARN"), log.String())
	assert.Equal(t, 1, strings.Count(log.String(), "can be asked for its keys again"))
	assert.NotContains(t, log.String(), "eyJ")
}

// TestAnIssuerThatGoesAway: the keys that are known keep working, whatever comes in the place of its keys.
func TestAnIssuerThatGoesAway(t *testing.T) {
	i, other := newProvider(t), newProvider(t)
	tokens := i.tokens(t, nil)
	tokens.issuer.limit.SetLimit(rate.Inf)
	fresh := oidctest.SignIDToken(other.rsa, "next", oidc.RS256, i.claims(nil))
	for name, answer := range map[string]http.HandlerFunc{
		"it is ill":          func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "{}", http.StatusBadGateway) },
		"a page":             func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"no keys but a word": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"keys": "none"}`)) },
		"it never ends": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(bytes.Repeat([]byte(" "), maxOfIssuer+10))
		},
		"it breaks off": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"elsewhere, in clear": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://keys.invalid/", http.StatusFound)
		},
		"to another's keys": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.url+"/keys", http.StatusFound) },
		"to itself":         func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/keys", http.StatusFound) },
	} {
		i.ill.Store(&answer)
		require.Error(t, tokens.issuer.read(t.Context()), name)
		_, err := tokens.Find(t.Context(), i.good(nil))
		require.NoError(t, err, name)
		_, err = tokens.Find(t.Context(), fresh)
		assert.Equal(t, memory.CodeUnavailable, code(err), name)
	}
	i.ill.Store(nil)
	i.down.Store(true)
	require.Error(t, tokens.issuer.read(t.Context()))
	_, err := tokens.Find(t.Context(), i.good(nil))
	require.NoError(t, err, "without discovery")
}

// TestLongTokens are refused before they are read.
func TestLongTokens(t *testing.T) {
	i := newProvider(t)
	tokens := i.tokens(t, nil)
	fits := i.good(map[string]any{"more": strings.Repeat("x", 10<<10)})
	_, err := tokens.Find(t.Context(), fits)
	require.NoError(t, err)
	for _, long := range []string{i.good(map[string]any{"more": strings.Repeat("x", longestToken)}), strings.Repeat("a", 10<<20) + ".b.c"} {
		_, err = tokens.Find(t.Context(), long)
		require.ErrorContains(t, err, "too long")
	}
}

// TestTokensOfUnknownKeysDoNotFloodTheIssuer: who makes up keys has the issuer asked once a second at most.
func TestTokensOfUnknownKeysDoNotFloodTheIssuer(t *testing.T) {
	i := newProvider(t)
	tokens := i.tokens(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	began := time.Now()
	for ctx.Err() == nil {
		_, _ = tokens.Find(ctx, oidctest.SignIDToken(i.rsa, "unknown", oidc.RS256, i.claims(nil)))
	}
	assert.LessOrEqual(t, i.asked.Load(), 5+1+int64(time.Since(began)/time.Second))
	_, err := tokens.Find(t.Context(), i.good(nil))
	require.NoError(t, err, "who has a good one is not kept waiting for that")
}

// TestDoorTakesTokens: by the same headers as keys.
func TestDoorTakesTokens(t *testing.T) {
	i := newProvider(t)
	log := slog.New(slog.DiscardHandler)
	door := &Door{Keys: keyring.New(nil, log), Tokens: i.tokens(t, nil), OpenToThisMachine: true, Wrong: NewWrongKeys(nil, inbound.NewRateLimitedWarning(log, "wrong keys were presented", 10*time.Second)), Log: log}
	for token, status := range map[string]int{
		i.good(nil): 200, i.good(map[string]any{"exp": 1}): 401, i.good(map[string]any{"tenant": nil}): 403, "": 401, "whatever": 401,
	} {
		request := httptest.NewRequest(http.MethodPost, "/graphql", nil)
		request.Host = "localhost"
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer := httptest.NewRecorder()
		door.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(answer, request)
		assert.Equal(t, status, answer.Code, answer.Body.String())
	}
}
