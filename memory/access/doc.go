// Package access says who may do what: the roles that a key can have and what each may do, what a key looks like and
// until when it is good, and who asks. Every door of the memory asks it before it does anything.
package access
