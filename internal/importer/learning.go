package importer

import (
	"context"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/tenancy"
)

// mustHave are the fields that must be there, since what Go has in their place is a value, too.
var mustHave = map[memory.Kind][]string{memory.KindExecution: {"success", "quality"}, memory.KindVerdict: {"iteration"}}

// verdictRecord is a verdict, with whether a person would have approved where one said so.
type verdictRecord struct {
	boundary.RecordVerdictInput
	Label      *bool   `json:"label"`
	LabelledBy *string `json:"labelledBy"`
}

func (r *verdictRecord) check() error {
	if r.Label == nil && r.LabelledBy != nil {
		return memory.Invalid("labelledBy", "needs a label")
	}
	return nil
}

func recordVerdicts(t *service.Tenant) func(context.Context, []verdictRecord) (*tenancy.BatchResult, error) {
	return func(ctx context.Context, items []verdictRecord) (*tenancy.BatchResult, error) {
		given := memory.Mapped(items, func(record verdictRecord) boundary.RecordVerdictInput { return record.RecordVerdictInput })
		return t.Judging.RecordVerdicts(ctx, boundary.RecordVerdictsInput{Verdicts: given})
	}
}

// labelled are the verdicts that somebody has labelled already.
func (s *sink) labelled(ctx context.Context, recorded []*string) (map[string]bool, error) {
	var keys []string
	for _, id := range recorded {
		if id != nil {
			keys = append(keys, memory.KeyOf(memory.KindVerdict, *id))
		}
	}
	verdicts, err := service.ByKey[memory.Verdict](s.service, memory.KindVerdict)(ctx, keys)
	labelled := map[string]bool{}
	for _, v := range verdicts {
		if v != nil && v.Label != nil {
			labelled[v.ID()] = true
		}
	}
	return labelled, err
}

// labelVerdicts labels the verdicts of a batch that were recorded and have no label yet, unless the label is by
// a person whose words were deleted for good.
func labelVerdicts(ctx context.Context, s *sink, lines []int, items []verdictRecord, recorded []*string) error {
	labelled, err := s.labelled(ctx, recorded)
	if err != nil {
		return s.judge(lines[0], err)
	}
	for i, record := range items {
		if record.Label == nil || recorded[i] == nil || labelled[*recorded[i]] {
			continue
		}
		label := boundary.LabelVerdictInput{VerdictID: *recorded[i], Approve: *record.Label, LabelledBy: record.LabelledBy}
		if _, err := s.service.Judging.LabelVerdict(ctx, label); err != nil && !faults.WasForgotten(err) {
			if err := s.judge(lines[i], err); err != nil {
				return err
			}
		}
	}
	return nil
}
