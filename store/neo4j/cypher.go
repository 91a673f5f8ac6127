package neo4j

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"text/template"
)

//go:embed cypher/*.cypher
var cypherFiles embed.FS

// statements are the embedded queries by the names of their files. What differs from call to call is a
// parameter; a few are templates, whose parts come from constants of this package only.
var statements = template.Must(template.New("").ParseFS(cypherFiles, "cypher/*.cypher"))

// statement gives the text of a query that is no template.
func statement(name string) string {
	text, err := expand(name, nil)
	if err != nil {
		panic(err) // an embedded file is missing or is a template: every test of the caller finds it
	}
	return text
}

// expand gives the text of a query with the parts filled in.
func expand(name string, parts any) (string, error) {
	var text strings.Builder
	if err := statements.ExecuteTemplate(&text, name+".cypher", parts); err != nil {
		return "", fmt.Errorf("query %s: %w", name, err)
	}
	return text.String(), nil
}

var expanded sync.Map // texts of queries by the names of their files

// expandOnce is expand for a query whose parts are the same each time.
func expandOnce(name string, parts any) (string, error) {
	if text, found := expanded.Load(name); found {
		if text, ok := text.(string); ok {
			return text, nil
		}
	}
	text, err := expand(name, parts)
	if err == nil {
		expanded.Store(name, text)
	}
	return text, err
}

var sendables sync.Map // texts as they are sent by texts as they are written

var parameterNames = regexp.MustCompile(`\$([A-Za-z]\w*)`)

// sendable gives a statement and its values as they are sent: in one parameter, $p, that holds them all. Neo4j finds a
// plan by the text and by the types of its parameters, to which belong whether one is null and how long a string or
// list is, by powers of ten; it would plan one text anew, for up to seconds, for each mixture of these that comes.
// Into a map it does not look.
func sendable(text string, values parameters) (string, parameters) {
	sent, found := sendables.Load(text)
	if !found {
		sent = parameterNames.ReplaceAllString(text, "$$p.$1")
		sendables.Store(text, sent)
	}
	return sent.(string), parameters{"p": values} //nolint:forcetypeassert // stored above
}

// script splits a text of several statements, which end with ";" at the end of a line, and leaves out
// lines that are comments.
func script(text string) []string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "//") {
			kept = append(kept, line)
		}
	}
	var parts []string
	for part := range strings.SplitSeq(strings.Join(kept, ""), ";\n") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
