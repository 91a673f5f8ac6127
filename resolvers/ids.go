package resolvers

import "mneme/memory"

// idsOf are the global ids of records.
func idsOf[T memory.Node](records []T) []string {
	ids := make([]string, len(records))
	for i, record := range records {
		ids[i] = record.ID()
	}
	return ids
}
