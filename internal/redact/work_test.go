package redact

import (
	"context"
	"errors"
	"regexp/syntax"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/redaction"
)

// maxWork is how many bytes are looked at for one of any text, whatever it is made of.
const maxWork = 60

// hostileTo are what texts are made of that keep a rule busy: what its secrets begin with, over and over, and
// what is nearly one of them.
func hostileTo(r *rule) []string {
	first := append(append([]string{}, r.anchors...), r.needs...)[0]
	hostile := []string{first, first + "=", first + "====", first + ": ", first + " is ", "/" + first, "-" + first, first + "='", `"` + first + `":"`}
	tree, err := syntax.Parse(r.expression().String(), syntax.Perl)
	if err != nil {
		return hostile
	}
	sample := strings.ToValidUTF8(rapid.StringMatching(tree.String()).Example(1), "")
	sample = sample[:min(len(sample), 300)]
	almost := sample[:max(len(sample)*3/4, 1)]
	return append(hostile, almost, almost+"%", almost+" ", "/"+almost, first+"="+strings.Repeat(first+"=", 140/(len(first)+1))+"%")
}

// namesOfSecrets are all that our own rules go by: what they look for and what they spare.
func namesOfSecrets() []string {
	var names []string
	add := func(name string) { names = append(names, strings.Trim(name, "-<>/=:& \t\r\n\f")) }
	for _, r := range ownRules() {
		for _, anchor := range slices.Concat(r.anchors, r.needs) {
			add(anchor)
		}
	}
	for _, table := range []map[string]bool{placeholders, describing, parameters} {
		for name := range table {
			add(name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Of the texts that repeat a name: what stands around it, and what follows that.
var (
	surroundings = []string{
		"<N>", "N>", "&lt;N&gt;", "N&gt;", "<N ", "--N ", "--N=", "-N ", "-N=", `"--N","`, "N=", "N: ", "N is ", "N ", "?N=", "; N=", "/N:", "://N:",
		`"N":`, `"N":"`, `"N":{"value":"`, `"name":"N","value":"`, `"value":"x","name":"N`, `{\"N\":\"`, `{\\\"N\\\":\\\"`, `\u0022N\u0022:\u0022`, "&quot;N&quot;:&quot;",
		"curl -u N:", "curl -b 'N=", "[secret:N", "N -p", "mysql -pN ", "sshpass -p N", "N_PASS=", "N: |\n ", "N:\n", `"N":["`, `"N": [`, "N%3D", "&#78;N&#58;",
		"the N ", "with N `", "N's ", "N was ", "N was reset to ", "set N to ", "Ns: ", "Ns are a1b2c3 and ", "N changed from a1b2c3 to ",
	}
	followers = []string{"", "\n", "$", "x", "x1y2z3w4", "<", `"`, "'", "</N>", `"}`, "xxxxxxxx", "12345678", "-----"}
)

func TestTheTimeIsLinearWhateverATextIsMadeOf(t *testing.T) {
	t.Parallel()
	plain := []string{"(", `"`, "`", " ", "\n", "a", "a1", "x ", "=", ":", "-", `\`, `\"`, "<private>", "[secret:jwt]", "[secret:", "ü", "\xff", "://a:b", "key=token=secret=",
		"pwd=x;", "pwd=x;aaaa", "pwd=x&", "pwd=x,a&amp;", `pwd=x\`, `pwd=x\"a`, "pwd=x<", "pwd=x)].", `"pwd":x{`,
		`pwd=$"%`, "pwd:x<(", "pwd:none;pwd:", "pwd:none,pwd:", "pwd:$a://b;", "pwd:$;" + strings.Repeat("a", 50), "pwd:$;aaaa.", `pwd is $"`}
	for _, r := range secrets().rules {
		for _, of := range hostileTo(r) {
			checkWork(t, r.kind, of, 600, 6_000)
		}
	}
	for _, of := range plain {
		checkWork(t, "plain", of, 600, 6_000)
	}
}

func TestTheTimeIsLinearInNamesOfSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range namesOfSecrets() {
		for i, around := range surroundings {
			for j := range 2 { // each in its turn, since there are many names
				of := around + followers[(i+j*5+len(name))%len(followers)]
				checkWork(t, name, strings.ReplaceAll(of, "N", name), 3_000)
			}
		}
	}
}

// Whatever of all this is put together, and whatever goes before it and behind.
func TestTheTimeIsLinearInMixtures(t *testing.T) {
	t.Parallel()
	names := namesOfSecrets()
	for _, r := range secrets().rules {
		names = append(names, r.anchors...)
	}
	piece := rapid.Custom(func(t *rapid.T) string {
		of := rapid.SampledFrom(surroundings).Draw(t, "around") + rapid.SampledFrom(followers).Draw(t, "then")
		return strings.ReplaceAll(of, "N", rapid.SampledFrom(names).Draw(t, "name"))
	})
	rapid.Check(t, func(t *rapid.T) {
		of := strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(t, "pieces"), "")
		checkWork(t, "mixture", of, 6_000)
		half := strings.Repeat(rapid.SampledFrom([]string{" ", "x", "=", "a1", `\"`, `\`, ";a", "&a", "<", "/a", "|", ")", "\n", "A/"}).Draw(t, "half"), 3000)
		checkWork(t, "and then", strings.Repeat(of, 3000/len(of)+1)+half, 0)
	})
}

// What is done besides, with marks, copies and values of JSON, takes memory in proportion.
func TestTheMemoryIsLinear(t *testing.T) {
	redact := func(text string) { Text(text) }
	value := func(text string) {
		r := redaction.Redactor{Rules: Rules()}
		r.JSON(memory.JSON(text))
	}
	for of, test := range map[string]struct {
		make func(size int) string
		do   func(text string)
	}{
		"secrets":         {func(n int) string { return strings.Repeat("<password>hunter2x9</password>", n/30) }, redact},
		"secrets in JSON": {func(n int) string { return strings.Repeat(`{\"password\":\"hunter2x9\"}`, n/28) }, redact},
		"marks":           {func(n int) string { return strings.Repeat("[secret:jwt]password: hunter2x9 ", n/32) }, redact},
		"disguise":        {func(n int) string { return strings.Repeat("ｐａｓｓｗｏｒｄ：hun\u200bter2x9 ", n/40) }, redact},
		"numbers":         {func(n int) string { return strings.Repeat("&#112;%61ssword%3Dhunter2x9 ", n/29) }, redact},
		"backslashes":     {func(n int) string { return strings.Repeat(`\`, n) + `"` }, redact},
		"a long name": {func(n int) string {
			return `{"` + strings.Repeat("N", n/2) + `":[` + strings.Repeat(`"v",`, n/8) + `""]}`
		}, value},
		"a name in a name": {func(n int) string {
			return strings.Repeat(`{"password":`, 60) + `["` + strings.Repeat(`v","`, n/4) + `"]` + strings.Repeat("}", 60)
		}, value},
	} {
		const size = 32 << 10
		test.do(test.make(size)) // expressions are compiled
		once, twice := allocated(func() { test.do(test.make(size)) }), allocated(func() { test.do(test.make(2 * size)) })
		assert.LessOrEqual(t, twice, 5*once/2+size, "%s: %d bytes are allocated for one, %d for twice as much", of, once, twice)
	}
}

// allocated is how many bytes a function asks for.
func allocated(work func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

func checkWork(t failer, kind, of string, sizes ...int) {
	t.Helper()
	for _, size := range sizes {
		text := strings.Repeat(of, size/len(of)+1)
		if _, work := secrets().in(text, never); work > maxWork*len(text) {
			t.Errorf("%s: %d bytes are looked at for each of %d of %q", kind, work/len(text), len(text), of[:min(len(of), 200)])
		}
	}
}

// A name that does not show as it stands is read a second time, and quotes in it once more.
func TestTheTimeIsLinearInDisguise(t *testing.T) {
	t.Parallel()
	for i, name := range namesOfSecrets() {
		var hidden, wide strings.Builder
		for _, letter := range name {
			hidden.WriteString(string(letter) + "\u200b")
			if letter > ' ' && letter < 0x7f {
				letter += '\uff01' - '!'
			}
			wide.WriteRune(letter)
		}
		for j, as := range []string{hidden.String(), wide.String()} {
			around := surroundings[(i+j*7)%len(surroundings)] + followers[(i+j*5)%len(followers)]
			text := strings.Repeat(strings.ReplaceAll(around, "N", as), 20)
			if _, work := secrets().inReadings(text, never); work > 4*maxWork*len(text) {
				t.Errorf("%s: %d bytes are looked at for each of %d of %q", name, work/len(text), len(text), text[:40])
			}
		}
	}
}

func TestALongTextIsLeftWhenItsRequestEnds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("key====", 100_000)
	asked := 0
	_, work := secrets().in(long, func() error {
		if asked++; asked < 3 {
			return nil
		}
		return context.Canceled
	})
	assert.Equal(t, 3, asked)
	_, all := secrets().in(long, never)
	assert.Less(t, work, all/4)

	stopped := errors.New("stopped")
	_, redactions := text(func() error { return stopped }, long+" AKIA"+"IOSFODNN7EXAMPLE")
	assert.Nil(t, redactions)
}
