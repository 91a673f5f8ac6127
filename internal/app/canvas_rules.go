package app

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"mneme/memory"
)

// rulesFile is a file of canvas rules in TOML; what it leaves out stays as it is.
type rulesFile struct {
	QuickCloseSeconds float64                        `toml:"quick_close_seconds"`
	FeedbackReward    float64                        `toml:"feedback_reward"`
	Rewards           map[memory.CanvasState]float64 `toml:"rewards"`
	States            []struct {
		Name   string  `toml:"name"`
		Action string  `toml:"action"`
		Key    string  `toml:"key"`
		Value  any     `toml:"value"`
		Reward float64 `toml:"reward"`
	} `toml:"states"`
}

// setCanvasRules reads the rules of a file. Its errors are *Problem, and name the file and what in it is at fault.
func setCanvasRules(c *Config, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return &Problem{
			What: "the canvas rules " + path + " (MNEME_CANVAS_RULES) cannot be read", Cause: errors.Unwrap(err), Misuse: true, // the path is said already
			Do: "Name a file of rules in TOML, or leave MNEME_CANVAS_RULES out.",
		}
	}
	rules, err := parseRules(string(text), *memory.DefaultCanvasRules())
	if err != nil {
		return misuse("the canvas rules "+path+" (MNEME_CANVAS_RULES) are wrong: "+err.Error(),
			"It may have quick_close_seconds, feedback_reward, [rewards] by state, and [[states]] with name, action, key, value and reward; see docs/configuration.md.")
	}
	c.CanvasRules = rules
	return nil
}

// parseRules lays what a file says over rules. Its errors begin with the key or the line at fault.
func parseRules(text string, over memory.CanvasRules) (*memory.CanvasRules, error) {
	file := rulesFile{QuickCloseSeconds: over.QuickClose.Seconds(), FeedbackReward: over.FeedbackReward, Rewards: over.Rewards, States: nil}
	meta, err := toml.Decode(text, &file)
	if wrong, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("line %d: %s", wrong.Position.Line, wrong.Message)
	}
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, unknown := range meta.Undecoded() {
		if len(unknown) < 3 || unknown[1] != "value" { // whose own keys are any
			return nil, fmt.Errorf("%s is no key of rules", unknown)
		}
	}
	over.QuickClose, over.FeedbackReward, over.States = time.Duration(file.QuickCloseSeconds*float64(time.Second)), file.FeedbackReward, nil
	for i, state := range file.States {
		value, err := memory.JSONOf(state.Value)
		if err != nil {
			return nil, fmt.Errorf("states.%d.value is no value of JSON", i)
		}
		over.States = append(over.States, memory.CustomState{
			Name: state.Name, Action: memory.CanvasActionKind(state.Action), Key: state.Key, Value: value, Reward: state.Reward,
		})
	}
	return &over, plainly(over.Check())
}

// plainly is an error of rules without the code that callers of the API get.
func plainly(err error) error {
	if fault, ok := errors.AsType[*memory.Error](err); ok {
		return errors.New(fault.Field + " " + fault.Message)
	}
	return err
}
