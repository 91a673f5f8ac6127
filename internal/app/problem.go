package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"mneme/store"
	"mneme/store/neo4j"
)

// Problem is why mneme cannot start, in words for the person who started it.
type Problem struct {
	// What is wrong, and what to do about it in whole sentences.
	What, Do string
	// Misuse says that the configuration is at fault, rather than what it was applied to.
	Misuse bool
	Cause  error
}

// Error says what is wrong, why where that is known, and on a line of its own what to do.
func (p *Problem) Error() string {
	text := p.What
	if p.Cause != nil {
		text += ": " + p.Cause.Error()
	}
	return text + "\n" + p.Do
}

// Unwrap gives the cause to errors.Is and errors.As.
func (p *Problem) Unwrap() error { return p.Cause }

func problem(cause error, what, do string) *Problem {
	return &Problem{Cause: cause, What: what, Do: do}
}

func misuse(what, do string) *Problem { return &Problem{What: what, Do: do, Misuse: true} }

// listenProblem explains why an address cannot be listened at.
func listenProblem(address string, err error) *Problem {
	if errors.Is(err, syscall.EADDRINUSE) {
		return problem(nil, "another program listens at "+address+" already", "Stop it, or choose another port with --listen.")
	}
	var call *os.SyscallError
	if errors.As(err, &call) { // without the address, which is said already
		err = call.Err
	}
	return problem(err, "cannot listen at "+address, "Choose another address with --listen, or listen at 127.0.0.1.")
}

// storeProblem explains why a store cannot be opened.
func storeProblem(config Config, err error) *Problem {
	sqlite := config.Store == SQLite
	where := config.Store
	if sqlite {
		where = config.Data
	}
	var file *fs.PathError
	switch {
	case sqlite && errors.Is(err, store.ErrDiskFull):
		return problem(nil, "the disk of "+where+" is full", "Make room on it, or name a directory on another one with --data.")
	case sqlite && errors.Is(err, store.ErrReadOnly):
		return problem(nil, "the disk of "+where+" is read-only", "Mount it to be written, or name a directory on another one with --data.")
	case errors.Is(err, store.ErrKeysLost):
		return problem(nil, "the keys of the memory in "+where+" are gone; without them it would be open to everybody here",
			"Put them back (_keys.db, or those of the Neo4j). Or discard those that there were, and make new ones: mneme keys reset"+config.SameStore())
	case errors.Is(err, store.ErrSchemaVersion):
		return problem(err, "the data in "+where+" cannot be used",
			"Or use other data (--data, --store). Nothing was changed.")
	case !sqlite:
		return neo4jProblem(config, err)
	case errors.Is(err, store.ErrStaleLog):
		return problem(err, "the database in "+where+" cannot be opened",
			"To put a backup in its place: mneme restore FILE. Or put the file back to which the -wal file belongs; without it, remove that.")
	case errors.As(err, &file):
		return directoryProblem(where, file.Err)
	default:
		return problem(err, "the database in "+where+" cannot be opened",
			"If its file is damaged, put a backup in its place (mneme restore FILE); otherwise name another directory with --data.")
	}
}

// directoryProblem explains why the embedded store cannot be in a directory.
func directoryProblem(dir string, err error) *Problem {
	do := "Name another directory with --data."
	switch {
	case errors.Is(err, fs.ErrPermission):
		do = "Give this user the right to write there, or name another directory with --data."
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		do = "A file is in its place; name another directory with --data."
	}
	return problem(err, "the data directory "+dir+" cannot be used", do)
}

// neo4jProblem explains why a Neo4j cannot be used.
func neo4jProblem(config Config, err error) *Problem {
	switch trouble := neo4j.TroubleOf(err); trouble.Code {
	case neo4j.NoAnswer:
		return problem(err, "no Neo4j answers at "+config.Store,
			"Start it (docker compose up neo4j, or make neo4j-up in a clone), check the address, or leave --store out to use the embedded database.")
	case neo4j.Unauthorized:
		return problem(nil, fmt.Sprintf("the Neo4j at %s does not accept the user %q with this password", config.Store, config.Neo4j.User),
			"Set MNEME_NEO4J_USER and MNEME_NEO4J_PASSWORD to what it was set up with.")
	case neo4j.TooManyAttempts:
		return problem(nil, fmt.Sprintf("the Neo4j at %s was given too many wrong passwords of %q", config.Store, config.Neo4j.User),
			"Wait some seconds, and try again with the right MNEME_NEO4J_PASSWORD.")
	case neo4j.NoSuchDatabase:
		return problem(nil, fmt.Sprintf("the Neo4j at %s has no database %q", config.Store, config.Neo4j.Database),
			"Create it, or set MNEME_NEO4J_DATABASE to one it has (the Community edition has one: neo4j).")
	case "":
		return problem(err, "the Neo4j at "+config.Store+" cannot be used",
			"Check the address and the version of the server.")
	default:
		return problem(errors.New(trouble.Says), "the Neo4j at "+config.Store+" refuses to be used",
			"The user needs the right to read, to write and to create indexes and constraints.")
	}
}

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
