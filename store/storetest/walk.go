package storetest

import "mneme/store"

// walk reads a list page by page, by the positions of the last records, and checks that each page is
// full where more follow and that the list says when it ends.
func walk[T any](
	m *tenant, limit int, list func(store.Page) ([]T, bool, error), position func(T) store.Position,
) []T {
	m.t.Helper()
	walked := []T{}
	page := store.Page{Limit: limit}
	for {
		records, more, err := list(page)
		m.NoError(err)
		m.NotNil(records)
		m.LessOrEqual(len(records), limit)
		walked = append(walked, records...)
		m.Less(len(walked), 10_000, "the pages do not end")
		if !more {
			return walked
		}
		m.Len(records, limit, "a page that more follow is full")
		last := position(records[len(records)-1])
		page.After = &last
	}
}
