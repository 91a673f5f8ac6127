package demo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"mneme/internal/importer"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/tenancy"
)

// Load imports the sample. A second time adds nothing: the times of the sample count from the day of the first time.
// What is there with other content stays as it is: the sample of another version left it.
func Load(ctx context.Context, tenant *service.Tenant, now time.Time) (importer.Report, error) {
	all := importer.NewReport()
	shift, err := shiftOf(ctx, tenant, now)
	if err != nil {
		return all, err
	}
	for _, part := range []struct {
		text   []byte
		format importer.Format
	}{{records, importer.JSONL}, {runs, importer.Events}} {
		report, err := importer.Import(ctx, tenant, shifted(part.text, shift), importer.Options{Format: part.format, KeepGoing: true})
		if err != nil {
			return all, err
		}
		for _, fault := range report.Faults {
			if memory.CodeOf(&fault) != memory.CodeConflict {
				return all, &fault
			}
		}
		all.Add(report)
	}
	return all, finish(tenancy.Importing(ctx, false), tenant)
}

// shiftOf is how far the times of the sample are moved: to the days before now, or to where its episodes are already.
func shiftOf(ctx context.Context, tenant *service.Tenant, now time.Time) (time.Duration, error) {
	starts, err := starts()
	if err != nil {
		return 0, err
	}
	episodes, err := tenant.Episodes.ByKey(ctx, slices.Collect(maps.Keys(starts)), boundary.Include{}, nil)
	for _, episode := range episodes {
		if episode != nil {
			return episode.StartedAt.Sub(starts[episode.Key]), nil
		}
	}
	return now.UTC().Truncate(24 * time.Hour).Sub(sampleAnchor), err
}

// completed is how many of the judged reports are done; the last one is still being worked on.
const completed = 4

// finish does what no import does: it refines a concept, and completes the reports.
func finish(ctx context.Context, tenant *service.Tenant) error {
	_, err := tenant.Knowledge.RefineConcept(ctx, boundary.RefineConceptInput{
		ID:      "demo-canary",
		Content: new("One instance first. Compare its errors with the baseline for ten minutes, never on a Friday afternoon, then roll out the rest."),
	})
	if err != nil && memory.CodeOf(err) != memory.CodeNotFound { // it was deleted for good
		return err
	}
	for i := range completed {
		if _, err := tenant.Judging.CompleteRun(ctx, boundary.CompleteRunInput{RunID: fmt.Sprint("demo-report-", i+1)}); err != nil {
			return err
		}
	}
	return nil
}
