package linking

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/traversal"
	"mneme/store"
)

// CheckCauses is store.ErrInvalid, with the field, where a new episode names a cause that began after it. starts says
// when those began that are there; one that comes later is linked whenever it began, since what another said of it must
// not keep it out.
func CheckCauses(record *store.EpisodeRecord, starts map[string]time.Time) error {
	for _, cause := range record.CausedBy {
		startedAt, known := starts[cause]
		if !known {
			continue
		}
		if err := record.Episode.CheckCause(cause, startedAt); err != nil {
			return fmt.Errorf("%w: %w", store.ErrInvalid, err)
		}
	}
	return nil
}

// CheckLogCauses is CheckCauses for an episode that begins with the first event of its log, which is among those that are
// new to it: only then does it begin, and nothing looks at its causes again. starts are when those began that are there.
func CheckLogCauses(part *store.LogPart, fresh []store.LoggedEvent, starts map[string]time.Time) error {
	for i := range fresh {
		if fresh[i].Sequence != 0 || part.Kept {
			continue
		}
		e := memory.Episode{Key: part.Episode, StartedAt: fresh[i].At}
		for _, cause := range slices.Sorted(maps.Keys(starts)) {
			if err := e.CheckCause(cause, starts[cause]); err != nil {
				return fmt.Errorf("%w: %w", store.ErrInvalid, err)
			}
		}
	}
	return nil
}

// examples is how many ids are named of what was found.
const examples = 5

// OddCauses says what is odd among the causes of episodes, "" where nothing is: an import takes them as they were, and a
// cause may come after its effect. late are the causes that began after their effects, as "cause of effect"; links are
// those from effects to causes, by global ids.
func OddCauses(late []string, links [][2]string) string {
	var odd []string
	if len(late) > 0 {
		odd = append(odd, fmt.Sprintf("%d causes began after what they caused: %s", len(late), some(late)))
	}
	if around := traversal.OnCycles(links); len(around) > 0 {
		odd = append(odd, fmt.Sprintf("%d episodes caused themselves by way of others: %s", len(around), some(around)))
	}
	return strings.Join(odd, "; ")
}

// some are the first of a list.
func some(names []string) string {
	if len(names) > examples {
		return strings.Join(names[:examples], ", ") + " …"
	}
	return strings.Join(names, ", ")
}
