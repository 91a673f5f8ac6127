package access

import (
	"slices"
	"strings"

	"mneme/memory"
)

// Role is what somebody may do with the memory of a tenant. Each may what the one before it may, and more.
type Role string

// The closed set of roles, the least first.
const (
	// Reader asks: recalls, searches, lists, guidance. Counting which observations it reads is the memory's bookkeeping.
	Reader Role = "READER"
	// Writer records what agents did, what they know and how people reacted, too.
	Writer Role = "WRITER"
	// Admin deletes for good, consolidates and prunes, and makes and revokes keys of the tenant, too.
	Admin Role = "ADMIN"
)

// Roles lists them, the least first.
var Roles = []Role{Reader, Writer, Admin}

// Valid says whether it is one of the roles.
func (r Role) Valid() bool { return slices.Contains(Roles, r) }

// ParseRole reads a role in upper or lower case. Its error is INVALID_INPUT at the field role.
func ParseRole(word string) (Role, error) {
	if role := Role(strings.ToUpper(word)); role.Valid() {
		return role, nil
	}
	return "", memory.Invalid("role", "must be reader, writer or admin")
}

// Act is a sort of what can be asked for.
type Act string

// The closed set of acts, each named by what it does.
const (
	// Read answers from the memory and changes nothing in it.
	Read Act = "READ"
	// Record adds to the memory, or says something anew of what is there.
	Record Act = "RECORD"
	// Administer takes away for good, or changes the memory as a whole.
	Administer Act = "ADMINISTER"
)

// Acts lists them, what asks least first.
var Acts = []Act{Read, Record, Administer}

// May says whether a role is enough for an act. What is no role may nothing, and nobody may what is no act.
func (r Role) May(act Act) bool {
	role, asked := slices.Index(Roles, r), slices.Index(Acts, act)
	return asked >= 0 && role >= asked
}

// Needs is the least role that may do an act.
func (a Act) Needs() Role {
	for _, role := range Roles {
		if role.May(a) {
			return role
		}
	}
	return Admin
}
