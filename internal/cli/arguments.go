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

// group is a command that only holds others.
func group(use, short string, others ...*cobra.Command) *cobra.Command {
	command := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(command *cobra.Command, _ []string) error { return command.Help() }}
	command.AddCommand(others...)
	return command
}

// notEmpty refuses an empty argument, such as that of a variable which is not set.
func notEmpty(_ *cobra.Command, args []string) error {
	if slices.ContainsFunc(args, func(arg string) bool { return strings.TrimSpace(arg) == "" }) {
		return errors.New("an argument is empty")
	}
	return nil
}

// wrongFlag is what is wrong with a flag, without names of Go's functions where its value is no number.
func wrongFlag(_ *cobra.Command, err error) error {
	wrong, ok := errors.AsType[*pflag.InvalidValueError](err)
	cause, isNumber := errors.AsType[*strconv.NumError](err)
	if !ok || !isNumber {
		return err
	}
	return fmt.Errorf("invalid argument %q for %q flag: %w", wrong.GetValue(), "--"+wrong.GetFlag().Name, cause.Err)
}

// usageOf is the line that says how a command is given.
func usageOf(command *cobra.Command) string {
	if command.HasSubCommands() {
		return command.CommandPath() + " [command]"
	}
	return command.UseLine()
}
