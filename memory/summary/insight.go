package summary

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"mneme/memory"
	"mneme/memory/prose"
)

// Insight says why an episode worked or failed, by rule, for one recorded without an insight: its outcome, the first
// step whose result reads like an error, what the last step gave, the result, and the steps at the end, where a cut
// costs least. It repeats what the record holds and concludes nothing from it. It is never empty, and the same for the
// same episode.
func Insight(e *memory.Episode) string {
	sentences := []string{verdict(e)}
	failed, fault := firstFault(e.Actions)
	if failed >= 0 {
		sentences = append(sentences, fmt.Sprintf("The first result that reads like an error came %s (%s): %s",
			place(failed, e.Actions), prose.OneLine(e.Actions[failed].StepName), prose.Sentence(fault)))
	}
	if last := len(e.Actions) - 1; last >= 0 && last != failed {
		if given := memory.JSONText(gaveOf(e.Actions[last].Result)); prose.OneLine(given) != "" {
			sentences = append(sentences, fmt.Sprintf("The last step (%s) gave: %s", prose.OneLine(e.Actions[last].StepName), prose.Sentence(given)))
		}
	}
	if e.Result != nil && prose.OneLine(*e.Result) != "" {
		sentences = append(sentences, "Result: "+prose.Sentence(*e.Result))
	}
	if len(e.Actions) > 0 {
		sentences = append(sentences, "Steps: "+Steps(e.Actions)+".")
	}
	return strings.Join(sentences, " ")
}

func verdict(e *memory.Episode) string {
	var ended string
	switch e.Outcome {
	case memory.OutcomeSuccess:
		ended = "Succeeded"
	case memory.OutcomeFailure:
		ended = "Failed"
	default:
		ended = "Outcome unknown"
	}
	if len(e.Actions) == 0 {
		return ended + "; no steps were recorded."
	}
	least := ""
	if unbroken(e.Actions) < len(e.Actions) { // there may have been more in the middle
		least = "at least "
	}
	return fmt.Sprintf("%s after %s%s.", ended, least, prose.Plural(len(e.Actions), "step"))
}

// place says where a step was: behind what a long log may lack in its middle that is known only roughly.
func place(step int, steps []memory.Action) string {
	if first := unbroken(steps); step >= first {
		return fmt.Sprintf("after step %d", first)
	}
	return fmt.Sprintf("at step %d", step+1)
}

// firstFault finds the first action whose result reads like an error; index is −1 where none does.
func firstFault(actions []memory.Action) (index int, fault string) {
	for i, action := range actions {
		if fault := Fault(action.Result); fault != "" {
			return i, fault
		}
	}
	return -1, ""
}

// gaveOf is what a step gave. Tool calls are kept with what they were asked, as {"arguments": …, "result": …}, of
// which only the latter counts; it is empty where there is none, unless there is an error.
func gaveOf(result memory.JSON) memory.JSON {
	fields, ok := memory.JSONFields(result)
	if _, called := fields["arguments"]; !ok || !called {
		return result
	}
	for name := range fields {
		if name != "arguments" && name != "result" {
			return result
		}
	}
	return memory.JSON(fields["result"])
}

// Fault gives what a result says about an error, empty where it does not read like one: a text
// that begins with a word for an error, or an object with an error, success false or a failed status.
func Fault(result memory.JSON) string {
	result = gaveOf(result)
	fields, ok := memory.JSONFields(result)
	if !ok {
		if text := strings.TrimSpace(memory.JSONText(result)); beginsLikeFault(text) {
			return text
		}
		return ""
	}
	for _, name := range []string{"error", "errors", "exception"} {
		if value := fields[name]; !blank(value) {
			return memory.JSONText(value)
		}
	}
	status := strings.ToLower(memory.JSONText(fields["status"]))
	if string(fields["success"]) == "false" || status == "error" || status == "failed" || status == "failure" {
		return memory.JSONText(result)
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
