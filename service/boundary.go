package service

import (
	"context"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/prose"
	"mneme/memory/redaction"
	"mneme/store"
)

// The bounds of one input, checked before anything is written.
const (
	MaxText = 1 << 20 // bytes of one text
	MaxList = 1000    // items of one list
)

// boundary checks and redacts the input of one record: every text passes it, and every id is brought to its bare key.
// It remembers the first fault, so that callers convert a whole record and ask once.
type boundary struct {
	redactor redaction.Redactor
	kept     bool   // what enters is kept, rather than looked for
	user     string // to whom the key of the caller is bound, empty for nobody
	err      error
	maxText  int // bytes of one text
	maxList  int // items of one list
}

// Redacted is a text as the write boundary lets it through, for messages that repeat what was sent.
func (s *Service) Redacted(text string) string {
	redactor := s.redactor(context.Background())
	return redactor.Text(text)
}

// redactor redacts by the deployment's rules, until ctx ends.
func (s *settings) redactor(ctx context.Context) redaction.Redactor {
	return redaction.Redactor{Rules: s.rules, Compaction: s.compaction, Stop: ctx.Err}
}

// boundary checks and redacts the input of one record, by the rules of the deployment, until ctx ends.
func (t *tenant) boundary(ctx context.Context) *boundary {
	b := t.question(ctx)
	b.kept = true
	return b
}

// deletion is the boundary for what names a record to be deleted.
func (t *tenant) deletion(ctx context.Context) *boundary {
	b := t.question(ctx)
	b.fail(access.Check(ctx, access.Administer, "to delete for good"))
	return b
}

// question is the boundary of queries: names may hold secrets there, so that what was kept before a rule knew them can
// still be found.
func (t *tenant) question(ctx context.Context) *boundary {
	return &boundary{redactor: t.redactor(ctx), user: access.Of(ctx).User, maxText: MaxText, maxList: MaxList}
}

func (b *boundary) fail(err error) {
	if b.err == nil && err != nil {
		b.err = err
	}
}

func (b *boundary) text(field, value string) string {
	if !b.checked(field, value) {
		return ""
	}
	clean := b.redactor.Text(value)
	b.fail(b.redactor.Err())
	return clean
}

func (b *boundary) checked(field, value string) bool {
	switch {
	case len(value) > b.maxText:
		b.fail(memory.LimitExceeded(field, "is %d bytes long; the most is %d", len(value), b.maxText))
	case !utf8.ValidString(value):
		b.fail(memory.Invalid(field, "is not valid UTF-8"))
	default:
		return true
	}
	return false
}

// required is a text that must say something.
func (b *boundary) required(field, value string) string {
	b.notBlank(field, value)
	return b.text(field, value)
}

// prose is a text that may be compacted: what identifies it, redacted, and what is stored.
func (b *boundary) prose(field, value string) (content, compact string) {
	if b.checked(field, value) {
		content, compact = b.redactor.Prose(value)
		b.fail(b.redactor.Err())
	}
	return content, compact
}

// requiredProse is prose that must say something.
func (b *boundary) requiredProse(field, value string) (content, compact string) {
	b.notBlank(field, value)
	return b.prose(field, value)
}

// optional is a text that may be left out, and is where it says nothing: many forms send an empty one for none.
func (b *boundary) optional(field string, value *string) *string {
	clean := mapped(value, func(text string) string { return b.text(field, text) })
	if hasText(clean) {
		return clean
	}
	return nil
}

// optionalProse is prose that may be left out, as optional is.
func (b *boundary) optionalProse(field string, value *string) (content, compact *string) {
	if value == nil {
		return nil, nil
	}
	whole, short := b.prose(field, *value)
	if hasText(&whole) {
		return &whole, &short
	}
	return nil, nil
}

// optionalRequired is a text that may be left out but not empty.
func (b *boundary) optionalRequired(field string, value *string) *string {
	if value != nil {
		b.required(field, *value)
	}
	return b.optional(field, value)
}

func (b *boundary) texts(field string, values []string) []string {
	return each(b, field, values, b.text)
}

// each cleans the items of a list, each by its place.
func each[In, Out any](b *boundary, field string, items []In, clean func(place string, item In) Out) []Out {
	if !b.list(field, len(items)) {
		return nil
	}
	cleaned := make([]Out, len(items))
	for i, item := range items {
		cleaned[i] = clean(at(field, i), item)
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

func (b *boundary) json(field string, value memory.JSON) memory.JSON {
	return b.jsonWithin(memory.InputJSON, field, value)
}

// jsonWithin is json for a value that is kept within others.
func (b *boundary) jsonWithin(bounds memory.JSONBounds, field string, value memory.JSON) memory.JSON {
	if !b.bounded(bounds, field, value) {
		return nil
	}
	clean, err := memory.ParseJSON(value)
	if err != nil {
		b.fail(memory.Invalid(field, "is not JSON"))
		return nil
	}
	clean = b.redactor.JSON(clean)
	b.fail(b.redactor.Err())
	return clean
}

// bounded says whether there is a value, and that it is within bounds.
func (b *boundary) bounded(bounds memory.JSONBounds, field string, value memory.JSON) bool {
	switch {
	case len(value) == 0 || string(value) == "null":
		return false
	case !utf8.Valid(value):
		b.fail(memory.Invalid(field, "is not valid UTF-8"))
		return false
	}
	err := bounds.Check(field, value)
	b.fail(err)
	return err == nil
}

// list says whether a list is short enough.
func (b *boundary) list(field string, length int) bool {
	if length > b.maxList {
		b.fail(memory.LimitExceeded(field, "has %d items; the most is %d", length, b.maxList))
		return false
	}
	return true
}

// key brings an id of a known kind to its bare key.
func (b *boundary) key(kind memory.Kind, field, id string) string {
	return b.label(field, memory.KeyOf(kind, id))
}

func (b *boundary) optionalKey(kind memory.Kind, field string, id *string) *string {
	return mapped(id, func(id string) string { return b.key(kind, field, id) })
}

// other is the key of a record that another is linked with when it is known. The id of a record of another kind is refused,
// since nothing would ever come under it: a key that looks like one is given as a whole id.
func (b *boundary) other(kind memory.Kind, field, id string) string {
	if named, _, ok := memory.SplitID(id); ok && named != kind && b.kept {
		b.fail(memory.Invalid(field, "is the id of a record of kind %s; where that is a key, give it as %s:KEY", named, kind))
	}
	return b.key(kind, field, id)
}

func (b *boundary) optionalOther(kind memory.Kind, field string, id *string) *string {
	return mapped(id, func(id string) string { return b.other(kind, field, id) })
}

// others are the keys of records that another is linked with, see other.
func (b *boundary) others(kind memory.Kind, field string, ids []string) []string {
	return distinct(each(b, field, ids, func(place, id string) string { return b.other(kind, place, id) }))
}

// label is a short name that is stored in its form: a key, a task type, a person. It cannot be redacted in part, so one
// that is marked as private or holds a secret is refused.
func (b *boundary) label(field, value string) string {
	value = b.formed(field, value)
	b.checkName(field, value)
	return value
}

func (b *boundary) checkName(field, value string) {
	b.fail(memory.CheckKey(field, value))
	if _, spans := redaction.Redact(value); spans > 0 {
		b.fail(memory.Invalid(field, "is marked as private, and names and ids are kept as they are; leave the private part out"))
	} else if b.kept && b.err == nil && b.hides(value) {
		b.fail(secretInName(field))
	}
}

func secretInName(field string) error {
	return memory.Invalid(field, "holds a secret, and names and ids are kept as they are; leave it out, or name it otherwise")
}

// hides says whether something would have to be taken out of a name. It leaves the receipt alone.
func (b *boundary) hides(value string) bool {
	apart := redaction.Redactor{Rules: b.redactor.Rules, Stop: b.redactor.Stop}
	clean := apart.Name(value)
	b.fail(apart.Err())
	return clean != value
}

// alias is a name that others chose, such as a program that sends spans, who would lose what they tell if it were refused: one
// that must not be kept is replaced by a hash, which is the same for the same name; one that is too long is cut, and one with too
// many marks on a letter loses some, and they are told from others like them by a hash; control characters are spaces.
func (b *boundary) alias(ctx context.Context, t *tenant, value string) string {
	if value == "" || !utf8.ValidString(value) {
		return value
	}
	form, ok := NameForm(value)
	told := form
	if !ok {
		form, told = fewerMarks(value), value
	}
	plain := spacedControls(form)
	hides := b.hides(form) || plain != form && b.hides(plain) // words that a line break kept apart may be a secret together
	switch {
	case hides, !ok, len(plain) > memory.MaxKeyBytes:
	case plain == form:
		return value
	default:
		return plain
	}
	if b.fail(t.keyed(ctx)); b.err != nil {
		return ""
	}
	hash := hex.EncodeToString(t.hash(told))
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
func (b *boundary) name(field, value string) string {
	b.notBlank(field, value)
	value = b.formed(field, value)
	b.fail(memory.CheckKey(field, value))
	return b.formed(field, b.redactor.Name(value)) // what is left may come together anew
}

func (b *boundary) optionalName(field string, value *string) *string {
	return mapped(value, func(name string) string { return b.name(field, name) })
}

func (b *boundary) optionalLabel(field string, value *string) *string {
	return mapped(value, func(label string) string { return b.label(field, label) })
}

// userID is for whom a record is, or is asked for: by default, and at most, the user to whom the caller's key is bound.
func (b *boundary) userID(value *string) *string {
	user := b.optionalLabel("userId", value)
	if user != nil && *user == memory.SeveralUsers {
		b.fail(memory.Invalid("userId", "must not be *, which stands for several users"))
	}
	if b.user == "" {
		return user
	}
	if user != nil && *user != b.user {
		b.fail(&memory.Error{Code: memory.CodeForbidden, Field: "userId", Message: "this key is bound to another user; leave it out"})
	}
	return &b.user
}

func (b *boundary) users(input UserFilter) store.UserFilter {
	user := b.userID(input.UserID)
	return store.UserFilter{User: user, Shared: user != nil && input.IncludeShared}
}

func (b *boundary) labels(field string, values []string) []string {
	return distinct(each(b, field, values, func(place, value string) string {
		b.notBlank(place, value)
		return b.label(place, value)
	}))
}

// notBlank refuses a text that says nothing.
func (b *boundary) notBlank(field, value string) {
	if strings.TrimSpace(value) == "" {
		b.fail(memory.Invalid(field, "must not be empty"))
	}
}

// requiredTexts are texts each of which must say something.
func (b *boundary) requiredTexts(field string, values []string) []string {
	return each(b, field, values, b.required)
}

// share is a number in 0…1.
func (b *boundary) share(field string, value *float64) *float64 { return b.upTo(1, field, value) }

// upTo is a number from 0 to the most that it may be.
func (b *boundary) upTo(most float64, field string, value *float64) *float64 {
	if value != nil && !(*value >= 0 && *value <= most) {
		b.fail(memory.Invalid(field, "is %v; it must be in 0…%.0f", *value, most))
	}
	return value
}

// time brings an instant to UTC and milliseconds.
func (b *boundary) time(field string, value time.Time) time.Time {
	b.fail(memory.CheckTime(field, value))
	return stamp(value)
}

func (b *boundary) optionalTime(field string, value *time.Time) *time.Time {
	return mapped(value, func(at time.Time) time.Time { return b.time(field, at) })
}

// vector is an embedding of the configured length where there is one, brought to the length 1 in space,
// so that no store has to compute with extremes. It must be finite and not zero.
func (b *boundary) vector(field string, values []float64, length int) []float32 {
	if values == nil {
		return nil
	}
	if length > 0 && len(values) != length {
		b.fail(memory.Invalid(field, "has %d numbers; this server's embeddings have %d", len(values), length))
		return nil
	}
	if len(values) == 0 || len(values) > MaxVector {
		b.fail(memory.Invalid(field, "has %d numbers; it must have 1 to %d", len(values), MaxVector))
		return nil
	}
	norm := 0.0
	for _, value := range values {
		norm = math.Hypot(norm, value)
	}
	if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
		b.fail(memory.Invalid(field, "must be finite and not the zero vector"))
		return nil
	}
	vector := make([]float32, len(values))
	for i, value := range values {
		vector[i] = float32(value / norm)
	}
	return vector
}

// MaxVector is the longest embedding that both stores can index.
const MaxVector = store.LongestVector

func at(field string, index int) string { return field + "." + strconv.Itoa(index) }

func distinct(values []string) []string {
	seen := make(map[string]bool, len(values))
	kept := values[:0:0]
	for _, value := range values {
		if !seen[value] {
			seen[value] = true
			kept = append(kept, value)
		}
	}
	return kept
}
