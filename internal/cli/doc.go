// Package cli is the command line of mneme: it reads arguments, hands over to the packages that do the
// work, and tells people what came of it.
package cli
