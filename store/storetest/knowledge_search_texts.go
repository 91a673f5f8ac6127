package storetest

import (
	"strings"
	"testing"
)

func (s suite) searchTexts(t *testing.T) {
	s.run(t, "user text is words, never query syntax", func(m *tenant) {
		rememberZoo(m)
		for _, test := range querySyntax {
			m.Equal(m.searched(anywhere(test.plain)), m.searched(anywhere(test.text)), "%q", test.text)
		}
	})
	s.run(t, "any text is answered", func(m *tenant) {
		rememberZoo(m)
		for _, text := range append(strangeTexts, awkwardTexts...) {
			m.searched(anywhere(text))
			m.Contains(m.matches(anywhere(text+" walrus")), "observation:walrus", "%q", text)
		}
	})
	s.run(t, "any text is found again", func(m *tenant) {
		for i, text := range []string{"日本語の文章", "مرحبا بالعالم", "שלום", "İstanbul", "x_y-z", "3.5", "o'hare", "naïve", "кириллица"} {
			key := string(rune('a' + i))
			m.observe(observation(key, at(0)).saying(text))
			m.Equal("observation:"+key, m.matches(anywhere(text))[0], "%q", text)
		}
	})
	s.run(t, "fifty kilobytes are answered", func(m *tenant) {
		rememberZoo(m)
		for _, text := range []string{
			strings.Repeat("w", 50_000), strings.Repeat(`"(*) `, 10_000), strings.Repeat("what is the ", 50_000/12),
			strings.Repeat("日本語", 50_000/9),
		} {
			m.Empty(m.searched(anywhere(text)))
		}
		m.NotEmpty(m.searched(anywhere(strings.Repeat("walrus ", 50_000/7))))
	})
}

// rememberZoo keeps in several kinds what recordZoo keeps in episodes.
func rememberZoo(m *tenant) {
	m.t.Helper()
	recordZoo(m)
	m.remember(memoir("m").named("zoo").describing("storks fly"))
	m.learn(concept("giraffe").saying("a giraffe went"))
	m.observe(observation("walrus", at(1)).saying("a walrus came"))
	m.correct(correction("both", "zoo", at(1)).saying("the walrus met the giraffe"))
}
