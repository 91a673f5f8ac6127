package memory

// RedactionRule takes one kind of text out.
type RedactionRule struct {
	Kind string // as the receipt calls it
	// Redact gives the text without it and how often it stood there. It is idempotent.
	Redact func(text string) (clean string, redactions int)
}

// PrivateSpans is the rule that takes <private> spans out; every Redactor begins with it.
var PrivateSpans = RedactionRule{Kind: "private", Redact: Redact}

// Redactor is the write boundary for the texts of one record: each field goes through it, and it
// keeps the record's receipt. The zero value takes private spans out. It is for one goroutine.
type Redactor struct {
	// Rules come after PrivateSpans, in order.
	Rules []RedactionRule
	// Compaction is what Prose does to a text beyond redacting it.
	Compaction Compaction

	before, after int // tokens
	counts        map[string]int
}

// Text gives the redacted text of a field.
func (r *Redactor) Text(text string) string {
	clean := r.clean(text)
	r.measure(text, clean)
	return clean
}

// Prose gives the redacted text of a field, which identifies it, and that text compacted, which is kept.
func (r *Redactor) Prose(text string) (redacted, compact string) {
	redacted = r.clean(text)
	compact = r.Compaction.Text(redacted)
	r.measure(text, compact)
	return redacted, compact
}

// JSON gives a JSON value with every string and key in it redacted (see RedactJSON).
func (r *Redactor) JSON(value JSON) JSON {
	clean := redactJSON(value, r.clean)
	r.measure(string(value), string(clean))
	return clean
}

// Receipt says what became of all the fields so far. Tokens are those of each field, added up.
func (r *Redactor) Receipt() Receipt {
	return Receipt{TokensBefore: r.before, TokensAfter: r.after, Redactions: redactionsOf(r.counts)}
}

func (r *Redactor) clean(text string) string {
	text = r.apply(PrivateSpans, text)
	for _, rule := range r.Rules {
		text = r.apply(rule, text)
	}
	return text
}

func (r *Redactor) apply(rule RedactionRule, text string) string {
	clean, n := rule.Redact(text)
	if n > 0 {
		if r.counts == nil {
			r.counts = map[string]int{}
		}
		r.counts[rule.Kind] += n
	}
	return clean
}

func (r *Redactor) measure(before, after string) {
	r.before += EstimateTokens(before)
	r.after += EstimateTokens(after)
}
