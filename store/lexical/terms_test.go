package lexical

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		words      string // joined by spaces
		stems      string
	}{
		{"nothing", "", "", ""},
		{"only stop words", "What did she say? No: who's to be, I don't", "say", "say"},
		{"typographic contractions", "I don’t, you’re, let’s", "", ""},
		{"stems once, first word kept", "Flights flight FLIGHTS", "flights", "flight"},
		{"suffixes", "relational conditional booking happily", "relational conditional booking happily", "relat condit book happili"},
		{"adverbs", "quarterly quarter, slowly slow", "quarterly slowly", "quarter slow"},
		{"irregular forms", "broke breaks children went", "broke children went", "break child go"},
		{"possessive", "the passenger's bag, the passenger’s bags", "passenger bag", "passeng bag"},
		{"identifiers whole and by their words", "You are mia_li_3668, __init__", "mia_li_3668 mia li 3668 __init__ init", "mia_li_3668 mia li 3668 __init__ init"},
		{"snake case", "cancel_reservations", "cancel_reservations cancel reservations", "cancel_reservations cancel reserv"},
		{"camel case", "getUserById HTTPServer iPhone", "getuserbyid get user id httpserver http server iphone phone", "getuserbyid get user id httpserver http server iphon phone"},
		{"names with dots", "os.path example.com", "os.path os path example.com example com", "os.path os path example.com exampl com"},
		{"one word with a capital", "Refund REFUND", "refund", "refund"},
		{"names with signs", "C++ or C#, Notepad++; C++17, not issue #7 or page#top", "c++ c# notepad++ notepad 17 issue 7 page top", "c++ c# notepad++ notepad 17 issu 7 page top"},
		{"a commit by its first digits", "9fceb02d0ae598e95dc970b74767f19372d61af8", "9fceb02d0ae598e95dc970b74767f19372d61af8 9fceb02", "9fceb02d0ae598e95dc970b74767f19372d61af8 9fceb02"},
		{"some more of them", "9fceb02d0a 9fceb02 20240520 defaced", "9fceb02d0a 9fceb02 20240520 defaced", "9fceb02d0a 9fceb02 20240520 defac"},
		{"case folded", "STRASSE Straße ΣΊΣΥΦΟΣ", "strasse σίσυφοσ", "strass σίσυφοσ"},
		{"one width", "１２３ ｶﾀｶﾅ ＡＢＣ", "123 カタカナ abc", "123 カタカナ abc"},
		{"numbers are not stemmed", "11am 3.5 747s 2024-05-20", "11am 3.5 747s 2024 05 20", "11am 3.5 747s 2024 05 20"},
		{"inner apostrophe", "O'Hare airport", "o'hare airport", "o'hare airport"},
		{"other scripts are not stemmed", "Überweisungen Билеты", "überweisungen билеты", "überweisungen билеты"},
		{"ideographs one by one", "東京行き", "東 京 行 き", "東 京 行 き"},
		{"accents in both spellings", "cafe\u0301 café", "café", "café"},
		{"symbols are no words", "— … ### \" * ( ) → © ─ AND:", "", ""},
		{"emoji are", "👍🏽👍 🇩🇪🇫🇷 ✓ 👩‍💻 ❤️", "👍 🇩🇪 🇫🇷 ✓ 👩💻 ❤", "👍 🇩🇪 🇫🇷 ✓ 👩💻 ❤"},
		{"hebrew quotation mark", "צה\"ל", "צהל", "צהל"},
		{"marks nobody sees", "\u202ewalrus\u202c re\u00adfund", "walrus refund", "walrus refund"},
		{"a control character before a mark", "none \x7f\u031e\uff9e walrus", "none \u3099\u031e walrus", "none \u3099\u031e walrus"},
		{"narrow space within a number", "10\u202f000 \u202f7", "10000 7", "10000 7"},
		{"too long", strings.Repeat("x", MaxWordBytes+1) + " short", "short", "short"},
		{"as long as may be", strings.Repeat("7", MaxWordBytes), strings.Repeat("7", MaxWordBytes), strings.Repeat("7", MaxWordBytes)},
		{"invalid UTF-8", "good\xff\xfe text", "good text", "good text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var words, stems []string
			for _, term := range Terms(tt.text) {
				words, stems = append(words, term.Word), append(stems, term.Stem)
			}
			assert.Equal(t, strings.Fields(tt.words), append([]string{}, words...))
			assert.Equal(t, strings.Fields(tt.stems), append([]string{}, stems...))
		})
	}
}

func TestStemsKeepRepetition(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "flight flight delay", Stems("the flights, a flight: DELAYED"))
	assert.Empty(t, Stems("who is it?"))
}

// The stop words of Lucene's English analyser never reach its index, so none may be asked for.
func TestStopWordsCoverLucene(t *testing.T) {
	t.Parallel()
	lucene := "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with"
	assert.Empty(t, Terms(lucene))
}

// Each kind of text must cost the same per byte as plain prose does, or about: the segmentation looks
// ahead, which a text made for it could turn into quadratic time.
func BenchmarkLargeTexts(b *testing.B) {
	for _, unit := range []string{"hello world flights ", "a b ", "a:\u0301", ":\u0301", "'", "🇦", "👍🏽\u200d", "日本"} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		b.Run(fmt.Sprintf("%q", unit), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Terms(text)
			}
		})
	}
}

func FuzzTerms(f *testing.F) {
	for _, seed := range []string{"", "The user's flights", "mia_li_3668 don’t", "日本 👍🏽 צה\"ל", "a\xff'b", "İSTANBUL's", "ﬁ ß ẞ", "x'ss", "1\u202f0", "\x7f\u031e\uff9e", " \uff9e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := Terms(text)
		require.Equal(t, terms, Terms(text), "deterministic")
		stems := strings.Fields(Stems(text))
		distinct := map[string]bool{}
		for _, stem := range stems {
			distinct[stem] = true
		}
		require.Len(t, terms, len(distinct))
		for _, term := range terms {
			require.True(t, distinct[term.Stem])
			require.True(t, utf8.ValidString(term.Word) && utf8.ValidString(term.Stem))
			require.NotEmpty(t, term.Stem)
			require.Equal(t, -1, strings.IndexFunc(term.Stem, func(r rune) bool {
				return r == '"' || unicode.IsSpace(r) || unicode.IsControl(r)
			}))
		}
	})
}
