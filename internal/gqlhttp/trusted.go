package gqlhttp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"mneme/memory"
	"mneme/schema"
)

// Trusted is a list of documents. A server that has one answers no others.
type Trusted struct {
	named map[string]string   // texts by what generators call them, and by their SHA-256
	texts map[string]struct{} // the same texts
}

// mostFaults is how many documents at fault an error names.
const mostFaults = 3

// ReadTrusted reads lists of documents as generators write them: a JSON object of texts by their hash or another name
// (graphql-codegen's persisted-documents.json, Relay's). Each must be a valid document of the schema, within the usual
// limits of a text. Errors say which are not, and why.
func ReadTrusted(files ...[]byte) (*Trusted, error) {
	trusted := &Trusted{map[string]string{}, map[string]struct{}{}}
	check := newDocumentCheck()
	for _, file := range files {
		var byName map[string]string
		if err := json.Unmarshal(file, &byName); err != nil || byName == nil {
			return nil, errors.New("it is not a JSON object of texts")
		}
		var faults []string
		for name, text := range byName {
			if err := check.document(name, text); err != nil {
				faults = append(faults, fmt.Sprintf("document %.80q: %v", name, err))
			}
			trusted.named[name], trusted.named[hashOf(text)] = text, text
			trusted.texts[text] = struct{}{}
		}
		switch slices.Sort(faults); {
		case len(byName) == 0:
			return nil, errors.New("it holds no documents")
		case len(faults) > mostFaults:
			return nil, fmt.Errorf("%s; and %d more", strings.Join(faults[:mostFaults], "; "), len(faults)-mostFaults)
		case len(faults) > 0:
			return nil, errors.New(strings.Join(faults, "; "))
		}
	}
	return trusted, nil
}

// text is the trusted document that a request means. One that is sent as a text is trusted where it is on the list, byte
// for byte, and what is named besides must be the same.
func (t *Trusted) text(query string, name named) (string, *memory.Error) {
	sent := strings.TrimSpace(query) != ""
	for _, wanted := range []string{name.hash, name.id} {
		if wanted == "" {
			continue
		}
		text, known := t.named[strings.TrimPrefix(wanted, "sha256:")]
		if !known {
			text, known = t.named[wanted]
		}
		if !known || sent && text != query {
			return "", errUntrusted
		}
		query, sent = text, true
	}
	if _, known := t.texts[query]; !known {
		return "", errUntrusted
	}
	return query, nil
}

// errUntrusted also tells who tries things in the playground why they are refused.
var errUntrusted = &memory.Error{
	Code: memory.CodeForbidden, Message: "this server answers only the documents of its list (MNEME_TRUSTED_DOCUMENTS), and this is none of them",
}

// documentCheck is what a document must pass to be trusted.
type documentCheck struct {
	schema *ast.Schema
	limits limits
}

func newDocumentCheck() documentCheck {
	return documentCheck{schema.Load(), limits{options: Options{}.withDefaults()}}
}

func (c documentCheck) document(name, text string) error {
	switch {
	case name == "":
		return errors.New("has no name")
	case strings.TrimSpace(text) == "":
		return errors.New("is empty")
	}
	if refused := c.limits.words(text); refused != nil {
		return errors.New(refused.Message)
	}
	document, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, c.limits.options.MaxTokens)
	if err != nil {
		return shortFault(err)
	}
	if fault := c.limits.tallied(document); fault != nil {
		return shortFault(fault)
	}
	if faults := validator.ValidateWithRules(c.schema, document, rules.NewDefaultRules()); len(faults) > 0 {
		return shortFault(faults[0])
	}
	return nil
}

// shortFault is an error of a document without the place of it in the program.
func shortFault(err error) error {
	if located, is := errors.AsType[*gqlerror.Error](err); is {
		where := ""
		if len(located.Locations) > 0 {
			where = fmt.Sprintf(" (line %d)", located.Locations[0].Line)
		}
		return errors.New(shortened(located.Message) + where)
	}
	return err
}
