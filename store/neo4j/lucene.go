package neo4j

import (
	"maps"
	"strings"

	"mneme/memory"
	"mneme/store/lexical"
)

// textQuery asks the full-text index for the best matches of a situation in a tenant; "" where it has
// no word that carries meaning. Every word is quoted, so that nothing in it is query syntax. Neo4j does
// not tell how often words occur, so looks decide which tell most. The tenant's token decides what is
// found and adds nothing to a score. The boosts are the best of those tried on the airline runs of
// tau-bench.
func textQuery(token string, terms []lexical.Term) string {
	words := quoted(lexical.Telling(terms, nil))
	if words == "" {
		return ""
	}
	return "+tenantToken:" + token + "^0 +(title:(" + words + ")^2 observation:(" + words + ")^4 result:(" + words + ") insight:(" + words + "))"
}

// searchFields are the properties of each kind that a search looks in, and what a word there counts.
var searchFields = map[memory.Kind]map[string]string{
	memory.KindMemoir:      {"name": "^2", "description": ""},
	memory.KindConcept:     {"name": "^2", "content": "", "labels": ""},
	memory.KindEpisode:     {"title": "^2", "observation": "", "result": "", "insight": ""},
	memory.KindFeedback:    {"corrections": ""},
	memory.KindObservation: {"content": ""},
	memory.KindCorrection:  {"topic": "^2", "prediction": "", "correction": "", "context": ""},
}

// kindToken stands for a kind of a tenant in the index of all kinds.
func kindToken(tenant string, kind memory.Kind) string { return digits(tenant + "/" + string(kind)) }

// searchText is textQuery for the index of all kinds; "" also where no kind has text.
func searchText(tenant string, kinds []memory.Kind, terms []lexical.Term) string {
	words := quoted(lexical.Telling(terms, nil))
	tokens, fields := "", map[string]string{}
	for _, kind := range kinds {
		if searchFields[kind] != nil {
			tokens += kindToken(tenant, kind) + " "
			maps.Copy(fields, searchFields[kind])
		}
	}
	if words == "" || tokens == "" {
		return ""
	}
	query := "+kindToken:(" + tokens + ")^0 +("
	for _, field := range sortedKeys(fields) {
		query += field + ":(" + words + ")" + fields[field] + " "
	}
	return query + ")"
}

var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quoted(terms []lexical.Term) string {
	words := make([]string, len(terms))
	for i, term := range terms {
		words[i] = `"` + quotes.Replace(term.Word) + `"`
	}
	return strings.Join(words, " ")
}
