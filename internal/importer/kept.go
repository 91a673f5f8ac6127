package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/service/faults"
	"mneme/service/upkeep"
)

// keptLine is what a line of an export keeps.
type keptLine struct {
	kind memory.Kind
	item upkeep.Kept
}

// keptKinds are the kinds of lines that only an export has and an account names.
var keptKinds = []memory.Kind{memory.KindRun, memory.KindPattern, transfer.KindEvent, transfer.KindSectionType, transfer.KindJudgeThreshold, transfer.KindSpan, transfer.KindTombstone}

// errHeadless ends an import, since without the tenant's line nothing in the file can be known again.
var errHeadless = memory.Invalid("kind", "an export begins with the line of the tenant (kind %q), which is missing: put it before the others", transfer.KindTenant)

// outOfTurn ends an import, since what comes back too late may lack what it was kept with: an agent its name, and what
// belongs to another record that record. The line of the tenant begins an export anew.
func outOfTurn(kind, behind memory.Kind) error {
	if kind == transfer.KindTenant || slices.Index(transfer.Kinds, kind) >= slices.Index(transfer.Kinds, behind) {
		return nil
	}
	return memory.Invalid("kind", "a line of the kind %q stands behind one of %q, where an export has it before: its lines have an order. "+
		"Import the export as it was written into an empty tenant", kind, behind)
}

// takeKept takes a line of an export, which goes back as it was kept.
func (s *sink) takeKept(ctx context.Context, number int, line envelope) error {
	item, err := transfer.Decode(line.Kind, line.Kept)
	if err == nil && line.Record != nil {
		err = memory.Invalid("record", "does not go with kept: a line is either a record for the API or a line of an export")
	}
	if err != nil {
		return s.fault(number, err)
	}
	if s.headed = s.headed || line.Kind == transfer.KindTenant; !s.headed {
		return fmt.Errorf("line %d: %w", number, errHeadless)
	}
	if err := outOfTurn(line.Kind, s.last); err != nil {
		return fmt.Errorf("line %d: %w", number, err)
	}
	s.last = line.Kind
	for _, kind := range []memory.Kind{memory.KindMemoir, memory.KindConcept, transfer.KindRelation} {
		if s.records[kind].waits() { // which stands before it, and would be written after
			if err := s.flush(ctx); err != nil {
				return err
			}
		}
	}
	s.kept.add(number, keptLine{line.Kind, item})
	return s.flushAt(ctx, len(s.kept.items))
}

func (s *sink) flushKept(ctx context.Context) error {
	if !s.kept.waits() {
		return nil
	}
	defer s.kept.clear()
	restored, err := s.service.Upkeep.Restore(ctx, memory.Mapped(s.kept.items, func(line keptLine) upkeep.Kept { return line.item }), s.options.Force)
	if err != nil {
		return fmt.Errorf("line %d: %w", s.kept.lines[0], err)
	}
	for i, r := range restored {
		kind := s.kept.items[i].kind
		switch {
		case kind == transfer.KindEvent && faults.WasForgotten(r.Err): // its episode was counted
		case r.Err != nil:
			if err := s.judge(s.kept.lines[i], homeless(kind, r.Err)); err != nil {
				return err
			}
		default:
			s.countKept(kind, r.Created)
		}
	}
	return nil
}

// homeless says of a line of an export that what it belongs to is not there.
func homeless(kind memory.Kind, err error) error {
	known, ok := errors.AsType[*memory.Error](err)
	if !ok || known.Code != memory.CodeNotFound {
		return err
	}
	lacks := map[memory.Kind]string{memory.KindConcept: "the memoir of the concept", transfer.KindRelation: "a concept of the relation", transfer.KindEvent: "the episode of the event"}[kind]
	return &memory.Error{Code: known.Code, Message: cmp.Or(lacks, "what the line belongs to") + " is neither there nor on a line before it", Cause: err}
}

// countKept counts what came back, as far as it is a record or a relation.
func (s *sink) countKept(kind memory.Kind, created bool) {
	switch {
	case kind != transfer.KindRelation && !slices.Contains(memory.Kinds, kind):
	case created:
		s.count(kind, 1, 1)
	default:
		s.count(kind, 1, 0)
	}
}
