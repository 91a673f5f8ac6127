package gqlhttp

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/memory"
	"mneme/schema"
)

// Trusted is a list of documents. A server that has one answers no others.
type Trusted struct {
	named map[string]string // texts by what generators call them, and by their SHA-256
}

func hashOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// ReadTrusted reads lists of documents as generators write them: a JSON object of texts by their hash or another name
// (graphql-codegen's persisted-documents.json, Relay's). Each must be a valid document of the schema, within the usual
// limits of a text. The error names the first that is not, and says why.
func ReadTrusted(files ...[]byte) (*Trusted, error) {
	trusted := &Trusted{map[string]string{}}
	all := newDocuments(schema.Load(), Options{}.withDefaults())
	for _, file := range files {
		var byName map[string]string
		if err := json.Unmarshal(file, &byName); err != nil || byName == nil {
			return nil, errors.New("it is not a JSON object of texts")
		}
		if len(byName) == 0 {
			return nil, errors.New("it holds no documents")
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			text := byName[name]
			if _, faults := all.parse(text); faults != nil {
				return nil, fmt.Errorf("document %.80q: %s", name, placed(faults[0]))
			}
			trusted.named[name], trusted.named[hashOf(text)] = text, text
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

// placed is a fault of a document with its line, where it has one.
func placed(fault *gqlerror.Error) string {
	if len(fault.Locations) == 0 {
		return shortened(fault.Message)
	}
	return fmt.Sprintf("%s (line %d)", shortened(fault.Message), fault.Locations[0].Line)
}
