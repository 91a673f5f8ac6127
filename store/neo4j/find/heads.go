package find

import (
	"time"

	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/words"
)

const (
	// mostPromised is how many of what matches by words are scored, at least: those that may total the most.
	mostPromised = 300
	// mostRanked is how many of the best by words are looked at for those, at least; mostFurther how many of the best of the newest,
	// and of the newest that are boosted; and mostRecent how many of the newest that is among, at most.
	mostRanked, mostFurther, mostRecent = 600, 300, 2000
	// wholeByLucene makes 1 of Lucene's score of a record of average length that has every word, over what is possible: of each
	// word 1.3 times its rarity is possible, and Lucene divides that by 2.2 where the word stands once.
	wholeByLucene = 1.3 * 2.2
)

// planWords says what the text index is asked for, the best by its own score, and what of that promises most: by about what it would
// total.
func (s *Recaller) planWords(plan *recallPlan, l *scoreLookup, q store.RecallQuery) {
	weights, asked := plan.weights, plan.asked
	if weights.Feedback == ranking.FeedbackOff {
		weights.PositiveBoost, weights.NegativePenalty = 0, 0
	}
	promised := max(mostPromised, q.Limit)
	plan.values["heads"] = plan.heads(l, promised+1, weights.CanvasBoost > 0 || weights.PositiveBoost > 0)
	plan.values["some"], plan.values["promised"] = asked.some, promised
	plan.values["worth"] = wholeByLucene / asked.Possible
	plan.values["semantic"], plan.values["temporal"] = weights.Semantic, weights.Temporal
	plan.values["canvasBoost"], plan.values["positiveBoost"], plan.values["negativePenalty"] = weights.CanvasBoost, weights.PositiveBoost, weights.NegativePenalty
	plan.values["now"], plan.values["halfLife"] = plan.now.UnixMilli(), weights.HalfLifeDays*float64((24*time.Hour).Milliseconds())
}

// heads are what the text index is asked for, each for so many at least: the best by words, and where more may match than these, the best
// of the newest, and of those that are boosted. Few of the newest are asked for where the words are common: as many as match.
func (p *recallPlan) heads(l *scoreLookup, least int, boosts bool) []cypher.Parameters {
	most, further := max(mostRanked, least), max(mostFurther, least)
	switch { // what the index cannot tell is looked up, of as many more as are likely to hold so many that pass
	case p.form.ByScore || p.form.ByCanvas:
		most, further = max(most, mostEntries), max(further, mostScanned)
	case l.bounded && l.inStretch > recentRange:
		times := 1.5 * l.all() / l.inStretch
		most, further = max(most, int(min(times*mostRanked, mostEntries))), max(further, int(min(times*mostFurther, mostScanned)))
	}
	best, required := p.asked.best(l.v, "words", l.indexed), l.required()
	if p.asked.some {
		required = append(required, l.latest(l.v, p.asked))
	}
	heads := []cypher.Parameters{head(best, required, most)}
	if l.passing <= float64(most) {
		return heads
	}
	recent := l.recent(min(mostRecent, float64(further/2)/max(p.asked.common, 1e-9)))
	heads = append(heads, head(best, recent, further))
	if boosts {
		boosted := p.asked.best(l.v, "boosted", l.indexed)
		heads = append(heads, head(boosted, l.required(), most), head(boosted, recent, further))
	}
	return heads
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
		required = append(required, words.AnyOf("words", mark))
	}
	return required
}
