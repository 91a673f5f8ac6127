package redact

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// What gitleaks lets stand between the name in an assignment and the value. An expression takes long for all of it, so
// the detector first looks by hand whether a sign follows a name, and a value the sign.
const (
	afterName = `(?:[ \t\w.-]{0,20})`
	quotes    = `[\s'"]{0,3}`
	signs     = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`
	maxBefore = 20 + 3 // the bytes of afterName and quotes
	maxSigns  = 4 + 5  // the bytes of signs
)

// assignment is a rule for a name, a sign such as '=' or ':', and the secret.
type assignment struct {
	leastName, maxName int // bytes of the name
	values             []value
}

// value is one of the forms that a secret has.
type value struct {
	shape
	expression func() *regexp.Regexp
}

// assignmentOf takes the expression of an assignment apart; nil where it is none.
func assignmentOf(source string) *assignment {
	head, rest, ok := strings.Cut(source, signs)
	name, between, named := strings.Cut(head, afterName)
	if !ok || !named || strings.TrimSuffix(between, ")") != quotes {
		return nil
	}
	secret, last, ok := strings.Cut(rest, ")"+ending)
	if !ok || last != "" {
		return nil
	}
	if strings.HasSuffix(between, ")") {
		name += ")" // what was opened for the name and what follows it
	}
	flags := ""
	if strings.HasPrefix(source, "(?i)") {
		flags = "(?i)"
	}
	nameTree, err := syntax.Parse(name, syntax.Perl)
	if err != nil {
		return nil
	}
	tree, err := syntax.Parse(flags+secret, syntax.Perl)
	if err != nil {
		return nil
	}
	a := &assignment{}
	a.leastName, a.maxName = lengthsOf(nameTree)
	forms := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpAlternate {
		forms = tree.Sub
	}
	for _, form := range forms {
		source := `\A(?:` + form.String() + `)(?i:` + ending + `)`
		a.values = append(a.values, value{shapeOf(form, true), sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })})
	}
	return a
}

// Of a byte in an assignment: where it may stand.
const (
	beforeSign = 1 << iota // between the name and the sign
	isSign
	afterSign // between the first byte of the sign and the value
)

var assigning = func() (kinds [256]uint8) {
	for b := range kinds {
		if isWord(byte(b)) || strings.IndexByte(".-'\" \t\n\f\r", byte(b)) >= 0 {
			kinds[b] |= beforeSign
		}
		if strings.IndexByte("=>:|?,", byte(b)) >= 0 {
			kinds[b] |= isSign | afterSign
		}
		if strings.IndexByte("`'\" \t\n\f\r", byte(b)) >= 0 {
			kinds[b] |= afterSign
		}
	}
	return kinds
}()

// assigned says whether a value stands where the name at a position may have one. What it takes for one the expression
// may still refuse.
func (s *scan) assigned(a *assignment, at int) bool {
	named := at + a.maxName // or before
	for i := at + a.leastName; i <= named+maxBefore && i < s.text.Len(); i++ {
		kind := assigning[s.text.At(i)]
		if kind&isSign != 0 && s.valueAfter(a, i) {
			return true
		}
		if kind&beforeSign == 0 && i >= named {
			return false
		}
	}
	return false
}

// valueAfter says whether a value stands behind the sign at a position.
func (s *scan) valueAfter(a *assignment, sign int) bool {
	for place := sign + 1; place <= sign+maxSigns && place < s.text.Len(); place++ {
		for i := range a.values {
			if v := &a.values[i]; s.fits(&v.shape, place) && s.match(v.expression(), place, maxReach) != nil {
				return true
			}
		}
		if assigning[s.text.At(place)]&afterSign == 0 {
			return false
		}
	}
	return false
}
