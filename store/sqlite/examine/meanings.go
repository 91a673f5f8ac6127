package examine

import (
	"context"
	"fmt"

	"mneme/memory/prose"
	"mneme/store"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/meanings"
	"mneme/store/sqlite/words"
)

// meanings looks at the vectors of what records say.
func (e *examiner) meanings() (diagnosis, error) {
	if !e.built {
		return diagnosis{found: store.NoMeaningsText}, nil
	}
	s, err := meanings.Examine(e.ctx, e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: store.MeaningsText(s.Records, s.Due)}
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
