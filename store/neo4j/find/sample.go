package find

import (
	"context"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/words"
)

// sample is what a look at a few episodes of a tenant, evenly chosen, tells of all. Recall goes by it where
// there are many: which words are rare enough to ask for, and whether few pass a filter. It makes no answer
// wrong when it is old, only slower or less near to the best.
type sample struct {
	at      time.Time
	written int64          // how many episodes this process had written by then
	share   float64        // of all episodes; 0 where there are few, and so no sample
	counts  map[string]int // in how many of those that were looked at a word is
	seen    []seenEpisode  // in the order of their seconds
}

// seenEpisode is what a filter asks of an episode, as the index has it.
type seenEpisode struct {
	second string
	marks  []string
}

const (
	// sampleTime is how long a sample serves, unless many episodes are written meanwhile.
	sampleTime = 10 * time.Minute
	// fewWritten is how many episodes may be written, at least, before there is another.
	fewWritten = 2000
	// enoughSampled is the size of a sample that tells something.
	enoughSampled = 64
	// sampledBytes is how much of the words of an episode is looked at.
	sampledBytes = 4000
)

// sampleShares are the parts of the episodes that are looked at, the smallest that holds enough of them; and
// what their ids begin with.
var sampleShares = []struct {
	share  float64
	begins []string
}{
	{1.0 / 1024, []string{"00"}},
	{1.0 / 128, []string{"00", "01", "02", "03", "04", "05", "06", "07"}},
	{1.0 / 16, []string{"0", "1"}},
}

// sampled gives the sample of the tenant's episodes, and takes one where there is none that serves.
func (s *Recaller) sampled(ctx context.Context) (*sample, error) {
	known := s.sample.Load()
	if known.serves(time.Now(), s.written.Load()) {
		return known, nil
	}
	if known == nil {
		s.sampling.Lock()
	} else if !s.sampling.TryLock() {
		return known, nil // somebody takes another
	}
	defer s.sampling.Unlock()
	if known = s.sample.Load(); known.serves(time.Now(), s.written.Load()) {
		return known, nil
	}
	fresh, err := s.takeSample(ctx)
	if err == nil {
		s.sample.Store(fresh)
	}
	return fresh, err
}

func (p *sample) serves(now time.Time, written int64) bool {
	return p != nil && now.Sub(p.at) < sampleTime && float64(written-p.written) < max(fewWritten, p.all()/2)
}

// all is about how many episodes the tenant has; 0 for few.
func (p *sample) all() float64 {
	if p.share == 0 {
		return 0
	}
	return float64(len(p.seen)) / p.share
}

func (s *Recaller) takeSample(ctx context.Context) (*sample, error) {
	taken := &sample{at: time.Now(), written: s.written.Load(), counts: map[string]int{}}
	v := words.VocabularyOf(s.TenantID, memory.KindEpisode)
	steps := make([]string, len(sampleShares))
	for i, step := range sampleShares {
		var asked []string
		for _, begins := range step.begins {
			asked = append(asked, "words:"+string(v)+"@"+begins+"*")
		}
		steps[i] = strings.Join(asked, " ")
	}
	values := cypher.Parameters{"steps": steps, "enough": enoughSampled, "most": 4 * 1024, "bytes": sampledBytes}
	ctx = store.Unmetered(ctx) // the next recalls need it as much
	err := s.Each(ctx, s.Query(cypher.Named("sample"), values), func(f *bolt.Fields) {
		if texts := bolt.List[string](f, "texts"); len(texts) >= enoughSampled {
			taken.share = sampleShares[f.Integer("step")].share
			for _, text := range texts {
				taken.add(v, text)
			}
		}
	})
	slices.SortFunc(taken.seen, func(a, b seenEpisode) int { return strings.Compare(a.second, b.second) })
	return taken, err
}

// add notes the words of an episode.
func (p *sample) add(v words.Vocabulary, text string) {
	words := strings.Fields(text)
	slices.Sort(words)
	var seen seenEpisode
	for _, word := range slices.Compact(words) {
		p.counts[word]++
		switch {
		case strings.HasPrefix(word, string(v)+"="):
			seen.second = word
		case strings.HasPrefix(word, string(v)+"#"):
			seen.marks = append(seen.marks, word)
		}
	}
	p.seen = append(p.seen, seen)
}

// How many words of a situation are asked for, and how many episodes, about, these may be in together.
const (
	mostUnseen   = 12 // words that the sample does not have, some of which no episode has
	mostWords    = 16
	mostPostings = 50_000
	fewPostings  = 2000 // or a quarter of the episodes, where that is more
)

// choose picks the terms that tell most, the rarest first, and as many as are in a bounded number of episodes
// together, but one at least of those that the sample has. Common says that even this one is in more.
func (p *sample) choose(v words.Vocabulary, terms []lexical.Term) (chosen []lexical.Term, common bool) {
	frequency := make(map[string]int, len(terms))
	for _, term := range terms {
		frequency[term.Stem] = p.counts[v.Word(term.Stem)]
	}
	terms = lexical.DistinctiveFirst(terms, frequency)
	if p.share == 0 {
		return terms[:min(len(terms), mostWords)], false
	}
	most := max(fewPostings, min(mostPostings, p.all()/4))
	postings, seen := 0.0, 0
	for _, term := range terms {
		n := frequency[term.Stem]
		if n == 0 && len(chosen) >= mostUnseen {
			continue
		}
		if postings += float64(n) / p.share; n > 0 {
			seen++
		}
		if postings > most && seen > 1 || len(chosen) == mostWords {
			break
		}
		chosen = append(chosen, term)
	}
	return chosen, postings > mostPostings && seen == 1
}

// stretch is a range of seconds in the index, both ends included.
type stretch struct{ from, to string }

func (r stretch) holds(second string) bool { return r.from <= second && second <= r.to }

// passing counts the sampled episodes that lie in a stretch, and of these those that have all marks.
func (p *sample) passing(r stretch, marks []string) (inStretch, passing int) {
	for _, e := range p.seen {
		if r.holds(e.second) {
			inStretch++
			if hasAll(e.marks, marks) {
				passing++
			}
		}
	}
	return inStretch, passing
}

func hasAll(marks, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(mark string) bool { return !slices.Contains(marks, mark) })
}

// newest gives the second from which on a stretch holds about as many episodes with these marks as wanted, and
// in all not more than a bound; its beginning where it holds fewer.
func (p *sample) newest(r stretch, marks []string, wanted, most float64) (from string) {
	from = r.from
	inStretch, passing := 0, 0
	for _, e := range slices.Backward(p.seen) {
		if !r.holds(e.second) {
			continue
		}
		inStretch++
		if hasAll(e.marks, marks) {
			passing++
		}
		if float64(passing)/p.share >= wanted || float64(inStretch)/p.share >= most {
			return e.second
		}
	}
	return from
}
