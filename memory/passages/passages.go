// Package passages splits records into the passages that they are found by.
package passages

import (
	"fmt"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

// Kinds are those of the records that have passages.
var Kinds = []memory.Kind{
	memory.KindEpisode, memory.KindObservation, memory.KindConcept, memory.KindCorrection, memory.KindFeedback, memory.KindMemoir,
}

// Most is how many passages a record has at most: of a longer one the first and the last are kept, half of each.
const Most = 2000

// OfEpisode returns the passages of an episode and its log, and how many beyond Most were left out. A text that stands
// in the log and in the episode is the episode's; what is said twice is a passage once.
func OfEpisode(e *memory.Episode, log []memory.Event) (all []memory.Passage, leftOut int) {
	s := splitter{at: e.StartedAt, said: map[string]bool{}, lines: map[string]bool{}}
	if title := prose.OneLine(e.Title); e.Title != summary.Title(e.Observation) && !strings.HasPrefix(prose.OneLine(e.Observation), title) {
		s.add(memory.Passage{Part: memory.PartTitle, Text: e.Title})
	}
	s.add(memory.Passage{Part: memory.PartObservation, Text: e.Observation})
	for i, thought := range e.Thoughts {
		s.add(memory.Passage{Part: memory.PartThought, Position: i, Text: thought})
	}
	for i, action := range e.Actions {
		s.add(memory.Passage{Part: memory.PartAction, Position: i, Step: action.StepName, Text: StepText(action.StepName, action.Result)})
	}
	if e.Result != nil {
		s.add(memory.Passage{Part: memory.PartResult, Text: *e.Result})
	}
	if e.Insight != summary.Insight(e) {
		s.add(memory.Passage{Part: memory.PartInsight, Text: e.Insight})
	}
	s.log(log)
	if leftOut = len(s.all) - Most; leftOut <= 0 {
		return s.all, 0
	}
	return append(s.all[:Most/2], s.all[Most/2+leftOut:]...), leftOut
}

// OfEvents returns the passages of a part of a log.
func OfEvents(events []memory.Event) []memory.Passage {
	s := splitter{said: map[string]bool{}, lines: map[string]bool{}}
	s.log(events)
	return s.all
}

// Of returns the passages of a memoir, a concept as it is now, an observation, a correction, or feedback: what a person
// remarked, and none of what was replaced.
func Of(record any) []memory.Passage {
	switch r := record.(type) {
	case *memory.Memoir:
		return content(r.CreatedAt, r.Name, memory.OrZero(r.Description))
	case *memory.Concept:
		return content(r.UpdatedAt, r.Name, r.Content, strings.Join(r.Labels, ", "))
	case *memory.Observation:
		return content(r.CreatedAt, r.Content)
	case *memory.Correction:
		return content(r.CreatedAt, r.Topic, r.Prediction, r.Correction, memory.OrZero(r.Context))
	case *memory.Feedback:
		if r.ReplacedAt != nil {
			return nil
		}
		return content(r.CreatedAt, memory.OrZero(r.Corrections), memory.OrZero(r.Comment))
	}
	panic(fmt.Sprintf("passages: %T is none of these", record))
}

// content makes one text of the texts of a record, so that a short one is found by the words of all of them.
func content(at time.Time, texts ...string) []memory.Passage {
	s := splitter{at: at, said: map[string]bool{}, lines: map[string]bool{}}
	s.add(memory.Passage{Part: memory.PartContent, Text: strings.Join(texts, "\n")})
	return s.all[:min(len(s.all), Most)]
}

// splitter collects the passages of one record.
type splitter struct {
	at    time.Time
	all   []memory.Passage
	said  map[string]bool // the texts of passages
	lines map[string]bool // of whole texts: what is told in other words of the same lines is the same
}

// add splits the text of a part.
func (s *splitter) add(of memory.Passage) {
	if of.At.IsZero() {
		of.At = s.at
	}
	for line := range strings.Lines(of.Text) {
		s.lines[prose.OneLine(line)] = true
	}
	for _, text := range split(of.Text) {
		if s.said[text] {
			continue
		}
		s.said[text] = true
		of.Text = text
		s.all = append(s.all, of)
	}
}

func (s *splitter) log(events []memory.Event) {
	for i := range events {
		step, text := said(&events[i])
		if !s.toldAlready(text) {
			s.add(memory.Passage{Part: memory.PartEvent, Position: events[i].Sequence, Step: step, At: events[i].At, Text: text})
		}
	}
}

// toldAlready says whether each line of a text stands in one before, as those of a tool's answer in the action.
func (s *splitter) toldAlready(text string) bool {
	for line := range strings.Lines(text) {
		if line = prose.OneLine(line); line != "" && !s.lines[line] {
			return false
		}
	}
	return true
}
