package examine

import (
	"context"
	"fmt"

	"mneme/memory/prose"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/meanings"
	"mneme/store/sqlite/words"
)

// meanings looks at the vectors of what records say.
func (e *examiner) meanings() (diagnosis, error) {
	if !e.built {
		return diagnosis{found: "not made (MNEME_EMBEDDER=off)"}, nil
	}
	s, err := meanings.Examine(e.ctx, e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: "vectors of " + prose.Plural(s.Records, "record")}
	if s.Due > 0 {
		d.found += fmt.Sprintf("; %d more have none yet: mneme reindex makes them, or a server in the background", s.Due)
	}
	switch {
	case s.Wrong > 0:
		d.fault = fmt.Sprintf("%s what no vector can be", prose.Counted(s.Wrong, "record has", "records have"))
	case s.Unknown:
		d.fault = fmt.Sprintf("%s no vector, and none is said to be due: they are found by their words only", prose.Counted(s.Due, "record has", "records have"))
	default:
		return d, nil
	}
	d.remedy = "Make the vectors of these records anew."
	d.mendFile = func(ctx context.Context, f *file.File) error {
		if err := f.Write(ctx, meanings.Mend); err != nil {
			return err
		}
		_, err := meanings.Make(ctx, f, words.TextsOf, nil)
		return err
	}
	return d, nil
}
