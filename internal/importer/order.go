package importer

import (
	"bytes"
	"context"
	"io"
	"slices"

	"mneme/internal/transfer"
	"mneme/memory"
)

// An export has an order: what comes back finds what it belongs to, and an agent its name before an episode makes it
// without one. A file whose lines were sorted or shuffled is read once for each kind in it, in that order.

// toldLines is after how many lines of which none is taken it is told how far the reading is.
const toldLines = 1000

// place is where the lines of a kind stand in an export. A kind without a place, or an unreadable line, comes first.
func place(kind memory.Kind) int { return slices.Index(transfer.Kinds, kind) }

// placeOf is the place of a line, and whether it is one of an export.
func placeOf(text []byte) (at int, isKept bool) {
	// An export begins its lines so, and to read one whole takes much longer.
	if rest, ok := bytes.CutPrefix(text, []byte(`{"kind":"`)); ok {
		if kind, rest, ok := bytes.Cut(rest, []byte(`"`)); ok && bytes.HasPrefix(rest, []byte(`,"kept":`)) {
			return place(memory.Kind(kind)), true
		}
	}
	var line envelope
	if err := decode(text, &line); err != nil {
		return -1, false
	}
	return place(line.Kind), line.Kept != nil
}

// order follows the lines of an export.
type order struct{ last memory.Kind }

// follows says whether a line of a kind stands where an export has it. The line of the tenant begins the export anew.
func (o *order) follows(kind memory.Kind) bool {
	if kind != transfer.KindTenant && place(kind) < place(o.last) {
		return false
	}
	o.last = kind
	return true
}

// isOther says whether a line is not one of those that are read now.
func (s *sink) isOther(line []byte) bool {
	if s.only == nil {
		return false
	}
	at, _ := placeOf(line)
	return at != *s.only
}

// outOfOrder are the places of lines in which an export is out of order. There are none where the file has exports of
// several tenants, which are not to be mixed, or cannot be read to its end. It tells its line now and then.
func outOfOrder(ctx context.Context, file io.Reader, tell func(line int)) []int {
	plain, err := plainText(ctx, file)
	if err != nil {
		return nil
	}
	var seen survey
	err = eachLine(plain, maxLine, func(number int, text []byte, fault error) error {
		if fault != nil {
			text = nil
		}
		seen.take(text)
		if number%toldLines == 0 {
			tell(number)
		}
		return ctx.Err()
	})
	if err != nil || !seen.isOut || seen.isMixed || seen.tenant == nil {
		return nil
	}
	return seen.places
}

// survey is what is seen of the lines of a file before any of them is taken.
type survey struct {
	order
	places         []int // ascending
	tenant         []byte
	isOut, isMixed bool
}

func (s *survey) take(text []byte) {
	at, isKept := placeOf(text)
	if i, ok := slices.BinarySearch(s.places, at); !ok {
		s.places = slices.Insert(s.places, i, at)
	}
	if !isKept || at < 0 {
		return
	}
	kind := transfer.Kinds[at]
	if kind == transfer.KindTenant {
		s.isOut = s.isOut || s.tenant == nil && s.last != ""
		s.isMixed = s.isMixed || s.tenant != nil && !bytes.Equal(s.tenant, text)
		s.tenant = bytes.Clone(text)
	}
	s.isOut = !s.follows(kind) || s.isOut
}

// readRecords reads lines of records, those of an export in its order where the file can be read again.
func readRecords(ctx context.Context, s *sink, file io.Reader) error {
	again, ok := file.(io.ReadSeeker)
	if !ok {
		return readJSONL(ctx, s, file)
	}
	start, err := again.Seek(0, io.SeekCurrent)
	if err != nil { // a pipe
		return readJSONL(ctx, s, file)
	}
	places := outOfOrder(ctx, file, func(line int) {
		s.report.Surveyed = line
		s.progress()
	})
	s.report.Surveyed = 0
	for i := range max(1, len(places)) {
		if len(places) > 0 {
			s.only = &places[i]
		}
		if _, err := again.Seek(start, io.SeekStart); err != nil {
			return err
		}
		if err := readJSONL(ctx, s, file); err != nil {
			return err
		}
	}
	return nil
}
