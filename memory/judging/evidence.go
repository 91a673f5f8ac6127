package judging

import (
	"math"
	"slices"

	"mneme/memory"
)

// The bounds of evidence.
const (
	// MinPatternSections is how many sections of a type a rate is over before it says anything.
	MinPatternSections = 3
	// MinPartSections is the same of a part of a context, which is one of many that could stand out by chance.
	MinPartSections = 4
	// MinDoRate and MinDontRate are the least rates of an approach worth following and of an issue worth avoiding.
	MinDoRate   = 0.80
	MinDontRate = 0.60
	// confidence is the quantile of the normal distribution for intervals of 95 %.
	confidence = 1.959963984540054
)

// Wilson is the score interval of a share, hits of total, at 95 %: where the share of all that could be seen may lie
// (E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22, 1927). Of nothing it is
// 0…1.
func Wilson(hits, total int) (low, high float64) {
	if total <= 0 {
		return 0, 1
	}
	n, z := float64(total), confidence
	share := float64(hits) / n
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	reach := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, middle-reach), min(1, middle+reach)
}

// Separated says whether a share is above another beyond chance, at 95 %: the interval of their difference, made of the
// Wilson intervals of both, is above 0 (R. G. Newcombe, Interval estimation for the difference between independent
// proportions, Statistics in Medicine 17, 1998, method 10). Nothing is separated from nothing.
func Separated(hits, total, otherHits, otherTotal int) bool {
	if total <= 0 || otherTotal <= 0 {
		return false
	}
	share, other := float64(hits)/float64(total), float64(otherHits)/float64(otherTotal)
	low, _ := Wilson(hits, total)
	_, high := Wilson(otherHits, otherTotal)
	return share-other > math.Hypot(share-low, high-other)
}

// evidence is what is known of the subjects of patterns in parts of contexts.
type evidence struct {
	patterns map[string]*memory.Pattern // by key
	sections map[string]int             // how many sections there were, by memory.SectionsKey
}

// of is the pattern of the same subject in a part of a context, nil where there is none. An issue that no section there
// had is one that none of them had.
func (e evidence) of(p *memory.Pattern, part memory.JSON) *memory.Pattern {
	key := memory.PatternKey(p.Kind, p.SectionType, part, p.Subject())
	known := e.patterns[key]
	if known == nil && p.Kind == memory.PatternDont {
		if sections := e.sections[memory.SectionsKey(p.SectionType, part)]; sections > 0 {
			return &memory.Pattern{Key: key, Kind: p.Kind, SectionType: p.SectionType, Context: part, Total: sections}
		}
	}
	return known
}

// Evidence names what decides whether patterns are told for a context: the same subjects, and how many sections there
// were, in all of its parts, or where none is given in those of the patterns' own; of approaches, also in the parts
// that all of their sections were made under. Patterns are by memory.PatternKey, sections by memory.SectionsKey.
func Evidence(candidates []*memory.Pattern, context memory.JSON) (patterns, sections []string) {
	asked := Parts(context)
	for _, p := range candidates {
		parts := asked
		if context == nil {
			parts = Parts(p.Context)
		}
		for _, part := range slices.Concat(parts, Parts(p.Common)) {
			patterns = append(patterns, memory.PatternKey(p.Kind, p.SectionType, part, p.Subject()))
			sections = append(sections, memory.SectionsKey(p.SectionType, part))
		}
	}
	return memory.Distinct(patterns), memory.Distinct(sections)
}

// Candidates leaves, of patterns of both kinds that say enough, those of the best so many subjects of each.
func Candidates(patterns []*memory.Pattern, subjects int) []*memory.Pattern {
	kept, seen := []*memory.Pattern{}, map[memory.PatternKind]map[string]bool{memory.PatternDo: {}, memory.PatternDont: {}}
	for _, p := range slices.SortedFunc(slices.Values(patterns), memory.BestPatternFirst) {
		if !enough(p) {
			continue
		}
		if of := seen[p.Kind]; of[p.Subject()] || len(of) < subjects {
			of[p.Subject()] = true
			kept = append(kept, p)
		}
	}
	return slices.CompactFunc(kept, func(a, b *memory.Pattern) bool { return a.Key == b.Key })
}

// enough says whether a pattern is over enough sections, and often enough.
func enough(p *memory.Pattern) bool {
	rate, sections := MinDoRate, MinPatternSections
	if p.Kind == memory.PatternDont {
		rate = MinDontRate
	}
	if p.Context != nil {
		sections = MinPartSections
	}
	return p.Total >= sections && p.Rate() >= rate
}

// tells says whether a pattern is told for a context, or for any where there is none: it is of a part of it, says
// enough, and neither a wider nor a narrower part speaks against that. An approach was tried there, too.
func (e evidence) tells(p *memory.Pattern, context memory.JSON) bool {
	asked := Parts(context)
	parts := asked
	if context == nil {
		parts = Parts(p.Context)
	}
	isOwn := func(part memory.JSON) bool { return memory.ContextKey(part) == memory.ContextKey(p.Context) }
	return enough(p) && slices.ContainsFunc(parts, isOwn) && e.standsOut(p) && !e.refuted(p, asked)
}

// confined is the part that all sections with an approach were made under, where others of the pattern's own context
// were not: the one of the fewest sections, of several the widest. It is null where there is none.
func (e evidence) confined(p *memory.Pattern) (to memory.JSON) {
	own, fewest := pairsOf(p.Context), e.sections[memory.SectionsKey(p.SectionType, p.Context)]
	for _, part := range Parts(p.Common) {
		sections := e.sections[memory.SectionsKey(p.SectionType, part)]
		if narrower(part, own) && p.Total <= sections && sections < fewest {
			to, fewest = part, sections
		}
	}
	return to
}

// narrower says whether a part has all of some pairs, and others.
func narrower(part memory.JSON, pairs []pair) bool {
	own := pairsOf(part)
	return len(own) > len(pairs) && len(sharedPairs(pairs, own)) == len(pairs)
}

// standsOut says whether the sections of a pattern stand apart from the others of every wider context, none of which
// says the same. A wider one that is confined to some part does not say the same as one that is not.
func (e evidence) standsOut(p *memory.Pattern) bool {
	own, confined := len(pairsOf(p.Context)), e.confined(p) != nil
	for _, part := range Parts(p.Context) {
		wider := e.of(p, part)
		if wider == nil || len(pairsOf(part)) >= own || !confined && e.confined(wider) != nil {
			continue
		}
		if enough(wider) || !apart(p, wider, true) {
			return false
		}
	}
	return true
}

// refuted says whether one of the parts that are narrower than the pattern's own speaks against it: the same does not
// reach its rate there, and the sections there stand apart from its others; or an approach was left alone there, though
// there were more sections to try it on than chance would leave out.
func (e evidence) refuted(p *memory.Pattern, parts []memory.JSON) bool {
	own, all := pairsOf(p.Context), e.sections[memory.SectionsKey(p.SectionType, p.Context)]
	return slices.ContainsFunc(parts, func(part memory.JSON) bool {
		if !narrower(part, own) {
			return false
		}
		if there := e.of(p, part); there != nil {
			return there.Total >= MinPartSections && !enough(there) && apart(there, p, false)
		}
		sections := e.sections[memory.SectionsKey(p.SectionType, part)]
		return p.Kind == memory.PatternDo && Separated(p.Total, all-sections, 0, sections)
	})
}

// apart says whether the rate in a context is above that of the other sections of a wider one, or else below it. Where
// the wider one counts no others, as where it has been counted for a shorter time, nothing speaks against it.
func apart(p, wider *memory.Pattern, above bool) bool {
	others := wider.Total - p.Total
	hits := min(max(wider.Hits-p.Hits, 0), max(others, 0))
	switch {
	case others <= 0:
		return above
	case above:
		return Separated(p.Hits, p.Total, hits, others)
	}
	return Separated(hits, others, p.Hits, p.Total)
}
