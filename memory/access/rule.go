package access

import (
	"context"

	"mneme/memory"
)

// Rule is what one thing that can be asked for needs.
type Rule struct {
	// Act is what it needs in any case: a door asks for it before it does anything.
	Act Act
	// Full is what it needs where it does all that it can, which an argument says and the use case asks for; empty where
	// there is no such argument.
	Full Act
	// Argument is that argument and its value, for people ("dryRun: false"); empty without Full.
	Argument string
	// OfUsers says that a key that is bound to a user may ask for it, too: then nothing of another is in the answer.
	OfUsers bool
}

// The rules without more to them.
var (
	Reads       = Rule{Act: Read}
	Records     = Rule{Act: Record}
	Administers = Rule{Act: Administer}
)

// AndWith is the rule with what it needs besides where an argument has a value.
func (r Rule) AndWith(argument string, full Act) Rule {
	r.Full, r.Argument = full, argument
	return r
}

// Check answers nil where whoever asks may ask for something by this name, else FORBIDDEN; also where there is no rule.
func (r Rule) Check(ctx context.Context, name string) error {
	if Of(ctx).User != "" && !r.OfUsers {
		return &memory.Error{Code: memory.CodeForbidden, Message: name + " tells of all users, and this key is bound to one"}
	}
	return Check(ctx, r.Act, name)
}

// ForUsers is the rule for what keys that are bound to a user may ask for, too.
func (r Rule) ForUsers() Rule {
	r.OfUsers = true
	return r
}
