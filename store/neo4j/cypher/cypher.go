// Package cypher holds the statements of the store, in a file for each aggregate, and gives them by name as they are
// sent to Neo4j. Nobody else writes Cypher.
package cypher

import (
	"embed"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"text/template"

	"mneme/memory"
	"mneme/store/fields"
)

//go:embed *.cypher
var cypherFiles embed.FS

// heading begins a statement, or a part that statements share, in a file of an aggregate.
var heading = regexp.MustCompile(`(?m)^// (name|part): (\w+)\n(//.*\n)*`)

// templates are the embedded statements and their parts by name. What differs from call to call is a parameter; what a
// template is filled in with comes from constants of the store only.
var templates = load(cypherFiles)

// load reads the statements of all files. The comment below a heading is for the reader and is not sent.
func load(files fs.FS) *template.Template {
	all := template.New("").Funcs(template.FuncMap{"stored": stored, "label": Label, "kinds": func() []memory.Kind { return memory.Kinds }})
	paths, err := fs.Glob(files, "*.cypher")
	if err != nil {
		panic(err)
	}
	for _, path := range paths {
		text, err := fs.ReadFile(files, path)
		if err != nil {
			panic(err)
		}
		bodies := heading.Split(string(text), -1)
		for i, found := range heading.FindAllStringSubmatch(string(text), -1) {
			name := found[2]
			if all.Lookup(name) != nil {
				panic(path + ": there are two of " + name)
			}
			template.Must(all.New(name).Parse(strings.TrimSpace(bodies[i+1])))
		}
	}
	return all
}

// stored names the properties of a part of a record in a projection; see fields.Parts.
func stored(part string) string { return "." + strings.Join(fields.Parts[part].Names(), ", .") }

// Label is that of the nodes of a kind: its name with a capital.
func Label(kind memory.Kind) string {
	first := min(1, len(kind)) // there may be none
	return strings.ToUpper(string(kind[:first])) + string(kind[first:])
}

// Parameters are the values of a query, by name.
type Parameters = map[string]any

// Statement is a query as it is sent.
type Statement struct {
	Name string // for the round-trip hook and for errors
	Text string
}

// Named gives a statement that has no parts to be filled in.
func Named(name string) Statement { return Rendered(name, nil) }

// renderings are statements by rendering.
var renderings sync.Map

type rendering struct {
	name  string
	parts any
}

// Rendered gives a statement with the parts filled in. A name or a part that there is not is a fault of the store,
// which any test of the caller finds.
func Rendered(name string, parts any) Statement {
	key := rendering{name, parts}
	if !reflect.ValueOf(parts).Comparable() {
		key.parts = fmt.Sprint(parts)
	}
	if found, ok := renderings.Load(key); ok {
		return found.(Statement) //nolint:forcetypeassert // stored below
	}
	var text strings.Builder
	if err := templates.ExecuteTemplate(&text, name, parts); err != nil {
		panic(err)
	}
	made := Statement{name, text.String()}
	renderings.Store(key, made)
	return made
}

// Shaped gives a statement once its parts are known.
func Shaped(name string) func(parts any) Statement {
	return func(parts any) Statement { return Rendered(name, parts) }
}

// Forms gives both forms of a statement about an invariant: one counts violations by tenant, one mends a tenant's.
func Forms(name string, of any) (count, mend Statement) {
	type form struct {
		Mend bool
		Of   any
	}
	return Rendered(name, form{false, of}), Rendered(name, form{true, of})
}

var sendables sync.Map // texts as they are sent by statement

var parameterNames = regexp.MustCompile(`\$([A-Za-z]\w*)`)

// Sendable gives a statement and its values as they are sent: in one parameter, $p, that holds them all. Neo4j finds a
// plan by the text and by the types of its parameters, to which belong whether one is null and how long a string or
// list is, by powers of ten; it would plan one text anew, for up to seconds, for each mixture of these that comes.
// Into a map it does not look.
func Sendable(asked Statement, values Parameters) (string, Parameters) {
	sent, found := sendables.Load(asked)
	if !found {
		sent = parameterNames.ReplaceAllString(asked.Text, "$$p.$1")
		sendables.Store(asked, sent)
	}
	return sent.(string), Parameters{"p": values} //nolint:forcetypeassert // stored above
}

// Sent are the statements that were sent so far, for who looks at their plans.
func Sent() []Statement {
	var all []Statement
	sendables.Range(func(key, _ any) bool {
		all = append(all, key.(Statement)) //nolint:forcetypeassert // stored above
		return true
	})
	return all
}

// Names are those of all statements and parts that there are.
func Names() []string {
	var all []string
	for _, one := range templates.Templates() {
		all = append(all, one.Name())
	}
	return all
}
