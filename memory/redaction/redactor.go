package redaction

import (
	"mneme/memory"
	"mneme/memory/compaction"
)

// Rule takes kinds of text out: it gives the text without them, and how often each kind stood there, as the receipt
// calls it; nil where none did. name is what the text goes by, such as the key of a JSON object, which may say what it
// is; it is empty where the text has none. A rule is idempotent. It may end early where stop, asked now and then, has
// an error: what it gives is not used then.
type Rule func(stop func() error, name, text string) (clean string, redactions []memory.Redaction)

// PrivateSpans is the rule that takes <private> spans out; every Redactor begins with it.
func PrivateSpans(_ func() error, _, text string) (string, []memory.Redaction) {
	clean, n := Redact(text)
	if n == 0 {
		return clean, nil
	}
	return clean, []memory.Redaction{{Kind: privateName, Count: n}}
}

// Redactor is the write boundary for the texts of one record: each field goes through it, and it
// keeps the record's receipt. The zero value takes private spans out. It is for one goroutine.
type Redactor struct {
	// Rules come after PrivateSpans, in order.
	Rules []Rule
	// Compaction is for Prose.
	Compaction compaction.Level
	// Stop is asked now and then; where it has an error, such as that of a context, the rest comes back
	// empty, and Err says so. nil never has one.
	Stop func() error

	before, after int // tokens
	counts        map[string]int
	err           error
}

// Err is why texts came back empty: the error of Stop, nil where none did.
func (r *Redactor) Err() error { return r.err }

// stop is Stop, and remembers what it said.
func (r *Redactor) stop() error {
	if r.err == nil && r.Stop != nil {
		r.err = r.Stop()
	}
	return r.err
}

// Text gives the redacted text of a field.
func (r *Redactor) Text(text string) string {
	clean := r.clean("", text)
	r.measure(text, clean)
	return clean
}

// Prose is Text for a field that is kept compacted: an observation, what a concept says, a correction.
// compacted is what is kept; by redacted it is judged whether a record that is sent again is the same:
// it is, also where the level of compaction was another at the time.
func (r *Redactor) Prose(text string) (redacted, compacted string) {
	redacted = r.clean("", text)
	if r.err != nil {
		return "", ""
	}
	if compacted = r.Compaction.Text(redacted); compacted != redacted {
		compacted = r.clean("", compacted) // what went may have stood between a name and its secret
	}
	r.measure(text, compacted)
	return redacted, compacted
}

// Name gives the redacted text of a name, which is too short to be counted in tokens.
func (r *Redactor) Name(name string) string { return r.clean("", name) }

// JSON gives a JSON value with every string and every key in it redacted, each for itself: a private span does not
// reach from one string into the next. The result is canonical (see memory.JSONOf).
func (r *Redactor) JSON(value memory.JSON) memory.JSON {
	clean := redactJSON(value, r.clean)
	r.measure(string(value), string(clean))
	return clean
}

// Receipt says what became of all the fields so far. Tokens are those of each field, added up.
func (r *Redactor) Receipt() memory.Receipt {
	return memory.Receipt{TokensBefore: r.before, TokensAfter: r.after, Redactions: memory.RedactionsOf(r.counts)}
}

// clean applies the rules to a text, with the name it goes by where it has one.
func (r *Redactor) clean(name, text string) string {
	for _, rule := range append([]Rule{PrivateSpans}, r.Rules...) {
		if r.stop() != nil {
			return ""
		}
		var redactions []memory.Redaction
		text, redactions = rule(r.stop, name, text)
		for _, redaction := range redactions {
			if r.counts == nil {
				r.counts = map[string]int{}
			}
			r.counts[redaction.Kind] += redaction.Count
		}
	}
	if r.stop() != nil {
		return ""
	}
	return text
}

func (r *Redactor) measure(before, after string) {
	r.before += memory.EstimateTokens(before)
	r.after += memory.EstimateTokens(after)
}
