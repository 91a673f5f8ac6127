package compaction

import (
	"slices"
	"strings"
)

// phrase is a wording that carries no meaning, or that a shorter one stands for, and where it may go.
type phrase struct {
	words []string
	with  string // the word in its place; empty where none is needed

	full      bool            // at the full level only
	article   bool            // "a", "an" or "the", which may be the name of something
	opening   bool            // only where it begins a sentence
	setOff    bool            // only between commas, or at the beginning before one
	leading   bool            // only before a plain word
	notAfter  map[string]bool // not behind one of these words
	notBefore map[string]bool // not before one of these
}

// phrases is what goes. A word stands here only where its other senses can be told from where it stands:
// "just" and "only" mean too much, "kind of" asks for a kind, "sure" and "okay" are answers.
var phrases = slices.Concat(
	[]phrase{
		{words: []string{"please"}, notAfter: wordSet("to as they we i"), notBefore: wordSet("the a an him her them me us everyone everybody people customers")},
		{words: []string{"rather"}, full: true, leading: true, notAfter: wordSet("would i'd or but"), notBefore: wordSet("than")},
		{words: []string{"i", "think"}, full: true, notAfter: wordSet("what that which as do so and"), notBefore: wordSet("that about of so not")},
		{words: []string{"i", "believe"}, full: true, notAfter: wordSet("what that which as do so and"), notBefore: wordSet("that in so not")},
		{words: []string{"a"}, full: true, article: true, notAfter: namesLetters, notBefore: wordSet("few little lot bit")},
		{words: []string{"an"}, full: true, article: true, notAfter: namesLetters},
		{words: []string{"the"}, full: true, article: true, notBefore: wordSet("more less better")},
	},
	each(phrase{}, `
		basically / essentially / literally / obviously / actually / really / simply / totally
		um / umm / uh / uhm / erm / hmm
		it goes without saying that / it should be noted that / it is worth noting that / it's worth noting that
		it is important to note that / the fact of the matter is that / if you don't mind
		i would like to point out that / i'd like to point out that / i just wanted to say that
		i just wanted to let you know that / i wanted to let you know that`),
	each(phrase{opening: true}, `kindly / note that / be advised that / needless to say`),
	each(phrase{setOff: true}, `
		well / anyway / honestly / frankly / you know / you see / i mean / of course / in fact / by the way / so yeah
		as you know / as you can see / to be honest / to be fair / to tell you the truth / as a matter of fact
		just so you know / just to be clear / for what it's worth / so to speak / if you will / at the end of the day`),
	each(phrase{full: true}, `
		perhaps / maybe / probably / possibly / presumably / supposedly / arguably / apparently / seemingly
		i think that / i believe that / i guess / i suppose / i feel like / in my opinion / in my view
		it seems that / it appears that / as far as i know / as far as i can tell
		to some extent / to a certain extent / more or less`),
	each(phrase{full: true, leading: true}, `very / quite / fairly / somewhat / extremely`),
	shorter(map[string]string{
		"in order to": "to", "due to the fact that": "because", "owing to the fact that": "because",
		"in spite of the fact that": "although", "despite the fact that": "although", "in the event that": "if",
		"at this point in time": "now", "at the present time": "now", "for the purpose of": "for",
		"with regard to": "about", "with regards to": "about", "in regard to": "about", "until such time as": "until",
		"a large number of": "many", "the majority of": "most", "has the ability to": "can", "have the ability to": "can",
		"prior to": "before", "subsequent to": "after", "in close proximity to": "near",
	}),
)

// courtesies are sentences that say nothing of the matter. What may be an answer is not among them.
var courtesies = set(`
	hello / hi / hey / hi there / hello there / hey there / hi all / hello everyone / good morning / good afternoon / good evening
	thanks / thank you / many thanks / thanks a lot / thank you very much / thank you so much / thanks so much
	thanks in advance / thank you in advance / thanks again / thank you again / thanks for your help / thank you for your help
	thank you for your patience / thanks for your patience / thank you for your understanding / thank you for reaching out
	thanks for reaching out / thank you for contacting us / you're welcome / you are welcome / you're very welcome
	best regards / kind regards / regards / cheers / sincerely / i hope this helps / hope this helps / i hope that helps
	i hope this email finds you well / i hope this message finds you well / i hope you are doing well / hope you're doing well
	have a nice day / have a great day / have a good day / have a nice weekend / nice to meet you / happy to help
	i'm happy to help / i'd be happy to help / i'd be happy to help you with that / i'd be glad to help
	let me know if you have any questions / please let me know if you have any questions
	if you have any questions, let me know / let me know if you need anything else / feel free to reach out
	please feel free to reach out / feel free to ask / please don't hesitate to contact me / don't hesitate to contact us
	please don't hesitate to contact us / looking forward to hearing from you / i look forward to hearing from you
	is there anything else i can help you with
`)

// courtesyBegins is the words that courtesies begin with.
var courtesyBegins = func() map[string]bool {
	first := map[string]bool{}
	for courtesy := range courtesies {
		word, _, _ := strings.Cut(courtesy, " ")
		first[word] = true
	}
	return first
}()

// maxCourtesy is the most words that a courtesy has.
const maxCourtesy = 12

// negations turn round what they stand before, so that it does not go: "not really" is not "not".
var negations = wordSet(`
	not no never without nor neither hardly barely cannot don't doesn't didn't isn't aren't wasn't weren't won't wouldn't
	can't couldn't shouldn't haven't hasn't hadn't ain't
`)

// namesLetters are words behind which a letter is a name: plan a, twice a day.
var namesLetters = wordSet(`
	option plan step type class vitamin grade group section appendix letter column row team hepatitis terminal gate seat
	variant version level zone part case once twice times
`)

// functionWords follow no article, so what stands before one is a name: a and b, the a in it.
var functionWords = wordSet(`
	is are was were be been and or but if in on at to of for by with from as than then so not has have had do does did
	will would can could should must may might equals minus plus times it he she they we you i that this these those
`)

// each makes a phrase like another of every wording in a list.
func each(like phrase, list string) []phrase {
	var made []phrase
	for wording := range strings.SplitSeq(list, "/") {
		for line := range strings.Lines(wording) {
			if words := strings.Fields(line); len(words) > 0 {
				p := like
				p.words = words
				made = append(made, p)
			}
		}
	}
	return made
}

func shorter(with map[string]string) []phrase {
	var made []phrase
	for wording, word := range with {
		made = append(made, phrase{words: strings.Fields(wording), with: word})
	}
	return made
}

func set(list string) map[string]bool {
	wordings := map[string]bool{}
	for _, p := range each(phrase{}, list) {
		wordings[strings.ReplaceAll(strings.Join(p.words, " "), ",", "")] = true
	}
	return wordings
}
