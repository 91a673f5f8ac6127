// Package memory holds the records of a learning memory, with what follows from one record alone, their ids, kinds
// and errors. The rules that make it learn are in the packages below it, each named after its idea. All of them
// import the standard library only, do no I/O, and are handed the clock as a parameter.
package memory
