package redaction_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory/redaction"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text, want string
		redactions int
	}{
		"nothing private":          {"a plain text", "a plain text", 0},
		"empty":                    {"", "", 0},
		"a span":                   {"key <private>s3cret</private> kept", "key [private] kept", 1},
		"an empty span":            {"a<private></private>b", "a[private]b", 1},
		"two spans":                {"<private>a</private> and <private>b</private>", "[private] and [private]", 2},
		"over several lines":       {"a <private>one\ntwo</private> b", "a [private] b", 1},
		"never closed":             {"a <private>s3cret to the end", "a [private]", 1},
		"any case":                 {"a <PRIVATE>s3cret</Private> b", "a [private] b", 1},
		"white space in tags":      {"a < private\t>s3cret</ private\n> b", "a [private] b", 1},
		"space before the slash":   {"a <private>s3cret< /private> b", "a [private] b", 1},
		"no-break space in a tag":  {"a <private\u00a0>s3cret</private> b", "a [private] b", 1},
		"attributes":               {`a <private reason="x < y">s3cret</private> b`, "a [private] b", 1},
		"nested":                   {"a <private>x <private>y</private> s3cret</private> b", "a [private] b", 1},
		"nested, closed once":      {"a <private>x <private>y</private> s3cret", "a [private]", 1},
		"a stray closing tag":      {"a </private> b", "a </private> b", 0},
		"closed twice":             {"a <private>x</private> b</private> c", "a [private] b</private> c", 1},
		"opened in a closing tag":  {"a </private <private>s3cret</private> b", "a </private [private] b", 1},
		"closed in a closing tag":  {"a <private>s3cret</private </private> b", "a [private] b", 1},
		"not closed by half a tag": {"a <private>x</private <i> s3cret", "a [private]", 1},
		"encoded before a plain":   {"a &lt;private <private>x &lt;/private&gt; s3cret</private> b", "a &lt;private [private] b", 1},
		"plain before an encoded":  {"a <private &lt;private&gt;x</private> s3cret&lt;/private&gt; b", "a [private]", 1},
		"opened twice as one":      {"a <private <private>s3cret</private> b", "a [private] b", 1},
		"closed where it opens":    {"a <private </private>s3cret</private> b", "a [private] b", 1},
		"a slash of an attribute":  {"a <private href=/etc/>s3cret</private> b", "a [private] b", 1},
		"an empty element within":  {"a <private <br/>s3cret</private> b", "a [private] b", 1},
		"an empty element":         {"a <private /> b", "a <private /> b", 0},
		"no end by empty element":  {"a <private>s3cret<private /> s3cret</private> b", "a [private] b", 1},
		"another tag":              {"a <privateer>x</privateer> b", "a <privateer>x</privateer> b", 0},
		"a tag without its end":    {"if a <private", "if a <private", 0},
		"a tag made by redacting":  {"<pri<private>s3cret</private>vate>b", "<pri[private]vate>b", 1},
		"as HTML shows it":         {"a &lt;private&gt;s3cret&LT;/private&gt; b", "a [private] b", 1},
		"by its number":            {"a &#60;private&#62;s3cret&#x3C;/private&#x3e; b", "a [private] b", 1},
		"as a URL has it":          {"a %3Cprivate%3Es3cret%3c/private%3e b", "a [private] b", 1},
		"as JSON may escape it":    {`{"a":"\u003cprivate\u003es3cret\u003C/private\u003e b"}`, `{"a":"[private] b"}`, 1},
		"in full width":            {"a ＜private＞s3cret＜／ｐｒｉｖａｔｅ＞ b", "a [private] b", 1},
		"letters that do not show": {"a <pri\u200bvate\u2060>s3cret<\u00ad/pri\ufeffvate> b", "a [private] b", 1},
		"some of it by its number": {"a <p&#114;ivate>s3cret</priv&#x61;te> b", "a [private] b", 1},
		"without a semicolon":      {"a &#60private&#62s3cret&#60/private&#62 b", "a [private] b", 1},
		"encoded twice":            {"a &amp;lt;private&amp;gt;s3cret%253c%2Fprivate%253e b", "a [private] b", 1},
		"text about a closing tag": {"a <private>x &lt;/private&gt; s3cret</private> b", "a [private] b", 1},
		"encoded about a plain":    {"a &lt;private&gt;x </private> s3cret&lt;/private&gt; b", "a [private] b", 1},
		"an encoded span within":   {"a <private>x &lt;private&gt;y&lt;/private&gt; s3cret</private> b", "a [private] b", 1},
		"behind what hides":        {"a \u200b<private>x &lt;/private> s3cret</private> b", "a \u200b[private] b", 1},
		"a hidden closing tag":     {"a &lt;private&gt;x \u200b</private> s3cret&lt;/private&gt; b", "a [private] b", 1},
		"closing with a backslash": {`a &lt;private&gt;x <\/private> s3cret&lt;/private&gt; b`, "a [private] b", 1},
		"a plain closing inside":   {"a &lt;private </private> s3cret&lt;/private&gt; b", "a [private] b", 1},
		"layers of two kinds":      {"a &#38;lt;private&#x26;gt;s3cret&#X26;lt;/private&#038;gt; b", "a [private] b", 1},
		"full width in a URL":      {"a %EF%BC%9Cprivate%EF%BC%9Es3cret%25EF%25BC%259c/private%EF%bc%9e b", "a [private] b", 1},
		"a slash as PHP has it":    {`{"a":"<private>s3cret<\/private> b"}`, `{"a":"[private] b"}`, 1},
		"JSON in JSON":             {`{"a":"\\\u003cprivate\\\u003es3cret\\\u003c\\\/private> b"}`, `{"a":"[private] b"}`, 1},
		"white space of old":       {"a <private\f>s3cret</private\u0085> b", "a [private] b", 1},
		"what hides elsewhere":     {"\u200ba&#160;b %41 \uff21 <private>s3cret</private>\u200b", "\u200ba&#160;b %41 \uff21 [private]\u200b", 1},
		"the mark of an earlier":   {"a [private] b", "a [private] b", 0},
		"brackets of other makes":  {"a & b < c > d \\ e", "a & b < c > d \\ e", 0},
		"what encloses stays":      {"ä<private>ö</private>ü", "ä[private]ü", 1},
		"a mismatch stays private": {"<private>s3cret</privat> s3cret", "[private]", 1},
	} {
		t.Run(name, func(t *testing.T) {
			clean, redactions := redaction.Redact(test.text)
			assert.Equal(t, test.want, clean)
			assert.Equal(t, test.redactions, redactions)
			assert.NotContains(t, clean, "s3cret")
		})
	}
}

// pieces are what texts with tags are put together from.
var pieces = []string{
	"<private>", "</private>", "<private", "</private ", "< PRIVATE >", "< / private>", "<private a='", "/>", ">", "<", "/", "private",
	"&lt;private&gt;", "&lt;/private&gt;", `\u003cprivate\u003e`, `\u003c/private\u003e`, "pri", "vate", "[private]",
	"＜", "＞", "\u200b", "&#60;", "%3c", "%2", "&amp;", "lt;", "\\", "&#6", "&#x", " ", "\n", "word", "ü",
}

func TestRedactTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
		once, _ := redaction.Redact(text)
		twice, redactions := redaction.Redact(once)
		require.Equal(t, once, twice)
		require.Zero(t, redactions)
	})
}

func TestNothingBetweenTagsSurvives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom(pieces)
		before := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "before"), "")
		opening := rapid.SampledFrom([]string{"<private>", "<PRIVATE >", "&lt;private&gt;", `\u003cprivate\u003e`, "＜pri\u200bvate＞"}).Draw(t, "opening")
		inside := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"s3cret", "<private>", "<", ">", "</", " ", "/"}), 1, 8).Draw(t, "inside"), "")
		after := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "after"), "")
		clean, redactions := redaction.Redact(before + opening + "s3cret" + inside + "</private>" + after)
		require.NotContains(t, clean, "s3cret")
		require.Positive(t, redactions)
	})
}

// Whatever stands before a plain tag, an encoded one does not close it.
func TestNoEncodedTagClosesAPlainOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "before"), "")
		inside := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"s3cret", "&lt;/private&gt;", "&lt;private ", " ", "＜/private＞", "/"}), 1, 8).Draw(t, "inside"), "")
		clean, redactions := redaction.Redact(before + "<private>" + inside + "s3cret</private>")
		require.NotContains(t, clean, "s3cret")
		require.Positive(t, redactions)
	})
}

// Texts that would make a search start over and over still come out right.
func TestRedactOfTextsMadeToBeSlow(t *testing.T) {
	t.Parallel()
	const n = 100_000
	for name, test := range map[string]struct {
		text, want string
		redactions int
	}{
		"openings without an end": {strings.Repeat("<private ", n), strings.Repeat("<private ", n), 0},
		"nested":                  {strings.Repeat("<private>", n) + strings.Repeat("</private>", n) + "kept", "[private]kept", 1},
		"openings before one end": {strings.Repeat("<private ", n) + strings.Repeat(" ", n) + ">x", "[private]", 1},
		"closing without an end":  {strings.Repeat("</private ", n), strings.Repeat("</private ", n), 0},
		"closed only":             {strings.Repeat("</private>", n), strings.Repeat("</private>", n), 0},
		"one after another":       {strings.Repeat("<private>x</private>", n), strings.Repeat("[private]", n), n},
		"white space":             {"<" + strings.Repeat(" ", n) + "private>x</private>", "[private]", 1},
		"backslashes":             {strings.Repeat("\\", 10*n) + "x", strings.Repeat("\\", 10*n) + "x", 0},
		"signs of percent":        {strings.Repeat("%25", n) + "%", strings.Repeat("%25", n) + "%", 0},
		"signs of and":            {"&" + strings.Repeat("amp;", n), "&" + strings.Repeat("amp;", n), 0},
		"nearly an entity":        {strings.Repeat("&#x0000000", n), strings.Repeat("&#x0000000", n), 0},
		"letters that hide":       {strings.Repeat("\u200b", n) + "&lt;private>x", "[private]", 1},
		"the name alone":          {strings.Repeat("private ", n), strings.Repeat("private ", n), 0},
	} {
		t.Run(name, func(t *testing.T) {
			clean, redactions := redaction.Redact(test.text)
			assert.True(t, test.want == clean, "%d bytes, not the %d wanted", len(clean), len(test.want))
			assert.Equal(t, test.redactions, redactions)
		})
	}
}

func FuzzRedact(f *testing.F) {
	const secret = "QsecretQ"
	f.Add("", "")
	f.Add("<private ", "</private>")
	f.Add("＜priv\u200bate", "&#60/private&amp;gt;%253c")
	f.Add("</privAte ", "0")
	f.Add("&lt;private ", "&lt;/private&gt;")
	f.Add("\xff<", `\u003c/private\u003e`)
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before, secret) || strings.Contains(after, secret) {
			t.Skip("the text says it itself")
		}
		for _, text := range []string{
			before + "<private>" + secret + "</private>" + after,
			before + "<private>" + secret, // never closed
		} {
			clean, _ := redaction.Redact(text)
			if strings.Contains(clean, secret) {
				t.Fatalf("%q leaks as %q", text, clean)
			}
			if again, n := redaction.Redact(clean); again != clean || n != 0 {
				t.Fatalf("%q becomes %q", clean, again)
			}
		}
	})
}
