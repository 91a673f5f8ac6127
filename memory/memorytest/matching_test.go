package memorytest_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/matching"
	"mneme/memory/memorytest"
	"mneme/memory/summary"
	"mneme/store/lexical"
	"mneme/store/meaning"
)

// corpus is what a store counts of the records of a kind, and their bags as it keeps them.
type corpus struct {
	matching.Collection
	kind    memory.Kind    // of all of them
	records map[string]int // by stem
	bags    []string
}

// add takes in a record by the texts of its kind.
func (c *corpus) add(kind memory.Kind, texts ...string) {
	var bag matching.Bag
	for i, text := range matching.Texts(kind) {
		bag.Add(lexical.Stems(texts[i]), text.Weight)
	}
	if c.records == nil {
		c.records = map[string]int{}
	}
	c.kind, c.bags = kind, append(c.bags, bag.String())
	if bag.Length == 0 {
		return
	}
	c.Records++
	c.Length += bag.Length
	for stem := range bag.Counts {
		c.records[stem]++
	}
}

// ask chooses the words of a query as a store does.
func (c *corpus) ask(text string) matching.Query {
	terms := lexical.DistinctiveFirst(lexical.Considered(lexical.Terms(text)), nil)
	words := make([]matching.Word, len(terms))
	for i, term := range terms {
		words[i] = matching.Word{Stem: term.Stem, Records: c.records[term.Stem]}
	}
	return matching.Choose(words, c.Records)
}

// documents reads what a query needs of all records.
func (c *corpus) documents(q *matching.Query) []matching.Document {
	all := make([]matching.Document, len(c.bags))
	for i, bag := range c.bags {
		all[i] = q.Document(bag, c.kind, c.Average())
	}
	return all
}

// best are the places of the best, of equals the first.
func best(scores []float64, most int) []int {
	places := make([]int, len(scores))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return places[:most]
}

// The instruction of a task brings back its trials.
func TestMatchingRecallsAirlineRuns(t *testing.T) {
	runs := memorytest.AirlineRuns(t)
	var c corpus
	for _, run := range runs {
		e := capture.EpisodeFromEvents(run.Log(t))
		result := ""
		if e.Result != nil {
			result = *e.Result
		}
		c.add(memory.KindEpisode, summary.Title(e.Observation), e.Observation, result, summary.Insight(&e))
	}
	found, asked := 0, 0
	scores := make([]float64, len(runs))
	for _, run := range runs {
		q := c.ask(run.Info.Task.Instruction)
		for i, d := range c.documents(&q) {
			scores[i] = matching.Parts{Match: matching.Match{Words: q.Alone(d)}}.Semantic()
		}
		for _, i := range best(scores, 4) {
			asked++
			if runs[i].Info.Task.Instruction == run.Info.Task.Instruction {
				found++
			}
		}
	}
	recall := float64(found) / float64(asked)
	t.Logf("recall@4 over %d runs: %.4f", len(runs), recall)
	assert.GreaterOrEqual(t, recall, 0.97)
}

// A set of dialogues: sessions of twenty turns, in which two people speak of an errand over a few turns, and what is asked
// for later is said up to four turns from there, in words that the question does not have. Other sessions are
// about other errands of the same people, with the same things, at the same places.
const (
	dialogueSessions = 60
	dialogueTurns    = 20
)

var (
	dialoguePeople = []string{"Amina", "Jonas", "Priya", "Wei", "Tomas", "Lena", "Omar", "Greta"}
	dialogueThings = []string{"printer", "boiler", "piano", "parcel", "laptop", "bicycle", "carpet", "mirror", "ladder", "oven", "lamp", "tent"}
	dialoguePlaces = []string{"library", "station", "cellar", "harbour", "school", "bakery", "attic", "market", "garage", "office"}
	dialogueDoings = []string{"repair", "collect", "deliver", "paint", "measure", "clean", "sell", "replace", "borrow", "inspect"}
	dialogueWhens  = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}
	smallTalk      = []string{
		"Good to hear.", "I had soup for lunch.", "The train was late again.", "Let us see.", "That sounds fine to me.",
		"It rained all morning.", "My cousin called twice.", "Really?", "The match was a draw.", "We should meet more often.",
	}
)

type turn struct {
	session, text string
	at            time.Time
}

type question struct {
	text   string
	answer int // its place among the turns
}

// dialogues makes the turns of all sessions and four questions about each: in the words of the errand, by its day, by its
// month, and by who said what.
func dialogues(seed uint64) (turns []turn, questions map[string][]question) {
	random := rand.New(rand.NewPCG(seed, 14))
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	questions = map[string][]question{}
	for s := range dialogueSessions {
		day := memorytest.Day(float64(random.IntN(700)))
		asks, answers := pick(dialoguePeople), pick(dialoguePeople)
		texts := make([]string, dialogueTurns)
		for i := range texts {
			texts[i] = pick(smallTalk)
			if random.IntN(6) == 0 { // the same things come up without a purpose, too
				texts[i] = fmt.Sprintf("%s saw a %s at the %s.", pick(dialoguePeople), pick(dialogueThings), pick(dialoguePlaces))
			}
		}
		doing, thing, place := pick(dialogueDoings), pick(dialogueThings), pick(dialoguePlaces)
		about := 4 + random.IntN(dialogueTurns-10)
		texts[about] = fmt.Sprintf("I want to %s the %s.", doing, thing)
		texts[about+1] = fmt.Sprintf("The one at the %s?", place)
		answer := about + 1 + random.IntN(5) // or a turn later
		if random.IntN(3) == 0 {
			answer = about - 1 - random.IntN(3)
		}
		said := fmt.Sprintf("On %s at %d, I promised.", pick(dialogueWhens), 1+random.IntN(11))
		if answer == about+1 {
			said = texts[answer] + " " + said
		}
		texts[answer] = said
		first := len(turns)
		for i, text := range texts {
			speaker := asks
			if (i-about)%2 != 0 {
				speaker = answers
			}
			turns = append(turns, turn{
				session: fmt.Sprintf("s%03d", s),
				text:    speaker + ": " + text, at: day.Add(time.Duration(i) * time.Minute),
			})
		}
		ask := func(kind, format string, args ...any) {
			questions[kind] = append(questions[kind], question{fmt.Sprintf(format, args...), first + answer})
		}
		who, _, _ := strings.Cut(turns[first+answer].text, ":")
		ask("words", "When is somebody to %s the %s at the %s?", doing, thing, place)
		ask("day", "When is the %s to be seen to, as was said on %s?", thing, day.Format("2 January 2006"))
		ask("month", "What was promised of the %s at the %s in %s?", thing, place, day.Format("January 2006"))
		ask("speaker", "When did %s say to %s the %s?", who, doing, thing)
	}
	return turns, questions
}

// before is the rule that searches of observations had before: bm25 with k1 = 1.2, of which neighbours lend 0.3.
func before(turns []turn, q *matching.Query, documents []matching.Document) []float64 {
	own := make([]float64, len(turns))
	for i, d := range documents {
		for word, count := range d.Counts {
			own[i] += q.IDF[word] * count * 2.2 / (count + 1.2*(0.25+0.75*d.Length))
		}
	}
	scores := slices.Clone(own)
	for i := 1; i < len(turns); i++ {
		if turns[i-1].session == turns[i].session {
			scores[i-1] += 0.3 * own[i]
			scores[i] += 0.3 * own[i-1]
		}
	}
	return scores
}

// now is the rule of package matching, without meaning, as far as some of its parts.
func now(turns []turn, q *matching.Query, documents []matching.Document, text string, date, speaker bool) []float64 {
	var scores []float64
	dates, names := matching.Dates(text), matching.NamesIn(text)
	for from := 0; from < len(turns); from += dialogueTurns {
		for i, match := range q.Run(documents[from : from+dialogueTurns]) {
			parts := matching.Parts{Match: match}
			if date {
				parts.Date = matching.Near(dates, turns[from+i].at)
			}
			if speaker {
				parts.Speaker, _ = names.Speaker(turns[from+i].text, "")
			}
			scores = append(scores, parts.Score())
		}
	}
	return scores
}

// What is said near the words that are asked for is found among the first by each word's best place in the neighbourhood,
// and more of it with the date and the speaker. Nothing was fitted to either half.
func TestMatchingFindsWhatIsSaidNearTheWords(t *testing.T) {
	for half, seed := range map[string]uint64{"one half": 1, "the other": 2} {
		t.Run(half, func(t *testing.T) {
			turns, questions := dialogues(seed)
			var c corpus
			for _, turn := range turns {
				c.add(memory.KindObservation, turn.text)
			}
			rules := []string{"before", "words", "+ date", "+ date, speaker"}
			found, asked := map[string]int{}, 0
			for _, kind := range []string{"words", "day", "month", "speaker"} {
				line := fmt.Sprintf("R@10 of %-8s", kind)
				of := map[string]int{}
				for _, asks := range questions[kind] {
					q := c.ask(asks.text)
					documents := c.documents(&q)
					for rule, scores := range map[string][]float64{
						rules[0]: before(turns, &q, documents), rules[1]: now(turns, &q, documents, asks.text, false, false),
						rules[2]: now(turns, &q, documents, asks.text, true, false), rules[3]: now(turns, &q, documents, asks.text, true, true),
					} {
						if slices.Contains(best(scores, 10), asks.answer) {
							of[rule]++
							found[rule]++
						}
					}
				}
				asked += len(questions[kind])
				for _, rule := range rules {
					line += fmt.Sprintf("  %s %.3f", rule, float64(of[rule])/float64(len(questions[kind])))
				}
				t.Log(line)
			}
			share := func(rule string) float64 { return math.Round(1000*float64(found[rule])/float64(asked)) / 1000 }
			t.Logf("R@10 of all %d: before %.3f, words %.3f, with dates %.3f, and speakers %.3f", asked, share(rules[0]), share(rules[1]), share(rules[2]), share(rules[3]))
			assert.GreaterOrEqual(t, share("words"), share("before")+0.05)
			assert.GreaterOrEqual(t, share("+ date"), share("words")+0.05)
			assert.GreaterOrEqual(t, share("+ date, speaker"), share("+ date"))
		})
	}
}

// A store that reads the 500 records which promise most, with those beside them, finds nearly all of the first that it would
// find by reading everything: of data in which words stand at random, so that nothing stands out.
func TestPromisesFindTheFirstOfAll(t *testing.T) {
	const sessions, turns, words, head, first = 2000, 20, 15, 500, 20
	random := rand.New(rand.NewPCG(3, 14))
	zipf := rand.NewZipf(random, 1.1, 20, 19_999)
	var c corpus
	for range sessions * turns {
		text := make([]string, words)
		for i := range text {
			text[i] = fmt.Sprintf("w%d", zipf.Uint64())
		}
		c.add(memory.KindObservation, strings.Join(text, " "))
	}
	held, asked := 0, 0
	for range 12 {
		var text []string
		for range 3 + random.IntN(10) {
			text = append(text, fmt.Sprintf("w%d", 30+random.IntN(1000)))
		}
		q := c.ask(strings.Join(text, " "))
		documents := c.documents(&q)
		exact, promised := make([]float64, len(documents)), make([]float64, len(documents))
		for from := 0; from < len(documents); from += turns {
			var has []matching.Has
			var places []int
			for i, d := range documents[from : from+turns] {
				var words matching.Has
				for word, count := range d.Counts {
					if count > 0 {
						words |= 1 << word
					}
				}
				if words != 0 {
					has, places = append(has, words), append(places, from+i)
				}
			}
			for i, promise := range q.Promises(has) {
				promised[places[i]] = promise
			}
			for i, match := range q.Run(documents[from : from+turns]) {
				exact[from+i] = match.Words
			}
		}
		reached := make([]float64, len(documents))
		for _, at := range best(promised, head) {
			for i := max(at-at%turns, at-matching.Reach); i <= min(at-at%turns+turns-1, at+matching.Reach); i++ {
				reached[i] = exact[i]
			}
		}
		wanted := best(exact, first)
		for i, at := range best(reached, first) {
			asked++
			if reached[at] >= exact[wanted[i]] {
				held++
			}
		}
	}
	share := float64(held) / float64(asked)
	t.Logf("of the first %d of %d records, reading %d finds %.3f", first, sessions*turns, head, share)
	assert.GreaterOrEqual(t, share, 0.98)
}

// paraphrases are records and how somebody asks for each later, of two kinds: near, which share some words with it, and
// far, which share few.
func paraphrases(t *testing.T) (records, questions map[string][]string) {
	t.Helper()
	text, err := os.ReadFile("../../store/meaning/testdata/paraphrases.txt")
	require.NoError(t, err)
	records, questions = map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(fields) == 3 {
			records[fields[0]], questions[fields[0]] = append(records[fields[0]], fields[1]), append(questions[fields[0]], fields[2])
		}
	}
	return records, questions
}

// Meaning beside the words finds what words alone cannot, and loses nothing where they can.
func TestMatchingFindsParaphrases(t *testing.T) {
	records, questions := paraphrases(t)
	var c corpus
	var vectors [][]float32
	for _, kind := range []string{"near", "far"} {
		for _, text := range records[kind] {
			c.add(memory.KindObservation, text)
			v, _ := meaning.Encode(text)
			vectors = append(vectors, v[:])
		}
	}
	first, fifth := map[string]int{}, map[string]int{}
	for rule, compared := range map[string]bool{"words": false, "with meaning": true} {
		right := 0
		for _, kind := range []string{"near", "far"} {
			for _, text := range questions[kind] {
				q := c.ask(text)
				asked, _ := meaning.Encode(text)
				scores := make([]float64, len(vectors))
				for i, d := range c.documents(&q) {
					parts := matching.Parts{Match: matching.Match{Words: q.Alone(d)}, Meaning: matching.Cosine(asked[:], vectors[i]), Compared: compared}
					scores[i] = parts.Score()
				}
				ahead := -1 // as many are as good or better
				for _, score := range scores {
					if score >= scores[right] {
						ahead++
					}
				}
				if ahead == 0 {
					first[kind+" "+rule]++
				}
				if ahead < 5 {
					fifth[kind+" "+rule]++
				}
				right++
			}
		}
	}
	t.Logf("right one first, of 50 each: %v; among the first five: %v", first, fifth)
	assert.GreaterOrEqual(t, first["far with meaning"], 2*first["far words"])
	assert.GreaterOrEqual(t, fifth["far with meaning"], 30)
	assert.GreaterOrEqual(t, first["near with meaning"], first["near words"])
}
