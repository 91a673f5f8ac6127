package retrieval

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func keys(records []Record) []string {
	keys := []string{}
	for _, r := range records {
		keys = append(keys, r.Key)
	}
	return keys
}

// passage is one of an episode, whose text is its stems; a vector of two numbers is a built-in one.
func passage(w *Words, key string, number int, text string, vector ...float32) Passage {
	p := Passage{Passage: memory.Passage{Part: memory.PartThought, Position: number, At: noon, Text: text}, Kind: memory.KindEpisode, Key: key, Number: number, Vector: vector, BuiltIn: len(vector) == 2}
	p.Counts, p.Length = Count(strings.Fields(text), w.Stems), len(strings.Fields(text))
	return p
}

func TestChoose(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"the", "rare", "unknown", "common", "none"}, []float64{0.1, 5, 0, 2, 0})
	assert.Equal(t, []string{"rare", "common", "the"}, w.Stems)
	assert.InDelta(t, 5+2+0.1+2*5, w.possible, 1e-12, "what is unknown counts as missing, like the rarest")

	var stems []string
	var rarities []float64
	for i := range 40 {
		stems, rarities = append(stems, fmt.Sprint(i)), append(rarities, max(0, float64(30-i)))
	}
	w = Choose(stems, rarities)
	assert.Len(t, w.Stems, 12)
	assert.Equal(t, "0", w.Stems[0])
	assert.InDelta(t, (30+19)*6+3*30, w.possible, 1e-12, "at most three unknown ones")

	assert.Empty(t, Choose([]string{"unknown"}, []float64{0}).Stems)
	assert.Empty(t, Choose(nil, nil).Stems)
}

func TestLike(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"a", "b"}, []float64{3, 1})
	for _, tt := range []struct {
		counts       []int
		cosine, like float64
	}{
		{nil, 0.6, 0.3766},         // √(0.65 · 0.36 / 1.65)
		{nil, -0.6, 0},             // what means the opposite is not like it
		{[]int{1, 1}, 0.6, 0.8648}, // √((1 + 0.65 · 0.36) / 1.65): all words
		{[]int{1, 0}, 0, 0.5839},   // √(0.75² / 1.65): of the words' worth 3 in 4
		{[]int{0, 1}, 0.6, 0.4237}, // √((0.25² + 0.65 · 0.36) / 1.65)
		{[]int{9, 9}, 1, 1},        // never more
	} {
		assert.InDelta(t, tt.like, w.Like(tt.counts, 30, tt.cosine), 1e-3, "%v and %v", tt.counts, tt.cosine)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"a", "b"}, []float64{2, 1})
	assert.Equal(t, []int{1, 2}, Count(strings.Fields("b c b a"), w.Stems))
	assert.Nil(t, Count([]string{"c"}, w.Stems))
}

// A passage of the usual length that has each word once is whole.
func TestWordsWorked(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"rare", "common"}, []float64{3, 1})
	filler := strings.Repeat(" x", usualLength-1)
	q := Ask("", w, nil, nil)
	for text, want := range map[string]float64{
		"rare" + filler:                         0.75,
		"common" + filler:                       0.25,
		"rare common" + filler[2:]:              1,
		"rare":                                  0.75 * 1.3 / (1 + 0.3*(0.25+0.75/30)),
		"common common common" + filler[2*2:]:   0.25 * 3 * 1.3 / 3.3,
		"other":                                 0,
		"rare" + strings.Repeat(filler+" x", 4): 0.75 * 1.3 / (1 + 0.3*(0.25+0.75*121/30)),
	} {
		moments := q.match(strands([]Passage{passage(&w, "e", 0, text)}, nil)[0])
		assert.InDelta(t, want, moments[0].Own, 1e-12, text)
		assert.InDelta(t, 0.85*want, moments[0].like, 1e-12, "without vectors")
	}
}

func TestPassagesBesideLend(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"rare", "common"}, []float64{3, 1})
	q := Ask("", w, nil, nil)
	filler := strings.Repeat(" x", usualLength-1)
	says := []string{"x", "rare" + filler, "x", "common" + filler, "x", "x", "x", "x"}
	var found []Passage
	for i, text := range says {
		found = append(found, passage(&w, "e", i, text))
	}
	var got []float64
	for _, m := range q.match(strands(found[:2], found[2:])[0]) {
		got = append(got, m.Words)
	}
	assert.InDeltaSlice(t, []float64{0.7*0.75 + 0.343*0.25, 0.75 + 0.49*0.25, 0.7*0.75 + 0.7*0.25, 0.49*0.75 + 0.25, 0.343*0.75 + 0.7*0.25, 0.2401*0.75 + 0.49*0.25, 0.343 * 0.25, 0.2401 * 0.25}, got, 1e-12)

	far := []Passage{passage(&w, "e", 1, "rare"+filler), passage(&w, "e", 6, "x"), passage(&w, "other", 2, "x")}
	assert.Len(t, q.Moments(far, nil), 1, "nothing is lent over a gap, or to another record")
}

// Observations lend one another as they stand in their session, as far as it is known that nothing is between them.
func TestObservationsOfASession(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"rare"}, []float64{3})
	q := Ask("", w, []float32{1, 0}, nil)
	says := func(key string, minute int, text string, whole bool, vector ...float32) Passage {
		p := passage(&w, key, 0, text, vector...)
		p.Kind, p.Session, p.At, p.Whole = memory.KindObservation, "s", noon.Add(time.Duration(minute)*time.Minute), whole
		return p
	}
	found := []Passage{says("b", 2, "rare", true, 0, 1), says("a", 1, "x", false, 1, 0), says("z", 90, "x", false, 0, 1)}
	moments := q.match(strands(found, nil)[0])
	own := 1.3 / (1 + 0.3*(0.25+0.75/30))
	assert.InDelta(t, 0.7*own, moments[0].Words, 1e-12)
	assert.InDelta(t, 0.8, moments[0].Meaning, 1e-6, "of (1, 0) + ½·(0, 1) + ¼·(0, 1)")
	assert.InDelta(t, own, moments[1].Words, 1e-12)
	assert.InDelta(t, (0.7*own+0.65*0.8)/1.65/1.5, moments[0].like, 1e-6, "of one word, which tells a third less")
	assert.InDelta(t, 0.7*own, moments[2].Words, 1e-12, "all next to b are known, and this is the next")

	found[0].Whole = false
	assert.Zero(t, q.match(strands(found, nil)[0])[0].Words, "who knows what is between them")

	wordless, alone := says("c", 3, "", true, 1, 0), says("d", 4, "x", true, 1, 0)
	alone.Session = ""
	assert.Zero(t, q.match(strands([]Passage{wordless}, nil)[0])[0].like, "what says nothing answers nothing")
	assert.InDelta(t, 0.65/1.65, q.match(strands([]Passage{alone}, nil)[0])[0].like, 1e-6, "whole, where nothing is lent")
}

func TestMeaning(t *testing.T) {
	t.Parallel()
	w := Choose(nil, nil)
	q := Ask("", w, []float32{1, 0}, []float32{0, 0, 2})
	for name, test := range map[string]struct {
		vector   []float32
		meaning  float64
		compared bool
	}{
		"built in":       {[]float32{3, 4}, 0.6, true},
		"of a model":     {[]float32{0, 3, 4}, 0.8, true},
		"another length": {[]float32{1, 0, 0, 0}, 0, false},
		"none":           {nil, 0, false},
		"without length": {[]float32{0, 0}, 0, false},
	} {
		m := q.match(strands([]Passage{passage(&w, "e", 0, "x", test.vector...)}, nil)[0])[0]
		assert.InDelta(t, test.meaning, m.Meaning, 1e-6, name)
		assert.Equal(t, test.compared, m.Compared, name)
		assert.InDelta(t, test.meaning, m.like, 1e-6, "without words, meaning is all there is")
	}
}

// The match is absolute: what has no word and means nothing like it is 0, what has all and means the same is 1.
func TestTheMatchIsAbsolute(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ words, meaning, want float64 }{
		{0, 0, 0},
		{0.1, 0.2, 0},      // a word in common
		{0.2, 0.3, 0.03},   // remote
		{0, 0.5, 0.09},     // no word, means the same
		{0.45, 0.45, 0.38}, // a question in natural words
		{0.6, 0.6, 0.74},
		{0.8, 0.7, 0.92},
		{1, 1, 1},
		{1, 0, 0.93},
	} {
		var q Question
		q.Words.Stems = []string{"x"}
		m := Moment{Passage: &Passage{}, Match: Match{Words: test.words, Meaning: test.meaning, Compared: true}}
		assert.InDelta(t, test.want, calibrate(q.likeness(&m)), 0.01, "%v", test)
	}
}

func TestRecordsAddUpTheirPassages(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"a", "b", "c", "d"}, []float64{1, 1, 1, 1})
	q := Ask("", w, nil, nil)
	filler := strings.Repeat(" x", usualLength-1)
	records := q.Rank([]Passage{
		passage(&w, "one", 0, "a b"+filler[2:]),
		passage(&w, "two", 0, "a b"+filler[2:]), passage(&w, "two", 9, "c"+filler), passage(&w, "two", 18, "d"+filler), passage(&w, "two", 27, "d"+filler), passage(&w, "two", 36, "d"+filler),
		passage(&w, "all", 0, "a b c"+filler[4:]),
	}, nil)
	require.Equal(t, []string{"all", "two", "one"}, keys(records))
	half, quarter := 0.85*0.5, 0.85*0.25
	open := (1 - half) * (1 - 0.15*quarter) * (1 - 0.0225*quarter) * (1 - 0.003375*quarter)
	assert.InDelta(t, calibrate(1-open), records[1].Score, 1e-12)
	assert.InDelta(t, calibrate(half), records[2].Score, 1e-12)
	assert.Len(t, records[1].Moments, 3)
	assert.Equal(t, 0, records[1].Moments[0].Number)
}

// What stands beside what was found adds and lends, and is not shown.
func TestWhatStandsBesideCountsAndIsNotShown(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"a", "b"}, []float64{1, 1})
	q := Ask("", w, nil, nil)
	beside := passage(&w, "one", 1, "b")
	beside.Beside = true
	alone, with := q.Rank([]Passage{passage(&w, "one", 0, "a")}, nil), q.Rank([]Passage{passage(&w, "one", 0, "a")}, []Passage{beside})
	require.Len(t, with, 1)
	assert.Greater(t, with[0].Score, alone[0].Score)
	require.Len(t, with[0].Moments, 1)
	assert.Equal(t, "a", with[0].Moments[0].Text)
	assert.Greater(t, with[0].Moments[0].Words, alone[0].Moments[0].Words)
	assert.Empty(t, q.Rank(nil, []Passage{beside}))
}

func TestRarity(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, math.Log(1+90.5/10.5), Rarity(10, 100), 1e-12)
	assert.InDelta(t, math.Log(1+0.5/10.5), Rarity(10, 9), 1e-12)
	assert.Zero(t, Rarity(0, 100))
}

func TestDatesAndSpeakers(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"train"}, []float64{2})
	q := Ask("What did Ann say of the train in May 2025?", w, nil, nil)
	at := func(p Passage, year int) Passage {
		p.At = time.Date(year, 5, 7, 0, 0, 0, 0, time.UTC)
		return p
	}
	event := passage(&w, "event", 0, "late train")
	event.Part, event.Step = memory.PartEvent, "ann"
	records := q.Rank([]Passage{at(passage(&w, "other", 0, "Bob: train"), 2024), at(passage(&w, "said", 0, "Ann: train"), 2024), at(passage(&w, "dated", 0, "Bob: train"), 2025), at(event, 2024)}, nil)
	assert.Equal(t, []string{"dated", "event", "said", "other"}, keys(records))
	assert.Equal(t, []string{"thought 1 says it: 1", "in May 2025"}, q.Reasons(&records[0]))
	assert.Equal(t, "said by Ann", q.Reasons(&records[2])[1])
}

func TestReasons(t *testing.T) {
	t.Parallel()
	moment := func(part memory.Part, position int, step string, m Match) Moment {
		return Moment{Passage: &Passage{Passage: memory.Passage{Part: part, Position: position, Step: step}}, Match: m}
	}
	for want, m := range map[string]Moment{
		"step 14 (cancel_reservation) says it: .81":       moment(memory.PartAction, 13, "cancel_reservation", Match{Own: 0.6, Words: 0.6, Score: 0.814}),
		"event 7 (user) stands next to what says it: .40": moment(memory.PartEvent, 7, "user", Match{Own: 0.1, Words: 0.4, Score: 0.4}),
		"the observation means the same: .71":             moment(memory.PartObservation, 0, "", Match{Meaning: 0.6, Score: 0.71}),
		"thought 3 means something like it: .20":          moment(memory.PartThought, 2, "", Match{Meaning: 0.4, Score: 0.2}),
		"the text says it: 1":                             moment(memory.PartContent, 0, "", Match{Own: 1, Words: 1, Score: 0.999}),
	} {
		var q Question
		assert.Equal(t, []string{want}, q.Reasons(&Record{Moments: []Moment{m}}))
	}
	var q Question
	two := []Moment{moment(memory.PartResult, 0, "", Match{Own: 1, Words: 1, Score: 0.9}), moment(memory.PartTitle, 0, "", Match{Own: 1, Words: 1, Score: 0.5}), moment(memory.PartInsight, 0, "", Match{Own: 1, Words: 1, Score: 0.5})}
	assert.Equal(t, []string{"the result says it: .90", "the title says it: .50"}, q.Reasons(&Record{Moments: two}))
}

func TestWhatIsFaintIsLeftOut(t *testing.T) {
	t.Parallel()
	w := Choose([]string{"rare", "never"}, []float64{3, 3})
	q := Ask("", w, []float32{1, 0}, nil)
	at := func(cosine float64) []float32 {
		return []float32{float32(cosine), float32(math.Sqrt(1 - cosine*cosine))}
	}
	found := []Passage{passage(&w, "same", 0, "x", at(0.6)...), passage(&w, "like", 0, "x", at(0.4)...), passage(&w, "unlike", 0, "x", at(0.2)...), passage(&w, "says", 0, "rare", at(0.1)...)}
	records := q.Rank(found, nil)
	assert.Equal(t, []string{"says", "same", "like"}, keys(records))
	assert.True(t, records[1].IsClear())
	assert.False(t, records[2].IsClear())
	assert.Equal(t, []string{"says", "same"}, keys(Clear(records)))
	assert.Equal(t, []string{"like"}, keys(Clear(q.Rank(found[1:2], nil))), "where nothing is better, it stays")

	q = Ask("What did Ann say in March 2026?", w, []float32{1, 0}, nil)
	named := passage(&w, "named", 0, "Bob: x\nAnn: x", at(0.2)...)
	dated := passage(&w, "dated", 0, "x", at(0.16)...)
	faint := passage(&w, "faint", 0, "Ann: x", at(0.14)...)
	other := passage(&w, "other", 0, "Bob: x", at(0.2)...)
	named.At, faint.At, other.At = noon.AddDate(1, 0, 0), noon.AddDate(1, 0, 0), noon.AddDate(1, 0, 0)
	records = q.Rank([]Passage{named, dated, faint, other}, nil)
	assert.Equal(t, []string{"dated", "named"}, keys(records), "of the time or of whom the question names, half of it is enough")

	q.Embedding = q.BuiltIn
	for i := range found {
		found[i].BuiltIn = false
	}
	assert.Len(t, Clear(q.Rank(found, nil)), 4, "a model has a scale of its own")
}

func TestScoresAreShares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		stems := []string{"a", "b", "c", "d"}
		w := Choose(stems, rapid.SliceOfN(rapid.Float64Range(0, 9), 4, 4).Draw(t, "rarities"))
		q := Ask(rapid.SampledFrom([]string{"", "in May 2026", "Ann in 2026"}).Draw(t, "text"), w, []float32{1, -1}, nil)
		var found []Passage
		for i := range rapid.IntRange(0, 20).Draw(t, "passages") {
			p := passage(&w, rapid.SampledFrom(stems).Draw(t, "key"), i, strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "x", "Ann:"}), 0, 30).Draw(t, "text"), " "),
				rapid.SliceOfN(rapid.Float32Range(-1, 1), 2, 2).Draw(t, "vector")...)
			if rapid.Bool().Draw(t, "observation") {
				p.Kind, p.Session = memory.KindObservation, "s"
			}
			found = append(found, p)
		}
		before := 2.0
		for _, r := range q.Rank(found, nil) {
			assert.True(t, r.Score > 0 && r.Score <= 1, "%v", r.Score)
			assert.LessOrEqual(t, r.Score, before)
			assert.NotEmpty(t, q.Reasons(&r))
			before = r.Score
		}
	})
}

// Rank returns the records that match, best first.
func (q *Question) Rank(found, beside []Passage) []Record { return q.Records(q.Moments(found, beside)) }
