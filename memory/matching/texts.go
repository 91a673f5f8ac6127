package matching

import "mneme/memory"

// Text is one of the texts that a record is found by.
type Text struct {
	// Name is what a line of an export calls the field.
	Name string
	// Weight is how often a word in it counts.
	Weight int
}

// texts are whole and small, so that counts stay exact. With k1 = 0.3 a word that counts 1, 2 or 4 times in a record of
// average length has 1, 1.13 or 1.21 times its idf, so what the weights decide is mostly whose words make a record long. In
// an episode what was seen has to be the most of it, or long insights dilute it: of the airline runs of tau-bench, 2-4-1-1 finds all
// (recall@4 1.000), 1-2-1-1 not (.985). A concept's name counts more than its content, because what is named after the
// words of a query is what is looked for, and many others mention it.
var texts = map[memory.Kind][]Text{
	memory.KindMemoir:      {{"name", 2}, {"description", 1}},
	memory.KindConcept:     {{"name", 2}, {"content", 1}, {"labels", 1}},
	memory.KindEpisode:     {{"title", 2}, {"observation", 4}, {"result", 1}, {"insight", 1}},
	memory.KindFeedback:    {{"corrections", 1}, {"comment", 1}},
	memory.KindObservation: {{"content", 1}},
	memory.KindCorrection:  {{"topic", 2}, {"prediction", 1}, {"correction", 1}, {"context", 1}},
}

// Texts are the texts that records of a kind are found by; none where the kind has none. What names a record counts
// twice, and what was seen in an episode four times.
func Texts(kind memory.Kind) []Text { return texts[kind] }
