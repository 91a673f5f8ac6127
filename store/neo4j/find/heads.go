package find

import (
	"cmp"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/words"
)

const (
	// mostPromised is how many of what matches by words are scored, at least: those that may total the most.
	mostPromised = 300
	// mostRanked is how many of the best by words are looked at for those, and of the best that are boosted, at least; mostFurther how many
	// of the best among the newest, which are mostRecent at most.
	mostRanked, mostFurther, mostRecent = 600, 2048, recentRange
	// promisedOf and rankedOf are how many times as many are scored and looked at as will be answered, up to promisedMost and rankedMost:
	// beyond the first many are nearly as good, and their meanings tell them apart.
	promisedOf, rankedOf, promisedMost, rankedMost = 40, 80, 2000, 4000
	// wholeByLucene makes 1 of Lucene's score of a record of average length that has every word, over what is possible: of each
	// word 1.3 times its rarity is possible, and Lucene divides that by 2.2 where the word stands once.
	wholeByLucene = 1.3 * 2.2
)

// planWords says what the text index is asked for, and by what the promise of each episode that it finds is weighed: about what it would
// come to in the ranking.
func (p *recallPlan) planWords(l *scoreLookup, q store.RecallQuery) {
	top := cmp.Or(q.Top, q.Limit)
	promised := max(mostPromised, q.Limit, min(promisedOf*top, promisedMost))
	least := promised + 1
	if p.boosts || p.weights.Temporal > 0 { // else the index has them in the order of their promise
		least = max(least, min(rankedOf*top, rankedMost))
	}
	heads, cut := p.heads(l, least, p.boosts)
	p.values["heads"], p.values["some"], p.values["promised"] = heads, cut || p.asked.some, promised
	p.values["worth"] = wholeByLucene / p.asked.Possible
}

// weigh says by what a promise is weighed: about what it would come to in the ranking.
func (p *recallPlan) weigh() {
	weights := p.weights
	if weights.Feedback == ranking.FeedbackOff {
		weights.PositiveBoost, weights.NegativePenalty = 0, 0
	}
	p.values["semantic"], p.values["temporal"] = weights.Semantic, weights.Temporal
	p.values["canvasBoost"], p.values["positiveBoost"], p.values["negativePenalty"] = weights.CanvasBoost, weights.PositiveBoost, weights.NegativePenalty
	p.values["now"], p.values["halfLife"] = p.now.UnixMilli(), weights.HalfLifeDays*float64((24*time.Hour).Milliseconds())
	p.boosts = weights.CanvasBoost > 0 || weights.PositiveBoost > 0
}

// bound is for how many of the best by words the text index is asked. Where it cannot tell what passes the filter, what it finds is looked
// up, of as many more as are likely to hold so many that pass.
func (p *recallPlan) bound(l *scoreLookup, least int) (most int, lookedUp bool) {
	most = max(mostRanked, least)
	long := l.bounded && l.inStretch > recentRange // a stretch of time that would cost the index much
	switch {
	case p.form.ByScore || p.form.ByCanvas || l.since && long: // of equals the index has the oldest first
		most = max(most, mostEntries)
	case long:
		most = max(most, int(min(1.5*l.all()/l.inStretch*mostRanked, mostEntries)))
	}
	return most, p.form.ByScore || p.form.ByCanvas || l.bounded
}

// mostMatching is how many there may be that match, of what the index can tell.
func (p *recallPlan) mostMatching(l *scoreLookup) float64 {
	entries := float64(p.asked.entries())
	if l.share == 0 || l.bounded && l.inStretch > recentRange {
		return entries
	}
	return min(entries, l.mostPassing()+l.grown)
}

// heads are what the text index is asked for, each for so many at least: the best by words, and where more may match than these, the
// best of the newest, and of those that are boosted. They are cut where the filter may pass others than those that are looked up.
func (p *recallPlan) heads(l *scoreLookup, least int, boosts bool) (heads []cypher.Parameters, cut bool) {
	most, lookedUp := p.bound(l, least)
	matching, further := p.mostMatching(l), max(mostFurther, least)
	window := min(mostRecent, float64(further)/p.asked.common)        // of so many of the newest about as many match as are looked at
	switch records := float64(p.asked.records[memory.KindEpisode]); { // where nobody knows which are the newest
	case l.share == 0: // nor how many have a word by now
		most = max(most, int(min(max(matching, records), mostEntries)))
	case l.passing <= float64(further/2): // the sample tells that only about
		most = max(most, int(min(matching, mostEntries)))
	case l.passing <= window:
		most = max(most, int(min(matching, float64(further))))
	}
	more := matching > float64(most) || matching >= mostEntries // from where on it is about how many
	best, required := p.asked.best(l.v, memory.KindEpisode, l.indexed), l.required()
	if p.asked.some && more {
		required = append(required, l.latest(l.v, p.asked))
	}
	heads, cut = []cypher.Parameters{head(best, required, most)}, lookedUp && more
	if l.share == 0 || !more && (p.asked.settled() || l.mostPassing()+l.grown <= float64(most)) {
		return heads, cut
	}
	if l.passing > window && p.weights.Temporal > 0 {
		heads = append(heads, head(best, l.recent(window), further))
	}
	if boosts {
		heads = append(heads, head(best, append(l.required(), words.AnyOf("boosted", p.asked.words(l.v)...)), most))
	}
	return heads, cut
}

// head is what the text index is asked for: so many of the best by words, among those with what is required.
func head(best string, required []string, most int) cypher.Parameters {
	return cypher.Parameters{"text": words.Within(best, required...), "most": most}
}

// recent is what the index has to find of about so many of the newest that pass.
func (l *scoreLookup) recent(window float64) []string {
	if l.share == 0 || l.passing <= window {
		return l.required()
	}
	return append(l.marked(), words.InRange(l.newest(l.times, l.marks, window, recentRange), l.times.to))
}

// marked asks for the marks.
func (l *scoreLookup) marked() []string {
	var required []string
	for _, mark := range l.marks {
		required = append(required, words.AnyOf("words", mark...))
	}
	return required
}
