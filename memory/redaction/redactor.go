package redaction

import (
	"mneme/memory"
	"mneme/memory/compaction"
)

// Rule takes kinds of text out.
type Rule struct {
	// Redact gives the text without them, and how often each kind stood there, as the receipt calls it;
	// nil where none did. It is idempotent. It may end early where stop, asked now and then, has an error:
	// what it gives is not used then.
	Redact func(stop func() error, text string) (clean string, redactions []memory.Redaction)
	// RedactNamed is Redact for a text whose name is known and may say what it is, such as the field
	// "password" of a JSON object. nil means that the rule asks for no names.
	RedactNamed func(stop func() error, name, text string) (clean string, redactions []memory.Redaction)
}

// PrivateSpans is the rule that takes <private> spans out; every Redactor begins with it.
var PrivateSpans = Rule{Redact: func(_ func() error, text string) (string, []memory.Redaction) {
	clean, n := Redact(text)
	if n == 0 {
		return clean, nil
	}
	return clean, []memory.Redaction{{Kind: privateName, Count: n}}
}}

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
		compacted = r.clean("", compacted) // a word that was taken out may have stood between a name and its secret
	}
	r.measure(text, compacted)
	return redacted, compacted
}

// Name gives the redacted text of a name, which is too short to be counted in tokens.
func (r *Redactor) Name(name string) string { return r.clean("", name) }

// JSON gives a JSON value with every string and key in it redacted (see RedactJSON).
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
	if r.stop() != nil {
		return ""
	}
	text = r.count(PrivateSpans.Redact(r.stop, text))
	for _, rule := range r.Rules {
		if name != "" && rule.RedactNamed != nil {
			text = r.count(rule.RedactNamed(r.stop, name, text))
		} else {
			text = r.count(rule.Redact(r.stop, text))
		}
		if r.stop() != nil {
			return ""
		}
	}
	return text
}

func (r *Redactor) count(clean string, redactions []memory.Redaction) string {
	for _, redaction := range redactions {
		if r.counts == nil {
			r.counts = map[string]int{}
		}
		r.counts[redaction.Kind] += redaction.Count
	}
	return clean
}

func (r *Redactor) measure(before, after string) {
	r.before += memory.EstimateTokens(before)
	r.after += memory.EstimateTokens(after)
}
