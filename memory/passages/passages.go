// Package passages splits records into the passages that they are found by.
package passages

import (
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

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

// OfMemoir returns the passages of a memoir.
func OfMemoir(m *memory.Memoir) []memory.Passage {
	return content(m.CreatedAt, m.Name, deref(m.Description))
}

// OfConcept returns the passages of a concept as it is now.
func OfConcept(c *memory.Concept) []memory.Passage {
	return content(c.UpdatedAt, c.Name, c.Content, strings.Join(c.Labels, ", "))
}

// OfObservation returns the passages of an observation.
func OfObservation(o *memory.Observation) []memory.Passage { return content(o.CreatedAt, o.Content) }

// OfCorrection returns the passages of a correction.
func OfCorrection(c *memory.Correction) []memory.Passage {
	return content(c.CreatedAt, c.Topic, c.Prediction, c.Correction, deref(c.Context))
}

// OfFeedback returns the passages of what a person remarked, and none of what was replaced.
func OfFeedback(f *memory.Feedback) []memory.Passage {
	if f.ReplacedAt != nil {
		return nil
	}
	return content(f.CreatedAt, deref(f.Corrections), deref(f.Comment))
}

// content makes one text of the texts of a record, so that a short one is found by the words of all of them.
func content(at time.Time, texts ...string) []memory.Passage {
	s := splitter{at: at, said: map[string]bool{}, lines: map[string]bool{}}
	s.add(memory.Passage{Part: memory.PartContent, Text: strings.Join(texts, "\n")})
	return s.all[:min(len(s.all), Most)]
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
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
