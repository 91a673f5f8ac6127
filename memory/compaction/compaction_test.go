package compaction_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory/compaction"
	"mneme/memory/memorytest"
)

func TestCompact(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, lite, full string }{
		"nothing to do": {"User wants refunds.", "User wants refunds.", "User wants refunds."},
		"empty":         {"", "", ""},
		"white space":   {"  one  two\tthree \n\n\n\n four  ", "  one two three\n\n four", "  one two three\n\n four"},

		"please":               {"Please check it. Could you please wait?", "check it. Could you wait?", "check it. Could you wait?"},
		"please at the end":    {"Send it, please. Yes, please.", "Send it. Yes.", "Send it. Yes."},
		"to please":            {"It is hard to please people.", "It is hard to please people.", "It is hard to please people."},
		"greetings and thanks": {"Hello!\nThe fare is fixed. Thank you very much.\nKind regards,\nBob", "The fare is fixed.\nBob", "fare is fixed.\nBob"},
		"thanks to":            {"Thanks to you it works.", "Thanks to you it works.", "Thanks to you it works."},
		"answers":              {"Sure. Okay. No problem. Of course.", "Sure. Okay. No problem. Of course.", "Sure. Okay. No problem. Of course."},
		"fillers":              {"It is actually basically fixed.", "It is fixed.", "It is fixed."},
		"set off by commas":    {"It is, basically, fixed. Well, it is.", "It is fixed. it is.", "It is fixed. it is."},
		"not really":           {"It is not really fixed, nor actually known.", "It is not really fixed, nor actually known.", "It is not really fixed, nor actually known."},
		"of what kind":         {"What kind of seat, of course?", "What kind of seat, of course?", "What kind of seat, of course?"},
		"a phrase brought together": {
			"I actually just really wanted to say that it rains, in really order basically to cool.", "it rains, to cool.", "it rains, to cool.",
		},
		"shorter wordings": {"In order to fly, wait due to the fact that it rains.", "To fly, wait because it rains.", "To fly, wait because it rains."},
		"only a filler":    {"Basically.", "Basically.", "Basically."},
		"only a courtesy":  {"Thanks! Hello!", "Thanks! Hello!", "Thanks! Hello!"},

		"articles":        {"The user has a fare and an upgrade.", "The user has a fare and an upgrade.", "user has fare and upgrade."},
		"letters":         {"Choose option a or plan a. Then a and b, a + b, a is 5.", "Choose option a or plan a. Then a and b, a + b, a is 5.", "Choose option a or plan a. Then a and b, a + b, a is 5."},
		"names":           {"They went to The Hague.", "They went to The Hague.", "They went to The Hague."},
		"a few":           {"Only a few seats.", "Only a few seats.", "Only a few seats."},
		"before a number": {"It returns a 404 for the `id`.", "It returns a 404 for the `id`.", "It returns 404 for `id`."},
		"hedges":          {"Perhaps I think it is probably very slow.", "Perhaps I think it is probably very slow.", "it is slow."},
		"rather than":     {"Rather slow, fast rather than rather slow.", "Rather slow, fast rather than rather slow.", "slow, fast rather than slow."},
		"full after lite": {"At the end of the day, a large number of seats are left.", "many seats are left.", "many seats are left."},

		"code span":       {"Run `git  add a  please` really now.", "Run `git  add a  please` now.", "Run `git  add a  please` now."},
		"fenced code":     {"Really  do:\n```sh\nplease   wait \n\n\n\nreally\n```\nplease  go", "do:\n```sh\nplease   wait \n\n\n\nreally\n```\ngo", "do:\n```sh\nplease   wait \n\n\n\nreally\n```\ngo"},
		"unclosed fence":  {"So:\n~~~\nplease   wait", "So:\n~~~\nplease   wait", "So:\n~~~\nplease   wait"},
		"indented code":   {"So:\n\n    please   wait\n\tthe  a\nplease  go", "So:\n\n    please   wait\n\tthe  a\ngo", "So:\n\n    please   wait\n\tthe  a\ngo"},
		"a prompt":        {"$ please   wait the a\nplease  go", "$ please   wait the a\ngo", "$ please   wait the a\ngo"},
		"commands":        {"please run git add a the   thing. please wait", "please run git add a the   thing. wait", "please run git add a the   thing. wait"},
		"options":         {"really use foo --force the   thing", "really use foo --force the   thing", "really use foo --force the   thing"},
		"quoted":          {"He said \"please   wait\", 'the  end', “really  so” and «the  a».", "He said \"please   wait\", 'the  end', “really  so” and «the  a».", "He said \"please   wait\", 'the  end', “really  so” and «the  a»."},
		"over two lines":  {"He said \"please   wait\nreally  so\" really  now.", "He said \"please   wait\nreally  so\" now.", "He said \"please   wait\nreally  so\" now."},
		"apostrophes":     {"It's  really the users' fare, isn't it?", "It's the users' fare, isn't it?", "It's users' fare, isn't it?"},
		"URLs and paths":  {"See https://a.b/the?please=a and /the/a/please really.", "See https://a.b/the?please=a and /the/a/please really.", "See https://a.b/the?please=a and /the/a/please really."},
		"identifiers":     {"the getUser, get_user, user.name, THE_A, HAT136 are v1.2.3 on 2025-03-01", "the getUser, get_user, user.name, THE_A, HAT136 are v1.2.3 on 2025-03-01", "getUser, get_user, user.name, THE_A, HAT136 are v1.2.3 on 2025-03-01"},
		"a sum of money":  {"It is really $305 for the bag.", "It is $305 for the bag.", "It is $305 for bag."},
		"marks":           {"please keep [private] and [secret:jwt] really", "keep [private] and [secret:jwt]", "keep [private] and [secret:jwt]"},
		"lists":           {"- please go\n  - really the end\n1. please go", "- go\n  - the end\n1. go", "- go\n  - end\n1. go"},
		"tables":          {"| please | the  a |", "| please | the  a |", "| please | the  a |"},
		"other languages": {"Bitte  prüfen Sie die Lage – 東京　は", "Bitte prüfen Sie die Lage – 東京　は", "Bitte prüfen Sie die Lage – 東京　は"},
		"Windows lines":   {"please go \r\nthe end\r\n", "go\nthe end", "go\nend"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.text, compaction.Off.Text(test.text))
			assert.Equal(t, test.lite, compaction.Lite.Text(test.text))
			assert.Equal(t, test.lite, compaction.Level("").Text(test.text), "the default")
			assert.Equal(t, test.full, compaction.Full.Text(test.text))
		})
	}
}

func TestParseCompaction(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]compaction.Level{
		"": compaction.Lite, "off": compaction.Off, "LITE": compaction.Lite, "Full": compaction.Full,
	} {
		level, err := compaction.Parse(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, level, name)
	}
	_, err := compaction.Parse("most")
	assert.ErrorContains(t, err, `"most" is no level of compaction; there are OFF, LITE and FULL`)
}

// words are what sentences are put together from: everything that the rules know, and what they must
// leave alone.
var (
	plainWords = strings.Fields(`please the a an really actually basically just not never in order to due fact that of is very
		quite rather than i think believe you know well, please, of course, perhaps thanks. hello! thank you very much. at end
		day, note option and fare. refund user, Please The I It Well, a, the.`)
	technical = strings.Fields(`https://a.b/c?the=a /usr/bin/the v1.2.3 2025-03-01 12:30 $305 42 getUserName get_user user.name
		THE_A HAT136 ` + "`the`" + ` x@y.z 0xFF [private] [secret:jwt] "the" 'please' C++ a/b --force git e.g. Zürich 東京 3.5%`)
	spaces = []string{" ", "  ", "\t", "\n", "\n\n\n", "\n- ", " \n  ", "\r\n"}
	blocks = []string{"\n```\nplease   the\n\n\n a \n```\n", "\n    really   the a\n", "\"please   the\nreally  so\"", "`a  the  please`", "\n$ rm   the a\n"}
)

func drawProse(t *rapid.T) string {
	var text strings.Builder
	piece := rapid.OneOf(rapid.SampledFrom(plainWords), rapid.SampledFrom(plainWords), rapid.SampledFrom(technical), rapid.SampledFrom(blocks))
	for range rapid.IntRange(0, 40).Draw(t, "pieces") {
		text.WriteString(piece.Draw(t, "piece"))
		text.WriteString(rapid.SampledFrom(spaces).Draw(t, "space"))
	}
	return text.String()
}

// technicalToken is what anybody would call technical, told by other means than the rules use.
var technicalToken = regexp.MustCompile(`https?://\S+|/[a-z]+/[a-z/]+|v?\d[\d.:,%-]*|\$\d+|[a-z]+[A-Z]\w+|\w*_\w+|[A-Z]{3}\w+|\[[^]\s]+\]|--[a-z]+|\S+@\S+|Zürich|東京|C\+\+`)

func checkCompacted(t require.TestingT, level compaction.Level, text string) {
	compacted := level.Text(text)
	require.LessOrEqual(t, len(compacted), len(text), "%q became %q", text, compacted)
	require.Equal(t, compacted, level.Text(text), "the same for the same")
	require.Equal(t, compacted, level.Text(compacted), "%q became %q", text, compacted)
	require.Equal(t, utf8.ValidString(text), utf8.ValidString(compacted))
	require.Equal(t, strings.TrimSpace(text) == "", strings.TrimSpace(compacted) == "", "%q became %q", text, compacted)
}

func checkKeepsTechnical(t require.TestingT, level compaction.Level, text string) {
	compacted := level.Text(text)
	require.Equal(t, technicalToken.FindAllString(text, -1), technicalToken.FindAllString(compacted, -1), "%q became %q", text, compacted)
}

func TestCompactKeepsWhatIsTechnical(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawProse(t)
		for _, level := range compaction.Levels {
			checkCompacted(t, level, text)
			checkKeepsTechnical(t, level, text)
			for _, block := range blocks {
				block = strings.Trim(block, "\n")
				if !strings.Contains(text, "`") || strings.HasPrefix(block, "`") {
					require.Equal(t, strings.Count(text, block), strings.Count(level.Text(text), block), "%q in %q", block, text)
				}
			}
		}
	})
}

// Texts that would make a search start over and over take no longer than others, and come out right.
func TestCompactOfTextsMadeToBeSlow(t *testing.T) {
	t.Parallel()
	for name, piece := range map[string]string{
		"ticks": "`", "runs of ticks": "` `` ``` ", "quotes": `" `, "opening quotes": "“", "apostrophes": " '", "letters": "a ", "fences": "```x\n",
		"please": "please ", "nested": "in in order to order to ", "half phrases": "it goes without saying ", "blanks": " ", "lines": "\n", "dots": ". ",
		"negations": "not really ", "commas": "well, ", "courtesies": "Thanks! ", "lists": "- ", "no blanks": "please",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(piece, 50_000/len(piece))
			for _, level := range compaction.Levels {
				checkCompacted(t, level, text)
			}
		})
	}
}

func FuzzCompact(f *testing.F) {
	for _, seed := range []string{
		"Please  note that the `code  span` is, basically, \"quoted  text\".", "```\na\n``` ", "\xff please \xfe", "$ ls\n\t the a\r\n", "a ' b' `` ` ``",
		"in order please to. Thanks!\n\n\nHello.", "> please\n# the\n* a", "well, of course, to be honest, it is.",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, level := range compaction.Levels {
			compacted := level.Text(text)
			if len(compacted) > len(text) {
				t.Fatalf("%q grows to %q", text, compacted)
			}
			if same := level.Text(text); same != compacted {
				t.Fatalf("%q becomes %q and %q", text, compacted, same)
			}
			if before, after := technicalToken.FindAllString(text, -1), technicalToken.FindAllString(compacted, -1); !slices.Equal(before, after) {
				t.Fatalf("%q becomes %q and loses of %q all but %q", text, compacted, before, after)
			}
			if again := level.Text(compacted); again != compacted {
				t.Fatalf("%q becomes %q becomes %q", text, compacted, again)
			}
			if utf8.ValidString(text) && !utf8.ValidString(compacted) {
				t.Fatalf("%q becomes %q", text, compacted)
			}
		}
	})
}

// FuzzCompactKeeps: code, addresses, numbers and quotations come out as they went in, whatever stands around
// them in paragraphs of their own.
func FuzzCompactKeeps(f *testing.F) {
	f.Add("please go", "the  a", "```\nplease   the\n```", true)
	f.Add("It's `", "\"", "x = 1", false)
	f.Fuzz(func(t *testing.T, before, after, inside string, fenced bool) {
		if strings.ContainsAny(before, "`~") || strings.ContainsAny(inside, "`~\r\n") || strings.TrimSpace(inside) == "" {
			t.Skip("another block begins or ends there")
		}
		kept := "`" + inside + "`"
		if fenced {
			kept = "```\n  " + inside + "\n\n\n" + inside + "\n```"
		}
		text := before + "\n\n" + kept + "\n\n" + after
		for _, level := range compaction.Levels {
			if compacted := level.Text(text); !strings.Contains(compacted, kept) {
				t.Fatalf("%q becomes %q without %q", text, compacted, kept)
			}
		}
	})
}

func TestClosingSignsAreLookedForInProportion(t *testing.T) {
	t.Parallel()
	for name, text := range memorytest.HostileTexts(100 << 10) {
		assert.LessOrEqual(t, compaction.ClosingSignsLookedFor(text), 5*len(text), name)
	}
}
