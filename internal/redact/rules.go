package redact

import (
	_ "embed" // the rules
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed gitleaks/gitleaks.toml
var gitleaksRules string

// pattern is a rule as gitleaks writes it. Rules for files by their names have a Path.
type pattern struct {
	ID          string
	Regex       string
	Path        string
	SecretGroup int
	Entropy     float64
	Keywords    []string
	Allowlists  []exceptions
}

// exceptions says what looks like a secret and is none.
type exceptions struct {
	RegexTarget string
	Regexes     []string
	StopWords   []string
}

// leftOut are rules that are not used, each for a reason.
var leftOut = map[string]string{
	"curl-auth-header":         "authorization and bearer find the header with and without curl around it, in bounded time",
	"curl-auth-user":           "basic-auth finds it in bounded time",
	"facebook-access-token":    "has no beginning to look for; our own pattern finds the token behind the word",
	"kubernetes-secret-yaml":   "takes milliseconds for each word it begins with; generic-api-key finds the values",
	"private-key":              "our own private-key finds it also where its end was cut off",
	"sourcegraph-access-token": "has no beginning to look for; our own patterns find the token by its prefix and behind the word",

	"gitlab-pat-routable":                         "gitlab-pat takes the rest of the token along, in less time",
	"gitlab-runner-authentication-token-routable": "gitlab-runner-authentication-token does too",
}

// rule is a rule as the detector applies it: an expression, tried where one of its anchors stands. Those are the words,
// in lower case, that every match begins with.
type rule struct {
	name string // of our own an example, where one is short
	kind string // what the mark says
	// pattern is an expression; the secret is the first of its groups that matches, else all of it
	pattern    string
	expression func() *regexp.Regexp // the pattern, compiled
	anchors    []string
	// needs are words of which one must stand somewhere in the text; none where the anchors say enough
	needs []string
	// bounded says that a match begins at the boundary of a word
	bounded bool
	// behind is how many bytes before its anchor a match begins
	behind int
	// proof says that the shape of a match leaves no doubt
	proof   bool
	group   int // of the secret; 0 is the first that matched, else all of it
	entropy float64
	allow   *allowance // nil allows nothing
	// accepts is what a secret must be like besides; nil accepts all
	accepts func(secret string) bool
	// names says whether what stands before a secret gives it a secret's name; nil accepts all
	names func(name string) bool
}

// maxReach is how far a match is followed.
const maxReach = 64 << 10

// fromGitleaks reads the rules of gitleaks. They are part of the program, so a fault in them is one in it.
func fromGitleaks() []*rule {
	var file struct {
		Allowlist exceptions
		Rules     []pattern
	}
	if _, err := toml.Decode(gitleaksRules, &file); err != nil {
		panic(fmt.Sprintf("redact: gitleaks.toml: %v", err))
	}
	var rules []*rule
	for _, p := range file.Rules {
		if _, out := leftOut[p.ID]; out || p.Path != "" || p.Regex == "" {
			continue
		}
		rules = append(rules, p.rule(file.Allowlist))
	}
	return rules
}

// What gitleaks lets stand around the name and the sign of an assignment. The detector begins at the name itself.
const (
	identifierBefore       = `(?i)[\w.-]{0,50}?`
	identifierBeforeNested = `[\w.-]{0,50}?(?i:[\w.-]{0,50}?`
	signs                  = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`
)

// behindKeyword are the rules whose matches begin before their keyword, and how many bytes that is.
var behindKeyword = map[string]int{"azure-ad-client-secret": 5, "hashicorp-tf-api-token": 15, "maxmind-license-key": 36}

func (p pattern) rule(global exceptions) *rule {
	source := p.Regex
	if rest, ok := strings.CutPrefix(source, identifierBefore); ok {
		source = "(?i)" + rest
	} else if rest, ok := strings.CutPrefix(source, identifierBeforeNested); ok {
		source = "(?i:" + rest
	}
	r := rule{kind: p.ID, pattern: source}.made()
	if r.behind = behindKeyword[p.ID]; r.behind > 0 {
		r.anchors = p.Keywords
	}
	if p.ID == genericKind {
		r.names = namesSecret
	}
	r.group, r.entropy = p.SecretGroup, p.Entropy
	if slices.ContainsFunc(r.anchors, func(anchor string) bool { return !hasAnyPrefix(anchor, p.Keywords) }) {
		r.needs = p.Keywords
	}
	if r.proof = r.isProof() && !strings.Contains(source, signs); r.proof {
		r.entropy = 0
	} else {
		r.allow = newAllowance(append([]exceptions{global}, p.Allowlists...))
	}
	return r
}

// made is a rule with what follows from its pattern.
func (r rule) made() *rule {
	tree, err := syntax.Parse(r.pattern, syntax.Perl)
	if err != nil {
		panic(fmt.Sprintf("redact: rule %s: %v", r.kind, err))
	}
	r.anchors, r.bounded = anchorsOf(tree), beginsBounded(tree)
	r.expression = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?:` + r.pattern + `)`) })
	return &r
}

// proofBytes is the length from which a prefix is proof enough.
const proofBytes = 3

// isProof says whether the shape of a match leaves no doubt, such as "ghp_" and 36 letters: then neither its entropy
// nor a list of examples counts, which keep a scanner of source code from nagging. Taking out an example does no harm.
func (r *rule) isProof() bool {
	return r.behind == 0 && len(r.anchors) > 0 && len(slices.MinFunc(r.anchors, func(a, b string) int { return len(a) - len(b) })) >= proofBytes
}

func hasAnyPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, strings.ToLower(prefix)) })
}
