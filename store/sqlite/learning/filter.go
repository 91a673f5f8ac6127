package learning

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// ReadProfiles reads profiles in one query. Those of which something came after the instant are read whole, and
// what they were follows from that and from the archive.
func ReadProfiles(ctx context.Context, c *db.Conn, filter *store.ProfileFilter) ([]*memory.LearningProfile, error) {
	found, err := ProfilesAsOf(ctx, c, filter)
	if err != nil {
		return nil, err
	}
	profiles := make([]*memory.LearningProfile, 0, len(found))
	for _, p := range found {
		if p.whole() {
			if err := p.fillUp(c, *filter.AsOf); err != nil {
				return nil, err
			}
		}
		p.AsOf = filter.AsOf
		profiles = append(profiles, p.narrow())
	}
	return profiles, nil
}

// ProfilesAsOf reads profiles by agent and task type, without what came after the filter's instant. Those
// that had to be read whole for that still lack in their windows what has been archived since. Of the
// others nothing but their own row is read.
func ProfilesAsOf(ctx context.Context, c *db.Conn, filter *store.ProfileFilter) (found []*Profile, err error) {
	w := profilesOf(filter)
	find := profileColumns + `, coalesce(w.keys, iif(p.latest_at > :as_of, p.id, NULL)), w.successes, w.latencies FROM profiles p` + profileAgent + `
		LEFT JOIN windows w ON w.profile = iif(p.latest_at > :as_of, p.id, NULL) WHERE ` + w.SQL()
	found, err = db.AllWithin(ctx, c, find, readWhole, append(w.Args, db.Arg("as_of", graph.AsOfOrEver(filter.AsOf)))...)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		if p.whole() {
			if err := p.undo(ctx, c, *filter.AsOf); err != nil {
				return nil, err
			}
		}
	}
	found = slices.DeleteFunc(found, func(p *Profile) bool { return p.Total == 0 })
	slices.SortFunc(found, func(a, b *Profile) int {
		return cmp.Or(cmp.Compare(a.AgentKey, b.AgentKey), cmp.Compare(a.TaskType, b.TaskType))
	})
	return found, nil
}

// profilesOf are the conditions of a filter.
func profilesOf(filter *store.ProfileFilter) (w db.Conditions) {
	AddAgents(&w, `p.agent`, filter.Agents)
	if filter.TaskTypes != nil {
		w.Add(`p.task_type IN (SELECT value FROM json_each(:task_types))`, db.List("task_types", filter.TaskTypes))
	}
	return w
}

// AddAgents asks for some agents; nil asks for any.
func AddAgents(w *db.Conditions, column string, agents []string) {
	if agents != nil {
		w.Add(column+` IN (SELECT n.id FROM json_each(:agents) v CROSS JOIN nodes n ON n.kind = 'agent' AND n.key = v.value)`, db.List("agents", agents))
	}
}
