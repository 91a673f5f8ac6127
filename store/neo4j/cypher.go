package neo4j

import (
	"embed"
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"text/template"
	"time"

	"mneme/memory"
	"mneme/store"
)

//go:embed cypher/*.cypher
var cypherFiles embed.FS

// heading begins a statement, or a part that statements share, in a file of an aggregate.
var heading = regexp.MustCompile(`(?m)^// (name|part): (\w+)\n(//.*\n)*`)

// introduction is what a file may begin with: what the aggregate is.
var introduction = regexp.MustCompile(`^(//.*\n|\n)*$`)

// templates are the embedded statements and their parts by name. What differs from call to call is a parameter; what a
// template is filled in with comes from constants of this package only.
var templates = load(cypherFiles)

// load reads the statements of all files. The comment below a heading is for the reader and is not sent.
func load(files fs.FS) *template.Template {
	all := template.New("")
	paths, err := fs.Glob(files, "cypher/*.cypher")
	if err != nil {
		panic(err)
	}
	for _, path := range paths {
		text, err := fs.ReadFile(files, path)
		if err != nil {
			panic(err)
		}
		bodies := heading.Split(string(text), -1)
		if !introduction.MatchString(bodies[0]) {
			panic(path + ": begins with what has no name")
		}
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

// statement is a query as it is sent.
type statement struct {
	name string // for the round-trip hook and for errors
	text string
}

// named gives a statement that has no parts to be filled in.
func named(name string) statement { return rendered(name, nil) }

// renderings are statements by rendering.
var renderings sync.Map

type rendering struct {
	name  string
	parts any
}

// rendered gives a statement with the parts filled in. A name or a part that there is not is a fault of this package,
// which any test of the caller finds.
func rendered(name string, parts any) statement {
	key, kept := rendering{name, parts}, reflect.ValueOf(parts).Comparable()
	if kept {
		if found, ok := renderings.Load(key); ok {
			return found.(statement) //nolint:forcetypeassert // stored below
		}
	}
	var text strings.Builder
	if err := templates.ExecuteTemplate(&text, name, parts); err != nil {
		panic(err)
	}
	made := statement{name, text.String()}
	if kept {
		renderings.Store(key, made)
	}
	return made
}

var sendables sync.Map // texts as they are sent by statement

var parameterNames = regexp.MustCompile(`\$([A-Za-z]\w*)`)

// sendable gives a statement and its values as they are sent: in one parameter, $p, that holds them all. Neo4j finds a
// plan by the text and by the types of its parameters, to which belong whether one is null and how long a string or
// list is, by powers of ten; it would plan one text anew, for up to seconds, for each mixture of these that comes.
// Into a map it does not look.
func sendable(asked statement, values parameters) (string, parameters) {
	sent, found := sendables.Load(asked)
	if !found {
		sent = parameterNames.ReplaceAllString(asked.text, "$$p.$1")
		sendables.Store(asked, sent)
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
	for part := range strings.SplitSeq(strings.Join(kept, "")+"\n", ";\n") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// shape is what the text of a query about episodes depends on; all else is a parameter. There are few
// shapes, so Neo4j's plan cache and ours hold them all.
type shape struct {
	// Fixed is the property that the filter fixes and an index begins with, the most telling one; or "".
	Fixed string

	One                                   bool // episode by its key
	AsOf, After                           bool
	ByScore, ByCanvas                     bool // the filter has conditions on feedback, on canvases
	ByFeedback, OldestFirst               bool
	SameRank, LowerRank                   bool // the two stretches that go on in the order of feedback
	WithAgent, WithCanvases, WithFeedback bool
	Lexical, Vector                       bool
	Filtered                              bool // whether any condition is set
	Marked                                bool // the text index finds what passes the filter
}

// filter notes what a filter asks for and chooses the index for it.
func (s *shape) filter(f store.EpisodeFilter) {
	s.ByScore = f.MinFeedback != nil || f.MaxFeedback != nil
	s.ByCanvas = f.CanvasType != nil || f.CanvasAction != nil
	switch {
	case s.ByFeedback: // the index of that order begins with the rank
	case f.Session != nil:
		s.Fixed = "session"
	case f.Agent != nil:
		s.Fixed = "agent"
	case f.TaskType != nil:
		s.Fixed = "taskType"
	}
}

func (s *shape) parts(p store.Parts) {
	s.WithAgent, s.WithCanvases, s.WithFeedback = p.Has(store.WithAgent), p.Has(store.WithCanvases), p.Has(store.WithFeedback)
}

// prefix are the properties that the index in use begins with.
func (s shape) prefix() []string {
	switch {
	case s.ByFeedback:
		return []string{"tenant", "feedbackRank"}
	case s.Fixed != "":
		return []string{"tenant", s.Fixed}
	}
	return []string{"tenant"}
}

// InRank and BelowRank are where a list by feedback goes on: in the rank of the last record, by time,
// and in all ranks below.
func (s shape) InRank() shape { s.SameRank = true; return s }

// BelowRank is described with InRank.
func (s shape) BelowRank() shape { s.LowerRank = true; return s }

// Index names the properties of the index that gives the order.
func (s shape) Index() string { return strings.Join(append(s.prefix(), "startedAt", "key"), ", ") }

// Sort is the order of the index; naming its fixed beginning lets Neo4j see that it is. Keys ascend
// among equals whatever the direction.
func (s shape) Sort() string {
	direction := " DESC"
	if s.OldestFirst {
		direction = ""
	}
	order := ""
	for _, property := range append(s.prefix(), "startedAt") {
		order += "e." + property + direction + ", "
	}
	return order + "e.key"
}

// filterParameters are the values that a filter compares with. Until is exclusive, and times are whole
// milliseconds.
func filterParameters(f store.EpisodeFilter) parameters {
	since, until := earliest, latest
	if f.Since != nil {
		since = *f.Since
	}
	if f.Until != nil {
		until = f.Until.Add(-time.Millisecond)
	}
	return parameters{
		"agent": f.Agent, "session": f.Session, "taskType": f.TaskType, "outcome": f.Outcome,
		"canvasType": f.CanvasType, "canvasAction": f.CanvasAction,
		"minFeedback": f.MinFeedback, "maxFeedback": f.MaxFeedback,
		"since": instant(since), "until": instant(until),
	}
}

// contextParameters bound what comes along with episodes.
func contextParameters(values parameters, asOf *time.Time) {
	values["contextLimit"] = memory.ContextLimit
	values["latest"] = instant(latest)
	if asOf != nil {
		values["latest"], values["asOf"] = instant(*asOf), instant(*asOf)
	}
}
