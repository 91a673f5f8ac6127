// Package memory holds the ideas of mneme: the types of a learning memory and its rules as pure
// functions. It imports the standard library only, does no I/O, and is handed the clock as a parameter.
package memory
