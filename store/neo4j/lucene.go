package neo4j

import (
	"strings"

	"mneme/store/lexical"
)

// textQuery asks the full-text index for the best matches of a situation in a tenant; "" where it has
// no word that carries meaning. Every word is quoted, so that nothing in it is query syntax. Neo4j does
// not tell how often words occur, so looks decide which tell most. The tenant's token decides what is
// found and adds nothing to a score. The observation weighs most; on the airline runs of tau-bench every
// weighting tried finds a task's own trials first, so none is tuned to them.
func textQuery(token string, terms []lexical.Term) string {
	words := quoted(lexical.Telling(terms, nil))
	if words == "" {
		return ""
	}
	return "+tenantToken:" + token + "^0 +(title:(" + words + ")^2 observation:(" + words + ")^4 result:(" + words + ") insight:(" + words + "))"
}

var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quoted(terms []lexical.Term) string {
	words := make([]string, len(terms))
	for i, term := range terms {
		words[i] = `"` + quotes.Replace(term.Word) + `"`
	}
	return strings.Join(words, " ")
}
