package matching

import "mneme/memory"

// Text is one of the texts that a record is found by.
type Text struct {
	// Name is what a line of an export calls the field.
	Name string
	// Weight is how often a word in it counts.
	Weight int
}

// texts have whole weights, so that what is counted stays exact; counts are then parts of the most weight of the kind (see
// Document), so that a word in the text that tells most counts once and a perfect match is not lost among better ones: of the airline
// runs of tau-bench recall@4 by Semantic is .980 in such parts, and .950 where a word of the observation counts four times. In an
// episode what was seen has to be the most of it, or long insights dilute it: by C alone 2-4-1-1 has 1.000, 1-2-1-1 .985. A
// concept's name counts more than its content, because what is named after the words of a query is what is looked for, and many
// others mention it.
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

// mostWeight is that of the text of a kind that weighs most; 1 where it has none.
func mostWeight(kind memory.Kind) float64 {
	most := 1
	for _, text := range texts[kind] {
		most = max(most, text.Weight)
	}
	return float64(most)
}
