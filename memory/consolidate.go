package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// RecurringSources is how many records must show the same before it counts as a pattern.
const RecurringSources = 3

// consolidatedSources is the most sources that an observation links to, the newest; as many as one
// input may list.
const consolidatedSources = 1000

// Consolidated is an observation that sums up what recurs in an agent's episodes.
type Consolidated struct {
	// Key follows from the agent, the pattern and how often it was seen, in steps of 3, 6, 12, 24 …:
	// what was said once is not said again before the evidence has doubled.
	Key string
	// Pattern names it in a few words: `failure of refund_request`.
	Pattern    string
	Content    string
	Importance Importance
	About      []string // global ids of the sources, oldest first, at most the 1,000 newest
}

// Consolidate finds what recurs in episodes, agent by agent: outcomes of a task type, steps that fail,
// reactions to a sort of canvas and corrections in the same words, each from at least RecurringSources
// sources. It says what the records hold and concludes nothing from it; the same episodes in any order
// give the same answer. Canvases and feedback count where the episodes' Context holds them.
func Consolidate(episodes []*Episode) []Consolidated {
	byAgent := map[string][]*Episode{}
	for _, e := range episodes {
		byAgent[e.AgentKey] = append(byAgent[e.AgentKey], e)
	}
	all := []Consolidated{}
	for _, agent := range slices.Sorted(maps.Keys(byAgent)) {
		of := byAgent[agent]
		slices.SortFunc(of, func(a, b *Episode) int {
			return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.Key, b.Key))
		})
		for _, find := range []func([]*Episode) []recurring{
			recurringOutcomes, recurringFaults, recurringReactions, recurringCorrections,
		} {
			for _, r := range find(of) {
				all = append(all, r.of(agent))
			}
		}
	}
	return all
}

// recurring is a pattern among the episodes of one agent.
type recurring struct {
	name       []string // what the key is made of: the sort of pattern and what it is about
	pattern    string
	says       string
	importance Importance
	sources    []string // global ids, oldest first
}

func (r recurring) of(agent string) Consolidated {
	newest, whose := r.sources[max(0, len(r.sources)-consolidatedSources):], oneLine(agent)+": "
	return Consolidated{
		Key:        consolidatedKey(agent, r.name, len(r.sources)),
		Pattern:    whose + r.pattern,
		Content:    whose + r.says,
		Importance: r.importance,
		About:      slices.Clone(newest),
	}
}

// ConsolidatedOf is what the keys of the observations that sum up an agent's episodes begin with, and no
// others that Consolidate makes: consolidated/agent/, with a hash instead of a long key.
func ConsolidatedOf(agent string) string {
	prefix := JoinKey("consolidated", agent) + "/"
	if len(prefix) > MaxKeyBytes/2 {
		return JoinKey("consolidated", shortHash(agent)) + "/"
	}
	return prefix
}

// consolidatedKey is readable as long as that fits into a key.
func consolidatedKey(agent string, name []string, sources int) string {
	what := JoinKey(append(name[:len(name):len(name)], strconv.Itoa(evidence(sources)))...)
	if key := ConsolidatedOf(agent) + what; len(key) <= MaxKeyBytes {
		return key
	}
	return ConsolidatedOf(agent) + shortHash(what)
}

// evidence is the largest of 3, 6, 12, 24 … that is not above n.
func evidence(n int) int {
	step := RecurringSources
	for 2*step <= n {
		step *= 2
	}
	return step
}

// grouped keeps what belongs together, with the groups in the order of their names.
type grouped[T any] map[string][]T

func (g grouped[T]) add(name string, item T) { g[name] = append(g[name], item) }

// recurs goes through the groups with enough items.
func (g grouped[T]) recurs(yield func(name string, items []T) bool) {
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if len(g[name]) >= RecurringSources && !yield(name, g[name]) {
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
