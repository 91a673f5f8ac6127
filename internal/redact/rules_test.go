package redact

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// plain is the rules of gitleaks as they are meant: an expression over the whole text, where one of the
// keywords stands in it.
type plain struct {
	pattern
	expression *regexp.Regexp
	allow      *allowance
}

func plainRules(t *testing.T) []plain {
	t.Helper()
	var file struct {
		Allowlist exceptions
		Rules     []pattern
	}
	_, err := toml.Decode(gitleaksRules, &file)
	require.NoError(t, err)
	var rules []plain
	for _, p := range file.Rules {
		if _, out := leftOut[p.ID]; !out && p.Path == "" {
			rules = append(rules, plain{p, regexp.MustCompile(p.Regex), newAllowance(append([]exceptions{file.Allowlist}, p.Allowlists...))})
		}
	}
	return rules
}

func (p plain) in(text string) [][2]int {
	inLower := strings.ToLower(text)
	if !slices.ContainsFunc(p.Keywords, func(keyword string) bool { return strings.Contains(inLower, strings.ToLower(keyword)) }) {
		return nil
	}
	var secrets [][2]int
	for _, match := range p.expression.FindAllStringSubmatchIndex(text, -1) {
		start, end, _ := secretOf(match, p.SecretGroup)
		secret := text[start:end]
		if (p.Entropy == 0 || entropyOf(secret) > p.Entropy) && !p.allow.allows(secret, text[match[0]:match[1]]) {
			secrets = append(secrets, [2]int{start, end})
		}
	}
	return secrets
}

// What an expression over the whole text finds is found where its anchors stand. (Letters such as the
// sign of Kelvin, which an expression takes for a k, no secret has.)
func TestAnchorsLoseNothing(t *testing.T) {
	t.Parallel()
	rules := plainRules(t)
	require.Greater(t, len(rules), 200)
	found := map[string]bool{}
	around := rapid.StringMatching(`[a-z=:"' ]{0,12}`)
	for i, p := range rules {
		sample := rapid.StringMatching(p.Regex).Filter(isASCII)
		for n := range 3 {
			text := around.Example(i+n) + p.Keywords[n%len(p.Keywords)] + " " + sample.Example(n) + " " + around.Example(n)
			checkCovers(t, rules, text, found)
		}
	}
	assert.Greater(t, len(found), 190, "nearly all rules found something to compare")
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > 0x7f }) < 0
}

func checkCovers(t *testing.T, rules []plain, text string, found map[string]bool) {
	redacted := findAll(text, never)
	for _, p := range rules {
		for _, secret := range p.in(text) {
			found[p.ID] = true
			covered := slices.ContainsFunc(redacted, func(f finding) bool { return f.start <= secret[0] && secret[1] <= f.end })
			assert.True(t, covered, "%s: %q in %q", p.ID, text[secret[0]:secret[1]], text)
		}
	}
}

func TestEveryRuleLeftOutIsThere(t *testing.T) {
	t.Parallel()
	var file struct{ Rules []pattern }
	_, err := toml.Decode(gitleaksRules, &file)
	require.NoError(t, err)
	for id := range leftOut {
		assert.True(t, slices.ContainsFunc(file.Rules, func(p pattern) bool { return p.ID == id }), id)
	}
}

func TestExpressionsCompile(t *testing.T) {
	t.Parallel()
	for _, r := range secrets().rules {
		assert.NotNil(t, r.expression(), r.kind)
		assert.NotEmpty(t, r.anchors, "%s would never be tried", r.kind)
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][]string{
		`ghp_[0-9a-zA-Z]{36}`:                 {"ghp_"},
		`\b((?:sk|rk)_(?:test|live)_\w+)`:     {"rk_live_", "rk_test_", "sk_live_", "sk_test_"},
		`(?i)(?:passw(?:or)?d|key)=`:          {"key=", "passwd=", "password="},
		`xox[pe]-\d`:                          {"xoxe-", "xoxp-"},
		`(?:https?://)?hooks`:                 {"hooks", "http://hooks", "https://hooks"},
		`[a-z]{3}key`:                         nil,
		`x\d`:                                 nil,
		`(?:ab)+c`:                            {"ab"},
		`A3T[A-Z0-9]|AKIA`:                    {"a3t", "akia"},
		`averyveryverylongbeginningoftexts\w`: {"averyveryverylongbeg"},
	} {
		assert.Equal(t, want, rule{kind: "test", pattern: source}.made().anchors, source)
	}
}

func TestALongTextIsLeftWhenItsRequestEnds(t *testing.T) {
	t.Parallel()
	asked := 0
	secrets().in(strings.Repeat("key====", 100_000), func() error {
		if asked++; asked < 3 {
			return nil
		}
		return context.Canceled
	})
	assert.Equal(t, 3, asked)
	_, redactions := text(func() error { return context.Canceled }, "AKIA"+"IOSFODNN7EXAMPLE")
	assert.Nil(t, redactions)
}
