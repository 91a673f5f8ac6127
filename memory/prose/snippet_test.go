package prose_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/prose"
)

// anyOf matches the words of a list, in any case.
func anyOf(words ...string) func(string) bool {
	return func(word string) bool {
		for _, w := range words {
			if strings.EqualFold(w, word) {
				return true
			}
		}
		return false
	}
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("other words ", 20)
	for name, test := range map[string]struct {
		text    string
		words   []string
		runes   int
		snippet string
	}{
		"a short text":               {"Refunds are paid within a week", []string{"refunds", "paid"}, 80, "**Refunds** are **paid** within a week"},
		"on one line":                {"Refunds\n\tare   paid ", []string{"paid"}, 80, "Refunds are **paid**"},
		"nothing":                    {"", []string{"paid"}, 80, ""},
		"no match":                   {"Refunds are paid within a week", []string{"bag"}, 16, "Refunds are…"},
		"in the middle":              {"one two three four five six seven", []string{"four"}, 18, "…three **four** five…"},
		"at the end":                 {"one two three four five six seven", []string{"seven"}, 16, "…five six **seven**"},
		"at the beginning":           {"one two three four five six seven", []string{"one"}, 12, "**one** two…"},
		"where most words stand":     {filler + "refund here " + filler + "refund of a basic fare " + filler, []string{"refund", "fare"}, 30, "…**refund** of a basic **fare** other…"},
		"different before many":      {"refund refund refund " + filler + "fare refund " + filler, []string{"refund", "fare"}, 24, "…**fare** **refund** other…"},
		"the earliest of equals":     {"a refund " + filler + "the refund " + filler, []string{"refund"}, 12, "a **refund**…"},
		"signs inside a word":        {"It's v1.2.3 at 1,000, they're", []string{"It's", "v1.2.3", "1,000", "they're"}, 80, "**It's** **v1.2.3** at **1,000**, **they're**"},
		"signs around it":            {"(refund), fare/refund.", []string{"refund"}, 80, "(**refund**), fare/**refund**."},
		"identifiers":                {"call get_user_details now", []string{"get_user_details"}, 80, "call **get_user_details** now"},
		"other scripts":              {"Die Rückerstattung für 東京 bitte", []string{"rückerstattung", "東京"}, 80, "Die **Rückerstattung** für **東京** bitte"},
		"a word longer than allowed": {strings.Repeat("x", 40), []string{strings.Repeat("x", 40)}, 10, "xxxxxxxxx…"},
		"no room at all":             {"some refund", []string{"refund"}, 0, "…"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.snippet, prose.Snippet(test.text, anyOf(test.words...), test.runes))
		})
	}
}

func TestSnippetOfAnything(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`((refund|fare|a|is|über|x-ray|1\.5)[ ,\n]{1,2}){0,60}`))
	rapid.Check(t, func(t *rapid.T) {
		text, size := text.Draw(t, "text"), rapid.IntRange(1, 90).Draw(t, "runes")
		snippet := prose.Snippet(text, anyOf("refund", "über"), size)
		bare := strings.ReplaceAll(snippet, "**", "")
		assert.LessOrEqual(t, utf8.RuneCountInString(bare), size)
		assert.True(t, utf8.ValidString(snippet))
		flat := strings.Join(strings.Fields(text), " ")
		if !strings.Contains(text, "*") && !strings.Contains(text, "…") {
			assert.Contains(t, strings.ToValidUTF8(flat, "\uFFFD"), strings.Trim(bare, "… "))
		}
		if strings.Contains(flat, "refund") && size >= 12 {
			assert.True(t, strings.Contains(snippet, "**refund**") || strings.Contains(snippet, "**über**"), snippet)
		}
		assert.Equal(t, snippet, prose.Snippet(text, anyOf("refund", "über"), size))
	})
}

func FuzzSnippet(f *testing.F) {
	f.Add("a refund of 5.00\xff", 10)
	f.Add("…**", 1)
	f.Fuzz(func(t *testing.T, text string, runes int) {
		snippet := prose.Snippet(text, anyOf("a", "refund"), runes%200)
		if !utf8.ValidString(snippet) || strings.Contains(snippet, "\n") {
			t.Fatalf("%q becomes %q", text, snippet)
		}
	})
}
