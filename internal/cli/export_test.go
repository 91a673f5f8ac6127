package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Commands are the usage lines of all commands by the words that call them.
func Commands() map[string]string {
	lines := map[string]string{}
	var add func(*cobra.Command)
	add = func(command *cobra.Command) {
		command.InitDefaultHelpFlag() // as running it does, so that the line speaks of flags
		lines[strings.TrimPrefix(command.CommandPath(), "mneme ")] = usageOf(command)
		for _, below := range command.Commands() {
			add(below)
		}
	}
	for _, command := range Command().Commands() {
		add(command)
	}
	return lines
}

// Table prints rows as commands do.
func Table(w io.Writer, heading []string, rows [][]string) {
	table(w, heading, rows, func(row []string) []string { return row })
}
