// Package house holds the tests of the house itself: who may import whom.
package house
