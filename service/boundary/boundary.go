// Package boundary is the one place that lets inputs in: it checks them, redacts their texts, and brings them to the
// records of package store. Every text passes it before it is hashed, embedded, logged or kept. An input of the API,
// its checks and its mapping are here; what is done with the record is in the rooms beside it.
package boundary

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/compaction"
	"mneme/memory/prose"
	"mneme/memory/redaction"
	"mneme/store"
)

// The bounds of one input, checked before anything is written.
const (
	MaxText = 1 << 20 // bytes of one text
	MaxList = 1000    // items of one list
)

// Rules are those by which a deployment lets in what is sent to it.
type Rules struct {
	Redaction    []redaction.Rule
	Compaction   compaction.Level
	VectorLength int // what every embedding must have; 0 means the tenant's first decides, and the embedder for its own
	Now          func() time.Time
}

// Clock is the present in UTC with the millisecond precision that stores keep.
func (r *Rules) Clock() time.Time { return stamp(r.Now()) }

// Redactor redacts by the deployment's rules, until ctx ends.
func (r *Rules) Redactor(ctx context.Context) redaction.Redactor {
	return redaction.Redactor{Rules: r.Redaction, Compaction: r.Compaction, Stop: ctx.Err}
}

// Boundary checks and redacts the input of one record: every text passes it, and every id is brought to its bare key.
// It remembers the first fault, so that callers convert a whole record and ask once.
type Boundary struct {
	*Rules
	redacting redaction.Redactor
	inputKey  func() ([]byte, error) // by which inputs are hashed
	kept      bool                   // what enters is kept, rather than looked for
	caller    access.Caller
	back      bool // what enters comes back from an export
	err       error
	maxText   int // bytes of one text
	maxName   int // bytes of a name that people choose
	maxList   int // items of one list
}

// Question is the boundary of queries, by the rules of the deployment, until ctx ends: names may hold secrets there, so
// that what was kept before a rule knew them can still be found.
func (r *Rules) Question(ctx context.Context) *Boundary {
	return &Boundary{
		Rules: r, redacting: r.Redactor(ctx), caller: access.Of(ctx), maxText: MaxText, maxName: memory.MaxKeyBytes, maxList: MaxList,
	}
}

// New is the boundary of what is kept. It asks for the tenant's key only for what is sound.
func New(ctx context.Context, by *Rules, inputKey func() ([]byte, error)) *Boundary {
	b := by.Question(ctx)
	b.kept, b.inputKey = true, inputKey
	return b
}

// beginReceipt begins anew to count what is taken out of texts.
func (b *Boundary) beginReceipt() {
	b.redacting = redaction.Redactor{Rules: b.Redaction, Compaction: b.Compaction, Stop: b.redacting.Stop}
}

// Err is the first fault; nil where there is none.
func (b *Boundary) Err() error { return b.err }

// Fail notes a fault, unless there was one before; nil is none.
func (b *Boundary) Fail(err error) {
	if b.err == nil && err != nil {
		b.err = err
	}
}

// ForReal refuses what only an admin may, where it is done rather than only told.
func (b *Boundary) ForReal(ctx context.Context, what string, done bool) {
	if done {
		b.Fail(access.Check(ctx, access.Administer, what))
	}
}

// Require notes a fault of a field unless a condition holds, and says whether it does.
func (b *Boundary) Require(ok bool, field, format string, args ...any) bool {
	if !ok {
		b.Fail(memory.Invalid(field, format, args...))
	}
	return ok
}

// Within is a number that must be in a range.
func (b *Boundary) Within(field string, number, least, most int) int {
	b.Require(least <= number && number <= most, field, "is %d; it must be in %d…%d", number, least, most)
	return number
}

// Text is a text of any kind, redacted.
func (b *Boundary) Text(field, value string) string {
	if !b.checked(field, value) {
		return ""
	}
	clean := b.redacting.Text(value)
	b.Fail(b.redacting.Err())
	return clean
}

func (b *Boundary) checked(field, value string) bool {
	if len(value) > b.maxText {
		b.Fail(memory.LimitExceeded(field, "is %d bytes long; the most is %d", len(value), b.maxText))
		return false
	}
	return b.Require(utf8.ValidString(value), field, "is not valid UTF-8")
}

// required is a text that must say something.
func (b *Boundary) required(field, value string) string {
	b.notBlank(field, value)
	return b.Text(field, value)
}

// prose is a text that may be compacted: what identifies it, redacted, and what is stored.
func (b *Boundary) prose(field, value string) (content, compact string) {
	if b.checked(field, value) {
		content, compact = b.redacting.Prose(value)
		b.Fail(b.redacting.Err())
	}
	return content, compact
}

// requiredProse is prose that must say something.
func (b *Boundary) requiredProse(field, value string) (content, compact string) {
	b.notBlank(field, value)
	return b.prose(field, value)
}

// Optional is a text that may be left out, and is where it says nothing: many forms send an empty one for none.
func (b *Boundary) Optional(field string, value *string) *string {
	clean := mapped(value, func(text string) string { return b.Text(field, text) })
	if HasText(clean) {
		return clean
	}
	return nil
}

// optionalProse is prose that may be left out, as optional is.
func (b *Boundary) optionalProse(field string, value *string) (content, compact *string) {
	if value == nil {
		return nil, nil
	}
	whole, short := b.prose(field, *value)
	if HasText(&whole) {
		return &whole, &short
	}
	return nil, nil
}

// Texts are texts of any kind, redacted.
func (b *Boundary) Texts(field string, values []string) []string {
	return each(b, field, values, b.Text)
}

// each cleans the items of a list, each by its place.
func each[In, Out any](b *Boundary, field string, items []In, clean func(place string, item In) Out) []Out {
	if !b.List(field, len(items)) {
		return nil
	}
	cleaned := make([]Out, len(items))
	for i, item := range items {
		cleaned[i] = clean(At(field, i), item)
	}
	return cleaned
}

// mapped is what becomes of a value; nil where there is none.
func mapped[T any](value *T, of func(T) T) *T {
	if value == nil {
		return nil
	}
	return new(of(*value))
}

func (b *Boundary) json(field string, value memory.JSON) memory.JSON {
	return b.jsonWithin(memory.InputJSON.Depth, field, value)
}

// spanJSON is json for a value within a span.
func (b *Boundary) spanJSON(field string, value memory.JSON) memory.JSON {
	return b.jsonWithin(memory.SpanJSON.Depth, field, value)
}

func (b *Boundary) jsonWithin(depth int, field string, value memory.JSON) memory.JSON {
	if len(value) == 0 || string(value) == "null" || !b.Require(utf8.Valid(value), field, "is not valid UTF-8") {
		return nil
	}
	bounds := memory.InputJSON
	if b.back {
		bounds = memory.RestoredJSON
	}
	bounds.Depth = depth
	if err := bounds.Check(field, value); err != nil {
		b.Fail(err)
		return nil
	}
	if !b.back { // what comes back was decoded with its line, so it is JSON
		canonical, err := memory.ParseJSON(value)
		if !b.Require(err == nil, field, "is not JSON") {
			return nil
		}
		value = canonical
	}
	clean := b.redacting.JSON(value)
	b.Fail(b.redacting.Err())
	return clean
}

// List says whether a list is short enough.
func (b *Boundary) List(field string, length int) bool {
	if length > b.maxList {
		b.Fail(memory.LimitExceeded(field, "has %d items; the most is %d", length, b.maxList))
		return false
	}
	return true
}

// Key brings an id of a known kind to its bare key.
func (b *Boundary) Key(kind memory.Kind, field, id string) string {
	return b.Label(field, memory.KeyOf(kind, id))
}

// OptionalKey is Key of an id that may be left out.
func (b *Boundary) OptionalKey(kind memory.Kind, field string, id *string) *string {
	return mapped(id, func(id string) string { return b.Key(kind, field, id) })
}

// other is the key of a record that another is linked with when it is known. The id of a record of another kind is
// refused, since nothing would ever come under it: a key that looks like one is given as a whole id.
func (b *Boundary) other(kind memory.Kind, field, id string) string {
	named, _, ok := memory.SplitID(id)
	b.Require(!ok || named == kind || !b.kept, field, "is the id of a record of kind %s; where that is a key, give it as %s:KEY", named, kind)
	return b.Key(kind, field, id)
}

func (b *Boundary) optionalOther(kind memory.Kind, field string, id *string) *string {
	return mapped(id, func(id string) string { return b.other(kind, field, id) })
}

// others are the keys of records that another is linked with, see other.
func (b *Boundary) others(kind memory.Kind, field string, ids []string) []string {
	return memory.Distinct(each(b, field, ids, func(place, id string) string { return b.other(kind, place, id) }))
}

// Label is a short name that is stored in its form: a key, a task type, a person. It cannot be redacted in part, so one
// that is marked as private or holds a secret is refused.
func (b *Boundary) Label(field, value string) string {
	value = NameForm(value)
	b.checkName(field, value)
	return value
}

func (b *Boundary) checkName(field, value string) {
	b.Fail(memory.CheckKey(field, value))
	_, spans := redaction.Redact(value)
	b.Require(spans == 0, field, "is marked as private, and names and ids are kept as they are; leave the private part out")
	if b.kept && b.err == nil {
		b.holdsNone(field, value)
	}
}

// holdsNone refuses a name that holds a secret.
func (b *Boundary) holdsNone(field, name string) {
	b.Require(!b.hides(name), field, "holds a secret, and names and ids are kept as they are; leave it out, or name it otherwise")
}

// hides says whether something would have to be taken out of a name. It leaves the receipt alone.
func (b *Boundary) hides(value string) bool {
	apart := redaction.Redactor{Rules: b.Redaction, Stop: b.redacting.Stop}
	clean := apart.Name(value)
	b.Fail(apart.Err())
	return clean != value
}

// alias is a name that others chose, such as a program that sends spans, which would lose data if it were refused. One
// that must not be kept becomes a hash, the same for the same name. One that is too long is cut and gets a hash that
// tells it from others; control characters become spaces.
func (b *Boundary) alias(value string) string {
	if value == "" || !utf8.ValidString(value) {
		return value
	}
	form := NameForm(value)
	plain := spacedControls(form)
	hides := b.hides(form) || plain != form && b.hides(plain) // words that a line break kept apart may be a secret together
	if !hides && len(plain) <= memory.MaxKeyBytes {
		return plain
	}
	hash := hex.EncodeToString(b.hash(form))
	if b.err != nil {
		return ""
	}
	short := prose.ShortenBytes(plain, memory.MaxKeyBytes-len("-")-16) + "-" + hash[:16]
	if hides || b.hides(short) {
		return "redacted-" + hash
	}
	return short
}

// spacedControls is a text with spaces for control characters, but for those at its ends.
func spacedControls(text string) string {
	if strings.IndexFunc(text, unicode.IsControl) < 0 {
		return text
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
}

// name is a short name that people choose freely, such as a concept's: redacted, and in its form. It must say
// something.
func (b *Boundary) name(field, value string) string {
	b.notBlank(field, value)
	value = NameForm(value)
	b.Fail(memory.CheckName(field, value, b.maxName))
	return b.NameAsked(value) // what is left may come together anew
}

// NameAsked is a name as it would have been kept.
func (b *Boundary) NameAsked(value string) string { return NameForm(b.redacting.Name(value)) }

// OptionalName is name of one that may be left out.
func (b *Boundary) OptionalName(field string, value *string) *string {
	return mapped(value, func(name string) string { return b.name(field, name) })
}

// OptionalLabel is Label of one that may be left out.
func (b *Boundary) OptionalLabel(field string, value *string) *string {
	return mapped(value, func(label string) string { return b.Label(field, label) })
}

// userID is for whom a record is, or is asked for: by default, and at most, the user to whom the caller's key is bound.
func (b *Boundary) userID(value *string) *string {
	user := b.OptionalLabel("userId", value)
	b.Require(user == nil || *user != memory.SeveralUsers, "userId", "must not be *, which stands for several users")
	if b.caller.User == "" {
		return user
	}
	if user != nil && *user != b.caller.User {
		b.Fail(&memory.Error{Code: memory.CodeForbidden, Field: "userId", Message: "this key is bound to another user; leave it out"})
	}
	return &b.caller.User
}

// Users is the filter by whom records are for.
func (b *Boundary) Users(input UserFilter) store.UserFilter {
	user := b.userID(input.UserID)
	return store.UserFilter{User: user, Shared: user != nil && input.IncludeShared}
}

// Labels are labels that say something, each once.
func (b *Boundary) Labels(field string, values []string) []string {
	return memory.Distinct(each(b, field, values, func(place, value string) string {
		b.notBlank(place, value)
		return b.Label(place, value)
	}))
}

// notBlank refuses a text that says nothing.
func (b *Boundary) notBlank(field, value string) {
	b.Require(strings.TrimSpace(value) != "", field, "must not be empty")
}

// requiredTexts are texts each of which must say something.
func (b *Boundary) requiredTexts(field string, values []string) []string {
	return each(b, field, values, b.required)
}

// Share is a number in 0…1.
func (b *Boundary) Share(field string, value *float64) *float64 { return b.upTo(1, field, value) }

// upTo is a number from 0 to the most that it may be.
func (b *Boundary) upTo(most float64, field string, value *float64) *float64 {
	number := memory.ValueOr(value, 0)
	b.Require(number >= 0 && number <= most, field, "is %v; it must be in 0…%.0f", number, most)
	return value
}

// time brings an instant to UTC and milliseconds.
func (b *Boundary) time(field string, value time.Time) time.Time {
	b.Fail(memory.CheckTime(field, value))
	return stamp(value)
}

// OptionalTime is time of an instant that may be left out.
func (b *Boundary) OptionalTime(field string, value *time.Time) *time.Time {
	return mapped(value, func(at time.Time) time.Time { return b.time(field, at) })
}

// Vector is an embedding of the configured length where there is one, brought to the length 1 in space,
// so that no store has to compute with extremes. It must be finite and not zero.
func (b *Boundary) Vector(field string, values []float64) []float32 {
	if values == nil {
		return nil
	}
	length, own := len(values), b.VectorLength
	if !b.Require(own <= 0 || length == own, field, "has %d numbers; this server's embeddings have %d", length, own) ||
		!b.Require(1 <= length && length <= MaxVector, field, "has %d numbers; it must have 1 to %d", length, MaxVector) {
		return nil
	}
	norm := 0.0
	for _, value := range values {
		norm = math.Hypot(norm, value)
	}
	if !b.Require(norm != 0 && !math.IsInf(norm, 0) && !math.IsNaN(norm), field, "must be finite and not the zero vector") {
		return nil
	}
	return memory.Mapped(values, func(value float64) float32 { return float32(value / norm) })
}

// MaxVector is the longest embedding that both stores can index.
const MaxVector = store.LongestVector

// At is the place of an item of a list.
func At(field string, index int) string { return field + "." + strconv.Itoa(index) }

func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

func optionalStamp(t *time.Time) *time.Time {
	return mapped(t, stamp)
}

// GlobalIDs checks ids of records of any kind, which must be in their global form.
func (b *Boundary) GlobalIDs(field string, ids []string) []string {
	return each(b, field, ids, b.GlobalID)
}

// GlobalID is an id of a record of any kind, in its global form.
func (b *Boundary) GlobalID(field, id string) string {
	kind, key, ok := memory.SplitID(id)
	if !ok {
		b.Fail(memory.CheckID(field, id))
		return ""
	}
	id = memory.NodeID(kind, memory.MapKey(kind, key, NameForm))
	if err := memory.CheckID(field, id); err != nil {
		b.Fail(err)
		return ""
	}
	_, key, _ = memory.SplitID(id)
	for _, part := range memory.KeysWithin(kind, key) {
		b.checkName(field, part)
	}
	return id
}

// hashBytes is the length of the hash of an input.
const hashBytes = 16

// hash is the hash of a clean input. A refused input has none: its hash would need a key, and the key makes the tenant.
func (b *Boundary) hash(clean any) []byte {
	if b.err != nil {
		return nil
	}
	key, err := b.inputKey()
	if b.Fail(err); err != nil {
		return nil
	}
	return Hash(key, clean)
}

// Hash is a keyed hash of a plain value. The same content sent again has the same hash, and nobody without the tenant's
// key can test guesses at it.
func Hash(key []byte, value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("service: an input that cannot be encoded: " + err.Error()) // inputs are plain structs
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)[:hashBytes]
}
