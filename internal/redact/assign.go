package redact

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// What gitleaks lets stand between the name in an assignment and the value. The detector looks for these by
// hand, since an expression takes long for them.
const (
	afterName  = `(?:[ \t\w.-]{0,20})`
	quotes     = `[\s'"]{0,3}`
	signs      = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`
	mostName   = 20 // of afterName
	mostQuotes = 3
	mostBefore = 5 // quotes and the like before the value
)

// assignment is a rule for a name, a sign such as '=' or ':', and the secret.
type assignment struct {
	leastName, mostName int // bytes of the name
	values              []value
}

// value is one of the forms that a secret has.
type value struct {
	shape
	// expression is nil where the shape says all
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
	a.leastName, a.mostName = lengthsOf(nameTree)
	forms := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpAlternate {
		forms = tree.Sub
	}
	for _, form := range forms {
		a.values = append(a.values, valueOf(form))
	}
	return a
}

func valueOf(form *syntax.Regexp) value {
	v := value{shape: shapeOf(form, true)}
	if !v.ends || !v.begins.whole {
		source := `\A(?:` + form.String() + `)(?i:` + ending + `)`
		v.expression = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
	}
	return v
}

// assigned says whether a value stands where the name at a position may have one.
func (s *scan) assigned(a *assignment, at int) bool {
	first := at + a.leastName
	for places := s.valuesAfter(first, a.mostName-a.leastName); places != 0; places &= places - 1 {
		place := first + trailing(places)
		for i := range a.values {
			v := &a.values[i]
			if s.fits(&v.shape, place) && (v.expression == nil || s.match(v.expression(), place, mostReach) != nil) {
				return true
			}
		}
	}
	return false
}

// Of a byte in an assignment: where it may stand.
const (
	inName  = 1 << iota // behind the name, in afterName
	inQuote             // among quotes
	before              // before the value
	isSign
)

var assigning = func() (kinds [256]uint8) {
	for b := range kinds {
		if isWord(byte(b)) || strings.IndexByte(" \t.-", byte(b)) >= 0 {
			kinds[b] |= inName
		}
		if strings.IndexByte("'\" \t\n\f\r", byte(b)) >= 0 {
			kinds[b] |= inQuote | before
		}
		if strings.IndexByte("`=", byte(b)) >= 0 {
			kinds[b] |= before
		}
		if strings.IndexByte("=>:|?,", byte(b)) >= 0 {
			kinds[b] |= isSign
		}
	}
	return kinds
}()

// valuesAfter is the set of places, counted from a position on, where the value of an assignment may begin whose
// name ends there or up to slack bytes later: all that the expression says, followed for all places at once.
func (s *scan) valuesAfter(at, slack int) uint64 {
	if at > s.text.Len() || !s.signNear(at, slack) {
		return 0
	}
	near := s.text.Slice(at, min(s.text.Len(), at+63))
	var name, quote, lead, equal, greater, colon, bar, question, comma uint64
	for i := range len(near) {
		b, bit := near[i], uint64(1)<<i
		switch kind := assigning[b]; {
		case kind&isSign == 0:
			name |= bit * uint64(kind&inName)
			quote |= bit * uint64(kind&inQuote/inQuote)
			lead |= bit * uint64(kind&before/before)
		case b == '=':
			equal |= bit
			lead |= bit
		case b == '>':
			greater |= bit
		case b == ':':
			colon |= bit
		case b == '|':
			bar |= bit
		case b == '?':
			question |= bit
		case b == ',':
			comma |= bit
		}
	}
	places := uint64(1)<<(slack+1) - 1
	places = upTo(mostName, places, name)
	places = upTo(mostQuotes, places, quote)
	colons := (places & colon) << 1
	several := colons | (colons&colon)<<1
	several |= (several & colon) << 1
	equals := (places & equal) << 1
	places = equals | (equals&greater)<<1 | (places&(greater|comma))<<1 | colons | (several&equal)<<1 |
		((places&bar)<<1&bar)<<1 | ((places&question)<<1&equal)<<1
	return upTo(mostBefore, places, lead)
}

// signNear says whether a sign of assignment comes next, behind what may stand before it.
func (s *scan) signNear(at, slack int) bool {
	for i := at; i <= at+slack+mostName+mostQuotes && i < s.text.Len(); i++ {
		switch kind := assigning[s.text.At(i)]; {
		case kind&isSign != 0:
			return true
		case kind&(inName|inQuote) == 0 && i >= at+slack:
			return false
		}
	}
	return false
}

// upTo moves places on over as many bytes of a kind, or fewer.
func upTo(most int, places, kind uint64) uint64 {
	for range most {
		places |= (places & kind) << 1
	}
	return places
}
