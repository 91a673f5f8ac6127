package storetest

import (
	"strings"
	"testing"

	"mneme/store"
)

// querySyntax pairs texts that some search engine takes for its syntax with the plain words that they
// are: both must find the same, equally well.
var querySyntax = []struct{ text, plain string }{
	{`"walrus giraffe"`, "walrus giraffe"},
	{`"walrus`, "walrus"},
	{`walrus"`, "walrus"},
	{`""walrus""`, "walrus"},
	{`'walrus'`, "walrus"},
	{"walrus AND giraffe", "walrus and giraffe"},
	{"walrus OR giraffe", "walrus or giraffe"},
	{"walrus NOT giraffe", "walrus not giraffe"},
	{"NOT walrus", "not walrus"},
	{"AND OR NOT", "and or not"},
	{"walrus NEAR giraffe", "walrus near giraffe"},
	{"NEAR(walrus giraffe, 1)", "near walrus giraffe 1"},
	{"walr*", "walr"},
	{"*", ""},
	{"*walrus*", "walrus"},
	{"w?lrus", "w lrus"},
	{"^walrus giraffe", "walrus giraffe"},
	{"+walrus -giraffe", "walrus giraffe"},
	{"-walrus", "walrus"},
	{"!walrus", "walrus"},
	{"walrus && !giraffe", "walrus giraffe"},
	{"walrus || giraffe", "walrus giraffe"},
	{"(walrus", "walrus"},
	{"walrus))", "walrus"},
	{"((walrus) giraffe", "walrus giraffe"},
	{"walrus~", "walrus"},
	{"/wal(rus)?/", "wal rus"},
	{"[stork TO walrus]", "stork to walrus"},
	{"{stork TO walrus}", "stork to walrus"},
	{`walrus\`, "walrus"},
	{`\walrus \\ giraffe\"`, "walrus giraffe"},
	{"> walrus < giraffe =", "walrus giraffe"},
	{"walrus; DROP TABLE episodes --", "walrus drop table episodes"},
	{"walrus } RETURN 1 //", "walrus return 1"},
	{"walrus % ? $1 @x #y", "walrus 1 x y"},
	{"\twalrus\n\n\r\ngiraffe\x01", "walrus giraffe"},
	{"walrus 😀👩‍👩‍👧‍👦", "walrus"},
}

// strangeTexts must be answered, whatever the answer is.
var strangeTexts = []string{
	"title:walrus", "title : walrus", "{title observation}: walrus", "-title:walrus", "walrus^9", "walrus~2", "wal*rus",
	":", "::", "a:b:c", `"`, `""`, `\`, `\\\`, "(", ")", "()", "[]", "{}", "~", "^", "^^", "+", "-", "--", "!", "&&", "||",
	"/", "//", "/[/", "AND", "OR", "NOT", "NEAR", "NEAR()", "TO", "*:*", "_exists_:title", "tenant:x", "null", "NaN", "\ufffd", "\U0010ffff",
	"😀", "日本語の文章", "مرحبا بالعالم", "שלום",
	"e\u0301", "ﬁ", "İstanbul", "a'b'c", "o'clock's", "...", "1.2.3", "x_y-z", "#@%&",
	"\u202ewalrus\u202c", "wal\u00adrus", "walrus\u200b",
}

func (s suite) recallTexts(t *testing.T) {
	s.run(t, "user text is words, never query syntax", func(m *tenant) {
		recordZoo(m)
		for _, test := range querySyntax {
			plain := store.RecallQuery{Text: test.plain}
			m.steadily(plain, func(m *tenant) {
				m.Equal(m.hits(plain), m.hits(store.RecallQuery{Text: test.text}), "%q", test.text)
			})
		}
	})
	s.run(t, "any text is answered", func(m *tenant) {
		recordZoo(m)
		for _, text := range append(strangeTexts, awkwardTexts...) {
			m.NotEmpty(m.hits(store.RecallQuery{Text: text}), "%q", text)
			m.Positive(m.hits(store.RecallQuery{Text: text + " walrus"})["walrus"].Lexical, "%q", text)
		}
	})
	s.run(t, "fifty kilobytes are answered", longTexts)
}

// recordZoo records episodes about one animal, about another, and about both.
func recordZoo(m *tenant) {
	m.t.Helper()
	m.record(
		episode("walrus", at(1)).seeing("a walrus came"), episode("giraffe", at(2)).seeing("a giraffe went"),
		episode("both", at(3)).seeing("the walrus met the giraffe"), episode("stork", at(4)).seeing("storks fly"),
	)
}

func longTexts(m *tenant) {
	recordZoo(m)
	var varied strings.Builder
	for varied.Len() < 50_000 {
		varied.WriteString(strings.ToLower(randomTenant()))
		varied.WriteString(" the (quick) ")
	}
	for name, text := range map[string]string{
		"one word":          strings.Repeat("w", 50_000),
		"one word repeated": strings.Repeat("walrus ", 50_000/7),
		"many words":        varied.String(),
		"no words":          strings.Repeat(`"(*) `, 10_000),
		"stop words":        strings.Repeat("what is the ", 50_000/12),
		"unbroken CJK":      strings.Repeat("日本語", 50_000/9),
	} {
		hits := m.hits(store.RecallQuery{Text: text})
		m.NotEmpty(hits, name)
		m.Equal(name == "one word repeated", hits["walrus"].Lexical > 0, name)
	}
}
