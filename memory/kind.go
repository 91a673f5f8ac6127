package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the type of a record in the graph, spelled as its GraphQL type name in lowerCamel.
type Kind string

// The kinds there are. A kind is also the prefix of a global id.
const (
	KindAgent    Kind = "agent"
	KindSession  Kind = "session"
	KindEpisode  Kind = "episode"
	KindCanvas   Kind = "canvas"
	KindFeedback Kind = "feedback"

	KindMemoir      Kind = "memoir"
	KindConcept     Kind = "concept"
	KindObservation Kind = "observation"
	KindCorrection  Kind = "correction"

	KindExecution       Kind = "execution"
	KindLearningProfile Kind = "learningProfile"

	KindRun     Kind = "run"
	KindSection Kind = "section"
	KindVerdict Kind = "verdict"
	KindPattern Kind = "pattern"
)

// SeveralUsers is the userId of what sums up work for several users: no user's filter finds it, and nobody may name it.
const SeveralUsers = "*"

// OfUsers says whether records of a kind may be of a user; those of the others are of nobody.
func (k Kind) OfUsers() bool {
	return k == KindEpisode || k == KindCanvas || k == KindFeedback || k == KindObservation
}

// Kinds lists every kind, in the order in which an export writes them.
var Kinds = []Kind{
	KindAgent, KindSession, KindMemoir, KindConcept, KindEpisode, KindCanvas, KindFeedback, KindObservation, KindCorrection,
	KindExecution, KindLearningProfile, KindRun, KindSection, KindVerdict, KindPattern,
}

// KindNames are the names of kinds.
func KindNames(kinds []Kind) []string {
	return Mapped(kinds, func(kind Kind) string { return string(kind) })
}

// Node is a record of any kind, known by its global id.
type Node interface{ ID() string }

// IDs are the global ids of records.
func IDs[T Node](records []T) []string {
	return Mapped(records, func(record T) string { return record.ID() })
}

// MaxKeyBytes is the longest key a client may choose.
const MaxKeyBytes = 512

// NodeID is the global, readable id of a record: kind:key.
func NodeID(kind Kind, key string) string { return string(kind) + ":" + key }

// NodeIDs are the global ids of keys of a kind.
func NodeIDs(kind Kind, keys []string) []string {
	return Mapped(keys, func(key string) string { return NodeID(kind, key) })
}

// KeyOf gives the key from either form of an id whose kind is known. Only the kind's own prefix is
// stripped, so a key may itself contain ':'.
func KeyOf(kind Kind, id string) string { return strings.TrimPrefix(id, string(kind)+":") }

// SplitID takes a global id apart; ok is false where the prefix names no kind or no key follows it.
func SplitID(id string) (kind Kind, key string, ok bool) {
	prefix, key, _ := strings.Cut(id, ":")
	if kind = Kind(prefix); key == "" || !slices.Contains(Kinds, kind) {
		return "", "", false
	}
	return kind, key, true
}

// KeysWithin takes a key apart that is made of others, each of which may be as long as a key may be.
func KeysWithin(kind Kind, key string) []string {
	if parts, joined := joinedKeys(kind, key); joined {
		return parts
	}
	if kind == KindExecution {
		return []string{KeyOf(KindEpisode, key)}
	}
	return []string{key}
}

// MapKey applies a function to each of the keys that a key is made of.
func MapKey(kind Kind, key string, f func(part string) string) string {
	parts, joined := joinedKeys(kind, key)
	if !joined {
		return f(key)
	}
	mapped := Mapped(parts, f)
	if slices.Equal(mapped, parts) {
		return key // however it is escaped
	}
	return JoinKey(mapped...)
}

// joinedKeys are the keys that JoinKey made a key of; joined is false where it is none of those.
func joinedKeys(kind Kind, key string) (parts []string, joined bool) {
	switch kind {
	case KindLearningProfile, KindSection, KindPattern:
		parts = SplitKey(key)
		return parts, len(parts) <= 3
	}
	return nil, false
}

// CheckID says what is wrong with a global id, or returns nil: the prefix names a kind, and the keys that follow
// may be keys.
func CheckID(field, id string) error {
	kind, key, ok := SplitID(id)
	if !ok {
		return Invalid(field, "is not a global id; one looks like episode:run-123")
	}
	for _, part := range KeysWithin(kind, key) {
		if err := CheckKey(field, part); err != nil {
			return err
		}
	}
	return nil
}

// CheckKey says what is wrong with a key chosen by a client, or returns nil: 1 to 512 bytes of UTF-8
// without control characters.
func CheckKey(field, key string) error { return CheckName(field, key, MaxKeyBytes) }

// CheckName is CheckKey for a name that may be longer or shorter.
func CheckName(field, name string, most int) error {
	switch {
	case name == "":
		return Invalid(field, "must not be empty")
	case len(name) > most:
		return Invalid(field, "is %d bytes long; the most is %d", len(name), most)
	case !utf8.ValidString(name):
		return Invalid(field, "is not valid UTF-8")
	case strings.IndexFunc(name, unicode.IsControl) >= 0:
		return Invalid(field, "contains a control character")
	}
	return nil
}
