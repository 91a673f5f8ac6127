package cli

import "github.com/spf13/cobra"

// setHelp makes cobra's help refuse a command that there is not, which it answers with that of the program.
func setHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, help := range root.Commands() {
		if help.Name() != "help" {
			continue
		}
		help.Run, help.RunE = nil, func(_ *cobra.Command, args []string) error {
			of, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = needsSubcommand(of, rest)
			}
			if err != nil {
				return err
			}
			return of.Help()
		}
	}
}

// refuseShells makes cobra's completion refuse a shell that it does not know, which it answers with its help.
func refuseShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd() // which keeps where root writes
	for _, completion := range root.Commands() {
		if completion.Name() == "completion" {
			completion.Args, completion.RunE = needsSubcommand, helps
		}
	}
}
