package memory

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quotedRunes is how much of a step's result, or of the episode's, an insight quotes.
const quotedRunes = 160

// WriteInsight says why an episode worked or failed, by rule, for one recorded without an insight:
// its outcome, the first step whose result reads like an error, what the last step gave, the result,
// and the steps at the end, where a cut costs least. It repeats what the record holds and concludes nothing from it. It is never empty,
// and the same for the same episode.
func WriteInsight(e *Episode) string {
	sentences := []string{verdict(e)}
	failed, fault := firstFault(e.Actions)
	if failed >= 0 {
		sentences = append(sentences, fmt.Sprintf("The first result that reads like an error came at step %d (%s): %s",
			failed+1, oneLine(e.Actions[failed].StepName), sentence(fault)))
	}
	if last := len(e.Actions) - 1; last >= 0 && last != failed {
		if given := textOf(gaveOf(e.Actions[last].Result)); oneLine(given) != "" {
			sentences = append(sentences, fmt.Sprintf("The last step (%s) gave: %s", oneLine(e.Actions[last].StepName), sentence(given)))
		}
	}
	if e.Result != nil && oneLine(*e.Result) != "" {
		sentences = append(sentences, "Result: "+sentence(*e.Result))
	}
	if len(e.Actions) > 0 {
		sentences = append(sentences, "Steps: "+stepNames(e.Actions)+".")
	}
	return strings.Join(sentences, " ")
}

func verdict(e *Episode) string {
	var ended string
	switch e.Outcome {
	case OutcomeSuccess:
		ended = "Succeeded"
	case OutcomeFailure:
		ended = "Failed"
	default:
		ended = "Outcome unknown"
	}
	if len(e.Actions) == 0 {
		return ended + "; no steps were recorded."
	}
	return fmt.Sprintf("%s after %s.", ended, plural(len(e.Actions), "step"))
}

// sentence quotes a text on one line, shortened, with an end.
func sentence(text string) string {
	quoted := shorten(oneLine(text), quotedRunes)
	if last, _ := utf8.DecodeLastRuneInString(quoted); strings.ContainsRune(".!?…", last) {
		return quoted
	}
	return quoted + "."
}

// firstFault finds the first action whose result reads like an error; index is −1 where none does.
func firstFault(actions []Action) (index int, fault string) {
	for i, action := range actions {
		if fault := faultOf(action.Result); fault != "" {
			return i, fault
		}
	}
	return -1, ""
}

// gaveOf is what a step gave. Tool calls are kept with what they were asked, as {"arguments": …, "result": …}, of
// which only the latter counts; it is empty where there is none, unless there is an error.
func gaveOf(result JSON) JSON {
	fields, ok := objectOf(result)
	if _, called := fields["arguments"]; !ok || !called {
		return result
	}
	for name := range fields {
		if name != "arguments" && name != "result" {
			return result
		}
	}
	return JSON(fields["result"])
}

// faultOf gives what a result says about an error, empty where it does not read like one: a text
// that begins with a word for an error, or an object with an error, success false or a failed status.
func faultOf(result JSON) string {
	result = gaveOf(result)
	fields, ok := objectOf(result)
	if !ok {
		if text := strings.TrimSpace(textOf(result)); beginsLikeFault(text) {
			return text
		}
		return ""
	}
	for _, name := range []string{"error", "errors", "exception"} {
		if value := fields[name]; !blank(value) {
			return textOf(value)
		}
	}
	status := strings.ToLower(textOf(fields["status"]))
	if string(fields["success"]) == "false" || status == "error" || status == "failed" || status == "failure" {
		return textOf(result)
	}
	return ""
}

// blank says whether a value is missing, or what an error field holds where there was none.
func blank(value json.RawMessage) bool {
	switch string(value) {
	case "", "null", "false", "0", `""`, "[]", "{}":
		return true
	}
	return false
}

func beginsLikeFault(text string) bool {
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(text)
	}
	switch strings.ToLower(text[:end]) {
	case "error", "exception", "traceback", "failed", "failure", "fatal", "panic":
		return true
	}
	return false
}
