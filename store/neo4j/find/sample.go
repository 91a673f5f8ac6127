package find

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/words"
)

// sample is what a look at a few records of a kind of a tenant, evenly chosen, tells of all. Recall goes by it where
// there are many: whether few pass a filter, and since when there were how many. It makes no answer wrong when it is
// old, only slower or less near to the best.
type sample struct {
	at      time.Time
	written int64   // how many episodes this process had written by then
	share   float64 // of all records; 0 where there are few, and so no sample
	// everywhere is how many nodes of the kind all tenants have, and indexed how many of all kinds the index of words holds.
	everywhere, indexed float64
	// counted is how many records there were when it was first asked by; 0 until then.
	counted atomic.Int64
	seen    []seenRecord // in the order of their seconds
}

// sampling keeps the sample of a kind; it is held while another is taken.
type sampling struct {
	sync.Mutex
	latest atomic.Pointer[sample]
}

// seenRecord is what a filter asks of a record, as the index has it.
type seenRecord struct {
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
	// sampledBytes is how much of the words of a record is looked at: its last, after the stems.
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

// sampled gives the sample of the tenant's records of a kind, and takes one where there is none that serves.
func (s *Recaller) sampled(ctx context.Context, kind memory.Kind) (*sample, error) {
	kept, _ := s.samples.LoadOrStore(kind, &sampling{})
	held, _ := kept.(*sampling)
	known := held.latest.Load()
	if known.serves(time.Now(), s.written.Load()) {
		return known, nil
	}
	if known == nil {
		held.Lock()
	} else if !held.TryLock() {
		return known, nil // somebody takes another
	}
	defer held.Unlock()
	if known = held.latest.Load(); known.serves(time.Now(), s.written.Load()) {
		return known, nil
	}
	fresh, err := s.takeSample(ctx, kind)
	if err == nil {
		held.latest.Store(fresh)
	}
	return fresh, err
}

func (p *sample) serves(now time.Time, written int64) bool {
	return p != nil && now.Sub(p.at) < sampleTime && float64(written-p.written) < max(fewWritten, p.all()/2)
}

// growth is how many records more there are than when the sample was first asked by, and now so many. Where these are very many the next
// recall takes another: other processes record, too.
func (s *Recaller) growth(kind memory.Kind, known *sample, records int) float64 {
	known.counted.CompareAndSwap(0, int64(records))
	was := known.counted.Load()
	grown := max(0, int64(records)-was)
	kept, _ := s.samples.Load(kind)
	if held, is := kept.(*sampling); is && grown > was+fewWritten {
		held.latest.CompareAndSwap(known, nil)
	}
	return float64(grown)
}

// all is about how many records there are; 0 for few.
func (p *sample) all() float64 {
	if p.share == 0 {
		return 0
	}
	return float64(len(p.seen)) / p.share
}

func (s *Recaller) takeSample(ctx context.Context, kind memory.Kind) (*sample, error) {
	taken := &sample{at: time.Now(), written: s.written.Load()}
	v := words.VocabularyOf(s.TenantID, kind)
	steps := make([]string, len(sampleShares))
	for i, step := range sampleShares {
		var asked []string
		for _, begins := range step.begins {
			asked = append(asked, v.IDs(begins))
		}
		steps[i] = strings.Join(asked, " ")
	}
	values := cypher.Parameters{"steps": steps, "enough": enoughSampled, "most": 4 * 1024, "bytes": sampledBytes}
	ctx = store.Unmetered(ctx) // the next recalls need it as much
	err := s.Each(ctx, s.Query(cypher.Rendered("sample", struct {
		Label    string
		Searched []string
	}{graph.Labels[kind], searchedLabels}), values), func(f *bolt.Fields) {
		taken.everywhere, taken.indexed = float64(f.Integer("everywhere")), float64(f.Integer("indexed"))
		if texts := bolt.List[string](f, "texts"); len(texts) >= enoughSampled {
			taken.share = sampleShares[f.Integer("step")].share
			for _, text := range texts {
				taken.add(v, text)
			}
		}
	})
	slices.SortFunc(taken.seen, func(a, b seenRecord) int { return strings.Compare(a.second, b.second) })
	return taken, err
}

// add notes the words of a record that filters ask for.
func (p *sample) add(v words.Vocabulary, text string) {
	var seen seenRecord
	for word := range strings.FieldsSeq(text) {
		switch {
		case strings.HasPrefix(word, string(v)+"="):
			seen.second = word
		case strings.HasPrefix(word, string(v)+"#"):
			seen.marks = append(seen.marks, word)
		}
	}
	p.seen = append(p.seen, seen)
}

// latest asks for the latest records of a kind, among which about as many have the rarest word of a question as are looked at.
func (p *sample) latest(v words.Vocabulary, q *question) string {
	all := stretch{v.Second(graph.Earliest), v.Second(graph.Latest)}
	if p.share > 0 && q.rare > 0 {
		all.from = p.newest(all, nil, mostEntries/q.rare, math.Inf(1))
	}
	return words.InRange(all.from, all.to)
}

// stretch is a range of seconds in the index, both ends included.
type stretch struct{ from, to string }

func (r stretch) holds(second string) bool { return r.from <= second && second <= r.to }

// passing counts the sampled episodes that lie in a stretch, and of these those that have all marks.
func (p *sample) passing(r stretch, marks []anyMark) (inStretch, passing int) {
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

// anyMark is met by a record that has any of some marks.
type anyMark []string

func (a anyMark) metBy(marks []string) bool {
	return slices.ContainsFunc(a, func(mark string) bool { return slices.Contains(marks, mark) })
}

func hasAll(marks []string, wanted []anyMark) bool {
	return !slices.ContainsFunc(wanted, func(mark anyMark) bool { return !mark.metBy(marks) })
}

// newest gives the second from which on a stretch holds about as many episodes with these marks as wanted, and
// in all not more than a bound; its beginning where it holds fewer.
func (p *sample) newest(r stretch, marks []anyMark, wanted, most float64) (from string) {
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
