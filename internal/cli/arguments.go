package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// needs lets a command take so many of what it names, "a situation" say; most below zero is any number. An empty one,
// such as that of a variable which is not set, is none.
func needs(what string, least, most int) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		empty := slices.ContainsFunc(args, func(arg string) bool { return strings.TrimSpace(arg) == "" })
		switch {
		case len(args) < least:
			return fmt.Errorf("%s needs %s", called(command), what)
		case empty:
			return fmt.Errorf("%s needs %s, and got an empty argument", called(command), what)
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%s takes %s and no more, and got %d arguments; quote one that holds spaces", called(command), what, len(args))
		}
		return nil
	}
}

// noArguments is for commands that take flags only.
func noArguments(command *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments but flags, and got %q", called(command), args[0])
	}
	return nil
}

// group is a command that only holds others.
func group(use, short string, others ...*cobra.Command) *cobra.Command {
	command := &cobra.Command{Use: use, Short: short, Args: needsSubcommand, RunE: func(command *cobra.Command, _ []string) error { return command.Help() }}
	command.AddCommand(others...)
	return command
}

// needsSubcommand is for commands that only hold others.
func needsSubcommand(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	fault := fmt.Errorf("unknown command %q for %q", args[0], command.CommandPath())
	if command.SuggestionsMinimumDistance <= 0 {
		command.SuggestionsMinimumDistance = 2
	}
	alike := command.SuggestionsFor(args[0])
	for _, group := range command.Commands() {
		for _, below := range group.Commands() {
			if below.Name() == args[0] {
				alike = append(alike, group.Name()+" "+below.Name())
			}
		}
	}
	if len(alike) > 0 {
		return fmt.Errorf("%w; did you mean %s?", fault, strings.Join(alike, " or "))
	}
	return fault
}

// wrongFlag is what is wrong with a flag, without names of Go's functions where its value is not of its type. A command
// that there is not has no flags: of the two it is the fault.
func wrongFlag(command *cobra.Command, err error) error {
	if command.HasSubCommands() {
		if unknown := needsSubcommand(command, command.Flags().Args()); unknown != nil {
			return unknown
		}
	}
	wrong, ok := errors.AsType[*pflag.InvalidValueError](err)
	cause, isNumber := errors.AsType[*strconv.NumError](err)
	if !ok || !isNumber {
		return err
	}
	must := "must be a number"
	switch flag := wrong.GetFlag(); {
	case flag.Value.Type() == "bool":
		must = "must be true or false"
	case errors.Is(cause, strconv.ErrRange):
		must = "is too large a number"
	case strings.HasPrefix(flag.Value.Type(), "int"):
		must = "must be a whole number"
	}
	return fmt.Errorf("invalid argument %q for %q flag: %s", wrong.GetValue(), "--"+wrong.GetFlag().Name, must)
}

// called is a command's name without that of the program.
func called(command *cobra.Command) string {
	_, name, _ := strings.Cut(command.CommandPath(), " ")
	return name
}

// usageOf is the line that says how a command is given.
func usageOf(command *cobra.Command) string {
	if command.HasSubCommands() {
		return command.CommandPath() + " [command]"
	}
	return command.UseLine()
}
