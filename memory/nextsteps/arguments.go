package nextsteps

import (
	"cmp"
	"slices"

	"mneme/memory"
)

// Argument is what a step was given under a name.
type Argument struct {
	Name string `json:"name"`
	// Count is how often it was given, Same how often as Value, the most frequent; nil where no two are the same.
	Count int         `json:"count"`
	Value memory.JSON `json:"value,omitempty"`
	Same  int         `json:"same,omitempty"`
}

// ArgumentsOf is what a step was given, by a result as importers and traces write it: {"arguments", "result"}.
func ArgumentsOf(result memory.JSON) memory.JSON {
	fields, _ := memory.JSONFields(result)
	arguments := fields["arguments"]
	if text := memory.JSONText(arguments); len(arguments) > 0 && arguments[0] == '"' && memory.KeptJSON.Check("", []byte(text)) == nil {
		arguments = []byte(text) // as models write them
	}
	parsed, _ := memory.ParseJSON(arguments)
	return parsed
}

// Usual are the arguments of the results of a step, the most frequent first, with their usual values.
func Usual(results []memory.JSON) []Argument {
	usual := []Argument{}
	times := map[[2]string]int{}
	for _, result := range results {
		fields, _ := memory.JSONFields(ArgumentsOf(result))
		for name, value := range fields {
			i := slices.IndexFunc(usual, func(a Argument) bool { return a.Name == name })
			if i < 0 {
				i = len(usual)
				usual = append(usual, Argument{Name: name})
			}
			a, as := &usual[i], [2]string{name, string(value)}
			a.Count++
			if times[as]++; times[as] > max(a.Same, 1) {
				a.Same, a.Value = times[as], memory.JSON(value)
			}
		}
	}
	slices.SortFunc(usual, func(a, b Argument) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return usual
}
