package memory

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// CanvasRules say what the actions of a canvas tell of the person who saw it, and what that is worth. A deployment has
// one set of them. Nothing that follows from them is kept, so that other rules hold for all canvases at once.
type CanvasRules struct {
	// QuickClose is the dwell time below which a closed canvas counts as closed quickly; exactly this long is slow. With 0
	// nothing is closed quickly.
	QuickClose time.Duration
	// Rewards are those of the states; a state without one has 0.
	Rewards map[CanvasState]float64
	// FeedbackReward is the reward of a reaction with score 1; others are in proportion.
	FeedbackReward float64
	// States are recognised beside those that are built in.
	States []CustomState
}

// CustomState is a state of a deployment's own: an action whose metadata has a key, at its top, with a value.
type CustomState struct {
	Name   string           // in capitals, such as EXPORTED
	Action CanvasActionKind // only actions of this kind; of any kind where it is empty
	Key    string           // a key of the metadata
	Value  JSON             // what must stand there, numbers equal however they are written; anything but null where it is nil
	Reward float64          // each time
}

// CanvasStates are those that are built in.
var CanvasStates = []CanvasState{StatePresented, StateClosedQuickly, StateClosedSlowly, StateFormSubmitted, StateErrorShown}

// DefaultCanvasRules are those of a deployment that decides nothing: closed quickly below 5 s, −0.2; closed slowly
// +0.1; a form submitted +0.5; presented and error shown 0; a reaction 0.3 × its score.
func DefaultCanvasRules() *CanvasRules {
	return &CanvasRules{
		QuickClose: 5 * time.Second,
		Rewards: map[CanvasState]float64{
			StatePresented: 0, StateClosedQuickly: -0.2, StateClosedSlowly: 0.1, StateFormSubmitted: 0.5, StateErrorShown: 0,
		},
		FeedbackReward: 0.3,
	}
}

// The bounds of rules.
const (
	maxQuickClose   = 24 * time.Hour
	maxCanvasReward = 10
	maxCustomStates = 32
)

var customStateName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,63}$`)

// Check says what is wrong with rules, at a field as a configuration spells it (rewards.CLOSED_QUICKLY). Ranges:
// quick_close_seconds 0…86400, a reward −10…10, feedback_reward 0…10, at most 32 states with unique names in capitals.
func (r *CanvasRules) Check() error {
	if r.QuickClose < 0 || r.QuickClose > maxQuickClose {
		return Invalid("quick_close_seconds", "is %v; it must be in 0…%d", r.QuickClose.Seconds(), int(maxQuickClose.Seconds()))
	}
	if !(r.FeedbackReward >= 0 && r.FeedbackReward <= maxCanvasReward) {
		return Invalid("feedback_reward", "is %v; it must be in 0…%d", r.FeedbackReward, maxCanvasReward)
	}
	for state, reward := range r.Rewards {
		field := "rewards." + string(state)
		if !slices.Contains(CanvasStates, state) {
			return Invalid(field, "is no state; there are %s", strings.Join(Mapped(CanvasStates, func(state CanvasState) string { return string(state) }), ", "))
		}
		if err := checkReward(field, reward); err != nil {
			return err
		}
	}
	return r.checkStates()
}

func (r *CanvasRules) checkStates() error {
	if len(r.States) > maxCustomStates {
		return Invalid("states", "are %d; there can be at most %d", len(r.States), maxCustomStates)
	}
	seen := map[string]bool{}
	for i, state := range r.States {
		field := fmt.Sprintf("states.%d.", i)
		switch {
		case !customStateName.MatchString(state.Name):
			return Invalid(field+"name", "must be up to 64 capital letters, digits and underscores, a letter first")
		case slices.Contains(CanvasStates, CanvasState(state.Name)):
			return Invalid(field+"name", "is %s, which is built in; its reward stands in rewards", state.Name)
		case seen[state.Name]:
			return Invalid(field+"name", "is %s, as that of another", state.Name)
		case state.Action != "" && !state.Action.Valid():
			return Invalid(field+"action", "must be PRESENT, CLOSE, SUBMIT, UPDATE or EXECUTE")
		case state.Key == "" || len(state.Key) > MaxKeyBytes:
			return Invalid(field+"key", "must be a key of the metadata, of 1 to %d bytes", MaxKeyBytes)
		}
		seen[state.Name] = true
		if err := checkReward(field+"reward", state.Reward); err != nil {
			return err
		}
	}
	return nil
}

func checkReward(field string, reward float64) error {
	if !(math.Abs(reward) <= maxCanvasReward) {
		return Invalid(field, "is %v; it must be in −%d…%d", reward, maxCanvasReward, maxCanvasReward)
	}
	return nil
}
