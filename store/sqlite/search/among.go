package search

import (
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/passages"
	"mneme/store/vectors"
)

// among are the passages of one kind that are looked for.
type among struct {
	kind memory.Kind
	// limits are what the vectors in memory know of a record; the index of words knows the marks.
	limits vectors.Limits
	// join and the conditions are what only the record itself knows; none where there are no conditions.
	join string
	db.Conditions
}

// amongKinds are the kinds that may have any: a condition on another kind, or on what is not there, lets none pass.
func amongKinds(c *db.Conn, asked *store.Among) (all []among, err error) {
	for _, kind := range asked.Fitting() {
		a := among{kind: kind}
		there, err := a.mark(c, asked)
		if err != nil {
			return nil, err
		}
		if there {
			a.add(asked)
			all = append(all, a)
		}
	}
	return all, nil
}

// mark asks for the marks of what is named; there is false where that is not there.
func (a *among) mark(c *db.Conn, asked *store.Among) (there bool, err error) {
	named := func(place int, kind memory.Kind, key *string) {
		if key == nil || err != nil || !there {
			return
		}
		var id int64
		id, err = graph.FindID(c, kind, *key)
		a.limits.Marks[place], there = passages.MarkNode(id), id != 0
	}
	there = true
	switch a.kind {
	case memory.KindEpisode:
		named(0, memory.KindAgent, asked.Filter.Agent)
		named(1, memory.KindSession, asked.Filter.Session)
		if asked.Filter.TaskType != nil {
			a.limits.Marks[2] = passages.MarkText(*asked.Filter.TaskType)
		}
		a.markUser(&asked.Filter)
	case memory.KindObservation:
		named(0, memory.KindSession, asked.Session)
		a.markUser(&asked.Filter)
	case memory.KindConcept:
		named(0, memory.KindMemoir, asked.Memoir)
	case memory.KindCorrection:
		if asked.Topic != nil {
			a.limits.Marks[2] = passages.MarkText(*asked.Topic)
		}
	}
	return there, err
}

func (a *among) markUser(filter *store.EpisodeFilter) {
	if filter.User != nil {
		a.limits.Marks[3] = passages.MarkText(*filter.User)
		if filter.Shared {
			a.limits.Or[3] = passages.MarkText("")
		}
	}
}

// add adds the conditions that are not marks.
func (a *among) add(asked *store.Among) {
	switch a.kind {
	case memory.KindEpisode:
		filter := asked.Filter
		filter.Agent, filter.Session, filter.TaskType = nil, nil, nil
		a.Conditions, a.join = graph.Filtered(&filter, asked.AsOf), ` CROSS JOIN episodes e ON e.id = p.node`
		graph.AddKnown(&a.Conditions, asked.AsOf)
		a.limits.From, a.limits.Until = memory.ValueOr(filter.Since, a.limits.From), memory.ValueOr(filter.Until, a.limits.Until)
		if asked.AsOf != nil && (filter.Until == nil || asked.AsOf.Before(*filter.Until)) { // what is known then began before
			a.limits.Until = asked.AsOf.Add(time.Millisecond)
		}
	case memory.KindObservation:
		graph.AddUser(&a.Conditions, `x.user_id`, asked.Filter.UserFilter)
		if a.join = ` CROSS JOIN observations x ON x.id = p.node`; asked.Weight != nil {
			a.Add(graph.Weight(&a.Conditions, asked.Weight.Policy, asked.Weight.Now)+` >= :least`, db.Arg("least", asked.Weight.Least))
		}
	case memory.KindFeedback:
		graph.AddUser(&a.Conditions, graph.UserOfFeedback, asked.Filter.UserFilter)
		a.join = ` CROSS JOIN feedback f ON f.id = p.node`
	case memory.KindConcept:
		if a.join = ` CROSS JOIN concepts o ON o.id = p.node`; len(asked.Labels) > 0 {
			a.Add(`json_valid(o.labels) AND NOT EXISTS (SELECT value FROM json_each(:labels) EXCEPT SELECT value FROM json_each(o.labels))`,
				db.List("labels", asked.Labels))
		}
	}
	if len(a.Texts) == 0 {
		a.join = ``
	}
}
