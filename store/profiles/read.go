package profiles

import (
	"cmp"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
)

// Listing asks for executions of a profile, the latest first.
type Listing struct {
	*store.ExecutionsOf
	After       *store.Position
	Skip, Limit int
}

// Listed is one of them. After a position it comes with the oldest in the window that the profile has or had, nil where
// that is not full.
type Listed struct {
	*memory.Execution
	Oldest *store.Position
}

// List reads a page of the executions that are in a window, or of those that are older.
func List(query *store.ExecutionsOf, asked store.Page, read func(Listing) ([]Listed, error)) ([]*memory.Execution, bool, error) {
	l := Listing{ExecutionsOf: query, After: asked.After, Limit: asked.Limit + 1}
	if query.Archived && l.After == nil {
		l.Skip = memory.WindowSize
	}
	page, err := read(l)
	if len(page) > 0 && l.After != nil && query.Archived && !precedes(l.After, page[0].Oldest) { // it was in the window
		l.After, l.Skip = nil, memory.WindowSize
		page, err = read(l)
	}
	found := []*memory.Execution{}
	for i, e := range page {
		if Place(e.Execution, e.Oldest); l.After == nil {
			e.Archived = l.Skip+i >= memory.WindowSize
		}
		if e.Archived == query.Archived {
			found = append(found, e.Execution)
		}
	}
	return found[:min(len(found), asked.Limit)], len(found) > asked.Limit, err
}

// Place says of an execution whether it is older than the oldest in a window.
func Place(e *memory.Execution, oldest *store.Position) {
	e.Archived = oldest != nil && precedes(&store.Position{At: e.At, Key: e.Key}, oldest)
}

func precedes(p, other *store.Position) bool {
	return other != nil && cmp.Or(p.At.Compare(other.At), cmp.Compare(p.Key, other.Key)) < 0
}

// Sort puts profiles in order, without those that have nothing.
func Sort(profiles []*memory.LearningProfile) []*memory.LearningProfile {
	profiles = slices.DeleteFunc(profiles, func(p *memory.LearningProfile) bool { return p.Total == 0 })
	slices.SortFunc(profiles, func(a, b *memory.LearningProfile) int {
		return cmp.Or(strings.Compare(a.AgentKey, b.AgentKey), strings.Compare(a.TaskType, b.TaskType))
	})
	return profiles
}

// Records are the records of agents, and of those that have profiles.
func Records(agents []string, profiles []*memory.LearningProfile) []*memory.AgentRecord {
	records := make([]*memory.AgentRecord, 0, len(agents))
	known := map[string]*memory.AgentRecord{}
	of := func(agent string) *memory.AgentRecord {
		if known[agent] == nil {
			known[agent] = &memory.AgentRecord{AgentKey: agent, Tasks: []memory.TaskRecord{}}
			records = append(records, known[agent])
		}
		return known[agent]
	}
	for _, agent := range agents {
		of(agent)
	}
	for _, p := range Sort(profiles) {
		record := of(p.AgentKey)
		record.Tasks = append(record.Tasks, memory.TaskRecord{
			TaskType: p.TaskType, Total: p.Total, Successful: p.Successful, QualityBillionths: p.QualityBillionths,
		})
	}
	slices.SortFunc(records, func(a, b *memory.AgentRecord) int { return strings.Compare(a.AgentKey, b.AgentKey) })
	return records
}
