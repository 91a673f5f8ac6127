package retrieval_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"

	"mneme/memory/retrieval"
)

func TestOpener(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ann: I will go.": "Ann", " Dr. Lee: yes": "Dr. Lee", "user:": "user", "Jean-Luc O'Neil:\tno": "Jean-Luc O'Neil",
		"agent 7: done": "agent 7", "Łukasz: tak": "Łukasz", "Ann  Lee: two spaces": "Ann Lee",
		"": "", ":": "", ": hi": "", "http://x.org": "", "10:30 is late": "", "10: ten": "", "I said, well: no": "",
		"no colon here": "", "Ann:hi": "", "one two three four five: no": "", "C: yes": "C", "Title (old): x": "",
		"Thenameofsomebodythatisverymuchlongerthananynamethatthereeverwas: no": "",
	} {
		assert.Equal(t, want, retrieval.Opener(text), "%q", text)
	}
}

func TestSpeaker(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		query, text, agent string
		want               string
	}{
		{"When did Ann go?", "Ann: I went on Monday.", "", "Ann"},
		{"when did ann go?", "Ann: I went on Monday.", "", "Ann"},
		{"What was Ann's answer?", "ANN: no", "", "ANN"},
		{"When did Annabel go?", "Ann: I went.", "", ""},
		{"When did Ann go?", "Ben: Ann went.", "", ""},
		{"When did Ann Lee go?", "Ann Lee: I went.", "", "Ann Lee"},
		{"When did Ann go?", "Ann Lee: I went.", "", "Ann"},
		{"When did Lee go?", "Ann Lee: I went.", "", ""},
		{"What did the doctor say?", "The Doctor: rest", "", "The Doctor"},
		{"What is the matter?", "The Doctor: rest", "", ""},
		{"What did the dr say?", "Dr. Lee: rest", "", ""},
		{"What did booking_bot do?", "Booked.", "booking_bot", "booking_bot"},
		{"What did agent-1 do?", "Booked.", "agent-1", "agent-1"},
		{"What did agent-12 do?", "Booked.", "agent-1", ""},
		{"What did a bot do?", "Booked.", "a", ""},
		{"", "Ann: hi", "bot", ""},
		{"...", "...", "...", ""},
	} {
		assert.Equal(t, test.want, retrieval.NamesIn(test.query).Speaker(test.text, test.agent), "%+v", test)
	}
}

func FuzzSpeaker(f *testing.F) {
	f.Add("When did Ann go?", "Ann: hi", "bot")
	f.Add("\xff", "\xff: x", "é")
	f.Add("0", "A ':", "0")
	f.Fuzz(func(t *testing.T, query, text, agent string) {
		retrieval.NamesIn(query).Speaker(text, agent)
		if opener := retrieval.Opener(text); len(opener) > 1 {
			named := retrieval.NamesIn("what did "+opener+" say").Speaker(text, "")
			letters := strings.FieldsFunc(opener, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			assert.True(t, named == opener || len([]rune(strings.Join(letters, " "))) < 3, "%q names %q", opener, named)
		}
	})
}
