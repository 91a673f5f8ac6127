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

// labelVerdicts labels the verdicts of a batch that were recorded and have no label yet, unless the label is by
// a person whose words were deleted for good.
func labelVerdicts(ctx context.Context, s *sink, lines []int, items []verdictRecord, recorded []*string) error {
	var given []int // of the batch those with a label
	var keys []string
	for i, id := range recorded {
		if id != nil && items[i].Label != nil {
			given, keys = append(given, i), append(keys, memory.KeyOf(memory.KindVerdict, *id))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	known, err := service.ByKey[memory.Verdict](s.service, memory.KindVerdict)(ctx, keys)
	if err != nil {
		return s.judge(lines[0], err)
	}
	for n, i := range given {
		if v := known[n]; v != nil && v.Label != nil {
			continue
		}
		label := boundary.LabelVerdictInput{VerdictID: *recorded[i], Approve: *items[i].Label, LabelledBy: items[i].LabelledBy}
		if _, err := s.service.Judging.LabelVerdict(ctx, label); err != nil && !faults.WasForgotten(err) {
			if err := s.judge(lines[i], err); err != nil {
				return err
			}
		}
	}
	return nil
}
