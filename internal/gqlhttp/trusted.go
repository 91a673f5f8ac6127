package gqlhttp

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"mneme/memory"
	"mneme/schema"
)

// Trusted is a list of documents. A server that has one answers no others.
type Trusted struct {
	named map[string]string // texts by what generators call them, and by their SHA-256
}

func hashOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// maxFaults is how many documents at fault an error names.
const maxFaults = 3

// ReadTrusted reads lists of documents as generators write them: a JSON object of texts by their hash or another name
// (graphql-codegen's persisted-documents.json, Relay's). Each must be a valid document of the schema, within the usual
// limits of a text. Errors say which are not, and why.
func ReadTrusted(files ...[]byte) (*Trusted, error) {
	trusted := &Trusted{map[string]string{}}
	all := newDocuments(schema.Load(), Options{}.withDefaults())
	for _, file := range files {
		var byName map[string]string
		if err := json.Unmarshal(file, &byName); err != nil || byName == nil {
			return nil, errors.New("it is not a JSON object of texts")
		}
		var faults []string
		for name, text := range byName {
			if fault := all.fault(name, text); fault != "" {
				faults = append(faults, fmt.Sprintf("document %.80q: %s", name, fault))
			}
			trusted.named[name], trusted.named[hashOf(text)] = text, text
		}
		switch slices.Sort(faults); {
		case len(byName) == 0:
			return nil, errors.New("it holds no documents")
		case len(faults) > maxFaults:
			return nil, fmt.Errorf("%s; and %d more", strings.Join(faults[:maxFaults], "; "), len(faults)-maxFaults)
		case len(faults) > 0:
			return nil, errors.New(strings.Join(faults, "; "))
		}
	}
	return trusted, nil
}

// name puts the text of the trusted document that a request means in its parameters. One that is sent as a text is
// trusted where it is on the list, byte for byte, and what is named besides must be the same.
func (t *Trusted) name(params *graphql.RawParams, id string) *memory.Error {
	query, _ := params.Extensions["persistedQuery"].(map[string]any)
	hash, _ := query["sha256Hash"].(string)
	for _, wanted := range []string{hash, id} {
		if wanted == "" {
			continue
		}
		text, known := t.named[strings.TrimPrefix(wanted, "sha256:")]
		if !known {
			text, known = t.named[wanted]
		}
		if !known || params.Query != "" && text != params.Query {
			return errUntrusted
		}
		params.Query = text
	}
	switch {
	case params.Query == "":
		return memory.Invalid("query", "is missing")
	case t.named[hashOf(params.Query)] != params.Query:
		return errUntrusted
	}
	return nil
}

// errUntrusted also tells who tries things in the playground why they are refused.
var errUntrusted = &memory.Error{
	Code: memory.CodeForbidden, Message: "this server answers only the documents of its list (MNEME_TRUSTED_DOCUMENTS), and this is none of them",
}

// fault says why a document cannot be trusted; "" where it can.
func (d documents) fault(name, text string) string {
	switch {
	case name == "":
		return "has no name"
	case strings.TrimSpace(text) == "":
		return "is empty"
	}
	_, faults := d.parse(text)
	switch {
	case faults == nil:
		return ""
	case len(faults[0].Locations) == 0:
		return shortened(faults[0].Message)
	}
	return fmt.Sprintf("%s (line %d)", shortened(faults[0].Message), faults[0].Locations[0].Line)
}
