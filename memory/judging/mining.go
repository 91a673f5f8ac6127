package judging

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mneme/memory"
	"mneme/memory/prose"
)

// The bounds of what is mined of the plans of a run.
const (
	// MaxMinedPlans is how many plans of a run are looked at: those of final verdicts first.
	MaxMinedPlans = 200
	// MaxMinedPlanBytes is how long a plan may be; longer ones are passed over.
	MaxMinedPlanBytes = 64 << 10
	// MaxMined is how many new approaches are mined of a plan, and how many that are known are counted of it.
	MaxMined = 16
	// maxPlanValues, maxPathBytes and maxValueBytes bound which values of a plan are looked at: the first so many by path,
	// with paths and values that are no longer. Longer texts are hardly ever said twice.
	maxPlanValues = 512
	maxPathBytes  = 64
	maxValueBytes = 64
	// MaxModelTypes is how many types of sections of a run a model is asked about. MaxModelPlans and maxModelPlanBytes
	// bound what it is shown of the plans of one, maxWritten how many approaches it names, maxApproachBytes their length.
	MaxModelTypes     = 8
	MaxModelPlans     = 8
	maxModelPlanBytes = 2000
	maxWritten        = 8
	maxApproachBytes  = 160
)

// MinedPlan is a plan of a run whose section names no approaches, and the approaches that are seen in it.
type MinedPlan struct {
	VerdictKey  string
	SectionType string
	Approved    bool     // the verdict approves
	Final       bool     // it is the section's final one
	Values      []string // what the rule sees in it (see PlanValues)
	// Excerpt is what a model is shown of it (see PlanExcerpt).
	Excerpt string
	// Phrases are what a model named of it, where Written: an answer on plans of its type, this among them, was accepted.
	Phrases []string
	Written bool
}

// Approaches are all that are seen in it, by the rule and by a model, each once.
func (p *MinedPlan) Approaches() []string { return memory.Distinct(slices.Concat(p.Values, p.Phrases)) }

// PlansOf are the verdicts whose plans are looked at when a run is completed: of the sections whose final verdict names
// no approach the final ones, then those before that do not approve, the latest first; at most MaxMinedPlans.
func PlansOf(run []*memory.Section) []MinedPlan {
	var finals, refused []MinedPlan
	for _, section := range run {
		if len(section.Patterns()) > 0 {
			continue
		}
		for i := len(section.Judgements) - 1; i >= 0; i-- {
			j := &section.Judgements[i]
			plan := MinedPlan{
				VerdictKey: j.Key, SectionType: section.SectionType(), Approved: j.Status == memory.VerdictApprove, Final: j == section.Final(),
			}
			switch {
			case plan.Final:
				finals = append(finals, plan)
			case !plan.Approved:
				refused = append(refused, plan)
			}
		}
	}
	all := append(finals, refused...)
	return all[:min(len(all), MaxMinedPlans)]
}

// PlanExcerpt is what a model is shown of a plan: on one line, and its first 2,000 bytes where it is longer.
func PlanExcerpt(plan memory.JSON) string {
	return prose.ShortenBytes(prose.OneLine(string(plan)), maxModelPlanBytes)
}

// PlanValues are the approaches that a plan shows by rule: each text, number and boolean at its path, such as "set
// lanes[].template to glow" (places in lists do not count). They are distinct and in the order of their paths.
func PlanValues(plan memory.JSON) []string {
	if len(plan) > MaxMinedPlanBytes {
		return nil
	}
	value, err := memory.JSONValue(memory.PlainJSON(plan))
	if err != nil {
		return nil
	}
	var found []string
	add := func(path, value string) {
		approach := "set " + path + " to " + value
		if path != "" && value != "" && len(value) <= maxValueBytes && plainLine(approach) && !slices.Contains(found, approach) {
			found = append(found, approach)
		}
	}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		if len(found) >= maxPlanValues || len(path) > maxPathBytes {
			return
		}
		switch v := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(strings.TrimPrefix(path+"."+key, "."), v[key])
			}
		case []any:
			for _, of := range v {
				walk(path+"[]", of)
			}
		case string, json.Number, bool:
			add(path, fmt.Sprint(v))
		}
	}
	walk("", value)
	return found
}

// plainLine says whether a text is one line of what is to be seen, and nothing turns the letters around it.
func plainLine(text string) bool {
	return utf8.ValidString(text) && prose.OneLine(text) == text && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// Mine says what the sections of a run used whose plans name no approaches, by their final verdicts: of the approaches
// that their plans show those that separate, which approved plans of the type have and refused ones of the run lack;
// and those that history knows, so that a refusal counts against it, too. Where nothing was refused in which the rule
// saw a value or which a model looked at, nothing new is learned. Where a model's answer on a type was accepted, only
// its phrases are new there; what is known counts however it is seen.
func Mine(plans []MinedPlan, known func(sectionType, approach string) bool) map[string][]string {
	refused, seen, written := refusals(plans)
	mined := map[string][]string{}
	for i := range plans {
		plan := &plans[i]
		if !plan.Final {
			continue
		}
		var fresh, again []string
		for _, approach := range plan.Approaches() {
			switch {
			case known(plan.SectionType, approach):
				again = append(again, approach)
			case !plan.Approved || !seen[plan.SectionType] || refused[memory.JoinKey(plan.SectionType, approach)]:
			case !written[plan.SectionType] || slices.Contains(plan.Phrases, approach):
				fresh = append(fresh, approach)
			}
		}
		if uses := slices.Concat(again[:min(len(again), MaxMined)], fresh[:min(len(fresh), MaxMined)]); len(uses) > 0 {
			mined[plan.VerdictKey] = uses
		}
	}
	return mined
}

// refusals are what refused plans have, each by its type and approach, the types of which there is one in which the
// rule saw a value or which a model looked at, and those on which a model wrote.
func refusals(plans []MinedPlan) (refused, seen, written map[string]bool) {
	refused, seen, written = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range plans {
		plan := &plans[i]
		written[plan.SectionType] = written[plan.SectionType] || plan.Written
		if plan.Approved || len(plan.Values) == 0 && !plan.Written {
			continue
		}
		seen[plan.SectionType] = true
		for _, approach := range plan.Approaches() {
			refused[memory.JoinKey(plan.SectionType, approach)] = true
		}
	}
	return refused, seen, written
}

// Comparable are the places of the plans that a model is shown, for each type of section, at most MaxModelTypes of
// them, of which some plans are approved and some are not: the first of both, at most MaxModelPlans together.
func Comparable(plans []MinedPlan) [][]int {
	byType, types := map[string]map[bool][]int{}, []string{}
	for i := range plans {
		plan := &plans[i]
		if byType[plan.SectionType] == nil {
			byType[plan.SectionType] = map[bool][]int{}
			types = append(types, plan.SectionType)
		}
		if of := byType[plan.SectionType]; len(of[plan.Approved]) < MaxModelPlans/2 {
			of[plan.Approved] = append(of[plan.Approved], i)
		}
	}
	var shown [][]int
	for _, sectionType := range types {
		of := byType[sectionType]
		if len(of[true]) > 0 && len(of[false]) > 0 && len(shown) < MaxModelTypes {
			shown = append(shown, slices.Concat(of[true], of[false]))
		}
	}
	return shown
}

// MiningInstruction tells a model what to write on plans (see MiningText).
const MiningInstruction = "Below are plans of one kind of section, each approved or refused by a judge, and approaches that are known already. " +
	"Name the approaches that decided: what approved plans do and refused ones do not, as short phrases that begin with a verb. " +
	"Where a known approach is meant, use its words exactly. Use only what the plans show. " +
	`Answer with JSON alone, a list such as [{"approach": "keep the bass lane to one template", "plans": [1, 3]}]: at most eight approaches, each with the numbers of all ` +
	"plans that use it, approved or refused. Answer [] where nothing separates them."

// MiningText is what a model is shown of the plans of a section type: the excerpts of at most MaxModelPlans of them.
func MiningText(plans []MinedPlan, known []string) string {
	var text strings.Builder
	for i, plan := range plans[:min(len(plans), MaxModelPlans)] {
		decided := map[bool]string{true: "approved", false: "refused"}[plan.Approved]
		fmt.Fprintf(&text, "Plan %d (%s): %s\n", i+1, decided, plan.Excerpt)
	}
	text.WriteString("Known approaches:\n")
	for _, approach := range known {
		text.WriteString("- " + prose.ShortenBytes(prose.OneLine(approach), maxApproachBytes) + "\n")
	}
	return text.String()
}

// ReadMined reads what a model wrote on so many plans: the approaches of each. It is an error where that is not what
// MiningInstruction asks for, in any way.
func ReadMined(answer string, plans int) ([][]string, error) {
	var written []struct {
		Approach string `json:"approach"`
		Plans    []int  `json:"plans"`
	}
	if json.Unmarshal([]byte(answer), &written) != nil {
		return nil, errors.New("it is no JSON list of approaches")
	}
	if written == nil || len(written) > maxWritten {
		return nil, fmt.Errorf("it is no list of at most %d approaches", maxWritten)
	}
	of := make([][]string, plans)
	for _, w := range written {
		approach := strings.TrimSpace(w.Approach)
		if approach == "" || len(approach) > maxApproachBytes || !plainLine(approach) {
			return nil, errors.New("an approach is no short line")
		}
		if len(w.Plans) == 0 {
			return nil, errors.New("an approach is of no plan")
		}
		for _, number := range w.Plans {
			if number < 1 || number > plans || slices.Contains(of[number-1], approach) {
				return nil, errors.New("an approach is of a plan that there is not, or twice of one")
			}
			of[number-1] = append(of[number-1], approach)
		}
	}
	return of, nil
}
