package neo4j

import (
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/lexical"
)

// searchFields are the properties of each kind that a search looks in. What names a record counts twice.
// Kinds share properties where they mean the same; a word is as rare as it is in its property.
var searchFields = map[memory.Kind][]textField{
	memory.KindMemoir:      {{"name", 2}, {"description", 1}},
	memory.KindConcept:     {{"name", 2}, {"content", 1}, {"labels", 1}},
	memory.KindEpisode:     {{"title", 2}, {"observation", 1}, {"result", 1}, {"insight", 1}},
	memory.KindFeedback:    {{"corrections", 1}},
	memory.KindObservation: {{"content", 1}},
	memory.KindCorrection:  {{"topic", 2}, {"prediction", 1}, {"correction", 1}, {"context", 1}},
}

// kindToken stands for a kind of a tenant in the index of all kinds.
func kindToken(tenant string, kind memory.Kind) string { return digits(tenant + "/" + string(kind)) }

// searchText asks the index of all kinds for the best matches of some kinds; "" where there are no words,
// or no kind that has text.
func searchText(tenant string, kinds []memory.Kind, terms []lexical.Term) string {
	var tokens []string
	var fields []textField
	for _, kind := range kinds {
		if len(searchFields[kind]) == 0 {
			continue
		}
		tokens = append(tokens, kindToken(tenant, kind))
		for _, field := range searchFields[kind] {
			if !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	if len(tokens) == 0 {
		return ""
	}
	return matching("+kindToken:("+strings.Join(tokens, " ")+")^0", terms, fields)
}
