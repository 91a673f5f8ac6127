package examine

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
)

//go:embed derived.sql
var derivedSQL string

// check looks at what follows from records: its view finds what is wrong, the script anew puts it right.
type check struct{ view, part, what, anew string }

// heading begins a view of derived.sql, or a check.
var heading = regexp.MustCompile(`(?m)^-- (?:view (\w+)|check (\w+) of (\w+): (.+))\n`)

// views is a script that makes all views, for one connection; checks are what they find, in the order of rebuilding.
var views, checks = func() (views string, checks []check) {
	bodies := heading.Split(derivedSQL, -1)[1:]
	for i, found := range heading.FindAllStringSubmatch(derivedSQL, -1) {
		query, anew, _ := strings.Cut(bodies[i], "-- rebuild\n")
		views += fmt.Sprintf("CREATE TEMP VIEW IF NOT EXISTS %s AS\n%s;\n", found[1]+found[2], query)
		if found[2] != "" {
			checks = append(checks, check{found[2], found[3], found[4], anew})
		}
	}
	return views, checks
}()

// derived runs the checks of a part.
func derived(name string) part {
	return part{name, func(e *examiner) (store.Finding, error) {
		var faults []string
		for _, c := range checks {
			if c.part != name {
				continue
			}
			wrong, err := e.count(`SELECT count(*) FROM temp.` + c.view)
			if err != nil {
				return store.Finding{}, err
			}
			faults = c.add(faults, wrong)
		}
		return rebuildable("as the records say", faults), nil
	}}
}

func (c *check) add(faults []string, wrong int) []string {
	if wrong == 0 {
		return faults
	}
	return append(faults, fmt.Sprintf("%d times: %s", wrong, c.what))
}

// rebuildable is the finding about what follows from records.
func rebuildable(found string, faults []string) store.Finding {
	if len(faults) == 0 {
		return store.Finding{Found: found}
	}
	return store.Finding{Found: found, Fault: strings.Join(faults, "; "), Remedy: store.RemedyRebuild}
}

// profiles looks at what sums up executions.
func (e *examiner) profiles() (store.Finding, error) {
	wrong, err := learning.Missummed(e.ctx, e.conn)
	if err != nil {
		return store.Finding{}, err
	}
	uncounted, err := e.count(`SELECT count(*) ` + learning.Uncounted)
	var faults []string
	if len(wrong) > 0 {
		faults = append(faults, fmt.Sprintf("%d profiles do not sum up their executions", len(wrong)))
	}
	if uncounted > 0 {
		faults = append(faults, fmt.Sprintf("%d episodes with a task type and an outcome are in no profile", uncounted))
	}
	return rebuildable("each sums up its executions", faults), err
}

// meanings says which vectors are due.
func (e *examiner) meanings() (store.Finding, error) {
	if !e.conn.Vectors {
		return store.Finding{Found: store.NoMeaningsText}, nil
	}
	made, due, err := passages.Vectors(e.ctx, e.conn)
	return store.Finding{Found: store.MeaningsText(made, due)}, err
}

// passages looks at what records are found by.
func (e *examiner) passages() (store.Finding, error) {
	s, err := passages.Examine(e.ctx, e.conn)
	var faults []string
	for _, fault := range []struct {
		count int
		what  string
	}{
		{s.Records, "a record has other passages than it says"},
		{s.Unindexed, "a passage is not in the index of words, or what is in it is no passage"},
		{s.Vectors, "a passage has what no vector can be"},
		{s.Miscounted, "passages are counted wrong"},
	} {
		if fault.count > 0 {
			faults = append(faults, fmt.Sprintf("%d times: %s", fault.count, fault.what))
		}
	}
	return rebuildable(fmt.Sprintf("%d passages", s.Passages), faults), err
}

// traces looks for traces that cannot be made episodes.
func (e *examiner) traces() (store.Finding, error) {
	held, err := e.count(`SELECT count(DISTINCT trace) FROM spans`)
	if err != nil {
		return store.Finding{}, err
	}
	var failing store.FailingTraces
	const find = `SELECT trace, failures, reason FROM failing_traces WHERE failures >= :many ORDER BY trace`
	err = e.conn.Search(e.ctx, find, func(r *db.Row) {
		failing.Add(r.Text(), r.Int(), r.Text())
	}, db.Arg("many", store.ManyFailures))
	d := store.Finding{Found: fmt.Sprintf("%d traces are held", held)}
	d.Fault, d.Remedy = failing.Fault()
	return d, err
}
