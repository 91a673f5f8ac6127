package app

import (
	"fmt"
	"strings"
)

// SameStore gives the flags that lead another command to the same memory, where the defaults do not.
func (c Config) SameStore() string {
	standard := DefaultConfig()
	switch {
	case c.Store != standard.Store:
		return fmt.Sprintf(" --store %s", ShellWord(c.Store))
	case c.Data != standard.Data:
		return fmt.Sprintf(" --data %s", ShellWord(c.Data))
	}
	return ""
}

// ShellWord quotes a word for a POSIX shell where it must be.
func ShellWord(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:=@~") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
