package consolidation

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

// RecurringSources is how many records must show the same before it counts as a pattern.
const RecurringSources = 3

// consolidatedSources is the most sources that an observation links to, the newest; as many as one input may list.
const consolidatedSources = 1000

// consolidatedGroups is how many different things of one sort are watched for recurring. Where an agent shows
// more, those seen once are forgotten, so a pattern may then be missed whose sources lie far apart.
const consolidatedGroups = 10_000

// correctionRunes is how much of a correction the name of its pattern quotes.
const correctionRunes = 80

// Finding is an observation that sums up what recurs in an agent's episodes.
type Finding struct {
	// Key follows from the agent, the pattern and how often it was seen, in steps of 3, 6, 12, 24 …:
	// what was said once is not said again before the evidence has doubled.
	Key string
	// Pattern names it in a few words: `failure of refund_request`.
	Pattern    string
	Content    string
	Importance memory.Importance
	About      []string // global ids of the sources, oldest first, at most the 1,000 newest
	Episodes   []string // keys of the newest episodes that show it, newest first, at most 5
	UserID     *string  // for whom all of that was; memory.SeveralUsers where it was for several
}

// sort is a sort of pattern.
type sort string

// The sorts of pattern. Keys name them, and what is closed by how soon.
const (
	failure    sort = "failure"
	success    sort = "success"
	fault      sort = "fault"
	closed     sort = "closed"
	submits    sort = "submits"
	correction sort = "correction"
)

// sorts are all of them, in the order in which they are told.
var sorts = []sort{failure, success, fault, closed, submits, correction}

// Consolidation finds what recurs in the episodes of one agent: outcomes of a task type, steps that fail, reactions to
// a sort of canvas and corrections in the same words, each from at least RecurringSources sources. It says what the
// records hold and concludes nothing from it. Episodes are added one at a time, and of each only what findings need is
// kept, so that its size does not grow with them.
type Consolidation struct {
	agent string
	rules *memory.CanvasRules
	seen  map[sort]groups
	// Of a task type the episodes whose outcome is known, of a step those that took it, of a sort of canvas the showings.
	known, taken, shown counts
}

// New begins with no episode of an agent. The rules say what people close quickly.
func New(agent string, rules *memory.CanvasRules) *Consolidation {
	c := &Consolidation{agent: agent, rules: rules, seen: map[sort]groups{}, known: counts{}, taken: counts{}, shown: counts{}}
	for _, s := range sorts {
		c.seen[s] = groups{}
	}
	return c
}

// Add counts an episode of the agent, with the canvases and feedback that its Context holds. The newer of two
// must be added first.
func (c *Consolidation) Add(e *memory.Episode) {
	source := witness{episode: e.Key, id: e.ID(), at: e.StartedAt, user: e.UserID}
	c.addOutcome(source, e)
	c.addFaults(source, e)
	if e.Context != nil {
		c.addCanvases(source, e.Context.Canvases)
		c.addCorrections(source, e.Context.Feedback)
	}
}

// Found is what recurs in the episodes added so far, sorted by what it is about.
func (c *Consolidation) Found() []Finding {
	all, whose := []Finding{}, prose.OneLine(c.agent)+": "
	for _, s := range sorts {
		for name, of := range c.seen[s].recurs {
			kind, pattern, says := c.tell(s, name, of)
			if says == "" {
				continue
			}
			found := Finding{
				Key: consolidatedKey(c.agent, kind, name, of.count), Pattern: whose + pattern, Content: whose + says, Importance: memory.ImportanceMedium,
				About: slices.Clone(of.sources), Episodes: of.episodes, UserID: of.user,
			}
			if s == correction {
				found.Importance = memory.ImportanceHigh
			}
			slices.Reverse(found.About)
			all = append(all, found)
		}
	}
	return all
}

// KeyPrefix is what the keys of the observations that sum up an agent's episodes begin with, and no
// others that Consolidate makes: consolidated/agent/, with a hash instead of a long key.
func KeyPrefix(agent string) string {
	prefix := memory.JoinKey(consolidated, agent) + "/"
	if len(prefix) > memory.MaxKeyBytes/2 {
		return memory.JoinKey(consolidated, memory.ShortHash(agent)) + "/"
	}
	return prefix
}

// consolidated is what the keys of all findings begin with.
const consolidated = "consolidated"

// PatternOf is the key of an observation that sums up episodes, without the number of sightings; empty for any other.
func PatternOf(key string) string {
	if !strings.HasPrefix(key, consolidated+"/") {
		return ""
	}
	return key[:strings.LastIndexByte(key, '/')]
}

// consolidatedKey is readable as long as that fits into a key.
func consolidatedKey(agent, kind, name string, sources int) string {
	what := memory.JoinKey(kind, name, strconv.Itoa(evidence(sources)))
	if key := KeyPrefix(agent) + what; len(key) <= memory.MaxKeyBytes {
		return key
	}
	return KeyPrefix(agent) + memory.ShortHash(what)
}

// evidence is the largest of 3, 6, 12, 24 … that is not above n.
func evidence(n int) int {
	step := RecurringSources
	for 2*step <= n {
		step *= 2
	}
	return step
}

// witness is an episode that shows something, and the record that does: the episode or one of its own.
type witness struct {
	episode string // its key
	id      string // global, of the record
	at      time.Time
	user    *string // for whom it is
}

// by is the witness of a record of the episode, for whom it is where that is said.
func (w witness) by(id string, user *string) witness {
	w.id = id
	if user != nil {
		w.user = user
	}
	return w
}

// group is what is kept of the records that show the same, which come newest first.
type group struct {
	count       int
	sources     []string // global ids, newest first
	episodes    []string // keys, newest first
	first, last time.Time
	latest      string // what the newest says
	common      []string
	sum         float64 // of seconds, over parts
	parts       int
	submitted   int // of the parts
	user        *string
}

// counts are by name.
type counts map[string]int

// add counts a name where there is room for it.
func (c counts) add(name string) {
	if _, known := c[name]; known || len(c) < 2*consolidatedGroups {
		c[name]++
	}
}

// groups are by what their records show.
type groups map[string]*group

// add counts a record in its group, which it answers; nil where there is no room for a new one.
func (g groups) add(name string, source witness) *group {
	of, known := g[name]
	if !known {
		if len(g) >= consolidatedGroups {
			maps.DeleteFunc(g, func(_ string, of *group) bool { return of.count == 1 })
		}
		if len(g) >= consolidatedGroups {
			return nil
		}
		of = &group{last: source.at, user: source.user}
		g[name] = of
	}
	if (of.user == nil) != (source.user == nil) || of.user != nil && *of.user != *source.user {
		of.user = new(memory.SeveralUsers)
	}
	of.count++
	of.first = source.at
	if len(of.sources) < consolidatedSources {
		of.sources = append(of.sources, source.id)
	}
	if len(of.episodes) < summary.MaxSources && !slices.Contains(of.episodes, source.episode) {
		of.episodes = append(of.episodes, source.episode)
	}
	return of
}

// recurs goes through the groups with enough records, by name.
func (g groups) recurs(yield func(name string, of *group) bool) {
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if g[name].count >= RecurringSources && !yield(name, g[name]) {
			return
		}
	}
}

// period is the days from the first to the last instant: "on 2025-03-01", "from 2025-03-01 to 2025-03-09".
func period(first, last time.Time) string {
	from, to := first.UTC().Format(time.DateOnly), last.UTC().Format(time.DateOnly)
	if from == to {
		return "on " + from
	}
	return fmt.Sprintf("from %s to %s", from, to)
}
