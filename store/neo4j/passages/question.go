package passages

import (
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/vectors"
)

// clause is what the owner of a passage has to hold for one kind of record.
type clause struct {
	all      []string // the owner code and marks
	shared   bool     // what is of nobody passes beside what is marked to be of a user
	nobody   string   // the mark of that
	from, to string   // days, empty for any
}

// question is what is asked of passages beside words or a vector.
type question struct {
	clauses []clause // any of them
	shape
	values cypher.Parameters
	joined bool // there are conditions that only records tell
}

// shape is what the text of a statement depends on.
type shape struct {
	graph.EpisodeShape
	// Episodes and Others say that there are conditions on episodes and on others, OfFeedback one on feedback's user.
	Episodes, Others, OfFeedback bool
	Filtered                     bool   // by more than what was known at an instant
	Weight                       string // of an observation, where that is asked for
	ToRank                       bool
}

// ask puts a question; it has no clauses where nothing passes.
func ask(tenant string, among store.Among) *question {
	q := &question{values: graph.FilterParameters(among.Filter, among.AsOf)}
	q.Filter(among.Filter)
	q.Fixed, q.AsOf, q.ToRank = "", among.AsOf != nil, among.ToRank
	labels := append([]string{}, among.Labels...)
	q.values["memoir"], q.values["labels"], q.values["topic"], q.values["turnsOf"] = among.Memoir, labels, among.Topic, among.Session
	q.values["embedding"], q.values["limit"], q.values["about"] = nil, among.Limit+1, ranking.MaxAbout
	if w := among.Weight; w != nil {
		q.Weight = graph.Weight(w.Policy, "e.importance", "e.accessCount", "e.usedAt")
		q.values["now"], q.values["minWeight"] = w.Now.UnixMilli(), w.Least
	}
	q.conditions(among)
	for _, kind := range among.Fitting() {
		q.clauses = append(q.clauses, clauseOf(tenant, kind, among))
	}
	return q
}

// conditions notes on what there are conditions.
func (q *question) conditions(among store.Among) {
	of, has := among.Filter, func(kind memory.Kind) bool { return slices.Contains(among.Kinds, kind) }
	q.Filtered = of != store.EpisodeFilter{}
	q.Episodes = has(memory.KindEpisode) && (among.AsOf != nil || q.Filtered)
	q.Others = slices.ContainsFunc(among.Kinds, func(kind memory.Kind) bool { return kind != memory.KindEpisode }) &&
		(of.User != nil || among.Memoir != nil || len(among.Labels) > 0 || among.Topic != nil || among.Session != nil)
	q.OfFeedback = of.User != nil && has(memory.KindFeedback)
	marked := store.EpisodeFilter{Agent: of.Agent, TaskType: of.TaskType, Session: of.Session, UserFilter: of.UserFilter}
	q.joined = among.Weight != nil || len(among.Labels) > 0 || among.AsOf != nil || of != marked || q.OfFeedback
}

func clauseOf(tenant string, kind memory.Kind, among store.Among) clause {
	c := clause{all: []string{ownerOf(tenant, kind)}, shared: among.Filter.Shared, nobody: markOf(ofUser, tenant, "")}
	asked := map[string]*string{"memoir": among.Memoir, "topic": among.Topic, "session": among.Session, "user": among.Filter.User}
	if kind == memory.KindEpisode {
		asked = map[string]*string{"agent": among.Filter.Agent, "taskType": among.Filter.TaskType, "session": among.Filter.Session, "user": among.Filter.User}
		if among.Filter.Since != nil || among.Filter.Until != nil || among.AsOf != nil {
			values := graph.FilterParameters(among.Filter, among.AsOf)
			c.from, c.to = dayOf(values["since"].(time.Time)), dayOf(values["until"].(time.Time)) //nolint:forcetypeassert // set there
		}
	}
	for _, m := range marked[kind] {
		if value := asked[m.property]; value != nil {
			c.all = append(c.all, markOf(m.letter, tenant, *value))
		}
	}
	return c
}

// looks are how many of the best are looked at one after the other until so many pass.
func (q *question) looks(wanted int) []int {
	if !q.joined {
		return []int{wanted}
	}
	return []int{min(widerBy*wanted, maxLooked), maxLooked}
}

// text asks the index for the passages that have any of some stems: what is required adds nothing to a score.
func (q *question) text(stems []string) string {
	texts := make([]string, len(q.clauses))
	for i, c := range q.clauses {
		texts[i] = "+owner:" + strings.Join(c.all, " +owner:")
		if last := c.all[len(c.all)-1]; c.shared && last[0] == ofUser {
			texts[i] = strings.TrimSuffix(texts[i], last) + "(" + last + " " + c.nobody + ")"
		}
		if c.from != "" {
			texts[i] += " +owner:[" + c.from + " TO " + c.to + "]"
		}
	}
	return "+((" + strings.Join(texts, ") (") + "))^0 +words:(" + strings.Join(memory.Mapped(stems, quote), " ") + ")"
}

// quote makes a word of a stem, in which nothing is query syntax.
func quote(stem string) string { return `"` + quotes.Replace(stem) + `"` }

var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// limits are what the clauses ask of passages in memory.
func (q *question) limits() []vectors.Limits {
	all := make([]vectors.Limits, len(q.clauses))
	for i, c := range q.clauses {
		all[i].Marks, _ = marksOf(c.all)
		if c.shared {
			all[i].Or, _ = marksOf([]string{c.nobody})
		}
		if c.from != "" {
			all[i].From, all[i].Until = timeOf(c.from), timeOf(c.to).AddDate(0, 0, 1)
		}
	}
	return all
}
