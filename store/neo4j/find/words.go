package find

import (
	"context"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/lexical"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/words"
)

const (
	// mostEntries bounds how many entries of the index are read of the words that are searched for together, and how many
	// records with one word are counted: where there are more, it is about how many, by a part of them.
	mostEntries = 10_000
	// mostListed bounds the entries of words for which the index itself tells the best, which costs it a fraction of reading them.
	mostListed = 100_000
	// countedOften is how many records with a word are counted at every question: each is an access to the index. For
	// commonTime a word that more have is in about the same share of the records; there may be many more of it by then.
	countedOften = 250
	commonTime   = 10 * time.Minute
	// countedPart is the part of all records in which a word is counted that so many have.
	countedPart = 1.0 / 128
)

// question is what a text asks records of some kinds for by its words.
type question struct {
	matching.Query
	// kinds are those that are asked, in the order of memory.Kinds.
	kinds    []memory.Kind
	averages map[memory.Kind]float64
	// looked is how many of the words, the rarest, are looked for in the index; some says that it has more entries of
	// these than are read.
	looked int
	some   bool
	sense
	// dates are those that the text names, and times what the index is asked for by them, by kind, where it is.
	dates []matching.Date
	times map[memory.Kind][]timed
	// records are how many of each kind have words, and everywhere how many there are of all tenants.
	records, everywhere map[memory.Kind]int
	// rare is the share of the records that has the rarest of the words, and common at most that of those that have any
	// of the words looked for; above 0 where there are such words.
	rare, common float64
	// having are in how many records each of the words is that are looked for.
	having []int
}

// document is what a query needs of the bag of a record of a kind; of what is none it has nothing.
func (q *question) document(bag any, kind memory.Kind) matching.Document {
	text, _ := bag.(string)
	return q.Document(text, kind, q.averages[kind])
}

// commonWords are those that many records have: in about which share of them, and when that was counted.
type commonWords struct{ sync.Map }

type commonWord struct {
	share float64
	at    time.Time
}

func (c *commonWords) get(asked string) (share float64, known bool) {
	value, found := c.Load(asked)
	word, _ := value.(commonWord)
	if found && time.Since(word.at) > commonTime {
		c.Delete(asked)
		found = false
	}
	return word.share, found
}

// considered are the words of a text that may be chosen.
func considered(text string) []lexical.Term { return lexical.Considered(lexical.Terms(text)) }

// ask chooses words of those that may be chosen. The index is looked up for those of which it has not more entries together than most: for one
// at least, of which it may have more.
func (s *Recaller) ask(ctx context.Context, kinds []memory.Kind, terms []lexical.Term, most int) (*question, error) {
	q := &question{averages: map[memory.Kind]float64{}, records: map[memory.Kind]int{}, everywhere: map[memory.Kind]int{}}
	for _, kind := range memory.Kinds {
		if len(matching.Texts(kind)) > 0 && slices.Contains(kinds, kind) {
			q.kinds = append(q.kinds, kind)
		}
	}
	terms = lexical.DistinctiveFirst(terms, nil)
	if len(terms) == 0 || len(q.kinds) == 0 {
		return q, nil
	}
	asked := make([]matching.Word, len(terms))
	for i, term := range terms {
		asked[i].Stem = term.Stem
	}
	all, err := s.count(ctx, q, asked)
	if err != nil {
		return nil, err
	}
	q.Query = matching.Choose(asked, all)
	counts := make(map[string]int, len(asked))
	for _, word := range asked {
		counts[word.Stem] = word.Records
	}
	if len(q.Stems) > 0 {
		q.rare = float64(counts[q.Stems[0]]) / float64(max(all, 1))
	}
	entries := 0
	for _, stem := range q.Stems {
		entries += counts[stem]
		if q.looked > 0 && entries > most {
			break
		}
		q.having, q.looked, q.some = append(q.having, counts[stem]), q.looked+1, entries > most
	}
	q.common = min(1, float64(q.entries())/float64(max(all, 1)))
	return q, nil
}

// countHaving counts for all kinds.
var countHaving = cypher.Rendered("count_having", searchedLabels)

// count reads in how many records of the kinds the words are, how many records there are in all, and how long they are.
func (s *Recaller) count(ctx context.Context, q *question, asked []matching.Word) (all int, err error) {
	texts, places := []string{}, []int{}
	shares := make([]float64, len(asked))
	for i := range asked {
		text, common := s.having(q.kinds, asked[i].Stem), false
		if shares[i], common = s.common.get(text); !common {
			texts, places = append(texts, text), append(places, i)
		}
	}
	values := cypher.Parameters{"kinds": bolt.Texts(q.kinds, func(k memory.Kind) string { return string(k) }), "texts": texts, "most": mostEntries, "part": s.part(q.kinds), "times": 1 / countedPart}
	_, err = bolt.One(ctx, s.Connection, s.Query(countHaving, values), func(row *neo4j.Record) (struct{}, error) {
		f := bolt.FieldsOf(row.AsMap())
		all = 0 // it may be read again
		counted := bolt.List[string](f, "kinds")
		records, lengths := bolt.Parallel[int64](f, "records", len(counted)), bolt.Parallel[int64](f, "lengths", len(counted))
		for i, kind := range counted {
			of := matching.Collection{Records: int(records[i]), Length: int(lengths[i])}
			q.averages[memory.Kind(kind)], q.records[memory.Kind(kind)] = of.Average(), of.Records
			all += of.Records
		}
		for i, n := range bolt.List[int64](f, "everywhere") {
			q.everywhere[words.Searched[i]] = int(n)
		}
		for i, share := range shares {
			asked[i].Records = int(math.Round(share * float64(all)))
		}
		for i, n := range bolt.Parallel[int64](f, "counts", len(texts)) {
			asked[places[i]].Records = int(n)
			if n >= countedOften && all > 0 {
				s.common.Store(texts[i], commonWord{float64(n) / float64(all), time.Now()})
			}
		}
		return struct{}{}, f.Err
	})
	return all, err
}

// having asks for the records of the kinds that have a stem.
func (s *Recaller) having(kinds []memory.Kind, stem string) string {
	asked := make([]string, len(kinds))
	for i, kind := range kinds {
		asked[i] = words.VocabularyOf(s.TenantID, kind).Word(stem)
	}
	return words.AnyOf("words", asked...)
}

// part asks for an even part of the records of the kinds: countedPart of them.
func (s *Recaller) part(kinds []memory.Kind) string {
	var asked []string
	for _, kind := range kinds {
		for i := range 8 { // of the 1,024 pairs of what stands for a record
			asked = append(asked, words.VocabularyOf(s.TenantID, kind).IDs("0"+strconv.Itoa(i)))
		}
	}
	return words.Any(asked...)
}

// looks asks for the observations that have the words, each among those that pass what is required: of a word that too
// many have, the latest. Where more have the words together than are read, it asks of each for those that have most of all: what is among the
// best of all is among the best of each of its words.
func (s *Recaller) looks(ctx context.Context, q *question, required []string) ([]cypher.Parameters, error) {
	required, err := s.within(ctx, q, memory.KindObservation, required)
	if err != nil {
		return nil, err
	}
	best, most := "", mostEntries
	if q.entries() > mostEntries {
		best, most = q.best(words.VocabularyOf(s.TenantID, memory.KindObservation), memory.KindObservation, q.indexed()), max(leastOfEach, mostEntries/q.looked)
	}
	asked := []cypher.Parameters{}
	for i, stem := range q.Stems[:q.looked] {
		having := s.having([]memory.Kind{memory.KindObservation}, stem)
		text := words.Within(having, required...)
		if best != "" {
			text = words.Within(best, append([]string{having}, required...)...)
		}
		asked = append(asked, cypher.Parameters{"text": text, "most": most, "bit": 1 << i})
	}
	return asked, nil
}

// indexed is about how many records the index holds, of all tenants.
func (q *question) indexed() (all float64) {
	for _, records := range q.everywhere {
		all += float64(records)
	}
	return all
}

// entries are how many the index has of the words that are looked for, and so at most how many records have any.
func (q *question) entries() (n int) {
	for _, having := range q.having {
		n += having
	}
	return n
}

// settled says whether none of the words that are looked for was counted at another question.
func (q *question) settled() bool {
	return !slices.ContainsFunc(q.having, func(n int) bool { return n >= countedOften })
}

// words stand for those that are looked for.
func (q *question) words(v words.Vocabulary) []string {
	return bolt.Texts(q.Stems[:q.looked], v.Word)
}

// leastWeight is that of a word that nearly all of a tenant's records have.
const leastWeight = 1e-6

// best asks for the records of a kind that have most of the words, each by what it is worth, and are of a time that the text names: Lucene's own
// form of the rarity counts the records of all tenants and kinds, of which there were about so many.
func (q *question) best(v words.Vocabulary, kind memory.Kind, indexed float64) string {
	all := int(indexed)
	for _, records := range q.records {
		all = max(all, records) // there may be more by now
	}
	weighted := q.words(v)
	for i, word := range weighted {
		weighted[i] = words.Weighted(word, max(leastWeight, q.IDF[i]/matching.Rarity(q.having[i], all)))
	}
	more := make([]string, len(q.times[kind]))
	for i, t := range q.times[kind] {
		more[i] = words.Times(words.InRange(t.from, t.to), t.worth*q.Possible/wholeByLucene)
	}
	return words.Also(words.BestOf("words", weighted...), more...)
}

// opening is how much of a text is read to see who speaks in it.
const opening = 100

// said is what is read of a record that is scored.
type said struct {
	kind    memory.Kind
	key, id string
	at      time.Time
	opening string
	agent   string
	bag     any
	codes   any
}

// read takes over what another reading of the record has beside its words.
func (s *said) read(other said) {
	s.at, s.opening, s.agent, s.codes = other.at, other.opening, other.agent, other.codes
}

// decodeBags reads the words of all records from one row, as decodeRecalled does.
func decodeBags(row *neo4j.Record) ([]said, error) {
	f := bolt.FieldsOf(row.AsMap())
	all := bagsOf(f)
	return withKeys(all), f.Err
}

// decodeSaid reads what lifts records, too.
func decodeSaid(row *neo4j.Record) ([]said, error) {
	f := bolt.FieldsOf(row.AsMap())
	all := bagsOf(f)
	times, codes := bolt.Parallel[any](f, "times", len(all)), bolt.Parallel[any](f, "codes", len(all))
	openings, agents := bolt.Parallel[any](f, "openings", len(all)), bolt.Parallel[any](f, "agents", len(all))
	for i := range all {
		all[i].codes = codes[i]
		if at, is := times[i].(int64); is {
			all[i].at = time.UnixMilli(at).UTC()
		}
		all[i].opening, _ = openings[i].(string)
		all[i].agent, _ = agents[i].(string)
	}
	return withKeys(all), f.Err
}

func bagsOf(f *bolt.Fields) []said {
	keys := bolt.List[any](f, "keys")
	labels, ids, bags := bolt.Parallel[string](f, "labels", len(keys)), bolt.Parallel[string](f, "ids", len(keys)), bolt.Parallel[any](f, "bags", len(keys))
	all := make([]said, len(keys))
	for i := range keys {
		all[i] = said{kind: kindsByLabel[labels[i]], id: ids[i], bag: bags[i]}
		all[i].key, _ = keys[i].(string)
	}
	return all
}

// withKeys are those that have one that is none of another type.
func withKeys(all []said) []said {
	return slices.DeleteFunc(all, func(s said) bool { return s.key == "" })
}

// found is a record that was scored.
type found struct {
	said
	parts matching.Parts
	// run is where a turn stands in its session, and place the place there; nil for a record by itself.
	run   *window
	place int
}

// lift adds to what is scored by its words what else the query says: what it means, of which time, and of whom; and sorts it.
func lift(all []found, q *question, text string) {
	names := matching.NamesIn(text)
	for i := range all {
		f := &all[i]
		f.compare(q.vector)
		f.parts.Date = matching.Near(q.dates, f.at)
		f.parts.Speaker, _ = names.Speaker(f.opening, f.agent)
	}
	bestFirst(all)
}
