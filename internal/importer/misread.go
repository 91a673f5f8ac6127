package importer

import (
	"bufio"
	"bytes"
	"errors"
	"slices"
	"unicode/utf8"

	"mneme/memory"
	"mneme/service/boundary"
)

// eachLine hands over the lines of a file, and notes where the first is none of the format.
func (s *sink) eachLine(file *bufio.Reader, take func(number int, line []byte) error) error {
	first := true
	return eachLine(file, maxLine, func(number int, line []byte, fault error) error {
		s.report.Line = number
		skipped := s.report.Skipped
		if fault != nil {
			fault = s.fault(number, fault)
		} else {
			fault = take(number, line)
		}
		if _, ok := errors.AsType[*Fault](fault); first && (ok || s.report.Skipped > skipped) {
			s.misread(line)
		}
		first = false
		return fault
	})
}

// misread notes of a faulty first line that it is none of the format, and of which it is one.
func (s *sink) misread(line []byte) {
	if s.options.Format.reads(line) || !utf8.Valid(line) {
		return
	}
	s.report.Misread = true
	for _, other := range Formats {
		if other.reads(line) {
			s.report.LooksLike = other
			return
		}
	}
}

// reads says whether a line is one of the format, whatever its record may lack.
func (f Format) reads(line []byte) bool {
	var err error
	switch f {
	case JSONL:
		record, err := read[envelope](line)
		return err == nil && (record.Kept != nil || slices.Contains(kinds, record.Kind))
	case Events:
		_, err = read[eventRecord](line)
	case Executions:
		_, err = read[boundary.RecordExecutionInput](line, mustHave[memory.KindExecution]...)
	case Verdicts:
		_, err = read[verdictRecord](line, mustHave[memory.KindVerdict]...)
	case ClaudeCode, Codex:
		return (&transcript{format: f}).take(line) == ""
	case TauBench:
		return bytes.HasPrefix(line, []byte("["))
	default:
		return false
	}
	return err == nil
}

// notAnArray is the fault of a file that is no array, of which so much was seen.
func (s *sink) notAnArray(start []byte) error {
	if len(start) == 0 {
		return &Fault{Line: 1, Err: memory.Invalid("", "a tau-bench file is a JSON array of runs, and there is nothing in this one")}
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	s.misread(bytes.TrimSpace(line))
	return &Fault{Line: 1, Err: memory.Invalid("", "a tau-bench file is a JSON array of runs, and this is none")}
}
