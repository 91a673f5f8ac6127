package redact

import (
	"context"
	"errors"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// mostWork is how many bytes are looked at for one of any text, whatever it is made of.
const mostWork = 60

// hostileTo are what texts are made of that keep a rule busy: what its secrets begin with, over and over, and
// what is nearly one of them.
func hostileTo(r *rule) []string {
	first := append(append([]string{}, r.anchors...), r.needs...)[0]
	hostile := []string{first, first + "=", first + "====", first + ": ", first + " is ", "/" + first, "-" + first, first + "='", `"` + first + `":"`}
	if r.find != nil {
		return hostile
	}
	tree, err := syntax.Parse(r.expression().String(), syntax.Perl)
	if err != nil {
		return hostile
	}
	sample := strings.ToValidUTF8(rapid.StringMatching(tree.String()).Example(1), "")
	sample = sample[:min(len(sample), 300)]
	almost := sample[:max(len(sample)*3/4, 1)]
	return append(hostile, almost, almost+"%", almost+" ", "/"+almost, first+"="+strings.Repeat(first+"=", 140/(len(first)+1))+"%")
}

func TestTheTimeIsLinearWhateverATextIsMadeOf(t *testing.T) {
	rules := secrets().rules
	plain := []string{"(", `"`, "`", " ", "\n", "a", "a1", "x ", "=", ":", "-", `\`, `\"`, "<private>", "[secret:jwt]", "[secret:", "ü", "\xff", "://a:b", "key=token=secret="}
	for _, r := range rules {
		for _, of := range hostileTo(r) {
			checkWork(t, r.kind, of)
		}
	}
	for _, of := range plain {
		checkWork(t, "plain", of)
	}
}

func checkWork(t *testing.T, kind, of string) {
	t.Helper()
	for _, size := range []int{600, 6_000} {
		text := strings.Repeat(of, size/len(of)+1)
		_, work := secrets().in(text, goOn)
		if work > mostWork*len(text) {
			t.Errorf("%s: %d bytes are looked at for each of %d of %q", kind, work/len(text), len(text), of)
		}
	}
}

func TestALongTextIsLeftWhenItsRequestEnds(t *testing.T) {
	long := strings.Repeat("key====", 100_000)
	asked := 0
	_, work := secrets().in(long, func() error {
		if asked++; asked < 3 {
			return nil
		}
		return context.Canceled
	})
	assert.Equal(t, 3, asked)
	_, all := secrets().in(long, goOn)
	assert.Less(t, work, all/4)

	stopped := errors.New("stopped")
	_, redactions := text(func() error { return stopped }, long+" AKIA"+"IOSFODNN7EXAMPLE")
	assert.Nil(t, redactions)
}
