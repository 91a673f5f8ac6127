package memorytest

import "mneme/memory"

// Judged is a judgement of a section of the run "r", by a judge "j", at the given second.
func Judged(section string, iteration int, status memory.VerdictStatus, second float64) memory.Judgement {
	return memory.Judgement{
		Key: section + "/" + string(rune('a'+int(second))), RunKey: "r", SectionKey: memory.SectionKey("r", section),
		SectionType: "verse", JudgeID: new("j"), Status: status, Iteration: iteration, At: Seconds(second),
		Issues: []memory.Issue{}, Patterns: []string{},
	}
}

// Scoring gives a judgement a score.
func Scoring(j memory.Judgement, score float64) memory.Judgement { j.Score = &score; return j }

// Using gives a judgement the approaches that its section used.
func Using(j memory.Judgement, patterns ...string) memory.Judgement { j.Patterns = patterns; return j }

// Within gives a judgement the context of its section, a JSON text.
func Within(j memory.Judgement, context string) memory.Judgement {
	j.Context = memory.JSON(context)
	return j
}

// OfType gives a judgement the type of its section.
func OfType(j memory.Judgement, sectionType string) memory.Judgement {
	j.SectionType = sectionType
	return j
}

// Faulting adds an issue with a message, or without one where it is empty.
func Faulting(j memory.Judgement, code, message string) memory.Judgement {
	issue := memory.Issue{Code: code}
	if message != "" {
		issue.Message = &message
	}
	j.Issues = append(j.Issues, issue)
	return j
}
